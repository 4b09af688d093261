//! The conformance suite of [`Store`]: every test runs over each store. A new store is added to `over_each_store!`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod remote_like;
mod store;
mod with_pool;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kibitz_jobs::{
    Claim, Clock, Ending, FindError, JobId, Json, Limits, MemoryStore, NewJob, Outcome, QueueClass, Record,
    Store, SubmitError, Unavailable,
};
use remote_like::RemoteLike;

const KIND: &str = "made_up";
const SUCCEEDED: Outcome = Outcome { ending: Ending::Succeeded, done: 1, steps: 0, result: None };
/// Longer than anything takes here.
const LONG: Duration = Duration::from_secs(30);

/// A store under test, and the clock that it reads, in seconds.
struct Tested<S> {
    store: S,
    seconds: Arc<AtomicU64>,
}

/// Makes a store under test.
trait Make: Store + Sized {
    fn make(limits: Limits, clock: Clock) -> Self;

    fn tested(limits: Limits) -> Tested<Self> {
        let (seconds, start) = (Arc::new(AtomicU64::new(0)), Instant::now());
        let own = Arc::clone(&seconds);
        let clock: Clock = Arc::new(move || start + Duration::from_secs(own.load(Ordering::Relaxed)));
        Tested { store: Self::make(limits, clock), seconds }
    }
}

impl Make for MemoryStore {
    fn make(limits: Limits, clock: Clock) -> Self {
        Self::with_clock(limits, clock)
    }
}

impl Make for RemoteLike {
    fn make(limits: Limits, clock: Clock) -> Self {
        Self::new(MemoryStore::with_clock(limits, clock))
    }
}

/// Whether a call may succeed when it is made again.
trait MayBeUnavailable {
    fn is_unavailable(&self) -> bool;
}

impl MayBeUnavailable for SubmitError {
    fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}

impl MayBeUnavailable for FindError {
    fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}

impl MayBeUnavailable for Unavailable {
    fn is_unavailable(&self) -> bool {
        true
    }
}

/// The answer of a store, asked again as long as it is unavailable.
macro_rules! ask {
    ($call:expr) => {
        loop {
            match $call.await {
                Err(error) if crate::MayBeUnavailable::is_unavailable(&error) => {}
                answer => break answer,
            }
        }
    };
}
use ask;

impl<S: Store> Tested<S> {
    async fn submit(&self, new: NewJob) -> Result<JobId, SubmitError> {
        ask!(self.store.submit(JobId::random(), new.clone())).map(|submitted| submitted.job.id)
    }

    /// The next job of a class. An unavailable store has none, so ask a few times.
    fn claim(&self, class: QueueClass) -> Option<Claim> {
        (0..3).find_map(|_| self.store.claim(class))
    }

    fn claim_id(&self, class: QueueClass) -> Option<JobId> {
        self.claim(class).map(|claim| claim.record.id)
    }

    fn finish(&self, id: JobId) {
        while self.store.finish(id, &SUCCEEDED).is_err() {}
    }

    async fn record(&self, id: JobId) -> Result<Arc<Record>, FindError> {
        ask!(self.store.find(KIND, id)).map(|record| Arc::clone(&record.borrow()))
    }

    async fn cancel(&self, id: JobId) -> Result<(), FindError> {
        ask!(self.store.cancel(KIND, id))
    }

    async fn delete(&self, id: JobId) -> Result<(), FindError> {
        ask!(self.store.delete(KIND, id))
    }
}

/// A job that nobody runs.
fn new(class: QueueClass) -> NewJob {
    let request = Json::of(&0).unwrap();
    NewJob { kind: KIND, request, seed: 0, total: 1, class, client: None, idempotency: None }
}

macro_rules! over_each_store {
    ($($module:ident: $($test:ident)*;)*) => {
        mod memory {
            $($(#[tokio::test]
            async fn $test() {
                crate::$module::$test::<kibitz_jobs::MemoryStore>().await;
            })*)*
        }
        mod remote {
            $($(#[tokio::test]
            async fn $test() {
                crate::$module::$test::<crate::RemoteLike>().await;
            })*)*
        }
    };
}

over_each_store! {
    store:
        same_key_and_meaning_return_the_same_job
        idempotency_key_belongs_to_its_client
        no_class_waits_for_another
        one_client_gets_half_of_the_queue_and_of_the_permits
        cancelled_job_ends_at_once_only_while_it_is_queued
        deleted_job_is_unknown_and_keeps_its_permit_until_it_finishes
        list_is_newest_first_and_continues_at_its_cursor
        finished_job_expires_and_is_forgotten_later
        recent_results_stay_and_new_jobs_are_rejected
        job_of_another_kind_is_unknown
        shut_down_rejects_new_jobs_and_stops_the_others
        times_of_a_job_are_in_order;
    with_pool:
        job_runs_and_its_record_has_the_result
        job_is_cancelled_in_each_state
        cancelled_queued_job_drops_its_prepared_work
        numbers_of_events_never_fall
        shut_down_ends_all_threads;
}
