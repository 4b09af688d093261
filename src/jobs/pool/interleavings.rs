//! The store and the pool against a slow obvious model, in random interleavings. No thread runs: the test takes tasks
//! as threads would, holds several at a time, and runs them in any order.

#[path = "../../../tests/support/fuzz.rs"]
mod fuzz;
mod made_up;
mod model;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use proptest::prelude::*;

use super::{Piece, Task};
use crate::jobs::*;
use fuzz::fuzz;
use made_up::{MadeUpRunner, Script};
use model::{Known, Model, Place};

const KIND: &str = "made_up";
const LIMITS: Limits =
    Limits { queued: 3, short: 1, long: 2, finished: 4, keep: Duration::from_secs(10), expired: 3 };

#[derive(Debug, Clone)]
enum Step {
    Submit(Script, Option<u8>),
    /// A free thread takes a task.
    Take,
    /// The thread of a lane looks for a job to claim, if it is free.
    Look(Lane),
    /// A thread does the task that it took.
    Run(usize),
    Cancel(usize),
    Delete(usize),
    EndCancelled,
    /// Seconds pass.
    Pass(i64),
    ShutDown,
}

fn step() -> impl Strategy<Value = Step> {
    let some = |strategy| proptest::option::weighted(0.2, strategy);
    let parts = (proptest::option::weighted(0.4, 1u64..4), proptest::option::weighted(0.1, 0u64..3));
    let script = (0u64..5, some(0u64..4), some(1u64..4), parts, proptest::bool::weighted(0.1), 0usize..3);
    let script = script.prop_map(|(chunks, panics_at, barrier, (parts, panics_at_part), refuses, lane)| {
        Script { chunks, panics_at, barrier, parts: parts.unwrap_or(0), panics_at_part, refuses, lane }
    });
    let key = proptest::option::weighted(0.3, 0u8..3);
    prop_oneof![
        20 => (script, key).prop_map(|(script, key)| Step::Submit(script, key)),
        60 => Just(Step::Take),
        30 => proptest::sample::select(&Lane::ALL).prop_map(Step::Look),
        60 => (0usize..7).prop_map(Step::Run),
        10 => (0usize..12).prop_map(Step::Cancel),
        5 => (0usize..12).prop_map(Step::Delete),
        5 => Just(Step::EndCancelled),
        5 => (0i64..8).prop_map(Step::Pass),
        1 => Just(Step::ShutDown),
    ]
}

/// A task in the hands of a thread.
struct Held {
    /// Nothing where a job is to be claimed.
    task: Option<Task>,
    what: What,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    End(usize),
    Claim(Lane),
    Piece(usize, Piece),
}

struct Trial {
    jobs: Jobs,
    model: Model,
    clock: Arc<AtomicI64>,
    hands: Vec<Held>,
    runtime: tokio::runtime::Runtime,
}

impl Trial {
    fn new() -> Self {
        let clock = Arc::new(AtomicI64::new(0));
        let own = Arc::clone(&clock);
        let clock_of_store: Clock =
            Arc::new(move || Timestamp::from_second(own.load(Ordering::Relaxed)).unwrap());
        let runners = Runners::from([(KIND, Arc::new(MadeUpRunner) as Arc<dyn Runner>)]);
        let store = MemoryStore::with_clock(LIMITS, clock_of_store);
        Self {
            jobs: Jobs::start(store, runners, 0).unwrap(),
            model: Model::default(),
            clock,
            hands: Vec::new(),
            runtime: tokio::runtime::Builder::new_current_thread().build().unwrap(),
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Submit(script, key) => self.submit(script, key),
            Step::Take => self.take(),
            Step::Look(lane) => self.look(lane),
            Step::Run(hand) if hand < self.hands.len() => self.run(hand),
            Step::Cancel(number) if number < self.model.jobs.len() => {
                let id = self.model.jobs[number].id;
                let answer = self.runtime.block_on(self.jobs.store.cancel(KIND, id));
                assert_eq!(answer, self.model.is_there(number));
                if answer.is_ok() {
                    self.model.cancel(number, CancelReason::Requested);
                }
                self.jobs.pool.wake();
            }
            Step::Delete(number) if number < self.model.jobs.len() => {
                let id = self.model.jobs[number].id;
                let answer = self.runtime.block_on(self.jobs.store.delete(KIND, id));
                assert_eq!(answer, self.model.is_there(number));
                if answer.is_ok() {
                    let job = &mut self.model.jobs[number];
                    job.stop.get_or_insert(CancelReason::Deleted);
                    job.is_leaving = job.place == Place::Running;
                    job.place = Place::Gone;
                    self.model.finished.retain(|&finished| finished != number);
                }
                self.jobs.pool.wake();
            }
            Step::EndCancelled => {
                self.jobs.pool.end_cancelled_blocking();
                self.end_all();
            }
            Step::Pass(seconds) => {
                self.model.now += seconds;
                self.clock.store(self.model.now, Ordering::Relaxed);
            }
            Step::ShutDown => {
                self.jobs.shut_down();
                self.model.is_closed = true;
                for number in 0..self.model.jobs.len() {
                    if self.model.is_there(number).is_ok() {
                        self.model.cancel(number, CancelReason::Shutdown);
                    }
                }
                self.end_all();
            }
            Step::Run(_) | Step::Cancel(_) | Step::Delete(_) => {}
        }
        self.model.expire();
    }

