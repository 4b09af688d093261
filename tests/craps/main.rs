//! Craps: the exact solver, the simulation and what is served of them. One file a behaviour.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../support/fuzz.rs"]
mod fuzz;
#[path = "../support/mod.rs"]
mod support;

mod answers;
mod defined_bets;
mod errors;
mod exact;
mod figures;
mod inverse;
mod money;
mod simulated_figures;
mod simulation;
mod simulations;
mod table_side;
