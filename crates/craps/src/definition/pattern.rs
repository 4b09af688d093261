//! Which rolls a rule is about.

use crate::dice::Dice;

/// Which rolls are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Every roll.
    Any,
    /// A total, 2 to 12.
    Total(u8),
    /// Two faces in either order.
    Pair([u8; 2]),
    /// Two equal faces, of a total or of any.
    Hard(Option<u8>),
    /// Two different faces with a total.
    Easy(u8),
}

impl Pattern {
    /// Reads `any`, `hard`, `hard 6`, `easy 6`, `3-4` or a total such as `7`; `None` for anything else.
    ///
    /// ```
    /// use kibitz_craps::definition::Pattern;
    /// assert_eq!(Pattern::from_text("hard 6"), Some(Pattern::Hard(Some(6))));
    /// assert_eq!(Pattern::from_text("4-3"), Some(Pattern::Pair([4, 3])));
    /// assert_eq!(Pattern::from_text("13"), None);
    /// ```
    pub fn from_text(text: &str) -> Option<Self> {
        let total = |text: &str| Self::total(text.parse().ok()?);
        let face = |text: &str| text.parse().ok().filter(|face| (1..=6).contains(face));
        match text.split_once([' ', '-']) {
            None if text == "any" => Some(Self::Any),
            None if text == "hard" => Some(Self::Hard(None)),
            None => total(text).map(Self::Total),
            Some(("hard", number)) => total(number).map(|number| Self::Hard(Some(number))),
            Some(("easy", number)) => total(number).map(Self::Easy),
            Some((first, second)) => Some(Self::Pair([face(first)?, face(second)?])),
        }
    }

    /// A total of two dice; `None` for another number.
    pub fn total(number: i64) -> Option<u8> {
        u8::try_from(number).ok().filter(|total| (2..=12).contains(total))
    }

    /// Whether it means a roll.
    pub fn matches(self, dice: Dice) -> bool {
        let [first, second] = dice.faces();
        match self {
            Self::Any => true,
            Self::Total(total) => dice.total() == total,
            Self::Pair(faces) => faces == [first, second] || faces == [second, first],
            Self::Hard(total) => dice.is_hard() && total.is_none_or(|total| dice.total() == total),
            Self::Easy(total) => !dice.is_hard() && dice.total() == total,
        }
    }
}
