//! The rules as data: a sheet, one struct of switches, the presets, and what dice are worth in a box.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::category::{Category, CategorySet};
use super::dice::{DIE_COUNT, Roll};
use super::possible_points::PossiblePoints;
use super::rule_values::{Points, RollsPerTurn, Threshold};
use super::sheet::{Scoring, Sheet};

/// A score sheet, and every rule that people play differently on it.
///
/// Any value is valid (the parts carry their bounds), and rules that play alike are equal: what has
/// no effect cannot be said.
///
/// ```
/// use kibitz_yahtzee::{Points, Rules, UpperBonus};
/// let bigger_bonus = Rules {
///     upper_bonus: Some(UpperBonus { points: Points::new(50)?, ..UpperBonus::OFFICIAL }),
///     ..Rules::OFFICIAL
/// };
/// assert_ne!(bigger_bonus, Rules::OFFICIAL);
/// # Ok::<(), kibitz_yahtzee::RulesFault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The boxes of the card and what they count.
    pub sheet: &'static Sheet,
    /// Points for a full upper section, if any.
    pub upper_bonus: Option<UpperBonus>,
    /// Points for each further Yahtzee, if any.
    pub yahtzee_bonus: Option<YahtzeeBonus>,
    /// How a further Yahtzee may fill other boxes as a joker, if at all.
    pub joker: Option<Joker>,
    /// Whether the boxes must be filled from top to bottom.
    pub forced_order: bool,
    /// Whether five equal dice are a full house by themselves, joker or not.
    pub full_house_from_five_of_a_kind: bool,
    /// Whether four equal dice are two pairs.
    pub two_pairs_from_four_of_a_kind: bool,
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

/// The points of the boxes that have a fixed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct BoxPoints {
    /// A full house, where it does not count its dice.
    pub full_house: Points,
    /// A small straight.
    pub small_straight: Points,
    /// A large straight.
    pub large_straight: Points,
    /// A Yahtzee or Yatzy.
    pub yahtzee: Points,
}

impl UpperBonus {
    /// 35 points at 63.
    pub const OFFICIAL: Self = Self { threshold: Threshold::literal(63), points: Points::literal(35) };
    /// 50 points at 63, as in Yatzy.
    pub const YATZY: Self = Self { points: Points::literal(50), ..Self::OFFICIAL };
}

impl YahtzeeBonus {
    /// 100 points, only while the Yahtzee box holds its points.
    pub const OFFICIAL: Self = Self { points: Points::literal(100), after_zero: false };
}

impl Joker {
    /// A forced joker, also after a zero.
    pub const OFFICIAL: Self = Self { kind: JokerKind::Forced, after_zero: true };
}

impl BoxPoints {
    /// 25, 30, 40 and 50.
    pub const OFFICIAL: Self = Self {
        full_house: Points::literal(25),
        small_straight: Points::literal(30),
        large_straight: Points::literal(40),
        yahtzee: Points::literal(50),
    };
    /// 15, 20 and 50; the full house counts its dice.
    pub const YATZY: Self =
        Self { small_straight: Points::literal(15), large_straight: Points::literal(20), ..Self::OFFICIAL };
}

impl Rules {
    /// The thirteen boxes of Yahtzee and nothing else.
    pub const PLAIN: Self = Self {
        sheet: &Sheet::YAHTZEE,
        upper_bonus: None,
        yahtzee_bonus: None,
        joker: None,
        forced_order: false,
        full_house_from_five_of_a_kind: false,
        two_pairs_from_four_of_a_kind: false,
        of_a_kind_scores: OfAKindScores::AllDice,
        rolls_per_turn: RollsPerTurn::Three,
        box_points: BoxPoints::OFFICIAL,
    };
    /// With the upper bonus alone.
    pub const NO_YAHTZEE_BONUS: Self = Self { upper_bonus: Some(UpperBonus::OFFICIAL), ..Self::PLAIN };
    /// Hasbro's rules: upper bonus, Yahtzee bonus, forced joker.
    pub const OFFICIAL: Self = Self {
        yahtzee_bonus: Some(YahtzeeBonus::OFFICIAL),
        joker: Some(Joker::OFFICIAL),
        ..Self::NO_YAHTZEE_BONUS
    };
    /// The official rules with a free choice of the joker's box.
    pub const FREE_JOKER: Self =
        Self { joker: Some(Joker { kind: JokerKind::Free, ..Joker::OFFICIAL }), ..Self::OFFICIAL };

