//! A hand as a caller wrote it: what its cards are, and which token stands for which card.

use super::card::{Card, Rank, Suit};
use super::counts::Counts;
use super::hand_fault::HandFault;
use super::play::Play;
use serde::Serialize;
use std::fmt;

/// 1 to 54 cards of one deck, each with the token that the caller used for it.
///
/// ```
/// use kibitz::doudizhu::{Hand, HandFault};
/// let hand = Hand::from_text("10 J、q，K A 小王 大").unwrap();
/// assert_eq!(hand.to_string(), "TJQKABR");
///
/// let hand = Hand::from_tokens(&["S3", "3♥", "10", "D"]).unwrap();
/// assert_eq!(hand.to_string(), "33TR");
///
/// let faults = Hand::from_tokens(&["S3", "1", "S3"]).unwrap_err();
/// assert_eq!(faults.iter().map(HandFault::at).collect::<Vec<_>>(), [Some(1), Some(2)]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hand {
    counts: Counts,
    cards: Vec<(Rank, Token)>,
}

/// A card in the caller's own notation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Token {
    /// As written, in a string or as an element of an array.
    Text(String),
    /// The contest's `[rank, suit]`.
    Numbers([i64; 2]),
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Numbers([rank, suit]) => write!(f, "[{rank},{suit}]"),
        }
    }
}

impl Hand {
    /// Reads a string of ranks: `3`..`9`, `T` or `10`, `J Q K A 2`, `B X 小 小王` for the small joker and
    /// `R D 大 大王` for the big one, in any case; white space and `, ， 、` are skipped.
    ///
    /// # Errors
    /// Every fault, each with the position of its character, counted from 0.
    pub fn from_text(text: &str) -> Result<Self, Vec<HandFault>> {
        let characters: Vec<char> = text.chars().collect();
        let mut reader = Reader::default();
        let mut at = 0;
        while let Some(&first) = characters.get(at) {
            let second = characters.get(at + 1);
            let length = match (first, second) {
                (first, _) if first.is_whitespace() || ",，、".contains(first) => {
                    at += 1;
                    continue;
                }
                ('1', Some('0')) | ('小' | '大', Some('王')) => 2,
                _ => 1,
            };
            let token: String = characters[at..at + length].iter().collect();
            reader.add(at, Card::read(&token), Token::Text(token));
            at += length;
        }
        reader.finish()
    }

    /// Reads an array of tokens, a card each, as [`Card::read`] does.
    ///
    /// # Errors
    /// Every fault, each with the index of its element.
    pub fn from_tokens<T: AsRef<str>>(tokens: &[T]) -> Result<Self, Vec<HandFault>> {
        let mut reader = Reader::default();
        for (at, token) in tokens.iter().map(AsRef::as_ref).enumerate() {
            reader.add(at, Card::read(token), Token::Text(token.to_owned()));
        }
        reader.finish()
    }

    /// Reads the numbers of NOIP 2015: rank 1 is the ace, 2 to 13 follow, with suit 1 to 4; `[0, 1]` is the small and
    /// `[0, 2]` the big joker.
    ///
    /// # Errors
    /// Every fault, each with the index of its element.
    pub fn from_noip_cards(cards: &[[i64; 2]]) -> Result<Self, Vec<HandFault>> {
        let mut reader = Reader::default();
        for (at, &numbers) in cards.iter().enumerate() {
            reader.add(at, noip_card(numbers), Token::Numbers(numbers));
        }
        reader.finish()
    }

    /// How many cards of each rank.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// The cards in the caller's order, each with its token.
    pub fn cards(&self) -> &[(Rank, Token)] {
        &self.cards
    }

    /// The tokens of some plays of this hand, body first, then kickers. Each token is used once: of equal ranks the
    /// caller's first ones go to the first play. Cards that the hand does not hold get no token.
    ///
    /// ```
    /// # use kibitz::doudizhu::{Hand, Preset, Solver};
    /// let hand = Hand::from_tokens(&["D4", "H3", "S3", "C3"]).unwrap();
    /// let plan = Solver::new(Preset::Standard.rules()).solve(hand.counts());
    /// let tokens: Vec<String> = hand.deal(plan.plays())[0].iter().map(|token| token.to_string()).collect();
    /// assert_eq!(tokens, ["H3", "S3", "C3", "D4"]);
    /// ```
    pub fn deal(&self, plays: &[Play]) -> Vec<Vec<&Token>> {
        let mut of_rank = Rank::ALL.map(|rank| self.cards.iter().filter(move |card| card.0 == rank));
        let mut next = |rank: Rank| of_rank[rank.index()].next().map(|card| &card.1);
        plays.iter().map(|play| play.ranks().filter_map(&mut next).collect()).collect()
    }
}

/// Prints the canonical form: `3334445566789TJQKA2BR`.
impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.counts.fmt(f)
    }
}

