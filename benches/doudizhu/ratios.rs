//! The solver against plain ones, and how its time grows with the cards, in turns.

use std::hint::black_box;
use std::time::Instant;

use kibitz::doudizhu::{Counts, Preset, Rank, Solver};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::contest::Contest;
use crate::support::Wanted::{AtMost, Nothing};
use crate::support::{alternate, figure, note, percentile, ratio, rounds, seconds, sorted};

/// Most cards for the plain solver: it tries every order of the runs and takes minutes with more.
const MOST_FOR_PLAIN: usize = 26;

pub(crate) fn print() {
    let mut random = ChaCha8Rng::seed_from_u64(21);
    let hands: Vec<Counts> = (0..12_000).map(|_| crate::deal(20, &mut random)).collect();
    let solver = Solver::new(Preset::Noip.rules());
    let (careful, common) = (Contest::with_table(), Contest::Greedy);
    let ours = |hand| solver.solve(hand).plays().len();

    let dense: Vec<Counts> = (0..hands.len()).map(|_| dense(16, &mut random)).collect();
    for (name, peer) in [("table for the rest", &careful), ("greedy kickers", &common)] {
        let theirs = |hand| usize::from(peer.min_plays(hand));
        let rounds = rounds(9, 3);
        let name = format!("plain contest solver, {name}");
        let compared = format!("{name}, over ours with its plays, 20 cards, `noip`");
        let ratios = alternate(rounds, || each(&hands, theirs), || each(&hands, ours));
        ratio(&format!("{compared}: all hands"), &ratios, Nothing);
        let slow = |answer: &dyn Fn(Counts) -> usize| slowest_percent(&hands, answer);
        let ratios = alternate(rounds, || slow(&theirs), || slow(&ours));
        ratio(&format!("{compared}: 99th percentile"), &ratios, Nothing);
        let wrong = |hands: &[Counts]| hands.iter().filter(|&&hand| theirs(hand) != ours(hand)).count();
        note(&format!(
            "{name}: another count than ours for {} of {} hands of 20 random cards, and for {} of as many of 16 cards of six ranks",
            wrong(&hands),
            hands.len(),
            wrong(&dense)
        ));
    }
    let times: Vec<f64> = (0..rounds(9, 3)).map(|_| each(&hands, ours)).collect();
    figure("ours with its plays, 20 cards, `noip`, a hand", &times, "s");

    let ours_as_they_play = ours;
    let standard = Solver::new(Preset::Standard.rules());
    let ours = |hand| standard.solve(hand).plays().len();
    for (wild, some, most) in [(1, 400, 20.0), (4, 40, 500.0)] {
        let wild_hands = &hands[..some];
        let with_wild =
            |hand| standard.solve_with_wild_blocking(hand, wild).map_or(0, |plan| plan.plays().count());
        with_wild(hands[0]);
        let ratios = alternate(rounds(9, 3), || each(wild_hands, with_wild), || each(wild_hands, ours));
        let name = format!("20 cards and {wild} wild over 20 cards, `standard`, with the plays");
        ratio(&name, &ratios, AtMost(most));
    }
    let theirs = |hand| usize::from(careful.min_plays(hand));
    for cards in [5, 10, 17, 26, 33, 40, 47, 54] {
        let some = if cards > 26 { 400 } else { 2_000 };
        let some: Vec<Counts> = (0..some).map(|_| crate::deal(cards, &mut random)).collect();
        let ratios = alternate(rounds(9, 3), || each(&some, ours), || each(&hands, ours));
        ratio(&format!("{cards} cards over 20 cards, `standard`, with the plays"), &ratios, Nothing);
        if (10..=MOST_FOR_PLAIN).contains(&cards) {
            let some = &some[..some.len() / 4];
            let ratios = alternate(rounds(5, 3), || each(some, theirs), || each(some, ours_as_they_play));
            let name = format!("plain contest solver, table for the rest, over ours, `noip`, {cards} cards");
            ratio(&name, &ratios, Nothing);
        }
    }
}

/// `cards` cards of six neighbouring ranks: full of sets and runs that can be cut in many ways.
fn dense(cards: usize, random: &mut ChaCha8Rng) -> Counts {
    let first = random.random_range(0..7);
    let of_six = |rank: &Rank| Rank::ALL[first..first + 6].contains(rank);
    crate::shuffled(random).into_iter().filter(of_six).take(cards).collect()
}

/// Seconds a hand, all in a row.
fn each(hands: &[Counts], answer: impl Fn(Counts) -> usize) -> f64 {
    seconds(|| hands.iter().map(|&hand| answer(black_box(hand))).sum::<usize>()) / hands.len() as f64
}

/// The time that a hundredth of the hands exceeds, in seconds, the clock's own included.
fn slowest_percent(hands: &[Counts], answer: &dyn Fn(Counts) -> usize) -> f64 {
    let time = |&hand: &Counts| {
        let started = Instant::now();
        black_box(answer(black_box(hand)));
        started.elapsed().as_secs_f64()
    };
    percentile(&sorted(hands.iter().map(time).collect()), 0.99)
}
