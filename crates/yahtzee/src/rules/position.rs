//! A position to be advised on.

use super::action::{Action, ImpossibleAction};
use super::dice::{DIE_COUNT, Dice};
use super::objective::Objective;
use super::rule_set::Rules;
use super::score::score;
use super::scorecard::{GameOver, Scorecard};

/// A decision: dice on the table, rolls left, and the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    dice: Dice,
    rolls_left: u8,
    card: Scorecard,
}

/// What is wrong with a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionFault {
    /// More rolls than the rules leave after the first, or fewer than none.
    #[error("rolls_left is 0 to {most} under these rules, not {found}")]
    RollsLeft {
        /// The number that was given.
        found: i64,
        /// The most that are left after the first roll of a turn.
        most: u8,
    },
    /// Nothing left to decide.
    #[error(transparent)]
    GameOver(#[from] GameOver),
}

impl PositionFault {
    /// The stable slug of this error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::RollsLeft { .. } => "rolls_left",
            Self::GameOver(over) => over.code(),
        }
    }
}

impl Position {
    /// A position under some rules; the card must have been checked under the same rules.
    ///
    /// # Errors
    /// Too many rolls left, and a full card; both where both are so.
    pub fn new(
        rules: &Rules,
        dice: Dice,
        rolls_left: i64,
        card: Scorecard,
    ) -> Result<Self, Vec<PositionFault>> {
        let most = rules.rolls_per_turn.rerolls();
        let left = u8::try_from(rolls_left).ok().filter(|left| *left <= most);
        match (left, card.unfinished()) {
            (Some(rolls_left), Ok(())) => Ok(Self { dice, rolls_left, card }),
            (left, unfinished) => {
                let rolls = left.is_none().then_some(PositionFault::RollsLeft { found: rolls_left, most });
                Err(rolls.into_iter().chain(unfinished.err().map(PositionFault::from)).collect())
            }
        }
    }

    /// A position that is known to be within a turn and to have an open box.
    pub(crate) const fn within_turn(dice: Dice, rolls_left: u8, card: Scorecard) -> Self {
        Self { dice, rolls_left, card }
    }

    /// The dice on the table.
    pub const fn dice(&self) -> Dice {
        self.dice
    }

    /// How many rolls are still allowed.
    pub const fn rolls_left(&self) -> u8 {
        self.rolls_left
    }

    /// The card.
    pub const fn card(&self) -> &Scorecard {
        &self.card
    }

    /// Whether an action is possible here, under the rules of the position and an objective.
    ///
    /// # Errors
    /// Why it is not.
    pub fn check(&self, rules: &Rules, objective: Objective, action: Action) -> Result<(), ImpossibleAction> {
        let roll = self.dice.roll();
        match action {
            Action::Reroll(keep) if keep.len() == DIE_COUNT => Err(ImpossibleAction::AllFiveKept),
            Action::Reroll(keep) if !keep.is_within(roll) => Err(ImpossibleAction::NotOnTheTable),
            Action::Reroll(_) if self.rolls_left == 0 => Err(ImpossibleAction::NoRollLeft),
            Action::Reroll(_) => Ok(()),
            Action::Score(category) => {
                match score(&objective.rules(rules), self.card.state(), roll, category).illegal {
                    Some(reason) => Err(ImpossibleAction::Box { category, reason }),
                    None => Ok(()),
                }
            }
        }
    }
}
