//! Endgames with open hands: how long all moves take, and how a plain recursion compares.

use std::time::Instant;

use kibitz::doudizhu::{Counts, Endgame, Preset, Solver};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::judge::{Held, held};
use crate::plain_endgame::Plain;
use crate::support::Wanted::{AtLeast, Nothing};
use crate::support::{alternate, figure, note, percentile, quick, ratio, rounds, seconds, sorted};

pub(crate) fn print() {
    let solver = Solver::new(Preset::Standard.rules());
    let mut random = ChaCha8Rng::seed_from_u64(22);
    for (cards, number) in [(8, 400), (10, 400), (12, 200)] {
        let games = games(cards, if quick() { number / 10 } else { number }, &mut random);
        let (mut times, mut positions) = (Vec::new(), Vec::new());
        for &game in &games {
            let started = Instant::now();
            positions.push(ours(game, &solver) as f64);
            times.push(started.elapsed().as_secs_f64());
        }
        let (times, positions) = (sorted(times), sorted(positions));
        for (name, share) in [("median", 0.5), ("99th percentile", 0.99)] {
            let name = format!("endgames of {cards} and {cards} cards, all moves, `standard`, {name}");
            figure(&name, &[percentile(&times, share)], "s");
            note(&format!("{name}: {} positions", percentile(&positions, share)));
        }
    }

    let games = games(8, if quick() { 10 } else { 40 }, &mut random);
    let all = |answer: &dyn Fn([Counts; 2]) -> u64| games.iter().map(|&game| answer(game)).sum::<u64>();
    let (theirs, ours) = (|game| plain(game, &solver), |game| ours(game, &solver));
    let name = "plain recursion with a memory over ours, endgames of 8 and 8 cards";
    ratio(&format!("{name}: positions"), &[all(&theirs) as f64 / all(&ours) as f64], AtLeast(2.0));
    let ratios = alternate(rounds(5, 3), || seconds(|| all(&theirs)), || seconds(|| all(&ours)));
    ratio(&format!("{name}: time"), &ratios, Nothing);
}

fn games(cards: usize, number: usize, random: &mut ChaCha8Rng) -> Vec<[Counts; 2]> {
    let mut game = || {
        let deck = crate::shuffled(random);
        let hand = |from: usize| deck[from..from + cards].iter().copied().collect();
        [hand(0), hand(cards)]
    };
    (0..number).map(|_| game()).collect()
}

/// Solves all moves, and returns the number of positions.
fn ours(hands: [Counts; 2], solver: &Solver) -> u64 {
    let endgame = Endgame::new(&hands, 0, None, &[]).expect("two hands of one deck");
    endgame.solve(solver, |_| true).positions()
}

/// The same by the plain recursion.
fn plain(hands: [Counts; 2], solver: &Solver) -> u64 {
    let hands: [Held; 2] = hands.map(held);
    let mut plain = Plain::new(solver.rules(), &[]);
    for play in plain.plays(&hands[0], None) {
        plain.first_side_wins_after(&hands, 0, play);
    }
    plain.positions() as u64
}
