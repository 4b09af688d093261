//! Who gets how much of the threads: turns are given out on a machine that is made up, whose clock is exact.

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;

use super::turns::{Active, Piece, Task, Turn, Turns};
use crate::jobs::pool::live::Running;
use crate::jobs::store::CancelToken;
use crate::jobs::{JobId, Json, Lane, Work};

/// What a job is cut into. Nothing of it is run.
#[derive(Clone, Copy)]
struct Shape {
    chunks: u64,
    parts: u64,
    barrier_every: Option<u64>,
}

const ENDLESS: Shape = Shape { chunks: u64::MAX, parts: 0, barrier_every: None };
const MILLISECOND: Duration = Duration::from_millis(1);

impl Work for Shape {
    fn chunks(&self) -> u64 {
        self.chunks
    }

    fn barriers(&self) -> Vec<u64> {
        self.barrier_every.map_or(Vec::new(), |every| (1..self.chunks / every).map(|n| n * every).collect())
    }

    fn run_chunk(&self, _chunk: u64) -> u64 {
        unreachable!("time passes and nothing is done")
    }

    fn parts(&self) -> u64 {
        self.parts
    }

    fn result_so_far(&self) -> Option<Json> {
        None
    }
}

enum Thread {
    /// It asks for a task.
    Free,
    /// There was none for it, and nobody has woken it since.
    Asleep,
    At(Held),
}

/// A piece in the hands of a thread.
struct Held {
    until: Duration,
    number: usize,
    piece: Piece,
    turn: Turn,
}

struct Machine {
    turns: Turns,
    now: Duration,
    threads: Vec<Thread>,
    jobs: Vec<Known>,
}

struct Known {
    lane: Lane,
    /// How long a piece of it takes.
    piece: Duration,
    had: Duration,
    /// Parts that were handed out.
    parts: u64,
    ended_at: Option<Duration>,
}

impl Machine {
    fn new(threads: usize) -> Self {
        let threads = (0..threads).map(|_| Thread::Free).collect();
        Self { turns: Turns::default(), now: Duration::ZERO, threads, jobs: Vec::new() }
    }

    /// Admits a job; its number.
    fn start(&mut self, lane: Lane, shape: Shape, piece: Duration) -> usize {
        let number = self.jobs.len();
        let running = Arc::new(Running::new(Arc::new(shape)));
        let token = CancelToken::default();
        self.turns.admit(Active::new(JobId::random(), number as u64, "made_up", lane, token, running));
        self.jobs.push(Known { lane, piece, had: Duration::ZERO, parts: 0, ended_at: None });
        self.wake();
        number
    }

    fn wake(&mut self) {
        for thread in &mut self.threads {
            if let Thread::Asleep = thread {
                *thread = Thread::Free;
            }
        }
    }

    /// Lets each free thread take what it is given, and the clock go on to where the next one comes back.
    fn step(&mut self) {
        for thread in &mut self.threads {
            while let Thread::Free = thread {
                match self.turns.pick() {
                    Some(Task::End(job)) => self.jobs[job.number as usize].ended_at = Some(self.now),
                    Some(Task::Piece { number, piece, turn, .. }) => {
                        let number = number as usize;
                        let job = &mut self.jobs[number];
                        job.parts += u64::from(matches!(piece, Piece::Part(_)));
                        *thread = Thread::At(Held { until: self.now + job.piece, number, piece, turn });
                    }
                    None => *thread = Thread::Asleep,
                }
            }
        }
        if self.threads.iter().any(|thread| matches!(thread, Thread::Asleep)) {
            assert!(self.turns.pick().is_none(), "a thread sleeps beside what it could do");
        }
        let held = self.threads.iter().filter_map(|thread| match thread {
            Thread::At(held) => Some(held.until),
            Thread::Free | Thread::Asleep => None,
        });
        let Some(until) = held.min() else { return };
        self.now = until;
        let mut lets_go = false;
        for thread in &mut self.threads {
            if let Thread::At(held) = thread
                && held.until == until
            {
                let job = &mut self.jobs[held.number];
                job.had += job.piece;
                lets_go |= self.turns.returned(held.number as u64, held.piece, held.turn, job.piece, false);
                *thread = Thread::Free;
            }
        }
        if lets_go {
            self.wake();
        }
    }

