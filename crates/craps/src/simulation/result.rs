//! The result of a simulation: estimates beside exact values.

use serde::Serialize;

use super::expected::{Exact, ExactDecisions, Expected};
use super::statistics::{Bounded, ChiSquared, Estimate, chi_squared, mean, rolls, rolls_of_set, share};
use super::{Counts, Decisions, Kind, Sessions, Simulation, StakedWager, Tally};
use crate::automaton::Settlement;
use crate::bankroll::{self, Followed};
use crate::fraction::{self, Fraction};
use crate::long_run::QUANTILES;
use crate::wager::Wager;

/// The result so far of a running simulation, or the final one.
#[derive(Debug, Clone, PartialEq)]
pub enum SimulationResult {
    /// Of decisions.
    Decisions(Box<DecisionsResult>),
    /// Of sessions.
    Sessions(Box<SessionsResult>),
}

/// The result of decisions.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionsResult {
    /// Decisions played to their end.
    pub decisions: u64,
    /// Rolls of the dice.
    pub rolls: u64,
    /// Bet after bet its outcomes.
    pub bets: Vec<BetResult>,
    /// Share of decisions that gained something.
    pub win_rate: Estimate,
    /// Mean net of a decision, in units of the stakes.
    pub mean_net: Estimate,
    /// Mean rolls of a decision.
    pub rolls_per_decision: Estimate,
    /// Mean net after this number of decisions.
    pub convergence: Vec<CurvePoint>,
}

/// The outcomes of one bet of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct BetResult {
    /// The bet, its odds and its stake.
    pub bet: StakedWager,
    /// Its outcomes.
    pub outcomes: Vec<OutcomeCount>,
    /// The test of all of them.
    pub chi_squared: Option<ChiSquared>,
}

/// One outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeCount {
    /// Its label, as in [`Wager::automaton`].
    pub label: String,
    /// How the bet counts.
    pub settlement: Settlement,
    /// What a unit of flat bet gains, whatever the stake.
    pub net: Fraction,
    /// How often it came.
    pub count: u64,
    /// The same as a share.
    pub observed: f64,
    /// Its exact probability.
    pub probability: f64,
}

/// The result of sessions.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionsResult {
    /// The bet and its odds.
    pub wager: Wager,
    /// Sessions played to their end.
    pub sessions: u64,
    /// Rolls of the dice.
    pub rolls: u64,
    /// The target was reached.
    pub success: Estimate,
    /// The next bet could not be funded.
    pub ruin: Estimate,
    /// The rounds ran out.
    pub still_playing: Estimate,
    /// The money at the end.
    pub final_bankroll: FinalBankroll,
    /// Mean bets of a session.
    pub rounds: Estimate,
    /// Share of successes after this number of sessions.
    pub convergence: Vec<CurvePoint>,
}

/// The distribution of the money at the end of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct FinalBankroll {
    /// Its mean.
    pub mean: Estimate,
    /// Its standard deviation.
    pub standard_deviation: f64,
    /// In per cent, the least amount that is not passed with that share; beyond 2048 different amounts, one that occurred
    /// in the same narrow bin.
    pub quantiles: Vec<(u8, f64)>,
    /// At most 40 bins of equal width; the last may be narrower.
    pub histogram: Vec<HistogramBin>,
}

/// Sessions that ended with at least `from` and less than `to`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HistogramBin {
    /// The lower end.
    pub from: f64,
    /// The upper end.
    pub to: f64,
    /// Sessions.
    pub count: u64,
}

/// One point of the convergence curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Decisions or sessions so far.
    pub plays: u64,
    /// The estimate.
    pub estimate: f64,
    /// 95 % at this moment alone.
    pub confidence_95: [f64; 2],
    /// 95 % at all moments together.
    pub anytime_95: Option<[f64; 2]>,
}

impl Simulation {
    /// The result of what was tallied, nothing before the first chunk. `expected` must come from this simulation.
    pub fn result(&self, tally: &Tally, expected: &Expected) -> Option<SimulationResult> {
        if tally.total().finished == 0 {
            return None;
        }
        match (&self.kind, &expected.0) {
            (Kind::Decisions(plan), Exact::Decisions(exact)) => {
                Some(SimulationResult::Decisions(Box::new(plan.result(tally, exact))))
            }
            (Kind::Sessions(plan), Exact::Sessions(exact)) => {
                Some(SimulationResult::Sessions(Box::new(plan.result(tally, exact.as_deref()))))
            }
            _ => None,
        }
    }
}

impl Decisions {
    fn result(&self, tally: &Tally, exact: &ExactDecisions) -> DecisionsResult {
        let counts = tally.total();
        let mut cells = &counts.cells[..];
        let bets = self.bets.iter().zip(&self.outcomes).zip(&exact.probabilities).map(
            |((bet, outcomes), probabilities)| {
                let (own, rest) = cells.split_at(outcomes.len());
                cells = rest;
                let outcomes =
                    outcomes.iter().zip(own).zip(probabilities).map(|((outcome, &count), &probability)| {
                        let observed = count as f64 / counts.finished as f64;
                        OutcomeCount {
                            label: outcome.label.clone(),
                            settlement: outcome.settlement,
                            net: outcome.net.clone(),
                            count,
                            observed,
                            probability,
                        }
                    });
                BetResult {
                    bet: bet.clone(),
                    outcomes: outcomes.collect(),
                    chi_squared: chi_squared(own, probabilities),
                }
            },
        );
        let single = exact.single.as_ref();
        let mean_net = |finished, sum, squares| self.mean_net(exact, finished, sum, squares);
        DecisionsResult {
            decisions: counts.finished,
            rolls: counts.rolls,
            bets: bets.collect(),
            win_rate: share(counts.ahead, counts.finished, single.map(|single| single.win_rate)),
            mean_net: mean_net(counts.finished, counts.sum, counts.sum_of_squares),
            rolls_per_decision: match single {
                Some(single) => rolls(counts.finished, counts.rolls, &single.rolls),
                None => {
                    let law = exact.set.map(|law| (law.mean_rolls, law.rolls_variance));
                    let (rolls, squares) = (counts.rolls as f64, counts.length_squared as f64);
                    rolls_of_set(counts.finished, rolls, squares, law)
                }
            },
            convergence: tally
                .marks()
                .into_iter()
                .map(|mark| point(mark.finished, &mean_net(mark.finished, mark.sum, mark.sum_of_squares)))
                .collect(),
        }
    }

