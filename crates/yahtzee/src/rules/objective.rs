//! What is maximised, and which values count as equal.

use serde::{Deserialize, Serialize};

use super::rule_set::Rules;

/// Values this close are a tie. Doubles agree to 7e-14 where values are truly equal, and the
/// smallest real difference in the official game is 9.8e-8.
pub const TIE: f64 = 1e-9;

/// What is to be maximised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The expected final score of the whole game.
    #[default]
    Game,
    /// The expected best immediate box score of this turn.
    Turn,
}

impl Objective {
    /// The rules as far as they matter to it: a turn by itself knows no bonus and no joker.
    pub(crate) const fn rules(self, rules: &Rules) -> Rules {
        match self {
            Self::Game => *rules,
            Self::Turn => Rules { upper_bonus: None, yahtzee_bonus: None, joker: None, ..*rules },
        }
    }
}
