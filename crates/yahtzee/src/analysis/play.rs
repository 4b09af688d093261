//! Turns and games played out: seeded dice, the best action every time.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::advice::Advice;
use crate::engine::game::GameTable;
use crate::engine::turn::TurnTable;
use crate::rules::action::Action;
use crate::rules::category::Category;
use crate::rules::dice::Dice;
use crate::rules::objective::Objective;
use crate::rules::position::Position;
use crate::rules::rule_set::Rules;
use crate::rules::score::BoxScore;
use crate::rules::scorecard::{GameOver, Scorecard};

/// One turn played out.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedTurn {
    /// The throws in order, one to three, each with what was done with it; the last is scored.
    pub throws: Vec<Throw>,
    /// The box that was filled.
    pub category: Category,
    /// What it earned.
    pub score: BoxScore,
}

/// A throw and the decision after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Throw {
    /// The dice, in the order in which they lie on the table.
    pub dice: Dice,
    /// How many rolls were left.
    pub rolls_left: u8,
    /// The best action.
    pub action: Action,
    /// What it is worth, see [`crate::Ranked::value`].
    pub value: f64,
}

impl GameTable {
    /// Plays one turn with the best actions; the dice come from `ChaCha8Rng::seed_from_u64(seed)`,
    /// one draw for each die thrown, in the order of the table.
    ///
    /// # Errors
    /// A full card.
    pub fn play_turn(
        &self,
        card: &Scorecard,
        objective: Objective,
        seed: u64,
    ) -> Result<PlayedTurn, GameOver> {
        self.play_turn_with(card, objective, &mut ChaCha8Rng::seed_from_u64(seed))
    }

    /// Plays one turn with the best actions and any dice.
    ///
    /// # Errors
    /// A full card.
    pub fn play_turn_with(
        &self,
        card: &Scorecard,
        objective: Objective,
        rng: &mut impl rand::Rng,
    ) -> Result<PlayedTurn, GameOver> {
        play(self.rules(), card, rng, |position| self.advise(position, objective))
    }

    /// Plays a whole game with the best actions and returns the finished card.
    pub fn play_game_with(&self, rng: &mut impl rand::Rng) -> Scorecard {
        let mut card = Scorecard::empty(self.rules());
        while let Ok(turn) = self.play_turn_with(&card, Objective::Game, rng) {
            card = card.with_entry(turn.category, turn.score);
        }
        card
    }
}

impl TurnTable {
    /// Plays one turn with the best actions of the one-turn objective; dice as in [`GameTable::play_turn`].
    ///
    /// # Errors
    /// A full card.
    pub fn play_turn(&self, card: &Scorecard, seed: u64) -> Result<PlayedTurn, GameOver> {
        play(&self.rules, card, &mut ChaCha8Rng::seed_from_u64(seed), |position| self.advise(position))
    }
}

fn play(
    rules: &Rules,
    card: &Scorecard,
    rng: &mut impl rand::Rng,
    advise: impl Fn(&Position) -> Advice,
) -> Result<PlayedTurn, GameOver> {
    card.unfinished()?;
    let mut throws = Vec::with_capacity(3);
    let mut dice = Dice::throw(rng);
    let mut rolls_left = rules.rolls_per_turn.rerolls();
    loop {
        let advice = advise(&Position::within_turn(dice, rolls_left, *card));
        let best = advice.best();
        throws.push(Throw { dice, rolls_left, action: best.action, value: best.value });
        match best.action {
            Action::Score(category) => {
                let score = advice.scores()[category];
                return Ok(PlayedTurn { throws, category, score });
            }
            Action::Reroll(keep) => dice = dice.reroll(keep, rng),
        }
        rolls_left -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_one_turn() {
        let table = GameTable::build_blocking(&Rules::PLAIN);
        let card = Scorecard::empty(&Rules::PLAIN);
        let turn = table.play_turn(&card, Objective::Turn, 42).unwrap();
        assert_eq!(turn, table.play_turn(&card, Objective::Turn, 42).unwrap());
        assert_eq!(turn, TurnTable::new(&Rules::PLAIN).play_turn(&card, 42).unwrap());
        assert_eq!(turn.throws[0].rolls_left, 2);
        for pair in turn.throws.windows(2) {
            let Action::Reroll(keep) = pair[0].action else { panic!("only the last throw is scored") };
            assert!(keep.is_within(pair[1].dice.roll()));
            let mask = pair[0].dice.keep_mask(keep).unwrap();
            let stays = |i: usize| !mask[i] || pair[0].dice.faces()[i] == pair[1].dice.faces()[i];
            assert!((0..5).all(stays), "kept dice keep their positions");
        }
        let game = table.play_game_with(&mut ChaCha8Rng::seed_from_u64(1));
        assert_eq!(game.unfinished(), Err(GameOver));
        assert_eq!(table.play_turn(&game, Objective::Game, 1), Err(GameOver));
    }

    /// The mean of many optimal games against the exact value, within four standard errors.
    #[test]
    fn the_mean_of_optimal_games_is_the_exact_value() {
        let table = GameTable::build_blocking(&Rules::OFFICIAL);
        let mut rng = ChaCha8Rng::seed_from_u64(20_260_101);
        let games = 20_000;
        let scores: Vec<f64> =
            (0..games).map(|_| f64::from(table.play_game_with(&mut rng).points_so_far())).collect();
        let mean = scores.iter().sum::<f64>() / f64::from(games);
        let variance = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / f64::from(games - 1);
        let error = (variance / f64::from(games)).sqrt();
        assert!((mean - table.expected_final()).abs() < 4.0 * error, "mean {mean}, error {error}");
    }
}
