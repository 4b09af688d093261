//! The recogniser, the generator and an independent judge agree on what a play is.

use crate::judge::{cards, held, is_play, parts, to_counts};
use kibitz::chinese::InChinese;
use kibitz::doudizhu::{Counts, Kind, Play, Preset, ReadingFault, legal_plays, reading, readings};
use proptest::prelude::*;
use std::collections::HashSet;

/// Hands of few neighbouring ranks, so that every kind of play turns up.
fn dense_hand() -> impl Strategy<Value = Counts> {
    let counts = proptest::collection::vec(0..=4u8, 4);
    (0..=9usize, counts, 0..15usize, 0..15usize, 0..=1u8, 0..=1u8).prop_map(
        |(start, counts, x, y, small, big)| {
            let mut hand = [0; 15];
            for rank in [x, y] {
                hand[rank] = 1;
            }
            for (rank, count) in (start..13).zip(counts) {
                hand[rank] = count;
            }
            (hand[13], hand[14]) = (small, big);
            to_counts(&hand)
        },
    )
}

fn straight_hand() -> impl Strategy<Value = Counts> {
    (0..=5usize, proptest::collection::vec(0..=2u8, 8)).prop_map(|(start, counts)| {
        let mut hand = [0; 15];
        for (rank, count) in (start..13).zip(counts) {
            hand[rank] = count;
        }
        to_counts(&hand)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn recogniser_generator_and_judge_agree(hand in prop_oneof![dense_hand(), straight_hand()]) {
        for preset in Preset::ALL {
            let rules = preset.rules();
            let generated = legal_plays(hand, &rules);
            let distinct: HashSet<Play> = generated.iter().copied().collect();
            prop_assert_eq!(distinct.len(), generated.len(), "no play comes twice");
            let mut recognised = HashSet::new();
            for part in parts(&held(hand)) {
                let plays = readings(to_counts(&part), &rules);
                prop_assert_eq!(!plays.is_empty(), is_play(&part, preset), "{:?} under {:?}", to_counts(&part), preset);
                prop_assert!(plays.iter().all(|play| play.cards() == to_counts(&part)));
                recognised.extend(plays);
            }
            prop_assert_eq!(&recognised, &distinct, "{} under {:?}", hand, preset);
        }
    }
}

fn read(text: &str, preset: Preset) -> Vec<(Kind, char, u8)> {
    readings(cards(text), &preset.rules())
        .into_iter()
        .map(|play| (play.kind(), play.rank().symbol(), play.length()))
        .collect()
}

#[test]
fn each_kind_is_read() {
    for (text, kind, rank, length) in [
        ("R", Kind::Single, 'R', 1),
        ("22", Kind::Pair, '2', 1),
        ("333", Kind::Triple, '3', 1),
        ("7777", Kind::Bomb, '7', 1),
        ("BR", Kind::Rocket, 'B', 1),
        ("222R", Kind::TripleSingle, '2', 1),
        ("33444", Kind::TriplePair, '4', 1),
        ("3456789TJQKA", Kind::Straight, '3', 12),
        ("QQKKAA", Kind::PairStraight, 'Q', 3),
        ("KKKAAA", Kind::Plane, 'K', 2),
        ("35KKKAAA", Kind::PlaneSingles, 'K', 2),
        ("3355KKKAAA", Kind::PlanePairs, 'K', 2),
        ("35KKKK", Kind::FourTwoSingles, 'K', 1),
        ("3355KKKK", Kind::FourTwoPairs, 'K', 1),
    ] {
        assert_eq!(read(text, Preset::Standard), [(kind, rank, length)], "{text}");
    }
    for text in ["34", "3344", "33334", "KKKAAA222", "A2345", "333444556", "33334445"] {
        assert_eq!(read(text, Preset::Loose), [], "{text}");
    }
}

#[test]
fn some_cards_are_several_plays() {
    let twice = [(Kind::FourTwoPairs, 'A', 1), (Kind::FourTwoPairs, '2', 1)];
    assert_eq!(read("AAAA2222", Preset::Noip), twice);
    assert_eq!(read("AAAA2222", Preset::Standard), []);
    let plane = (Kind::Plane, '3', 4);
    assert_eq!(read("333444555666", Preset::Standard), [plane]);
    let winged = [plane, (Kind::PlaneSingles, '3', 3), (Kind::PlaneSingles, '4', 3)];
    assert_eq!(read("333444555666", Preset::Loose), winged);
}

#[test]
fn one_reading_is_chosen_by_kind_or_rejected() {
    let loose = Preset::Loose.rules();
    let twelve = cards("333444555666");
    assert!(
        matches!(reading(twelve, None, &loose), Err(ReadingFault::Ambiguous { readings, .. }) if readings.len() == 3)
    );
    let highest = reading(twelve, Some(Kind::PlaneSingles), &loose).expect("a plane with wings");
    assert_eq!((highest.rank().symbol(), highest.to_string()), ('4', "444555666+333".to_owned()));
    assert!(matches!(reading(twelve, Some(Kind::Bomb), &loose), Err(ReadingFault::OtherKind { .. })));
    assert!(matches!(reading(cards("34"), None, &loose), Err(ReadingFault::NoPlay { .. })));
    assert!(matches!(reading(cards("34"), Some(Kind::Pair), &loose), Err(ReadingFault::NoPlay { .. })));
    assert_eq!(reading(cards("33"), None, &loose).map(Play::kind), Ok(Kind::Pair));
    for fault in [
        reading(twelve, None, &loose),
        reading(twelve, Some(Kind::Bomb), &loose),
        reading(cards("34"), None, &loose),
    ] {
        let fault = fault.expect_err("no single reading");
        assert!(fault.to_string().is_ascii() && !fault.in_chinese().is_ascii());
    }
}
