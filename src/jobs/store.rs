//! Where jobs are kept.

use std::sync::{Arc, OnceLock};

use tokio::sync::watch;

use super::id::{Cursor, JobId};
use super::job::{CancelReason, Job, Live, NewJob, Outcome, Status};
use super::json::Json;
use super::lane::Lane;

/// Where jobs are kept: a queue, and what became of each job.
///
/// What a caller waits for is asynchronous, because a store that replicas share answers over a wire. What the worker
/// threads ask for is not: they have nothing else to do.
///
/// A job of another kind than the one asked for is as good as absent.
pub trait Store: Send + Sync + 'static {
    /// Puts a job into the queue, or finds the one that the same request started before.
    ///
    /// # Errors
    /// Where the job is refused.
    fn submit(&self, new: NewJob) -> impl Future<Output = Result<Submitted, SubmitError>> + Send;

    /// A job, and every change of its state from now on. The receiver ends when the job is forgotten; a job that has
    /// not finished by then is cancelled first.
    ///
    /// # Errors
    /// Where there is no such job.
    fn find(
        &self,
        kind: &'static str,
        id: JobId,
    ) -> impl Future<Output = Result<watch::Receiver<Job>, Missing>> + Send;

    /// Stops a job. One that is queued, or still being prepared, ends here and now; of one that runs the token is set,
    /// and its threads end it. A finished job stays as it is.
    ///
    /// # Errors
    /// Where there is no such job.
    fn cancel(&self, kind: &'static str, id: JobId) -> impl Future<Output = Result<(), Missing>> + Send;

    /// Stops a job and forgets it and its idempotency key. It keeps its place as long as threads hold its work, until
    /// [`Self::finish`].
    ///
    /// # Errors
    /// Where there is no such job.
    fn delete(&self, kind: &'static str, id: JobId) -> impl Future<Output = Result<(), Missing>> + Send;

    /// The jobs of a kind, newest first.
    fn list(&self, kind: &'static str, query: ListQuery) -> impl Future<Output = Page> + Send;

    /// How many jobs there are. It is asked at each look at the metrics and may be a little old.
    fn counts(&self) -> Counts;

    /// Takes the oldest job of a lane from its queue, if one more of the lane may run.
    fn claim(&self, lane: Lane) -> Option<Claim>;

    /// Says that a claimed job has been prepared and lets others look into it. False where it has ended meanwhile.
    fn attach(&self, id: JobId, live: Arc<dyn Live>) -> bool;

    /// Ends a claimed job, whose work has been let go, and frees its place. A job that has ended already or was deleted
    /// stays so.
    fn finish(&self, id: JobId, outcome: Outcome);

    /// Takes no further jobs, and stops those that this process runs and those that only it could run.
    fn shut_down(&self);
}

/// A job that was taken from the queue.
pub struct Claim {
    /// Its name.
    pub id: JobId,
    /// Its number.
    pub number: u64,
    /// Which runner it is for.
    pub kind: &'static str,
    /// What the runner needs.
    pub request: Json,
    /// The rest of what the runner needs.
    pub seed: u64,
    /// Set when it is to stop.
    pub token: CancelToken,
}

/// Says to a job's threads that it is to stop, and why. The first reason stands.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<OnceLock<CancelReason>>);

impl CancelToken {
    /// Asks the job to stop.
    pub fn set(&self, reason: CancelReason) {
        // Where there is a reason already, it stays.
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
pub struct Submitted {
    /// The job.
    pub job: Job,
    /// Whether it was started by this submission, not by an earlier one with the same key.
    pub is_new: bool,
}

/// Why a job is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// As many jobs of its lane wait as may.
    #[error("As many jobs wait as may. Send the request again in a moment.")]
    QueueFull,
    /// The idempotency key belongs to another request.
    #[error("This idempotency key was used with another request. Take a new key for a new request.")]
    IdempotencyKeyReused,
    /// The service is going down.
    #[error("The service is shutting down. Send the request again in a moment.")]
    ShuttingDown,
}

impl SubmitError {
    /// The same in Chinese.
    #[must_use]
    pub const fn in_chinese(self) -> &'static str {
        match self {
            Self::QueueFull => "等待的任务已达上限。请稍后重新发送请求。",
            Self::IdempotencyKeyReused => "此幂等键已用于另一个请求。新的请求请使用新的键。",
            Self::ShuttingDown => "服务正在关闭。请稍后重新发送请求。",
        }
    }
}

/// Why there is no such job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// There never was one, or it was deleted, or it expired too long ago to be remembered.
    #[error("There is no job with this id. Check the id, or start the job again.")]
    Unknown,
    /// There was one; its time is over.
    #[error("This job has expired. Start it again: the same request and seed give the same result.")]
    Expired,
}

impl Missing {
    /// The same in Chinese.
    #[must_use]
    pub const fn in_chinese(self) -> &'static str {
        match self {
            Self::Unknown => "没有此编号的任务。请检查编号，或重新提交任务。",
            Self::Expired => "此任务已过期。请重新提交：相同的请求与种子会得到相同的结果。",
        }
    }
}

/// Which jobs to list.
#[derive(Debug, Clone, Copy)]
pub struct ListQuery {
    /// Only those of this status.
    pub status: Option<Status>,
    /// At most so many.
    pub limit: usize,
    /// Only those after this place.
    pub after: Option<Cursor>,
}

/// A part of the list of jobs.
#[derive(Debug, Clone)]
pub struct Page {
    /// The jobs, newest first.
    pub jobs: Vec<Job>,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
}

/// How many jobs there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Waiting, for each lane in the order of [`Lane::ALL`].
    pub queued: [usize; Lane::ALL.len()],
    /// Running, likewise; those that were deleted and still hold their place included.
    pub running: [usize; Lane::ALL.len()],
    /// Finished and kept.
    pub finished: usize,
}