    /// Scandinavian Yatzy: 50 points at 63, no joker and no further bonus.
    pub const YATZY: Self = Self {
        sheet: &Sheet::YATZY,
        upper_bonus: Some(UpperBonus::YATZY),
        of_a_kind_scores: OfAKindScores::MatchingDice,
        box_points: BoxPoints::YATZY,
        ..Self::PLAIN
    };

    /// The boxes that may be filled next, of those that are open; a joker may bar some of them.
    pub const fn choices(&self, open: CategorySet) -> CategorySet {
        if self.forced_order { open.first() } else { open }
    }

    /// What the dice are worth in a box by themselves: no joker, no bonus. 0 in a box that the sheet does not have.
    pub fn plain_points(&self, category: Category, roll: Roll) -> u16 {
        let counts = roll.counts();
        let most = counts.into_iter().max().unwrap_or_default();
        let sum = u16::from(roll.sum());
        let fixed = |made: bool| if made { self.fixed_points(category).get() } else { 0 };
        // The highest face that shows at least so often, below some face.
        let highest =
            |count: u8, below: u8| (1..below).rev().find(|&face| counts[face as usize - 1] >= count);
        let full_house = most == 3 && counts.contains(&2) || most == 5 && self.full_house_from_five_of_a_kind;
        match self.sheet.scoring(category) {
            None => 0,
            Some(Scoring::Face(face)) => u16::from(face * counts[face as usize - 1]),
            Some(Scoring::OfAKind(needed)) => match (highest(needed, 7), self.of_a_kind_scores) {
                (None, _) => 0,
                (Some(_), OfAKindScores::AllDice) => sum,
                (Some(face), OfAKindScores::MatchingDice) => u16::from(needed * face),
            },
            Some(Scoring::OnePair) => highest(2, 7).map_or(0, |face| u16::from(2 * face)),
            Some(Scoring::TwoPairs) => {
                let two = highest(2, 7).and_then(|high| Some(2 * (high + highest(2, high)?)));
                let four = highest(4, 7).filter(|_| self.two_pairs_from_four_of_a_kind).map(|face| 4 * face);
                two.or(four).map_or(0, u16::from)
            }
            Some(Scoring::FullHouse) => fixed(full_house),
            Some(Scoring::FullHouseSum) => u16::from(full_house) * sum,
            Some(Scoring::Row(faces)) => fixed(longest_run(counts) >= faces.into()),
            Some(Scoring::From(face)) => {
                fixed(counts[face as usize - 1..][..DIE_COUNT].iter().all(|&count| count > 0))
            }
            Some(Scoring::AllEqual) => fixed(usize::from(most) == DIE_COUNT),
            Some(Scoring::Sum) => sum,
        }
    }

    /// The points of a box that has a fixed value.
    const fn fixed_points(&self, category: Category) -> Points {
        match category {
            Category::FullHouse => self.box_points.full_house,
            Category::SmallStraight => self.box_points.small_straight,
            Category::LargeStraight => self.box_points.large_straight,
            _ => self.box_points.yahtzee,
        }
    }

    /// What a joker earns in an open box: the full house and the straights at full value, unless the
    /// joker is free and its own upper box is still open; in all other boxes its plain points.
    pub(crate) const fn joker_value(
        &self,
        kind: JokerKind,
        open: CategorySet,
        own: Category,
        category: Category,
        plain_points: u16,
    ) -> u16 {
        match category {
            _ if !matches!(kind, JokerKind::Loose) && open.contains(own) => plain_points,
            Category::FullHouse => self.box_points.full_house.get(),
            Category::SmallStraight => self.box_points.small_straight.get(),
            Category::LargeStraight => self.box_points.large_straight.get(),
            _ => plain_points,
        }
    }

