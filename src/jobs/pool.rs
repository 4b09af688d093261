//! The threads that run jobs.
//!
//! A thread that is free takes the next task: end a job that is through, or run a chunk of the job that has had the
//! least time so far, a job that has just begun before all others. So a small job is soon done however large and many
//! the others are, and a job that is alone gets all threads. However many small ones come, the others keep a third of the
//! time. One more thread for each lane claims jobs from the store and
//! prepares them, so that a long preparation holds up no chunk and no short job. Nothing polls: a thread without a task
//! sleeps until there is one.

#[cfg(test)]
mod interleavings;
mod live;

use std::cmp::Reverse;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use tokio::sync::watch;

use super::id::JobId;
use super::job::{CancelReason, Ending, Failure, Live, Outcome};
use super::lane::{HEAD_START, Lane};
use super::store::{CancelToken, Claim, Store};
use super::work::Runners;
use live::Running;

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
    active: Vec<Active>,
    /// The store may have a job of this lane to claim.
    look: [bool; Lane::ALL.len()],
    /// Time that head starts have had while others waited, less twice what those have had since.
    lead: Duration,
    is_stopping: bool,
}

/// After so much work a thread lets those that answer requests go first. Not after each chunk: on a busy machine it
/// comes back late, and a small job has a dozen of chunks that take no time.
const YIELD_AFTER: Duration = Duration::from_micros(500);

/// A job in work.
struct Active {
    id: JobId,
    number: u64,
    kind: &'static str,
    token: CancelToken,
    running: Arc<Running>,
    /// The next chunk to be handed out.
    next: u64,
    chunks: u64,
    barriers: Vec<u64>,
    in_flight: u32,
    /// Time of threads that it has had.
    own: Duration,
    /// The same and as much as the least served job had when it came.
    used: Duration,
    /// Time that its last chunk took, as a guess at those in flight.
    last: Duration,
    has_panicked: bool,
}

/// What a thread does next.
enum Task {
    /// Ends a job of which no chunk runs or is to run.
    End(Active),
    /// Runs one chunk.
    Chunk { number: u64, running: Arc<Running>, chunk: u64, turn: Turn },
}

/// By what right a chunk was chosen.
#[derive(Clone, Copy)]
enum Turn {
    /// Its job has just begun, and others waited.
    Ahead,
    /// Its job has just begun; nobody waited.
    First,
    /// Its job has had its head start and the least time.
    Later,
}

impl Active {
    fn is_to_end(&self) -> bool {
        let no_more = self.next == self.chunks || self.has_panicked || self.token.get().is_some();
        no_more && self.in_flight == 0
    }

    fn has_chunk(&self) -> bool {
        self.next < self.chunks
            && !self.has_panicked
            && self.token.get().is_none()
            && (self.in_flight == 0 || !self.is_at_barrier())
    }

    fn is_at_barrier(&self) -> bool {
        self.barriers.binary_search(&self.next).is_ok()
    }

    /// What its chunks in work may take.
    fn pending(&self) -> Duration {
        self.last * self.in_flight
    }

    fn has_had_head_start(&self) -> bool {
        self.own + self.pending() >= HEAD_START
    }

    /// By this the next job is chosen: the least goes first, of equal ones the newest.
    fn turn(&self) -> (bool, Duration, Reverse<u64>) {
        (self.has_had_head_start(), self.used + self.pending(), Reverse(self.number))
    }
}

impl State {
    fn pick(&mut self) -> Option<Task> {
        if let Some(place) = self.active.iter().position(Active::is_to_end) {
            return Some(Task::End(self.active.remove(place)));
        }
        let others_wait = self.active.iter().any(|job| job.has_chunk() && job.has_had_head_start());
        let others_turn = others_wait && self.lead >= HEAD_START;
        let may_go = |job: &&mut Active| job.has_chunk() && (job.has_had_head_start() || !others_turn);
        let job = self.active.iter_mut().filter(may_go).min_by_key(|job| job.turn())?;
        let turn = match (job.has_had_head_start(), others_wait) {
            (true, _) => Turn::Later,
            (false, true) => Turn::Ahead,
            (false, false) => Turn::First,
        };
        let chunk = job.next;
        job.next += 1;
        job.in_flight += 1;
        Some(Task::Chunk { number: job.number, running: Arc::clone(&job.running), chunk, turn })
    }
}

