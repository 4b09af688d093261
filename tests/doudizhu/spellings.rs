//! Every way to write a card, against a reader that only knows a list of words.

use crate::fuzz::fuzz;
use kibitz::doudizhu::{Card, Counts, Hand, HandFault, Rank, Unreadable};
use proptest::prelude::*;

/// Every spelling of each rank in a string.
const SPELLINGS: [&str; 15] = [
    "3 ３ 三",
    "4 ４ 四",
    "5 ５ 五",
    "6 ６ 六",
    "7 ７ 七",
    "8 ８ 八",
    "9 ９ 九",
    "10 １０ 1０ T t Ｔ ｔ 十",
    "J j Ｊ ｊ",
    "Q q Ｑ ｑ",
    "K k Ｋ ｋ",
    "A a Ａ ａ",
    "2 ２ 二",
    "B b Ｂ ｂ X x Ｘ ｘ 小 小王 小鬼",
    "R r Ｒ ｒ D d Ｄ ｄ 大 大王 大鬼",
];

fn spellings() -> impl Iterator<Item = (Rank, &'static str)> {
    Rank::ALL.into_iter().zip(SPELLINGS).flat_map(|(rank, all)| all.split(' ').map(move |one| (rank, one)))
}

/// The ranks of a text that is made of spellings and separators alone, the longest spelling first; `None` for any other.
fn ranks_of(mut text: &str) -> Option<Vec<Rank>> {
    let mut ranks = Vec::new();
    while let Some(first) = text.chars().next() {
        if first.is_whitespace() || matches!(first, ',' | '，' | '、') {
            text = &text[first.len_utf8()..];
            continue;
        }
        let longest =
            spellings().filter(|(_, word)| text.starts_with(word)).max_by_key(|(_, word)| word.len())?;
        ranks.push(longest.0);
        text = &text[longest.1.len()..];
    }
    Some(ranks)
}

/// Whether a word of the text may be read in another way: a joker before a jack, or a `D` beside a rank, hence diamonds, and
/// beside no joker.
fn is_ambiguous(text: &str) -> bool {
    let letter =
        |c: char| if ('！'..='～').contains(&c) { char::from_u32(c as u32 - 0xfee0).unwrap() } else { c };
    let text: String = text.chars().map(letter).collect::<String>().to_uppercase();
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、')).any(|word| {
        let is_alone = |(at, _): (usize, &str)| {
            let neighbours = [word[..at].chars().next_back(), word[at + 1..].chars().next()];
            word.len() > 1 && !neighbours.into_iter().flatten().any(|c| "BXRD小大王鬼".contains(c))
        };
        word.contains("BJ") || word.contains("RJ") || word.match_indices('D').any(is_alone)
    })
}

#[test]
fn every_spelling_round_trips() {
    for (rank, word) in spellings() {
        assert_eq!(Card::read(word), Some(Card { rank, suit: None }), "{word}");
        for hand in [Hand::from_text(word), Hand::from_tokens(&[word])] {
            let hand = hand.unwrap_or_else(|faults| panic!("{word}: {faults:?}"));
            assert_eq!(hand.counts(), [rank].into_iter().collect::<Counts>(), "{word}");
            assert_eq!(hand.cards()[0].1.to_string(), word);
            let again = Hand::from_text(&hand.to_string()).expect("the canonical form");
            assert_eq!(again.counts(), hand.counts(), "{word}");
        }
    }
}

/// Words with and without separators between them, among them some that are not cards.
fn texts() -> impl Strategy<Value = String> {
    let words: Vec<&'static str> = spellings()
        .map(|(_, word)| word)
        .chain(["王", "鬼", "S", "♠", "♥\u{fe0f}", "1", "0", "一", "BJ", "RJ", "Joker", "?", "𝟛"])
        .collect();
    let separators = vec!["", "", "", " ", ",", "，", "、", "\u{3000}", "\n"];
    let item = (prop::sample::select(words), prop::sample::select(separators));
    prop::collection::vec(item, 0..16)
        .prop_map(|items| items.into_iter().flat_map(|(word, separator)| [word, separator]).collect())
}

#[test]
fn fuzz_no_card_is_dropped_or_doubled() {
    let anything = "([3-9TJQKA2BRXDbrxdj10小大王鬼二三十３ＪＤ ,，、♠]|\\PC){0,20}";
    fuzz(2_000, &prop_oneof![texts(), anything], |text| match Hand::from_text(&text) {
        Ok(hand) => {
            let mut expected = ranks_of(&text).unwrap_or_else(|| panic!("{text:?} is not made of cards"));
            let read: Vec<Rank> = hand.cards().iter().map(|card| card.0).collect();
            assert_eq!(read, expected, "{text:?}");
            assert!(!is_ambiguous(&text), "{text:?}");
            expected.sort();
            assert_eq!(hand.counts().ranks().collect::<Vec<_>>(), expected, "{text:?}");
            // The tokens are the text without its separators.
            let tokens: String = hand.cards().iter().map(|card| card.1.to_string()).collect();
            let is_kept = |c: &char| !c.is_whitespace() && !",，、".contains(*c);
            assert_eq!(tokens, text.chars().filter(is_kept).collect::<String>());
        }
        Err(faults) => {
            let fits = |ranks: &[Rank]| {
                let number = |rank| ranks.iter().filter(|&&other| other == rank).count();
                !ranks.is_empty() && Rank::ALL.iter().all(|&rank| number(rank) <= usize::from(rank.copies()))
            };
            let reads = ranks_of(&text).is_some_and(|ranks| fits(&ranks));
            assert!(!reads || is_ambiguous(&text), "{text:?}: {faults:?}");
        }
    });
}

#[test]
fn what_may_be_either_joker_is_rejected() {
    for text in ["BJ", "RJ", "bj", "3BJ", "王", "鬼", "3王"] {
        let faults = Hand::from_text(text).expect_err("an ambiguous hand");
        let reasons: Vec<_> = faults.iter().map(HandFault::unreadable).collect();
        assert_eq!(reasons, [Some(Unreadable::AmbiguousJoker)], "{text}");
    }
}
