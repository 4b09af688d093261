//! Craps: exact values of every bet, bankroll questions, and an honest simulation.
//!
//! Every bet is an [`automaton`] over the 36 ordered pairs of dice. One solver, [`chain`], turns any of them into exact
//! fractions; the table-driven engines of [`simulation`] play the very same automata.
//!
//! * [`bet`] the 110 bets in their [`group`]s and [`rule`] what decides them, [`odds`] and [`wager`] the odds behind a line bet, [`value`] what a bet is worth;
//! * [`dice`] the pairs and totals, [`round`] one round as a state machine, [`rolls`] how long decisions and hands last;
//! * [`net`] what one bet gains, [`long_run`] what many gain, [`session`] and [`bankroll`] target before ruin,
//!   [`kelly`] promotions;
//! * [`fraction`] exact numbers, [`mod@line`] the course of pass, come and don't bets.

pub mod automaton;
pub mod bankroll;
pub mod bet;
mod catalogue;
pub mod chain;
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
