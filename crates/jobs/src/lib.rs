#![doc = include_str!("../README.md")]

mod class;
mod events;
mod id;
mod json;
mod live;
mod memory;
mod pool;
mod record;
mod run_queue;
mod store;
mod work;

use std::io;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::time::timeout;

pub use class::QueueClass;
pub use events::{Event, Events};
pub use id::{ClientKey, Cursor, IdempotencyKey, JobId, Malformed};
pub use json::Json;
pub use live::Live;
pub use memory::{Clock, Limits, MemoryStore};
pub use record::{
    CancelReason, Ending, Failure, Idempotency, Job, NewJob, Outcome, Progress, Record, Status,
};
pub use store::{
    CancelToken, Claim, Counts, FindError, ListQuery, Page, Store, SubmitError, Submitted, Unavailable,
};
pub use work::{Prepared, Runner, Runners, Work};

use live::Followed;
use pool::Pool;

/// The jobs of a service: a store, and the threads that run what is in it. Dropping it stops them.
pub struct Jobs<S: Store = MemoryStore> {
    store: Arc<S>,
    pool: Arc<Pool<S>>,
}

/// The number of threads that leaves one core to requests; at least one.
#[must_use]
pub fn default_threads() -> usize {
    available_parallelism().map_or(1, |cores| (cores.get() - 1).max(1))
}

/// A cancelled job has ended by then, unless a chunk takes far too long.
const CANCELLED_WITHIN: Duration = Duration::from_secs(1);

impl<S: Store> Jobs<S> {
    /// Starts worker threads on the jobs of a store, and one more thread per class, which prepares its jobs.
    ///
    /// # Errors
    /// When the system starts no thread.
    pub fn start(store: S, runners: Runners, threads: usize) -> io::Result<Self> {
        let store = Arc::new(store);
        let pool = Pool::start(Arc::clone(&store), runners, threads)?;
        Ok(Self { store, pool })
    }

    /// Puts a job into its queue, or finds the job that the same client started with the same key and request.
    ///
    /// # Errors
    /// When the job is rejected, or the store is unavailable.
    pub async fn submit(&self, new: NewJob) -> Result<Submitted, SubmitError> {
        self.submit_as(JobId::random(), new).await
    }

    /// The same for a job that is prepared already. If it has to wait behind many others, its runner prepares it again.
    ///
    /// # Errors
    /// When the job is rejected, or the store is unavailable.
    pub async fn submit_prepared(&self, new: NewJob, prepared: Prepared) -> Result<Submitted, SubmitError> {
        let id = JobId::random();
        self.pool.hold(id, prepared);
        let submitted = self.submit_as(id, new).await;
        if !submitted.as_ref().is_ok_and(|submitted| submitted.is_new) {
            self.pool.take_prepared(id);
        }
        submitted
    }

    async fn submit_as(&self, id: JobId, new: NewJob) -> Result<Submitted, SubmitError> {
        let kind = new.kind;
        let Submitted { job: record, is_new } = self.store.submit(id, new).await?;
        self.pool.wake();
        if record.status() == Status::Running
            && let Ok(job) = self.find(kind, record.id).await
        {
            return Ok(Submitted { job, is_new });
        }
        Ok(Submitted { job: Job::new(record, None), is_new })
    }

    /// A job as it is now.
    ///
    /// # Errors
    /// When there is no such job of this kind, or the store is unavailable.
    pub async fn find(&self, kind: &'static str, id: JobId) -> Result<Job, FindError> {
        Ok(rendered(self.follow(kind, id).await?.job()).await)
    }

    /// A job as soon as it has finished, or as it is after `limit`.
    ///
    /// # Errors
    /// When there is no such job of this kind, or the store is unavailable.
    pub async fn wait_finished(
        &self,
        kind: &'static str,
        id: JobId,
        limit: Duration,
    ) -> Result<Job, FindError> {
        Ok(finished(self.follow(kind, id).await?, limit).await)
    }

    /// The events of a job, for a listener that has seen the event with the number `last`, if any.
    ///
    /// # Errors
    /// When there is no such job of this kind, or the store is unavailable.
    pub async fn subscribe(
        &self,
        kind: &'static str,
        id: JobId,
        last: Option<u64>,
    ) -> Result<Events, FindError> {
        Ok(Events::new(self.follow(kind, id).await?, last))
    }

    /// Stops a job, which keeps what was done, and returns it as it has ended. A finished job stays as it is.
    ///
    /// # Errors
    /// When there is no such job of this kind, or the store is unavailable.
    pub async fn cancel(&self, kind: &'static str, id: JobId) -> Result<Job, FindError> {
        let job = self.follow(kind, id).await?;
        self.store.cancel(kind, id).await?;
        self.pool.take_prepared(id);
        self.pool.wake();
        Ok(finished(job, CANCELLED_WITHIN).await)
    }

    /// Stops a job and forgets it.
    ///
    /// # Errors
    /// When there is no such job of this kind, or the store is unavailable.
    pub async fn delete(&self, kind: &'static str, id: JobId) -> Result<(), FindError> {
        self.store.delete(kind, id).await?;
        self.pool.take_prepared(id);
        self.pool.wake();
        Ok(())
    }

    /// The jobs of a kind, newest first.
    ///
    /// # Errors
    /// When the store is unavailable.
    pub async fn list(&self, kind: &'static str, query: ListQuery) -> Result<Page, Unavailable> {
        // Work is read before its record.
        let mut live = self.pool.claimed.all_live();
        let Page { jobs: records, next } = self.store.list(kind, query).await?;
        let mut jobs = Vec::with_capacity(records.len());
        for record in records {
            let live = live.remove(&record.id);
            jobs.push(rendered(Job::new(record, live)).await);
        }
        Ok(Page { jobs, next })
    }

    async fn follow(&self, kind: &'static str, id: JobId) -> Result<Followed, FindError> {
        Ok(Followed { record: self.store.find(kind, id).await?, claimed: self.pool.claimed.clone() })
    }

    /// The number of jobs.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.store.counts()
    }

    /// Rejects further jobs and stops those that wait and run; listeners and waiting requests see it. Threads end after
    /// the chunk they are in.
    pub fn shut_down(&self) {
        self.store.shut_down();
        self.pool.stop();
    }

    /// Waits until every thread has ended after [`Self::shut_down`]; false when that takes longer than `limit`.
    pub async fn join(&self, limit: Duration) -> bool {
        let mut threads = self.pool.watch_threads();
        timeout(limit, threads.wait_for(|&threads| threads == 0)).await.is_ok()
    }
}

/// The job as soon as it has finished, or as it is after `limit`.
async fn finished(mut job: Followed, limit: Duration) -> Job {
    // In time or not, the job is shown as it is.
    let _ = timeout(limit, job.finished()).await;
    rendered(job.job()).await
}

/// The job, its result rendered off the asynchronous workers if the one at hand is too old.
async fn rendered(job: Job) -> Job {
    if let Some(live) = job.live.clone().filter(|live| !live.is_fresh()) {
        // It fails only if rendering panics, which then fails the job, or if the runtime shuts down.
        let _ = tokio::task::spawn_blocking(move || live.result_so_far()).await;
    }
    job
}

impl<S: Store> Drop for Jobs<S> {
    fn drop(&mut self) {
        self.shut_down();
    }
}
