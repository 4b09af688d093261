//! The threads that run jobs.
//!
//! Worker threads take tasks from the [`RunQueue`]. One more thread per class claims jobs from the store and prepares them,
//! so that a long preparation delays no other class and no chunk; the thread of the class that runs one job at a time
//! also runs it. A thread without a task sleeps until there is one; only those that claim jobs poll, if the store asks
//! for it.

#[cfg(test)]
mod interleavings;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use tokio::sync::watch;

use super::class::QueueClass;
use super::id::JobId;
use super::live::{ClaimedJobs, Live};
use super::record::{CancelReason, Ending, Failure, Outcome};
use super::run_queue::{Active, RunQueue, Task};
use super::store::{Claim, Store};
use super::work::{Prepared, Runners};

/// What the threads share.
pub(super) struct Pool<S> {
    store: Arc<S>,
    runners: Runners,
    pub(super) claimed: ClaimedJobs,
    state: Mutex<State>,
    /// There may be something to do.
    changed: Condvar,
    threads: watch::Sender<usize>,
}

#[derive(Default)]
struct State {
    queue: RunQueue,
    /// Work of queued jobs that is prepared already.
    prepared: VecDeque<(JobId, Prepared)>,
    /// Outcomes that the store does not have yet.
    ended: VecDeque<(JobId, Outcome)>,
    /// By class, whether the store may have a job to claim.
    look: [bool; QueueClass::ALL.len()],
    is_stopping: bool,
}

/// Queued jobs whose prepared work is held. That of further ones is prepared again when they run: queued jobs must not
/// need the memory of running ones.
const PREPARED_AT_MOST: usize = 8;

/// After this much work a thread yields to those that answer requests. Not after each chunk: on a busy machine it returns
/// late, and a small job has a dozen chunks.
const YIELD_AFTER: Duration = Duration::from_micros(500);

