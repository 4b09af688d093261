//! The bankroll grid: the evenly spaced bankrolls that a session can meet.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use crate::fraction::{self, Fraction, fraction};
use crate::net::{common_denominator, to_units};
use crate::odds::OddsAmounts;
use crate::session::{MAX_STATES, Session, SessionError, SessionPlan, WhenShort};
use crate::wager::SolvedWager;

/// A session on a grid of evenly spaced bankrolls: every amount it can meet is `lowest + state * spacing`.
///
/// Amounts are whole multiples of 1/d units, d their common denominator, so nothing is ever rounded; the spacing is the
/// greatest step that all nets share.
pub(crate) struct Grid {
    /// The probability of each outcome of the bet.
    pub(crate) probabilities: Vec<Fraction>,
    /// The state of the bankroll at the start.
    pub(crate) start: usize,
    /// The first state at or above the target.
    pub(crate) target: usize,
    /// The state from which on each band is bet, lowest first; below the first the session is ruined.
    pub(crate) bands: Vec<usize>,
    nets: Vec<Net<i64>>,
    lowest: Fraction,
    spacing: Fraction,
}

/// What an outcome wins or loses, in grid steps or in money.
///
/// In band n there is money for n whole units of odds, and the net is `without_odds + n * each_unit`, until the odds are
/// full. A list of nets for each band would be the same and take a thousand times the memory.
struct Net<T> {
    without_odds: T,
    each_unit: T,
    /// From this band on the odds behind this outcome are full.
    full_from: usize,
    with_full_odds: T,
}

impl Grid {
    /// Lays out a session whose wager has been solved.
    pub(crate) fn new(session: &Session, solved: &SolvedWager) -> Result<Self, SessionError> {
        let plan = session.plan();
        let full = solved.amounts(plan.wager.odds());
        let full_need = &plan.stake * (fraction::one() + full.largest());
        let short_bands = short_bands(plan, &full, &full_need);
        let nets = money_nets(plan, solved, &full, short_bands);
        let amounts = [&plan.stake, &full_need, &plan.bankroll, &plan.target];
        let scale = common_denominator(amounts.into_iter().chain(nets.iter().flat_map(Net::met)));
        let units = |amount: &Fraction| to_units(amount, &scale).ok_or(SessionError::UnitTooSmall);
        let mut step = 0u64;
        for amount in nets.iter().flat_map(Net::met) {
            step = step.gcd(&units(amount)?.unsigned_abs());
        }
        let step = i64::try_from(step.max(1)).map_err(|_| SessionError::UnitTooSmall)?;
        let lowest = units(&plan.bankroll)? % step;
        let state = |units: i64| ((units - lowest).max(0) as u64).div_ceil(step as u64) as usize;
        let target = state(units(&plan.target)?);
        if target > MAX_STATES as usize {
            return Err(SessionError::UnitTooSmall);
        }
        let mut bands = Vec::with_capacity(short_bands + 1);
        let (stake, unit) = (units(&plan.stake)?, scale.to_i64());
        for room in 0..short_bands as i64 {
            let more = unit.and_then(|unit| unit.checked_mul(room));
            let from = more.and_then(|more| stake.checked_add(more)).ok_or(SessionError::UnitTooSmall)?;
            bands.push(state(from));
        }
        bands.push(state(units(&full_need)?));
        let states = |amount: &Fraction| Ok(units(amount)? / step);
        let nets = nets.iter().map(|net| {
            Ok(Net {
                // What is not met may be no whole number of grid steps.
                without_odds: if net.full_from > 0 { states(&net.without_odds)? } else { 0 },
                each_unit: if net.full_from > 1 { states(&net.each_unit)? } else { 0 },
                full_from: net.full_from,
                with_full_odds: states(&net.with_full_odds)?,
            })
        });
        let nets = nets.collect::<Result<_, SessionError>>()?;
        let start = state(units(&plan.bankroll)?);
        let (lowest, spacing) = (fraction(lowest, scale.clone()), fraction(step, scale));
        let probabilities = solved.solution.probabilities.clone();
        Ok(Self { probabilities, start, target, bands, nets, lowest, spacing })
    }

