//! The card of one player, checked against the rules.

use super::card_state::CardState;
use super::category::{ByCategory, Category, CategorySet};
use super::possible_points::PossiblePoints;
use super::rule_set::Rules;
use super::score::BoxScore;

/// A card that can arise under its rules: points in the filled boxes and the Yahtzee bonuses taken.
///
/// ```
/// use kibitz_yahtzee::{ByCategory, Category, Rules, Scorecard};
/// let mut points = ByCategory::default();
/// points[Category::Ones] = Some(3);
/// points[Category::Yahtzee] = Some(50);
/// let card = Scorecard::new(&Rules::OFFICIAL, &points, 0).unwrap();
/// assert_eq!(card.points_so_far(), 53);
///
/// points[Category::Ones] = Some(6);
/// let faults = Scorecard::new(&Rules::OFFICIAL, &points, 2).unwrap_err();
/// assert_eq!(faults.len(), 2);
/// assert_eq!(faults[0].to_string(), "ones cannot hold 6 points, only 0, 1, 2, 3, 4 or 5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scorecard {
    /// The boxes of its sheet.
    boxes: CategorySet,
    points: ByCategory<Option<u16>>,
    yahtzee_bonuses: u8,
    state: CardState,
    points_so_far: u32,
}

/// What is wrong with a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScorecardFault {
    /// Points that no dice earn in this box.
    #[error("{category} cannot hold {found} points, only {possible}")]
    Points {
        /// The box.
        category: Category,
        /// The points that were given.
        found: i64,
        /// The points that it can hold.
        possible: PossiblePoints,
    },
    /// Points in a box that the sheet does not have.
    #[error("this card has no box {category}")]
    NotOnSheet {
        /// The box.
        category: Category,
    },
    /// A filled box below an open one, where boxes are filled from top to bottom.
    #[error("{category} must be open until {next} is filled, because boxes are filled from top to bottom")]
    NotInOrder {
        /// The filled box.
        category: Category,
        /// The first open box.
        next: Category,
    },
    /// A negative number of bonuses.
    #[error("yahtzee_bonuses counts bonuses: 0 or more, not {found}")]
    NegativeBonuses {
        /// The number that was given.
        found: i64,
    },
    /// Bonuses under rules that have none.
    #[error("these rules pay no Yahtzee bonus, so yahtzee_bonuses must be 0, not {found}")]
    NoBonusInRules {
        /// The number that was given.
        found: i64,
    },
    /// Bonuses though the Yahtzee box does not qualify.
    #[error(
        "a Yahtzee bonus needs a filled Yahtzee box{}, so yahtzee_bonuses must be 0, not {found}",
        if *.after_zero { "" } else { " with a Yahtzee in it" }
    )]
    BoxDoesNotQualify {
        /// The number that was given.
        found: i64,
        /// Whether the rules would pay it after a zero.
        after_zero: bool,
    },
    /// More bonuses than boxes that can have earned one.
    #[error(
        "yahtzee_bonuses must be at most {filled}, the number of filled boxes besides the Yahtzee box, not {found}"
    )]
    TooManyBonuses {
        /// The number that was given.
        found: i64,
        /// How many boxes other than the Yahtzee box are filled.
        filled: usize,
    },
}

/// A card with nothing left to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("all boxes are filled: the game is over")]
pub struct GameOver;

impl GameOver {
    /// The stable slug of this error.
    pub const fn code(&self) -> &'static str {
        "game_over"
    }
}

impl ScorecardFault {
    /// The stable slug of this error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Points { .. } => "impossible_points",
            Self::NotOnSheet { .. } => "box_not_on_sheet",
            Self::NotInOrder { .. } => "box_not_in_order",
            Self::NegativeBonuses { .. } => "negative_yahtzee_bonuses",
            Self::NoBonusInRules { .. } => "no_yahtzee_bonus_in_rules",
            Self::BoxDoesNotQualify { .. } => "yahtzee_box_does_not_qualify",
            Self::TooManyBonuses { .. } => "too_many_yahtzee_bonuses",
        }
    }

    /// The box at fault; `None` if it is the number of bonuses.
    pub const fn category(&self) -> Option<Category> {
        match self {
            Self::Points { category, .. }
            | Self::NotOnSheet { category }
            | Self::NotInOrder { category, .. } => Some(*category),
            _ => None,
        }
    }
}

