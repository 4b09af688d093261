//! Questions about craps.

pub(super) mod bankroll;
mod definition;
pub(super) mod dice;
mod exact;
pub(super) mod inverse;
pub(super) mod kelly;
pub(super) mod long_run;
pub(super) mod odds;
pub(super) mod rolls;
pub(super) mod round;
pub(crate) mod simulation;
mod wager;

use super::extract::{Faults, GameFault, Path};
use super::{Language, Problem};
use crate::craps::bet::Bet;

pub(crate) use exact::Exact;
pub(crate) use wager::WagerView;

/// Whether a bet has this id.
pub(crate) fn is_bet(id: &str) -> bool {
    Bet::from_id(id).is_some()
}

/// The problem of a field whose fault only the domain's work could find.
fn rejection(language: Language, field: &str, fault: &impl GameFault) -> Problem {
    let mut faults = Faults::new(language);
    faults.add_fault(&Path::Field(&Path::Root, field), fault);
    Problem::invalid(faults.found)
}
