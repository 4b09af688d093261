//! Yahtzee over HTTP: a handler decodes, calls one function of the domain, and wraps its answer.

pub(super) mod best_action;
pub(super) mod distribution;
mod house_rules;
mod position;
pub(super) mod review;
mod rule_set;
pub(super) mod rules;
pub(super) mod score;
pub(super) mod tables;
pub(super) mod turn;
