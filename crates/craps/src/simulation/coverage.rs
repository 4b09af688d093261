//! How often the intervals hold the truth, over fixed seeds.

use rand::Rng;

use super::random::stream;
use super::{Estimate, Simulation, SimulationResult, StakedWager};
use crate::bet::Bet;
use crate::fraction::{fraction, parse};
use crate::session::{Session, SessionPlan, WhenShort};
use crate::wager::Wager;

const SEEDS: std::ops::Range<u64> = 5000..5400;
/// 93 %. An interval that holds with 95 % falls short of this in about one case of 40, one that holds with 97 % practically never; the
/// seeds are fixed, so that a case which does not fall short today never will.
const LEAST: usize = 372;

fn wager(bet: &str, odds: &str) -> Wager {
    Wager::new(Bet::from_id(bet).unwrap(), odds.parse().unwrap(), None).unwrap()
}

fn decisions(bets: &[(&str, &str)], plays: u64) -> Simulation {
    let bets = bets.iter().map(|(bet, odds)| StakedWager { wager: wager(bet, odds), stake: fraction(1, 1) });
    Simulation::decisions(bets.collect(), plays, 0).unwrap()
}

fn sessions(bet: (&str, &str), bankroll: u32, target: u32, rounds: u32, plays: u64) -> Simulation {
    let (bankroll, target, stake) = (fraction(bankroll, 1), fraction(target, 1), parse("1").unwrap());
    let (wager, when_short) = (wager(bet.0, bet.1), WhenShort::Partial);
    let plan = SessionPlan { wager, bankroll, target, stake, max_rounds: rounds, when_short };
    Simulation::sessions(Session::new(plan).unwrap(), plays, 0).unwrap()
}

fn estimates(result: &SimulationResult) -> Vec<(&'static str, Estimate)> {
    match result {
        SimulationResult::Decisions(result) => vec![
            ("win rate", result.win_rate),
            ("mean net", result.mean_net),
            ("rolls", result.rolls_per_decision),
        ],
        SimulationResult::Sessions(result) => vec![
            ("success", result.success),
            ("ruin", result.ruin),
            ("still playing", result.still_playing),
            ("final bankroll", result.final_bankroll.mean),
            ("rounds", result.rounds),
        ],
    }
}

/// For each estimate that has an exact value, how many of the seeds' intervals hold it.
fn covered(mut simulation: Simulation, with_exact_values: bool) -> Vec<(&'static str, usize)> {
    let expected = simulation.expected_blocking();
    let unknown = simulation.expected_in_parts_blocking();
    let mut covered: Vec<(&str, usize)> = Vec::new();
    for seed in SEEDS {
        simulation.seed = seed;
        let mut tally = simulation.tally();
        for chunk in 0..simulation.chunks() {
            tally.add(chunk, simulation.run_chunk(chunk));
        }
        let exact = estimates(&simulation.result(&tally, &expected).unwrap());
        let seen = if with_exact_values {
            exact.clone()
        } else {
            estimates(&simulation.result(&tally, unknown.known()).unwrap())
        };
        for ((name, estimate), (_, exact)) in seen.into_iter().zip(exact) {
            let Some(exact) = exact.exact else { continue };
            let holds = |[low, high]: [f64; 2]| low <= exact + 1e-12 && exact - 1e-12 <= high;
            let [low, high] = estimate.confidence_95;
            assert!(low <= estimate.estimate && estimate.estimate <= high, "{name}: {estimate:?}");
            let always = estimate.anytime_95.unwrap_or(estimate.confidence_95);
            assert!(always[0] <= low && high <= always[1], "{name}: {estimate:?}");
            let held = usize::from(holds(estimate.confidence_95));
            match covered.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += held,
                None => covered.push((name, held)),
            }
        }
    }
    covered
}

#[test]
fn intervals_of_few_plays_of_rare_large_wins_hold_the_truth() {
    let mut missed = Vec::new();
    for (name, simulation) in [
        ("all_30_150", sessions(("all_30_150", "none"), 1, 150, 1, 100)),
        ("hop_hard", sessions(("hop_hard", "none"), 1, 30, 1, 16)),
        ("hop_hard, long", sessions(("hop_hard", "none"), 1, 30, 100, 16)),
        ("pass_line", sessions(("pass_line", "none"), 10, 20, 1000, 10)),
        ("pass_line, short", sessions(("pass_line", "none"), 10, 20, 100, 10)),
        ("set", decisions(&[("hop_hard", "none"), ("aces_2", "none")], 20)),
        ("set of large bets", decisions(&[("all_30_150", "none"), ("fire_24_249_999", "none")], 20)),
    ] {
        missed
            .extend(covered(simulation, true).into_iter().filter(|count| count.1 < LEAST).map(|c| (name, c)));
    }
    assert!(missed.is_empty(), "{missed:?}");
}

/// Sessions whose exact values are not known, as while a job runs.
#[test]
fn intervals_without_exact_values_hold_the_truth() {
    let mut missed = Vec::new();
    for (name, simulation) in [
        ("all_30_150", sessions(("all_30_150", "none"), 1, 150, 1, 100)),
        ("hop_hard", sessions(("hop_hard", "none"), 1, 30, 1, 16)),
        ("pass_line", sessions(("pass_line", "3-4-5x"), 10, 20, 100, 10)),
    ] {
        let means = covered(simulation, false)
            .into_iter()
            .filter(|(figure, _)| ["final bankroll", "rounds"].contains(figure));
        missed.extend(means.filter(|count| count.1 < LEAST).map(|count| (name, count)));
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn intervals_of_other_cases_hold_the_truth() {
    const BETS: [(&str, &str); 10] = [
        ("pass_line", "none"),
        ("pass_line", "3-4-5x"),
        ("dont_pass", "2x"),
        ("come", "1x"),
        ("field_2x_3x", "none"),
        ("hard_8", "none"),
        ("place_6", "none"),
        ("boxcars_12", "none"),
        ("any_seven", "none"),
        ("horn", "none"),
    ];
    let mut words = stream(1, 0, 0);
    let mut pick = |count: usize| (words.next_u64() % count as u64) as usize;
    let (mut figures, mut missed) = (0, Vec::new());
    for _ in 0..24 {
        let plays = [1, 2, 3, 5, 10, 20, 50, 120][pick(8)];
        let (name, simulation) = if pick(2) == 0 {
            let (bet, bankroll, gain, rounds) = (BETS[pick(10)], 1 + pick(40), 1 + pick(40), 1 + pick(60));
            let name = format!("{plays} sessions of {bet:?}, {bankroll} and {gain}, {rounds} rounds");
            let [bankroll, target, rounds] = [bankroll, bankroll + gain, rounds].map(|n| n as u32);
            (name, sessions(bet, bankroll, target, rounds, plays))
        } else {
            let bets: Vec<_> = (0..1 + pick(3)).map(|_| BETS[pick(10)]).collect();
            (format!("{plays} decisions of {bets:?}"), decisions(&bets, plays))
        };
        let counts = covered(simulation, true);
        figures += counts.len();
        missed.extend(counts.into_iter().filter(|count| count.1 < LEAST).map(|count| (name.clone(), count)));
    }
    assert!(figures > 60);
    assert!(missed.is_empty(), "{missed:#?}");
}
