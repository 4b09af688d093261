//! The rules as data: one struct of switches, four presets, and what dice are worth in a box.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::category::{Category, CategorySet};
use super::dice::Roll;

/// Everything in which the rules of Yahtzee differ from house to house.
///
/// Any value is valid (the parts carry their bounds), and rules that play alike are equal: what has
/// no effect cannot be said.
///
/// ```
/// use kibitz::yahtzee::{Points, Rules, UpperBonus};
/// let bigger_bonus = Rules {
///     upper_bonus: Some(UpperBonus { points: Points::new(50)?, ..UpperBonus::OFFICIAL }),
///     ..Rules::OFFICIAL
/// };
/// assert_ne!(bigger_bonus, Rules::OFFICIAL);
/// # Ok::<(), kibitz::yahtzee::RulesFault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Points for a full upper section, if any.
    pub upper_bonus: Option<UpperBonus>,
    /// Points for each further Yahtzee, if any.
    pub yahtzee_bonus: Option<YahtzeeBonus>,
    /// How a further Yahtzee may stand in for other boxes, if at all.
    pub joker: Option<Joker>,
    /// Whether five equal dice are a full house by themselves, joker or not.
    pub full_house_from_five_of_a_kind: bool,
    /// What three and four of a kind count.
    pub of_a_kind_scores: OfAKindScores,
    /// How often the dice are thrown in a turn.
    pub rolls_per_turn: RollsPerTurn,
    /// The points of the boxes that have a fixed value.
    pub box_points: BoxPoints,
}

/// Points for reaching a subtotal in the upper section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct UpperBonus {
    /// The subtotal that earns it.
    pub threshold: Threshold,
    /// What it earns.
    pub points: Points,
}

/// Points for each further Yahtzee: five equal dice while the Yahtzee box is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct YahtzeeBonus {
    /// What it earns.
    pub points: Points,
    /// Whether it is also paid when the Yahtzee box was filled with 0.
    pub after_zero: bool,
}

/// How a further Yahtzee may be scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Joker {
    /// Which boxes it may fill, and for how much.
    pub kind: JokerKind,
    /// Whether it also holds when the Yahtzee box was filled with 0.
    pub after_zero: bool,
}

/// Which boxes a joker may fill, and for how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JokerKind {
    /// The own upper box if open; else an open lower box, full house and straights at full value;
    /// else any open upper box, for 0.
    Forced,
    /// Any open box; full house and straights at full value only if the own upper box is filled.
    Free,
    /// Any open box, full house and straights always at full value.
    Loose,
}

/// What three and four of a kind count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfAKindScores {
    /// The sum of all five dice.
    AllDice,
    /// The three (four) equal dice alone.
    MatchingDice,
}

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

/// The points of the boxes that have a fixed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct BoxPoints {
    /// A full house.
    pub full_house: Points,
    /// A small straight.
    pub small_straight: Points,
    /// A large straight.
    pub large_straight: Points,
    /// A Yahtzee.
    pub yahtzee: Points,
}

/// A number of points that a rule pays, 1 to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Points(u16);

/// An upper subtotal that earns the bonus, 1 to 105 (five of every face).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Threshold(u8);

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

impl RulesFault {
    /// The stable slug of this error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Points { .. } => "rules_points",
            Self::Threshold { .. } => "rules_threshold",
            Self::RollsPerTurn { .. } => "rules_rolls_per_turn",
        }
    }

    /// The same message in Chinese.
    pub fn in_chinese(&self) -> String {
        match self {
            Self::Points { found } => format!("分值必须是 1 到 {}，不能是 {found}", Points::MAX.get()),
            Self::Threshold { found } => {
                format!("上半区奖励的门槛必须是 1 到 {}，不能是 {found}", Threshold::MAX.get())
            }
            Self::RollsPerTurn { found } => format!("每回合可掷 1 到 3 次，不能是 {found} 次"),
        }
    }
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

impl UpperBonus {
    /// 35 points at 63.
    pub const OFFICIAL: Self = Self { threshold: Threshold(63), points: Points(35) };
}

impl YahtzeeBonus {
    /// 100 points, only while the Yahtzee box holds its points.
    pub const OFFICIAL: Self = Self { points: Points(100), after_zero: false };
}

impl BoxPoints {
    /// 25, 30, 40 and 50.
    pub const OFFICIAL: Self = Self {
        full_house: Points(25),
        small_straight: Points(30),
        large_straight: Points(40),
        yahtzee: Points(50),
    };
}

