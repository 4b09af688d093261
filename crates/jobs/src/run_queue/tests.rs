//! How much of the threads each job gets, on an imaginary machine whose clock is exact.

use super::*;
use crate::store::CancelToken;
use crate::{JobId, Json, QueueClass, Record, Work};

/// A number of chunks, none of which is run.
struct Chunks(u64);

impl Work for Chunks {
    fn chunks(&self) -> u64 {
        self.0
    }

    fn run_chunk(&self, _chunk: u64) -> u64 {
        unreachable!("time passes and nothing is done")
    }

    fn result_so_far(&self) -> Option<Json> {
        None
    }
}

const ENDLESS: u64 = u64::MAX;
const MILLISECOND: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);

struct Machine {
    queue: RunQueue,
    now: Instant,
    /// By thread: when it is free again, and the job and turn of its chunk.
    threads: Vec<Option<(Instant, usize, Turn)>>,
    jobs: Vec<Known>,
}

struct Known {
    live: Arc<Live>,
    token: CancelToken,
    chunk: Duration,
    had: Duration,
    ended: Option<Instant>,
}

impl Machine {
    fn new(threads: usize) -> Self {
        let threads = (0..threads).map(|_| None).collect();
        Self { queue: RunQueue::default(), now: Instant::now(), threads, jobs: Vec::new() }
    }

    fn start_with_limit(&mut self, chunks: u64, chunk: Duration, time_limit: Duration) -> usize {
        let number = self.jobs.len();
        let (live, token) = (Arc::new(Live::new(Arc::new(Chunks(chunks)))), CancelToken::default());
        let claim = Claim { record: Arc::new(record(number as u64)), time_limit, token: token.clone() };
        self.queue.push(Active::new(claim, Arc::clone(&live), self.now));
        self.jobs.push(Known { live, token, chunk, had: Duration::ZERO, ended: None });
        number
    }

    fn start(&mut self, chunks: u64, chunk: Duration) -> usize {
        self.start_with_limit(chunks, chunk, Duration::MAX)
    }

    /// Gives every free thread a task, then lets time pass until the next one is free.
    fn step(&mut self) {
        for thread in &mut self.threads {
            while thread.is_none() {
                match self.queue.pick(self.now) {
                    Some(Task::End(job)) => {
                        self.jobs[job.claim.record.number as usize].ended = Some(self.now)
                    }
                    Some(Task::Chunk { number, turn, .. }) => {
                        let number = number as usize;
                        *thread = Some((self.now + self.jobs[number].chunk, number, turn));
                    }
                    None => break,
                }
            }
        }
        let busy = self.threads.iter().flatten().map(|(until, ..)| *until).min();
        let next = busy.unwrap_or(self.now + MILLISECOND);
        self.now = next;
        for thread in &mut self.threads {
            if let Some((until, number, turn)) = *thread
                && until == next
            {
                *thread = None;
                let job = &mut self.jobs[number];
                job.had += job.chunk;
                self.queue.returned(number as u64, turn, job.chunk, false);
            }
        }
    }

    fn run_for(&mut self, time: Duration) {
        let until = self.now + time;
        while self.now < until {
            self.step();
        }
    }

    /// The same beside a flood of jobs of 10 ms: there are always two per thread.
    fn run_in_a_flood_for(&mut self, time: Duration) {
        let (until, mut flood) = (self.now + time, Vec::new());
        while self.now < until {
            flood.retain(|&job: &usize| self.jobs[job].ended.is_none());
            while flood.len() < 2 * self.threads.len() {
                flood.push(self.start(10, MILLISECOND));
            }
            self.step();
        }
    }

    /// How long a job takes that has just been started.
    fn time_of(&mut self, number: usize) -> Duration {
        let started = self.now;
        while self.jobs[number].ended.is_none() {
            self.step();
        }
        self.now - started
    }
}

#[test]
fn job_that_is_alone_gets_all_threads() {
    for threads in [1, 2, 16] {
        let mut machine = Machine::new(threads);
        let job = machine.start(ENDLESS, MILLISECOND);
        machine.run_for(SECOND);
        assert_eq!(machine.jobs[job].had, threads as u32 * SECOND);
    }
}

#[test]
fn small_job_goes_before_256_endless_ones() {
    for threads in [1, 2, 16] {
        let mut machine = Machine::new(threads);
        for _ in 0..256 {
            machine.start(ENDLESS, MILLISECOND);
        }
        // While they are fresh themselves, and after.
        for _ in 0..3 {
            let small = machine.start(12, MILLISECOND / 60);
            let time = machine.time_of(small);
            assert!(time < 4 * MILLISECOND, "{time:?} on {threads}");
            machine.run_for(5 * SECOND);
        }
    }
}

#[test]
fn endless_job_gets_a_third_beside_a_flood_of_small_ones() {
    for threads in [1, 2, 16] {
        let mut machine = Machine::new(threads);
        let early = machine.start(ENDLESS, MILLISECOND);
        machine.run_for(SECOND);
        let before = machine.jobs[early].had;
        machine.run_in_a_flood_for(5 * SECOND);
        let share = (machine.jobs[early].had - before).as_secs_f64() / (5 * threads) as f64;
        assert!((0.32..0.36).contains(&share), "{share} on {threads}");
        // One that comes amid the flood gets its part of that third, too.
        let late = machine.start(ENDLESS, MILLISECOND);
        machine.run_in_a_flood_for(2 * SECOND);
        let before = machine.jobs[late].had;
        machine.run_in_a_flood_for(5 * SECOND);
        let share = (machine.jobs[late].had - before).as_secs_f64() / (5 * threads) as f64;
        assert!((0.15..0.19).contains(&share), "{share} on {threads}");
    }
}

#[test]
fn endless_jobs_take_turns() {
    let mut machine = Machine::new(2);
    for _ in 0..10 {
        machine.start(ENDLESS, MILLISECOND);
    }
    machine.run_for(11 * SECOND);
    let had: Vec<_> = machine.jobs.iter().map(|job| job.had).collect();
    assert!(had.iter().all(|had| had.abs_diff(2 * SECOND + SECOND / 5) < 50 * MILLISECOND), "{had:?}");
}

#[test]
fn job_ends_at_its_time_limit_or_when_it_is_cancelled() {
    let mut machine = Machine::new(1);
    let limited = machine.start_with_limit(ENDLESS, MILLISECOND, SECOND);
    let cancelled = machine.start(ENDLESS, MILLISECOND);
    assert!(machine.time_of(limited) <= SECOND + MILLISECOND);
    assert_eq!(machine.jobs[limited].token.get(), Some(CancelReason::TimeLimit));
    machine.jobs[cancelled].token.set(CancelReason::Requested);
    machine.run_for(MILLISECOND);
    assert!(machine.jobs[cancelled].ended.is_some());
    assert!(machine.queue.is_empty() && Arc::strong_count(&machine.jobs[cancelled].live) == 1);
}

#[test]
fn complete_job_does_not_run_into_its_time_limit() {
    let mut machine = Machine::new(2);
    let job = machine.start_with_limit(1, 2 * SECOND, SECOND);
    machine.time_of(job);
    assert_eq!(machine.jobs[job].token.get(), None);
}

fn record(number: u64) -> Record {
    Record {
        id: JobId::random(),
        number,
        kind: "made_up".into(),
        request: Json::of(&()).unwrap(),
        seed: 0,
        total: 1,
        class: QueueClass::Long,
        client: None,
        idempotency: None,
        created_at: jiff::Timestamp::UNIX_EPOCH,
        started_at: None,
        finished_at: None,
        outcome: None,
    }
}
