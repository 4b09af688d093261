//! A job as it stands at one moment.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use super::id::{IdempotencyKey, JobId};
use super::json::Json;
use super::lane::Lane;

/// A job as it stood when the store was asked. A copy costs little; the progress and the result of a running job are
/// looked up when they are asked for, the result in a copy of at most a tenth of a second.
#[derive(Clone)]
pub struct Job {
    /// Its name.
    pub id: JobId,
    /// Jobs are numbered in the order of their arrival.
    pub number: u64,
    /// Whose runner it is for.
    pub kind: &'static str,
    /// What the caller asked for.
    pub request: Json,
    /// The seed, asked for or drawn: with the request all that the runner needs.
    pub seed: u64,
    /// Units of work in all.
    pub total: u64,
    /// When it arrived.
    pub created_at: Timestamp,
    /// How far it has come.
    pub state: State,
}

/// A job that is to be.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Whose runner it is for.
    pub kind: &'static str,
    /// What the caller asked for.
    pub request: Json,
    /// The seed, asked for or drawn: with the request all that the runner needs.
    pub seed: u64,
    /// Units of work in all, such as decisions.
    pub total: u64,
    /// The queue that it waits in.
    pub lane: Lane,
    /// By what the same request is known when it comes again.
    pub idempotency: Option<Idempotency>,
}

/// By what a request is known when it comes again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The caller's name for the request.
    pub key: IdempotencyKey,
    /// What was asked for, however it was put: requests of one meaning have one text. A key that comes again must come
    /// with it.
    pub meaning: String,
}

/// How far a job has come.
#[derive(Clone)]
pub enum State {
    /// It waits for its turn.
    Queued,
    /// It is worked on.
    Running {
        /// Since when.
        started_at: Timestamp,
        /// The work itself, once it has been prepared.
        live: Option<Arc<dyn Live>>,
    },
    /// It has ended; nothing changes any more.
    Finished {
        /// When work on it began, if it did.
        started_at: Option<Timestamp>,
        /// When it ended.
        finished_at: Timestamp,
        /// How it ended, and with what.
        outcome: Outcome,
    },
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Which way.
    pub ending: Ending,
    /// Units of work that were done.
    pub done: u64,
    /// The small steps behind them.
    pub steps: u64,
    /// The result; that of a cancelled job covers what was done.
    pub result: Option<Json>,
}

/// The way a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// All of it was done.
    Succeeded,
    /// Its runner gave up.
    Failed(Failure),
    /// It was stopped.
    Cancelled(CancelReason),
}

/// Why a job failed, in words that are meant for the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// A stable English slug.
    pub code: Cow<'static, str>,
    /// What went wrong.
    pub detail: Cow<'static, str>,
}

impl Failure {
    /// A fault of ours, of which the caller is told nothing more.
    #[must_use]
    pub const fn internal() -> Self {
        Self { code: Cow::Borrowed("internal"), detail: Cow::Borrowed("Internal error; it has been logged.") }
    }
}

/// Who stopped a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CancelReason {
    /// The caller.
    Requested,
    /// The caller, who wants it forgotten.
    Deleted,
    /// The service, which is going down.
    Shutdown,
}

/// A job's state in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It waits for its turn.
    Queued,
    /// It is worked on.
    Running,
    /// It has ended and all of it was done.
    Succeeded,
    /// It has ended because its runner gave up.
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

    /// Whether nothing changes any more.
    #[must_use]
    pub const fn is_finished(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled)
    }
}

/// How much of a job is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Units of work that are done.
    pub done: u64,
    /// Units of work in all.
    pub total: u64,
}

/// What can be asked of a job while it runs.
pub trait Live: Send + Sync {
    /// Units of work that are done; it never falls.
    fn done(&self) -> u64;

    /// The small steps behind them, such as rolls of dice; it never falls.
    fn steps(&self) -> u64;

    /// The result so far, or one that was rendered a moment ago. It may render, so call it off the asynchronous workers
    /// unless [`Self::is_fresh`].
    fn result_so_far(&self) -> Option<Json>;

    /// Whether [`Self::result_so_far`] has a copy to give.
    fn is_fresh(&self) -> bool;
}

impl Job {
    /// The state in one word.
    #[must_use]
    pub const fn status(&self) -> Status {
        match &self.state {
            State::Queued => Status::Queued,
            State::Running { .. } => Status::Running,
            State::Finished { outcome, .. } => match outcome.ending {
                Ending::Succeeded => Status::Succeeded,
                Ending::Failed(_) => Status::Failed,
                Ending::Cancelled(_) => Status::Cancelled,
            },
        }
    }

    /// Whether nothing changes any more.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.status().is_finished()
    }

    /// How much is done.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let done = match &self.state {
            State::Queued => 0,
            State::Running { live, .. } => live.as_ref().map_or(0, |live| live.done()),
            State::Finished { outcome, .. } => outcome.done,
        };
        Progress { done, total: self.total }
    }

    /// The small steps behind what is done, such as rolls of dice.
    #[must_use]
    pub fn steps(&self) -> u64 {
        match &self.state {
            State::Queued => 0,
            State::Running { live, .. } => live.as_ref().map_or(0, |live| live.steps()),
            State::Finished { outcome, .. } => outcome.steps,
        }
    }

    /// The result; that of a running job covers what was done a moment ago.
    #[must_use]
    pub fn result(&self) -> Option<Json> {
        match &self.state {
            State::Queued => None,
            State::Running { live, .. } => live.as_ref().and_then(|live| live.result_so_far()),
            State::Finished { outcome, .. } => outcome.result.clone(),
        }
    }

    /// When work on it began.
    #[must_use]
    pub const fn started_at(&self) -> Option<Timestamp> {
        match &self.state {
            State::Queued => None,
            State::Running { started_at, .. } => Some(*started_at),
            State::Finished { started_at, .. } => *started_at,
        }
    }

    /// When it ended.
    #[must_use]
    pub const fn finished_at(&self) -> Option<Timestamp> {
        match &self.state {
            State::Finished { finished_at, .. } => Some(*finished_at),
            State::Queued | State::Running { .. } => None,
        }
    }

    /// How long it has been worked on, up to `now` where it still runs; nothing before it starts.
    #[must_use]
    pub fn elapsed(&self, now: Timestamp) -> Option<Duration> {
        let started = self.started_at()?;
        let until = self.finished_at().unwrap_or(now);
        // A wall clock may be set back.
        Some(until.duration_since(started).try_into().unwrap_or_default())
    }

    /// How it ended.
    #[must_use]
    pub const fn ending(&self) -> Option<&Ending> {
        match &self.state {
            State::Finished { outcome, .. } => Some(&outcome.ending),
            State::Queued | State::Running { .. } => None,
        }
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Job")
            .field("number", &self.number)
            .field("kind", &self.kind)
            .field("status", &self.status())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_serialises_as_its_name() {
        for status in Status::ALL {
            assert_eq!(Json::of(&status).unwrap().as_str(), format!("\"{}\"", status.name()));
        }
    }

    #[test]
    fn a_clock_set_back_gives_no_negative_time() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let null = Json::of(&()).unwrap();
        let job = Job {
            id: JobId::random(),
            number: 0,
            kind: "made_up",
            request: null,
            seed: 0,
            total: 1,
            created_at: at(5),
            state: State::Running { started_at: at(10), live: None },
        };
        assert_eq!(job.elapsed(at(12)), Some(Duration::from_secs(2)));
        assert_eq!(job.elapsed(at(3)), Some(Duration::ZERO));
    }
}
