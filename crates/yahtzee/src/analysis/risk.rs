//! The standard deviation of the points still to come after each action of a position.

use crate::engine::game::GameTable;
use crate::engine::moments::{Moments, Scratch};
use crate::rules::action::Action;
use crate::rules::position::Position;
use crate::rules::score::score;

/// The standard deviation of the points still to come after each action of a position, under optimal play with ties
/// broken as the advice ranks them.
pub struct Risks<'a> {
    table: &'a GameTable,
    moments: &'a Moments,
    position: Position,
    /// Values and second moments before the next throw, if there is one.
    keeps: Option<Box<Scratch<1>>>,
}

impl Moments {
    /// Evaluates a position for both moments; `table` must be the one that these moments were made for, and the
    /// position's card checked under its rules. Takes some tens of microseconds.
    ///
    /// ```no_run
    /// use kibitz_yahtzee::{Dice, GameTable, Moments, Objective, Position, Rules, Scorecard};
    /// let table = GameTable::build_blocking(&Rules::OFFICIAL);
    /// let moments = Moments::build_blocking(&table);
    /// let dice = Dice::new([6, 6, 6, 5, 1]).unwrap();
    /// let position = Position::new(&Rules::OFFICIAL, dice, 2, Scorecard::empty(&Rules::OFFICIAL)).unwrap();
    /// let best = table.advise(&position, Objective::Game).best().action;
    /// assert!(moments.risks(&table, &position).standard_deviation(best) > 50.0);
    /// ```
    pub fn risks<'a>(&'a self, table: &'a GameTable, position: &Position) -> Risks<'a> {
        let keeps = (position.rolls_left() > 0).then(|| {
            let card = position.card().state();
            let (set, lane) = (table.space.set(card.filled()), table.space.lane(table.rules(), card));
            let mut scratch = Scratch::<1>::new();
            scratch.score(table, &self.entries, self.seconds(), set, lane);
            scratch.expect();
            for _ in 1..position.rolls_left() {
                scratch.choose();
                scratch.expect();
            }
            scratch
        });
        Risks { table, moments: self, position: *position, keeps }
    }
}

impl Risks<'_> {
    /// The standard deviation of the points still to come after an action that the position allows. What is scored at
    /// once is certain and adds no variance.
    pub fn standard_deviation(&self, action: Action) -> f64 {
        match (action, &self.keeps) {
            (Action::Score(category), _) => {
                let (card, roll) = (self.position.card(), self.position.dice().roll());
                let earned = score(self.table.rules(), card.state(), roll, category);
                self.moments.standard_deviation(self.table, card.with_entry(category, earned).state())
            }
            (Action::Reroll(keep), Some(scratch)) => {
                let (first, second) = (scratch.values.of(keep)[0], scratch.seconds.of(keep)[0]);
                (second - first * first).max(0.0).sqrt()
            }
            (Action::Reroll(_), None) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ByCategory, Category, Dice, Keep, Rules, Scorecard};

    fn only_open(rules: &Rules, open: &[Category]) -> Scorecard {
        let points = ByCategory::of_boxes(rules.sheet.boxes(), |category| {
            (!open.contains(&category)).then_some(if category == Category::Chance { 5 } else { 0 })
        });
        Scorecard::new(rules, &points, 0).unwrap()
    }

    fn risk(open: &[Category], faces: [u8; 5], rolls_left: i64, action: Action) -> f64 {
        let rules = Rules::PLAIN;
        let table = GameTable::build_blocking(&rules);
        let moments = Moments::build_blocking(&table);
        let position =
            Position::new(&rules, Dice::new(faces).unwrap(), rolls_left, only_open(&rules, open)).unwrap();
        moments.risks(&table, &position).standard_deviation(action)
    }

    #[test]
    fn one_die_of_a_last_box_by_hand() {
        // One die decides between 50 and 0 once, or twice if need be.
        let four = Action::Reroll(Keep::new(&[6, 6, 6, 6]).unwrap());
        let scatter = |chance: f64| 50.0 * (chance * (1.0 - chance)).sqrt();
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-9, "{found}, not {wanted}");
        near(risk(&[Category::Yahtzee], [6, 6, 6, 6, 1], 1, four), scatter(1.0 / 6.0));
        near(risk(&[Category::Yahtzee], [6, 6, 6, 6, 1], 2, four), scatter(11.0 / 36.0));
        // One die of a chance, thrown once.
        let chance = Action::Reroll(Keep::new(&[1, 1, 1, 1]).unwrap());
        near(risk(&[Category::Chance], [1, 1, 1, 1, 6], 1, chance), (35.0f64 / 12.0).sqrt());
        near(risk(&[Category::Chance], [1, 1, 1, 1, 6], 1, Action::Score(Category::Chance)), 0.0);
    }

    #[test]
    fn scoring_leaves_the_deviation_of_the_open_boxes() {
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-9, "{found}, not {wanted}");
        let rules = Rules::PLAIN;
        let table = GameTable::build_blocking(&rules);
        let moments = Moments::build_blocking(&table);
        let rest = only_open(&rules, &[Category::Sixes]).state();
        let found =
            risk(&[Category::Sixes, Category::Ones], [1, 1, 1, 1, 1], 0, Action::Score(Category::Ones));
        near(found, moments.standard_deviation(&table, rest));
    }
}
