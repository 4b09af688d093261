//! The fifteen ranks of the deck, the four suits, and how a single card is written.

use serde::Serialize;
use std::fmt;

/// A rank, lowest first. Suits never matter to a play, so a rank is all the solver sees of a card.
///
/// ```
/// use kibitz::doudizhu::Rank;
/// assert!(Rank::Two > Rank::Ace && Rank::RedJoker > Rank::BlackJoker);
/// assert_eq!(Rank::Ten.symbol(), 'T');
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[repr(u8)]
pub enum Rank {
    /// 3, the lowest.
    #[serde(rename = "3")]
    Three,
    /// 4
    #[serde(rename = "4")]
    Four,
    /// 5
    #[serde(rename = "5")]
    Five,
    /// 6
    #[serde(rename = "6")]
    Six,
    /// 7
    #[serde(rename = "7")]
    Seven,
    /// 8
    #[serde(rename = "8")]
    Eight,
    /// 9
    #[serde(rename = "9")]
    Nine,
    /// 10, written `T`.
    #[serde(rename = "T")]
    Ten,
    /// Jack.
    #[serde(rename = "J")]
    Jack,
    /// Queen.
    #[serde(rename = "Q")]
    Queen,
    /// King.
    #[serde(rename = "K")]
    King,
    /// Ace, the highest rank that a straight may hold.
    #[serde(rename = "A")]
    Ace,
    /// 2, above the ace and in no straight.
    #[serde(rename = "2")]
    Two,
    /// The small (black) joker, written `B`.
    #[serde(rename = "B")]
    BlackJoker,
    /// The big (red) joker, written `R`.
    #[serde(rename = "R")]
    RedJoker,
}

impl Rank {
    /// Every rank, lowest first.
    pub const ALL: [Self; 15] = [
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
        Self::Ace,
        Self::Two,
        Self::BlackJoker,
        Self::RedJoker,
    ];

    /// The position in [`Rank::ALL`], 0 to 14.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How the rank is printed: one of `3456789TJQKA2BR`.
    pub const fn symbol(self) -> char {
        const SYMBOLS: &[u8; 15] = b"3456789TJQKA2BR";
        SYMBOLS[self.index()] as char
    }

    /// Whether this is one of the two jokers.
    pub const fn is_joker(self) -> bool {
        self.index() >= Self::BlackJoker.index()
    }

    /// How many cards of this rank one deck holds: four, or one of each joker.
    pub const fn copies(self) -> u8 {
        if self.is_joker() { 1 } else { 4 }
    }

    /// The rank that one character stands for, in any case: `3`..`9 T J Q K A 2`, `B X 小` (small joker), `R D 大` (big joker).
    pub(super) fn from_char(symbol: char) -> Option<Self> {
        match symbol.to_ascii_uppercase() {
            'X' | '小' => Some(Self::BlackJoker),
            'D' | '大' => Some(Self::RedJoker),
            other => Self::ALL.into_iter().find(|rank| rank.symbol() == other),
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.symbol())
    }
}

/// A suit. It is read so that a caller's own cards can be given back and the same card twice can be refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Suit {
    /// Spades ♠, `S`.
    Spades,
    /// Hearts ♥, `H`.
    Hearts,
    /// Diamonds ♦, `D`.
    Diamonds,
    /// Clubs ♣, `C`.
    Clubs,
}

impl Suit {
    /// Every suit.
    pub const ALL: [Self; 4] = [Self::Spades, Self::Hearts, Self::Diamonds, Self::Clubs];

    fn from_char(symbol: char) -> Option<Self> {
        match symbol.to_ascii_uppercase() {
            'S' | '♠' => Some(Self::Spades),
            'H' | '♥' => Some(Self::Hearts),
            'D' | '♦' => Some(Self::Diamonds),
            'C' | '♣' => Some(Self::Clubs),
            _ => None,
        }
    }
}

