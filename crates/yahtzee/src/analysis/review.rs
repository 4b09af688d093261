//! The review of a game: what luck gave and what decisions cost.
//!
//! The value of a game moves at every roll and at every decision. A roll's luck is by how much the best that can be done
//! after it differs from what was expected before it; a decision's loss is what it costs against the best. Nothing else
//! moves the value, so start value + luck - losses = points so far + value of what remains.

use super::advice::Ranked;
use super::history::History;
use crate::engine::game::GameTable;
use crate::rules::card_state::CardState;
use crate::rules::category::{ByCategory, Category};
use crate::rules::dice::Dice;
use crate::rules::objective::Objective;
use crate::rules::score::BoxScore;
use crate::rules::scorecard::Scorecard;

/// The review of a game.
#[derive(Clone, Debug)]
pub struct Review {
    /// The turns in their order.
    pub turns: Vec<ReviewedTurn>,
    /// The expected final score before the first roll.
    pub start_value: f64,
    /// The card after the last turn.
    pub card: Scorecard,
}

/// One turn of it.
#[derive(Clone, Debug)]
pub struct ReviewedTurn {
    /// The rolls and what was decided after each.
    pub decisions: Vec<Decision>,
    /// The box that was filled.
    pub category: Category,
    /// What it earned.
    pub score: BoxScore,
    /// All points on the card after the turn.
    pub points_so_far: u32,
    /// The expected points still to come after the turn.
    pub value_after: f64,
}

/// A roll and what was decided after it.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    /// The dice.
    pub dice: Dice,
    /// How many rolls were left.
    pub rolls_left: u8,
    /// By how much the roll changed the expected final score.
    pub luck: f64,
    /// What was done, with its worth.
    pub chosen: Ranked,
    /// Its place in the ranking, from 1.
    pub rank: usize,
    /// What was best.
    pub best: Ranked,
    /// What the dice score in the boxes of `chosen` and `best`, where these are boxes.
    pub scores: ByCategory<BoxScore>,
}

impl Review {
    /// The sum of the luck of all rolls.
    pub fn luck(&self) -> f64 {
        self.turns.iter().map(ReviewedTurn::luck).sum()
    }

    /// The sum of the losses of all decisions.
    pub fn loss(&self) -> f64 {
        self.turns.iter().map(ReviewedTurn::loss).sum()
    }

    /// The expected points still to come after the last turn.
    pub fn remaining_value(&self) -> f64 {
        self.turns.last().map_or(self.start_value, |turn| turn.value_after)
    }

    /// By how much start value + luck - losses misses points so far + value of what remains: nothing but rounding.
    pub fn difference(&self) -> f64 {
        let moved = self.start_value + self.luck() - self.loss();
        moved - (f64::from(self.card.points_so_far()) + self.remaining_value())
    }

    /// The decisions that cost the most, worst first and none that cost nothing, each with its turn and its place in it,
    /// from 0.
    pub fn worst(&self, most: usize) -> Vec<(usize, usize, &Decision)> {
        let mut costly: Vec<_> = self
            .turns
            .iter()
            .enumerate()
            .flat_map(|(turn, reviewed)| {
                reviewed.decisions.iter().enumerate().map(move |(place, decision)| (turn, place, decision))
            })
            .filter(|(_, _, decision)| decision.chosen.loss > 0.0)
            .collect();
        // A stable sort: of equals the earlier first.
        costly.sort_by(|a, b| b.2.chosen.loss.total_cmp(&a.2.chosen.loss));
        costly.truncate(most);
        costly
    }
}

impl ReviewedTurn {
    /// The sum of the luck of its rolls.
    pub fn luck(&self) -> f64 {
        self.decisions.iter().map(|decision| decision.luck).sum()
    }

    /// The sum of the losses of its decisions.
    pub fn loss(&self) -> f64 {
        self.decisions.iter().map(|decision| decision.chosen.loss).sum()
    }
}

