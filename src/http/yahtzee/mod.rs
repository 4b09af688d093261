//! Yahtzee over HTTP: a handler decodes, calls one function of the domain, and wraps its answer.

pub(super) mod best_action;
mod position;
pub(super) mod rules;
pub(super) mod score;
pub(super) mod turn;

use super::problem::{Kind, Problem};
use crate::state::AppState;
use crate::yahtzee::{Advice, GameTable, Objective, Position, Preset};

/// The table of a preset, or why there is none.
fn table(state: &AppState, preset: Preset) -> Result<&GameTable, Problem> {
    state.yahtzee.game(preset).ok_or(Problem::new(Kind::NotReady))
}

/// Advice on a position. The one-turn objective needs no table, so it is served from the first moment.
fn advise(
    state: &AppState,
    preset: Preset,
    position: &Position,
    objective: Objective,
) -> Result<Advice, Problem> {
    match objective {
        Objective::Turn => Ok(state.yahtzee.turn(preset).advise(position)),
        Objective::Game => Ok(table(state, preset)?.advise(position, objective)),
    }
}
