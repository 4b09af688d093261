//! Craps over HTTP: a handler decodes, calls one function of the domain, and wraps its answer.

pub(super) mod bankroll;
pub(super) mod dice;
mod exact;
pub(super) mod kelly;
pub(super) mod long_run;
pub(super) mod odds;
pub(super) mod rolls;
pub(super) mod round;
pub(super) mod simulations;
mod wager;

use super::extract::{Faults, Path};
use super::language::Language;
use super::problem::Problem;

/// The problem of a field whose fault only the domain's work could find.
fn refusal(language: Language, field: &str, code: &'static str, english: &str, chinese: &str) -> Problem {
    let mut faults = Faults::new(language);
    faults.add_clause(&Path::Field(&Path::Root, field), code, english, chinese);
    Problem::invalid(faults.found)
}
