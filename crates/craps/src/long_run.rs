//! The long run: what N bets together gain, exactly (the law of large numbers at work).

mod tail;

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use super::fraction::{self, Fraction, fraction};
use super::net::{Figure, NetDistribution, common_denominator, to_units};

/// What N bets gain in all, per unit of stake (with odds: of flat bet).
#[derive(Debug, Clone, PartialEq)]
pub struct LongRun {
    /// Bets made.
    pub rounds: u64,
    /// The probability of having won more than lost.
    pub ahead: Figure,
    /// The probability of having won as much as lost.
    pub even: Figure,
    /// The probability of having lost more than won.
    pub behind: Figure,
    /// Expected net.
    pub mean: Fraction,
    /// Variance of the net.
    pub variance: Fraction,
    /// Its square root.
    pub standard_deviation: f64,
    /// For each of [`QUANTILES`], in per cent, the least net that is not passed with that probability.
    pub quantiles: Vec<(u8, Fraction)>,
}

/// The quantiles that are answered, in per cent.
pub const QUANTILES: [u8; 7] = [1, 5, 25, 50, 75, 95, 99];

/// The most bets that are asked for.
pub const MAX_ROUNDS: u64 = 1_000_000_000_000;

/// The widest distribution that is computed, in steps between possible nets: about half a second. A
/// rare tail adds a sum that is up to 1.3 times as wide.
pub const MAX_WIDTH: u64 = 40_000;

/// Up to this many bets the probabilities are fractions too, if the distribution stays within [`MAX_WIDTH`] steps.
pub const EXACT_ROUNDS: u64 = 20;

/// Probability cut at each edge of the whole sum: far below any digit of a quantile.
const NEGLIGIBLE: f64 = 1e-18;

/// Standard deviations on each side beyond which less than [`NEGLIGIBLE`] is left of a bell curve.
const REACH: f64 = 9.5;

/// A probability below this is computed again where it keeps all its digits.
const RARE: f64 = 1e-3;

/// The distribution of the net of `rounds` bets. Blocking: up to about a second.
///
/// ```
/// use kibitz_craps::{bet::Bet, long_run, wager::Wager};
/// let run = long_run::solve_blocking(&Wager::flat(Bet::PASS_LINE).net(), 20_000).unwrap();
/// assert!((run.ahead.value - 0.0223698211660136).abs() < 1e-14);
/// ```
///
/// # Errors
/// No bet, or more bets than can be followed.
pub fn solve_blocking(net: &NetDistribution, rounds: u64) -> Result<LongRun, LongRunError> {
    if rounds == 0 || rounds > MAX_ROUNDS {
        return Err(LongRunError::RoundsOutOfRange);
    }
    let steps = Steps::of(net).ok_or(LongRunError::StepTooSmall)?;
    let width = steps.span().saturating_mul(rounds);
    let (ahead, even, behind, quantiles) = if rounds <= EXACT_ROUNDS && width <= MAX_WIDTH {
        steps.exactly(net, rounds)
    } else {
        match steps.longest_run(net) {
            0 => return Err(LongRunError::StepTooSmall),
            most if rounds > most => return Err(LongRunError::TooWide { most }),
            _ => steps.in_floats(net, rounds),
        }
    };
    let count = fraction(rounds, 1);
    let variance = net.variance() * &count;
    Ok(LongRun {
        rounds,
        ahead,
        even,
        behind,
        mean: net.mean() * count,
        standard_deviation: fraction::value(&variance).sqrt(),
        variance,
        quantiles,
    })
}

/// Nets as whole steps above the lowest one: `net = lowest + steps * spacing`.
struct Steps {
    lowest: Fraction,
    spacing: Fraction,
    /// `(steps, probability)`, ascending, the first at 0.
    points: Vec<(usize, f64)>,
}

type Answer = (Figure, Figure, Figure, Vec<(u8, Fraction)>);

