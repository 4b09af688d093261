//! Where a turn ends: the chance of each box when the best action is followed by the best play.

use super::advice::TIE;
use super::category::{ByCategory, Category};
use super::dice::{Keep, Roll};
use super::entries::Entries;
use super::graph::{FIRST_ROLL, GRAPH, KEEP_COUNT};
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
        walk.keep_best(&mut chances);
        // A keep of all five dice is a roll that is scored at once.
        throw(&mut chances);
    }
    walk.score(&mut chances)
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
    /// Passes the chance of each roll on to what is best kept of it with one throw left; all of it where scoring is best.
    fn keep_best(&self, chances: &mut [f64; KEEP_COUNT]) {
        let Stages { last, best, .. } = self.stages;
        // The maximum was handed upwards unchanged from the keep where it arose; the way back is taken a die at a time.
        for keep in Keep::all().rev() {
            let chance = chances[keep.index()];
            if chance <= 0.0 {
                continue;
            }
            let value = best.of(keep)[0] - TIE;
            if last.of(keep)[0] < value
                && let Some(smaller) = keep.smaller().find(|&smaller| best.of(smaller)[0] >= value)
            {
                chances[keep.index()] = 0.0;
                chances[smaller.index()] += chance;
            }
        }
    }

    /// Gives the chance of each roll to its best box.
    fn score(&self, chances: &mut [f64; KEEP_COUNT]) -> ByCategory<Ends> {
        let mut ends = ByCategory::<Ends>::default();
        let card = self.position.card().state();
        let (rules, outcomes, values) = (&self.turn.rules, &self.turn.outcomes, &self.stages.last.rolls);
        if card.filled.contains(Category::Yahtzee) {
            let open = card.open();
            for roll in Roll::FIVES_OF_A_KIND {
                let chance = std::mem::take(&mut chances[roll.keep().index()]);
                let value = values[roll.index() % 256][0] - TIE;
                let best = open.iter().find(|&category| {
                    self.entries.further_yahtzee(rules, outcomes, open, category, roll)[0] >= value
                });
                if let Some(category) = best {
                    ends[category].add(chance, score(rules, card, roll, category).box_points);
                }
            }
        }
        let mut by_row = [0.0; 256];
        for ((&chance, value), alike) in chances[FIRST_ROLL..].iter().zip(values).zip(&outcomes.rows) {
            if chance > 0.0 {
                // The first row of equals. Looking at all of them costs less than a guess that fails.
                let mut best = alike[0];
                for &row in alike.iter().rev() {
                    best = if self.stages.rows[row as usize][0] >= value[0] - TIE { row } else { best };
                }
                by_row[best as usize] += chance;
            }
        }
        for (row, chance) in by_row.into_iter().enumerate().filter(|&(_, chance)| chance > 0.0) {
            if let Some((category, points)) =
                outcomes.best_box(row, self.stages.rows[row % 256][0] - TIE, self.entries)
            {
                ends[category].add(chance, points);
            }
        }
        ends
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
