//! What can be wrong with a definition.

use super::{MOST_COLLECTED_STATES, MOST_OUTCOMES, PAYOFF_LIMIT};

/// Why a payoff cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PayoffFault {
    /// The player cannot lose more than the stake.
    #[error("a bet can lose at most its stake, -1")]
    AboveStake,
    /// A number that is too large.
    #[error("numerator and denominator must be below {PAYOFF_LIMIT}")]
    TooLarge,
}

impl PayoffFault {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::AboveStake => "loss_above_stake",
            Self::TooLarge => "payoff_too_large",
        }
    }
}

/// What is wrong with a definition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionFault {
    /// A rule leads to a state that is not there.
    #[error("there is no state `{name}`")]
    UnknownState {
        /// The index of the state.
        state: usize,
        /// The index of the rule.
        rule: usize,
        /// The name.
        name: String,
    },
    /// The rules before this one match all its rolls.
    #[error("this rule can never match: the rules before it match all its rolls")]
    NeverMatches {
        /// The index of the state.
        state: usize,
        /// The index of the rule.
        rule: usize,
    },
    /// The bet can come to a state from which no roll settles it.
    #[error("{}", match state {
        Some(state) => format!("from the state `{state}` the bet is never settled"),
        None => "the bet is never settled".to_owned(),
    })]
    NeverSettles {
        /// The name of the state, if it has one.
        state: Option<String>,
    },
    /// The bet can only be won, or not be won at all.
    #[error("a bet must be able to win and to lose, but this one never {}", if *can_win { "loses" } else { "wins" })]
    OneSided {
        /// Whether it can be won.
        can_win: bool,
    },
    /// A collection with too many states.
    #[error("a collection may come to at most {MOST_COLLECTED_STATES} states, got {found}")]
    TooManyStates {
        /// How many there are.
        found: u64,
    },
    /// Too many ways to end.
    #[error("a bet may end in at most {MOST_OUTCOMES} ways, got {found}")]
    TooManyOutcomes {
        /// How many there are.
        found: usize,
    },
}

impl DefinitionFault {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownState { .. } => "unknown_state",
            Self::NeverMatches { .. } => "rule_never_matches",
            Self::NeverSettles { .. } => "never_settles",
            Self::OneSided { .. } => "one_sided",
            Self::TooManyStates { .. } => "too_many_states",
            Self::TooManyOutcomes { .. } => "too_many_outcomes",
        }
    }
}
