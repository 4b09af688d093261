//! Tests of the reader of hands.

use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn whatever_is_written_is_a_hand_or_has_faults(text in "([3-9TJQKA2BRXD10小大王鬼三十二３Ｊ ,，、shdc♠♥]|\\PC){0,60}") {
        let characters = text.chars().count();
        match Hand::from_text(&text) {
            Ok(hand) => {
                prop_assert_eq!(hand.cards().len(), usize::from(hand.counts().total()));
                prop_assert_eq!(Hand::from_text(&hand.to_string()).map(|again| again.counts()), Ok(hand.counts()));
            }
            Err(faults) => prop_assert!(faults.iter().all(|fault| fault.at().is_none_or(|at| at < characters))),
        }
    }

    #[test]
    fn tokens_are_a_hand_or_have_faults(tokens in proptest::collection::vec("[SHDC♠]?([3-9TJQKA2BR]|10)[hd]?", 0..12)) {
        match Hand::from_tokens(&tokens) {
            Ok(hand) => {
                let back: Vec<String> = hand.cards().iter().map(|card| card.1.to_string()).collect();
                prop_assert_eq!(back, tokens);
            }
            Err(faults) => prop_assert!(faults.iter().all(|fault| fault.at().is_none_or(|at| at < tokens.len()))),
        }
    }
}

fn codes(result: Result<Hand, Vec<HandFault>>) -> Vec<(&'static str, Option<usize>)> {
    result.expect_err("a faulty hand").iter().map(|fault| (fault.code(), fault.at())).collect()
}

#[test]
fn a_string_in_every_dress_is_the_same_hand() {
    for text in [
        "3TJQKA2BR",
        "310jqka2xd",
        "r b 2 a k q j 10 3",
        "3,10，J、Q K\tA\n2　小大",
        "大王小王2AKQJT3",
        "3 10 J Q K A 2 小王 D",
        "三十JQKA二小鬼大鬼",
        "３１０ｊＱＫＡ２ＢＲ",
        "大小王二AKQJ十三",
        "xd3tqkA2 J",
    ] {
        assert_eq!(Hand::from_text(text).map(|hand| hand.to_string()), Ok("3TJQKA2BR".into()), "{text}");
    }
}

#[test]
fn tokens_are_given_back_as_written() {
    let hand = Hand::from_text("10 t 小王 d").expect("a hand");
    let tokens: Vec<String> = hand.cards().iter().map(|card| card.1.to_string()).collect();
    assert_eq!(tokens, ["10", "t", "小王", "d"]);
    let hand =
        Hand::from_noip_cards(&[[7, 4], [1, 1], [2, 1], [13, 2], [3, 3], [0, 1], [0, 2]]).expect("a hand");
    assert_eq!(hand.to_string(), "37KA2BR");
    assert_eq!(serde_json::to_string(&hand.cards()[0].1).expect("numbers"), "[7,4]");
}

#[test]
fn faults_in_a_string_point_at_characters() {
    assert_eq!(codes(Hand::from_text("")), [("empty_hand", None)]);
    assert_eq!(codes(Hand::from_text(" ,，、 ")), [("empty_hand", None)]);
    assert_eq!(codes(Hand::from_text("1")), [("unreadable_card", Some(0))]);
    assert_eq!(codes(Hand::from_text("3 33,33")), [("too_many_of_rank", Some(6))]);
    assert_eq!(
        codes(Hand::from_text("小王 S R1 ？大")),
        [
            ("unreadable_card", Some(3)),
            ("unreadable_card", Some(6)),
            ("unreadable_card", Some(8)),
            ("second_joker", Some(9))
        ]
    );
}

/// Where a text cannot be read, and why.
fn unreadable(text: &str) -> Vec<(usize, String, Unreadable)> {
    let faults = Hand::from_text(text).expect_err("a faulty hand");
    faults
        .into_iter()
        .map(|fault| match fault {
            HandFault::Unreadable { at, text, reason } => (at, text, reason),
            other => panic!("{other}"),
        })
        .collect()
}

#[test]
fn a_joker_beside_a_jack_is_rejected_where_it_may_be_one_card() {
    for text in ["BJ", "bj", "RJ", "ＲＪ", "王", "鬼"] {
        assert_eq!(unreadable(text), [(0, text.to_owned(), Unreadable::AmbiguousJoker)], "{text}");
    }
    let twice =
        [(2, "BJ".to_owned(), Unreadable::AmbiguousJoker), (4, "RJ".to_owned(), Unreadable::AmbiguousJoker)];
    assert_eq!(unreadable("34BJRJ"), twice);
    for text in ["B J", "JB", "B,J", "小J", "xJ"] {
        assert_eq!(Hand::from_text(text).map(|hand| hand.to_string()), Ok("JB".into()), "{text}");
    }
    for token in ["BJ", "bj", "王", "鬼"] {
        let faults = Hand::from_tokens(&[token]).expect_err("a faulty hand");
        assert_eq!(faults[0].unreadable(), Some(Unreadable::AmbiguousJoker), "{token}");
    }
    assert_eq!(Hand::from_tokens(&["RJ", "SJ"]).map(|hand| hand.to_string()), Ok("JR".into()));
}

