//! Questions about Yahtzee.

pub(super) mod best_action;
pub(crate) mod distribution;
mod goal;
mod house_rules;
mod position;
pub(super) mod review;
mod rule_set;
pub(super) mod rules;
pub(super) mod score;
pub(crate) mod tables;
pub(super) mod turn;
mod win_action;