    fn run_for(&mut self, time: Duration) {
        let until = self.now + time;
        while self.now < until {
            self.step();
        }
    }

    /// The same beside a stream of jobs of 10 ms, of which the next comes when one has ended.
    fn run_in_a_stream_for(&mut self, time: Duration) {
        let until = self.now + time;
        let mut stream = Vec::new();
        while self.now < until {
            stream.retain(|&job: &usize| self.jobs[job].ended_at.is_none());
            while stream.len() < 2 * self.threads.len() {
                stream.push(self.start(Lane::Short, Shape { chunks: 10, ..ENDLESS }, MILLISECOND));
            }
            self.step();
        }
    }

    /// The share of all threads that a lane has in five seconds of such a stream.
    fn share_in_a_stream(&mut self, lane: Lane) -> f64 {
        let (before, seconds) = (self.had(lane), 5);
        self.run_in_a_stream_for(Duration::from_secs(seconds));
        (self.had(lane) - before).as_secs_f64() / (seconds as usize * self.threads.len()) as f64
    }

    /// How long a job took that has just been admitted.
    fn time_of(&mut self, number: usize) -> Duration {
        let started = self.now;
        loop {
            self.step();
            if let Some(ended) = self.jobs[number].ended_at {
                return ended - started;
            }
        }
    }

    fn had(&self, lane: Lane) -> Duration {
        self.jobs.iter().filter(|job| job.lane == lane).map(|job| job.had).sum()
    }
}

/// As a distribution: 2,000 chunks with layers.
const LAYERED: Shape = Shape { chunks: 2_000, parts: 0, barrier_every: Some(50) };

#[test]
fn endless_jobs_leave_the_only_job_of_another_lane_half_of_the_time() {
    for threads in [1, 2, 4, 16] {
        let mut machine = Machine::new(threads);
        let alone = machine.start(Lane::Alone, LAYERED, MILLISECOND);
        let alone = machine.time_of(alone);
        for _ in 0..130 {
            machine.start(Lane::Long, ENDLESS, MILLISECOND);
        }
        machine.run_for(Duration::from_secs(10));
        let beside = machine.start(Lane::Alone, LAYERED, MILLISECOND);
        let beside = machine.time_of(beside);
        // At the end of each layer its threads go to the others for a piece.
        assert!(beside < alone * 11 / 5, "{beside:?} and alone {alone:?} on {threads}");
    }
}

#[test]
fn a_job_that_is_alone_gets_all_threads() {
    for threads in [1, 2, 16] {
        let mut machine = Machine::new(threads);
        machine.start(Lane::Long, ENDLESS, MILLISECOND);
        machine.run_for(Duration::from_secs(1));
        assert_eq!(machine.had(Lane::Long), threads as u32 * Duration::from_secs(1));
    }
}

#[test]
fn head_starts_leave_the_others_a_third_of_the_time() {
    for threads in [1, 2, 16] {
        let mut machine = Machine::new(threads);
        machine.start(Lane::Long, ENDLESS, MILLISECOND);
        machine.run_for(Duration::from_secs(1));
        let share = machine.share_in_a_stream(Lane::Long);
        assert!((0.32..0.36).contains(&share), "{share} on {threads}");
    }
}

#[test]
fn a_job_gets_on_in_a_stream_of_jobs_that_are_newer() {
    for threads in [1, 2, 16] {
        for shape in [ENDLESS, Shape { chunks: 100_000, ..LAYERED }] {
            let mut machine = Machine::new(threads);
            machine.run_in_a_stream_for(Duration::from_secs(1));
            machine.start(Lane::Long, shape, MILLISECOND);
            // Its head start comes late or never.
            machine.run_in_a_stream_for(Duration::from_secs(2));
            let share = machine.share_in_a_stream(Lane::Long);
            // Layers leave it less than 16 threads' worth to do at times.
            assert!((0.3..0.36).contains(&share), "{share} on {threads}");
        }
    }
}

