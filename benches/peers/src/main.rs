//! One table of the official rules (forced joker) by this crate and by two public solvers, on the same threads in the same
//! run: how many times as long as ours theirs takes, and how far their expected final score is from ours.
//!
//! `kibitz-peers [--threads 2] [--quick]`. In each round our own table is built several times before and after each peer's,
//! and the peer is held against the median of these, so that a busy machine is busy for both.

#[path = "../../support/mod.rs"]
mod support;

use support::{Wanted, figure, median, note, ratio, rounds, seconds};

fn main() {
    let threads = support::argument("--threads").and_then(|word| word.parse().ok()).unwrap_or(2);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("the first use of the pool");
    let peers: [(&str, fn() -> f64); 2] =
        [("yatzy-solver 1.0.0", yatzy_solver), ("yahtzee-engine 0.1.0", yahtzee_engine)];

    let mut own = Vec::new();
    let mut ratios = vec![Vec::new(); peers.len()];
    let mut values = vec![0.0; peers.len()];
    for _ in 0..rounds(5, 1) {
        for (index, (_, peer)) in peers.iter().enumerate() {
            let before = ours();
            let theirs = seconds(|| values[index] = peer());
            let around = [before, ours()].concat();
            ratios[index].push(theirs / median(&around));
            own.extend(around);
        }
    }
    let value = kibitz::yahtzee::GameTable::build_blocking(&kibitz::yahtzee::Rules::OFFICIAL).expected_final();
    for (index, (name, _)) in peers.iter().enumerate() {
        let name = format!("{name} over ours, one official table, {threads} threads");
        ratio(&name, &ratios[index], Wanted::Nothing);
        note(&format!("{}: expected final score {:.9}, ours {value:.9}", peers[index].0, values[index]));
    }
    figure(&format!("our table, {threads} threads"), &own, "s");
}

/// The times of some builds, in seconds.
fn ours() -> Vec<f64> {
    let build = || kibitz::yahtzee::GameTable::build_blocking(&kibitz::yahtzee::Rules::OFFICIAL);
    (0..5).map(|_| seconds(build)).collect()
}

fn yatzy_solver() -> f64 {
    let variant = yatzy_solver::Variant::by_id("american+forced-joker").expect("a built-in variant");
    let model = yatzy_solver::TurnModel::new(&variant);
    let table: Vec<f64> = model.solve();
    table[0]
}

fn yahtzee_engine() -> f64 {
    let mut solver = yahtzee_engine::Solver::new();
    solver.solve();
    solver.value(yahtzee_engine::State::START)
}
