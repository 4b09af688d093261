//! What a store keeps, for how long, and how it is listed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::made_up::{KIND, Script, Service};
use kibitz::jobs::{
    Clock, Counts, FindError, Json, Limits, ListQuery, MemoryStore, NewJob, QueueClass, Status, SubmitError,
};

/// A service whose clock does not move until it is set, in seconds.
fn service_with_clock(limits: Limits) -> (Service, Arc<AtomicU64>) {
    let (seconds, start) = (Arc::new(AtomicU64::new(0)), Instant::now());
    let own = Arc::clone(&seconds);
    let clock: Clock = Arc::new(move || start + Duration::from_secs(own.load(Ordering::Relaxed)));
    (Service::with_store(MemoryStore::with_clock(limits, clock), 1), seconds)
}

#[tokio::test]
async fn full_queue_rejects_new_jobs_and_drops_none() {
    let service = Service::new(Limits { queued: 2, long: 1, ..Limits::default() }, 1);
    let running = service.start(Script { gate_at: Some(0), ..Script::of(1) }).await;
    service.claim_of(running).await;
    let queued = [service.start(Script::of(1)).await, service.start(Script::of(1)).await];
    let refused = service.jobs.submit(Script::of(1).submission()).await.unwrap_err();
    assert_eq!(refused, SubmitError::QueueFull);
    assert_eq!(service.jobs.counts(), Counts { queued: [0, 2, 0], running: [0, 1, 0], finished: 0 });
    service.gate.open();
    for id in queued {
        assert_eq!(service.end_of(id).await.status(), Status::Succeeded);
    }
}

#[tokio::test]
async fn running_jobs_stay_within_the_limit() {
    let service = Service::new(Limits { long: 2, ..Limits::default() }, 4);
    let gated = Script { gate_at: Some(0), ..Script::of(1) };
    let first = [service.start(gated).await, service.start(gated).await];
    let third = service.start(gated).await;
    for id in first {
        service.claim_of(id).await;
    }
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(service.jobs.find(KIND, third).await.unwrap().status(), Status::Queued);
    assert_eq!(service.jobs.counts().running, [0, 2, 0]);
    service.gate.open();
    assert_eq!(service.end_of(third).await.status(), Status::Succeeded);
}

#[tokio::test]
async fn endless_jobs_that_fill_their_class_delay_no_other() {
    let service = Service::new(Limits { queued: 2, long: 2, ..Limits::default() }, 1);
    for endless in [service.start(Script::endless()).await, service.start(Script::endless()).await] {
        service.claim_of(endless).await;
    }
    let queued = [service.start(Script::endless()).await, service.start(Script::endless()).await];
    let refused = service.jobs.submit(Script::of(1).submission()).await.unwrap_err();
    assert_eq!(refused, SubmitError::QueueFull);
    for class in [QueueClass::Short, QueueClass::Alone, QueueClass::Short] {
        let other = service.start_in(class, Script::of(10)).await;
        assert_eq!(service.end_of(other).await.status(), Status::Succeeded);
    }
    for id in queued {
        assert_eq!(service.jobs.find(KIND, id).await.unwrap().status(), Status::Queued);
    }
}

#[tokio::test]
async fn the_oldest_finished_jobs_expire_when_there_are_too_many() {
    let (service, clock) = service_with_clock(Limits { finished: 2, expired: 1, ..Limits::default() });
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(service.start(Script::of(1)).await);
        service.end_of(ids[ids.len() - 1]).await;
        clock.fetch_add(30, Ordering::Relaxed);
    }
    // Of the expired, one is remembered.
    assert_eq!(service.jobs.find(KIND, ids[0]).await.unwrap_err(), FindError::Unknown);
    assert_eq!(service.jobs.find(KIND, ids[1]).await.unwrap_err(), FindError::Expired);
    assert_eq!(service.jobs.find("other", ids[1]).await.unwrap_err(), FindError::Unknown);
    assert_eq!(service.jobs.cancel(KIND, ids[1]).await.unwrap_err(), FindError::Expired);
    assert_eq!(service.jobs.delete(KIND, ids[1]).await.unwrap_err(), FindError::Expired);
    assert!(service.jobs.find(KIND, ids[2]).await.is_ok() && service.jobs.find(KIND, ids[3]).await.is_ok());
}