#[test]
fn a_newcomer_does_not_start_as_low_as_a_job_that_can_use_one_thread_only() {
    let mut machine = Machine::new(4);
    machine.start(Lane::Long, Shape { chunks: 0, parts: u64::MAX, ..ENDLESS }, MILLISECOND);
    let old = machine.start(Lane::Long, ENDLESS, MILLISECOND);
    machine.run_for(Duration::from_secs(10));
    let new = machine.start(Lane::Long, ENDLESS, MILLISECOND);
    machine.run_for(Duration::from_millis(100));
    let before = [old, new].map(|job| machine.jobs[job].had);
    machine.run_for(Duration::from_secs(1));
    let [old, new] = [(old, before[0]), (new, before[1])].map(|(job, before)| machine.jobs[job].had - before);
    assert!(old.abs_diff(new) < Duration::from_millis(100), "{old:?} and {new:?}");
}

#[test]
fn a_lane_that_had_nothing_to_do_saves_up_no_time() {
    let mut machine = Machine::new(1);
    machine.start(Lane::Long, ENDLESS, MILLISECOND);
    machine.run_for(Duration::from_secs(100));
    for _ in 0..2 {
        let before = machine.had(Lane::Long);
        let other = machine.start(Lane::Alone, Shape { chunks: 1_000, ..ENDLESS }, MILLISECOND);
        machine.time_of(other);
        let meanwhile = machine.had(Lane::Long) - before;
        assert!(meanwhile > Duration::from_millis(950), "{meanwhile:?}");
        machine.run_for(Duration::from_secs(100));
    }
}

#[test]
fn a_lane_whose_job_waits_at_a_barrier_saves_up_no_time() {
    let mut machine = Machine::new(8);
    machine.start(Lane::Long, ENDLESS, MILLISECOND);
    machine.run_for(Duration::from_secs(1));
    // One thread at a time, then all that it can get.
    machine.start(Lane::Alone, Shape { chunks: 3_000, barrier_every: Some(1), ..ENDLESS }, MILLISECOND);
    machine.run_for(Duration::from_secs(2));
    machine.start(Lane::Alone, ENDLESS, MILLISECOND);
    machine.run_for(Duration::from_millis(100));
    let before = (machine.had(Lane::Long), machine.had(Lane::Alone));
    machine.run_for(Duration::from_secs(1));
    let (long, alone) = (machine.had(Lane::Long) - before.0, machine.had(Lane::Alone) - before.1);
    assert!(long > alone * 9 / 10 && alone > long * 9 / 10, "{long:?} and {alone:?}");
}

#[test]
fn chunks_go_on_while_parts_follow_each_other() {
    for (threads, millis) in [(1, 1_000), (2, 500), (8, 500)] {
        let mut machine = Machine::new(threads);
        machine.start(Lane::Long, Shape { parts: 1_000, ..ENDLESS }, MILLISECOND);
        machine.run_for(millis * MILLISECOND);
        let job = &machine.jobs[0];
        // One thread does both in turn; of several, one follows the parts.
        assert!((498..=500).contains(&job.parts), "{} on {threads}", job.parts);
        assert!(job.had >= millis * MILLISECOND * threads as u32, "a thread was idle");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the jobs are, once all have had their head start.
    #[test]
    fn lanes_get_equal_time_and_within_them_jobs(
        threads in 1usize..5,
        jobs in prop::collection::vec((0usize..3, 200u64..4_000), 1..40),
    ) {
        let mut machine = Machine::new(threads);
        for (lane, micros) in jobs {
            machine.start(Lane::ALL[lane], ENDLESS, Duration::from_micros(micros));
        }
        machine.run_for(Duration::from_secs(3));
        let before: Vec<_> = machine.jobs.iter().map(|job| job.had).collect();
        machine.run_for(Duration::from_secs(10));
        let had = |number: usize| machine.jobs[number].had - before[number];
        let near = |a: Duration, b: Duration| a.abs_diff(b) < Duration::from_millis(60);
        let mut lanes = Vec::new();
        for lane in Lane::ALL {
            let members: Vec<_> = (0..before.len()).filter(|&job| machine.jobs[job].lane == lane).collect();
            for &member in &members {
                prop_assert!(near(had(member), had(members[0])), "{:?} and {:?}", had(member), had(members[0]));
            }
            if !members.is_empty() {
                lanes.push(members.iter().map(|&member| had(member)).sum::<Duration>());
            }
        }
        for &lane in &lanes {
            prop_assert!(near(lane, lanes[0]), "{lanes:?}");
        }
    }
}
