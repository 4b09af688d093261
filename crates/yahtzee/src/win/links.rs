//! What each entry of a state earns, and which state follows.

use crate::engine::entries::{Entries, slots};
use crate::engine::game::GameTable;
use crate::engine::outcomes::Slot;
use crate::engine::states::LaneSet;
use crate::rules::category::{Category, CategorySet};
use crate::rules::dice::Roll;

/// One way to fill a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    /// The box that is filled.
    pub(super) category: Category,
    /// The index of the state that follows.
    pub(super) next: usize,
    /// What the entry earns, bonuses included.
    pub(super) points: i32,
}

/// All ways to fill a box in a state, each with the place that its value goes to.
pub(super) struct Links {
    /// By slot of an upper box.
    pub(super) upper: Vec<(usize, Link)>,
    /// By row of [`Outcomes`](crate::engine::outcomes::Outcomes): the entries in lower boxes.
    pub(super) lower: Vec<(usize, Link)>,
    /// By number of a roll: further Yahtzees, which replace what the rows say.
    pub(super) further: Vec<(usize, Link)>,
}

impl Links {
    pub(super) fn new(table: &GameTable, set: LaneSet, lane: usize) -> Self {
        let (rules, space, outcomes) = (table.rules(), &table.space, &table.turn.outcomes);
        let open = set.open;
        let earned = slots::<1>(space, set, lane, 0.0, |points, _| points);
        let next = slots::<1>(space, set, lane, 0.0, |_, next| next as f64);
        let link =
            |category, slot: Slot, points| Link { category, next: next[slot.index()][0] as usize, points };
        let upper = open
            .intersection(CategorySet::UPPER)
            .iter()
            .flat_map(|category| (0..=5).map(move |count| (category, Slot::upper(category.index(), count))));
        let upper = upper
            .map(|(category, slot)| (slot.index(), link(category, slot, earned[slot.index()][0] as i32)));
        let lower: Vec<_> = open.minus(CategorySet::UPPER).iter().collect();
        let lower = outcomes.lower.iter().enumerate().flat_map(|(row, boxes)| {
            let row = outcomes.upper.len() + row;
            boxes.iter().filter_map({
                let (lower, link) = (&lower, &link);
                move |&(slot, points)| {
                    let is_in = |category: &&Category| Slot::of(**category, points as u16) == slot;
                    let category = *lower.iter().find(is_in)?;
                    Some((row, link(category, slot, points as i32)))
                }
            })
        });
        let mut further = Vec::new();
        if set.filled.contains(Category::Yahtzee) {
            let entries = Entries::<1>::points(rules, space, set, lane);
            for (roll, category) in
                Roll::FIVES_OF_A_KIND.into_iter().flat_map(|roll| open.iter().map(move |one| (roll, one)))
            {
                let points = entries.further_yahtzee(rules, outcomes, category, roll)[0];
                if points.is_finite() {
                    let slot = Slot::of(category, outcomes.points[category][roll.index()]);
                    further.push((roll.index(), link(category, slot, points as i32)));
                }
            }
        }
        Self { upper: upper.collect(), lower: lower.collect(), further }
    }

    /// All different ways.
    pub(super) fn distinct(&self) -> Vec<Link> {
        let all = self.upper.iter().chain(&self.lower).chain(&self.further);
        let mut all: Vec<_> = all.map(|&(_, link)| link).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
