//! The jobs that this process runs.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::id::JobId;
use super::json::Json;
use super::record::{Job, Outcome, Record};
use super::store::CancelToken;
use super::work::Work;

/// How long a rendered result is shown before it is rendered again.
const FRESH: Duration = Duration::from_millis(100);

/// The work of a job that this process runs. It is not part of the job's [`super::Record`].
pub struct Live {
    pub(super) work: Arc<dyn Work>,
    pub(super) started: Instant,
    done: AtomicU64,
    rendered: Mutex<Option<(Json, Instant)>>,
}

impl Live {
    /// Takes work that is about to run.
    #[must_use]
    pub fn new(work: Arc<dyn Work>) -> Self {
        Self { work, started: Instant::now(), done: AtomicU64::new(0), rendered: Mutex::default() }
    }

    /// The units of work done. It never falls.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Runs a chunk and counts what it did.
    pub(super) fn run_chunk(&self, chunk: u64) {
        self.done.fetch_add(self.work.run_chunk(chunk), Ordering::Relaxed);
    }

    /// The result so far, or one rendered a moment ago. It may render, so call it off the asynchronous workers unless
    /// [`Self::is_fresh`].
    #[must_use]
    pub fn result_so_far(&self) -> Option<Json> {
        let mut rendered = self.rendered();
        if let Some(result) = fresh(&rendered) {
            return Some(result);
        }
        let at = Instant::now();
        let result = self.work.result_so_far()?;
        *rendered = Some((result.clone(), at));
        Some(result)
    }

    /// Whether [`Self::result_so_far`] has a result at hand. Waiting for another thread that renders one blocks.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.rendered.try_lock().is_ok_and(|rendered| fresh(&rendered).is_some())
    }

    fn rendered(&self) -> MutexGuard<'_, Option<(Json, Instant)>> {
        self.rendered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Work that has been dropped, until the store has its outcome.
struct Ended(Outcome);

impl Work for Ended {
    fn chunks(&self) -> u64 {
        0
    }

    fn run_chunk(&self, _chunk: u64) -> u64 {
        0
    }

    fn steps(&self) -> u64 {
        self.0.steps
    }

    fn result_so_far(&self) -> Option<Json> {
        self.0.result.clone()
    }
}

/// The jobs that this process has claimed and whose outcome the store does not have yet: each with its token, and with its
/// work once that is prepared. A clone shares them.
#[derive(Clone, Default)]
pub(super) struct ClaimedJobs(Arc<Mutex<HashMap<JobId, ClaimedJob>>>);

struct ClaimedJob {
    token: CancelToken,
    live: Option<Arc<Live>>,
}

impl ClaimedJobs {
    pub(super) fn insert(&self, id: JobId, token: CancelToken) {
        self.lock().insert(id, ClaimedJob { token, live: None });
    }

    /// Shows the work of a job. False if the job has ended meanwhile.
    pub(super) fn attach(&self, id: JobId, live: Arc<Live>) -> bool {
        let mut jobs = self.lock();
        let Some(job) = jobs.get_mut(&id) else { return false };
        let old = job.live.replace(live);
        // Dropping work may take long.
        drop(jobs);
        drop(old);
        true
    }

    /// Shows an outcome in place of the work, so that the work can be dropped before the store has the outcome.
    pub(super) fn end(&self, id: JobId, started: Instant, outcome: &Outcome) {
        let live = Live {
            started,
            done: AtomicU64::new(outcome.done),
            ..Live::new(Arc::new(Ended(outcome.clone())))
        };
        self.attach(id, Arc::new(live));
    }

    pub(super) fn remove(&self, id: JobId) {
        self.lock().remove(&id);
    }

    /// Removes the jobs that are to stop and whose work is not prepared yet, and returns their outcomes.
    pub(super) fn take_unprepared(&self) -> Vec<(JobId, Outcome)> {
        let mut jobs = self.lock();
        let ended = jobs.iter().filter(|(_, job)| job.live.is_none());
        let ended: Vec<_> =
            ended.filter_map(|(&id, job)| Some((id, Outcome::cancelled(job.token.get()?)))).collect();
        for (id, _) in &ended {
            jobs.remove(id);
        }
        ended
    }

    /// The work of a job. Read it before the record: work goes only when the record has its outcome.
    pub(super) fn live(&self, id: JobId) -> Option<Arc<Live>> {
        self.lock().get(&id)?.live.clone()
    }

    /// The work of all jobs that have any.
    pub(super) fn all_live(&self) -> HashMap<JobId, Arc<Live>> {
        self.lock().iter().filter_map(|(&id, job)| Some((id, job.live.clone()?))).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<JobId, ClaimedJob>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A job that is followed: its record wherever it is kept, and its work if this process runs it.
pub(super) struct Followed {
    pub(super) record: watch::Receiver<Arc<Record>>,
    pub(super) claimed: ClaimedJobs,
}

impl Followed {
    /// The job as it is now.
    pub(super) fn job(&self) -> Job {
        let id = self.record.borrow().id;
        let live = self.claimed.live(id);
        Job::new(Arc::clone(&self.record.borrow()), live)
    }

    /// Returns when the job has finished or its record is no longer kept.
    pub(super) async fn finished(&mut self) {
        // An error means that the record is no longer kept.
        let _ = self.record.wait_for(|record| record.is_finished()).await;
    }
}

/// The rendered result, unless it is too old. Chunks may change the result and count nothing as done, so only age tells.
fn fresh(rendered: &Option<(Json, Instant)>) -> Option<Json> {
    rendered.as_ref().filter(|(_, at)| at.elapsed() < FRESH).map(|(result, _)| result.clone())
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Its only chunk changes the result and counts nothing as done.
    #[derive(Default)]
    struct Silent(AtomicU64);

    impl Work for Silent {
        fn chunks(&self) -> u64 {
            1
        }

        fn run_chunk(&self, _chunk: u64) -> u64 {
            self.0.fetch_add(1, Ordering::Relaxed);
            0
        }

        fn result_so_far(&self) -> Option<Json> {
            Json::of(&self.0).ok()
        }
    }

    #[test]
    fn result_changes_also_when_nothing_counts_as_done() {
        let live = Live::new(Arc::new(Silent::default()));
        assert_eq!(live.result_so_far().unwrap().as_str(), "0");
        live.run_chunk(0);
        thread::sleep(FRESH);
        assert!(!live.is_fresh());
        assert_eq!(live.result_so_far().unwrap().as_str(), "1");
    }
}
