//! Jobs: work that takes longer than a request. A store keeps them, a pool of threads runs them, and neither knows what
//! they compute.
//!
//! A kind of job is a [`Runner`], which turns an opaque request and a seed into [`Work`] that is cut into chunks
//! and, where something must be done in order, parts.
//! [`Jobs`] is what handlers call.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicU64, Ordering};
//! use std::time::Duration;
//! use kibitz::jobs::{Failure, Jobs, Json, Lane, Limits, MemoryStore, NewJob, Runner, Runners, Status, Work};
//!
//! /// Adds the numbers below its request.
//! struct Adder;
//! struct Sum { below: u64, sum: AtomicU64 }
//!
//! impl Runner for Adder {
//!     fn prepare(&self, request: &Json, _seed: u64) -> Result<Arc<dyn Work>, Failure> {
//!         let below = request.read().map_err(|_| Failure::internal())?;
//!         Ok(Arc::new(Sum { below, sum: AtomicU64::new(0) }))
//!     }
//! }
//! impl Work for Sum {
//!     fn chunks(&self) -> u64 { self.below }
//!     fn run_chunk(&self, chunk: u64) -> u64 { self.sum.fetch_add(chunk, Ordering::Relaxed); 1 }
//!     fn result_so_far(&self) -> Option<Json> { Json::of(&self.sum).ok() }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let runners = Runners::from([("sum", Arc::new(Adder) as Arc<dyn Runner>)]);
//! let jobs = Jobs::start(MemoryStore::new(Limits::default()), runners, 2).unwrap();
//! let request = Json::of(&5).unwrap();
//! let new = NewJob { kind: "sum", request, seed: 0, total: 5, lane: Lane::Short, idempotency: None };
//! let id = jobs.submit(new).await.unwrap().job.id;
//! let job = jobs.wait_finished("sum", id, Duration::from_secs(1)).await.unwrap();
//! assert_eq!(job.status(), Status::Succeeded);
//! assert_eq!(job.result().unwrap().as_str(), "10");
//! # }
//! ```

mod events;
mod id;
mod job;
mod json;
mod lane;
mod memory;
mod pool;
mod store;
mod work;

use std::io;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

pub use events::{Event, Events};
pub use id::{Cursor, IdempotencyKey, InvalidCursor, InvalidId, InvalidIdempotencyKey, JobId};
pub use job::{
    CancelReason, Ending, Failure, Idempotency, Job, Live, NewJob, Outcome, Progress, State, Status,
};
pub use json::Json;
pub use lane::Lane;
pub use memory::{Clock, Limits, MemoryStore};
pub use store::{CancelToken, Claim, Counts, ListQuery, Missing, Page, Store, SubmitError, Submitted};
pub use work::{Runner, Runners, Work};

use pool::Pool;

/// The jobs of a service: a store, and the threads that run what is in it. Dropping it stops them.
pub struct Jobs<S: Store = MemoryStore> {
    store: Arc<S>,
    pool: Arc<Pool<S>>,
}

/// Threads that leave one core to requests; at least one.
#[must_use]
pub fn default_threads() -> usize {
    available_parallelism().map_or(1, |cores| (cores.get() - 1).max(1))
}

/// A cancelled job has ended by then, unless a chunk or a part takes far too long.
const CANCELLED_WITHIN: Duration = Duration::from_secs(1);

impl<S: Store> Jobs<S> {
    /// Starts so many threads on the jobs of a store, and one more for each lane, which prepares its jobs.
    ///
    /// # Errors
    /// Where the system refuses a thread.
    pub fn start(store: S, runners: Runners, threads: usize) -> io::Result<Self> {
        let store = Arc::new(store);
        let pool = Pool::start(Arc::clone(&store), runners, threads)?;
        Ok(Self { store, pool })
    }

    /// Puts a job into the queue, or finds the one that the same request started before.
    ///
    /// # Errors
    /// Where the job is refused.
    pub async fn submit(&self, new: NewJob) -> Result<Submitted, SubmitError> {
        let Submitted { job, is_new } = self.store.submit(new).await?;
        self.pool.wake();
        Ok(Submitted { job: rendered(job).await, is_new })
    }

