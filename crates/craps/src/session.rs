//! A bankroll session as it is asked for: a bet repeated until a target, ruin or the last round.

use num_traits::Signed;

use super::fraction::{Fraction, fraction};
use super::wager::Wager;

/// What a bettor does whose bankroll does not cover the flat bet and the largest full odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WhenShort {
    /// Stop: that is ruin.
    Stop,
    /// Bet on with as many whole units of odds as are left, paid at true odds; ruin below one stake.
    Partial,
    /// Bet on without odds; ruin below one stake.
    NoOdds,
}

/// A session as asked for, in units of money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionPlan {
    /// The bet and its odds.
    pub wager: Wager,
    /// The money at the start.
    pub bankroll: Fraction,
    /// The session succeeds once the bankroll is at least this.
    pub target: Fraction,
    /// The flat bet.
    pub stake: Fraction,
    /// Bets made at most; a push counts.
    pub max_rounds: u32,
    /// What happens when full odds cannot be funded.
    pub when_short: WhenShort,
}

/// A session whose figures make sense.
///
/// ```
/// use kibitz_craps::{bet::Bet, fraction::parse, session::{Session, SessionPlan, WhenShort}, wager::Wager};
/// let units = |n: &str| parse(n).unwrap();
/// let plan = SessionPlan {
///     wager: Wager::flat(Bet::PASS_LINE), bankroll: units("50"), target: units("40"), stake: units("1"),
///     max_rounds: 0, when_short: WhenShort::Stop,
/// };
/// let faults = Session::new(plan).unwrap_err();
/// assert_eq!(faults.iter().map(|fault| fault.code()).collect::<Vec<_>>(), ["target_not_above_bankroll", "rounds_out_of_range"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session(SessionPlan);

/// The largest bankroll, target and stake, in units.
pub const MAX_UNITS: u32 = 10_000;
/// The longest session.
pub const MAX_ROUNDS: u32 = 100_000;

impl Session {
    /// Checks a plan.
    ///
    /// # Errors
    /// All faults of the plan.
    pub fn new(plan: SessionPlan) -> Result<Self, Vec<SessionError>> {
        let figures = SessionFigures {
            bankroll: Some(&plan.bankroll),
            target: Some(&plan.target),
            stake: Some(&plan.stake),
            max_rounds: Some(plan.max_rounds),
        };
        let faults = figures.faults();
        if faults.is_empty() { Ok(Self(plan)) } else { Err(faults) }
    }

    /// The plan.
    pub fn plan(&self) -> &SessionPlan {
        &self.0
    }
}

/// The figures of a [`SessionPlan`] as far as they are known, so that all their faults can be listed even if the rest
/// of the plan is missing.
///
/// ```
/// use kibitz_craps::{fraction::parse, session::SessionFigures};
/// let stake = parse("-1").unwrap();
/// let figures = SessionFigures { stake: Some(&stake), max_rounds: Some(0), ..Default::default() };
/// assert_eq!(figures.faults().len(), 2);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct SessionFigures<'a> {
    /// The money at the start.
    pub bankroll: Option<&'a Fraction>,
    /// The goal.
    pub target: Option<&'a Fraction>,
    /// The flat bet.
    pub stake: Option<&'a Fraction>,
    /// Bets made at most.
    pub max_rounds: Option<u32>,
}

impl SessionFigures<'_> {
    /// All faults of the figures that are known.
    pub fn faults(&self) -> Vec<SessionError> {
        let mut faults = Vec::new();
        let money = [
            (SessionField::Bankroll, self.bankroll),
            (SessionField::Target, self.target),
            (SessionField::Stake, self.stake),
        ];
        for (field, amount) in money {
            if amount.is_some_and(|amount| !amount.is_positive() || *amount > fraction(MAX_UNITS, 1)) {
                faults.push(SessionError::MoneyOutOfRange { field });
            }
        }
        if self.target.zip(self.bankroll).is_some_and(|(target, bankroll)| target <= bankroll) {
            faults.push(SessionError::TargetNotAboveBankroll);
        }
        if self.max_rounds.is_some_and(|rounds| rounds == 0 || rounds > MAX_ROUNDS) {
            faults.push(SessionError::RoundsOutOfRange);
        }
        faults
    }
}

/// A field of a [`SessionPlan`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionField {
    /// The money at the start.
    Bankroll,
    /// The goal.
    Target,
    /// The flat bet.
    Stake,
    /// Bets made at most.
    MaxRounds,
}

impl SessionField {
    /// Its name in the interface.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Bankroll => "bankroll",
            Self::Target => "target",
            Self::Stake => "stake",
            Self::MaxRounds => "max_rounds",
        }
    }
}

/// Why a session cannot be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// An amount of money is not positive or too large.
    #[error("{} must be above 0 and at most {MAX_UNITS}", field.id())]
    MoneyOutOfRange {
        /// Which.
        field: SessionField,
    },
    /// The target is reached before the first bet.
    #[error("the target must be above the bankroll")]
    TargetNotAboveBankroll,
    /// No round, or too many.
    #[error("max_rounds must be from 1 to {MAX_ROUNDS}")]
    RoundsOutOfRange,
    /// The amounts have no small common unit.
    #[error(
        "bankroll, target, stake and odds need a common unit of at least 1/{} of the target: use rounder amounts",
        MAX_STATES
    )]
    UnitTooSmall,
    /// The exact chain is too large.
    #[error(
        "too much work: {work} steps (bankrolls x rounds x outcomes), at most {} are done; lower target or max_rounds, make the amounts rounder, or simulate",
        MAX_WORK
    )]
    TooMuchWork {
        /// The product.
        work: u64,
    },
}

impl SessionError {
    /// The field at fault.
    pub const fn field(&self) -> SessionField {
        match self {
            Self::MoneyOutOfRange { field } => *field,
            Self::TargetNotAboveBankroll | Self::UnitTooSmall => SessionField::Target,
            Self::RoundsOutOfRange | Self::TooMuchWork { .. } => SessionField::MaxRounds,
        }
    }

    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::MoneyOutOfRange { .. } => "money_out_of_range",
            Self::TargetNotAboveBankroll => "target_not_above_bankroll",
            Self::RoundsOutOfRange => "rounds_out_of_range",
            Self::UnitTooSmall => "unit_too_small",
            Self::TooMuchWork { .. } => "too_much_work",
        }
    }
}

/// Steps of the chain (bankrolls x rounds x outcomes) that are done at most; about half a second.
pub const MAX_WORK: u64 = 2_000_000_000;

/// More bankrolls than this are not told apart.
pub const MAX_STATES: u32 = 1 << 20;