impl Steps {
    /// Nothing if the nets have no common step of a sensible size.
    fn of(net: &NetDistribution) -> Option<Self> {
        let scale = common_denominator(net.points().iter().map(|(net, _)| net));
        let units: Vec<i64> =
            net.points().iter().map(|(net, _)| to_units(net, &scale)).collect::<Option<_>>()?;
        let lowest = *units.first()?;
        let step = units.iter().fold(0, |step: i64, unit| step.gcd(&(unit - lowest))).max(1);
        let points = units
            .iter()
            .zip(net.points())
            .map(|(unit, (_, p))| Some((usize::try_from((unit - lowest) / step).ok()?, fraction::value(p))));
        Some(Self {
            lowest: fraction(lowest, scale.clone()),
            spacing: fraction(step, scale),
            points: points.collect::<Option<_>>()?,
        })
    }

    /// The steps between the lowest net and the highest.
    fn span(&self) -> u64 {
        self.points.last().map_or(0, |point| point.0) as u64
    }

    /// The most bets whose distribution stays within [`MAX_WIDTH`] steps.
    fn longest_run(&self, net: &NetDistribution) -> u64 {
        let span = self.span();
        if span == 0 {
            return MAX_ROUNDS;
        }
        // The single bet's own span is on top: after a cut one more bet is added.
        let room = MAX_WIDTH.saturating_sub(span) as f64;
        let deviation = fraction::value(&(net.variance() / (&self.spacing * &self.spacing))).sqrt();
        let by_deviation = (room / (2.0 * REACH * deviation)).powi(2) as u64;
        by_deviation.max(MAX_WIDTH / span).min(MAX_ROUNDS)
    }

    /// The net after `rounds` bets that is `steps` above the lowest.
    fn net(&self, rounds: u64, steps: usize) -> Fraction {
        &self.lowest * fraction(rounds, 1) + &self.spacing * fraction(steps, 1)
    }

    /// Probabilities are good to about twelve digits, also small ones.
    fn in_floats(&self, net: &NetDistribution, rounds: u64) -> Answer {
        let sum = Mass::of(&self.points, rounds);
        let cut = CutAtZero::new(self, rounds);
        let (mut ahead, mut even, mut behind, mut passed) = (0.0, 0.0, 0.0, 0.0);
        let mut quantiles = Vec::new();
        for (steps, &chance) in (sum.from..).zip(&sum.chances) {
            *cut.choose(steps, &mut behind, &mut even, &mut ahead) += chance;
            passed += chance;
            while let Some(&q) = QUANTILES.get(quantiles.len()).filter(|q| passed >= f64::from(**q) / 100.0) {
                quantiles.push((q, self.net(rounds, steps)));
            }
        }
        if ahead.min(behind) < RARE
            && let Some(tail) = tail::tail(self, net, rounds)
        {
            let other = 1.0 - tail.even - tail.beyond;
            (even, ahead, behind) = if ahead < behind {
                (tail.even, tail.beyond, other)
            } else {
                (tail.even, other, tail.beyond)
            };
        }
        (ahead.into(), even.into(), behind.into(), quantiles)
    }

    /// Bet after bet in integers over a common denominator.
    fn exactly(&self, net: &NetDistribution, rounds: u64) -> Answer {
        let common = common_denominator(net.points().iter().map(|(_, p)| p));
        let weight = |p: &Fraction| (p.numer() * (&common / p.denom())).magnitude().clone();
        let weights: Vec<(usize, BigUint)> =
            self.points.iter().zip(net.points()).map(|(point, (_, p))| (point.0, weight(p))).collect();
        let mut sum = BTreeMap::from([(0, BigUint::one())]);
        let mut power = BigInt::one();
        for _ in 0..rounds {
            let mut next = BTreeMap::new();
            for (steps, mass) in &sum {
                for (step, weight) in &weights {
                    *next.entry(steps + step).or_insert_with(BigUint::zero) += mass * weight;
                }
            }
            sum = next;
            power *= &common;
        }
        let cut = CutAtZero::new(self, rounds);
        let [mut ahead, mut even, mut behind, mut passed] = [(); 4].map(|()| BigUint::zero());
        let mut quantiles = Vec::new();
        for (&steps, mass) in &sum {
            *cut.choose(steps, &mut behind, &mut even, &mut ahead) += mass;
            passed += mass;
            while let Some(&q) =
                QUANTILES.get(quantiles.len()).filter(|q| &passed * 100u8 >= power.magnitude() * **q)
            {
                quantiles.push((q, self.net(rounds, steps)));
            }
        }
        let figure = |mass| Figure::from(fraction(mass, power.clone()));
        (figure(ahead), figure(even), figure(behind), quantiles)
    }
}

