//! Yahtzee: the tables, the advice and what is served of them. One file a behaviour.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../support/fuzz.rs"]
mod fuzz;
#[path = "../support/mod.rs"]
mod support;

mod answers;
mod distribution;
mod distributions;
mod errors;
mod goals;
mod house_rules;
mod known_traps;
mod moments;
mod review;
mod risk;
mod slow_recursion;
mod start_values;
mod vectors;
mod win;
mod yatzy;