impl GameTable {
    /// Reviews a game, which must have been checked under the rules of this table. Takes about 0.1 ms for a whole game.
    pub fn review(&self, history: &History) -> Review {
        let mut card = Scorecard::empty(self.rules());
        let turns = history.turns().iter().map(|turn| {
            let mut expected = self.value(card.state());
            let mut decisions = Vec::with_capacity(turn.rolls.len());
            for (position, action) in turn.decisions(self.rules(), &card) {
                let advice = self.advise(&position, Objective::Game);
                let best = *advice.best();
                // A history was checked, so every action of it is there.
                let (rank, chosen) = advice.find(action).map_or((1, best), |(rank, ranked)| (rank, *ranked));
                decisions.push(Decision {
                    dice: position.dice(),
                    rolls_left: position.rolls_left(),
                    luck: best.value - expected,
                    chosen,
                    rank,
                    best,
                    scores: *advice.scores(),
                });
                expected = chosen.value;
            }
            let category = turn.category;
            let nothing = BoxScore { box_points: 0, upper_bonus: 0, yahtzee_bonus: 0, illegal: None };
            // A turn has at least one roll.
            let score = decisions.last().map_or(nothing, |decision| decision.scores[category]);
            card = card.with_entry(category, score);
            let (points_so_far, value_after) = (card.points_so_far(), self.value(card.state()));
            ReviewedTurn { decisions, category, score, points_so_far, value_after }
        });
        let turns = turns.collect();
        Review { turns, start_value: self.value(CardState::default()), card }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{Action, Grade, Keep, OfAKindScores, Position, Rules, ToldTurn};

    /// A game played by whim: any action, each as likely as its rank in a shuffled list.
    fn played(rules: &Rules, table: &GameTable, seed: u64, turns: usize, whim: f64) -> Vec<ToldTurn> {
        use rand::RngExt;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut card = Scorecard::empty(rules);
        let mut told = Vec::new();
        for _ in 0..turns {
            let mut turn = ToldTurn::default();
            let mut dice = Dice::throw(&mut rng);
            let mut left = rules.rolls_per_turn.rerolls();
            loop {
                turn.rolls.push(Some(dice));
                let position = Position::new(rules, dice, left.into(), card).unwrap();
                let advice = table.advise(&position, Objective::Game);
                let any = rng.random_range(0..advice.actions().len());
                let action =
                    if rng.random_bool(whim) { advice.actions()[any].action } else { advice.best().action };
                match action {
                    Action::Reroll(keep) => {
                        turn.keeps.push(Some(keep));
                        dice = dice.reroll(keep, &mut rng);
                        left -= 1;
                    }
                    Action::Score(category) => {
                        turn.category = Some(category);
                        card = card.with_entry(category, advice.scores()[category]);
                        break;
                    }
                }
            }
            told.push(turn);
        }
        told
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn luck_and_losses_explain_all(seed: u64, turns in 1..=13usize, whim in 0.0..1.0f64, house: bool) {
            use std::sync::LazyLock;
            static TABLES: LazyLock<[GameTable; 2]> = LazyLock::new(|| {
                let house = Rules {
                    of_a_kind_scores: OfAKindScores::MatchingDice,
                    rolls_per_turn: crate::RollsPerTurn::Two,
                    ..Rules::FREE_JOKER
                };
                [Rules::OFFICIAL, house].map(|rules| GameTable::build_blocking(&rules))
            });
            let table = &TABLES[usize::from(house)];
            let told = played(table.rules(), table, seed, turns, whim);
            let history = History::new(Some(table.rules()), &told).unwrap();
            let review = table.review(&history);
            prop_assert!(review.difference().abs() < 1e-9, "{}", review.difference());
            prop_assert_eq!(review.turns.len(), turns);
            let losses = review.turns.iter().flat_map(|turn| &turn.decisions).map(|d| d.chosen.loss);
            let losses: Vec<f64> = losses.collect();
            prop_assert!(losses.iter().all(|&loss| loss >= 0.0));
            let worst = review.worst(3);
            prop_assert_eq!(worst.len(), losses.iter().filter(|&&loss| loss > 0.0).count().min(3));
            let top = losses.iter().copied().fold(0.0, f64::max);
            prop_assert!(worst.first().is_none_or(|(_, _, decision)| decision.chosen.loss == top));
            if turns == 13 {
                prop_assert_eq!(review.remaining_value(), 0.0);
            }
        }
    }

    #[test]
    fn the_best_play_costs_nothing() {
        let rules = Rules::PLAIN;
        let table = GameTable::build_blocking(&rules);
        let history = History::new(Some(&rules), &played(&rules, &table, 5, 13, 0.0)).unwrap();
        let review = table.review(&history);
        assert_eq!(review.loss(), 0.0);
        assert!(review.worst(3).is_empty());
        let decisions = review.turns.iter().flat_map(|turn| &turn.decisions);
        assert!(
            decisions.clone().all(|decision| decision.chosen.grade() == Grade::Best && decision.rank == 1)
        );
        assert!(
            decisions.clone().any(|decision| matches!(decision.chosen.action, Action::Reroll(Keep { .. })))
        );
    }
}
