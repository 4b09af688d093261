//! The solver: the value of every state under optimal play, second moments and distributions. It knows the rules alone.

pub(crate) mod distribution;
pub(crate) mod entries;
pub(crate) mod game;
pub(crate) mod lanes;
pub(crate) mod moments;
pub(crate) mod outcomes;
pub(crate) mod reached;
#[cfg(test)]
mod small_sheets;
pub(crate) mod states;
pub(crate) mod transitions;
pub(crate) mod turn;
