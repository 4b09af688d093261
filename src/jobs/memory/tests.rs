//! What the store keeps, and how its lanes stay apart.

use std::sync::atomic::{AtomicI64, Ordering};

use super::*;
use crate::jobs::Json;

const KIND: &str = "made_up";

#[tokio::test]
async fn nothing_stays_of_a_job_that_is_gone() {
    let seconds = Arc::new(AtomicI64::new(0));
    let own = Arc::clone(&seconds);
    let clock: Clock = Arc::new(move || Timestamp::from_second(own.load(Ordering::Relaxed)).unwrap());
    let limits = Limits { long: 10, expired: 2, ..Limits::default() };
    let store = MemoryStore::with_clock(limits, clock);
    let mut ids = Vec::new();
    for number in 0..30 {
        let request = Json::of(&number).unwrap();
        let key = IdempotencyKey::new(&number.to_string()).unwrap();
        let idempotency = Some(Idempotency { key, meaning: request.as_str().to_owned() });
        let new = NewJob { kind: KIND, request, seed: 0, total: 1, lane: Lane::ALL[number % 3], idempotency };
        ids.push(store.submit(new).await.unwrap().job.id);
    }
    for round in 0..18 {
        let claim = store.claim(Lane::ALL[round % 3]).unwrap();
        store.finish(claim.id, Outcome { ending: Ending::Succeeded, done: 1, steps: 0, result: None });
    }
    // Some of them finished, some queued.
    for &id in &ids[15..25] {
        store.delete(KIND, id).await.unwrap();
    }
    for &id in &ids[25..] {
        store.cancel(KIND, id).await.unwrap();
    }
    seconds.store(3_600, Ordering::Relaxed);
    let (shelf, _) = store.open();
    assert_eq!(
        (shelf.entries.len(), shelf.by_number.len(), shelf.by_key.len(), &shelf.queues),
        (0, 0, 0, &Default::default())
    );
    assert_eq!((shelf.running, shelf.leaving.len(), shelf.finished.len()), ([0; 3], 0, 0));
    assert_eq!((shelf.expired.len(), shelf.expired_order.len()), (2, 2));
}

#[tokio::test]
async fn no_lane_waits_for_another() {
    let limits = Limits { queued: 2, short: 1, long: 2, ..Limits::default() };
    let store = MemoryStore::new(limits);
    let new = |lane| NewJob {
        kind: KIND,
        request: Json::of(&0).unwrap(),
        seed: 0,
        total: 1,
        lane,
        idempotency: None,
    };
    for (lane, places) in [(Lane::Alone, 1), (Lane::Long, 2), (Lane::Short, 1)] {
        // All places taken and the queue full, in this lane and those before.
        let mut claimed = Vec::new();
        for _ in 0..places {
            store.submit(new(lane)).await.unwrap();
            claimed.push(store.claim(lane).unwrap().id);
        }
        let waiting = [store.submit(new(lane)).await.unwrap(), store.submit(new(lane)).await.unwrap()];
        assert_eq!(store.submit(new(lane)).await.unwrap_err(), SubmitError::QueueFull);
        assert!(store.claim(lane).is_none());
        // A place is free when a job has ended, in whatever way.
        store.finish(claimed[0], Outcome { ending: Ending::Succeeded, done: 1, steps: 0, result: None });
        assert_eq!(store.claim(lane).unwrap().id, waiting[0].job.id);
        assert!(store.claim(lane).is_none());
        store.delete(KIND, waiting[0].job.id).await.unwrap();
        assert_eq!(store.claim(lane).unwrap().id, waiting[1].job.id);
        for _ in 0..2 {
            store.submit(new(lane)).await.unwrap();
        }
    }
    assert_eq!(store.counts(), Counts { queued: [2; 3], running: [1, 2, 1], finished: 3 });
}
