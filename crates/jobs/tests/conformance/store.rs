//! What a store promises without a pool.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use kibitz_jobs::{
    CancelReason, ClientKey, Counts, Ending, FindError, Idempotency, IdempotencyKey, Job, Limits, ListQuery,
    NewJob, QueueClass, Status, Store, SubmitError,
};
use tokio::time::timeout;

use crate::{KIND, LONG, Make, Tested, ask, new};

fn with_key(client: Option<u128>, meaning: &str) -> NewJob {
    let key = IdempotencyKey::new("1").unwrap();
    let idempotency = Some(Idempotency { key, meaning: meaning.to_owned() });
    NewJob { client: client.map(ClientKey), idempotency, ..new(QueueClass::Short) }
}

pub(crate) async fn same_key_and_meaning_return_the_same_job<S: Make>() {
    let tested = S::tested(Limits { keep: Duration::from_secs(60), ..Limits::default() });
    let submit = async |new: NewJob| ask!(tested.store.submit(kibitz_jobs::JobId::random(), new.clone()));
    let first = submit(with_key(None, "a")).await.unwrap();
    // The meaning counts, not the seed that was drawn.
    let again = submit(NewJob { seed: 1, ..with_key(None, "a") }).await.unwrap();
    assert_eq!((first.is_new, again.is_new, again.job), (true, false, first.job.clone()));
    assert_eq!(submit(with_key(None, "b")).await.unwrap_err(), SubmitError::IdempotencyKeyReused);
    // A key lives as long as its job.
    tested.delete(first.job.id).await.unwrap();
    let second = submit(with_key(None, "b")).await.unwrap();
    assert!(second.is_new && second.job.number > first.job.number);
    tested.cancel(second.job.id).await.unwrap();
    tested.seconds.store(60, Ordering::Relaxed);
    assert!(submit(with_key(None, "a")).await.unwrap().is_new);
}

pub(crate) async fn idempotency_key_belongs_to_its_client<S: Make>() {
    let tested = S::tested(Limits::default());
    let clients = [Some(1), Some(2), None];
    let mut ids = Vec::new();
    for client in clients {
        ids.push(tested.submit(with_key(client, "a")).await.unwrap());
    }
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    for (client, id) in clients.into_iter().zip(ids) {
        assert_eq!(tested.submit(with_key(client, "a")).await, Ok(id));
        assert_eq!(tested.submit(with_key(client, "b")).await, Err(SubmitError::IdempotencyKeyReused));
    }
}

pub(crate) async fn no_class_waits_for_another<S: Make>() {
    let tested = S::tested(Limits { queued: 2, short: 1, long: 2, ..Limits::default() });
    let submit = async |class| tested.submit(new(class)).await;
    for (class, permits) in [(QueueClass::Alone, 1), (QueueClass::Long, 2), (QueueClass::Short, 1)] {
        // All permits in use and the queue full, in this class and those before.
        let mut claimed = Vec::new();
        for _ in 0..permits {
            submit(class).await.unwrap();
            claimed.push(tested.claim_id(class).unwrap());
        }
        let queued = [submit(class).await.unwrap(), submit(class).await.unwrap()];
        assert_eq!(submit(class).await, Err(SubmitError::QueueFull));
        assert_eq!(tested.claim_id(class), None);
        // A permit is free when a job has ended.
        tested.finish(claimed[0]);
        assert_eq!(tested.claim_id(class), Some(queued[0]));
        assert_eq!(tested.claim_id(class), None);
        tested.finish(queued[0]);
        assert_eq!(tested.claim_id(class), Some(queued[1]));
        for _ in 0..2 {
            submit(class).await.unwrap();
        }
    }
    assert_eq!(tested.store.counts(), Counts { queued: [2; 3], running: [1, 2, 1], finished: 6 });
}

pub(crate) async fn one_client_gets_half_of_the_queue_and_of_the_permits<S: Make>() {
    let tested = S::tested(Limits { queued: 5, long: 3, ..Limits::default() });
    let of = |client| NewJob { client: Some(ClientKey(client)), ..new(QueueClass::Long) };
    let mut own = Vec::new();
    for _ in 0..3 {
        own.push(tested.submit(of(1)).await.unwrap());
    }
    assert_eq!(tested.submit(of(1)).await, Err(SubmitError::QueueFull));
    let other = tested.submit(of(2)).await.unwrap();
    // The third of the first client waits although a permit is free, and the other client's goes first.
    let claimed = [(); 3].map(|()| tested.claim_id(QueueClass::Long).unwrap());
    assert_eq!(claimed, [own[0], own[1], other]);
    tested.finish(other);
    assert_eq!(tested.claim_id(QueueClass::Long), None);
    tested.finish(own[0]);
    assert_eq!(tested.claim_id(QueueClass::Long), Some(own[2]));
}

