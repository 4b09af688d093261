//! Play for a target: the largest probability of reaching a score, or of beating opponents.
//!
//! What is maximised is the mean of a function of the final score that never falls, see [`payoff`]. The value of a state
//! then depends on the points as well, so each state has a row of values, one for each number of points so far.
//! [`solver`] computes the rows layer by layer from the end of the game, with the passes of the table of expected points
//! over eight neighbouring numbers of points.

pub(crate) mod advice;
mod links;
pub(crate) mod opponents;
mod payoff;
mod point_set;
mod solver;
