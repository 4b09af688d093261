//! A job from its submission to its end, however it ends.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::made_up::{KIND, LONG, Outcome, Preparation, Script, Service};
use jiff::Timestamp;
use kibitz::jobs::{
    CancelReason, Ending, Failure, FindError, Json, Limits, NewJob, Prepared, Progress, QueueClass, Status,
    SubmitError, Work,
};

fn service(threads: usize) -> Service {
    Service::new(Limits::default(), threads)
}

#[tokio::test]
async fn a_job_is_queued_then_runs_then_has_succeeded() {
    let service = service(1);
    let before = Timestamp::now();
    let gated = service.start(Script { gate_at: Some(1), ..Script::of(3) }).await;
    let submitted = service.jobs.find(KIND, gated).await.unwrap();
    assert_eq!((submitted.record.id, &*submitted.record.kind, submitted.record.total), (gated, KIND, 3));
    service.beginning_of(gated).await;

    let running = service.jobs.find(KIND, gated).await.unwrap();
    assert_eq!((running.status(), running.progress()), (Status::Running, Progress { done: 1, total: 3 }));
    assert_eq!((running.record.finished_at, running.record.ending()), (None, None));
    // A result may be a moment older than the progress.
    let result_so_far =
        async || service.jobs.find(KIND, gated).await.unwrap().result().unwrap().read::<Outcome>();
    while result_so_far().await.unwrap().done == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(result_so_far().await.unwrap().done, 1);
    drop((submitted, running));

    service.gate.open();
    let job = service.end_of(gated).await;
    assert_eq!((job.status(), job.progress()), (Status::Succeeded, Progress { done: 3, total: 3 }));
    assert_eq!(job.result().unwrap().read::<Outcome>().unwrap().done, 3);
    let (started, finished) = (job.record.started_at.unwrap(), job.record.finished_at.unwrap());
    assert!(before <= job.record.created_at && job.record.created_at <= started && started <= finished);
    assert_eq!(job.elapsed(), Some(finished.duration_since(started).unsigned_abs()));
    service.work_is_let_go().await;
}

#[tokio::test]
async fn a_flood_of_small_jobs_leaves_long_ones_a_third_of_the_time() {
    let service = service(1);
    let long = service.start(Script::endless()).await;
    let done = async || service.jobs.find(KIND, long).await.unwrap().progress().done;
    // Its own head start is over.
    while done().await < 60 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let small = Script { chunks: 10, ..Script::endless() };
    let mut flood = Vec::new();
    for _ in 0..100 {
        flood.push(service.start_in(QueueClass::Short, small).await);
    }
    let before = done().await;
    for id in &flood {
        assert_eq!(service.end_of(*id).await.status(), Status::Succeeded);
    }
    // Chunks of both take as long. A third of all is half of what the flood has; less its first 20 ms, and some noise.
    let had = done().await - before;
    assert!(had > 350, "{had} chunks beside 1,000 of the flood");
}

#[tokio::test]
async fn deleted_job_keeps_its_permit_until_its_work_is_dropped() {
    let service = service(2);
    let gated = Script { gate_at: Some(1), ..Script::of(2) };
    let first = service.start_in(QueueClass::Alone, gated).await;
    service.beginning_of(first).await;
    let second = service.start_in(QueueClass::Alone, Script::of(1)).await;
    service.jobs.delete(KIND, first).await.unwrap();
    assert_eq!(service.jobs.find(KIND, first).await.unwrap_err(), FindError::Unknown);
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(service.jobs.find(KIND, second).await.unwrap().status(), Status::Queued);
    assert_eq!(service.jobs.counts().running, [0, 0, 1]);
    service.gate.open();
    assert_eq!(service.end_of(second).await.status(), Status::Succeeded);
    assert_eq!(service.jobs.counts().running, [0; 3]);
    service.work_is_let_go().await;
}

