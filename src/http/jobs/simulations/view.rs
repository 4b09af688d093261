//! Results as callers see them.

use serde::Serialize;

use crate::craps::automaton::Settlement;
use crate::craps::simulation::{
    BetResult, ChiSquared, CurvePoint, DecisionsResult, Estimate, HistogramBin, OutcomeCount, SessionsResult,
    SimulationResult,
};
use crate::jobs;
use crate::questions::{Exact, WagerView};

/// A result as text, for the store.
pub(super) fn result(result: &SimulationResult) -> Option<jobs::Json> {
    match result {
        SimulationResult::Decisions(result) => jobs::Json::of(&DecisionsView::of(result)),
        SimulationResult::Sessions(result) => jobs::Json::of(&SessionsView::of(result)),
    }
    .ok()
}

#[derive(Serialize)]
struct DecisionsView<'a> {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    wager: Option<WagerView>,
    decisions: u64,
    rolls: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<Vec<OutcomeView<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chi_squared: Option<&'a ChiSquared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bets: Option<Vec<BetView<'a>>>,
    win_rate: &'a Estimate,
    mean_net: &'a Estimate,
    rolls_per_decision: &'a Estimate,
    convergence: Vec<DecisionsPoint>,
}

impl<'a> DecisionsView<'a> {
    fn of(result: &'a DecisionsResult) -> Self {
        // The outcomes of one bet are in the result itself, those of a set with each bet.
        let alone = match &*result.bets {
            [only] => Some(only),
            _ => None,
        };
        Self {
            wager: alone.map(|only| (&only.bet.wager).into()),
            decisions: result.decisions,
            rolls: result.rolls,
            outcomes: alone.map(|bet| bet.outcomes.iter().map(OutcomeView::of).collect()),
            chi_squared: alone.and_then(|bet| bet.chi_squared.as_ref()),
            bets: alone.is_none().then(|| result.bets.iter().map(BetView::of).collect()),
            win_rate: &result.win_rate,
            mean_net: &result.mean_net,
            rolls_per_decision: &result.rolls_per_decision,
            convergence: result
                .convergence
                .iter()
                .map(|point| DecisionsPoint { decisions: point.plays, interval: point.into() })
                .collect(),
        }
    }
}

#[derive(Serialize)]
struct BetView<'a> {
    #[serde(flatten)]
    wager: WagerView,
    stake: Exact,
    outcomes: Vec<OutcomeView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chi_squared: Option<&'a ChiSquared>,
}

impl<'a> BetView<'a> {
    fn of(bet: &'a BetResult) -> Self {
        let outcomes = bet.outcomes.iter().map(OutcomeView::of).collect();
        Self {
            wager: (&bet.bet.wager).into(),
            stake: (&bet.bet.stake).into(),
            outcomes,
            chi_squared: bet.chi_squared.as_ref(),
        }
    }
}

#[derive(Serialize)]
struct OutcomeView<'a> {
    label: &'a str,
    settlement: Settlement,
    net: Exact,
    count: u64,
    observed: f64,
    exact: f64,
}

impl<'a> OutcomeView<'a> {
    fn of(outcome: &'a OutcomeCount) -> Self {
        Self {
            label: &outcome.label,
            settlement: outcome.settlement,
            net: (&outcome.net).into(),
            count: outcome.count,
            observed: outcome.observed,
            exact: outcome.probability,
        }
    }
}

#[derive(Serialize)]
struct DecisionsPoint {
    decisions: u64,
    #[serde(flatten)]
    interval: Interval,
}

#[derive(Serialize)]
struct SessionsPoint {
    sessions: u64,
    #[serde(flatten)]
    interval: Interval,
}

#[derive(Serialize)]
struct Interval {
    estimate: f64,
    confidence_95: [f64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    anytime_95: Option<[f64; 2]>,
}

impl From<&CurvePoint> for Interval {
    fn from(point: &CurvePoint) -> Self {
        let CurvePoint { estimate, confidence_95, anytime_95, .. } = *point;
        Self { estimate, confidence_95, anytime_95 }
    }
}

#[derive(Serialize)]
struct SessionsView<'a> {
    #[serde(flatten)]
    wager: WagerView,
    sessions: u64,
    rolls: u64,
    success: &'a Estimate,
    ruin: &'a Estimate,
    still_playing: &'a Estimate,
    final_bankroll: FinalBankrollView<'a>,
    rounds: &'a Estimate,
    convergence: Vec<SessionsPoint>,
}

#[derive(Serialize)]
struct FinalBankrollView<'a> {
    mean: &'a Estimate,
    standard_deviation: f64,
    quantiles: Vec<Quantile>,
    histogram: &'a [HistogramBin],
}

#[derive(Serialize)]
struct Quantile {
    percent: u8,
    bankroll: f64,
}

impl<'a> SessionsView<'a> {
    fn of(result: &'a SessionsResult) -> Self {
        let money = &result.final_bankroll;
        Self {
            wager: (&result.wager).into(),
            sessions: result.sessions,
            rolls: result.rolls,
            success: &result.success,
            ruin: &result.ruin,
            still_playing: &result.still_playing,
            final_bankroll: FinalBankrollView {
                mean: &money.mean,
                standard_deviation: money.standard_deviation,
                quantiles: money
                    .quantiles
                    .iter()
                    .map(|&(percent, bankroll)| Quantile { percent, bankroll })
                    .collect(),
                histogram: &money.histogram,
            },
            rounds: &result.rounds,
            convergence: result
                .convergence
                .iter()
                .map(|point| SessionsPoint { sessions: point.plays, interval: point.into() })
                .collect(),
        }
    }
}