    /// The mean net of `plays` decisions, from sums in units.
    fn mean_net(&self, exact: &ExactDecisions, plays: u64, sum: i128, sum_of_squares: i128) -> Estimate {
        let unit = 1.0 / fraction::value(&Fraction::from(self.scale.clone()));
        let extremes = |extreme: fn(&[i64]) -> Option<i64>| {
            self.nets.iter().filter_map(|nets| extreme(nets)).map(|net| net as f64).sum::<f64>() * unit
        };
        let of_set = exact.set.map(|law| law.net_variance * unit * unit);
        mean(&Bounded {
            plays,
            sum: sum as f64 * unit,
            sum_of_squares: sum_of_squares as f64 * unit * unit,
            bounds: [
                extremes(|nets| nets.iter().copied().min()),
                extremes(|nets| nets.iter().copied().max()),
            ],
            centre: exact.mean_net,
            exact_mean: Some(exact.mean_net),
            exact_variance: exact.single.as_ref().map(|single| single.variance).or(of_set),
        })
    }
}

fn point(plays: u64, estimate: &Estimate) -> CurvePoint {
    CurvePoint {
        plays,
        estimate: estimate.estimate,
        confidence_95: estimate.confidence_95,
        anytime_95: estimate.anytime_95,
    }
}

impl Sessions {
    fn result(&self, tally: &Tally, exact: Option<&Followed>) -> SessionsResult {
        let counts = tally.total();
        let n = counts.finished;
        let of = |figure: fn(&Followed) -> f64| exact.map(figure);
        let success = of(|exact| exact.value.success.value);
        SessionsResult {
            wager: self.session.plan().wager.clone(),
            sessions: n,
            rolls: counts.rolls,
            success: share(counts.cells[0], n, success),
            ruin: share(counts.cells[1], n, of(|exact| exact.value.ruin.value)),
            still_playing: share(counts.cells[2], n, of(|exact| exact.value.still_playing.value)),
            final_bankroll: self.final_bankroll(counts, exact),
            rounds: mean(&Bounded {
                plays: n,
                sum: counts.rounds as f64,
                sum_of_squares: counts.length_squared as f64,
                bounds: if self.is_over_at_once() {
                    [0.0, 0.0]
                } else {
                    [1.0, self.session.plan().max_rounds.into()]
                },
                centre: self.expected_rounds_at_most,
                exact_mean: of(|exact| exact.value.expected_rounds.value),
                exact_variance: of(|exact| exact.rounds_variance),
            }),
            convergence: tally
                .marks()
                .into_iter()
                .map(|mark| point(mark.finished, &share(mark.sum as u64, mark.finished, success)))
                .collect(),
        }
    }

    /// Whether the first bet cannot be funded.
    fn is_over_at_once(&self) -> bool {
        self.grid.start < self.grid.ruined_below()
    }

    fn final_bankroll(&self, counts: &Counts, exact: Option<&Followed>) -> FinalBankroll {
        let money = |state: usize| fraction::value(&self.grid.money(state));
        let (lowest, spacing) = (money(0), fraction::value(self.grid.spacing()));
        let n = counts.finished as f64;
        let (sum, squares) = (counts.sum as f64, counts.sum_of_squares as f64);
        let mean_state = sum / n;
        let met = bankroll::met(&self.grid, self.session.plan().max_rounds);
        let bounds = if self.is_over_at_once() {
            [money(self.grid.start); 2]
        } else {
            // The last bet is made below the target.
            let highest = (met.end - 1).min(self.grid.target - 1 + self.grid.highest_gain());
            [money(met.start), money(highest)]
        };
        FinalBankroll {
            mean: mean(&Bounded {
                plays: counts.finished,
                sum: n * lowest + spacing * sum,
                sum_of_squares: n * lowest * lowest
                    + 2.0 * lowest * spacing * sum
                    + spacing * spacing * squares,
                bounds,
                centre: money(self.grid.start),
                exact_mean: exact.map(|exact| exact.value.mean_final.value),
                exact_variance: exact.map(|exact| exact.final_variance),
            }),
            standard_deviation: spacing * (squares / n - mean_state * mean_state).max(0.0).sqrt(),
            quantiles: counts
                .amounts
                .quantiles(&QUANTILES)
                .into_iter()
                .map(|(percent, state)| (percent, money(state as usize)))
                .collect(),
            histogram: self.histogram(counts, money),
        }
    }

    fn histogram(&self, counts: &Counts, money: impl Fn(usize) -> f64) -> Vec<HistogramBin> {
        let bins = self.bins.ranges().zip(&counts.cells[3..]);
        bins.map(|(states, &count)| HistogramBin { from: money(states.start), to: money(states.end), count })
            .collect()
    }
}