/// Which steps are behind, even and ahead after a number of bets.
struct CutAtZero {
    /// The first step that is not behind.
    from: usize,
    /// Whether that step is even.
    even: bool,
}

impl CutAtZero {
    fn new(steps: &Steps, rounds: u64) -> Self {
        let exact = -(&steps.lowest * fraction(rounds, 1)) / &steps.spacing;
        let from = exact.ceil().to_integer();
        Self {
            even: exact.is_integer(),
            from: from.to_usize().unwrap_or(if from < BigInt::zero() { 0 } else { usize::MAX }),
        }
    }

    fn choose<'a, T>(&self, steps: usize, behind: &'a mut T, even: &'a mut T, ahead: &'a mut T) -> &'a mut T {
        match steps.cmp(&self.from) {
            std::cmp::Ordering::Less => behind,
            std::cmp::Ordering::Equal if self.even => even,
            _ => ahead,
        }
    }
}

/// A distribution over steps, without its negligible ends.
struct Mass {
    from: usize,
    chances: Vec<f64>,
}

impl Mass {
    /// The sum of `rounds` bets: square and multiply, from the highest bit of `rounds`. What is cut at each step is so
    /// little that it is negligible also after all later squares.
    fn of(points: &[(usize, f64)], rounds: u64) -> Self {
        let (mut sum, mut bets) = (Self { from: 0, chances: vec![1.0] }, 0);
        for bit in (0..=rounds.ilog2()).rev() {
            bets = 2 * bets + (rounds >> bit & 1);
            let negligible = NEGLIGIBLE * bets as f64 / rounds as f64;
            sum = sum.squared().trimmed(negligible);
            if bets & 1 == 1 {
                sum = sum.with_one_more(points).trimmed(negligible);
            }
        }
        sum
    }

    /// The sum of two independent copies, by the plain convolution: all terms are positive, so every digit of a small
    /// chance is good, which a fast Fourier transform would not give.
    fn squared(&self) -> Self {
        let mut chances = vec![0.0; 2 * self.chances.len() - 1];
        for (i, &chance) in self.chances.iter().enumerate() {
            chances[2 * i] += chance * chance;
            let twice = 2.0 * chance;
            for (sum, other) in chances[2 * i + 1..].iter_mut().zip(&self.chances[i + 1..]) {
                *sum += twice * other;
            }
        }
        Self { from: 2 * self.from, chances }
    }

    fn with_one_more(&self, points: &[(usize, f64)]) -> Self {
        let span = points.last().map_or(0, |point| point.0);
        let mut chances = vec![0.0; self.chances.len() + span];
        for &(step, probability) in points {
            for (sum, chance) in chances[step..].iter_mut().zip(&self.chances) {
                *sum += probability * chance;
            }
        }
        Self { from: self.from, chances }
    }

    /// Cuts the edges and makes the sum one again, so that rounding does not grow with the number of bets.
    fn trimmed(mut self, negligible: f64) -> Self {
        let edge = |chances: &mut dyn Iterator<Item = &f64>| {
            let mut passed = 0.0;
            chances
                .take_while(|&&chance| {
                    passed += chance;
                    passed < negligible
                })
                .count()
        };
        let (low, high) = (edge(&mut self.chances.iter()), edge(&mut self.chances.iter().rev()));
        self.chances.truncate(self.chances.len() - high);
        self.chances.drain(..low);
        let total: f64 = self.chances.iter().sum();
        self.chances.iter_mut().for_each(|chance| *chance /= total);
        Self { from: self.from + low, chances: self.chances }
    }
}

