//! The store and the pool against a slow, obvious model, in random interleavings. No thread runs: the test takes tasks as
//! threads would, holds several at a time, and runs them in any order.

#[path = "../../../../tests/support/fuzz.rs"]
mod fuzz;
mod made_up;
mod model;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::Task;
use crate::*;
use fuzz::fuzz;
use made_up::{MadeUpRunner, Script};
use model::{Known, Model, Place};

const KIND: &str = "made_up";
const LIMITS: Limits = Limits {
    queued: 3,
    short: 1,
    long: 2,
    finished: 4,
    keep: Duration::from_secs(100),
    expired: 3,
    run_time: Duration::from_secs(3_600),
};

#[derive(Debug, Clone)]
enum Step {
    Submit(Script, Option<u8>, Option<ClientKey>),
    /// A free thread takes a task.
    Take,
    /// The thread of a class looks for a job to claim, if it is free.
    Look(QueueClass),
    /// A thread does the task that it took.
    Run(usize),
    Cancel(usize),
    Delete(usize),
    /// Seconds pass.
    Pass(u64),
    ShutDown,
}

fn step() -> impl Strategy<Value = Step> {
    let class = proptest::sample::select(&QueueClass::ALL);
    let panics_at = proptest::option::weighted(0.2, 0u64..4);
    let script = (0u64..5, panics_at, proptest::bool::weighted(0.1), class);
    let script =
        script.prop_map(|(chunks, panics_at, refuses, class)| Script { chunks, panics_at, refuses, class });
    let key = proptest::option::weighted(0.3, 0u8..3);
    let client = proptest::option::of((0u128..2).prop_map(ClientKey));
    prop_oneof![
        20 => (script, key, client).prop_map(|(script, key, client)| Step::Submit(script, key, client)),
        60 => Just(Step::Take),
        30 => proptest::sample::select(&QueueClass::ALL).prop_map(Step::Look),
        60 => (0usize..7).prop_map(Step::Run),
        10 => (0usize..12).prop_map(Step::Cancel),
        5 => (0usize..12).prop_map(Step::Delete),
        5 => (0u64..50).prop_map(Step::Pass),
        1 => Just(Step::ShutDown),
    ]
}

/// A task in the hands of a thread.
enum Held {
    End(usize, Task),
    Chunk(usize, u64, Task),
    Claim(QueueClass),
}

struct Trial {
    jobs: Jobs,
    model: Model,
    clock: Arc<AtomicU64>,
    hands: Vec<Held>,
    runtime: tokio::runtime::Runtime,
}

