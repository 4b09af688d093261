//! What is known of a job: its record, and the work itself while it runs here.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::class::QueueClass;
use super::id::{ClientKey, IdempotencyKey, JobId};
use super::json::Json;
use super::live::Live;

/// A job to be submitted.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// The kind: which runner runs it.
    pub kind: &'static str,
    /// What the caller asks for.
    pub request: Json,
    /// The seed, given or drawn. Request and seed are all that the runner needs.
    pub seed: u64,
    /// Units of work in all, such as decisions.
    pub total: u64,
    /// The queue in which it waits.
    pub class: QueueClass,
    /// The client that submits it, if clients can be told apart. One client gets at most half of every bound.
    pub client: Option<ClientKey>,
    /// How the same request is recognised when it comes again.
    pub idempotency: Option<Idempotency>,
}

/// How a request is recognised when it comes again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idempotency {
    /// The client's own key.
    pub key: IdempotencyKey,
    /// The request in one spelling. The same key with another request is an error.
    pub meaning: String,
}

/// What a store keeps of a job, also when the process ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The id.
    pub id: JobId,
    /// Jobs are numbered in the order of their arrival.
    pub number: u64,
    /// The kind: which runner runs it.
    pub kind: Cow<'static, str>,
    /// What the caller asks for.
    pub request: Json,
    /// The seed, given or drawn.
    pub seed: u64,
    /// Units of work in all.
    pub total: u64,
    /// The queue in which it waits.
    pub class: QueueClass,
    /// The client that submitted it, if clients can be told apart.
    pub client: Option<ClientKey>,
    /// How the same request is recognised when it comes again.
    pub idempotency: Option<Idempotency>,
    /// When it arrived.
    pub created_at: Timestamp,
    /// When it left the queue to run.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// How it ended, and with what result.
    pub outcome: Option<Outcome>,
}

/// How a job ended, and with what result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// Units of work done.
    pub done: u64,
    /// The small steps behind them.
    pub steps: u64,
    /// The result. That of a cancelled job covers what was done.
    pub result: Option<Json>,
}

impl Outcome {
    /// The outcome of a job that was stopped before any of it was done.
    pub(super) const fn cancelled(reason: CancelReason) -> Self {
        Self { ending: Ending::Cancelled(reason), done: 0, steps: 0, result: None }
    }
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All of it was done.
    Succeeded,
    /// Its runner failed.
    Failed(Failure),
    /// It was stopped.
    Cancelled(CancelReason),
}

/// Why a job failed, in words for the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// A stable English slug.
    pub code: Cow<'static, str>,
    /// What went wrong.
    pub detail: Cow<'static, str>,
}

impl Failure {
    /// An internal error. It is logged, and the caller learns nothing more.
    #[must_use]
    pub const fn internal() -> Self {
        Self { code: Cow::Borrowed("internal"), detail: Cow::Borrowed("Internal error; it has been logged.") }
    }
}

/// Who or what stopped a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CancelReason {
    /// The caller.
    Requested,
    /// The caller, who deleted it.
    Deleted,
    /// The service, which shuts down.
    Shutdown,
    /// Its time limit.
    TimeLimit,
}

/// The state of a job in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It waits.
    Queued,
    /// It runs.
    Running,
    /// It has ended, and all of it was done.
    Succeeded,
    /// It has ended because its runner failed.
    Failed,
    /// It has ended because it was stopped.
    Cancelled,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Queued, Self::Running, Self::Succeeded, Self::Failed, Self::Cancelled];

    /// The name that callers know.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// How much of a job is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Units of work done.
    pub done: u64,
    /// Units of work in all.
    pub total: u64,
}

impl Record {
    /// The state in one word.
    #[must_use]
    pub const fn status(&self) -> Status {
        match &self.outcome {
            Some(Outcome { ending: Ending::Succeeded, .. }) => Status::Succeeded,
            Some(Outcome { ending: Ending::Failed(_), .. }) => Status::Failed,
            Some(Outcome { ending: Ending::Cancelled(_), .. }) => Status::Cancelled,
            None if self.started_at.is_some() => Status::Running,
            None => Status::Queued,
        }
    }

    /// Whether nothing changes any more.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.outcome.is_some()
    }

    /// How it ended.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        self.outcome.as_ref().map(|outcome| &outcome.ending)
    }
}

/// A job at one moment. A copy is cheap; progress and result of a running job are read when they are asked for.
#[derive(Clone)]
pub struct Job {
    /// What the store keeps.
    pub record: Arc<Record>,
    /// The work if this process runs it, from when it is prepared until the store has its outcome.
    pub live: Option<Arc<Live>>,
}

impl Job {
    /// A finished job has no work.
    pub(super) fn new(record: Arc<Record>, live: Option<Arc<Live>>) -> Self {
        let live = live.filter(|_| !record.is_finished());
        Self { record, live }
    }

    /// The state in one word.
    #[must_use]
    pub fn status(&self) -> Status {
        self.record.status()
    }

    /// Whether nothing changes any more.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.record.is_finished()
    }

    /// How much is done.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let live = || self.live.as_ref().map_or(0, |live| live.done());
        let done = self.record.outcome.as_ref().map_or_else(live, |outcome| outcome.done);
        Progress { done, total: self.record.total }
    }

    /// The small steps behind what is done, such as rolls of dice.
    #[must_use]
    pub fn steps(&self) -> u64 {
        let live = || self.live.as_ref().map_or(0, |live| live.work.steps());
        self.record.outcome.as_ref().map_or_else(live, |outcome| outcome.steps)
    }

    /// The result. That of a running job covers what was done a moment ago.
    #[must_use]
    pub fn result(&self) -> Option<Json> {
        match &self.record.outcome {
            Some(outcome) => outcome.result.clone(),
            None => self.live.as_ref()?.result_so_far(),
        }
    }

    /// How long it ran, or has been running; `None` before it starts. The system clock has no influence.
    #[must_use]
    pub fn elapsed(&self) -> Option<Duration> {
        let started = self.record.started_at?;
        Some(match (self.record.finished_at, &self.live) {
            (Some(finished), _) => finished.duration_since(started).unsigned_abs(),
            (None, Some(live)) => live.started.elapsed(),
            (None, None) => Duration::ZERO,
        })
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Job")
            .field("number", &self.record.number)
            .field("kind", &self.record.kind)
            .field("status", &self.status())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_serialises_as_its_name() {
        for status in Status::ALL {
            assert_eq!(Json::of(&status).unwrap().as_str(), format!("\"{}\"", status.name()));
        }
    }

    #[test]
    fn record_reads_back_as_it_was_written() {
        let outcome = Outcome {
            ending: Ending::Cancelled(CancelReason::TimeLimit),
            done: 7,
            steps: 8,
            result: Some(Json::of(&[1, 2]).unwrap()),
        };
        let record = Record {
            id: JobId::random(),
            number: 3,
            kind: "made_up".into(),
            request: Json::of(&"request").unwrap(),
            seed: (1 << 53) - 1,
            total: u64::MAX,
            class: QueueClass::Long,
            client: Some(ClientKey(u128::MAX)),
            idempotency: Some(Idempotency {
                key: IdempotencyKey::new("key").unwrap(),
                meaning: "request".to_owned(),
            }),
            created_at: Timestamp::from_microsecond(1).unwrap(),
            started_at: Some(Timestamp::from_microsecond(2).unwrap()),
            finished_at: Some(Timestamp::from_microsecond(3).unwrap()),
            outcome: Some(outcome),
        };
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record, "{text}");
    }
}
