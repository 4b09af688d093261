//! A bankroll session as it is asked for: a bet repeated until a target, ruin or the last round.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use super::dice::Point;
use super::fraction::{self, Fraction, fraction};
use super::net::{common_denominator, to_units};
use super::odds::OddsAmounts;
use super::wager::{SolvedWager, Wager};

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
/// use kibitz::craps::{bet::Bet, fraction::parse, session::{Session, SessionPlan, WhenShort}, wager::Wager};
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

/// The figures of a [`SessionPlan`] as far as they are known, so that all their faults can be told also where the rest
/// of the plan is missing.
///
/// ```
/// use kibitz::craps::{fraction::parse, session::SessionFigures};
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
        "too much work: {work} steps (bankrolls x rounds x outcomes), at most {} are done; lower target or max_rounds, or simulate",
        super::bankroll::MAX_WORK
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

    /// The same sentence in Chinese.
    pub fn in_chinese(&self) -> String {
        match self {
            Self::MoneyOutOfRange { field } => format!("{} 应大于 0 且不超过 {MAX_UNITS}", field.id()),
            Self::TargetNotAboveBankroll => "目标应高于本金".to_owned(),
            Self::RoundsOutOfRange => format!("max_rounds 应在 1 到 {MAX_ROUNDS} 之间"),
            Self::UnitTooSmall => {
                format!("本金、目标、注额和赔率注的公共单位不得小于目标的 1/{MAX_STATES}：请用更整的数额")
            }
            Self::TooMuchWork { work } => format!(
                "计算量过大：{work} 步（本金状态 x 轮数 x 结果数），上限 {}；请降低目标或轮数，或改用模拟",
                super::bankroll::MAX_WORK
            ),
        }
    }
}

/// More bankrolls than this are not told apart.
pub const MAX_STATES: u32 = 1 << 20;

/// A session on a ladder of evenly spaced bankrolls: every amount it can meet is `lowest + rung * spacing`.
///
/// Amounts are whole multiples of 1/d units, d their common denominator, so nothing is ever rounded; the spacing is the
/// greatest step that all nets share.
pub(crate) struct Ladder {
    pub(crate) solved: SolvedWager,
    /// The rung of the bankroll at the start.
    pub(crate) start: usize,
    /// The first rung at or above the target.
    pub(crate) target: usize,
    /// What is bet from which bankroll on, lowest first; below the first band the session is ruined.
    pub(crate) bands: Vec<Band>,
    lowest: Fraction,
    spacing: Fraction,
}

/// The bankrolls from a rung up to the next band.
pub(crate) struct Band {
    pub(crate) from: usize,
    /// For each outcome of the automaton the rungs won or lost.
    pub(crate) nets: Vec<i64>,
}

impl Ladder {
    /// Lays out a session.
    pub(crate) fn new(session: &Session) -> Result<Self, SessionError> {
        let plan = session.plan();
        let solved = plan.wager.solve();
        let bands = money_bands(plan, &solved);
        let amounts = bands.iter().flat_map(|(from, nets)| nets.iter().chain([from]));
        let scale = common_denominator(amounts.chain([&plan.bankroll, &plan.target]));
        let units = |amount: &Fraction| to_units(amount, &scale).ok_or(SessionError::UnitTooSmall);
        let mut step = 0;
        for (_, nets) in &bands {
            for net in nets {
                step = greatest_common_divisor(step, units(net)?.unsigned_abs());
            }
        }
        let step = i64::try_from(step.max(1)).map_err(|_| SessionError::UnitTooSmall)?;
        let lowest = units(&plan.bankroll)? % step;
        let rung =
            |amount: &Fraction| Ok(((units(amount)? - lowest).max(0) as u64).div_ceil(step as u64) as usize);
        let target = rung(&plan.target)?;
        if target > MAX_STATES as usize {
            return Err(SessionError::UnitTooSmall);
        }
        let bands = bands
            .iter()
            .map(|(from, nets)| {
                let nets = nets.iter().map(|net| Ok(units(net)? / step)).collect::<Result<_, _>>()?;
                Ok(Band { from: rung(from)?, nets })
            })
            .collect::<Result<_, SessionError>>()?;
        let start = rung(&plan.bankroll)?;
        let (lowest, spacing) = (fraction(lowest, scale.clone()), fraction(step, scale));
        Ok(Self { solved, start, target, bands, lowest, spacing })
    }