/// A card as a caller names it: a rank, and a suit where one was given. Jokers have none.
///
/// ```
/// use kibitz::doudizhu::{Card, Rank, Suit};
/// assert_eq!(Card::read("D10"), Some(Card { rank: Rank::Ten, suit: Some(Suit::Diamonds) }));
/// assert_eq!(Card::read("10♦"), Card::read("dT"));
/// assert_eq!(Card::read("D").map(|card| card.rank), Some(Rank::RedJoker)); // 大, not a diamond
/// assert_eq!(Card::read("S"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Card {
    /// Its rank.
    pub rank: Rank,
    /// Its suit, where the caller gave one.
    pub suit: Option<Suit>,
}

impl Card {
    /// Reads one token: a rank (`10` is ten), alone or with a suit before or after it, or a joker (`B X 小 小王`,
    /// `R D 大 大王`). `None` where the token is no card. A lone `D` is the big joker; beside a rank it is diamonds.
    pub fn read(token: &str) -> Option<Self> {
        let token = token.trim();
        let plain = |rank| Self { rank, suit: None };
        if let Some(rank) = read_rank(token) {
            return Some(plain(rank));
        }
        match token {
            "小王" => return Some(plain(Rank::BlackJoker)),
            "大王" => return Some(plain(Rank::RedJoker)),
            _ => {}
        }
        // Some fonts and keyboards add U+FE0F, "show me as a picture", behind a suit's sign.
        let token: String = token.chars().filter(|&c| c != '\u{fe0f}').collect();
        let mut characters = token.chars();
        let (suit, rest) = match Suit::from_char(characters.next()?) {
            Some(suit) => (suit, characters.as_str()),
            None => {
                let mut characters = token.chars();
                (Suit::from_char(characters.next_back()?)?, characters.as_str())
            }
        };
        let rank = read_rank(rest).filter(|rank| !rank.is_joker())?;
        Some(Self { rank, suit: Some(suit) })
    }
}

/// A rank in one character, or `10`.
fn read_rank(text: &str) -> Option<Rank> {
    if text == "10" {
        return Some(Rank::Ten);
    }
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(symbol), None) => Rank::from_char(symbol),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_is_read_in_both_cases_with_every_suit_on_both_sides() {
        for rank in Rank::ALL {
            let symbol = rank.symbol().to_string();
            for text in [symbol.clone(), symbol.to_lowercase()] {
                assert_eq!(Card::read(&text), Some(Card { rank, suit: None }), "{text}");
                for (suit, signs) in Suit::ALL.into_iter().zip(["Ss♠", "Hh♥", "Dd♦", "Cc♣"]) {
                    for sign in signs.chars() {
                        let want = (!rank.is_joker()).then_some(Card { rank, suit: Some(suit) });
                        assert_eq!(Card::read(&format!("{sign}{text}")), want, "{sign}{text}");
                        assert_eq!(Card::read(&format!("{text}{sign}")), want, "{text}{sign}");
                    }
                }
            }
        }
    }

    #[test]
    fn jokers_by_every_name() {
        for (rank, names) in [
            (Rank::BlackJoker, ["B", "b", "X", "x", "小", "小王"]),
            (Rank::RedJoker, ["R", "r", "D", "d", "大", "大王"]),
        ] {
            for name in names {
                assert_eq!(Card::read(name), Some(Card { rank, suit: None }), "{name}");
            }
        }
    }

    #[test]
    fn ten_in_every_dress() {
        for token in ["10", "T", "t", " 10 "] {
            assert_eq!(Card::read(token), Some(Card { rank: Rank::Ten, suit: None }), "{token}");
        }
        for token in ["H10", "10h", "♥10", "10♥", "♥️10", "HT", "th"] {
            assert_eq!(
                Card::read(token),
                Some(Card { rank: Rank::Ten, suit: Some(Suit::Hearts) }),
                "{token}"
            );
        }
    }

    #[test]
    fn what_is_no_card_is_refused() {
        for token in [
            "", " ", "1", "0", "11", "S", "H", "C", "SS", "SB", "RD", "BR", "33", "S3H", "1S", "joker", "王",
            "小小",
        ] {
            assert_eq!(Card::read(token), None, "{token}");
        }
    }
}
