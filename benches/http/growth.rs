//! How the cost of an answer, of a batch and of a job grows with its size, in turns.

use std::hint::black_box;
use std::net::SocketAddr;
use std::time::Instant;

use kibitz::craps::bet::Bet;
use kibitz::craps::fraction::parse;
use kibitz::craps::simulation::{Simulation, StakedWager};
use kibitz::craps::wager::Wager;
use kibitz::yahtzee::{Objective, Preset};
use rayon::prelude::*;

use crate::client::{Connection, post};
use crate::support::Wanted::Nothing;
use crate::support::{alternate, quick, ratio, rounds, seconds};
use crate::{Batch, Shared, random_batch};

pub(crate) fn print(address: SocketAddr, state: &Shared) {
    batches(address, &random_batch());
    cores(state, &random_batch());
    jobs(address);
}

/// Seconds an answer with one connection, for batches of several sizes.
fn batches(address: SocketAddr, batch: &Batch) {
    let mut connection = Connection::open(address);
    let mut cost = |size: usize| {
        let body = format!(r#"{{"requests":[{}]}}"#, batch.requests[..size].join(","));
        let request = post("/yahtzee/best-action/batch", "", &body);
        let (started, mut answers) = (Instant::now(), 0);
        while answers == 0 || started.elapsed().as_secs_f64() < 0.15 {
            assert_eq!(connection.ask(&request).0, 200);
            answers += size;
        }
        started.elapsed().as_secs_f64() / answers as f64
    };
    for size in [1, 10, 100] {
        let mut ratios = Vec::new();
        for _ in 0..rounds(9, 3) {
            let small = cost(size);
            ratios.push(small / cost(1000));
        }
        ratio(&format!("time of an answer in batches of {size} over batches of 1000"), &ratios, Nothing);
    }
}

/// What a second thread brings to a batch.
fn cores(state: &Shared, batch: &Batch) {
    let table = state.adviser.yahtzee.game(Preset::Official).expect("a table");
    let pools = [1, 2].map(|threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads")
    });
    let answer_all = |pool: &rayon::ThreadPool| {
        pool.install(|| {
            seconds(|| {
                let letters = |position| table.advise(position, Objective::Game).in_english().len();
                (0..10).map(|_| batch.positions.par_iter().map(letters).sum::<usize>()).sum::<usize>()
            })
        })
    };
    let ratios = alternate(rounds(15, 5), || answer_all(&pools[0]), || answer_all(&pools[1]));
    ratio("two threads over one: a batch of 1000, in process", &ratios, Nothing);
}

/// A job from request to result over the same chunks and statistics in a plain loop on one thread.
fn jobs(address: SocketAddr) {
    let mut connection = Connection::open(address);
    let largest = if quick() { 8 } else { 9 };
    for power in 3..=largest {
        let decisions = 10u64.pow(power);
        let body = format!(
            r#"{{"kind":"decisions","bet":"pass_line","odds":"3-4-5x","decisions":{decisions},"seed":42}}"#
        );
        let request = post("/craps/simulations", "Prefer: wait=60\r\n", &body);
        let over_http = || {
            seconds(|| {
                let (status, body) = connection.ask(&request);
                assert_eq!(status, 200, "{}", String::from_utf8_lossy(body));
            })
        };
        let rounds = if power < 8 { rounds(21, 5) } else { rounds(7, 3) };
        let ratios = alternate(rounds, over_http, || in_process(decisions));
        ratio(&format!("a job of 1e{power} decisions over a plain loop over its chunks"), &ratios, Nothing);
    }
}

/// Seconds of the same chunks and statistics, without a job and without JSON.
fn in_process(decisions: u64) -> f64 {
    let started = Instant::now();
    let wager = Wager::new(Bet::PASS_LINE, "3-4-5x".parse().expect("odds"), None).expect("a wager");
    let bet = StakedWager { wager, stake: parse("1").expect("a stake") };
    let simulation = Simulation::decisions(vec![bet], decisions, 42).expect("a simulation");
    let mut tally = simulation.tally();
    for chunk in 0..simulation.chunks() {
        tally.add(chunk, simulation.run_chunk(chunk));
    }
    black_box(simulation.result(&tally, &simulation.expected_blocking()));
    started.elapsed().as_secs_f64()
}
