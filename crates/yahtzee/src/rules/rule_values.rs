//! The numbers in a set of rules, each with its bounds.

use serde::Serialize;

/// A number of points that a rule pays, 1 to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Points(u16);

/// An upper subtotal that earns the bonus, 1 to 105 (five of every face).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Threshold(u8);

/// How often the dice may be thrown in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum RollsPerTurn {
    /// One throw, nothing to reroll.
    One = 1,
    /// One reroll.
    Two = 2,
    /// Two rerolls, as usual.
    Three = 3,
}

/// A number that no rule can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesFault {
    /// Points outside 1 to 1000.
    #[error("points are 1 to {}, not {found}", Points::MAX.get())]
    Points {
        /// The number that was given.
        found: i64,
    },
    /// A threshold that is 0 or that five of every face do not reach.
    #[error("the threshold of the upper bonus is 1 to {}, not {found}", Threshold::MAX.get())]
    Threshold {
        /// The number that was given.
        found: i64,
    },
    /// Not one to three rolls.
    #[error("a turn has 1 to 3 rolls, not {found}")]
    RollsPerTurn {
        /// The number that was given.
        found: i64,
    },
}

impl Points {
    /// The most that a rule may pay: far above every house rule, far below where doubles round.
    pub const MAX: Self = Self(1000);

    /// Checked points.
    ///
    /// # Errors
    /// Numbers outside 1 to 1000.
    pub fn new(points: i64) -> Result<Self, RulesFault> {
        match u16::try_from(points) {
            Ok(n) if (1..=Self::MAX.0).contains(&n) => Ok(Self(n)),
            _ => Err(RulesFault::Points { found: points }),
        }
    }

    /// Points that are known to be within the bounds.
    pub(crate) const fn literal(points: u16) -> Self {
        Self(points)
    }

    /// The number.
    pub const fn get(self) -> u16 {
        self.0
    }
}

impl Threshold {
    /// Five of every face.
    pub const MAX: Self = Self(105);

    /// A checked threshold.
    ///
    /// # Errors
    /// Numbers outside 1 to 105.
    pub fn new(threshold: i64) -> Result<Self, RulesFault> {
        match u8::try_from(threshold) {
            Ok(n) if (1..=Self::MAX.0).contains(&n) => Ok(Self(n)),
            _ => Err(RulesFault::Threshold { found: threshold }),
        }
    }

    /// A threshold that is known to be within the bounds.
    pub(crate) const fn literal(threshold: u8) -> Self {
        Self(threshold)
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl RollsPerTurn {
    /// A checked number of rolls.
    ///
    /// # Errors
    /// Numbers outside 1 to 3.
    pub const fn new(rolls: i64) -> Result<Self, RulesFault> {
        match rolls {
            1 => Ok(Self::One),
            2 => Ok(Self::Two),
            3 => Ok(Self::Three),
            found => Err(RulesFault::RollsPerTurn { found }),
        }
    }

    /// The number, 1 to 3.
    pub const fn get(self) -> u8 {
        self as u8
    }

    /// How many rolls are left after the first, 0 to 2.
    pub const fn rerolls(self) -> u8 {
        self as u8 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold() {
        assert!(Points::new(0).is_err() && Points::new(1000).is_ok() && Points::new(1001).is_err());
        assert!(Threshold::new(0).is_err() && Threshold::new(105).is_ok() && Threshold::new(106).is_err());
        assert_eq!(RollsPerTurn::new(4).unwrap_err().to_string(), "a turn has 1 to 3 rolls, not 4");
        assert_eq!(Points::new(-1).unwrap_err().to_string(), "points are 1 to 1000, not -1");
    }
}
