//! Where jobs are kept.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::watch;

use super::class::QueueClass;
use super::id::{Cursor, JobId};
use super::record::{CancelReason, Job, NewJob, Outcome, Record, Status};

/// Where jobs are kept: their records, and the queues in which they wait. It knows nothing of the work of running jobs.
///
/// What requests wait for is asynchronous and may be unavailable, since a store may answer over a network. What threads of
/// the pool ask may block. A caller sees its own changes: what this process has changed is in every later answer to it.
///
/// A job of another kind than the one asked for counts as unknown.
pub trait Store: Send + Sync + 'static {
    /// How often the pool asks for jobs and hands in outcomes without being woken. `None` if every change passes through
    /// this process and the store is always available.
    const POLL: Option<Duration>;

    /// Puts a job into its queue, or finds the job that the same client started with the same key and request.
    ///
    /// # Errors
    /// When the job is rejected, or the store is unavailable.
    fn submit(
        &self,
        id: JobId,
        new: NewJob,
    ) -> impl Future<Output = Result<Submitted<Arc<Record>>, SubmitError>> + Send;

    /// The record of a job and every later change of it. The channel closes when the job is forgotten; a job that has not ended
    /// by then is cancelled first.
    ///
    /// # Errors
    /// When there is no such job, or the store is unavailable.
    fn find(
        &self,
        kind: &'static str,
        id: JobId,
    ) -> impl Future<Output = Result<watch::Receiver<Arc<Record>>, FindError>> + Send;

    /// Stops a job. A queued job ends at once. For a claimed one the token is set, and the pool ends it. A finished job
    /// stays as it is.
    ///
    /// # Errors
    /// When there is no such job, or the store is unavailable.
    fn cancel(&self, kind: &'static str, id: JobId) -> impl Future<Output = Result<(), FindError>> + Send;

    /// Stops a job and forgets it and its idempotency key. It keeps its permit until [`Self::finish`], while threads
    /// hold its work.
    ///
    /// # Errors
    /// When there is no such job, or the store is unavailable.
    fn delete(&self, kind: &'static str, id: JobId) -> impl Future<Output = Result<(), FindError>> + Send;

    /// The jobs of a kind, newest first.
    ///
    /// # Errors
    /// When the store is unavailable.
    fn list(
        &self,
        kind: &'static str,
        query: ListQuery,
    ) -> impl Future<Output = Result<Page<Arc<Record>>, Unavailable>> + Send;

    /// The number of jobs, perhaps a little old.
    fn counts(&self) -> Counts;

    /// Takes the oldest job from a queue that may run now, if a permit of the class is free and the store is available.
    fn claim(&self, class: QueueClass) -> Option<Claim>;

    /// Ends a claimed job whose work has been dropped, and frees its permit. A job that has already ended or was deleted
    /// stays so.
    ///
    /// # Errors
    /// When the store is unavailable. The pool calls again later.
    fn finish(&self, id: JobId, outcome: &Outcome) -> Result<(), Unavailable>;

    /// Rejects further jobs, and stops those that wait and run in this process.
    fn shut_down(&self);
}

/// A job taken from its queue to run.
pub struct Claim {
    /// Its record. Kind, request and seed are what its runner needs.
    pub record: Arc<Record>,
    /// How long it may run.
    pub time_limit: Duration,
    /// Set when it is to stop.
    pub token: CancelToken,
}

/// Tells the pool that a job is to stop, and why. The first reason stays.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<OnceLock<CancelReason>>);

impl CancelToken {
    /// Asks the job to stop.
    pub fn set(&self, reason: CancelReason) {
        // An earlier reason stays.
        let _ = self.0.set(reason);
    }

    /// Why it is to stop, if it is.
    #[must_use]
    pub fn get(&self) -> Option<CancelReason> {
        self.0.get().copied()
    }
}

/// The answer to a submission.
#[derive(Debug, Clone)]
pub struct Submitted<J = Job> {
    /// The job, or for a store its record.
    pub job: J,
    /// Whether this submission started it, not an earlier one with the same key.
    pub is_new: bool,
}

/// Why a job is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// The queue of its class is full, or this client's half of it.
    #[error("the job queue is full")]
    QueueFull,
    /// Too many jobs have ended so recently that their results must be kept, in all or of this client.
    #[error("too many results are too recent to be dropped")]
    ResultsFull {
        /// When the oldest of them may be dropped.
        retry_after: Duration,
    },
    /// The idempotency key belongs to another request.
    #[error("the idempotency key was used with another request")]
    IdempotencyKeyReused,
    /// The service is shutting down.
    #[error("the service is shutting down")]
    ShuttingDown,
    /// The store is unavailable.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}

/// The store cannot be reached. The same call may succeed later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the job store is unavailable")]
pub struct Unavailable;

/// Why a job is not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// It never existed, was deleted, or expired too long ago.
    #[error("there is no job with this id")]
    Unknown,
    /// It has expired.
    #[error("this job has expired")]
    Expired,
    /// The store is unavailable, so nobody knows.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}

/// Which jobs to list.
#[derive(Debug, Clone, Copy)]
pub struct ListQuery {
    /// Only jobs of this status.
    pub status: Option<Status>,
    /// At most this many.
    pub limit: usize,
    /// Only jobs after this position.
    pub after: Option<Cursor>,
}

/// A part of the list of jobs.
#[derive(Debug, Clone)]
pub struct Page<J = Job> {
    /// The jobs, or for a store their records, newest first.
    pub jobs: Vec<J>,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
}

/// The number of jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Jobs that wait, by class in the order of [`QueueClass::ALL`].
    pub queued: [usize; QueueClass::ALL.len()],
    /// Permits in use, likewise; those of deleted jobs whose work is still held included.
    pub running: [usize; QueueClass::ALL.len()],
    /// Finished jobs that are kept.
    pub finished: usize,
}
