//! What every roll is worth in every box under some rules, and which rolls are alike.

use crate::rules::category::{ByCategory, Category};
use crate::rules::dice::Roll;
use crate::rules::rule_set::Rules;

/// The upper boxes whose outcomes are looked up together. Few distinct combinations of points in each group, here and in
/// those of the sheet: the best box of a group is found once for all rolls that are alike in it.
const UPPER: [[Category; 2]; UPPER_GROUPS] = [
    [Category::Ones, Category::Twos],
    [Category::Threes, Category::Fours],
    [Category::Fives, Category::Sixes],
];
/// The groups of two upper boxes.
const UPPER_GROUPS: usize = 3;
/// The counts of two faces among five dice.
const UPPER_ROWS: usize = UPPER_GROUPS * 21;
/// The most lower boxes in a group.
const LOWER_BOXES: usize = 4;

/// A place in the list of what follows each entry of a card.
///
/// An upper box has a slot for each count, a lower box has one, the Yahtzee box a second for a
/// Yahtzee in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot(u8);

impl Slot {
    /// The length of the list: a power of two, so that a mask proves that a slot is in bounds.
    pub(crate) const COUNT: usize = 64;
    /// A slot that no box has.
    const NONE: Self = Self(Self::COUNT as u8 - 1);
    const FIRST_LOWER: u8 = 36;
    const YAHTZEE: Self = Self(Self::COUNT as u8 - 2);

    /// The slot of a face, 0 to 5, and how often it shows.
    pub(crate) const fn upper(face: usize, count: usize) -> Self {
        Self((face * 6 + count) as u8)
    }

    /// The slot of an entry in any box.
    pub(crate) fn of(category: Category, points: u16) -> Self {
        match category.face() {
            Some(face) => Self::upper(face as usize - 1, (points / u16::from(face)) as usize),
            None if category == Category::Yahtzee && points > 0 => Self::YAHTZEE,
            None => Self(Self::FIRST_LOWER + category as u8 - 6),
        }
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize % Self::COUNT
    }
}

/// The plain points of every roll, and the rows that group rolls with equal outcomes.
#[derive(Clone)]
pub(crate) struct Outcomes {
    /// Plain points.
    pub(crate) points: ByCategory<[u16; Roll::COUNT]>,
    /// For each roll in turn, its row in each group.
    pub(crate) rows: Vec<u8>,
    /// The boxes of each group.
    pub(crate) groups: Vec<Vec<Category>>,
    /// For each row of an upper group, the slots of its two boxes.
    pub(crate) upper: Vec<[Slot; 2]>,
    /// For each row after those, up to four boxes: slot and points.
    pub(crate) lower: Vec<[(Slot, f64); LOWER_BOXES]>,
    /// For each row, its group and a roll that has this outcome.
    examples: Vec<(usize, Roll)>,
}

impl Outcomes {
    pub(crate) fn new(rules: &Rules) -> Self {
        let points = ByCategory::from_fn(|category| {
            let mut points = [0; Roll::COUNT];
            for (points, roll) in points.iter_mut().zip(Roll::all()) {
                *points = rules.plain_points(category, roll);
            }
            points
        });
        let mut examples: Vec<(usize, Roll)> = Vec::new();
        let upper_groups = UPPER.map(|boxes| boxes.to_vec());
        let groups: Vec<_> = upper_groups.into_iter().chain(rules.sheet.groups()).collect();
        let mut rows = vec![0; groups.len() * Roll::COUNT];
        for (group, boxes) in groups.iter().enumerate() {
            let first = examples.len();
            for roll in Roll::all() {
                let alike = |&(_, example): &(usize, Roll)| {
                    boxes.iter().all(|&category| match category.face() {
                        // By the dice, so that a sheet without the box has as many rows.
                        Some(face) => {
                            let count = |roll: Roll| roll.counts()[face as usize - 1];
                            count(roll) == count(example)
                        }
                        None => points[category][roll.index()] == points[category][example.index()],
                    })
                };
                let row = first
                    + examples[first..].iter().position(alike).unwrap_or_else(|| {
                        examples.push((group, roll));
                        examples.len() - 1 - first
                    });
                rows[roll.index() * groups.len() + group] = row as u8;
            }
        }
        let slot = |category: Category, roll: Roll| {
            let points = points[category][roll.index()];
            (Slot::of(category, points), f64::from(points))
        };
        let upper = examples[..UPPER_ROWS]
            .iter()
            .map(|&(group, roll)| UPPER[group].map(|category| slot(category, roll).0));
        let lower = examples[UPPER_ROWS..].iter().map(|&(group, roll)| {
            std::array::from_fn(|i| {
                groups[group].get(i).map_or((Slot::NONE, 0.0), |&category| slot(category, roll))
            })
        });
        Self { upper: upper.collect(), lower: lower.collect(), points, rows, groups, examples }
    }

    /// The first box of a row that is worth so much, and the points in it; the last box where none is.
    pub(crate) fn best_box(
        &self,
        row: usize,
        value: f64,
        slots: &[[f64; 1]; Slot::COUNT],
    ) -> (Category, u16) {
        let worth = |slot: Slot| slots[slot.index()][0];
        let (group, example) = self.examples[row];
        let place = match self.upper.get(row) {
            Some(&[first, _]) => usize::from(worth(first) < value),
            None => {
                let boxes = &self.lower[row - self.upper.len()];
                let mut place = self.groups[group].len() - 1;
                for (index, &(slot, points)) in boxes.iter().enumerate().rev() {
                    place = if worth(slot) + points >= value { index } else { place };
                }
                place
            }
        };
        let category = self.groups[group][place];
        (category, self.points[category][example.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OfAKindScores;

    #[test]
    fn rows_are_numbered_by_bytes_and_upper_rows_come_first() {
        let matching = Rules { of_a_kind_scores: OfAKindScores::MatchingDice, ..Rules::OFFICIAL };
        let all_dice = Rules { of_a_kind_scores: OfAKindScores::AllDice, ..Rules::YATZY };
        for rules in [Rules::OFFICIAL, matching, Rules::YATZY, all_dice] {
            let rules =
                Rules { full_house_from_five_of_a_kind: true, two_pairs_from_four_of_a_kind: true, ..rules };
            let outcomes = Outcomes::new(&rules);
            assert!(outcomes.examples.len() <= 256);
            assert!(outcomes.examples[UPPER_ROWS - 1].0 < UPPER_GROUPS);
            assert!(outcomes.examples[UPPER_ROWS].0 >= UPPER_GROUPS);
        }
    }
}