#[tokio::test]
async fn nobody_renders_the_result_of_a_deleted_job() {
    let service = service(1);
    let id = service.start(Script { gate_at: Some(1), ..Script::of(9) }).await;
    service.beginning_of(id).await;
    let before = service.renderings();
    service.jobs.delete(KIND, id).await.unwrap();
    service.gate.open();
    service.work_is_let_go().await;
    assert_eq!(service.renderings(), before);
}

#[tokio::test]
async fn results_are_rendered_only_when_somebody_asks() {
    let service = service(2);
    let id = service.start(Script::of(5_000)).await;
    let result = service.end_of(id).await.result().unwrap();
    assert_eq!(result.read::<Outcome>().unwrap().renderings, 1);
    let again = service.jobs.find(KIND, id).await.unwrap().result().unwrap();
    assert_eq!(again, result);
}

#[tokio::test]
async fn a_job_without_chunks_succeeds() {
    let service = service(1);
    let id = service.start(Script::of(0)).await;
    assert_eq!(service.end_of(id).await.status(), Status::Succeeded);
}

#[tokio::test]
async fn threads_share_one_job() {
    let service = service(4);
    let id = service.start(Script { micros: 100, ..Script::of(300) }).await;
    let outcome: Outcome = service.end_of(id).await.result().unwrap().read().unwrap();
    assert_eq!(outcome.done, 300);
}

#[tokio::test]
async fn job_that_runs_alone_uses_no_worker_thread() {
    let service = service(1);
    let alone = service.start_in(QueueClass::Alone, Script::endless()).await;
    service.beginning_of(alone).await;
    let blocked = service.start(Script { gate_at: Some(0), ..Script::of(1) }).await;
    service.claim_of(blocked).await;
    let done = service.jobs.find(KIND, alone).await.unwrap().progress().done;
    while service.jobs.find(KIND, alone).await.unwrap().progress().done < done + 10 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let job = service.jobs.cancel(KIND, alone).await.unwrap();
    assert_eq!(job.record.ending(), Some(&Ending::Cancelled(CancelReason::Requested)));
    let outcome: Outcome = job.result().unwrap().read().unwrap();
    assert_eq!(outcome.done, job.progress().done);
    service.gate.open();
    service.end_of(blocked).await;
    service.work_is_let_go().await;
}

#[tokio::test]
async fn job_past_its_time_limit_is_cancelled_and_keeps_what_was_counted() {
    let service = Service::new(Limits { run_time: Duration::from_millis(50), ..Limits::default() }, 1);
    for class in QueueClass::ALL {
        let id = service.start_in(class, Script::endless()).await;
        let job = service.end_of(id).await;
        assert_eq!(job.record.ending(), Some(&Ending::Cancelled(CancelReason::TimeLimit)));
        let outcome: Outcome = job.result().unwrap().read().unwrap();
        assert!(outcome.done > 0 && outcome.done == job.progress().done);
        assert!(job.elapsed().unwrap() >= Duration::from_millis(50));
    }
    service.work_is_let_go().await;
}

/// Its chunks do nothing.
struct Nothing;

impl Work for Nothing {
    fn chunks(&self) -> u64 {
        3
    }

    fn run_chunk(&self, _chunk: u64) -> u64 {
        1
    }

    fn result_so_far(&self) -> Option<Json> {
        Json::of(&"prepared").ok()
    }
}

#[tokio::test]
async fn prepared_work_runs_without_its_runner() {
    let service = service(1);
    let prepared: Prepared = Box::new(|| Arc::new(Nothing));
    // The runner itself would fail.
    let script = Script { preparation: Preparation::Panics, ..Script::of(3) };
    let id = service.jobs.submit_prepared(script.submission(), prepared).await.unwrap().job.record.id;
    assert_eq!(service.end_of(id).await.result(), Json::of(&"prepared").ok());
}