#[tokio::test]
async fn finished_jobs_expire_with_age_and_running_ones_never() {
    let (service, clock) = service_with_clock(Limits { keep: Duration::from_secs(60), ..Limits::default() });
    let finished = service.start(Script::of(1)).await;
    service.end_of(finished).await;
    let running = service.start(Script::endless()).await;
    service.claim_of(running).await;
    clock.store(59, Ordering::Relaxed);
    assert!(service.jobs.find(KIND, finished).await.is_ok());
    clock.store(60, Ordering::Relaxed);
    assert_eq!(service.jobs.find(KIND, finished).await.unwrap_err(), FindError::Expired);
    clock.store(100_000, Ordering::Relaxed);
    assert_eq!(service.jobs.find(KIND, running).await.unwrap().status(), Status::Running);
}

#[tokio::test]
async fn the_same_key_and_request_give_the_same_job() {
    let (service, clock) = service_with_clock(Limits { keep: Duration::from_secs(60), ..Limits::default() });
    let submission = Script::of(1).submission_with_key("k");
    let first = service.jobs.submit(submission.clone()).await.unwrap();
    assert!(first.is_new);
    service.end_of(first.job.record.id).await;

    // Another seed was drawn meanwhile, and the request was put otherwise: it is the meaning that counts.
    let put_otherwise = NewJob { seed: 1, request: Json::of(&Script::of(2)).unwrap(), ..submission.clone() };
    let again = service.jobs.submit(put_otherwise).await.unwrap();
    assert!(!again.is_new);
    assert_eq!((again.job.record.id, again.job.status()), (first.job.record.id, Status::Succeeded));

    let other = service.jobs.submit(Script::of(2).submission_with_key("k")).await.unwrap_err();
    assert_eq!(other, SubmitError::IdempotencyKeyReused);
    assert!(service.jobs.submit(Script::of(1).submission_with_key("k2")).await.unwrap().is_new);
    assert!(service.jobs.submit(Script::of(1).submission()).await.unwrap().is_new);

    // A key lives as long as its job.
    clock.store(60, Ordering::Relaxed);
    let later = service.jobs.submit(Script::of(2).submission_with_key("k")).await.unwrap();
    assert!(later.is_new);
    service.jobs.delete(KIND, later.job.record.id).await.unwrap();
    assert!(service.jobs.submit(submission).await.unwrap().is_new);
}

#[tokio::test]
async fn a_known_key_is_answered_when_the_queue_is_full_or_the_service_goes_down() {
    let service = Service::new(Limits { queued: 1, long: 1, ..Limits::default() }, 1);
    let running = service.start(Script::endless()).await;
    service.claim_of(running).await;
    let submission = Script::of(1).submission_with_key("k");
    let first = service.jobs.submit(submission.clone()).await.unwrap().job.record.id;
    assert_eq!(service.jobs.submit(submission.clone()).await.unwrap().job.record.id, first);
    service.jobs.shut_down();
    assert_eq!(service.jobs.submit(submission).await.unwrap().job.status(), Status::Cancelled);
}

#[tokio::test]
async fn the_list_is_newest_first_and_goes_on_where_it_stopped() {
    let service = Service::new(Limits { long: 1, ..Limits::default() }, 1);
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(service.start(Script::of(1)).await);
        service.end_of(ids[ids.len() - 1]).await;
    }
    ids.push(service.start(Script::endless()).await);
    service.claim_of(ids[3]).await;
    ids.push(service.start(Script::of(1)).await);

    let list = async |status, limit, after| {
        let page = service.jobs.list(KIND, ListQuery { status, limit, after }).await.unwrap();
        // The one that arrives later has no place in `ids`.
        let places: Vec<_> =
            page.jobs.iter().map(|job| ids.iter().position(|&id| id == job.record.id).unwrap_or(5)).collect();
        (places, page.next)
    };
    let (first, next) = list(None, 2, None).await;
    assert_eq!(first, [4, 3]);
    // What arrives or goes meanwhile shifts nothing.
    let late = service.start(Script::of(1)).await;
    service.jobs.delete(KIND, ids[3]).await.unwrap();
    let next = next.unwrap().to_string().parse().unwrap();
    let (second, next) = list(None, 3, Some(next)).await;
    assert_eq!((second, next), (vec![2, 1, 0], None));

    service.end_of(late).await;
    let after = "0000000000000003".parse().ok();
    assert_eq!(list(Some(Status::Succeeded), 2, after).await.0, [2, 1]);
    assert_eq!(list(Some(Status::Queued), 2, after).await, (vec![], None));
    assert_eq!(list(Some(Status::Running), 9, None).await, (vec![], None));
    assert!(
        service
            .jobs
            .list("other", ListQuery { status: None, limit: 9, after: None })
            .await
            .unwrap()
            .jobs
            .is_empty()
    );
}
