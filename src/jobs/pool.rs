//! The threads that run jobs.
//!
//! A thread that is free takes the next task: end a job that is through, or run a piece of the job whose turn it is
//! (`turns.rs`). One more thread for each lane claims jobs from the store and prepares them, so that a long preparation
//! holds up no piece of another and no short job. Nothing polls: a thread without a task sleeps until there is one.

#[cfg(test)]
mod interleavings;
mod live;
#[cfg(test)]
mod shares;
mod turns;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use tokio::sync::watch;

use super::id::JobId;
use super::job::{CancelReason, Ending, Failure, Live, Outcome};
use super::lane::Lane;
use super::store::{Claim, Store};
use super::work::Runners;
use live::Running;
use turns::{Active, Piece, Task, Turn, Turns};

/// What the threads share.
pub(super) struct Pool<S> {
    store: Arc<S>,
    runners: Runners,
    state: Mutex<State>,
    /// There may be a task.
    changed: Condvar,
    threads: watch::Sender<usize>,
}

#[derive(Default)]
struct State {
    turns: Turns,
    /// The store may have a job of this lane to claim.
    look: [bool; Lane::ALL.len()],
    is_stopping: bool,
}

/// After so much work a thread lets those that answer requests go first. Not after each piece: on a busy machine it
/// comes back late, and a small job has a dozen of chunks that take no time.
const YIELD_AFTER: Duration = Duration::from_micros(500);

impl<S: Store> Pool<S> {
    /// Starts so many threads that run pieces, and where there are any, those that prepare jobs.
    ///
    /// # Errors
    /// Where the system refuses a thread.
    pub(super) fn start(store: Arc<S>, runners: Runners, threads: usize) -> io::Result<Arc<Self>> {
        let workers = (0..threads).map(|index| (format!("job-{index}"), None));
        let preparers = Lane::ALL.map(|lane| (format!("prepare-{}", lane.name()), Some(lane)));
        let lives: Vec<_> = workers.chain(preparers.into_iter().filter(|_| threads > 0)).collect();
        let pool = Arc::new(Self {
            store,
            runners,
            state: Mutex::new(State { look: [true; Lane::ALL.len()], ..State::default() }),
            changed: Condvar::new(),
            threads: watch::Sender::new(lives.len()),
        });
        for (name, lane) in lives {
            let own = Arc::clone(&pool);
            let body = move || {
                match lane {
                    Some(lane) => own.claim(lane),
                    None => own.work(),
                }
                own.threads.send_modify(|threads| *threads -= 1);
            };
            if let Err(error) = thread::Builder::new().name(name).spawn(body) {
                pool.stop();
                return Err(error);
            }
        }
        Ok(pool)
    }

    /// Lets the threads look at the store and at the tokens again.
    pub(super) fn wake(&self) {
        self.lock().look = [true; Lane::ALL.len()];
        self.changed.notify_all();
    }

    /// Ends the jobs that are to end and have no piece in work, on the caller's thread: all threads may be busy with
    /// other jobs. It renders their results.
    pub(super) fn end_cancelled_blocking(&self) {
        loop {
            let Some(job) = self.lock().turns.take_ended() else { return };
            self.end(job);
        }
    }

    /// Lets each thread end once no job is in work.
    pub(super) fn stop(&self) {
        self.lock().is_stopping = true;
        self.changed.notify_all();
    }

