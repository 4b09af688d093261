//! What callers of [`Jobs`] get over any store.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use kibitz_jobs::{
    CancelReason, Ending, Failure, Job, JobId, Jobs, Json, Limits, NewJob, Prepared, QueueClass, Runner,
    Runners, Status, Work,
};

use crate::{KIND, LONG, Make, ask};

/// Prepares work of as many chunks as the request says, while preparation is not held up.
#[derive(Default)]
struct Counter {
    is_held_up: AtomicBool,
}

/// Counts its chunks, each of which takes 200 µs.
struct Counted {
    chunks: u64,
    done: AtomicU64,
}

impl Runner for Counter {
    fn prepare(&self, request: &Json, _seed: u64) -> Result<Arc<dyn Work>, Failure> {
        while self.is_held_up.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        let chunks = request.read().map_err(|_| Failure::internal())?;
        Ok(Arc::new(Counted { chunks, done: AtomicU64::new(0) }))
    }
}

impl Work for Counted {
    fn chunks(&self) -> u64 {
        self.chunks
    }

    fn run_chunk(&self, _chunk: u64) -> u64 {
        thread::sleep(Duration::from_micros(200));
        self.done.fetch_add(1, Ordering::SeqCst);
        1
    }

    fn result_so_far(&self) -> Option<Json> {
        Json::of(&self.done).ok()
    }
}

fn start<S: Make>(limits: Limits) -> (Jobs<S>, Arc<Counter>) {
    let counter = Arc::new(Counter::default());
    let runner: Arc<dyn Runner> = counter.clone();
    (Jobs::start(S::tested(limits).store, Runners::from([(KIND, runner)]), 2).unwrap(), counter)
}

fn counting(chunks: u64) -> NewJob {
    let (request, class) = (Json::of(&chunks).unwrap(), QueueClass::Long);
    NewJob { kind: KIND, request, seed: 0, total: chunks, class, client: None, idempotency: None }
}

async fn submit<S: Make>(jobs: &Jobs<S>, chunks: u64) -> JobId {
    ask!(jobs.submit(counting(chunks))).unwrap().job.record.id
}

async fn end_of<S: Make>(jobs: &Jobs<S>, id: JobId) -> Job {
    let job = ask!(jobs.wait_finished(KIND, id, LONG)).unwrap();
    assert!(job.is_finished());
    job
}

async fn wait_until<S: Make>(jobs: &Jobs<S>, id: JobId, is_so: impl Fn(&Job) -> bool) {
    while !is_so(&ask!(jobs.find(KIND, id)).unwrap()) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

pub(crate) async fn job_runs_and_its_record_has_the_result<S: Make>() {
    let (jobs, _) = start::<S>(Limits::default());
    let mut ids = Vec::new();
    for chunks in 0..20 {
        ids.push(submit(&jobs, chunks).await);
    }
    for (chunks, id) in (0..).zip(ids) {
        let job = end_of(&jobs, id).await;
        assert_eq!((job.status(), job.progress().done), (Status::Succeeded, chunks));
        assert_eq!(job.result(), Json::of(&chunks).ok());
    }
    assert_eq!((jobs.counts().running, jobs.counts().finished), ([0; 3], 20));
}

pub(crate) async fn job_is_cancelled_in_each_state<S: Make>() {
    let (jobs, counter) = start::<S>(Limits { long: 2, ..Limits::default() });
    let running = submit(&jobs, u64::MAX).await;
    wait_until(&jobs, running, |job| job.progress().done > 0).await;
    counter.is_held_up.store(true, Ordering::Relaxed);
    let preparing = submit(&jobs, u64::MAX).await;
    wait_until(&jobs, preparing, |job| job.status() == Status::Running).await;
    let queued = submit(&jobs, 1).await;
    for id in [queued, preparing, running] {
        ask!(jobs.cancel(KIND, id)).unwrap();
        let job = end_of(&jobs, id).await;
        assert_eq!(job.record.ending(), Some(&Ending::Cancelled(CancelReason::Requested)));
        // What was done counts.
        let result = job.result().map_or(0, |result| result.read().unwrap());
        assert_eq!((result, result > 0), (job.progress().done, id == running));
    }
    counter.is_held_up.store(false, Ordering::Relaxed);
    let finished = submit(&jobs, 3).await;
    end_of(&jobs, finished).await;
    assert_eq!(ask!(jobs.cancel(KIND, finished)).unwrap().status(), Status::Succeeded);
    assert_eq!(jobs.counts().running, [0; 3]);
}

pub(crate) async fn cancelled_queued_job_drops_its_prepared_work<S: Make>() {
    let (jobs, _) = start::<S>(Limits { long: 1, ..Limits::default() });
    let running = submit(&jobs, u64::MAX).await;
    wait_until(&jobs, running, |job| job.progress().done > 0).await;
    for is_deleted in [false, true] {
        let mut held = Weak::new();
        let mut prepared = || -> Prepared {
            let work = Arc::new(Counted { chunks: 1, done: AtomicU64::new(0) });
            held = Arc::downgrade(&work);
            Box::new(move || work)
        };
        let id = ask!(jobs.submit_prepared(counting(1), prepared())).unwrap().job.record.id;
        assert_eq!(held.strong_count(), 1);
        if is_deleted {
            ask!(jobs.delete(KIND, id)).unwrap();
        } else {
            ask!(jobs.cancel(KIND, id)).unwrap();
        }
        assert_eq!(held.strong_count(), 0);
    }
}

pub(crate) async fn numbers_of_events_never_fall<S: Make>() {
    let (jobs, _) = start::<S>(Limits::default());
    for is_deleted in [false, true] {
        let id = submit(&jobs, if is_deleted { u64::MAX } else { 3_000 }).await;
        let mut last = None;
        // Every connection ends after two events, until the last event has come.
        'connections: loop {
            let mut events = ask!(jobs.subscribe(KIND, id, last)).unwrap();
            for _ in 0..2 {
                let Some(event) = events.next().await else { break 'connections };
                assert!(last.is_none_or(|last| event.number >= last), "{last:?}, then {}", event.number);
                last = Some(event.number);
                if event.job.is_finished() {
                    assert_eq!(event.name(), if is_deleted { "cancelled" } else { "succeeded" });
                    break 'connections;
                }
                if is_deleted && event.progress.done > 0 {
                    ask!(jobs.delete(KIND, id)).unwrap();
                    let end = events.next().await.unwrap();
                    assert!(end.number > event.number && end.job.is_finished());
                    break 'connections;
                }
            }
        }
    }
}

pub(crate) async fn shut_down_ends_all_threads<S: Make>() {
    let (jobs, _) = start::<S>(Limits::default());
    let running = submit(&jobs, u64::MAX).await;
    wait_until(&jobs, running, |job| job.progress().done > 0).await;
    jobs.shut_down();
    assert!(jobs.join(LONG).await);
}