impl Rules {
    /// The thirteen boxes and nothing else.
    pub const PLAIN: Self = Self {
        upper_bonus: None,
        yahtzee_bonus: None,
        joker: None,
        full_house_from_five_of_a_kind: false,
        of_a_kind_scores: OfAKindScores::AllDice,
        rolls_per_turn: RollsPerTurn::Three,
        box_points: BoxPoints::OFFICIAL,
    };
    /// With the upper bonus alone.
    pub const NO_YAHTZEE_BONUS: Self = Self { upper_bonus: Some(UpperBonus::OFFICIAL), ..Self::PLAIN };
    /// Hasbro's rules: upper bonus, Yahtzee bonus, forced joker.
    pub const OFFICIAL: Self = Self {
        yahtzee_bonus: Some(YahtzeeBonus::OFFICIAL),
        joker: Some(Joker { kind: JokerKind::Forced, after_zero: true }),
        ..Self::NO_YAHTZEE_BONUS
    };
    /// The official rules with a free choice of the joker's box.
    pub const FREE_JOKER: Self =
        Self { joker: Some(Joker { kind: JokerKind::Free, after_zero: true }), ..Self::OFFICIAL };

    /// What the dice are worth in a box by themselves: no joker, no bonus.
    pub fn plain_points(&self, category: Category, roll: Roll) -> u16 {
        let counts = roll.counts();
        let most = counts.into_iter().max().unwrap_or_default();
        let when = |made: bool, points: Points| if made { points.get() } else { 0 };
        match category {
            Category::ThreeOfAKind => self.of_a_kind_points(3, roll),
            Category::FourOfAKind => self.of_a_kind_points(4, roll),
            Category::FullHouse => {
                let made =
                    most == 3 && counts.contains(&2) || most == 5 && self.full_house_from_five_of_a_kind;
                when(made, self.box_points.full_house)
            }
            Category::SmallStraight => when(longest_run(counts) >= 4, self.box_points.small_straight),
            Category::LargeStraight => when(longest_run(counts) >= 5, self.box_points.large_straight),
            Category::Yahtzee => when(most == 5, self.box_points.yahtzee),
            Category::Chance => u16::from(roll.sum()),
            upper => upper.face().map_or(0, |face| u16::from(face * counts[face as usize - 1])),
        }
    }

    fn of_a_kind_points(&self, needed: u8, roll: Roll) -> u16 {
        let equal = (1..=6u8).zip(roll.counts()).find(|&(_, count)| count >= needed);
        match (equal, self.of_a_kind_scores) {
            (None, _) => 0,
            (Some(_), OfAKindScores::AllDice) => u16::from(roll.sum()),
            (Some((face, _)), OfAKindScores::MatchingDice) => u16::from(needed * face),
        }
    }

    /// What a joker earns in an open box: the full house and the straights at full value, unless the
    /// joker is free and its own upper box is still open.
    pub(super) fn joker_value(
        &self,
        kind: JokerKind,
        open: CategorySet,
        own: Category,
        category: Category,
        roll: Roll,
    ) -> u16 {
        match category {
            _ if kind != JokerKind::Loose && open.contains(own) => self.plain_points(category, roll),
            Category::FullHouse => self.box_points.full_house.get(),
            Category::SmallStraight => self.box_points.small_straight.get(),
            Category::LargeStraight => self.box_points.large_straight.get(),
            _ => self.plain_points(category, roll),
        }
    }

    /// Which points a filled box can hold.
    pub const fn possible_points(&self, category: Category) -> PossiblePoints {
        match (category, self.of_a_kind_scores) {
            (Category::ThreeOfAKind, OfAKindScores::MatchingDice) => {
                PossiblePoints::Multiples { of: 3, up_to: 6 }
            }
            (Category::FourOfAKind, OfAKindScores::MatchingDice) => {
                PossiblePoints::Multiples { of: 4, up_to: 6 }
            }
            (Category::ThreeOfAKind | Category::FourOfAKind, OfAKindScores::AllDice) => {
                PossiblePoints::ZeroOrSum
            }
            (Category::FullHouse, _) => PossiblePoints::ZeroOr(self.box_points.full_house),
            (Category::SmallStraight, _) => PossiblePoints::ZeroOr(self.box_points.small_straight),
            (Category::LargeStraight, _) => PossiblePoints::ZeroOr(self.box_points.large_straight),
            (Category::Yahtzee, _) => PossiblePoints::ZeroOr(self.box_points.yahtzee),
            (Category::Chance, _) => PossiblePoints::Sum,
            (upper, _) => PossiblePoints::Multiples { of: upper as u8 + 1, up_to: 5 },
        }
    }
}

