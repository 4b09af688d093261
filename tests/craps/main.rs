//! Craps: the exact solver, the simulation and what is served of them. One file a behaviour.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../support/mod.rs"]
mod support;

mod answers;
mod errors;
mod exact;
mod money;
mod simulation;
mod simulations;