    fn end_all(&mut self) {
        let jobs = &self.model.jobs;
        let mut ended: Vec<_> = (0..jobs.len()).filter(|&number| jobs[number].is_to_end()).collect();
        ended.sort_by_key(|&number| jobs[number].in_pool);
        for number in ended {
            self.model.end(number);
        }
    }

    fn submit(&mut self, script: Script, key: Option<u8>) {
        let request = Json::of(&script).unwrap();
        let idempotency = key.map(|key| Idempotency {
            key: IdempotencyKey::new(&key.to_string()).unwrap(),
            meaning: request.as_str().to_owned(),
        });
        let new =
            NewJob { kind: KIND, request, seed: 0, total: script.chunks, lane: script.lane(), idempotency };
        let answer = self.runtime.block_on(self.jobs.submit(new));
        let model = &mut self.model;
        let earlier = (0..model.jobs.len())
            .find(|&number| key.is_some() && model.jobs[number].key == key && model.is_there(number).is_ok());
        match earlier {
            Some(earlier) if model.jobs[earlier].script == script => {
                let submitted = answer.unwrap();
                assert_eq!((submitted.job.id, submitted.is_new), (model.jobs[earlier].id, false));
            }
            Some(_) => assert_eq!(answer.unwrap_err(), SubmitError::IdempotencyKeyReused),
            None if model.is_closed => assert_eq!(answer.unwrap_err(), SubmitError::ShuttingDown),
            None if model.waiting(script.lane()).len() == LIMITS.queued => {
                assert_eq!(answer.unwrap_err(), SubmitError::QueueFull);
            }
            None => {
                let submitted = answer.unwrap();
                assert!(submitted.is_new);
                assert_eq!(submitted.job.number, model.jobs.len() as u64);
                model.jobs.push(Known {
                    id: submitted.job.id,
                    script,
                    key,
                    place: Place::Queued,
                    next: 0,
                    in_flight: 0,
                    next_part: 0,
                    part_in_flight: false,
                    done: Vec::new(),
                    has_panicked: false,
                    stop: None,
                    in_pool: None,
                    is_leaving: false,
                });
            }
        }
    }

    fn take(&mut self) {
        if self.hands.iter().filter(|held| held.task.is_some()).count() == 4 {
            return;
        }
        let task = self.jobs.pool.lock().turns.pick();
        let jobs = &mut self.model.jobs;
        let to_end = jobs.iter().any(Known::is_to_end);
        let Some(task) = task else {
            let may_run = |job: &Known| job.may_run_chunk() || job.may_run_part();
            assert!(!to_end && !jobs.iter().any(may_run), "a task was there and not taken");
            return;
        };
        let what = match &task {
            Task::End(job) => {
                let number = job.number as usize;
                assert!(jobs[number].is_to_end());
                jobs[number].in_pool = None;
                What::End(number)
            }
            Task::Piece { number, piece, .. } => {
                let job = &mut jobs[*number as usize];
                assert!(!to_end);
                match *piece {
                    Piece::Chunk(chunk) => {
                        assert!(job.may_run_chunk() && job.next == chunk);
                        job.next += 1;
                        job.in_flight += 1;
                    }
                    Piece::Part(part) => {
                        assert!(job.may_run_part() && job.next_part == part);
                        job.next_part += 1;
                        job.part_in_flight = true;
                    }
                }
                What::Piece(*number as usize, *piece)
            }
        };
        self.hands.push(Held { task: Some(task), what });
    }

    fn look(&mut self, lane: Lane) {
        let claim_held = self.hands.iter().any(|held| held.what == What::Claim(lane));
        if claim_held {
            return;
        }
        if std::mem::take(&mut self.jobs.pool.lock().look[lane as usize]) {
            self.hands.push(Held { task: None, what: What::Claim(lane) });
        } else {
            let model = &self.model;
            let may_claim = !model.waiting(lane).is_empty() && model.running(lane) < Model::places(lane);
            assert!(!may_claim, "a job waits and none takes it");
        }
    }

    /// Whether there was anything left to do, which now is in hand.
    fn takes_anything(&mut self) -> bool {
        self.take();
        Lane::ALL.into_iter().for_each(|lane| self.look(lane));
        !self.hands.is_empty()
    }

