//! Rolls per second of each engine as a multiple of a plain loop, and of the pass line as a multiple of what numpy and
//! crapssim roll, all on one thread, in turns, in one run.
//!
//! `cargo bench --bench craps -- --python PATH`: a Python that has what benches/peers/requirements.txt names; without it
//! these two are left out.

mod python;
#[path = "../support/mod.rs"]
mod support;

use std::hint::black_box;
use std::time::Instant;

use kibitz::craps::bet::Bet;
use kibitz::craps::fraction::parse;
use kibitz::craps::session::{Session, SessionPlan, WhenShort};
use kibitz::craps::simulation::{Engine, Simulation, StakedWager};
use kibitz::craps::value::BetValue;
use kibitz::craps::wager::Wager;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use support::Wanted::{AtLeast, Nothing};
use support::{alternate, figure, ratio, rounds, seconds, skipped};

fn main() {
    let speeds: Vec<f64> = (0..rounds(15, 5) as u64).map(plain).collect();
    figure("plain loop, `SmallRng`, two `random_range` a roll", &speeds, "rolls/s");
    let pass = |odds| simulate(vec![staked("pass_line", odds, "1")], 1 << 24);
    report("pass line, 14 outcomes, fastest", 30.0, &pass("3-4-5x"), Engine::Fastest);
    report("pass line, 14 outcomes, portable", 8.0, &pass("3-4-5x"), Engine::Portable);
    for bet in ["dont_pass", "place_6", "field_2x_3x", "hard_8", "all_30_150", "fire_24_249_999"] {
        report(bet, 1.5, &simulate(vec![staked(bet, "none", "1")], 1 << 20), Engine::Fastest);
    }
    report(
        "come, 3-4-5x, odds off on a come-out",
        1.5,
        &simulate(vec![staked("come", "3-4-5x", "1")], 1 << 20),
        Engine::Fastest,
    );
    let two = vec![staked("pass_line", "2x", "1"), staked("place_6", "none", "6")];
    report("set of 2 bets", 0.6, &simulate(two, 1 << 18), Engine::Fastest);
    let five = ["pass_line", "place_6", "place_8", "hard_4", "field_2x_3x"]
        .map(|bet| staked(bet, "none", "6"))
        .to_vec();
    report("set of 5 bets", 0.6, &simulate(five, 1 << 18), Engine::Fastest);
    for (odds, short) in [("none", WhenShort::Stop), ("3-4-5x", WhenShort::Partial)] {
        report(&format!("sessions, {odds}"), 0.6, &sessions(odds, short), Engine::Fastest);
    }
    threads();
    small_job();
    against_python();
    let all_bets: Vec<f64> =
        (0..rounds(5, 1)).map(|_| seconds(|| Bet::all().map(BetValue::of).collect::<Vec<_>>())).collect();
    figure("all 110 bets solved exactly", &all_bets, "s");
}

/// One chunk of the engine and a plain loop in turns.
fn report(name: &str, wanted: f64, simulation: &Simulation, engine: Engine) {
    let chunk = simulation.chunks() - 1;
    let mut round = 0;
    let ours = || rolls_per_second(|| simulation.run_chunk_with(engine, black_box(chunk)).rolls);
    let theirs = || {
        round += 1;
        plain(round)
    };
    let name = format!("{name} over a plain loop");
    ratio(&name, &alternate(rounds(15, 5), ours, theirs), AtLeast(wanted));
}

/// The pass line and the plain loop against what a user of Python has.
fn against_python() {
    let simulation = simulate(vec![staked("pass_line", "3-4-5x", "1")], 1 << 28);
    let mut next = 0;
    let mut ours = || {
        rolls_per_second(|| {
            // Some 20 ms, all chunks of full length.
            (0..32)
                .map(|_| {
                    next += 1;
                    simulation.run_chunk(simulation.chunks() - 1 - next % 128).rolls
                })
                .sum()
        })
    };
    let Some(mut python) = python::start() else {
        return skipped("numpy, crapssim", "no Python that has them (`-- --python PATH`)");
    };
    for (name, rounds) in [("numpy", rounds(11, 3)), ("crapssim", rounds(7, 2))] {
        let Some(version) = python.version(name) else {
            skipped(name, "not installed there");
            continue;
        };
        let mut speeds = Vec::new();
        let mut theirs = || {
            speeds.push(python.rolls_per_second(name));
            speeds[speeds.len() - 1]
        };
        let ratios = alternate(rounds, &mut ours, &mut theirs);
        ratio(&format!("pass line, 14 outcomes, over {version}"), &ratios, Nothing);
        let mut seed = 0;
        let plain = || {
            seed += 1;
            plain(seed)
        };
        ratio(&format!("the plain loop over {version}"), &alternate(rounds, plain, &mut theirs), Nothing);
        figure(&version, &speeds, "rolls/s");
    }
}