/// Why a long run cannot be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LongRunError {
    /// No bet, or too many.
    #[error("rounds must be from 1 to {MAX_ROUNDS}")]
    RoundsOutOfRange,
    /// The distribution is wider than [`MAX_WIDTH`] steps.
    #[error("too much work: rounds must be at most {most} for this bet")]
    TooWide {
        /// The most rounds that this bet is followed for.
        most: u64,
    },
    /// Already a single bet's nets are more than [`MAX_WIDTH`] steps apart.
    #[error("the nets of this bet must lie within {MAX_WIDTH} of their common steps: use rounder odds")]
    StepTooSmall,
}

impl LongRunError {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::RoundsOutOfRange => "rounds_out_of_range",
            Self::TooWide { .. } => "too_much_work",
            Self::StepTooSmall => "step_too_small",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bet::Bet;
    use crate::wager::Wager;

    /// Floats after 20 bets, by squaring, against integers, bet after bet.
    #[test]
    fn floats_agree_with_integers_for_every_bet() {
        for bet in Bet::all() {
            let net = Wager::flat(bet).net();
            let steps = Steps::of(&net).unwrap();
            let (exact, float) = (steps.exactly(&net, 20), steps.in_floats(&net, 20));
            for (e, f) in [(&exact.0, &float.0), (&exact.1, &float.1), (&exact.2, &float.2)] {
                assert!((e.value - f.value).abs() < 1e-14, "{} {e:?} {f:?}", bet.id());
            }
            assert_eq!(exact.3, float.3, "{}", bet.id());
        }
    }

    #[test]
    fn a_long_run_nears_the_bell_curve() {
        let net = Wager::flat(Bet::PASS_LINE).net();
        let run = solve_blocking(&net, 100_000).unwrap();
        let z = -fraction::value(&run.mean) / run.standard_deviation;
        // P(ahead) by the normal tail at z = 4.47; the relative error of the approximation is a few per cent there.
        let tail = (-0.5 * z * z).exp() / (z * (2.0 * std::f64::consts::PI).sqrt());
        assert!(run.ahead.value > 0.0 && run.ahead.value < 1.2 * tail, "{} {tail}", run.ahead.value);
        assert!((run.ahead.value + run.even.value + run.behind.value - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_bound_is_said() {
        let net = Wager::flat(Bet::PASS_LINE).net();
        let LongRunError::TooWide { most } = solve_blocking(&net, MAX_ROUNDS).unwrap_err() else { panic!() };
        assert!(most >= 1_000_000);
        assert_eq!(solve_blocking(&net, 0), Err(LongRunError::RoundsOutOfRange));
    }

    /// Nets without a sensible common step have more sums than any memory holds, even of few bets.
    #[test]
    fn odds_that_are_not_round_are_bounded() {
        let net = |odds: &str| Wager::new(Bet::PASS_LINE, odds.parse().unwrap(), None).unwrap().net();
        let uneven = net("4:1/7,5:1/11,6:1/13,8:1/17,9:1/19,10:1/23");
        assert_eq!(solve_blocking(&uneven, 2), Err(LongRunError::StepTooSmall));
        let tiny = net("4:1,5:1,6:1,8:1,9:1,10:0.0000000000000000000000001");
        assert_eq!(solve_blocking(&tiny, 1), Err(LongRunError::StepTooSmall));
        let wide = net("27.9x");
        assert!(solve_blocking(&wide, 4).unwrap().ahead.exact.is_some());
        assert_eq!(solve_blocking(&wide, 20), Err(LongRunError::TooWide { most: 4 }));
    }
}