pub(crate) async fn cancelled_job_ends_at_once_only_while_it_is_queued<S: Make>() {
    let tested = S::tested(Limits::default());
    let running = tested.submit(new(QueueClass::Long)).await.unwrap();
    let claim = tested.claim(QueueClass::Long).unwrap();
    let queued = tested.submit(new(QueueClass::Long)).await.unwrap();
    for id in [queued, running] {
        tested.cancel(id).await.unwrap();
    }
    let requested = Some(Ending::Cancelled(CancelReason::Requested));
    let record = tested.record(queued).await.unwrap();
    assert_eq!((record.ending().cloned(), record.started_at), (requested, None));
    assert_eq!(tested.claim_id(QueueClass::Long), None);
    let begun = Instant::now();
    while claim.token.get().is_none() && begun.elapsed() < LONG {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(claim.token.get(), Some(CancelReason::Requested));
    assert_eq!(tested.record(running).await.unwrap().status(), Status::Running);
    tested.finish(running);
    tested.cancel(running).await.unwrap();
    assert_eq!(tested.record(running).await.unwrap().status(), Status::Succeeded);
}

pub(crate) async fn deleted_job_is_unknown_and_keeps_its_permit_until_it_finishes<S: Make>() {
    let tested = S::tested(Limits { long: 1, ..Limits::default() });
    let running = tested.submit(new(QueueClass::Long)).await.unwrap();
    tested.claim(QueueClass::Long).unwrap();
    let queued = tested.submit(new(QueueClass::Long)).await.unwrap();
    let next = tested.submit(new(QueueClass::Long)).await.unwrap();
    for id in [queued, running] {
        let mut record = ask!(tested.store.find(KIND, id)).unwrap();
        tested.delete(id).await.unwrap();
        assert_eq!(tested.record(id).await.err(), Some(FindError::Unknown));
        assert_eq!(tested.delete(id).await, Err(FindError::Unknown));
        assert_eq!(tested.cancel(id).await, Err(FindError::Unknown));
        // The channel shows the end and closes.
        let closed = async { while record.changed().await.is_ok() {} };
        timeout(LONG, closed).await.unwrap();
        assert_eq!(record.borrow().ending(), Some(&Ending::Cancelled(CancelReason::Deleted)));
    }
    assert_eq!(tested.claim_id(QueueClass::Long), None);
    assert_eq!(tested.store.counts(), Counts { queued: [0, 1, 0], running: [0, 1, 0], finished: 0 });
    tested.finish(running);
    assert_eq!(tested.claim_id(QueueClass::Long), Some(next));
    assert_eq!(tested.record(running).await.err(), Some(FindError::Unknown));
}

pub(crate) async fn list_is_newest_first_and_continues_at_its_cursor<S: Make>() {
    let tested = S::tested(Limits::default());
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(tested.submit(new(QueueClass::Short)).await.unwrap());
    }
    tested.finish(tested.claim_id(QueueClass::Short).unwrap());
    let list = async |status, limit, after| {
        let page = ask!(tested.store.list(KIND, ListQuery { status, limit, after })).unwrap();
        (page.jobs.iter().map(|record| record.id).collect::<Vec<_>>(), page.next)
    };
    let (first, next) = list(None, 2, None).await;
    assert_eq!(first, [ids[4], ids[3]]);
    // What arrives or goes meanwhile shifts nothing.
    tested.submit(new(QueueClass::Short)).await.unwrap();
    tested.delete(ids[3]).await.unwrap();
    let next = next.unwrap().to_string().parse().ok();
    assert_eq!(list(None, 3, next).await, (vec![ids[2], ids[1], ids[0]], None));
    assert_eq!(list(Some(Status::Succeeded), 2, None).await, (vec![ids[0]], None));
    assert_eq!(list(Some(Status::Running), 2, None).await, (vec![], None));
    let other = ListQuery { status: None, limit: 9, after: None };
    assert!(ask!(tested.store.list("other", other)).unwrap().jobs.is_empty());
}

/// Runs a job to its end.
async fn run<S: Store>(tested: &Tested<S>, new: NewJob) -> Result<kibitz_jobs::JobId, SubmitError> {
    let id = tested.submit(new).await?;
    tested.finish(tested.claim_id(QueueClass::Short).unwrap());
    Ok(id)
}

