//! Rolls per second of each engine as a multiple of a plain loop, all measured in turns in one run.
//!
//! `cargo bench --bench craps`. The machine's speed drifts, so every figure is the median of rounds in which the engine
//! and the plain loop take turns.

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

const ROUNDS: usize = 15;

fn main() {
    println!("plain loop: {:.2e} rolls/s on one thread", median((0..ROUNDS as u64).map(plain)));
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
    let start = Instant::now();
    black_box(Bet::all().map(BetValue::of).collect::<Vec<_>>());
    println!("all 110 bets solved exactly in {:.0?}", start.elapsed());
}

/// One chunk of the engine and a plain loop in turns; prints the ratio of their rolls per second.
fn report(name: &str, wanted: f64, simulation: &Simulation, engine: Engine) {
    let chunk = simulation.chunks() - 1;
    let mut speeds = Vec::new();
    let ratio = median((0..ROUNDS as u64).map(|round| {
        let start = Instant::now();
        let counts = simulation.run_chunk_with(engine, black_box(chunk));
        let speed = counts.rolls as f64 / start.elapsed().as_secs_f64();
        speeds.push(speed);
        speed / plain(round)
    }));
    println!("{name}: {:.2e} rolls/s, {ratio:.1} x plain (wanted {wanted})", median(speeds.into_iter()));
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
    // The best of several runs: on a shared machine a second core is rarely free all the time.
    let ratio = |play: &(dyn Fn(u64) + Sync)| {
        let best = |threads| (0..7).map(|_| time(threads, play)).fold(f64::INFINITY, f64::min);
        best(1) / best(2)
    };
    let engine = ratio(&|chunk| drop(black_box(simulation.run_chunk(chunk))));
    let machine = ratio(&|chunk| {
        black_box(plain(chunk));
    });
    println!("two threads: {engine:.2} x one (wanted 1.8; plain loops: {machine:.2})");
}

fn small_job() {
    let start = Instant::now();
    let simulation = simulate(vec![staked("pass_line", "3-4-5x", "1")], 1000);
    let mut tally = simulation.tally();
    for chunk in 0..simulation.chunks() {
        tally.add(chunk, simulation.run_chunk(chunk));
    }
    black_box(simulation.result(&tally, &simulation.expected_blocking()));
    println!("1000 decisions with all statistics in {:.2?} (wanted 10 ms)", start.elapsed());
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

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
