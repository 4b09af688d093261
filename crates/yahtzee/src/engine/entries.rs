//! What every possible entry of a turn leads to, for neighbouring states at once.

use super::outcomes::{Outcomes, Slot};
use super::states::{LaneSet, StateSpace};
use crate::rules::card_state::CardState;
use crate::rules::category::{Category, CategorySet};
use crate::rules::dice::Roll;
use crate::rules::rule_set::Rules;
use crate::rules::score::{BoxScore, bars};

/// The value after each entry, for `W` neighbouring lanes of a set of filled boxes.
pub(crate) struct Entries<const W: usize> {
    /// By slot: for an upper box and a count the points, the bonus and the value of the next state,
    /// for a lower box the value of the next state alone; minus infinity for a box that is filled.
    pub(crate) slots: [[f64; W]; Slot::COUNT],
    /// The boxes that may be filled.
    pub(crate) open: CategorySet,
    /// Whether five equal dice are a further Yahtzee.
    pub(crate) yahtzee_filled: bool,
    /// The bonus for a further Yahtzee.
    bonus: [f64; W],
    /// Whether a further Yahtzee is a joker.
    joker: [bool; W],
}

impl<const W: usize> Entries<W> {
    /// Reads what follows the entries of lanes `lane..lane + W` of a set; lanes past its end repeat
    /// the last. `values` must hold all sets with one more filled box.
    #[inline(always)]
    pub(crate) fn new(rules: &Rules, space: &StateSpace, values: &[f64], set: LaneSet, lane: usize) -> Self {
        Self::with(rules, space, set, lane, |points, next| points + values[next])
    }

    /// The points of the entries alone.
    pub(crate) fn points(rules: &Rules, space: &StateSpace, set: LaneSet, lane: usize) -> Self {
        Self::with(rules, space, set, lane, |points, _| points)
    }

    #[inline(always)]
    fn with(
        rules: &Rules,
        space: &StateSpace,
        set: LaneSet,
        lane: usize,
        entry: impl Fn(f64, usize) -> f64,
    ) -> Self {
        let mut entries = Self {
            slots: slots(space, set, lane, f64::NEG_INFINITY, entry),
            open: set.open,
            yahtzee_filled: set.filled.contains(Category::Yahtzee),
            bonus: [0.0; W],
            joker: [false; W],
        };
        if entries.yahtzee_filled {
            for i in 0..W {
                let scored = (lane + i).min(set.lanes - 1) >= set.classes;
                entries.bonus[i] = rules
                    .yahtzee_bonus
                    .filter(|bonus| bonus.after_zero || scored)
                    .map_or(0.0, |bonus| f64::from(bonus.points.get()));
                entries.joker[i] = rules.joker.is_some_and(|joker| joker.after_zero || scored);
            }
        }
        entries
    }

    /// What a roll brings in an open box, played by its plain points.
    #[inline(always)]
    pub(crate) fn plain(&self, outcomes: &Outcomes, category: Category, roll: Roll) -> [f64; W] {
        let points = outcomes.points[category][roll.index()];
        let value = &self.slots[Slot::of(category, points).index()];
        let points = if category.is_upper() { 0.0 } else { f64::from(points) };
        value.map(|value| value + points)
    }

    /// What a further Yahtzee brings in an open box, bonus included; minus infinity where it may not
    /// go there.
    #[inline(always)]
    pub(crate) fn further_yahtzee(
        &self,
        rules: &Rules,
        outcomes: &Outcomes,
        category: Category,
        roll: Roll,
    ) -> [f64; W] {
        let open = self.open;
        let plain = self.plain(outcomes, category, roll);
        let (Some(joker), Some(own)) = (rules.joker, roll.five_of_a_kind().and_then(Category::upper)) else {
            return std::array::from_fn(|i| plain[i] + self.bonus[i]);
        };
        let points = outcomes.points[category][roll.index()];
        let full = f64::from(rules.joker_value(joker.kind, open, own, category, points)) - f64::from(points);
        let extra = if bars(joker.kind, open, own, category).is_some() { f64::NEG_INFINITY } else { full };
        std::array::from_fn(|i| plain[i] + (if self.joker[i] { extra } else { 0.0 } + self.bonus[i]))
    }
}

impl Entries<1> {
    /// Nothing follows and no bonus is paid: the points of the open boxes alone.
    pub(crate) fn without_future(rules: &Rules, card: CardState) -> Self {
        let open = rules.choices(card.open(rules.sheet));
        let mut entries = Self {
            slots: [[f64::NEG_INFINITY]; Slot::COUNT],
            open,
            yahtzee_filled: card.filled.contains(Category::Yahtzee),
            bonus: [0.0],
            joker: [false],
        };
        for category in open.iter() {
            match category.face() {
                Some(face) => {
                    for points in (0..=5).map(|count| count * u16::from(face)) {
                        entries.slots[Slot::of(category, points).index()] = [f64::from(points)];
                    }
                }
                None => {
                    for points in [0, 1] {
                        entries.slots[Slot::of(category, points).index()] = [0.0];
                    }
                }
            }
        }
        entries
    }

    /// What a legal entry brings, and all that follows it.
    pub(crate) fn value(&self, outcomes: &Outcomes, category: Category, roll: Roll, score: BoxScore) -> f64 {
        let plain = outcomes.points[category][roll.index()];
        let extra = f64::from(score.box_points) - f64::from(plain) + f64::from(score.yahtzee_bonus);
        self.plain(outcomes, category, roll)[0] + extra
    }
}

/// For each slot of an open box and each lane, a function of the points that the slot holds and of
/// the state that follows.
#[inline(always)]
pub(crate) fn slots<const W: usize>(
    space: &StateSpace,
    set: LaneSet,
    lane: usize,
    closed: f64,
    entry: impl Fn(f64, usize) -> f64,
) -> [[f64; W]; Slot::COUNT] {
    let mut slots = [[closed; W]; Slot::COUNT];
    let lanes: [usize; W] = std::array::from_fn(|i| (lane + i).min(set.lanes - 1));
    for category in set.open.intersection(CategorySet::UPPER).iter() {
        let next = space.set(set.filled.with(category));
        for (i, lane) in lanes.into_iter().enumerate() {
            let (class, start) = if lane < set.classes {
                (lane, next.start)
            } else {
                (lane - set.classes, next.start + next.classes)
            };
            for (count, step) in space.steps(set.filled, class)[category.index() % 6].iter().enumerate() {
                slots[Slot::upper(category.index(), count).index()][i] =
                    entry(f64::from(step.points), start + step.class as usize);
            }
        }
    }
    for category in set.open.minus(CategorySet::UPPER).iter() {
        let next = space.set(set.filled.with(category));
        slots[Slot::of(category, 0).index()] = lanes.map(|lane| entry(0.0, next.start + lane));
        if category == Category::Yahtzee {
            let scored = next.start + next.lanes - next.classes;
            slots[Slot::of(category, 1).index()] = lanes.map(|lane| entry(0.0, scored + lane));
        }
    }
    slots
}
