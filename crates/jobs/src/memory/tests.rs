//! What the store keeps, and how its classes and clients stay apart.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::{Idempotency, IdempotencyKey, Json};

const KIND: &str = "made_up";
const SUCCEEDED: Outcome = Outcome { ending: Ending::Succeeded, done: 1, steps: 0, result: None };

/// A store whose clock stands still until it is set, in seconds.
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
    store.submit(JobId::random(), new).await.map(|submitted| submitted.job.record.id)
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
        store.finish(claim.id, SUCCEEDED);
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

#[tokio::test]
async fn no_class_waits_for_another() {
    let store = MemoryStore::new(Limits { queued: 2, short: 1, long: 2, ..Limits::default() });
    for (class, permits) in [(QueueClass::Alone, 1), (QueueClass::Long, 2), (QueueClass::Short, 1)] {
        // All permits in use and the queue full, in this class and those before.
        let mut claimed = Vec::new();
        for _ in 0..permits {
            submit(&store, new(class)).await.unwrap();
            claimed.push(store.claim(class).unwrap().id);
        }
        let waiting = [submit(&store, new(class)).await.unwrap(), submit(&store, new(class)).await.unwrap()];
        assert_eq!(submit(&store, new(class)).await, Err(SubmitError::QueueFull));
        assert!(store.claim(class).is_none());
        // A permit is free when a job has ended, in whatever way.
        store.finish(claimed[0], SUCCEEDED);
        assert_eq!(store.claim(class).unwrap().id, waiting[0]);
        assert!(store.claim(class).is_none());
        store.delete(KIND, waiting[0]).await.unwrap();
        assert_eq!(store.claim(class).unwrap().id, waiting[1]);
        for _ in 0..2 {
            submit(&store, new(class)).await.unwrap();
        }
    }
    assert_eq!(store.counts(), Counts { queued: [2; 3], running: [1, 2, 1], finished: 3 });
}

#[tokio::test]
async fn one_client_gets_half_of_the_queue_and_of_the_permits() {
    let store = MemoryStore::new(Limits { queued: 5, long: 3, ..Limits::default() });
    let of = |client| NewJob { client: Some(ClientKey(client)), ..new(QueueClass::Long) };
    let mut own = Vec::new();
    for _ in 0..3 {
        own.push(submit(&store, of(1)).await.unwrap());
    }
    assert_eq!(submit(&store, of(1)).await, Err(SubmitError::QueueFull));
    let other = submit(&store, of(2)).await.unwrap();
    // The third of the first client waits although a permit is free, and the other client's goes first.
    let claimed: Vec<_> = (0..3).map(|_| store.claim(QueueClass::Long).unwrap().id).collect();
    assert_eq!(claimed, [own[0], own[1], other]);
    store.finish(other, SUCCEEDED);
    assert!(store.claim(QueueClass::Long).is_none());
    store.finish(own[0], SUCCEEDED);
    assert_eq!(store.claim(QueueClass::Long).unwrap().id, own[2]);
}

#[tokio::test]
async fn recent_results_stay_and_new_jobs_are_rejected_instead() {
    let (store, seconds) = store_with_clock(Limits { finished: 4, ..Limits::default() });
    let of = |client| NewJob { client: Some(ClientKey(client)), ..new(QueueClass::Short) };
    let run = async |new| {
        let id = submit(&store, new).await?;
        store.finish(store.claim(QueueClass::Short).unwrap().id, SUCCEEDED);
        Ok(id)
    };
    let first = run(of(1)).await.unwrap();
    seconds.store(20, Ordering::Relaxed);
    run(of(2)).await.unwrap();
    run(of(2)).await.unwrap();
    // The second client has its half, all have everything.
    let full = |seconds| Err(SubmitError::ResultsFull { retry_after: Duration::from_secs(seconds) });
    assert_eq!(run(of(2)).await, full(60));
    run(of(3)).await.unwrap();
    seconds.store(59, Ordering::Relaxed);
    assert_eq!(run(of(4)).await, full(1));
    assert!(store.find(KIND, first).await.is_ok());
    seconds.store(60, Ordering::Relaxed);
    run(of(4)).await.unwrap();
    assert_eq!(store.find(KIND, first).await.err(), Some(Missing::Expired));
}

#[tokio::test]
async fn an_idempotency_key_belongs_to_its_client() {
    let store = MemoryStore::new(Limits::default());
    let with_key = |client: Option<u128>, meaning: &str| {
        let key = IdempotencyKey::new("1").unwrap();
        let idempotency = Some(Idempotency { key, meaning: meaning.to_owned() });
        NewJob { client: client.map(ClientKey), idempotency, ..new(QueueClass::Short) }
    };
    let ids = [
        submit(&store, with_key(Some(1), "a")).await.unwrap(),
        submit(&store, with_key(Some(2), "a")).await.unwrap(),
        submit(&store, with_key(None, "a")).await.unwrap(),
    ];
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    for (client, id) in [Some(1), Some(2), None].into_iter().zip(ids) {
        assert_eq!(submit(&store, with_key(client, "a")).await, Ok(id));
        assert_eq!(submit(&store, with_key(client, "b")).await, Err(SubmitError::IdempotencyKeyReused));
    }
}

#[tokio::test]
async fn times_of_a_job_are_in_order_whatever_the_system_clock_does() {
    let (store, seconds) = store_with_clock(Limits::default());
    let id = submit(&store, new(QueueClass::Short)).await.unwrap();
    seconds.store(5, Ordering::Relaxed);
    store.claim(QueueClass::Short).unwrap();
    seconds.store(12, Ordering::Relaxed);
    store.finish(id, SUCCEEDED);
    let job = store.find(KIND, id).await.unwrap().borrow().clone();
    let record = &job.record;
    let after = |at: Option<Timestamp>| at.unwrap().duration_since(record.created_at).as_secs();
    assert_eq!((after(record.started_at), after(record.finished_at)), (5, 12));
    assert_eq!(job.elapsed(), Some(Duration::from_secs(7)));
}
