//! How long the tables and the answers of Yahtzee take; with `-- ratios`, what two threads gain, in turns.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

mod support;

use std::hint::black_box;
use std::sync::LazyLock;

use kibitz::yahtzee::{
    Advice, ByCategory, Category, Dice, GameTable, Goal, Moments, Objective, Position, Preset, Rules,
    Scorecard, TurnTable,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use support::{Wanted, alternate, ratio, rounds, seconds};

fn main() {
    if std::env::args().any(|word| word == "ratios") { ratios() } else { divan::main() }
}

fn ratios() {
    let pools = [1, 2].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let on =
        |pool: &rayon::ThreadPool| pool.install(|| seconds(|| GameTable::build_blocking(&Rules::OFFICIAL)));
    let ratios = alternate(rounds(25, 5), || on(&pools[0]), || on(&pools[1]));
    ratio("two threads over one: official table", &ratios, Wanted::Nothing);
    for (name, open) in [("upper boxes", &Category::ALL[..6]), ("mixed boxes", &Category::ALL[3..9])] {
        let position = with_open(open);
        let reach =
            || OFFICIAL.win_advice_blocking(&position, &Goal::Reach(position.card().points_so_far() + 130));
        let ratios = alternate(rounds(25, 5), || seconds(reach), || on(&pools[0]));
        ratio(
            &format!("reach with six {name} open over one official table on one thread"),
            &ratios,
            Wanted::AtMost(3.0),
        );
    }
}

/// A position with two rolls left and only some boxes open.
fn with_open(open: &[Category]) -> Position {
    let points = ByCategory::from_fn(|category| {
        let held = match category {
            Category::Yahtzee => 50,
            Category::Chance => 20,
            _ => 0,
        };
        (!open.contains(&category)).then_some(held)
    });
    let card = Scorecard::new(&Rules::OFFICIAL, &points, 0).unwrap();
    Position::new(&Rules::OFFICIAL, Dice::new([1, 2, 4, 4, 6]).unwrap(), 2, card).unwrap()
}

#[divan::bench(args = Preset::ALL, sample_count = 20)]
fn table(preset: Preset) -> GameTable {
    GameTable::build_blocking(&preset.rules())
}

#[divan::bench(sample_count = 3)]
fn moments(bencher: divan::Bencher) {
    bencher.bench(|| Moments::build_blocking(&OFFICIAL));
}

#[divan::bench(sample_count = 20)]
fn turn_table() -> TurnTable {
    TurnTable::new(&Rules::OFFICIAL)
}

static OFFICIAL: LazyLock<GameTable> = LazyLock::new(|| GameTable::build_blocking(&Rules::OFFICIAL));

/// Positions of optimal games with `rolls_left` rolls left.
fn positions(rolls_left: u8) -> Vec<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut positions = Vec::new();
    while positions.len() < 1000 {
        let mut card = Scorecard::empty(&Rules::OFFICIAL);
        while let Ok(turn) = OFFICIAL.play_turn_with(&card, Objective::Game, &mut rng) {
            for throw in turn.throws.iter().filter(|throw| throw.rolls_left == rolls_left) {
                positions.push(Position::new(&Rules::OFFICIAL, throw.dice, rolls_left.into(), card).unwrap());
            }
            card = card.with_entry(turn.category, turn.score);
        }
    }
    positions
}

/// One answer with all actions, in a row over positions of optimal games.
fn each(bencher: divan::Bencher, rolls_left: u8, answer: impl Fn(&Position) -> Advice + Sync) {
    let positions = positions(rolls_left);
    let mut next = positions.iter().cycle();
    bencher.bench_local(|| answer(black_box(next.next().unwrap())));
}

#[divan::bench(args = [0, 1, 2], sample_count = 1000, sample_size = 10)]
fn answer(bencher: divan::Bencher, rolls_left: u8) {
    each(bencher, rolls_left, |position| OFFICIAL.advise(position, Objective::Game));
}

#[divan::bench(args = [0, 1, 2], sample_count = 1000, sample_size = 10)]
fn one_turn_answer(bencher: divan::Bencher, rolls_left: u8) {
    each(bencher, rolls_left, |position| OFFICIAL.advise(position, Objective::Turn));
}

#[divan::bench(sample_count = 1000, sample_size = 10)]
fn explanation(bencher: divan::Bencher) {
    let advice: Vec<Advice> = positions(2).iter().map(|p| OFFICIAL.advise(p, Objective::Game)).collect();
    let mut next = advice.iter().cycle();
    bencher.bench_local(|| black_box(next.next().unwrap()).in_english());
}
