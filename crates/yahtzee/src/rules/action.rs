//! What a player may do, and why not.

use super::category::Category;
use super::dice::Keep;
use super::score::Illegal;

/// What a player may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Enter the dice in a box.
    Score(Category),
    /// Keep some dice, never all five, and throw the others.
    Reroll(Keep),
}

impl Action {
    /// The order among equal values: scoring before rerolling, then more dice kept, then boxes in
    /// card order, then the lexicographically smaller keep.
    pub const fn sort_key(self) -> (u8, u16) {
        match self {
            Self::Score(category) => (0, category as u16),
            Self::Reroll(keep) => (5 - keep.len() as u8, keep.index() as u16),
        }
    }
}

/// An action that the position does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImpossibleAction {
    /// A reroll with no roll left.
    #[error("no roll is left: the dice must be scored")]
    NoRollLeft,
    /// Keeping all five dice.
    #[error("keeping all five dice is no reroll: score them instead")]
    AllFiveKept,
    /// Keeping dice that are not on the table.
    #[error("the dice do not show all that is kept")]
    NotOnTheTable,
    /// A box that may not be filled.
    #[error("{category} may not be filled: {}", .reason.in_english())]
    Box {
        /// The box.
        category: Category,
        /// Why not.
        reason: Illegal,
    },
}

impl ImpossibleAction {
    /// The stable slug of this error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoRollLeft => "no_roll_left",
            Self::AllFiveKept => "all_five_kept",
            Self::NotOnTheTable => "keep_not_on_the_table",
            Self::Box { reason, .. } => reason.code(),
        }
    }
}
