//! What stays in memory. The conformance suite tests the rest.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::{Ending, Idempotency, IdempotencyKey, Json};

const KIND: &str = "made_up";
const SUCCEEDED: Outcome = Outcome { ending: Ending::Succeeded, done: 1, steps: 0, result: None };

/// A store whose clock does not move until it is set, in seconds.
fn store_with_clock(limits: Limits) -> (MemoryStore, Arc<AtomicU64>) {
    let (seconds, start) = (Arc::new(AtomicU64::new(0)), Instant::now());
    let own = Arc::clone(&seconds);
    let clock: Clock = Arc::new(move || start + Duration::from_secs(own.load(Ordering::Relaxed)));
    (MemoryStore::with_clock(limits, clock), seconds)
}

fn new(class: QueueClass) -> NewJob {
    let request = Json::of(&0).unwrap();
    NewJob { kind: KIND, request, seed: 0, total: 1, class, client: None, idempotency: None }
}

async fn submit(store: &MemoryStore, new: NewJob) -> Result<JobId, SubmitError> {
    store.submit(JobId::random(), new).await.map(|submitted| submitted.job.id)
}

#[tokio::test]
async fn nothing_stays_of_a_job_that_is_gone() {
    let (store, seconds) = store_with_clock(Limits { long: 10, expired: 2, ..Limits::default() });
    let mut ids = Vec::new();
    for number in 0..30 {
        let key = IdempotencyKey::new(&number.to_string()).unwrap();
        let idempotency = Some(Idempotency { key, meaning: String::new() });
        let new = NewJob { idempotency, ..new(QueueClass::ALL[number % 3]) };
        ids.push(submit(&store, new).await.unwrap());
    }
    for round in 0..18 {
        let claim = store.claim(QueueClass::ALL[round % 3]).unwrap();
        store.finish(claim.record.id, &SUCCEEDED).unwrap();
    }
    // Some of them finished, some queued.
    for &id in &ids[15..25] {
        store.delete(KIND, id).await.unwrap();
    }
    for &id in &ids[25..] {
        store.cancel(KIND, id).await.unwrap();
    }
    seconds.store(3_600, Ordering::Relaxed);
    let (state, _) = store.state();
    assert_eq!((state.entries.len(), state.by_number.len(), state.finished.len()), (0, 0, 0));
    assert!(state.queued.iter().all(VecDeque::is_empty) && state.running.iter().all(Vec::is_empty));
    assert_eq!(state.expired.len(), 2);
}