#[test]
fn a_suit_in_a_string_is_rejected() {
    for text in ["D3", "3d", "10D", "D10", "♦️十", "S3", "SJ"] {
        assert_eq!(unreadable(text), [(0, text.to_owned(), Unreadable::Suit)], "{text}");
    }
    let places: Vec<usize> = unreadable("S3H4♠️5 D6,♥7").iter().map(|fault| fault.0).collect();
    assert_eq!(places, [0, 2, 4, 8, 11]);
    assert_eq!(Hand::from_text("3 D").map(|hand| hand.to_string()), Ok("3R".into()));
}

#[test]
fn a_d_beside_a_rank_is_diamonds_unless_a_joker_is_on_its_other_side() {
    for (text, at) in [("D34567", 0), ("3D45", 1), ("34D", 2), ("34d10", 2), ("Ｄ三四", 0), ("5 34D", 4)] {
        let faults: Vec<_> = unreadable(text).into_iter().map(|(at, _, reason)| (at, reason)).collect();
        assert_eq!(faults, [(at, Unreadable::Suit)], "{text}");
    }
    let faults: Vec<_> = unreadable("S3H4D5").into_iter().map(|(at, ..)| at).collect();
    assert_eq!(faults, [0, 2, 4]);
    for text in ["34XD", "34DX", "XD34", "DX34", "34小王d", "d小34", "34 X D", "D,X,34", "大小34"] {
        assert_eq!(Hand::from_text(text).map(|hand| hand.to_string()), Ok("34BR".into()), "{text}");
    }
}

#[test]
fn too_many_of_a_rank_is_one_fault_with_their_number() {
    let faults = Hand::from_text("33333343 BBB").expect_err("a faulty hand");
    let messages: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(messages, ["7 cards of rank 3; a deck has 4", "`B` is a second small joker; a deck has one"]);
    assert_eq!(faults.iter().map(HandFault::at).collect::<Vec<_>>(), [Some(4), Some(10)]);
}

#[test]
fn faults_in_an_array_point_at_elements() {
    assert_eq!(codes(Hand::from_tokens::<&str>(&[])), [("empty_hand", None)]);
    assert_eq!(codes(Hand::from_tokens(&["S3", "♠3"])), [("same_card_twice", Some(1))]);
    assert_eq!(codes(Hand::from_tokens(&["B", "小王"])), [("second_joker", Some(1))]);
    assert_eq!(
        codes(Hand::from_tokens(&["S3", "H3", "3", "D3", "1", "3", "C3"])),
        [("unreadable_card", Some(4)), ("too_many_of_rank", Some(5))]
    );
    assert_eq!(
        codes(Hand::from_noip_cards(&[
            [0, 3],
            [14, 1],
            [1, 5],
            [1, 0],
            [-1, 1],
            [i64::MAX, 1],
            [1, 1],
            [1, 1]
        ])),
        [0, 1, 2, 3, 4, 5]
            .map(|at| ("unreadable_card", Some(at)))
            .into_iter()
            .chain([("same_card_twice", Some(7))])
            .collect::<Vec<_>>()
    );
}

#[test]
fn more_than_a_deck_is_too_many_and_the_list_of_faults_stays_short() {
    let deck = Counts::DECK.to_string();
    assert_eq!(Hand::from_text(&deck).map(|hand| hand.counts()), Ok(Counts::DECK));
    assert_eq!(
        codes(Hand::from_text(&(deck + "3"))),
        [("too_many_of_rank", Some(54)), ("too_many_cards", None)]
    );
    assert_eq!(codes(Hand::from_text(&"?".repeat(60_000))).len(), 55);
}

#[test]
fn messages_are_in_english() {
    let faults = [
        Hand::from_tokens(&["3", "3", "3", "3", "3", "B", "B", "S4", "S4", "z", "BJ"]),
        Hand::from_text(""),
        Hand::from_text(&"3".repeat(55)),
        Hand::from_text("S"),
    ];
    for fault in faults.into_iter().flat_map(Result::unwrap_err) {
        let english = fault.to_string();
        // A card may be written in Chinese.
        assert!(english.is_ascii() || english.contains("小王"), "{fault}");
    }
}
