#![doc = include_str!("../README.md")]

pub mod automaton;
pub mod bankroll;
pub mod bet;
mod catalogue;
pub mod chain;
pub mod definition;
pub mod dice;
pub mod fraction;
pub mod group;
pub mod kelly;
pub mod line;
pub mod long_run;
pub mod net;
pub mod odds;
pub mod rolls;
pub mod round;
pub mod rule;
pub mod session;
pub mod simulation;
pub mod value;
pub mod wager;
