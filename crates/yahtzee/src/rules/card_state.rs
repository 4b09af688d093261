//! The state of a card between turns.

use super::category::CategorySet;
use super::sheet::Sheet;

/// All that the future of a game depends on: only states that some card has can be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CardState {
    pub(crate) filled: CategorySet,
    pub(crate) upper_subtotal: u8,
    pub(crate) yahtzee_scored: bool,
}

impl CardState {
    /// The boxes with points in them.
    pub const fn filled(self) -> CategorySet {
        self.filled
    }

    /// The boxes of a sheet without points.
    pub const fn open(self, sheet: &Sheet) -> CategorySet {
        sheet.boxes().minus(self.filled)
    }

    /// The sum of the filled upper boxes.
    pub const fn upper_subtotal(self) -> u8 {
        self.upper_subtotal
    }

    /// Whether the Yahtzee box holds a Yahtzee (not a zero).
    pub const fn yahtzee_scored(self) -> bool {
        self.yahtzee_scored
    }
}