#[tokio::test]
async fn job_whose_prepared_work_is_not_held_is_prepared_by_its_runner() {
    let service = Service::new(Limits { long: 1, ..Limits::default() }, 1);
    let first = service.start(Script { gate_at: Some(0), ..Script::of(1) }).await;
    service.claim_of(first).await;
    let (mut ids, alive) = (Vec::new(), Arc::new(()));
    for _ in 0..20 {
        let held = Arc::clone(&alive);
        let prepared: Prepared = Box::new(move || {
            drop(held);
            Arc::new(Nothing)
        });
        let submitted = service.jobs.submit_prepared(Script::of(3).submission(), prepared).await.unwrap();
        ids.push(submitted.job.record.id);
    }
    // Few of them are held while they wait.
    assert!(Arc::strong_count(&alive) < 12, "{}", Arc::strong_count(&alive));
    service.gate.open();
    for id in ids {
        assert_eq!(service.end_of(id).await.progress().done, 3);
    }
    assert_eq!(Arc::strong_count(&alive), 1);
}

#[tokio::test]
async fn a_job_fails_alone_when_it_panics_or_cannot_be_prepared() {
    let service = service(2);
    let in_chunk = service.start(Script { panics_at: Some(2), ..Script::of(100) }).await;
    let in_preparation = service.start(Script { preparation: Preparation::Panics, ..Script::of(1) }).await;
    let refused = service.start(Script { preparation: Preparation::Refuses, ..Script::of(1) }).await;
    for id in [in_chunk, in_preparation] {
        let job = service.end_of(id).await;
        assert_eq!(job.record.ending(), Some(&Ending::Failed(Failure::internal())));
        assert_eq!(job.result(), None);
    }
    let refused = service.end_of(refused).await;
    assert!(matches!(refused.record.ending(), Some(Ending::Failed(failure)) if failure.code == "too_odd"));
    let unknown = NewJob { kind: "unheard_of", ..Script::of(1).submission() };
    let unknown = service.jobs.submit(unknown).await.unwrap().job.record.id;
    let unknown = service.jobs.wait_finished("unheard_of", unknown, LONG).await.unwrap();
    assert_eq!(unknown.status(), Status::Failed);

    let next = service.start(Script::of(100)).await;
    assert_eq!(service.end_of(next).await.status(), Status::Succeeded);
    assert_eq!(service.jobs.counts().running, [0; 3]);
    service.work_is_let_go().await;
}

#[tokio::test]
async fn cancelling_a_queued_job_is_immediate() {
    let service = Service::new(Limits { long: 1, ..Limits::default() }, 1);
    let first = service.start(Script::endless()).await;
    let second = service.start(Script::of(1)).await;
    service.claim_of(first).await;
    let job = service.jobs.cancel(KIND, second).await.unwrap();
    assert_eq!(job.record.ending(), Some(&Ending::Cancelled(CancelReason::Requested)));
    assert_eq!((job.record.started_at, job.result(), job.progress().done), (None, None, 0));
}

#[tokio::test]
async fn cancelling_a_running_job_keeps_what_was_counted() {
    let service = service(2);
    let id = service.start(Script::endless()).await;
    service.beginning_of(id).await;
    let job = service.jobs.cancel(KIND, id).await.unwrap();
    assert_eq!(job.record.ending(), Some(&Ending::Cancelled(CancelReason::Requested)));
    let outcome: Outcome = job.result().unwrap().read().unwrap();
    // Every chunk that was started counts.
    assert_eq!(outcome.done, job.progress().done);
    assert!(outcome.done > 0);

    let again = service.jobs.cancel(KIND, id).await.unwrap();
    assert_eq!((again.record.finished_at, again.result()), (job.record.finished_at, job.result()));
    service.work_is_let_go().await;
}

#[tokio::test]
async fn a_cancel_waits_for_no_other_job() {
    let service = service(1);
    let running = service.start(Script::endless()).await;
    service.beginning_of(running).await;
    let preparing =
        service.start(Script { preparation: Preparation::WaitsForTheGate, ..Script::of(1) }).await;
    service.claim_of(preparing).await;
    for id in [running, preparing] {
        assert_eq!(service.jobs.cancel(KIND, id).await.unwrap().status(), Status::Cancelled);
    }
    service.gate.open();
    let next = service.start(Script::of(1)).await;
    assert_eq!(service.end_of(next).await.status(), Status::Succeeded);
    assert_eq!(service.jobs.counts().running, [0; 3]);
    service.work_is_let_go().await;
}