impl<S: Store> Pool<S> {
    /// Starts so many threads that run chunks, and where there are any, those that prepare jobs.
    ///
    /// # Errors
    /// Where the system refuses a thread.
    pub(super) fn start(store: Arc<S>, runners: Runners, threads: usize) -> io::Result<Arc<Self>> {
        let workers = (0..threads).map(|index| (format!("job-{index}"), None));
        let preparers = Lane::ALL.map(|lane| (lane.name().to_owned(), Some(lane)));
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

    /// Ends the jobs that are to end and have no chunk in work, on the caller's thread: all threads may be busy with
    /// other jobs. It renders their results.
    pub(super) fn end_cancelled_blocking(&self) {
        loop {
            let mut state = self.lock();
            let Some(place) = state.active.iter().position(Active::is_to_end) else { return };
            let job = state.active.remove(place);
            drop(state);
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
            self.prepare(claim);
        }
    }

    /// The life of a thread that runs chunks.
    fn work(&self) {
        let mut worked = Duration::ZERO;
        let mut state = self.lock();
        loop {
            state = match state.pick() {
                Some(task) => {
                    drop(state);
                    worked += self.run(task);
                    if worked >= YIELD_AFTER {
                        worked = Duration::ZERO;
                        thread::yield_now();
                    }
                    self.lock()
                }
                None if state.is_stopping && state.active.is_empty() => return,
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Does a task, and says how long that took.
    fn run(&self, task: Task) -> Duration {
        let started = Instant::now();
        match task {
            Task::End(job) => self.end(job),
            Task::Chunk { number, running, chunk, turn } => self.run_chunk(number, running, chunk, turn),
        }
        started.elapsed()
    }

    fn prepare(&self, claim: Claim) {
        let Claim { id, number, kind, request, seed, token } = claim;
        let prepared = catch_unwind(AssertUnwindSafe(|| match self.runners.get(kind) {
            Some(runner) => runner.prepare(&request, seed).map(|work| (work.chunks(), work.barriers(), work)),
            None => {
                tracing::error!(kind, "no runner is registered for this kind of job");
                Err(Failure::internal())
            }
        }));
        let failure = match prepared {
            Ok(Ok((chunks, barriers, work))) => {
                let running = Arc::new(Running::new(work));
                if self.store.attach(id, running.clone()) {
                    let mut state = self.lock();
                    let used = state.active.iter().map(|job| job.used).min().unwrap_or_default();
                    state.active.push(Active {
                        id,
                        number,
                        kind,
                        token,
                        running,
                        next: 0,
                        chunks,
                        barriers,
                        in_flight: 0,
                        own: Duration::ZERO,
                        used,
                        last: Duration::ZERO,
                        has_panicked: false,
                    });
                    drop(state);
                    self.changed.notify_all();
                }
                return;
            }
            Ok(Err(failure)) => failure,
            Err(_) => panicked(kind, number),
        };
        self.finish(id, Outcome { ending: Ending::Failed(failure), done: 0, steps: 0, result: None });
    }

    fn run_chunk(&self, number: u64, running: Arc<Running>, chunk: u64, turn: Turn) {
        let started = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let units = running.work.run_chunk(chunk);
            running.done.fetch_add(units, Ordering::Relaxed);
        }));
        let took = started.elapsed();
        // Whoever ends the job lets its work go.
        drop(running);
        let mut state = self.lock();
        match turn {
            Turn::Ahead => state.lead += took,
            Turn::First => {}
            Turn::Later => state.lead = state.lead.saturating_sub(2 * took),
        }
        if let Some(job) = state.active.iter_mut().find(|job| job.number == number) {
            job.in_flight -= 1;
            job.own += took;
            job.used += took;
            job.last = took;
            job.has_panicked |= outcome.is_err();
            if job.in_flight == 0 && job.is_at_barrier() {
                // What waited is for all threads.
                self.changed.notify_all();
            }
        }
    }

    fn end(&self, job: Active) {
        let work = &job.running.work;
        let is_complete = job.next == job.chunks && !job.has_panicked;
        let is_deleted = job.token.get() == Some(CancelReason::Deleted);
        let rendered = if job.has_panicked || is_deleted {
            // Nobody will see a result.
            Ok(None)
        } else {
            catch_unwind(AssertUnwindSafe(|| if is_complete { work.result() } else { work.result_so_far() }))
        };
        let (ending, result) = match (rendered, job.token.get()) {
            (Ok(result), _) if is_complete => (Ending::Succeeded, result),
            (Ok(result), Some(reason)) if !job.has_panicked => (Ending::Cancelled(reason), result),
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
