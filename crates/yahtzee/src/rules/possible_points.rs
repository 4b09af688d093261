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
    /// Each of these, one bit for each.
    Listed(u64),
}

impl PossiblePoints {
    /// 0 and these, all below 64.
    pub(crate) fn of(points: impl IntoIterator<Item = u8>) -> Self {
        Self::Listed(points.into_iter().fold(1, |set, points| set | 1 << points))
    }

    /// Whether a box can hold these points.
    pub const fn contains(self, points: u16) -> bool {
        match self {
            Self::ZeroOr(value) => points == 0 || points == value.get(),
            Self::Multiples { of, up_to } => {
                points.is_multiple_of(of as u16) && points <= of as u16 * up_to as u16
            }
            Self::ZeroOrSum => points == 0 || Self::Sum.contains(points),
            Self::Sum => points >= 5 && points <= 30,
            Self::Listed(set) => points < 64 && set >> points & 1 == 1,
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
            Self::Listed(set) => {
                let all: Vec<_> = (0..64).filter(|n| set >> n & 1 == 1).map(|n: u8| n.to_string()).collect();
                match all.split_last() {
                    Some((last, low)) if !low.is_empty() => format!("{}{or}{last}", low.join(and)),
                    _ => all.concat(),
                }
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
    fn listed_points_read_like_a_list() {
        let two_pairs = Rules::YATZY.possible_points(Category::TwoPairs).to_string();
        assert_eq!(two_pairs, "0, 6, 8, 10, 12, 14, 16, 18, 20 or 22");
    }

    #[test]
    fn possible_points_are_those_of_some_roll_or_zero() {
        let matching = Rules { of_a_kind_scores: OfAKindScores::MatchingDice, ..Rules::OFFICIAL };
        let house = Rules {
            full_house_from_five_of_a_kind: true,
            two_pairs_from_four_of_a_kind: true,
            ..Rules::YATZY
        };
        for rules in [Rules::OFFICIAL, matching, Rules::YATZY, house] {
            for category in rules.sheet.boxes().iter() {
                let possible = rules.possible_points(category);
                for n in 0..100 {
                    let some = Roll::all().any(|roll| rules.plain_points(category, roll) == n);
                    assert_eq!(possible.contains(n), some, "{category} {n}");
                }
            }
        }
    }
}
