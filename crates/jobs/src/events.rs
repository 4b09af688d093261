//! The events of one job.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::live::Followed;
use super::record::{CancelReason, Ending, Job, Progress, Status};
use super::rendered;

/// A listener gets its progress at most this often.
const INTERVAL: Duration = Duration::from_millis(100);

/// The events of one job: its state at once, then its progress, then its end, and no more.
///
/// A listener looks at the job; nothing is sent to it or kept for it. One that is slow misses progress and never the
/// end, and one that goes away leaves nothing behind.
pub struct Events {
    job: Followed,
    /// The number of the event before, here or on an earlier connection.
    last: Option<u64>,
    next_look: Option<Instant>,
    is_over: bool,
}

/// The state of a job at one moment.
#[derive(Debug, Clone)]
pub struct Event {
    /// Rises from one event of a job to the next. It describes the state of the job, so it means the same on every
    /// connection, and the last event of a job has always the same.
    pub number: u64,
    /// How much was done.
    pub progress: Progress,
    /// The job.
    pub job: Job,
}

impl Event {
    fn of(job: Job) -> Self {
        let progress = job.progress();
        let number = match job.status() {
            Status::Queued => 0,
            Status::Running => progress.done + 1,
            Status::Succeeded | Status::Failed | Status::Cancelled => progress.done + 2,
        };
        Self { number, progress, job }
    }

    /// `progress`, or for the last one the job's status: `succeeded`, `failed`, `cancelled`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        if self.job.is_finished() { self.job.status().name() } else { "progress" }
    }
}

impl Events {
    /// The events after the event with the number `last`, if one was seen.
    pub(super) fn new(job: Followed, last: Option<u64>) -> Self {
        let now = job.job();
        let is_over = now.is_finished() && last == Some(Event::of(now).number);
        Self { job, last, next_look: None, is_over }
    }

    /// Whether the job's last event has been seen, so that there is nothing to come.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// The next event; nothing after the last. Dropping the future loses no event.
    pub async fn next(&mut self) -> Option<Event> {
        while !self.is_over {
            if let Some(look) = self.next_look {
                // Whether it ended, the store went away, or it is time: the job itself tells.
                let _ = timeout_at(look, self.job.finished()).await;
            }
            let mut event = Event::of(rendered(self.job.job()).await);
            let is_last = event.job.is_finished();
            if event.job.record.ending() == Some(&Ending::Cancelled(CancelReason::Deleted)) {
                // Its record does not say how much was done.
                event.number = event.number.max(self.last.map_or(0, |last| last.saturating_add(1)));
            }
            let is_first_look = self.next_look.is_none();
            let is_news =
                self.last.is_none_or(|last| event.number > last || (is_first_look && event.number == last));
            self.is_over = is_last || self.job.record.has_changed().is_err();
            self.next_look = Some(Instant::now() + INTERVAL);
            if is_last || (is_news && !self.is_over) {
                self.last = Some(event.number);
                return Some(event);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::ClaimedJobs;
    use crate::{JobId, Json, QueueClass, Record};

    #[tokio::test]
    async fn dropped_store_ends_the_events() {
        let record = Record {
            id: JobId::random(),
            number: 0,
            kind: "made_up".into(),
            request: Json::of(&()).unwrap(),
            seed: 0,
            total: 1,
            class: QueueClass::Short,
            client: None,
            idempotency: None,
            created_at: jiff::Timestamp::UNIX_EPOCH,
            started_at: None,
            finished_at: None,
            outcome: None,
        };
        let record = tokio::sync::watch::Sender::new(std::sync::Arc::new(record));
        let job = Followed { record: record.subscribe(), claimed: ClaimedJobs::default() };
        let mut events = Events::new(job, None);
        assert_eq!(events.next().await.unwrap().number, 0);
        drop(record);
        assert!(events.next().await.is_none() && events.is_over());
    }
}