fn rolls_per_second(play: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    let rolls = black_box(play());
    rolls as f64 / start.elapsed().as_secs_f64()
}

/// Rolls per second of the loop that anyone would write.
fn plain(seed: u64) -> f64 {
    let mut rng = SmallRng::seed_from_u64(seed);
    let (mut rolls, mut outcomes) = (0u64, [0u64; 26]);
    let start = Instant::now();
    for _ in 0..100_000 {
        let mut roll = || {
            rolls += 1;
            rng.random_range(1..=6usize) + rng.random_range(1..=6usize)
        };
        match roll() {
            7 | 11 => outcomes[0] += 1,
            2 | 3 | 12 => outcomes[1] += 1,
            point => loop {
                let total = roll();
                if total == point {
                    outcomes[2 * point] += 1;
                    break;
                }
                if total == 7 {
                    outcomes[2 * point + 1] += 1;
                    break;
                }
            },
        }
    }
    black_box(outcomes);
    rolls as f64 / start.elapsed().as_secs_f64()
}

/// Two threads against one, on the pass line; and what two threads of plain loops gain on this machine just now.
fn threads() {
    let simulation = simulate(vec![staked("pass_line", "none", "1")], 1 << 27);
    let time = |threads, play: &(dyn Fn(u64) + Sync)| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let start = Instant::now();
        pool.scope(|scope| (0..simulation.chunks()).for_each(|chunk| scope.spawn(move |_| play(chunk))));
        start.elapsed().as_secs_f64()
    };
    let rounds = rounds(11, 3);
    let ratio_of = |play: &(dyn Fn(u64) + Sync)| alternate(rounds, || time(1, play), || time(2, play));
    let engine = ratio_of(&|chunk| drop(black_box(simulation.run_chunk(chunk))));
    ratio("two threads over one: pass line", &engine, AtLeast(1.8));
    let machine = ratio_of(&|chunk| {
        black_box(plain(chunk));
    });
    ratio("two threads over one: plain loops, for what this machine gives", &machine, Nothing);
}

fn small_job() {
    let play = || {
        let simulation = simulate(vec![staked("pass_line", "3-4-5x", "1")], 1000);
        let mut tally = simulation.tally();
        for chunk in 0..simulation.chunks() {
            tally.add(chunk, simulation.run_chunk(chunk));
        }
        simulation.result(&tally, &simulation.expected_blocking())
    };
    let times: Vec<f64> = (0..rounds(15, 5)).map(|_| seconds(play)).collect();
    figure("1000 decisions with all statistics (wanted under 10 ms)", &times, "s");
}

fn staked(bet: &str, odds: &str, stake: &str) -> StakedWager {
    let wager =
        Wager::new(Bet::from_id(bet).expect("a bet"), odds.parse().expect("odds"), None).expect("a wager");
    StakedWager { wager, stake: parse(stake).expect("a stake") }
}

fn simulate(bets: Vec<StakedWager>, decisions: u64) -> Simulation {
    Simulation::decisions(bets, decisions, 42).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn sessions(odds: &str, when_short: WhenShort) -> Simulation {
    let [bankroll, target, stake] = ["50", "100", "1"].map(|units| parse(units).expect("units"));
    let wager = staked("pass_line", odds, "1").wager;
    let session = Session::new(SessionPlan { wager, bankroll, target, stake, max_rounds: 200, when_short });
    Simulation::sessions(session.expect("a session"), 1 << 14, 42)
        .unwrap_or_else(|faults| panic!("{faults:?}"))
}