    /// A job as it stands now.
    ///
    /// # Errors
    /// Where there is no such job of this kind.
    pub async fn find(&self, kind: &'static str, id: JobId) -> Result<Job, Missing> {
        let job = self.store.find(kind, id).await?.borrow().clone();
        Ok(rendered(job).await)
    }

    /// A job as soon as it has finished, or as it stands after `limit`.
    ///
    /// # Errors
    /// Where there is no such job of this kind.
    pub async fn wait_finished(
        &self,
        kind: &'static str,
        id: JobId,
        limit: Duration,
    ) -> Result<Job, Missing> {
        Ok(finished(self.store.find(kind, id).await?, limit).await)
    }

    /// The news of a job, for a listener that has seen the event with the number `last`, if any.
    ///
    /// # Errors
    /// Where there is no such job of this kind.
    pub async fn subscribe(
        &self,
        kind: &'static str,
        id: JobId,
        last: Option<u64>,
    ) -> Result<Events, Missing> {
        Ok(Events::new(self.store.find(kind, id).await?, last))
    }

    /// Stops a job, which keeps what was done, and shows it as it has ended. A finished job stays as it is.
    ///
    /// # Errors
    /// Where there is no such job of this kind.
    pub async fn cancel(&self, kind: &'static str, id: JobId) -> Result<Job, Missing> {
        let job = self.store.find(kind, id).await?;
        self.store.cancel(kind, id).await?;
        self.end_cancelled().await;
        Ok(finished(job, CANCELLED_WITHIN).await)
    }

    /// Stops a job and forgets it.
    ///
    /// # Errors
    /// Where there is no such job of this kind.
    pub async fn delete(&self, kind: &'static str, id: JobId) -> Result<(), Missing> {
        self.store.delete(kind, id).await?;
        self.end_cancelled().await;
        Ok(())
    }

    /// The jobs of a kind, newest first.
    pub async fn list(&self, kind: &'static str, query: ListQuery) -> Page {
        let mut page = self.store.list(kind, query).await;
        for job in &mut page.jobs {
            *job = rendered(job.clone()).await;
        }
        page
    }

    /// How many jobs there are.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.store.counts()
    }

    /// Takes no further jobs, and stops those that wait and run; who listens or waits learns it. Threads end after the
    /// chunk or part that they are in.
    pub fn shut_down(&self) {
        self.store.shut_down();
        self.pool.stop();
        self.pool.end_cancelled_blocking();
    }

    /// Waits until every thread has ended after [`Self::shut_down`]; false where that takes longer than `limit`.
    pub async fn join(&self, limit: Duration) -> bool {
        let mut threads = self.pool.watch_threads();
        timeout(limit, threads.wait_for(|&threads| threads == 0)).await.is_ok()
    }

    /// Ends jobs whose token was set while nothing of theirs was in work. The pool's threads would, too, but they may
    /// all be inside other jobs.
    async fn end_cancelled(&self) {
        self.pool.wake();
        let pool = Arc::clone(&self.pool);
        // It fails only where rendering panics, which the pool catches, or where the runtime is going down.
        let _ = tokio::task::spawn_blocking(move || pool.end_cancelled_blocking()).await;
    }
}

/// The job as soon as it has finished, or as it stands after `limit`.
async fn finished(mut job: watch::Receiver<Job>, limit: Duration) -> Job {
    // In time or not, the job is shown as it stands.
    let _ = timeout(limit, job.wait_for(Job::is_finished)).await;
    let job = job.borrow().clone();
    rendered(job).await
}

/// The job, its result rendered off the asynchronous workers where the copy at hand is too old.
async fn rendered(job: Job) -> Job {
    if let State::Running { live: Some(live), .. } = &job.state
        && !live.is_fresh()
    {
        let live = Arc::clone(live);
        // It fails only where rendering panics, which then fails the job, or where the runtime is going down.
        let _ = tokio::task::spawn_blocking(move || live.result_so_far()).await;
    }
    job
}

impl<S: Store> Drop for Jobs<S> {
    fn drop(&mut self) {
        self.shut_down();
    }
}