pub(crate) async fn finished_job_expires_and_is_forgotten_later<S: Make>() {
    let limits = Limits { keep: Duration::from_secs(60), expired: 1, ..Limits::default() };
    let tested = S::tested(limits);
    let first = run(&tested, new(QueueClass::Short)).await.unwrap();
    let running = tested.submit(new(QueueClass::Long)).await.unwrap();
    tested.claim(QueueClass::Long).unwrap();
    tested.seconds.store(59, Ordering::Relaxed);
    let second = run(&tested, new(QueueClass::Short)).await.unwrap();
    assert!(tested.record(first).await.is_ok());
    tested.seconds.store(60, Ordering::Relaxed);
    assert_eq!(tested.record(first).await.err(), Some(FindError::Expired));
    assert_eq!(tested.cancel(first).await, Err(FindError::Expired));
    assert_eq!(tested.delete(first).await, Err(FindError::Expired));
    assert_eq!(ask!(tested.store.find("other", first)).err(), Some(FindError::Unknown));
    tested.seconds.store(119, Ordering::Relaxed);
    assert_eq!(tested.record(second).await.err(), Some(FindError::Expired));
    assert_eq!(tested.record(first).await.err(), Some(FindError::Unknown));
    assert_eq!(tested.record(running).await.unwrap().status(), Status::Running);
}

pub(crate) async fn recent_results_stay_and_new_jobs_are_rejected<S: Make>() {
    let tested = S::tested(Limits { finished: 4, ..Limits::default() });
    let of = |client| NewJob { client: Some(ClientKey(client)), ..new(QueueClass::Short) };
    let first = run(&tested, of(1)).await.unwrap();
    tested.seconds.store(20, Ordering::Relaxed);
    run(&tested, of(2)).await.unwrap();
    run(&tested, of(2)).await.unwrap();
    // The second client has its half, all have everything.
    let full = |seconds| Err(SubmitError::ResultsFull { retry_after: Duration::from_secs(seconds) });
    assert_eq!(run(&tested, of(2)).await, full(60));
    run(&tested, of(3)).await.unwrap();
    tested.seconds.store(59, Ordering::Relaxed);
    assert_eq!(run(&tested, of(4)).await, full(1));
    assert!(tested.record(first).await.is_ok());
    tested.seconds.store(60, Ordering::Relaxed);
    run(&tested, of(4)).await.unwrap();
    assert_eq!(tested.record(first).await.err(), Some(FindError::Expired));
}

pub(crate) async fn job_of_another_kind_is_unknown<S: Make>() {
    let tested = S::tested(Limits::default());
    let id = tested.submit(new(QueueClass::Short)).await.unwrap();
    assert_eq!(ask!(tested.store.find("other", id)).err(), Some(FindError::Unknown));
    assert_eq!(ask!(tested.store.cancel("other", id)), Err(FindError::Unknown));
    assert_eq!(ask!(tested.store.delete("other", id)), Err(FindError::Unknown));
    assert_eq!(tested.record(id).await.unwrap().status(), Status::Queued);
}

pub(crate) async fn shut_down_rejects_new_jobs_and_stops_the_others<S: Make>() {
    let tested = S::tested(Limits { long: 1, ..Limits::default() });
    let keyed = tested.submit(with_key(None, "a")).await.unwrap();
    tested.submit(new(QueueClass::Long)).await.unwrap();
    let claim = tested.claim(QueueClass::Long).unwrap();
    tested.store.shut_down();
    assert_eq!(tested.submit(new(QueueClass::Long)).await, Err(SubmitError::ShuttingDown));
    // A known key is still answered.
    assert_eq!(tested.submit(with_key(None, "a")).await, Ok(keyed));
    let shutdown = Some(Ending::Cancelled(CancelReason::Shutdown));
    assert_eq!(tested.record(keyed).await.unwrap().ending().cloned(), shutdown);
    let begun = Instant::now();
    while claim.token.get() != Some(CancelReason::Shutdown) {
        assert!(begun.elapsed() < LONG);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

pub(crate) async fn times_of_a_job_are_in_order<S: Make>() {
    let tested = S::tested(Limits::default());
    let id = tested.submit(new(QueueClass::Short)).await.unwrap();
    tested.seconds.store(5, Ordering::Relaxed);
    tested.claim(QueueClass::Short).unwrap();
    tested.seconds.store(12, Ordering::Relaxed);
    tested.finish(id);
    let record = tested.record(id).await.unwrap();
    let after = |at: Option<jiff::Timestamp>| at.unwrap().duration_since(record.created_at).as_secs();
    assert_eq!((after(record.started_at), after(record.finished_at)), (5, 12));
    let job = Job { record: record.clone(), live: None };
    assert_eq!(job.elapsed(), Some(Duration::from_secs(7)));
}
