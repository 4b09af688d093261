//! What can be wrong with a hand.

use super::card::Rank;
use thiserror::Error;

/// What is wrong with a hand, or with one card of it. `at` is the position of the character in a string, or the index of
/// the element in an array, from 0.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HandFault {
    /// A token cannot be read as a card.
    #[error("`{text}` {}", reason.in_english())]
    Unreadable {
        /// Where.
        at: usize,
        /// The token, its first 20 characters.
        text: String,
        /// Why not.
        reason: Unreadable,
    },
    /// There are more than four cards of a rank. Noted once for each rank.
    #[error("{number} cards of rank {rank}; a deck has 4")]
    FifthOfRank {
        /// Where the fifth card is.
        at: usize,
        /// The rank.
        rank: Rank,
        /// How many there are.
        number: usize,
    },
    /// A joker is there twice. Noted once for each joker.
    #[error("`{text}` is a second {} joker; a deck has one", if *rank == Rank::RedJoker { "big" } else { "small" })]
    SecondJoker {
        /// Where the second is.
        at: usize,
        /// Which joker.
        rank: Rank,
        /// The second as written.
        text: String,
    },
    /// A card with a suit is there twice.
    #[error("the card {text} is there twice; a deck has it once")]
    SameCard {
        /// Where the second is.
        at: usize,
        /// Where the first is.
        first: usize,
        /// The second as written.
        text: String,
    },
    /// There are no cards.
    #[error("the hand is empty; give 1 to 54 cards")]
    Empty,
    /// There are more cards than a deck has.
    #[error("{number} cards; a deck has 54")]
    TooMany {
        /// How many there are.
        number: usize,
    },
}

impl HandFault {
    /// Where the card at fault is; `None` if it is the whole hand.
    pub const fn at(&self) -> Option<usize> {
        match self {
            Self::Unreadable { at, .. }
            | Self::FifthOfRank { at, .. }
            | Self::SecondJoker { at, .. }
            | Self::SameCard { at, .. } => Some(*at),
            Self::Empty | Self::TooMany { .. } => None,
        }
    }

    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "unreadable_card",
            Self::FifthOfRank { .. } => "too_many_of_rank",
            Self::SecondJoker { .. } => "second_joker",
            Self::SameCard { .. } => "same_card_twice",
            Self::Empty => "empty_hand",
            Self::TooMany { .. } => "too_many_cards",
        }
    }

    /// Why a token cannot be read, if that is the fault.
    pub const fn unreadable(&self) -> Option<Unreadable> {
        match self {
            Self::Unreadable { reason, .. } => Some(*reason),
            _ => None,
        }
    }
}

/// Why a token cannot be read as a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// It is not a card.
    NotACard,
    /// It may be either joker, or a joker and a jack.
    AmbiguousJoker,
    /// It names a suit, in a string, which takes ranks only.
    Suit,
}

impl Unreadable {
    const fn in_english(self) -> &'static str {
        match self {
            Self::NotACard => {
                "is not a card; write a rank (3 to 9, T or 10, J Q K A 2, or 三 to 十, 二) or a joker \
                 (small: B X 小 小王 小鬼; big: R D 大 大王 大鬼)"
            }
            Self::AmbiguousJoker => {
                "can be read in two ways; write `B` for the small joker, `R` for the big joker, \
                 and a space between a joker and a jack (`B J`)"
            }
            Self::Suit => {
                "names a suit; a string of cards takes ranks alone (beside a rank the big joker is `R`, not `D`)"
            }
        }
    }
}
