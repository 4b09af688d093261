//! One table of the official rules (forced joker, f64) by this crate and by two public solvers, on
//! the same threads in the same run. Prints the median time of each and the ratios.
//!
//! Usage: `kibitz-peers [threads] [rounds]` (2 threads, 3 rounds). Our own table is built thirty
//! times a round, spread between the peers, so that a busy machine is busy for all.

use std::time::{Duration, Instant};

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let threads = arguments.next().unwrap_or(2);
    let rounds = arguments.next().unwrap_or(3);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("the first use of the pool");

    let mut ours = Contender::new("kibitz", || {
        kibitz::yahtzee::GameTable::build_blocking(&kibitz::yahtzee::Rules::OFFICIAL).expected_final()
    });
    let mut yatzy_solver = Contender::new("yatzy-solver 1.0.0 (f64)", || {
        let variant = yatzy_solver::Variant::by_id("american+forced-joker").expect("a built-in variant");
        let model = yatzy_solver::TurnModel::new(&variant);
        let table: Vec<f64> = model.solve();
        table[0]
    });
    let mut yahtzee_engine = Contender::new("yahtzee-engine 0.1.0 (parallel)", || {
        let mut solver = yahtzee_engine::Solver::new();
        solver.solve();
        solver.value(yahtzee_engine::State::START)
    });

    for _ in 0..rounds {
        ours.run(15);
        yatzy_solver.run(1);
        ours.run(15);
        yahtzee_engine.run(1);
    }
    println!("one official table on {threads} threads");
    for contender in [&ours, &yatzy_solver, &yahtzee_engine] {
        let median = contender.median();
        let ratio = median / ours.median();
        let Contender { name, value, .. } = contender;
        println!(
            "{name:32} {:9.1} ms  {ratio:6.1} x  expected final score {value:.9}",
            median * 1e3
        );
    }
}

struct Contender {
    name: &'static str,
    build: fn() -> f64,
    times: Vec<Duration>,
    value: f64,
}

impl Contender {
    fn new(name: &'static str, build: fn() -> f64) -> Self {
        Self { name, build, times: Vec::new(), value: f64::NAN }
    }

    fn run(&mut self, times: usize) {
        for _ in 0..times {
            let start = Instant::now();
            self.value = (self.build)();
            self.times.push(start.elapsed());
        }
    }

    /// In seconds.
    fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64()
    }
}