fn noip_card([rank, suit]: [i64; 2]) -> Option<Card> {
    let plain = |rank| Some(Card { rank, suit: None });
    match (rank, suit) {
        (0, 1) => plain(Rank::BlackJoker),
        (0, 2) => plain(Rank::RedJoker),
        (1..=13, 1..=4) => {
            // 1 and 2 rank above the king: 3 is index 0, ..., 13 (the king) 10, 1 (the ace) 11, 2 is 12.
            let rank = Rank::ALL[(rank + 10).rem_euclid(13) as usize];
            Some(Card { rank, suit: Some(Suit::ALL[suit as usize - 1]) })
        }
        _ => None,
    }
}

/// The deck's size, and how many faults of single cards are listed at most, lest a small request get a huge answer.
const DECK: usize = 54;

/// Gathers cards and everything that is wrong with them.
#[derive(Default)]
struct Reader {
    hand: Vec<(Rank, Token)>,
    counts: Counts,
    /// The suited cards met, each with where it was.
    suited: Vec<(Card, usize)>,
    faults: Vec<HandFault>,
    number: usize,
}

impl Reader {
    fn add(&mut self, at: usize, card: Option<Card>, token: Token) {
        self.number += 1;
        if let Err(fault) = self.check(at, card, &token) {
            if self.faults.len() < DECK {
                self.faults.push(fault);
            }
        } else if let Some(Card { rank, .. }) = card {
            self.hand.push((rank, token));
        }
    }

    fn check(&mut self, at: usize, card: Option<Card>, token: &Token) -> Result<(), HandFault> {
        let Some(card) = card else {
            // A token may be as long as a request; a card never is.
            let text = token.to_string().chars().take(20).collect();
            return Err(HandFault::Unreadable { at, text });
        };
        let rank = card.rank;
        if card.suit.is_some() {
            if let Some(&(_, first)) = self.suited.iter().find(|(other, _)| *other == card) {
                return Err(HandFault::SameCard { at, first, text: token.to_string() });
            }
            self.suited.push((card, at));
        }
        self.counts = match self.counts.with(rank, 1) {
            Some(counts) => counts,
            None if rank.is_joker() => return Err(HandFault::SecondJoker { at, rank }),
            None => return Err(HandFault::FifthOfRank { at, rank }),
        };
        Ok(())
    }

    fn finish(mut self) -> Result<Hand, Vec<HandFault>> {
        match self.number {
            0 => self.faults.push(HandFault::Empty),
            number if number > DECK => self.faults.push(HandFault::TooMany { number }),
            _ => {}
        }
        if self.faults.is_empty() {
            Ok(Hand { counts: self.counts, cards: self.hand })
        } else {
            Err(self.faults)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn whatever_is_written_is_a_hand_or_has_faults(text in "([3-9TJQKA2BRXD10小大王 ,，、shdc♠♥]|\\PC){0,60}") {
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
        ] {
            assert_eq!(Hand::from_text(text).map(|hand| hand.to_string()), Ok("3TJQKA2BR".into()), "{text}");
        }
    }

    #[test]
    fn tokens_are_given_back_as_written() {
        let hand = Hand::from_text("10 t 小王 d").expect("a hand");
        let tokens: Vec<String> = hand.cards().iter().map(|card| card.1.to_string()).collect();
        assert_eq!(tokens, ["10", "t", "小王", "d"]);
        let hand = Hand::from_noip_cards(&[[7, 4], [1, 1], [2, 1], [13, 2], [3, 3], [0, 1], [0, 2]])
            .expect("a hand");
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

    #[test]
    fn faults_in_an_array_point_at_elements() {
        assert_eq!(codes(Hand::from_tokens::<&str>(&[])), [("empty_hand", None)]);
        assert_eq!(codes(Hand::from_tokens(&["S3", "♠3"])), [("same_card_twice", Some(1))]);
        assert_eq!(codes(Hand::from_tokens(&["B", "小王"])), [("second_joker", Some(1))]);
        assert_eq!(
            codes(Hand::from_tokens(&["S3", "H3", "3", "D3", "1", "3", "C3"])),
            [("unreadable_card", Some(4)), ("too_many_of_rank", Some(5)), ("too_many_of_rank", Some(6))]
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
    fn every_fault_is_told_in_both_languages() {
        let faults = [
            Hand::from_tokens(&["3", "3", "3", "3", "3", "B", "B", "S4", "S4", "z"]),
            Hand::from_text(""),
            Hand::from_text(&"3".repeat(55)),
        ];
        for fault in faults.into_iter().flat_map(Result::unwrap_err) {
            assert!(fault.to_string().is_ascii(), "{fault}");
            assert!(!fault.in_chinese().is_ascii(), "{fault}");
        }
    }
}