#[tokio::test]
async fn long_preparation_delays_no_job_of_another_class() {
    let service = service(1);
    let preparing =
        service.start(Script { preparation: Preparation::WaitsForTheGate, ..Script::of(1) }).await;
    service.claim_of(preparing).await;
    for class in [QueueClass::Short, QueueClass::Alone] {
        let other = service.start_in(class, Script::of(10)).await;
        assert_eq!(service.end_of(other).await.status(), Status::Succeeded);
    }
    assert_eq!(service.jobs.find(KIND, preparing).await.unwrap().status(), Status::Running);
    service.gate.open();
    service.end_of(preparing).await;
}

#[tokio::test]
async fn a_small_job_gets_through_among_many_endless_ones() {
    let service = service(1);
    let mut endless = Vec::new();
    for _ in 0..50 {
        endless.push(service.start(Script::endless()).await);
    }
    for &id in &endless {
        service.beginning_of(id).await;
    }
    let done = async || {
        let mut done = 0;
        for &id in &endless {
            done += service.jobs.find(KIND, id).await.unwrap().progress().done;
        }
        done
    };
    // Let all of them have had their start.
    while done().await < 50 * 45 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let before = done().await;
    let small = service.start(Script::of(100)).await;
    service.end_of(small).await;
    let meanwhile = done().await - before;
    assert!(meanwhile < 50, "{meanwhile} chunks of others went first");
}

#[tokio::test]
async fn a_look_soon_after_another_renders_nothing() {
    let service = service(1);
    let id = service.start(Script::endless()).await;
    service.beginning_of(id).await;
    let renderings = async || {
        let result = service.jobs.find(KIND, id).await.unwrap().result().unwrap();
        result.read::<Outcome>().unwrap().renderings
    };
    let before = renderings().await;
    let asked = Instant::now();
    for _ in 0..200 {
        renderings().await;
    }
    let rendered = renderings().await - before;
    // A tenth of a second each.
    assert!(rendered <= asked.elapsed().as_millis() as u64 / 100 + 1, "{rendered}");
}

#[tokio::test]
async fn a_finished_job_stays_as_it_is_when_cancelled() {
    let service = service(1);
    let id = service.start(Script::of(1)).await;
    service.end_of(id).await;
    assert_eq!(service.jobs.cancel(KIND, id).await.unwrap().status(), Status::Succeeded);
}

#[tokio::test]
async fn a_deleted_job_stops_and_is_forgotten() {
    let service = Service::new(Limits { long: 1, ..Limits::default() }, 1);
    let finished = service.start(Script::of(1)).await;
    service.end_of(finished).await;
    let running = service.start(Script::endless()).await;
    service.beginning_of(running).await;
    let queued = service.start(Script::of(1)).await;
    for id in [queued, running, finished] {
        service.jobs.delete(KIND, id).await.unwrap();
        assert_eq!(service.jobs.find(KIND, id).await.unwrap_err(), FindError::Unknown);
        assert_eq!(service.jobs.delete(KIND, id).await.unwrap_err(), FindError::Unknown);
        assert_eq!(service.jobs.cancel(KIND, id).await.unwrap_err(), FindError::Unknown);
    }
    let next = service.start(Script::of(1)).await;
    service.end_of(next).await;
    service.work_is_let_go().await;
}

#[tokio::test]
async fn a_job_of_another_kind_is_absent() {
    let service = service(1);
    let id = service.start(Script::endless()).await;
    assert_eq!(service.jobs.find("other", id).await.unwrap_err(), FindError::Unknown);
    assert_eq!(service.jobs.cancel("other", id).await.unwrap_err(), FindError::Unknown);
    assert_eq!(service.jobs.delete("other", id).await.unwrap_err(), FindError::Unknown);
    assert!(!service.jobs.find(KIND, id).await.unwrap().is_finished());
}