impl<S: Store> Pool<S> {
    /// Starts worker threads, and if there are any, those that claim jobs.
    ///
    /// # Errors
    /// When the system starts no thread.
    pub(super) fn start(store: Arc<S>, runners: Runners, threads: usize) -> io::Result<Arc<Self>> {
        let workers = (0..threads).map(|index| (format!("job-{index}"), None));
        let claimers = QueueClass::ALL.map(|class| (format!("jobs-{}", class.name()), Some(class)));
        let all: Vec<_> = workers.chain(claimers.into_iter().filter(|_| threads > 0)).collect();
        let pool = Arc::new(Self {
            store,
            runners,
            claimed: ClaimedJobs::default(),
            state: Mutex::new(State { look: [true; QueueClass::ALL.len()], ..State::default() }),
            changed: Condvar::new(),
            threads: watch::Sender::new(all.len()),
        });
        for (name, class) in all {
            let own = Arc::clone(&pool);
            let body = move || {
                match class {
                    Some(class) => own.claim(class),
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

    /// Lets the threads look at the store and at the tokens again. A cancelled job that is being prepared ends here.
    pub(super) fn wake(&self) {
        let unprepared = self.claimed.take_unprepared();
        let mut state = self.lock();
        state.ended.extend(unprepared);
        let has_ended = !state.ended.is_empty();
        state.look = [true; QueueClass::ALL.len()];
        drop(state);
        if has_ended {
            self.hand_in();
        }
        self.changed.notify_all();
    }

    /// Gives the store the outcomes of ended jobs, as far as it is available.
    fn hand_in(&self) {
        loop {
            let Some((id, outcome)) = self.lock().ended.pop_front() else { return };
            if self.store.finish(id, &outcome).is_err() {
                self.lock().ended.push_front((id, outcome));
                return;
            }
            self.claimed.remove(id);
            // A permit is free.
            self.lock().look = [true; QueueClass::ALL.len()];
        }
    }

    /// Holds the prepared work of a job that is about to be submitted.
    pub(super) fn hold(&self, id: JobId, prepared: Prepared) {
        let mut state = self.lock();
        state.prepared.push_back((id, prepared));
        if state.prepared.len() > PREPARED_AT_MOST {
            state.prepared.pop_front();
        }
    }

    /// Takes the prepared work of a job, if it is held.
    pub(super) fn take_prepared(&self, id: JobId) -> Option<Prepared> {
        let mut state = self.lock();
        let place = state.prepared.iter().position(|(held, _)| *held == id)?;
        state.prepared.remove(place).map(|(_, prepared)| prepared)
    }

    /// Ends each thread once no job runs.
    pub(super) fn stop(&self) {
        self.lock().is_stopping = true;
        self.wake();
    }

    /// A receiver of the number of threads that have not ended yet.
    pub(super) fn watch_threads(&self) -> watch::Receiver<usize> {
        self.threads.subscribe()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The loop of the thread that claims jobs of a class.
    fn claim(&self, class: QueueClass) {
        loop {
            let mut state = self.lock();
            if state.is_stopping {
                break;
            }
            if std::mem::take(&mut state.look[class as usize]) {
                drop(state);
                self.claim_one(class);
            } else if let Some(poll) = S::POLL {
                let waited = self.changed.wait_timeout(state, poll).unwrap_or_else(PoisonError::into_inner);
                let is_time = waited.1.timed_out();
                drop(waited);
                if is_time {
                    self.wake();
                }
            } else {
                drop(self.changed.wait(state).unwrap_or_else(PoisonError::into_inner));
            }
        }
        self.end_cancelled();
    }

    /// Ends the jobs that are to end, also when all threads are inside chunks of others, or gone. It renders their results.
    pub(super) fn end_cancelled(&self) {
        loop {
            let Some(job) = self.lock().queue.take_ended(Instant::now()) else { return };
            self.end(job);
        }
    }

    /// Claims a job of a class, if there is one, and prepares it.
    fn claim_one(&self, class: QueueClass) {
        let Some(claim) = self.store.claim(class) else { return };
        // There may be more.
        self.lock().look[class as usize] = true;
        let id = claim.record.id;
        self.claimed.insert(id, claim.token.clone());
        if claim.token.get().is_some() {
            // It was cancelled before this process knew that it holds it.
            self.wake();
        }
        match self.prepare(&claim) {
            Ok(live) => {
                if self.claimed.attach(id, Arc::clone(&live)) {
                    let job = Active::new(claim, live, Instant::now());
                    if class == QueueClass::Alone {
                        self.run_alone(job);
                    } else {
                        self.lock().queue.push(job);
                        self.changed.notify_all();
                    }
                }
            }
            Err(failure) => {
                let outcome = Outcome { ending: Ending::Failed(failure), done: 0, steps: 0, result: None };
                self.finish(id, outcome);
            }
        }
    }

    fn prepare(&self, claim: &Claim) -> Result<Arc<Live>, Failure> {
        let record = &claim.record;
        let prepare = || match (self.take_prepared(record.id), self.runners.get(&*record.kind)) {
            (Some(prepared), _) => Ok(prepared()),
            (None, Some(runner)) => runner.prepare(&record.request, record.seed),
            (None, None) => {
                tracing::error!(kind = &*record.kind, "no runner is registered for this kind of job");
                Err(Failure::internal())
            }
        };
        let work = catch_unwind(AssertUnwindSafe(prepare)).unwrap_or_else(|_| Err(panicked(claim)))?;
        Ok(Arc::new(Live::new(work)))
    }

    /// Runs a job on this thread, one chunk after the other.
    fn run_alone(&self, mut job: Active) {
        while let Some(chunk) = job.take(Instant::now()) {
            let (took, has_panicked) = run(&job.live, chunk);
            job.returned(took, has_panicked);
        }
        self.end(job);
    }

    /// The loop of a worker thread.
    fn work(&self) {
        let mut worked = Duration::ZERO;
        let mut state = self.lock();
        loop {
            state = match state.queue.pick(Instant::now()) {
                Some(task) => {
                    drop(state);
                    worked += self.run(task);
                    if worked >= YIELD_AFTER {
                        worked = Duration::ZERO;
                        thread::yield_now();
                    }
                    self.lock()
                }
                None if state.is_stopping && state.queue.is_empty() => return,
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Does a task and returns the time it took.
    fn run(&self, task: Task) -> Duration {
        match task {
            Task::End(job) => {
                self.end(job);
                Duration::ZERO
            }
            Task::Chunk { number, live, chunk, turn } => {
                let (took, has_panicked) = run(&live, chunk);
                // Whoever ends the job drops its work.
                drop(live);
                self.lock().queue.returned(number, turn, took, has_panicked);
                took
            }
        }
    }

    fn end(&self, job: Active) {
        let (live, reason) = (&job.live, job.claim.token.get());
        let rendered = if job.has_panicked || reason == Some(CancelReason::Deleted) {
            // Nobody will see a result.
            Ok(None)
        } else {
            catch_unwind(AssertUnwindSafe(|| live.work.result_so_far()))
        };
        let (ending, result) = match (rendered, reason) {
            (Ok(result), _) if job.is_complete() => (Ending::Succeeded, result),
            (Ok(result), Some(reason)) if !job.has_panicked => (Ending::Cancelled(reason), result),
            _ => (Ending::Failed(panicked(&job.claim)), None),
        };
        let outcome = Outcome { ending, done: live.done(), steps: live.work.steps(), result };
        let id = job.claim.record.id;
        self.claimed.end(id, live.started, &outcome);
        // The permit is free only once the memory is.
        drop(job);
        self.finish(id, outcome);
    }

    fn finish(&self, id: JobId, outcome: Outcome) {
        self.lock().ended.push_back((id, outcome));
        self.wake();
    }
}

/// Runs a chunk; the time it took, and whether it panicked.
fn run(live: &Live, chunk: u64) -> (Duration, bool) {
    let started = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| live.run_chunk(chunk)));
    (started.elapsed(), outcome.is_err())
}

/// The panic hook has reported the panic itself; its message is not for the caller.
fn panicked(claim: &Claim) -> Failure {
    tracing::error!(kind = &*claim.record.kind, number = claim.record.number, "the runner of a job panicked");
    Failure::internal()
}
