//! What players ask: advice, risks, explanations, reviews of games. It uses the engine and the rules.

pub(crate) mod advice;
pub(crate) mod ends;
pub mod explain;
pub(crate) mod history;
pub(crate) mod play;
pub(crate) mod review;
pub(crate) mod risk;
