//! What can be wrong with a hand.

use super::card::Rank;
use thiserror::Error;

/// What is wrong with a hand, or with one card of it. `at` is the position of the character in a string, or the index of
/// the element in an array, from 0.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HandFault {
    /// A token is no card.
    #[error(
        "`{text}` is no card; write a rank (3 4 5 6 7 8 9 T J Q K A 2, or 10) or a joker (B small, R big)"
    )]
    Unreadable {
        /// Where.
        at: usize,
        /// The token, its first 20 characters.
        text: String,
    },
    /// There are more than four cards of a rank.
    #[error("more than four cards of rank {rank}; a deck has four")]
    FifthOfRank {
        /// Where the card is that is too many.
        at: usize,
        /// The rank.
        rank: Rank,
    },
    /// A joker is there twice.
    #[error("a second {} joker; a deck has one", if *rank == Rank::RedJoker { "big" } else { "small" })]
    SecondJoker {
        /// Where the second is.
        at: usize,
        /// Which joker.
        rank: Rank,
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
    /// Where the card at fault is; `None` where it is the whole hand.
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

    /// The same in Chinese.
    pub fn in_chinese(&self) -> String {
        match self {
            Self::Unreadable { text, .. } => {
                format!(
                    "“{text}”不是一张牌；请写点数（3 4 5 6 7 8 9 T J Q K A 2，或 10）或王（B 小王，R 大王）"
                )
            }
            Self::FifthOfRank { rank, .. } => format!("点数 {rank} 超过四张；一副牌只有四张"),
            Self::SecondJoker { rank, .. } => {
                let name = if *rank == Rank::RedJoker { "大王" } else { "小王" };
                format!("{name}出现了两次；一副牌只有一张")
            }
            Self::SameCard { text, .. } => format!("{text} 这张牌出现了两次；一副牌只有一张"),
            Self::Empty => "手牌为空；请给出 1 到 54 张牌".to_owned(),
            Self::TooMany { number } => format!("共 {number} 张牌；一副牌只有 54 张"),
        }
    }
}
