//! The events of a job.

use std::time::{Duration, Instant};

use crate::made_up::{KIND, Script, Service};
use kibitz::jobs::{Event, Events, FindError, Limits, Status};

fn service() -> Service {
    Service::new(Limits { long: 1, ..Limits::default() }, 1)
}

async fn all(mut events: Events) -> Vec<Event> {
    let mut seen = Vec::new();
    while let Some(event) = events.next().await {
        seen.push(event);
    }
    assert!(events.is_over());
    seen
}

#[tokio::test]
async fn events_begin_at_once_and_end_with_the_job() {
    let service = service();
    let id = service.start(Script { micros: 1_000, ..Script::of(350) }).await;
    let started = Instant::now();
    let events = all(service.jobs.subscribe(KIND, id, None).await.unwrap()).await;
    let elapsed = started.elapsed();

    let (last, progress) = events.split_last().unwrap();
    assert_eq!((last.name(), last.progress.done), ("succeeded", 350));
    assert!(last.job.result().is_some());
    assert!(progress.iter().all(|event| event.name() == "progress"));
    assert!(events.is_sorted_by(|one, next| one.number < next.number));
    // One at the start, then at most ten a second.
    let most = 1 + elapsed.as_millis() as usize / 100;
    assert!((2..=most).contains(&progress.len()), "{} in {elapsed:?}", progress.len());
}

#[tokio::test]
async fn each_ending_has_its_event() {
    let service = service();
    let failing = service.start(Script { panics_at: Some(1), ..Script::of(2) }).await;
    let events = all(service.jobs.subscribe(KIND, failing, None).await.unwrap()).await;
    assert_eq!(events.last().unwrap().name(), "failed");

    let running = service.start(Script::endless()).await;
    let queued = service.start(Script::of(1)).await;
    let deleted = service.start(Script::of(1)).await;
    for id in [deleted, queued, running] {
        let mut events = service.jobs.subscribe(KIND, id, None).await.unwrap();
        assert_eq!(events.next().await.unwrap().name(), "progress");
        if id == deleted {
            service.jobs.delete(KIND, id).await.unwrap();
        } else {
            service.jobs.cancel(KIND, id).await.unwrap();
        }
        let events = all(events).await;
        assert_eq!(events.last().unwrap().name(), "cancelled");
        assert_eq!(events.iter().filter(|event| event.job.is_finished()).count(), 1);
    }
}

#[tokio::test]
async fn end_is_an_event_even_without_further_progress() {
    let service = service();
    let id = service.start(Script { gate_at: Some(1), panics_at: Some(1), ..Script::of(2) }).await;
    service.beginning_of(id).await;
    let mut events = service.jobs.subscribe(KIND, id, None).await.unwrap();
    let progress = events.next().await.unwrap();
    service.gate.open();
    let end = events.next().await.unwrap();
    assert_eq!((progress.progress.done, end.progress.done, end.name()), (1, 1, "failed"));
    assert!(end.number > progress.number);
}

#[tokio::test]
async fn a_late_listener_gets_the_end_alone() {
    let service = service();
    let id = service.start(Script::of(5)).await;
    service.end_of(id).await;
    for last in [None, Some(0), Some(3), Some(1 << 60)] {
        let events = all(service.jobs.subscribe(KIND, id, last).await.unwrap()).await;
        let names: Vec<_> = events.iter().map(Event::name).collect();
        assert_eq!(names, ["succeeded"], "{last:?}");
    }
}

#[tokio::test]
async fn client_that_has_seen_the_end_gets_no_more_events() {
    let service = service();
    let id = service.start(Script::of(5)).await;
    let end = all(service.jobs.subscribe(KIND, id, None).await.unwrap()).await.pop().unwrap();
    let mut events = service.jobs.subscribe(KIND, id, Some(end.number)).await.unwrap();
    assert!(events.is_over());
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn reconnecting_client_gets_the_current_state() {
    let service = service();
    let id = service.start(Script::endless()).await;
    service.beginning_of(id).await;
    let mut first = service.jobs.subscribe(KIND, id, None).await.unwrap();
    let seen = first.next().await.unwrap();
    drop(first);
    tokio::time::sleep(Duration::from_millis(30)).await;
    let mut second = service.jobs.subscribe(KIND, id, Some(seen.number)).await.unwrap();
    let now = second.next().await.unwrap();
    assert!(now.number > seen.number && now.job.status() == Status::Running);
}

#[tokio::test]
async fn reconnecting_client_gets_the_same_event_if_nothing_changed() {
    let service = service();
    service.start(Script::endless()).await;
    let queued = service.start(Script::of(1)).await;
    let seen = service.jobs.subscribe(KIND, queued, None).await.unwrap().next().await.unwrap();
    let mut events = service.jobs.subscribe(KIND, queued, Some(seen.number)).await.unwrap();
    assert!(!events.is_over());
    assert_eq!(events.next().await.unwrap().number, seen.number);
}

#[tokio::test]
async fn listeners_that_go_away_or_fall_asleep_cost_nothing() {
    let service = service();
    let id = service.start(Script { micros: 500, ..Script::of(100) }).await;
    let mut asleep = service.jobs.subscribe(KIND, id, None).await.unwrap();
    asleep.next().await.unwrap();
    for _ in 0..1_000 {
        let mut events = service.jobs.subscribe(KIND, id, None).await.unwrap();
        events.next().await.unwrap();
        // Gone in the middle of waiting for the next.
        let _ = tokio::time::timeout(Duration::ZERO, events.next()).await;
    }
    service.end_of(id).await;
    // The work itself is let go, although the sleeper has not looked yet.
    service.work_is_let_go().await;
    let rest = all(asleep).await;
    assert_eq!(rest.iter().map(Event::name).collect::<Vec<_>>(), ["succeeded"]);
}

#[tokio::test]
async fn shutdown_ends_the_events() {
    let service = service();
    let running = service.start(Script::endless()).await;
    let queued = service.start(Script::of(1)).await;
    let mut listeners = Vec::new();
    for id in [running, queued] {
        let events = service.jobs.subscribe(KIND, id, None).await.unwrap();
        listeners.push(tokio::spawn(all(events)));
    }
    service.beginning_of(running).await;
    service.jobs.shut_down();
    for listener in listeners {
        assert_eq!(listener.await.unwrap().last().unwrap().name(), "cancelled");
    }
}

#[tokio::test]
async fn unknown_job_has_no_events() {
    let service = service();
    let id = service.start(Script::of(1)).await;
    service.jobs.delete(KIND, id).await.unwrap();
    assert_eq!(service.jobs.subscribe(KIND, id, None).await.err(), Some(FindError::Unknown));
}