    fn run(&mut self, hand: usize) {
        let Held { task, what } = self.hands.remove(hand);
        match task {
            Some(task) => {
                self.jobs.pool.run(task);
            }
            None => {
                if let What::Claim(lane) = what {
                    self.jobs.pool.claim_one(lane);
                }
            }
        }
        let model = &mut self.model;
        match what {
            What::End(number) => model.end(number),
            What::Claim(lane) if model.running(lane) < Model::places(lane) => {
                if let Some(&oldest) = model.waiting(lane).first() {
                    model.claims += 1;
                    model.jobs[oldest].place = Place::Preparing;
                    if model.jobs[oldest].script.refuses {
                        model.finish(oldest, Ending::Failed(Failure::internal()), Vec::new());
                    } else {
                        model.jobs[oldest].place = Place::Running;
                        model.jobs[oldest].in_pool = Some(model.claims);
                    }
                }
            }
            What::Claim(_) => {}
            What::Piece(number, Piece::Part(part)) => {
                let job = &mut model.jobs[number];
                job.part_in_flight = false;
                job.has_panicked |= job.script.panics_at_part == Some(part);
            }
            What::Piece(number, Piece::Chunk(chunk)) => {
                let job = &mut model.jobs[number];
                job.in_flight -= 1;
                if job.script.panics_at == Some(chunk) {
                    job.has_panicked = true;
                } else {
                    job.done.push(chunk);
                    job.done.sort_unstable();
                }
            }
        }
    }

    fn compare(&self) {
        let model = &self.model;
        let counts = self.jobs.counts();
        assert_eq!(counts.queued, Lane::ALL.map(|lane| model.waiting(lane).len()));
        assert_eq!(counts.running, Lane::ALL.map(|lane| model.running(lane)));
        assert_eq!(counts.finished, model.finished.len());
        for (number, known) in model.jobs.iter().enumerate() {
            let found = self.runtime.block_on(self.jobs.find(KIND, known.id));
            assert_eq!(found.as_ref().map(|_| ()), model.is_there(number).as_ref().map(|_| ()));
            let Ok(job) = found else { continue };
            let (status, done, ending) = match &known.place {
                Place::Queued => (Status::Queued, None, None),
                Place::Running => (Status::Running, Some(known.done.clone()), None),
                Place::Finished { ending, done, .. } => (job.status(), Some(done.clone()), Some(ending)),
                other => panic!("{other:?} is not to be found"),
            };
            assert_eq!((job.status(), job.ending()), (status, ending));
            assert_eq!(job.progress().done, done.as_ref().map_or(0, |done| done.len() as u64));
            if let Some(result) = job.result() {
                let shown: Vec<u64> = result.read().unwrap();
                let done = done.unwrap();
                // A running job may show what was done a moment ago.
                let is_right = if status == Status::Running {
                    shown.iter().all(|chunk| done.contains(chunk))
                } else {
                    shown == done
                };
                assert!(is_right, "{shown:?} of {done:?}");
            } else {
                let is_empty = done.is_none_or(|done| done.is_empty());
                assert!(
                    matches!(status, Status::Queued | Status::Failed)
                        || (status == Status::Cancelled && is_empty)
                );
            }
        }
        self.compare_list();
    }

    fn compare_list(&self) {
        for status in [None, Some(Status::Queued), Some(Status::Cancelled)] {
            let mut listed = Vec::new();
            let mut query = ListQuery { status, limit: 2, after: None };
            loop {
                let page = self.runtime.block_on(self.jobs.list(KIND, query));
                listed.extend(page.jobs.iter().map(|job| job.id));
                assert!(page.next.is_none() || page.jobs.len() == 2);
                query.after = page.next;
                if query.after.is_none() {
                    break;
                }
            }
            let is_wanted = |known: &&Known| match (&known.place, status) {
                (Place::Expired | Place::Gone, _) => false,
                (_, None) => true,
                (place, Some(Status::Queued)) => *place == Place::Queued,
                (place, _) => matches!(place, Place::Finished { ending: Ending::Cancelled(_), .. }),
            };
            let expected: Vec<_> =
                self.model.jobs.iter().rev().filter(is_wanted).map(|known| known.id).collect();
            assert_eq!(listed, expected);
        }
    }
}

#[test]
fn fuzz_any_interleaving_is_as_the_model_says() {
    fuzz(1_500, &prop::collection::vec(step(), 1..120), |steps| {
        let mut trial = Trial::new();
        for step in steps {
            trial.step(step);
            trial.compare();
        }
        // Whatever happened, all comes to an end and nothing is left.
        while !trial.hands.is_empty() || trial.takes_anything() {
            trial.run(0);
            trial.model.expire();
            trial.compare();
        }
        for lane in Lane::ALL {
            assert_eq!(trial.model.running(lane) + trial.model.waiting(lane).len(), 0);
        }
    });
}