fn longest_run(counts: [u8; 6]) -> usize {
    counts.split(|&count| count == 0).map(<[u8]>::len).max().unwrap_or(0)
}

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
            Self::ZeroOr(value) => points == 0 || points == value.0,
            Self::Multiples { of, up_to } => {
                points.is_multiple_of(of as u16) && points <= of as u16 * up_to as u16
            }
            Self::ZeroOrSum => points == 0 || Self::Sum.contains(points),
            Self::Sum => points >= 5 && points <= 30,
        }
    }

    fn list(self, and: &str, or: &str, to: &str) -> String {
        match self {
            Self::ZeroOr(value) => format!("0{or}{}", value.0),
            Self::Multiples { of, up_to } => {
                let low: Vec<_> = (0..up_to).map(|n| (n * of).to_string()).collect();
                format!("{}{or}{}", low.join(and), of * up_to)
            }
            Self::ZeroOrSum => format!("0{or}5{to}30"),
            Self::Sum => format!("5{to}30"),
        }
    }

    /// The points in Chinese.
    pub fn in_chinese(self) -> String {
        self.list("、", " 或 ", " 到 ")
    }
}

impl fmt::Display for PossiblePoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.list(", ", " or ", " to "))
    }
}

/// The named rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// [`Rules::OFFICIAL`].
    #[default]
    Official,
    /// [`Rules::FREE_JOKER`].
    FreeJoker,
    /// [`Rules::NO_YAHTZEE_BONUS`].
    NoYahtzeeBonus,
    /// [`Rules::PLAIN`].
    Plain,
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Preset {
    /// Every preset, the default first.
    pub const ALL: [Self; 4] = [Self::Official, Self::FreeJoker, Self::NoYahtzeeBonus, Self::Plain];

    /// The place in [`Preset::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The machine name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Official => "official",
            Self::FreeJoker => "free_joker",
            Self::NoYahtzeeBonus => "no_yahtzee_bonus",
            Self::Plain => "plain",
        }
    }

    /// Its switches.
    pub const fn rules(self) -> Rules {
        match self {
            Self::Official => Rules::OFFICIAL,
            Self::FreeJoker => Rules::FREE_JOKER,
            Self::NoYahtzeeBonus => Rules::NO_YAHTZEE_BONUS,
            Self::Plain => Rules::PLAIN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(rules: &Rules, faces: [u8; 5]) -> [u16; 7] {
        let roll = super::super::Dice::new(faces).unwrap().roll();
        std::array::from_fn(|i| rules.plain_points(Category::ALL[6 + i], roll))
    }

    #[test]
    fn lower_boxes_by_example() {
        let plain = Rules::PLAIN;
        assert_eq!(points(&plain, [3, 3, 3, 4, 6]), [19, 0, 0, 0, 0, 0, 19]);
        assert_eq!(points(&plain, [3, 3, 3, 4, 4]), [17, 0, 25, 0, 0, 0, 17]);
        assert_eq!(points(&plain, [1, 2, 3, 3, 4]), [0, 0, 0, 30, 0, 0, 13]);
        assert_eq!(points(&plain, [2, 3, 4, 5, 6]), [0, 0, 0, 30, 40, 0, 20]);
        assert_eq!(points(&plain, [1, 2, 3, 5, 6]), [0, 0, 0, 0, 0, 0, 17]);
        assert_eq!(points(&plain, [4, 4, 4, 4, 4]), [20, 20, 0, 0, 0, 50, 20]);
        let house = Rules {
            full_house_from_five_of_a_kind: true,
            of_a_kind_scores: OfAKindScores::MatchingDice,
            ..plain
        };
        assert_eq!(points(&house, [4, 4, 4, 4, 4]), [12, 16, 25, 0, 0, 50, 20]);
        assert_eq!(points(&house, [4, 4, 4, 4, 1]), [12, 16, 0, 0, 0, 0, 17]);
    }

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

    #[test]
    fn bounds_hold() {
        assert!(Points::new(0).is_err() && Points::new(1000).is_ok() && Points::new(1001).is_err());
        assert!(Threshold::new(0).is_err() && Threshold::new(105).is_ok() && Threshold::new(106).is_err());
        assert_eq!(RollsPerTurn::new(4).unwrap_err().to_string(), "a turn has 1 to 3 rolls, not 4");
        assert_eq!(Points::new(-1).unwrap_err().to_string(), "points are 1 to 1000, not -1");
    }
}