#[tokio::test]
async fn waiting_ends_with_the_limit() {
    let service = service(1);
    let id = service.start(Script::endless()).await;
    let job = service.jobs.wait_finished(KIND, id, Duration::from_millis(20)).await.unwrap();
    assert!(!job.is_finished());
}

#[tokio::test]
async fn a_small_job_overtakes_a_huge_one() {
    let service = service(1);
    let huge = service.start(Script { micros: 5_000, ..Script::endless() }).await;
    service.beginning_of(huge).await;
    let done_before = service.jobs.find(KIND, huge).await.unwrap().progress().done;
    let small = service.start(Script::of(200)).await;
    service.end_of(small).await;
    let done_meanwhile = service.jobs.find(KIND, huge).await.unwrap().progress().done - done_before;
    // In turns, it would have waited for 200 chunks of the other.
    assert!(done_meanwhile < 20, "{done_meanwhile}");
}

#[tokio::test]
async fn a_newcomer_does_not_make_up_for_the_time_before_it_came() {
    let service = service(1);
    let old = service.start(Script { micros: 1_000, ..Script::endless() }).await;
    while service.jobs.find(KIND, old).await.unwrap().progress().done < 100 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let new = service.start(Script { micros: 1_000, ..Script::endless() }).await;
    service.beginning_of(new).await;
    let before = service.jobs.find(KIND, old).await.unwrap().progress().done;
    while service.jobs.find(KIND, new).await.unwrap().progress().done < 40 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let meanwhile = service.jobs.find(KIND, old).await.unwrap().progress().done - before;
    assert!(meanwhile > 10, "{meanwhile}");
}

#[tokio::test]
async fn shutdown_stops_everything() {
    let service = Service::new(Limits { long: 2, ..Limits::default() }, 2);
    let done = service.start(Script::of(1)).await;
    service.end_of(done).await;
    let running = service.start(Script::endless()).await;
    service.beginning_of(running).await;
    let preparing =
        service.start(Script { preparation: Preparation::WaitsForTheGate, ..Script::of(1) }).await;
    service.claim_of(preparing).await;
    let queued = service.start(Script::of(1)).await;

    service.jobs.shut_down();
    for id in [running, preparing, queued] {
        let job = service.end_of(id).await;
        assert_eq!(job.record.ending(), Some(&Ending::Cancelled(CancelReason::Shutdown)));
    }
    assert_eq!(service.jobs.find(KIND, done).await.unwrap().status(), Status::Succeeded);
    let refused = service.jobs.submit(Script::of(1).submission()).await.unwrap_err();
    assert_eq!(refused, SubmitError::ShuttingDown);

    // A preparation cannot be interrupted: joining does not wait for ever.
    assert!(!service.jobs.join(Duration::from_millis(20)).await);
    service.gate.open();
    assert!(service.jobs.join(LONG).await);
    service.work_is_let_go().await;
}

#[tokio::test]
async fn thousand_jobs_at_once_are_accepted_or_rejected() {
    let limits = Limits { queued: 100, long: 4, ..Limits::default() };
    let service = Service::new(limits, 2);
    let mut taken = Vec::new();
    let mut refused = 0;
    for _ in 0..1_000 {
        match service.jobs.submit(Script { micros: 300, ..Script::of(3) }.submission()).await {
            Ok(submitted) => taken.push(submitted.job.record.id),
            Err(error) => {
                assert_eq!(error, SubmitError::QueueFull);
                refused += 1;
            }
        }
        let counts = service.jobs.counts();
        let long = QueueClass::Long as usize;
        assert!(counts.queued[long] <= 100 && counts.running[long] <= 4, "{counts:?}");
    }
    assert!(taken.len() >= 100 && refused > 0, "{} taken", taken.len());
    for id in taken {
        assert_eq!(service.end_of(id).await.status(), Status::Succeeded);
    }
    service.work_is_let_go().await;
}
