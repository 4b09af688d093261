//! Jobs as callers see them.

use jiff::Timestamp;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Face;
use crate::jobs::{self, CancelReason, Ending, Failure, Job, Page, Progress, Status};

/// A job.
#[derive(Serialize)]
pub(super) struct JobView {
    /// What this document is.
    object: &'static str,
    id: String,
    status: Status,
    request: jobs::Json,
    /// Where the result depends on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished_at: Option<Timestamp>,
    progress: Progress,
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<Timing>,
    /// Why the job was cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// Why the job failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<jobs::Json>,
}

#[derive(Serialize)]
struct Timing {
    elapsed_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    rolls_per_second: Option<f64>,
}

impl JobView {
    pub(super) fn of(job: &Job, face: &Face) -> Self {
        let rolls = Some(job.steps()).filter(|&rolls| rolls > 0);
        let record = &job.record;
        let timing = job.elapsed().map(|elapsed| Timing {
            elapsed_ms: (elapsed.as_secs_f64() * 1e6).round() / 1e3,
            rolls_per_second: rolls.map(|rolls| (rolls as f64 / elapsed.as_secs_f64().max(1e-6)).round()),
        });
        Self {
            object: face.object,
            id: record.id.to_string(),
            status: job.status(),
            request: record.request.clone(),
            seed: face.is_random.then_some(record.seed),
            created_at: shown(record.created_at),
            started_at: record.started_at.map(shown),
            finished_at: record.finished_at.map(shown),
            progress: job.progress(),
            timing,
            reason: match record.ending() {
                Some(Ending::Cancelled(CancelReason::Requested | CancelReason::Deleted)) => Some("requested"),
                Some(Ending::Cancelled(CancelReason::Shutdown)) => Some("shutdown"),
                Some(Ending::Cancelled(CancelReason::TimeLimit)) => Some("time_limit"),
                _ => None,
            },
            error: match record.ending() {
                Some(Ending::Failed(failure)) => Some(failure.clone()),
                _ => None,
            },
            result: job.result(),
        }
    }
}

/// A time to the microsecond.
fn shown(time: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(time.as_microsecond()).unwrap_or(time)
}

/// A page of jobs.
pub(super) struct JobList<'a> {
    pub(super) face: &'a Face,
    pub(super) page: &'a Page,
}

impl Serialize for JobList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_map(None)?;
        let jobs: Vec<_> = self.page.jobs.iter().map(|job| JobView::of(job, self.face)).collect();
        list.serialize_entry(self.face.plural, &jobs)?;
        if let Some(next) = &self.page.next {
            list.serialize_entry("next", &next.to_string())?;
        }
        list.end()
    }
}
