//! A hand as a caller wrote it: what its cards are, and which token stands for which card.

use super::card::{Card, PICTURE, Rank, Suit, fold, is_suit_only};
use super::counts::Counts;
use super::hand_fault::{HandFault, Unreadable};
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
    /// Reads a string of ranks: `3`..`9`, `T` or `10`, `J Q K A 2`, `三`..`九 十 二`, `B X 小 小王 小鬼` for the small
    /// joker and `R D 大 大王 大鬼` for the big one, in any case and width; white space and `, ， 、` are skipped.
    ///
    /// `BJ` and `RJ` are rejected, as they may be a joker or a joker and a jack, and so are suits: `D3` would otherwise be
    /// the big joker and a three.
    ///
    /// # Errors
    /// Every fault, each with the position of its character, counted from 0.
    pub fn from_text(text: &str) -> Result<Self, Vec<HandFault>> {
        let characters: Vec<char> = text.chars().collect();
        let mut reader = Reader::default();
        let mut at = 0;
        for word in characters.split(|&c| c.is_whitespace() || ",，、".contains(c)) {
            let mut rest = word;
            while !rest.is_empty() {
                let (length, card) = next_card(rest, rest.len() == word.len());
                let token: String = rest[..length].iter().collect();
                reader.add(at, card, Token::Text(token));
                at += length;
                rest = &rest[length..];
            }
            // The separator.
            at += 1;
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
            let card =
                Card::read(token).ok_or_else(|| match &*token.trim().chars().map(fold).collect::<String>() {
                    "BJ" | "王" | "鬼" => Unreadable::AmbiguousJoker,
                    _ => Unreadable::NotACard,
                });
            reader.add(at, card, Token::Text(token.to_owned()));
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
            reader.add(at, noip_card(numbers).ok_or(Unreadable::NotACard), Token::Numbers(numbers));
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

/// The first card of some characters without separators, and how many characters it takes.
fn next_card(characters: &[char], is_whole_word: bool) -> (usize, Result<Card, Unreadable>) {
    let read = |length: usize| Card::read(&characters[..length].iter().collect::<String>());
    // A suit, a rank of two characters and U+FE0F are the longest word that is a single card.
    if is_whole_word
        && characters.len() <= 4
        && read(characters.len()).is_some_and(|card| card.suit.is_some())
    {
        return (characters.len(), Err(Unreadable::Suit));
    }
    let second = characters.get(1).copied().map(fold);
    match (fold(characters[0]), second) {
        ('1', Some('0')) | ('小' | '大', Some('王' | '鬼')) => (2, read(2).ok_or(Unreadable::NotACard)),
        ('B' | 'R', Some('J')) => (2, Err(Unreadable::AmbiguousJoker)),
        ('王' | '鬼', _) => (1, Err(Unreadable::AmbiguousJoker)),
        (first, second) if is_suit_only(first) => {
            (if second == Some(PICTURE) { 2 } else { 1 }, Err(Unreadable::Suit))
        }
        _ => (1, read(1).ok_or(Unreadable::NotACard)),
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
    fn add(&mut self, at: usize, card: Result<Card, Unreadable>, token: Token) {
        self.number += 1;
        match self.check(at, card, &token) {
            Ok(rank) => self.hand.push((rank, token)),
            Err(fault) => self.note(fault),
        }
    }

    fn check(&mut self, at: usize, card: Result<Card, Unreadable>, token: &Token) -> Result<Rank, HandFault> {
        // A token may be as long as a request; a card never is.
        let text = || token.to_string().chars().take(20).collect();
        let card = card.map_err(|reason| HandFault::Unreadable { at, text: text(), reason })?;
        let rank = card.rank;
        if card.suit.is_some() {
            if let Some(&(_, first)) = self.suited.iter().find(|(other, _)| *other == card) {
                return Err(HandFault::SameCard { at, first, text: token.to_string() });
            }
            self.suited.push((card, at));
        }
        self.counts = match self.counts.with(rank, 1) {
            Some(counts) => counts,
            None if rank.is_joker() => return Err(HandFault::SecondJoker { at, rank, text: text() }),
            None => return Err(HandFault::FifthOfRank { at, rank, number: 5 }),
        };
        Ok(rank)
    }

    /// Lists a fault, or counts it where the same is said of its rank already.
    fn note(&mut self, fault: HandFault) {
        for noted in &mut self.faults {
            match (noted, &fault) {
                (HandFault::FifthOfRank { rank, number, .. }, HandFault::FifthOfRank { rank: again, .. })
                    if rank == again =>
                {
                    *number += 1;
                    return;
                }
                (HandFault::SecondJoker { rank, .. }, HandFault::SecondJoker { rank: again, .. })
                    if rank == again =>
                {
                    return;
                }
                _ => {}
            }
        }
        if self.faults.len() < DECK {
            self.faults.push(fault);
        }
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
        let twice = [
            (2, "BJ".to_owned(), Unreadable::AmbiguousJoker),
            (4, "RJ".to_owned(), Unreadable::AmbiguousJoker),
        ];
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
        assert_eq!(Hand::from_text("34D").map(|hand| hand.to_string()), Ok("34R".into()));
    }

    #[test]
    fn too_many_of_a_rank_is_one_fault_with_their_number() {
        let faults = Hand::from_text("33333343 BBB").expect_err("a faulty hand");
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["7 cards of rank 3; a deck has 4", "`B` is a second small joker; a deck has one"]);
        assert_eq!(faults.iter().map(HandFault::at).collect::<Vec<_>>(), [Some(4), Some(10)]);
        assert_eq!(faults[0].in_chinese(), "点数 3 共有 7 张；一副牌只有 4 张");
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
    fn every_fault_is_told_in_both_languages() {
        let faults = [
            Hand::from_tokens(&["3", "3", "3", "3", "3", "B", "B", "S4", "S4", "z", "BJ"]),
            Hand::from_text(""),
            Hand::from_text(&"3".repeat(55)),
            Hand::from_text("S"),
        ];
        for fault in faults.into_iter().flat_map(Result::unwrap_err) {
            assert!(fault.to_string().is_ascii(), "{fault}");
            assert!(!fault.in_chinese().is_ascii(), "{fault}");
        }
    }
}