    /// The grid steps that an outcome wins or loses in a band.
    #[inline]
    pub(crate) fn net(&self, band: usize, outcome: usize) -> i64 {
        let net = &self.nets[outcome];
        if band < net.full_from { net.without_odds + net.each_unit * band as i64 } else { net.with_full_odds }
    }

    /// The same for each outcome of the automaton.
    pub(crate) fn nets(&self, band: usize) -> impl Iterator<Item = i64> {
        (0..self.nets.len()).map(move |outcome| self.net(band, outcome))
    }

    /// The money in a state.
    pub(crate) fn money(&self, state: usize) -> Fraction {
        &self.lowest + &self.spacing * fraction(BigInt::from(state), 1)
    }

    /// The money between two neighbouring states.
    pub(crate) fn spacing(&self) -> &Fraction {
        &self.spacing
    }

    /// Below this state no bet can be funded.
    pub(crate) fn ruined_below(&self) -> usize {
        self.bands.first().copied().unwrap_or(0)
    }

    /// A bound on the expected bets of a session of at most `rounds`, by optional stopping: the drift takes the bankroll
    /// out of the grid, and so does the variance, whichever is sooner.
    pub(crate) fn expected_rounds_at_most(&self, rounds: u32) -> f64 {
        let probabilities: Vec<_> = self.probabilities.iter().map(fraction::value).collect();
        let (mut least_mean, mut most_mean, mut least_square) = (f64::MAX, f64::MIN, f64::MAX);
        for band in 0..self.bands.len() {
            let (mut mean, mut square) = (0.0, 0.0);
            for (net, probability) in self.nets(band).zip(&probabilities) {
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

    /// The grid steps won and lost at most by one bet, together.
    pub(crate) fn span(&self) -> u64 {
        (self.highest_gain() + self.highest_loss()) as u64
    }

    /// The grid steps lost at most by one bet.
    pub(crate) fn highest_loss(&self) -> usize {
        self.extremes().min().unwrap_or(0).min(0).unsigned_abs() as usize
    }

    /// The grid steps won at most by one bet.
    pub(crate) fn highest_gain(&self) -> usize {
        self.extremes().max().unwrap_or(0).max(0) as usize
    }

    /// Nets among which are the highest and the lowest: more odds move a net one way.
    fn extremes(&self) -> impl Iterator<Item = i64> {
        self.nets(0).chain(self.nets(self.bands.len() - 1))
    }
}

/// How many bands there are below the one with full odds. In the n-th, at most n whole units of odds are affordable.
fn short_bands(plan: &SessionPlan, full: &OddsAmounts, full_need: &Fraction) -> usize {
    match plan.when_short {
        _ if full.largest().is_zero() => 0,
        WhenShort::Stop => 0,
        WhenShort::NoOdds => 1,
        // A bankroll is always below the target.
        WhenShort::Partial => {
            let most = (full_need.min(&plan.target) - &plan.stake).ceil();
            most.to_integer().to_usize().unwrap_or(0)
        }
    }
}

/// The net of each outcome.
fn money_nets(
    plan: &SessionPlan,
    solved: &SolvedWager,
    full: &OddsAmounts,
    short_bands: usize,
) -> Vec<Net<Fraction>> {
    let with = |amounts: &OddsAmounts| solved.nets_with(amounts).into_iter();
    let [none, one] = [fraction::zero(), fraction::one()]
        .map(|amount| with(&OddsAmounts(std::array::from_fn(|_| amount.clone()))));
    let nets = none.zip(one).zip(with(full)).map(|((none, one), full)| {
        let each_unit = one - &none;
        let [without_odds, with_full_odds] = [none, full].map(|net| net * &plan.stake);
        // A point gets the lesser of the room and its full odds.
        let full_from = if each_unit.is_zero() {
            0
        } else {
            ((&with_full_odds - &without_odds) / &each_unit)
                .ceil()
                .to_integer()
                .to_usize()
                .unwrap_or(usize::MAX)
        };
        Net { without_odds, each_unit, full_from: full_from.min(short_bands), with_full_odds }
    });
    nets.collect()
}

impl Net<Fraction> {
    /// The amounts of which every net of a band is made.
    fn met(&self) -> impl Iterator<Item = &Fraction> {
        let without_odds = (self.full_from > 0).then_some(&self.without_odds);
        let each_unit = (self.full_from > 1).then_some(&self.each_unit);
        [Some(&self.with_full_odds), without_odds, each_unit].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bet::Bet;
    use crate::fraction::parse;
    use crate::odds::OddsTable;
    use crate::wager::Wager;
    use proptest::prelude::*;

    /// What is bet from which bankroll on, one list of nets in money for each band.
    fn by_hand(plan: &SessionPlan, solved: &SolvedWager) -> Vec<(Fraction, Vec<Fraction>)> {
        let full = solved.amounts(plan.wager.odds());
        let need = &plan.stake * (fraction::one() + full.largest());
        let nets = |amounts: &OddsAmounts| -> Vec<_> {
            solved.nets_with(amounts).into_iter().map(|net| net * &plan.stake).collect()
        };
        let mut bands = Vec::new();
        let mut from = plan.stake.clone();
        let is_short = |from: &Fraction| match plan.when_short {
            WhenShort::Stop => false,
            WhenShort::NoOdds => *from == plan.stake && *from < need,
            WhenShort::Partial => *from < need && *from < plan.target,
        };
        while is_short(&from) {
            let room = (&from - &plan.stake) / &plan.stake;
            bands.push((from.clone(), nets(&OddsAmounts(full.0.clone().map(|most| most.min(room.clone()))))));
            from += fraction::one();
        }
        bands.push((need, nets(&full)));
        bands
    }

    fn laid_out(plan: SessionPlan) -> (Grid, Vec<(Fraction, Vec<Fraction>)>) {
        let solved = plan.wager.solve();
        let bands = by_hand(&plan, &solved);
        (Grid::new(&Session::new(plan).unwrap(), &solved).unwrap(), bands)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn bands_are_as_by_hand(
            bet in prop::sample::select(vec!["pass_line", "dont_pass", "come", "dont_come", "place_6"]),
            multiples in prop::array::uniform6((0i64..40, 1i64..4)),
            stake in prop::sample::select(vec!["1", "5", "1/2", "0.3", "7/3"]),
            target in 6u32..80,
            when_short in prop::sample::select(vec![WhenShort::Stop, WhenShort::Partial, WhenShort::NoOdds]),
        ) {
            let bet = Bet::from_id(bet).unwrap();
            let odds = OddsTable::new(multiples.map(|(n, d)| fraction(n, d))).unwrap();
            let wager = if bet.line().is_some() { Wager::new(bet, odds, None).unwrap() } else { Wager::flat(bet) };
            let (bankroll, target) = (fraction(target, 2), fraction(target, 1));
            let plan = SessionPlan { wager, bankroll, target, stake: parse(stake).unwrap(), max_rounds: 9, when_short };
            let (grid, bands) = laid_out(plan);
            prop_assert_eq!(grid.bands.len(), bands.len());
            let (mut step, mut highest, mut lowest) = (0u64, 0, 0);
            for (band, (from, nets)) in bands.iter().enumerate() {
                let state = grid.bands[band];
                prop_assert!(grid.money(state) >= *from && (state == 0 || grid.money(state - 1) < *from));
                let in_money: Vec<_> =
                    grid.nets(band).map(|net| grid.spacing() * fraction(net, 1)).collect();
                prop_assert_eq!(&in_money, nets);
                for net in grid.nets(band) {
                    step = step.gcd(&net.unsigned_abs());
                    (lowest, highest) = (lowest.min(net), highest.max(net));
                }
            }
            prop_assert_eq!(step, 1, "states are as far apart as they can be");
            prop_assert_eq!((grid.highest_loss(), grid.highest_gain()), (-lowest as usize, highest as usize));
        }
    }
}
