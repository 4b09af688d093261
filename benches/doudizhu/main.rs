//! How long the Dou Dizhu solver takes, and how that compares with a plain contest solver in the same run.
//!
//! `cargo bench --bench doudizhu` prints, for each rule set, the median, 99th percentile and worst of 24,000 random hands
//! of 20 cards (the shortest of five repetitions of each), the whole deck, the hints of the slowest hand, and the worst
//! hands that hill-climbing on the search's steps finds. `-- climb SECONDS` climbs longer. `-- ratios` leaves the climbing out
//! and compares in turns: with plain solvers, hands of one size with those of another, and endgames with a plain recursion.

mod contest;
mod endgames;
#[allow(dead_code, reason = "the bench uses a part of it")]
#[path = "../../tests/doudizhu/judge.rs"]
mod judge;
#[path = "../../tests/doudizhu/plain_endgame.rs"]
mod plain_endgame;
mod ratios;
#[path = "../support/mod.rs"]
mod support;

use kibitz::doudizhu::{Counts, Preset, Rank, Solver, hints};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::hint::black_box;
use std::time::{Duration, Instant};

const HANDS: usize = 24_000;
const REPETITIONS: usize = 5;

fn main() {
    if std::env::args().any(|word| word == "ratios") {
        ratios::print();
        return endgames::print();
    }
    let arguments: Vec<String> = std::env::args().collect();
    let seconds = arguments.iter().position(|word| word == "climb").and_then(|at| arguments.get(at + 1));
    let seconds: f64 = seconds.and_then(|word| word.parse().ok()).unwrap_or(0.7);

    let mut random = ChaCha8Rng::seed_from_u64(20);
    let hands: Vec<Counts> = (0..HANDS).map(|_| deal(20, &mut random)).collect();
    println!("20 random cards, witness included      build   median      p99    worst     deck");
    let mut noip = None;
    for preset in Preset::ALL {
        let (build, _) = fastest(|| Solver::new(preset.rules()));
        let solver = Solver::new(preset.rules());
        let times = times(&hands, |hand| solver.solve(hand));
        let (deck, _) = fastest(|| solver.solve(Counts::DECK));
        println!("{:33} {} {} {}", preset.name(), show(build), times.show(), show(deck));
        if preset == Preset::Noip {
            noip = Some(times);
        }
    }

    let contest = contest::Contest::with_table();
    let solver = Solver::new(Preset::Noip.rules());
    for &hand in hands.iter().step_by(10) {
        assert_eq!(contest.min_plays(hand), solver.min_plays(hand), "{hand}");
    }
    let peer = times(&hands, |hand| contest.min_plays(hand));
    println!("{:33}           {}", "plain contest solver, noip, count", peer.show());
    if let Some(times) = noip {
        let ratio = |peer: Duration, ours: Duration| peer.as_secs_f64() / ours.as_secs_f64();
        println!(
            "{:33}           {:>8.1} {:>8.1} {:>8.1}",
            "  times as long",
            ratio(peer.median, times.median),
            ratio(peer.p99, times.p99),
            ratio(peer.worst, times.worst)
        );
    }

    println!("\nhill-climbing                cards    steps     time  hand");
    for preset in Preset::ALL {
        let solver = Solver::new(preset.rules());
        for (label, sizes) in [("20 cards", 20..=20), ("up to 54", 21..=54)] {
            let hand = climb(sizes, seconds, &mut random, |hand| solver.search_steps(hand));
            let (time, _) = fastest(|| solver.solve(hand));
            let steps = solver.search_steps(hand);
            println!("{:15} {label:12} {:>6} {steps:>8} {}  {hand}", preset.name(), hand.total(), show(time));
        }
        let count = |hand| hints(&solver, hand, None).map_or(0, |answer| answer.plays.len() as u64);
        let hand = climb(20..=20, seconds, &mut random, count);
        let (time, _) = fastest(|| hints(&solver, hand, None));
        println!(
            "{:15} all plays {:>9} {:>8} {}  {hand}",
            preset.name(),
            hand.total(),
            count(hand),
            show(time)
        );
    }
}

/// Changes a few cards at a time, keeps what makes `cost` larger, and starts again when nothing does.
fn climb(
    sizes: std::ops::RangeInclusive<usize>,
    seconds: f64,
    random: &mut impl Rng,
    cost: impl Fn(Counts) -> u64,
) -> Counts {
    let start = Instant::now();
    let (mut worst, mut worst_hand) = (0, Counts::EMPTY);
    while start.elapsed().as_secs_f64() < seconds {
        let mut size = random.random_range(sizes.clone());
        let mut deck = shuffled(random);
        let mut best = cost(deck[..size].iter().copied().collect());
        let mut failures = 0;
        while failures < 300 && start.elapsed().as_secs_f64() < seconds {
            let (old_deck, old_size) = (deck.clone(), size);
            for _ in 0..random.random_range(1..=3) {
                deck.swap(random.random_range(0..size), random.random_range(0..54));
            }
            size = (size + random.random_range(0..3)).saturating_sub(1).clamp(*sizes.start(), *sizes.end());
            let next = cost(deck[..size].iter().copied().collect());
            failures = if next > best { 0 } else { failures + 1 };
            if next >= best {
                best = next;
            } else {
                (deck, size) = (old_deck, old_size);
            }
        }
        if best > worst {
            (worst, worst_hand) = (best, deck[..size].iter().copied().collect());
        }
    }
    worst_hand
}

fn shuffled(random: &mut impl Rng) -> Vec<Rank> {
    let mut deck: Vec<Rank> = Counts::DECK.ranks().collect();
    for at in (1..deck.len()).rev() {
        deck.swap(at, random.random_range(0..=at));
    }
    deck
}

fn deal(size: usize, random: &mut impl Rng) -> Counts {
    shuffled(random)[..size].iter().copied().collect()
}

fn fastest<T>(mut work: impl FnMut() -> T) -> (Duration, T) {
    let run = |work: &mut dyn FnMut() -> T| {
        let start = Instant::now();
        let answer = black_box(work());
        (start.elapsed(), answer)
    };
    let first = run(&mut work);
    (1..REPETITIONS)
        .map(|_| run(&mut work))
        .fold(first, |best, next| if next.0 < best.0 { next } else { best })
}

struct Times {
    median: Duration,
    p99: Duration,
    worst: Duration,
}

impl Times {
    fn show(&self) -> String {
        [self.median, self.p99, self.worst].map(show).join(" ")
    }
}

fn times<T>(hands: &[Counts], work: impl Fn(Counts) -> T) -> Times {
    let mut shortest = vec![Duration::MAX; hands.len()];
    for _ in 0..REPETITIONS {
        for (shortest, &hand) in shortest.iter_mut().zip(hands) {
            let start = Instant::now();
            black_box(work(black_box(hand)));
            *shortest = start.elapsed().min(*shortest);
        }
    }
    shortest.sort_unstable();
    let at = |share: f64| shortest[((shortest.len() - 1) as f64 * share) as usize];
    Times { median: at(0.5), p99: at(0.99), worst: at(1.0) }
}

fn show(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 1000.0 { format!("{micros:>5.2} us") } else { format!("{:>5.2} ms", micros / 1000.0) }
}
