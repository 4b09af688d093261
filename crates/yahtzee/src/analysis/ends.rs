//! Where a turn ends: the probability of each box when the best action is followed by the best play.

use crate::engine::entries::Entries;
use crate::engine::outcomes::Outcomes;
use crate::engine::turn::Stages;
use crate::rules::category::ByCategory;
use crate::rules::dice::{Keep, Roll};
use crate::rules::graph::{FIRST_ROLL, GRAPH, KEEP_COUNT};
use crate::rules::objective::TIE;
use crate::rules::position::Position;
use crate::rules::rule_set::Rules;
use crate::rules::score::score;

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
/// Probabilities flow along the same graph as values, the other way: each step throws one more die, and
/// where a throw is left each roll passes its probability to its own best keep or box.
///
/// `rules` are those of the objective.
pub(crate) fn ends(
    rules: &Rules,
    outcomes: &Outcomes,
    entries: &Entries<1>,
    stages: &Stages,
    position: &Position,
    keep: Keep,
) -> ByCategory<Ends> {
    let walk = Walk { rules, outcomes, entries, stages, position };
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
    pub(crate) fn certain(points: u16) -> Self {
        let mut ends = Self::default();
        ends.add(1.0, points);
        ends
    }

    fn add(&mut self, chance: f64, points: u16) {
        *if points > 0 { &mut self.scored } else { &mut self.zeroed } += chance;
    }
}

struct Walk<'a> {
    rules: &'a Rules,
    outcomes: &'a Outcomes,
    entries: &'a Entries<1>,
    stages: &'a Stages,
    position: &'a Position,
}

impl Walk<'_> {
    /// Passes the probability of each roll on to its best keep with one throw left; all of it if scoring is best.
    fn keep_best(&self, chances: &mut [f64; KEEP_COUNT]) {
        let Stages { last, best, .. } = self.stages;
        // The maximum was handed upwards unchanged from the keep where it arose; the way back is taken a die at a time.
        for keep in Keep::all().rev() {
            let chance = chances[keep.index()];
            if chance <= 0.0 {
                continue;
            }
            let value = best.of(keep)[0] - TIE;
            // The first of equals, as everywhere here: looking at all of them costs less than a guess that fails.
            let mut to = keep;
            for smaller in keep.smaller().rev() {
                to = if best.keeps[smaller.index() % 256][0] >= value { smaller } else { to };
            }
            to = if last.of(keep)[0] >= value { keep } else { to };
            chances[keep.index()] = 0.0;
            chances[to.index()] += chance;
        }
    }

    /// Adds the probability of each roll to its best box.
    fn score(&self, chances: &mut [f64; KEEP_COUNT]) -> ByCategory<Ends> {
        let mut ends = ByCategory::<Ends>::default();
        let card = self.position.card().state();
        let (rules, outcomes, values) = (self.rules, self.outcomes, &self.stages.last.rolls);
        let open = self.entries.open;
        if self.entries.yahtzee_filled {
            for roll in Roll::FIVES_OF_A_KIND {
                let chance = std::mem::take(&mut chances[roll.keep().index()]);
                let value = values[roll.index() % 256][0] - TIE;
                let best = open.iter().find(|&category| {
                    self.entries.further_yahtzee(rules, outcomes, category, roll)[0] >= value
                });
                if let Some(category) = best {
                    ends[category].add(chance, score(rules, card, roll, category).box_points);
                }
            }
        }
        let rolls = chances[FIRST_ROLL..].iter().zip(values);
        let (rows, _) = outcomes.rows.as_chunks::<5>();
        if outcomes.groups.len() != 5 {
            // More groups of boxes do not follow each other in card order.
            for ((&chance, value), roll) in rolls.zip(Roll::all()).filter(|((chance, _), _)| **chance > 0.0) {
                let worth = |category| self.entries.plain(outcomes, category, roll)[0];
                if let Some(category) = open.iter().find(|&category| worth(category) >= value[0] - TIE) {
                    ends[category].add(chance, outcomes.points[category][roll.index()]);
                }
            }
            return ends;
        }
        let mut by_row = [0.0; 256];
        for ((&chance, value), alike) in rolls.zip(rows) {
            if chance > 0.0 {
                let mut best = alike[0];
                for &row in alike.iter().rev() {
                    best = if self.stages.rows[row as usize][0] >= value[0] - TIE { row } else { best };
                }
                by_row[best as usize] += chance;
            }
        }
        for (row, (&chance, value)) in by_row.iter().zip(&self.stages.rows).enumerate() {
            if chance > 0.0 {
                let (category, points) = outcomes.best_box(row, value[0] - TIE, &self.entries.slots);
                ends[category].add(chance, points);
            }
        }
        ends
    }
}

