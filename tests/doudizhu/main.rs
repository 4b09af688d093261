//! Dou Dizhu: the rules, the solver and what is served of them. One file a behaviour.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../support/fuzz.rs"]
mod fuzz;
#[path = "../support/mod.rs"]
mod support;

mod answers;
mod endgame_answers;
mod endgames;
mod errors;
mod exact;
mod hints;
mod judge;
mod kitty;
mod pitfalls;
mod plain_endgame;
mod plays;
mod spellings;
mod vectors;
mod wild;
