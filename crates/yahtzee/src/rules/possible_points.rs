//! Which points a filled box can hold.

use std::fmt;

use super::rule_values::Points;

/// The points that a filled box can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PossiblePoints {
    /// 0 or the box's fixed value.
    ZeroOr(Points),
    /// A number, 0 times to `up_to` times.
    Multiples {
        /// The number.
        of: u8,
        /// How many times at most.
        up_to: u8,
    },
    /// 0 or the sum of five dice.
    ZeroOrSum,
    /// The sum of five dice.
    Sum,
}

impl PossiblePoints {
    /// Whether a box can hold these points.
    pub const fn contains(self, points: u16) -> bool {
        match self {
            Self::ZeroOr(value) => points == 0 || points == value.get(),
            Self::Multiples { of, up_to } => {
                points.is_multiple_of(of as u16) && points <= of as u16 * up_to as u16
            }
            Self::ZeroOrSum => points == 0 || Self::Sum.contains(points),
            Self::Sum => points >= 5 && points <= 30,
        }
    }

    /// The points as a list, in any language: the words between items, before the last item and inside a range.
    pub fn list(self, and: &str, or: &str, to: &str) -> String {
        match self {
            Self::ZeroOr(value) => format!("0{or}{}", value.get()),
            Self::Multiples { of, up_to } => {
                let low: Vec<_> = (0..up_to).map(|n| (n * of).to_string()).collect();
                format!("{}{or}{}", low.join(and), of * up_to)
            }
            Self::ZeroOrSum => format!("0{or}5{to}30"),
            Self::Sum => format!("5{to}30"),
        }
    }
}

impl fmt::Display for PossiblePoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.list(", ", " or ", " to "))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Category, OfAKindScores, Roll, Rules};

    #[test]
    fn possible_points_are_those_of_some_roll_or_zero() {
        for of_a_kind_scores in [OfAKindScores::AllDice, OfAKindScores::MatchingDice] {
            let rules = Rules { of_a_kind_scores, ..Rules::OFFICIAL };
            for category in Category::ALL {
                let possible = rules.possible_points(category);
                for n in 0..100 {
                    let some = Roll::all().any(|roll| rules.plain_points(category, roll) == n);
                    assert_eq!(possible.contains(n), some, "{category} {n}");
                }
            }
        }
    }
}