    /// The money on a rung.
    pub(crate) fn money(&self, rung: usize) -> Fraction {
        &self.lowest + &self.spacing * fraction(BigInt::from(rung), 1)
    }

    /// The distance between rungs.
    pub(crate) fn spacing(&self) -> &Fraction {
        &self.spacing
    }

    /// Below this rung no bet can be funded.
    pub(crate) fn ruined_below(&self) -> usize {
        self.bands.first().map_or(0, |band| band.from)
    }

    /// A bound on the expected bets of a session of at most `rounds`, by optional stopping: the drift takes the bankroll
    /// out of the ladder, and so does the scatter, whichever is sooner.
    pub(crate) fn expected_rounds_at_most(&self, rounds: u32) -> f64 {
        let probabilities: Vec<_> = self.solved.solution.probabilities.iter().map(fraction::value).collect();
        let (mut least_mean, mut most_mean, mut least_square) = (f64::MAX, f64::MIN, f64::MAX);
        for band in &self.bands {
            let (mut mean, mut square) = (0.0, 0.0);
            for (&net, probability) in band.nets.iter().zip(&probabilities) {
                mean += probability * net as f64;
                square += probability * net as f64 * net as f64;
            }
            least_mean = least_mean.min(mean);
            most_mean = most_mean.max(mean);
            least_square = least_square.min(square);
        }
        let low = self.ruined_below() as f64 - self.highest_loss() as f64;
        let high = (self.target + self.highest_gain()) as f64;
        let start = self.start as f64;
        let mut bound = f64::from(rounds);
        if most_mean < 0.0 {
            bound = bound.min((start - low) / -most_mean);
        }
        if least_mean > 0.0 {
            bound = bound.min((high - start) / least_mean);
        }
        // (bankroll - low) x (high - bankroll) falls by at least this in each round, and never below nothing.
        let fall = least_square - least_mean.abs().max(most_mean.abs()) * (high - low);
        if fall > 0.0 {
            bound = bound.min((start - low) * (high - start) / fall);
        }
        bound.max(1.0)
    }

    /// The rungs won and lost at most by one bet, together.
    pub(crate) fn span(&self) -> u64 {
        (self.highest_gain() + self.highest_loss()) as u64
    }

    /// The rungs lost at most by one bet.
    pub(crate) fn highest_loss(&self) -> usize {
        let lost = self.bands.iter().flat_map(|band| &band.nets).copied().min().unwrap_or(0).min(0);
        lost.unsigned_abs() as usize
    }

    /// The rungs won at most by one bet.
    pub(crate) fn highest_gain(&self) -> usize {
        self.bands.iter().flat_map(|band| &band.nets).copied().max().unwrap_or(0).max(0) as usize
    }
}

/// What is bet from which bankroll on: `(bankroll, net of each outcome)`.
fn money_bands(plan: &SessionPlan, solved: &SolvedWager) -> Vec<(Fraction, Vec<Fraction>)> {
    let full = solved.amounts(plan.wager.odds());
    let full_need = &plan.stake * (fraction::one() + full.largest());
    let nets =
        |amounts: &OddsAmounts| solved.nets_with(amounts).into_iter().map(|net| net * &plan.stake).collect();
    let mut bands = Vec::new();
    if !full.largest().is_zero() {
        match plan.when_short {
            WhenShort::Stop => {}
            WhenShort::NoOdds => bands.push((plan.stake.clone(), nets(&OddsAmounts(Default::default())))),
            WhenShort::Partial => {
                // With room for r whole units and no more, each point gets the lesser of r and its full odds. A
                // bankroll never stands at or above the target.
                let most = (full_need.clone().min(plan.target.clone()) - &plan.stake).ceil();
                let most = most.to_integer().to_u32().unwrap_or(0);
                for room in 0..most {
                    let whole = fraction(room, 1) / &plan.stake;
                    let amounts =
                        OddsAmounts(Point::ALL.map(|point| full.behind(point).clone().min(whole.clone())));
                    bands.push((&plan.stake + fraction(room, 1), nets(&amounts)));
                }
            }
        }
    }
    bands.push((full_need, nets(&full)));
    bands
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