impl Scorecard {
    /// A card under some rules: the points in each filled box (no bonuses in them) and how many
    /// Yahtzee bonuses were taken.
    ///
    /// # Errors
    /// Every box whose points are impossible or that cannot be filled yet, and bonuses that cannot have been earned.
    pub fn new(
        rules: &Rules,
        points: &ByCategory<Option<i64>>,
        yahtzee_bonuses: i64,
    ) -> Result<Self, Vec<ScorecardFault>> {
        let mut faults = Vec::new();
        let mut entered = ByCategory::default();
        let mut state = CardState::default();
        for (category, found) in points.iter().filter_map(|(c, p)| Some((c, (*p)?))) {
            if !rules.sheet.boxes().contains(category) {
                faults.push(ScorecardFault::NotOnSheet { category });
                continue;
            }
            state.filled = state.filled.with(category);
            let possible = rules.possible_points(category);
            match u16::try_from(found) {
                Ok(points) if possible.contains(points) => {
                    entered[category] = Some(points);
                    if category.is_upper() {
                        state.upper_subtotal += points as u8;
                    }
                }
                _ => faults.push(ScorecardFault::Points { category, found, possible }),
            }
        }
        if rules.forced_order
            && let Some(next) = state.open(rules.sheet).iter().next()
        {
            let below = state.filled.iter().filter(|&category| category > next);
            faults.extend(below.map(|category| ScorecardFault::NotInOrder { category, next }));
        }
        state.yahtzee_scored = entered[Category::Yahtzee].is_some_and(|points| points > 0);
        let bonuses = check_bonuses(rules, state, yahtzee_bonuses).unwrap_or_else(|fault| {
            faults.push(fault);
            0
        });
        if !faults.is_empty() {
            return Err(faults);
        }
        let entries: u32 = entered.iter().filter_map(|(_, points)| *points).map(u32::from).sum();
        let upper = rules.upper_bonus.filter(|bonus| state.upper_subtotal >= bonus.threshold.get());
        let points_so_far = entries
            + upper.map_or(0, |bonus| u32::from(bonus.points.get()))
            + rules.yahtzee_bonus.map_or(0, |bonus| u32::from(bonus.points.get()) * u32::from(bonuses));
        let boxes = rules.sheet.boxes();
        Ok(Self { boxes, points: entered, yahtzee_bonuses: bonuses, state, points_so_far })
    }

    /// The card before the first turn.
    pub fn empty(rules: &Rules) -> Self {
        Self {
            boxes: rules.sheet.boxes(),
            points: ByCategory::default(),
            yahtzee_bonuses: 0,
            state: CardState::default(),
            points_so_far: 0,
        }
    }

    /// The card after an entry; `score` must be what the dice earn in this open box of this card.
    #[must_use]
    pub fn with_entry(mut self, category: Category, score: BoxScore) -> Self {
        self.points[category] = Some(score.box_points);
        self.state.filled = self.state.filled.with(category);
        if category.is_upper() {
            self.state.upper_subtotal = self.state.upper_subtotal.saturating_add(score.box_points as u8);
        }
        if category == Category::Yahtzee {
            self.state.yahtzee_scored = score.box_points > 0;
        }
        self.yahtzee_bonuses = self.yahtzee_bonuses.saturating_add((score.yahtzee_bonus > 0).into());
        self.points_so_far += score.total();
        self
    }

    /// The points in a box; `None` if it is open.
    pub fn points(&self, category: Category) -> Option<u16> {
        self.points[category]
    }

    /// How many Yahtzee bonuses were taken.
    pub const fn yahtzee_bonuses(&self) -> u8 {
        self.yahtzee_bonuses
    }

    /// All points on the card: boxes, the upper bonus if it is reached, Yahtzee bonuses.
    pub const fn points_so_far(&self) -> u32 {
        self.points_so_far
    }

    /// What the rest of the game depends on.
    pub const fn state(&self) -> CardState {
        self.state
    }

    /// The boxes without points.
    pub const fn open(&self) -> CategorySet {
        self.boxes.minus(self.state.filled)
    }

    /// Whether there is still a turn to play.
    ///
    /// # Errors
    /// A full card.
    pub const fn unfinished(&self) -> Result<(), GameOver> {
        if self.open().is_empty() { Err(GameOver) } else { Ok(()) }
    }
}

