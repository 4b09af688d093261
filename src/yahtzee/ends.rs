//! Where a turn ends: the chance of each box when the best action is followed by the best play.

use super::advice::TIE;
use super::category::{ByCategory, Category};
use super::dice::{Keep, Roll};
use super::entries::Entries;
use super::graph::{FIRST_ROLL, GRAPH, KEEP_COUNT};
use super::lanes::Rows;
use super::position::Position;
use super::score::score;
use super::turn::{Stages, TurnTable};

/// How likely the turn is to end in a box when it goes on optimally from the best action.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ends {
    /// With points.
    pub scored: f64,
    /// With a zero.
    pub zeroed: f64,
}

/// Follows the best play of a turn from one keep to its end.
///
/// Chances flow along the same graph as values, the other way: each step throws one more die, and
/// where a throw is left each roll passes its chance to its own best keep or box.
pub(super) fn ends(
    turn: &TurnTable,
    entries: &Entries<1>,
    stages: &Stages,
    position: &Position,
    keep: Keep,
) -> ByCategory<Ends> {
    let walk = Walk { turn, entries, stages, position };
    let mut chances = [0.0; KEEP_COUNT];
    chances[keep.index()] = 1.0;
    throw(&mut chances);
    if position.rolls_left() > 1 {
        let mut kept = [0.0; KEEP_COUNT];
        for roll in Roll::all() {
            let chance = chances[roll.keep().index()];
            if chance > 0.0 {
                let next = walk.best_keep(roll);
                kept[next.index()] += chance;
            }
        }
        // A keep of all five dice is a roll that is scored at once.
        throw(&mut kept);
        chances = kept;
    }
    walk.score(&chances)
}

impl Ends {
    /// The one end of a turn that is scored now.
    pub(super) fn certain(points: u16) -> Self {
        let mut ends = Self::default();
        ends.add(1.0, points);
        ends
    }

    fn add(&mut self, chance: f64, points: u16) {
        *if points > 0 { &mut self.scored } else { &mut self.zeroed } += chance;
    }
}

struct Walk<'a> {
    turn: &'a TurnTable,
    entries: &'a Entries<1>,
    stages: &'a Stages,
    position: &'a Position,
}

impl Walk<'_> {
    /// What to keep of a roll with one throw left; all of it where scoring is best.
    fn best_keep(&self, roll: Roll) -> Keep {
        let Stages { last, best: second, .. } = self.stages;
        let mut at = roll.keep();
        let best = second.of(at)[0];
        // The maximum was handed upwards unchanged from the keep where it arose.
        while last.of(at)[0] < best - TIE {
            match at.smaller().find(|&smaller| second.of(smaller)[0] >= best - TIE) {
                Some(smaller) => at = smaller,
                None => break,
            }
        }
        at
    }

    /// Gives the chance of each roll to its best box.
    fn score(&self, chances: &[f64; KEEP_COUNT]) -> ByCategory<Ends> {
        let mut ends = ByCategory::<Ends>::default();
        let card = self.position.card().state();
        let outcomes = &self.turn.outcomes;
        let mut rows = [0.0; 256];
        for roll in Roll::all() {
            let chance = chances[roll.keep().index()];
            if chance <= 0.0 {
                continue;
            }
            let value = self.stages.last.of(roll.keep())[0];
            if roll.five_of_a_kind().is_some() && card.filled.contains(Category::Yahtzee) {
                let open = card.open();
                let best = open.iter().find(|&category| {
                    let rules = &self.turn.rules;
                    self.entries.further_yahtzee(rules, outcomes, open, category, roll)[0] >= value - TIE
                });
                if let Some(category) = best {
                    let points = score(&self.turn.rules, card, roll, category).box_points;
                    ends[category].add(chance, points);
                }
            } else {
                let alike = &outcomes.rows[roll.index()];
                let best = alike.iter().find(|&&row| self.stages.rows[row as usize][0] >= value - TIE);
                rows[*best.unwrap_or(&alike[0]) as usize] += chance;
            }
        }
        for (row, chance) in rows.into_iter().enumerate().filter(|&(_, chance)| chance > 0.0) {
            if let Some((category, example)) = self.best_box(&self.stages.rows, row) {
                ends[category].add(chance, outcomes.points[category][example.index()]);
            }
        }
        ends
    }

    /// The box in which a row's outcome is best scored, and a roll that has this outcome.
    fn best_box(&self, rows: &Rows<1>, row: usize) -> Option<(Category, Roll)> {
        let outcomes = &self.turn.outcomes;
        let (boxes, example) = outcomes.row(row)?;
        let open = self.position.card().open();
        let best = boxes.iter().copied().find(|&category| {
            open.contains(category)
                && self.entries.plain(outcomes, category, example)[0] >= rows[row % 256][0] - TIE
        });
        best.map(|category| (category, example))
    }
}

/// Spreads the chances of keeps over the rolls that they can become.
fn throw(chances: &mut [f64; KEEP_COUNT]) {
    for keep in 0..FIRST_ROLL {
        let share = chances[keep] * (1.0 / 6.0);
        if share > 0.0 {
            for bigger in GRAPH.plus[keep] {
                chances[bigger as usize] += share;
            }
            chances[keep] = 0.0;
        }
    }
    debug_assert!((chances[FIRST_ROLL..].iter().sum::<f64>() - 1.0).abs() < 1e-9);
}