/// Spreads the probabilities of keeps over the rolls that they can become.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{Action, Category, DIE_COUNT, Dice, GameTable, Objective, Scorecard};

    /// The probability of each roll that a keep can become, with every die thrown by itself.
    fn thrown(keep: Keep) -> BTreeMap<Roll, f64> {
        let mut chances = BTreeMap::new();
        let others = DIE_COUNT - keep.len();
        for throw in 0..6_usize.pow(others as u32) {
            let faces = (0..others).map(|die| (throw / 6_usize.pow(die as u32) % 6) as u8 + 1);
            let faces: Vec<u8> = keep.faces().iter().copied().chain(faces).collect();
            let dice = Dice::new(faces.try_into().unwrap()).unwrap();
            *chances.entry(dice.roll()).or_insert(0.0) += 6_f64.powi(-(others as i32));
        }
        chances
    }

    /// Follows the advice throw by throw to the end of the turn.
    fn slow_ends(table: &GameTable, objective: Objective, position: &Position) -> ByCategory<Ends> {
        let mut ends = ByCategory::<Ends>::default();
        let mut rolls = BTreeMap::from([(position.dice().roll(), 1.0)]);
        for left in (0..=position.rolls_left()).rev() {
            let mut next = BTreeMap::new();
            for (roll, chance) in std::mem::take(&mut rolls) {
                let dice = Dice::new(roll.faces()).unwrap();
                let here = Position::new(table.rules(), dice, left.into(), *position.card()).unwrap();
                let advice = table.advise(&here, objective);
                match advice.best().action {
                    Action::Score(category) => {
                        ends[category].add(chance, advice.scores()[category].box_points);
                    }
                    Action::Reroll(keep) => {
                        for (roll, share) in thrown(keep) {
                            *next.entry(roll).or_insert(0.0) += chance * share;
                        }
                    }
                }
            }
            rolls = next;
        }
        assert!(rolls.is_empty());
        ends
    }

    #[test]
    fn a_turn_ends_where_following_the_advice_throw_by_throw_leads() {
        use Category::{Chance, FullHouse, LargeStraight, Ones, Sixes, SmallStraight, Threes, Yahtzee};
        let rules = Rules::OFFICIAL;
        let table = GameTable::build_blocking(&rules);
        let all_but = |open: &[Category], yahtzee: i64| {
            ByCategory::of_boxes(rules.sheet.boxes(), |category| match category {
                _ if open.contains(&category) => None,
                Yahtzee => Some(yahtzee),
                Chance => Some(20),
                _ => Some(0),
            })
        };
        let cards = [
            ByCategory::default(),
            all_but(&[Threes, FullHouse, LargeStraight, Chance], 50),
            all_but(&[Ones, Sixes, FullHouse, SmallStraight], 0),
            all_but(&[Sixes, FullHouse, SmallStraight, LargeStraight], 50),
            all_but(&[Yahtzee, Chance, Threes], 0),
        ];
        let mut compared = 0;
        for boxes in cards {
            let card = Scorecard::new(&rules, &boxes, 0).unwrap();
            for faces in [[1, 3, 3, 4, 6], [2, 2, 5, 5, 5], [6, 6, 6, 6, 6], [1, 2, 4, 5, 6], [3, 3, 3, 3, 1]]
            {
                for rolls_left in 0..=2 {
                    let dice = Dice::new(faces).unwrap();
                    let position = Position::new(&rules, dice, rolls_left, card).unwrap();
                    let slow = slow_ends(&table, Objective::Game, &position);
                    let advice = table.advise(&position, Objective::Game);
                    for (category, ends) in advice.ends().iter() {
                        let want = slow[category];
                        assert!(
                            (ends.scored - want.scored).abs() < 1e-9
                                && (ends.zeroed - want.zeroed).abs() < 1e-9,
                            "{faces:?} {rolls_left} {category}: {ends:?}, not {want:?}"
                        );
                    }
                    compared += 1;
                }
            }
        }
        assert_eq!(compared, 75);
    }

    #[test]
    fn a_turn_by_itself_knows_no_joker() {
        let rules = Rules::OFFICIAL;
        let boxes = ByCategory::of_boxes(rules.sheet.boxes(), |category| match category {
            Category::SmallStraight => None,
            Category::Yahtzee => Some(50),
            Category::Chance => Some(20),
            _ => Some(0),
        });
        let card = Scorecard::new(&rules, &boxes, 0).unwrap();
        let position = Position::new(&rules, Dice::new([6; 5]).unwrap(), 1, card).unwrap();
        let table = GameTable::build_blocking(&rules);
        let advice = table.advise(&position, Objective::Turn);
        let slow = slow_ends(&table, Objective::Turn, &position);
        let (ends, want) = (advice.ends()[Category::SmallStraight], slow[Category::SmallStraight]);
        assert!((ends.scored - want.scored).abs() < 1e-9 && ends.zeroed > 0.0, "{ends:?}, not {want:?}");
    }

    /// Under Yatzy boxes tie often in a turn by itself: the first on the card is taken, across all groups of boxes.
    #[test]
    fn a_turn_of_yatzy_ends_where_the_advice_leads() {
        let rules = Rules::YATZY;
        let table = GameTable::build_blocking(&rules);
        for faces in [[1, 3, 3, 4, 6], [2, 2, 5, 5, 5], [6; 5], [1, 2, 4, 5, 6]] {
            for (objective, rolls_left) in [(Objective::Game, 2), (Objective::Turn, 2), (Objective::Turn, 1)]
            {
                let boxes = ByCategory::of_boxes(rules.sheet.boxes(), |category| match category {
                    Category::Ones | Category::Chance => Some(5),
                    Category::OnePair if faces[0] == 2 => Some(12),
                    _ => None,
                });
                let card = Scorecard::new(&rules, &boxes, 0).unwrap();
                let position = Position::new(&rules, Dice::new(faces).unwrap(), rolls_left, card).unwrap();
                let slow = slow_ends(&table, objective, &position);
                for (category, ends) in table.advise(&position, objective).ends().iter() {
                    let want = slow[category];
                    assert!(
                        (ends.scored - want.scored).abs() < 1e-9 && (ends.zeroed - want.zeroed).abs() < 1e-9,
                        "{faces:?} {objective:?} {category}: {ends:?}, not {want:?}"
                    );
                }
            }
        }
    }
}
