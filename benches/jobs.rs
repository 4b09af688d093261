//! What the pool costs and how soon a job is done, each beside what it is held against, in one run.

#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]

mod support;

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use kibitz::jobs::{
    Failure, JobId, Jobs, Json, Limits, MemoryStore, NewJob, QueueClass, Runner, Runners, Work,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use support::Wanted::{AtLeast, AtMost, Nothing};
use support::{figure, ratio, rounds};

const KIND: &str = "draws";
/// One chunk: about a third of a millisecond.
const DRAWS: u64 = 1 << 17;
const CHUNKS: u64 = 300;
/// As many run as there are permits, the others wait.
const ENDLESS: usize = 256;

/// Draws the same number of numbers in each chunk, each chunk from its own generator.
struct Draws {
    chunks: u64,
    draws: u64,
    sum: AtomicU64,
}

impl Work for Draws {
    fn chunks(&self) -> u64 {
        self.chunks
    }

    fn run_chunk(&self, chunk: u64) -> u64 {
        let mut generator = ChaCha8Rng::seed_from_u64(chunk);
        let sum = (0..self.draws).fold(0u64, |sum, _| sum.wrapping_add(generator.next_u64()));
        self.sum.fetch_add(sum, Ordering::Relaxed);
        1
    }

    fn result_so_far(&self) -> Option<Json> {
        Json::of(&self.sum).ok()
    }
}

struct DrawsRunner;

impl Runner for DrawsRunner {
    fn prepare(&self, request: &Json, _seed: u64) -> Result<Arc<dyn Work>, Failure> {
        let (chunks, draws) = request.read().map_err(|_| Failure::internal())?;
        Ok(Arc::new(Draws { chunks, draws, sum: AtomicU64::new(0) }))
    }
}

fn jobs(threads: usize) -> Jobs {
    let runners = Runners::from([(KIND, Arc::new(DrawsRunner) as Arc<dyn Runner>)]);
    // More results than usual are kept, so that none of the many small jobs is rejected.
    let limits = Limits { finished: 100_000, ..Limits::default() };
    Jobs::start(MemoryStore::new(limits), runners, threads).unwrap()
}

async fn submit(jobs: &Jobs, class: QueueClass, chunks: u64, draws: u64) -> JobId {
    let request = Json::of(&(chunks, draws)).unwrap();
    let new = NewJob { kind: KIND, request, seed: 0, total: chunks, class, client: None, idempotency: None };
    jobs.submit(new).await.unwrap().job.record.id
}

async fn run(jobs: &Jobs, class: QueueClass, chunks: u64, draws: u64) -> Duration {
    let started = Instant::now();
    let id = submit(jobs, class, chunks, draws).await;
    let job = jobs.wait_finished(KIND, id, Duration::from_secs(60)).await.unwrap();
    assert_eq!(job.progress().done, chunks);
    started.elapsed()
}

/// The same work on threads that share nothing but a counter.
fn plain(threads: usize) -> Duration {
    let work = Draws { chunks: CHUNKS, draws: DRAWS, sum: AtomicU64::new(0) };
    let next = AtomicU64::new(0);
    let started = Instant::now();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(chunk) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&chunk| chunk < CHUNKS)
                {
                    work.run_chunk(chunk);
                }
            });
        }
    });
    black_box(work.sum);
    started.elapsed()
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let (one, two) = (jobs(1), jobs(2));
        let mut times: [Vec<Duration>; 4] = Default::default();
        for _ in 0..rounds(15, 5) {
            times[0].push(plain(1));
            times[1].push(run(&one, QueueClass::Long, CHUNKS, DRAWS).await);
            times[2].push(plain(2));
            times[3].push(run(&two, QueueClass::Long, CHUNKS, DRAWS).await);
        }
        let over = |a: usize, b: usize| -> Vec<f64> {
            times[a].iter().zip(&times[b]).map(|(a, b)| a.as_secs_f64() / b.as_secs_f64()).collect()
        };
        ratio("the pool of jobs over a plain loop over its chunks, one thread", &over(1, 0), Nothing);
        ratio("the pool of jobs over plain loops, two threads", &over(3, 2), Nothing);
        ratio("two threads over one: the pool of jobs", &over(1, 3), AtLeast(1.8));
        ratio("two threads over one: plain loops", &over(0, 2), Nothing);

        let small = async || run(&one, QueueClass::Short, 12, 80).await.as_secs_f64();
        let alone = async || run(&one, QueueClass::Alone, CHUNKS, DRAWS).await.as_secs_f64();
        let mut idle = Vec::new();
        for _ in 0..1_000 {
            idle.push(small().await);
        }
        let mut undisturbed = Vec::new();
        for _ in 0..rounds(9, 3) {
            undisturbed.push(alone().await);
        }
        let huge = submit(&one, QueueClass::Long, u64::MAX, DRAWS).await;
        let mut beside = Vec::new();
        for _ in 0..200 {
            beside.push(small().await);
        }
        figure("a small job alone", &idle, "s");
        figure("a small job beside a huge one on the same thread (wanted under 10 ms)", &beside, "s");

        // Each that runs is fresh first.
        let mut endless = vec![huge];
        while endless.len() < ENDLESS {
            endless.push(submit(&one, QueueClass::Long, u64::MAX, DRAWS).await);
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
        let (mut beside, mut ratios) = (Vec::new(), Vec::new());
        for undisturbed in undisturbed {
            for _ in 0..30 {
                beside.push(small().await);
            }
            ratios.push(alone().await / undisturbed);
        }
        figure("a small job beside 256 endless ones (wanted under 10 ms)", &beside, "s");
        ratio(
            "a job that runs alone in its class beside 256 endless ones over the same alone",
            &ratios,
            AtMost(3.0),
        );
        for id in endless {
            one.cancel(KIND, id).await.unwrap();
        }

        let mut cancels = Vec::new();
        for _ in 0..50 {
            let id = submit(&one, QueueClass::Long, u64::MAX, DRAWS).await;
            tokio::time::sleep(Duration::from_millis(2)).await;
            let started = Instant::now();
            assert!(one.cancel(KIND, id).await.unwrap().is_finished());
            cancels.push(started.elapsed().as_secs_f64());
        }
        figure("a cancel (wanted under 100 ms)", &cancels, "s");
    });
}