    /// Which points a filled box can hold; only 0 in a box that the sheet does not have.
    pub fn possible_points(&self, category: Category) -> PossiblePoints {
        let faces = 1..=6u8;
        match self.sheet.scoring(category) {
            None => PossiblePoints::of([]),
            Some(Scoring::Face(face)) => PossiblePoints::Multiples { of: face, up_to: 5 },
            Some(Scoring::OfAKind(needed)) => match self.of_a_kind_scores {
                OfAKindScores::MatchingDice => PossiblePoints::Multiples { of: needed, up_to: 6 },
                OfAKindScores::AllDice => PossiblePoints::ZeroOrSum,
            },
            Some(Scoring::OnePair) => PossiblePoints::Multiples { of: 2, up_to: 6 },
            Some(Scoring::TwoPairs) => {
                let two = faces.clone().flat_map(|high| (1..high).map(move |low| 2 * (high + low)));
                let four = faces.filter(|_| self.two_pairs_from_four_of_a_kind).map(|face| 4 * face);
                PossiblePoints::of(two.chain(four))
            }
            Some(Scoring::FullHouseSum) => {
                let pair = |triple: u8| (1..=6).filter(move |&pair| pair != triple);
                let made =
                    faces.clone().flat_map(|triple| pair(triple).map(move |pair| 3 * triple + 2 * pair));
                let five = faces.filter(|_| self.full_house_from_five_of_a_kind).map(|face| 5 * face);
                PossiblePoints::of(made.chain(five))
            }
            Some(Scoring::FullHouse | Scoring::Row(_) | Scoring::From(_) | Scoring::AllEqual) => {
                PossiblePoints::ZeroOr(self.fixed_points(category))
            }
            Some(Scoring::Sum) => PossiblePoints::Sum,
        }
    }
}

fn longest_run(counts: [u8; 6]) -> usize {
    counts.split(|&count| count == 0).map(<[u8]>::len).max().unwrap_or(0)
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
    /// [`Rules::YATZY`].
    Yatzy,
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Preset {
    /// Every preset, the default first.
    pub const ALL: [Self; 5] =
        [Self::Official, Self::FreeJoker, Self::NoYahtzeeBonus, Self::Plain, Self::Yatzy];

    /// The preset that has these rules, if any.
    pub fn of(rules: &Rules) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.rules() == *rules)
    }

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
            Self::Yatzy => "yatzy",
        }
    }

    /// Its switches.
    pub const fn rules(self) -> Rules {
        match self {
            Self::Official => Rules::OFFICIAL,
            Self::FreeJoker => Rules::FREE_JOKER,
            Self::NoYahtzeeBonus => Rules::NO_YAHTZEE_BONUS,
            Self::Plain => Rules::PLAIN,
            Self::Yatzy => Rules::YATZY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points<const N: usize>(rules: &Rules, faces: [u8; 5]) -> [u16; N] {
        let roll = crate::Dice::new(faces).unwrap().roll();
        let lower = rules.sheet.boxes().minus(CategorySet::UPPER);
        let points: Vec<_> = lower.iter().map(|category| rules.plain_points(category, roll)).collect();
        points.try_into().unwrap()
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
    fn lower_boxes_of_yatzy_by_example() {
        let yatzy = Rules::YATZY;
        assert_eq!(points(&yatzy, [3, 3, 6, 6, 6]), [12, 18, 18, 0, 0, 0, 24, 24, 0]);
        assert_eq!(points(&yatzy, [2, 2, 2, 2, 5]), [4, 0, 6, 8, 0, 0, 0, 13, 0]);
        assert_eq!(points(&yatzy, [5, 5, 5, 5, 5]), [10, 0, 15, 20, 0, 0, 0, 25, 50]);
        assert_eq!(points(&yatzy, [1, 2, 3, 4, 5]), [0, 0, 0, 0, 15, 0, 0, 15, 0]);
        assert_eq!(points(&yatzy, [2, 3, 4, 5, 6]), [0, 0, 0, 0, 0, 20, 0, 20, 0]);
        assert_eq!(points(&yatzy, [1, 1, 2, 3, 4]), [2, 0, 0, 0, 0, 0, 0, 11, 0]);
        let house =
            Rules { full_house_from_five_of_a_kind: true, two_pairs_from_four_of_a_kind: true, ..yatzy };
        assert_eq!(points(&house, [5, 5, 5, 5, 5]), [10, 20, 15, 20, 0, 0, 25, 25, 50]);
        assert_eq!(points(&house, [2, 2, 2, 2, 5]), [4, 8, 6, 8, 0, 0, 0, 13, 0]);
    }
}