    /// A receiver of the number of threads that have not ended yet.
    pub(super) fn watch_threads(&self) -> watch::Receiver<usize> {
        self.threads.subscribe()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The life of the thread that prepares the jobs of a lane.
    fn claim(&self, lane: Lane) {
        let mut state = self.lock();
        while !state.is_stopping {
            state = if std::mem::take(&mut state.look[lane as usize]) {
                drop(state);
                self.claim_one(lane);
                self.lock()
            } else {
                self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
            };
        }
        drop(state);
        // The other threads may be gone already, and what was prepared meanwhile is to be ended.
        self.end_cancelled_blocking();
    }

    /// Claims a job of a lane from the store, if there is one, and prepares it.
    fn claim_one(&self, lane: Lane) {
        if let Some(claim) = self.store.claim(lane) {
            // There may be more.
            self.lock().look[lane as usize] = true;
            self.prepare(lane, claim);
        }
    }

    /// The life of a thread that runs pieces.
    fn work(&self) {
        let mut worked = Duration::ZERO;
        let mut state = self.lock();
        loop {
            state = match state.turns.pick() {
                Some(task) => {
                    drop(state);
                    worked += self.run(task);
                    if worked >= YIELD_AFTER {
                        worked = Duration::ZERO;
                        thread::yield_now();
                    }
                    self.lock()
                }
                None if state.is_stopping && state.turns.is_empty() => return,
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Does a task, and says how long that took.
    fn run(&self, task: Task) -> Duration {
        let started = Instant::now();
        match task {
            Task::End(job) => self.end(job),
            Task::Piece { number, running, piece, turn } => self.run_piece(number, running, piece, turn),
        }
        started.elapsed()
    }

    fn prepare(&self, lane: Lane, claim: Claim) {
        let Claim { id, number, kind, request, seed, token } = claim;
        let prepared = catch_unwind(AssertUnwindSafe(|| match self.runners.get(kind) {
            Some(runner) => runner
                .prepare(&request, seed)
                .map(|work| Active::new(id, number, kind, lane, token, Arc::new(Running::new(work)))),
            None => {
                tracing::error!(kind, "no runner is registered for this kind of job");
                Err(Failure::internal())
            }
        }));
        let failure = match prepared {
            Ok(Ok(job)) => {
                if self.store.attach(id, job.running.clone()) {
                    self.lock().turns.admit(job);
                    self.changed.notify_all();
                }
                return;
            }
            Ok(Err(failure)) => failure,
            Err(_) => panicked(kind, number),
        };
        self.finish(id, Outcome { ending: Ending::Failed(failure), done: 0, steps: 0, result: None });
    }

    fn run_piece(&self, number: u64, running: Arc<Running>, piece: Piece, turn: Turn) {
        let started = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| match piece {
            Piece::Chunk(chunk) => {
                let units = running.work.run_chunk(chunk);
                running.done.fetch_add(units, Ordering::Relaxed);
            }
            Piece::Part(part) => running.work.run_part(part),
        }));
        let took = started.elapsed();
        // Whoever ends the job lets its work go.
        drop(running);
        if self.lock().turns.returned(number, piece, turn, took, outcome.is_err()) {
            self.changed.notify_all();
        }
    }

    fn end(&self, job: Active) {
        let work = &job.running.work;
        let is_complete = job.is_complete();
        let is_deleted = job.token.get() == Some(CancelReason::Deleted);
        let rendered = if job.has_panicked() || is_deleted {
            // Nobody will see a result.
            Ok(None)
        } else {
            catch_unwind(AssertUnwindSafe(|| if is_complete { work.result() } else { work.result_so_far() }))
        };
        let (ending, result) = match (rendered, job.token.get()) {
            (Ok(result), _) if is_complete => (Ending::Succeeded, result),
            (Ok(result), Some(reason)) if !job.has_panicked() => (Ending::Cancelled(reason), result),
            _ => (Ending::Failed(panicked(job.kind, job.number)), None),
        };
        let (done, steps) = (job.running.done(), work.steps());
        let id = job.id;
        // Its place is free only once its memory is.
        drop(job);
        self.finish(id, Outcome { ending, done, steps, result });
    }

    /// Ends a job in the store, where its place is free now.
    fn finish(&self, id: JobId, outcome: Outcome) {
        self.store.finish(id, outcome);
        self.wake();
    }
}

/// The panic itself has been reported by the panic hook; its message is not for the caller.
fn panicked(kind: &'static str, number: u64) -> Failure {
    tracing::error!(kind, number, "the runner of a job panicked");
    Failure::internal()
}
