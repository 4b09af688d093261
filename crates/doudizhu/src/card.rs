//! The fifteen ranks of the deck, the four suits, and how a single card is written.

use serde::Serialize;
use std::fmt;

/// A rank, lowest first. Suits never matter to a play, so a rank is all the solver sees of a card.
///
/// ```
/// use kibitz_doudizhu::Rank;
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
        self.name().as_bytes()[0] as char
    }

    /// The name on the wire: [`symbol`](Self::symbol) as a string.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 15] = ["3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "B", "R"];
        NAMES[self.index()]
    }

    /// Whether this is one of the two jokers.
    pub const fn is_joker(self) -> bool {
        self.index() >= Self::BlackJoker.index()
    }

    /// How many cards of this rank one deck holds: four, or one of each joker.
    pub const fn copies(self) -> u8 {
        if self.is_joker() { 1 } else { 4 }
    }

    /// The rank that a folded character stands for: `3`..`9 T J Q K A 2`, `三`..`九 十 二`, `B X 小` (small joker),
    /// `R D 大` (big joker).
    fn from_char(symbol: char) -> Option<Self> {
        match symbol {
            'X' | '小' => Some(Self::BlackJoker),
            'D' | '大' => Some(Self::RedJoker),
            '二' => Some(Self::Two),
            other => Self::ALL
                .into_iter()
                .zip("三四五六七八九十".chars().map(Some).chain(std::iter::repeat(None)))
                .find(|&(rank, numeral)| rank.symbol() == other || numeral == Some(other))
                .map(|(rank, _)| rank),
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.symbol())
    }
}

/// A suit. Suits are read to return the caller's own cards, and to reject the same card twice.
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
        match symbol {
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
/// use kibitz_doudizhu::{Card, Rank, Suit};
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
    /// Reads one token: a rank (`10` and `十` are ten), alone or with a suit before or after it, or a joker
    /// (`B X 小 小王 小鬼`, `R D 大 大王 大鬼 RJ`), in any case and width. Returns `None` if the token is not a card, or
    /// may be either joker (`BJ`, `王`). A lone `D` is the big joker; beside a rank it is diamonds.
    pub fn read(token: &str) -> Option<Self> {
        let token: String = token.trim().chars().filter(|&c| c != PICTURE).map(fold).collect();
        let plain = |rank| Self { rank, suit: None };
        if let Some(rank) = read_rank(&token) {
            return Some(plain(rank));
        }
        match &*token {
            "小王" | "小鬼" => return Some(plain(Rank::BlackJoker)),
            "大王" | "大鬼" | "RJ" => return Some(plain(Rank::RedJoker)),
            _ => {}
        }
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

/// Some fonts and keyboards add U+FE0F, "show me as a picture", after a suit's sign.
pub(super) const PICTURE: char = '\u{fe0f}';

/// A character in upper case and in half width: `ｊ` and `j` are `J`.
pub(super) fn fold(character: char) -> char {
    const FULL_WIDTH: std::ops::RangeInclusive<char> = '\u{ff01}'..='\u{ff5e}';
    let half_width = if FULL_WIDTH.contains(&character) {
        char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character)
    } else {
        character
    };
    half_width.to_ascii_uppercase()
}

/// Whether a folded character is a suit in a string of ranks, where `D` is the big joker.
pub(super) fn is_suit_only(symbol: char) -> bool {
    Suit::from_char(symbol).is_some() && Rank::from_char(symbol).is_none()
}

/// A rank in one folded character, or `10`.
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
            (Rank::BlackJoker, "B b X x Ｂ ｘ 小 小王 小鬼"),
            (Rank::RedJoker, "R r D d Ｒ ｄ 大 大王 大鬼 RJ rj"),
        ] {
            for name in names.split(' ') {
                assert_eq!(Card::read(name), Some(Card { rank, suit: None }), "{name}");
            }
        }
    }

    #[test]
    fn ten_in_every_dress() {
        for token in ["10", "T", "t", " 10 ", "１０", "Ｔ", "十"] {
            assert_eq!(Card::read(token), Some(Card { rank: Rank::Ten, suit: None }), "{token}");
        }
        for token in ["H10", "10h", "♥10", "10♥", "♥️10", "HT", "th", "Ｈ１０", "♥十"] {
            assert_eq!(
                Card::read(token),
                Some(Card { rank: Rank::Ten, suit: Some(Suit::Hearts) }),
                "{token}"
            );
        }
    }

    #[test]
    fn chinese_numerals_and_full_width_characters_are_ranks() {
        let written =
            |text: &str| text.chars().map(|c| Card::read(&c.to_string()).unwrap().rank).collect::<Vec<_>>();
        assert_eq!(written("三四五六七八九十"), Rank::ALL[..8]);
        assert_eq!(written("３４５６７８９ＴＪＱＫＡ２ＢＲ"), Rank::ALL);
        assert_eq!(written("二"), [Rank::Two]);
    }

    #[test]
    fn invalid_card_is_rejected() {
        for token in [
            "", " ", "1", "0", "11", "S", "H", "C", "SS", "SB", "RD", "BR", "33", "S3H", "1S", "joker", "王",
            "鬼", "BJ", "bj", "小小", "一", "十一", "１", "SRJ", "王小",
        ] {
            assert_eq!(Card::read(token), None, "{token}");
        }
    }
}
