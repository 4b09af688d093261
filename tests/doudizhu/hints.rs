//! Hints: every play that is allowed, what it leaves, and the order.

use crate::judge::{cards, deal, held, is_play, parts, to_counts};
use kibitz::chinese::explain_hints;
use kibitz::doudizhu::{
    Counts, Explanation, HintFault, Kind, Play, Preset, Rank, Solver, hints, reading, readings,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// What `beats` says, written down the long way.
fn may_follow(play: Play, other: Play) -> bool {
    let strength = |play: Play| match play.kind() {
        Kind::Rocket => 2,
        Kind::Bomb => 1,
        _ => 0,
    };
    if strength(play) != strength(other) {
        return strength(play) > strength(other);
    }
    play.kind() == other.kind() && play.length() == other.length() && play.rank() > other.rank()
}

#[test]
fn hints_are_all_plays_with_what_they_leave_best_first() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for number in 0..60 {
        let preset = Preset::ALL[number % 6];
        let solver = Solver::new(preset.rules());
        let hand = deal(random.random_range(1..=12), &mut random);
        let parts = parts(&held(hand));
        let other = to_counts(&parts[random.random_range(0..parts.len())]);
        for beat in [None, readings(other, solver.rules()).first().copied()] {
            let answer = hints(&solver, hand, beat).expect("a hand of at most 20 cards");
            assert_eq!(answer.min_plays, solver.min_plays(hand));
            let shown: HashSet<(Kind, Counts)> =
                answer.plays.iter().map(|hint| (hint.play.kind(), hint.play.cards())).collect();
            assert_eq!(shown.len(), answer.plays.len(), "no play is shown twice");
            let allowed: HashSet<(Kind, Counts)> = parts
                .iter()
                .filter(|part| is_play(part, preset))
                .flat_map(|part| readings(to_counts(part), solver.rules()))
                .filter(|play| beat.is_none_or(|other| may_follow(*play, other)))
                .map(|play| (play.kind(), play.cards()))
                .collect();
            assert_eq!(shown, allowed, "{hand} on {beat:?} under {preset:?}");
            for hint in &answer.plays {
                let left = hand.without(hint.play.cards()).expect("a play of the hand");
                assert_eq!(hint.min_plays_left, solver.min_plays(left));
                assert_eq!(hint.loss + answer.min_plays, 1 + hint.min_plays_left);
            }
            let order = answer
                .plays
                .iter()
                .map(|hint| (hint.min_plays_left, hint.splits_bomb || hint.splits_rocket, hint.play.rank()));
            assert!(order.is_sorted());
            assert!(beat.is_some() || answer.plays[0].loss == 0, "a free lead never has to lose a play");
        }
    }
}

#[test]
fn bombs_and_the_rocket_are_kept_where_that_costs_nothing() {
    let solver = Solver::new(Preset::Standard.rules());
    let single = reading(cards("3"), None, solver.rules()).expect("a single");
    let answer = hints(&solver, cards("479TBR"), Some(single)).expect("a small hand");
    let order: Vec<String> = answer.plays.iter().map(|hint| hint.play.to_string()).collect();
    assert_eq!(order, ["4", "7", "9", "T", "BR", "B", "R"]);
    assert!(answer.plays[5].splits_rocket && !answer.plays[4].splits_rocket);

    let answer = hints(&solver, cards("66669"), None).expect("a small hand");
    let flags = |text: &str| answer.plays.iter().find(|hint| hint.play.to_string() == text).expect("a play");
    assert!(flags("666+9").splits_bomb && flags("66").splits_bomb);
    assert!(!flags("6666").splits_bomb && !flags("9").splits_bomb);
    assert_eq!((flags("6666").loss, flags("666").loss), (0, 1));
}

#[test]
fn two_readings_of_one_kind_are_one_hint_with_the_higher_rank() {
    let solver = Solver::new(Preset::Noip.rules());
    let answer = hints(&solver, cards("AAAA2222"), None).expect("a small hand");
    let fours: Vec<Rank> = answer
        .plays
        .iter()
        .filter(|hint| hint.play.kind() == Kind::FourTwoPairs)
        .map(|hint| hint.play.rank())
        .collect();
    assert_eq!(fours, [Rank::Two]);
}

#[test]
fn nothing_beats_the_rocket_and_large_hands_get_no_hints() {
    let solver = Solver::new(Preset::Loose.rules());
    let rocket = reading(cards("BR"), None, solver.rules()).expect("the rocket");
    let answer = hints(&solver, cards("33334444"), Some(rocket)).expect("a small hand");
    assert!(answer.plays.is_empty());
    assert_eq!(answer.in_english(Some(rocket)), "Nothing in this hand beats the rocket: pass.");
    assert_eq!(explain_hints(&answer, Some(rocket)), "这手牌压不过王炸，只能不出。");
    let large = deal(21, &mut ChaCha8Rng::seed_from_u64(6));
    assert_eq!(hints(&solver, large, None), Err(HintFault::TooManyCards { cards: 21 }));
}

#[test]
fn lost_play_is_found() {
    let solver = Solver::new(Preset::Simple.rules());
    let beat = reading(cards("555"), None, solver.rules()).expect("a triple");
    let answer = hints(&solver, cards("44666"), Some(beat)).expect("a small hand");
    let english = "Play the triple 666: the rest goes out in 1 play, 1 more than after the best lead.";
    assert_eq!(answer.in_english(Some(beat)), english);
    assert_eq!(explain_hints(&answer, Some(beat)), "出三张 666：余牌最少 1 手，比自由出牌多 1 手。");
}

#[test]
fn what_an_explanation_says_is_true() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for number in 0..600 {
        let preset = Preset::ALL[number % 6];
        let solver = Solver::new(preset.rules());
        let hand = deal(random.random_range(1..=30), &mut random);
        let explanation = Explanation::new(&solver, hand, solver.solve(hand));
        let without_runs = Solver::new(kibitz::doudizhu::Rules { runs: false, ..preset.rules() });
        assert_eq!(explanation.without_runs, without_runs.min_plays(hand));
        if let Some(trap) = explanation.trap {
            let left = hand.without(trap.first.cards()).expect("a play of the hand");
            assert_eq!(trap.plays, 1 + solver.min_plays(left));
            assert!(trap.plays > solver.min_plays(hand));
            assert!(readings(trap.first.cards(), solver.rules()).contains(&trap.first), "a legal beginning");
        }
    }
}