impl Trial {
    fn new() -> Self {
        let (clock, start) = (Arc::new(AtomicU64::new(0)), Instant::now());
        let own = Arc::clone(&clock);
        let clock_of_store: Clock =
            Arc::new(move || start + Duration::from_secs(own.load(Ordering::Relaxed)));
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
            Step::Submit(script, key, client) => self.submit(script, key, client),
            Step::Take => self.take(),
            Step::Look(class) => self.look(class),
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
            }
            Step::Run(_) | Step::Cancel(_) | Step::Delete(_) => {}
        }
        self.model.expire();
    }

    fn submit(&mut self, script: Script, key: Option<u8>, client: Option<ClientKey>) {
        let request = Json::of(&script).unwrap();
        let idempotency = key.map(|key| Idempotency {
            key: IdempotencyKey::new(&key.to_string()).unwrap(),
            meaning: request.as_str().to_owned(),
        });
        let class = script.class;
        let new = NewJob { kind: KIND, request, seed: 0, total: script.chunks, class, client, idempotency };
        let answer = self.runtime.block_on(self.jobs.submit(new));
        let model = &mut self.model;
        let is_earlier = |job: &Known| key.is_some() && job.key == key && job.client == client;
        let earlier = (0..model.jobs.len())
            .find(|&number| is_earlier(&model.jobs[number]) && model.is_there(number).is_ok());
        match earlier {
            Some(earlier) if model.jobs[earlier].script == script => {
                let submitted = answer.unwrap();
                assert_eq!((submitted.job.record.id, submitted.is_new), (model.jobs[earlier].id, false));
            }
            Some(_) => assert_eq!(answer.unwrap_err(), SubmitError::IdempotencyKeyReused),
            None if model.is_closed => assert_eq!(answer.unwrap_err(), SubmitError::ShuttingDown),
            None if !model.has_room(&model.waiting(class), client, LIMITS.queued) => {
                assert_eq!(answer.unwrap_err(), SubmitError::QueueFull);
            }
            None if !model.has_room(&model.recent(), client, LIMITS.finished) => {
                let SubmitError::ResultsFull { retry_after } = answer.unwrap_err() else { panic!() };
                assert!(retry_after > Duration::ZERO && retry_after <= Limits::KEPT_AT_LEAST);
            }
            None => {
                let submitted = answer.unwrap();
                assert!(submitted.is_new);
                assert_eq!(submitted.job.record.number, model.jobs.len() as u64);
                model.jobs.push(Known {
                    id: submitted.job.record.id,
                    script,
                    key,
                    client,
                    place: Place::Queued,
                    next: 0,
                    in_flight: 0,
                    done: Vec::new(),
                    has_panicked: false,
                    stop: None,
                    in_pool: false,
                    is_leaving: false,
                });
            }
        }
    }

    fn take(&mut self) {
        if self.hands.iter().filter(|held| !matches!(held, Held::Claim(_))).count() == 4 {
            return;
        }
        let task = self.jobs.pool.lock().queue.pick(Instant::now());
        let jobs = &mut self.model.jobs;
        let to_end = jobs.iter().any(Known::is_to_end);
        let held = match task {
            None => {
                assert!(!to_end && !jobs.iter().any(Known::may_run_chunk), "a task was there and not taken");
                return;
            }
            Some(Task::End(job)) => {
                let number = job.claim.record.number as usize;
                assert!(jobs[number].is_to_end());
                jobs[number].in_pool = false;
                Held::End(number, Task::End(job))
            }
            Some(Task::Chunk { number, live, chunk, turn }) => {
                let job = &mut jobs[number as usize];
                assert!(!to_end && job.may_run_chunk() && job.next == chunk);
                job.next += 1;
                job.in_flight += 1;
                Held::Chunk(number as usize, chunk, Task::Chunk { number, live, chunk, turn })
            }
        };
        self.hands.push(held);
    }

    fn look(&mut self, class: QueueClass) {
        if self.hands.iter().any(|held| matches!(held, Held::Claim(held) if *held == class)) {
            return;
        }
        if std::mem::take(&mut self.jobs.pool.lock().look[class as usize]) {
            self.hands.push(Held::Claim(class));
        } else {
            assert_eq!(self.model.next(class), None, "a job waits and none takes it");
        }
    }

    /// Whether there was anything left to do, which now is in hand.
    fn takes_anything(&mut self) -> bool {
        self.take();
        QueueClass::ALL.into_iter().for_each(|class| self.look(class));
        !self.hands.is_empty()
    }

    fn run(&mut self, hand: usize) {
        let model = &mut self.model;
        match self.hands.remove(hand) {
            Held::End(number, task) => {
                self.jobs.pool.run(task);
                model.end(number);
            }
            Held::Chunk(number, chunk, task) => {
                self.jobs.pool.run(task);
                let job = &mut model.jobs[number];
                job.in_flight -= 1;
                job.run(chunk);
            }
            Held::Claim(class) => {
                let next = model.next(class);
                self.jobs.pool.claim_one(class);
                let Some(next) = next else { return };
                model.jobs[next].place = Place::Running;
                let script = model.jobs[next].script.clone();
                if script.refuses {
                    model.finish(next, Ending::Failed(Failure::internal()), Vec::new());
                    return;
                }
                model.jobs[next].in_pool = true;
                if class == QueueClass::Alone {
                    while model.jobs[next].may_run_chunk() {
                        let job = &mut model.jobs[next];
                        job.next += 1;
                        job.run(job.next - 1);
                    }
                    model.end(next);
                }
            }
        }
    }

    fn compare(&self) {
        let model = &self.model;
        let counts = self.jobs.counts();
        assert_eq!(counts.queued, QueueClass::ALL.map(|class| model.waiting(class).len()));
        assert_eq!(counts.running, QueueClass::ALL.map(|class| model.running(class).len()));
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
            assert_eq!((job.status(), job.record.ending()), (status, ending));
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
                let page = self.runtime.block_on(self.jobs.list(KIND, query)).unwrap();
                listed.extend(page.jobs.iter().map(|job| job.record.id));
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
        for class in QueueClass::ALL {
            assert_eq!(trial.model.running(class).len() + trial.model.waiting(class).len(), 0);
        }
    });
}