fn check_bonuses(rules: &Rules, state: CardState, found: i64) -> Result<u8, ScorecardFault> {
    if found == 0 {
        return Ok(0);
    }
    let Ok(count) = u8::try_from(found.min(255)) else {
        return Err(ScorecardFault::NegativeBonuses { found });
    };
    let Some(bonus) = rules.yahtzee_bonus else {
        return Err(ScorecardFault::NoBonusInRules { found });
    };
    let qualifies = state.filled.contains(Category::Yahtzee) && (state.yahtzee_scored || bonus.after_zero);
    if !qualifies {
        return Err(ScorecardFault::BoxDoesNotQualify { found, after_zero: bonus.after_zero });
    }
    let filled = state.filled.len() - 1;
    if usize::from(count) > filled {
        Err(ScorecardFault::TooManyBonuses { found, filled })
    } else {
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(
        rules: &Rules,
        points: &[(Category, i64)],
        bonuses: i64,
    ) -> Result<Scorecard, Vec<ScorecardFault>> {
        let mut entered = ByCategory::default();
        for &(category, n) in points {
            entered[category] = Some(n);
        }
        Scorecard::new(rules, &entered, bonuses)
    }

    #[test]
    fn totals_count_every_bonus() {
        use Category::*;
        let upper = [(Fours, 16), (Fives, 25), (Sixes, 24), (Yahtzee, 50), (FullHouse, 25)];
        let official = card(&Rules::OFFICIAL, &upper, 3).unwrap();
        assert_eq!(official.points_so_far(), 16 + 25 + 24 + 50 + 25 + 35 + 300);
        assert_eq!(official.state().upper_subtotal, 65);
        assert!(official.state().yahtzee_scored);
        assert_eq!(card(&Rules::PLAIN, &upper, 0).unwrap().points_so_far(), 140);
    }

    #[test]
    fn all_faults_come_together() {
        use Category::*;
        let faults =
            card(&Rules::OFFICIAL, &[(Twos, 3), (Chance, 0), (FullHouse, -25), (Yahtzee, 0)], 1).unwrap_err();
        let at: Vec<_> = faults.iter().map(ScorecardFault::category).collect();
        assert_eq!(at, [Some(Twos), Some(FullHouse), Some(Chance), None]);
        assert_eq!(faults[3].code(), "yahtzee_box_does_not_qualify");
    }

    #[test]
    fn bonuses_need_a_box_each() {
        use Category::*;
        let rules = Rules::OFFICIAL;
        let code = |points: &[(Category, i64)], n| card(&rules, points, n).map_err(|f| f[0].code());
        assert!(code(&[(Yahtzee, 50), (Ones, 3)], 1).is_ok());
        assert_eq!(code(&[(Yahtzee, 50), (Ones, 3)], 2), Err("too_many_yahtzee_bonuses"));
        assert_eq!(code(&[(Yahtzee, 50), (Ones, 3)], -1), Err("negative_yahtzee_bonuses"));
        assert_eq!(code(&[(Ones, 3)], 1), Err("yahtzee_box_does_not_qualify"));
        assert_eq!(code(&[(Ones, 3)], i64::MAX), Err("yahtzee_box_does_not_qualify"));
        assert_eq!(
            card(&Rules::PLAIN, &[(Yahtzee, 50)], 1).unwrap_err()[0].code(),
            "no_yahtzee_bonus_in_rules"
        );
    }

    #[test]
    fn too_many_bonuses_reads_well_for_one_and_for_many() {
        use Category::*;
        let fault = |points: &[(Category, i64)], n| card(&Rules::OFFICIAL, points, n).unwrap_err()[0];
        let one = fault(&[(Yahtzee, 50)], 1);
        let limit = "the number of filled boxes besides the Yahtzee box";
        assert_eq!(one.to_string(), format!("yahtzee_bonuses must be at most 0, {limit}, not 1"));
        let many = fault(&[(Yahtzee, 50), (Ones, 3), (Twos, 4)], 5);
        assert_eq!(many.to_string(), format!("yahtzee_bonuses must be at most 2, {limit}, not 5"));
    }

    #[test]
    fn a_full_card_is_over() {
        for rules in [Rules::PLAIN, Rules::YATZY] {
            let points = |category| if category == Category::Chance { 5 } else { 0 };
            let full: Vec<_> = rules.sheet.boxes().iter().map(|c| (c, points(c))).collect();
            assert_eq!(card(&rules, &full, 0).unwrap().unfinished(), Err(GameOver));
            assert_eq!(Scorecard::empty(&rules).unfinished(), Ok(()));
        }
    }

    #[test]
    fn a_card_has_the_boxes_of_its_sheet_in_their_order() {
        use Category::*;
        let code = |rules: &Rules, points: &[(Category, i64)]| {
            card(rules, points, 0).map_err(|faults| (faults[0].category(), faults[0].code()))
        };
        let forced = Rules { forced_order: true, ..Rules::YATZY };
        assert_eq!(code(&Rules::YATZY, &[(FullHouse, 25)]), Err((Some(FullHouse), "box_not_on_sheet")));
        assert_eq!(
            code(&Rules::YATZY, &[(FullHouseSum, 25)]),
            Err((Some(FullHouseSum), "impossible_points"))
        );
        assert_eq!(code(&Rules::YATZY, &[(FullHouseSum, 24)]).unwrap().points_so_far(), 24);
        assert_eq!(code(&forced, &[(Ones, 3), (Threes, 3)]), Err((Some(Threes), "box_not_in_order")));
        assert!(code(&forced, &[(Ones, 3), (Twos, 4)]).is_ok());
    }
}
