//! The solver against a slow, obvious search, and against exact means over all hands.

use crate::fuzz::{fuzz, seeds};
use crate::judge::{Held, Switches, cards, deal, held, is_play, slow_min_plays, to_counts};
use kibitz::doudizhu::{Counts, Preset, Rank, Solver};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Solves every part of the hand both ways.
fn check_all_parts(hand: &Held, rules: impl Into<Switches>, solver: &Solver) {
    let rules = rules.into();
    for (part, least) in slow_min_plays(hand, rules) {
        let cards = to_counts(&part);
        let plan = solver.solve(cards);
        assert_eq!(plan.plays().len(), usize::from(least), "{cards} under {rules:?}");
        let used = plan.plays().iter().flat_map(|play| play.ranks()).collect::<Counts>();
        assert_eq!(used, cards);
        assert!(plan.plays().iter().all(|play| is_play(&held(play.cards()), rules)), "{cards}: {plan:?}");
    }
}

fn check_each(hands: &[Held]) {
    for preset in Preset::ALL {
        let solver = Solver::new(preset.rules());
        hands.par_iter().for_each(|hand| check_all_parts(hand, preset, &solver));
    }
}

#[test]
fn random_hands_of_up_to_twelve_cards_and_all_their_parts() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let hands: Vec<Held> = (0..3000).map(|i| held(deal(1 + i % 12, &mut random))).collect();
    check_each(&hands);
}

/// Few neighbouring ranks, held often: planes, pair straights and bombs that get in each other's way.
fn dense(width: usize, random: &mut impl Rng) -> Held {
    let mut hand = [0; 15];
    let start = random.random_range(0..8);
    for count in &mut hand[start..start + width] {
        *count = random.random_range(1..=4);
    }
    hand[random.random_range(0..13)] = random.random_range(1..=4);
    (hand[13], hand[14]) = (random.random_range(0..=1), random.random_range(0..=1));
    hand
}

#[test]
fn dense_hands_and_all_their_parts() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let hands: Vec<Held> = (0..40).map(|_| dense(5, &mut random)).collect();
    check_each(&hands);
}

/// Without fours with two, nothing is as good as two equal pair straights.
#[test]
fn the_same_pair_straight_twice() {
    let rules = Switches::from([1, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1]);
    let solver = Solver::new(rules.into());
    for hand in ["444455556666", "3333444455556666"] {
        assert_eq!(solver.min_plays(cards(hand)), 2, "{hand}");
        check_all_parts(&held(cards(hand)), rules, &solver);
    }
}

/// Rules that no preset has: every switch is drawn.
#[test]
fn fuzz_any_rules_and_any_hand_with_all_its_parts() {
    fuzz(24, &seeds(), |seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let switches = Switches::from([(); 11].map(|()| random.random_range(0..=1)));
        let solver = Solver::new(switches.into());
        let size = random.random_range(1..=13);
        check_all_parts(&held(deal(size, &mut random)), switches, &solver);
        check_all_parts(&dense(3, &mut random), switches, &solver);
    });
}

/// Long runs of triples: several planes whose wings are cards of each other's ranks. Takes a minute or two.
#[test]
#[ignore = "slow; run it after a change to the search"]
fn large_hands_with_several_planes_and_all_their_parts() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let hands: Vec<Held> = (0..24)
        .map(|_| {
            let mut hand = [0; 15];
            let start = random.random_range(0..4);
            for count in &mut hand[start..start + 8] {
                *count = if random.random_range(0..4) > 0 { 3 } else { random.random_range(0..=4) };
            }
            (hand[13], hand[14]) = (random.random_range(0..=1), random.random_range(0..=1));
            hand
        })
        .collect();
    check_each(&hands);
}

/// The hands of twenty cards that cost a search over runs the most, under noip and standard, and their parts.
#[test]
fn the_hardest_hands_of_twenty_cards_and_all_their_parts() {
    for (preset, hand) in [(Preset::Noip, "4555667778899TTJJQKA"), (Preset::Standard, "455566677788899TJQKA")]
    {
        check_all_parts(&held(cards(hand)), preset, &Solver::new(preset.rules()));
    }
}

#[test]
fn every_hand_of_five_cards() {
    fn extend(hand: Held, from: usize, hands: &mut Vec<Held>) {
        if hand.iter().sum::<u8>() == 5 {
            return hands.push(hand);
        }
        for rank in from..15 {
            if hand[rank] < Rank::ALL[rank].copies() {
                let mut longer = hand;
                longer[rank] += 1;
                extend(longer, rank, hands);
            }
        }
    }
    let mut hands = Vec::new();
    extend([0; 15], 0, &mut hands);
    assert_eq!(hands.len(), 10_270);
    check_each(&hands);
}

#[test]
fn a_plan_is_the_same_each_time_and_each_of_its_plays_leads_to_one_play_less() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for preset in Preset::ALL {
        let solver = Solver::new(preset.rules());
        for _ in 0..500 {
            let hand = deal(random.random_range(1..=54), &mut random);
            let plan = solver.solve(hand);
            assert_eq!(plan.plays(), solver.solve(hand).plays());
            for play in plan.plays() {
                assert!(is_play(&held(play.cards()), preset), "{play} under {preset:?}");
                let left = hand.without(play.cards()).expect("a play of the hand");
                assert_eq!(
                    usize::from(solver.min_plays(left)),
                    plan.plays().len() - 1,
                    "{hand} without {play}"
                );
            }
        }
    }
}

/// Exact means over all hands of 20 and 17 cards, from independent programs that solved every one of them.
#[test]
fn means_over_random_hands_are_the_exact_ones() {
    const HANDS: u32 = 100_000;
    for (preset, size, exact) in [
        (Preset::Noip, 20, 7.21927),
        (Preset::Standard, 20, 7.108485),
        (Preset::Noip, 17, 7.375839),
        (Preset::Standard, 17, 7.332643),
    ] {
        let solver = Solver::new(preset.rules());
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..HANDS {
            let plays = f64::from(solver.min_plays(deal(size, &mut random)));
            sum += plays;
            squares += plays * plays;
        }
        let mean = sum / f64::from(HANDS);
        let error = ((squares / f64::from(HANDS) - mean * mean) / f64::from(HANDS)).sqrt();
        assert!(
            (mean - exact).abs() < 4.0 * error,
            "{preset:?} {size}: {mean} is not {exact} within 4 x {error}"
        );
    }
}
