//! The rules: dice, boxes, house rules as data, the card, scores and positions. Expected values are elsewhere.

pub(crate) mod action;
pub(crate) mod card_state;
pub(crate) mod category;
pub(crate) mod dice;
pub(crate) mod graph;
pub(crate) mod objective;
pub(crate) mod position;
pub(crate) mod possible_points;
pub(crate) mod rule_set;
pub(crate) mod rule_values;
pub(crate) mod score;
pub(crate) mod scorecard;
pub(crate) mod sheet;
