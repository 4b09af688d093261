//! Estimates and what they are worth: standard errors, intervals, and the chi-squared test.
//!
//! There are two kinds of interval. `confidence_95` holds at one moment that was fixed beforehand: looked at a
//! hundred times while a job runs, it misses the truth at least once in more than a third of all runs. `anytime_95` is a
//! confidence sequence: with 95 % it holds the truth at *all* moments together, however often one looks and whenever
//! one stops. Both need no assumption but that rolls are independent and fair where this is said. No interval reaches
//! beyond what is possible.
//!
//! The two are found in different ways, and neither contains the other by itself: after one success in twenty plays
//! the sequence excludes a share of 0, which the normal interval does not, and plays that happen to vary little narrow
//! the sequence but not an interval from the exact variance. The sequence is therefore widened to [`both`]: a wider
//! interval misses the truth no more often.

use serde::Serialize;

use super::rolls_law::RollsLaw;
use super::special::{gamma_q, ln_gamma};

/// An estimate beside the truth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub estimate: f64,
    /// Its standard error: from the exact variance if that is known, else from the sample's.
    pub standard_error: f64,
    /// 95 % at a moment fixed beforehand.
    pub confidence_95: [f64; 2],
    /// 95 % at all moments together; contains `confidence_95`. Absent for the rolls of a set of bets, which have no known bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anytime_95: Option<[f64; 2]>,
    /// The exact value, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<f64>,
    /// (estimate - exact) / standard error; of a share the error is that of the exact share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
}

/// The two-sided 95 % point of the normal distribution.
const NORMAL_95: f64 = 1.959_963_984_540_054;
/// The probability that a confidence sequence ever misses.
const ALPHA: f64 = 0.05;

/// The share of plays with some feature: the interval of [`half_width`] if the exact share is known, else Wilson's (1927), and
/// the mixture sequence of [`share_sequence`].
pub(super) fn share(count: u64, plays: u64, exact: Option<f64>) -> Estimate {
    let n = plays as f64;
    let estimate = count as f64 / n;
    let z2 = NORMAL_95 * NORMAL_95;
    let middle = (estimate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = NORMAL_95 * (estimate * (1.0 - estimate) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
    let wilson = || [(middle - half).min(estimate), (middle + half).max(estimate)];
    let confidence_95 = exact
        .map_or_else(wilson, |p| around(estimate, half_width(plays, 1.0, Variance::Exact(p * (1.0 - p)))));
    let confidence_95 = within([0.0, 1.0], confidence_95);
    Estimate {
        estimate,
        standard_error: (estimate * (1.0 - estimate) / n).sqrt(),
        confidence_95,
        anytime_95: Some(both(confidence_95, share_sequence(count, plays))),
        exact,
        z: exact.and_then(|p| standardised(estimate - p, p * (1.0 - p) / n)),
    }
}

/// Robbins's mixture (1970): for the true share p the ratio of the counts' likelihood under a Beta(1/2, 1/2) mixture to
/// that under p is a non-negative martingale that starts at 1, so by Ville's inequality (1939) it passes 20 with at
/// most 5 %. All p for which it does not are in the interval.
fn share_sequence(count: u64, plays: u64) -> [f64; 2] {
    let (k, n) = (count as f64, plays as f64);
    let mixture = ln_gamma(k + 0.5) + ln_gamma(n - k + 0.5) - ln_gamma(n + 1.0) - std::f64::consts::PI.ln();
    let log_term = |count: f64, share: f64| if count == 0.0 { 0.0 } else { count * share.ln() };
    let inside = |p: f64| mixture - log_term(k, p) - log_term(n - k, 1.0 - p) < -ALPHA.ln();
    let peak = k / n;
    [boundary(peak, 0.0, inside), boundary(peak, 1.0, inside)]
}

/// Where `inside` ends between a point where it holds and an end where it may not: bisection.
fn boundary(holds: f64, end: f64, inside: impl Fn(f64) -> bool) -> f64 {
    let (mut holds, mut fails) = (holds, end);
    loop {
        let middle = 0.5 * (holds + fails);
        if middle == holds || middle == fails {
            return fails;
        }
        if inside(middle) { holds = middle } else { fails = middle }
    }
}

/// A summary of a bounded figure: its sums, its bounds, and its exact moments if they are known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounded {
    pub(super) plays: u64,
    pub(super) sum: f64,
    pub(super) sum_of_squares: f64,
    /// The least and the greatest value.
    pub(super) bounds: [f64; 2],
    /// A value inside the bounds that was fixed before the first play; the sequence is tightest if it is the mean.
    pub(super) centre: f64,
    pub(super) exact_mean: Option<f64>,
    pub(super) exact_variance: Option<f64>,
}

/// The variance of one play.
#[derive(Debug, Clone, Copy)]
enum Variance {
    Exact(f64),
    OfSample(f64),
}

/// Half the width of an interval for the mean d away from the truth: the largest d with d <= z sqrt((v + s d) / n).
///
/// With s = 0 that is the normal interval, to which it narrows as n grows. Few plays of a figure that is rarely large have a
/// skewed mean, which s makes up for. If v is exact, s is a third of the range, as in Bernstein's inequality (G. Bennett,
/// *Probability inequalities for the sum of independent random variables*, 1962, with z^2 / 2 as its exponent). If v is that of
/// the sample, s is the whole range: that is Wilson's upper limit of a rare event that is worth the range, of which
/// the sample may have missed all.
fn half_width(plays: u64, range: f64, variance: Variance) -> f64 {
    let (variance, skew) = match variance {
        // Nothing varies.
        Variance::Exact(0.0) => return 0.0,
        Variance::Exact(variance) => (variance, range / 3.0),
        Variance::OfSample(variance) => (variance, range),
    };
    let z2 = NORMAL_95 * NORMAL_95 / plays as f64;
    let half = 0.5 * z2 * skew;
    half + (half * half + z2 * variance).sqrt()
}

/// The mean of a bounded figure: the interval of [`half_width`], and a sequence.
///
/// The sequence is the empirical Bernstein one of Howard, Ramdas, McAuliffe and Sekhon (*Time-uniform, nonparametric,
/// nonasymptotic confidence sequences*, 2021, theorem 4): with any centre that is fixed beforehand, the deviations from the
/// mean are sub-exponential in the running sum of squared distances from the centre, with the range as scale. Nothing is
/// assumed but the bounds.
pub(super) fn mean(figure: &Bounded) -> Estimate {
    let n = figure.plays as f64;
    // Rounding must not take it out of its bounds.
    let estimate = (figure.sum / n).clamp(figure.bounds[0], figure.bounds[1]);
    let of_sample = (figure.sum_of_squares / n - estimate * estimate).max(0.0);
    let variance = figure.exact_variance.unwrap_or(of_sample);
    let known = figure.exact_variance.map_or(Variance::OfSample(of_sample), Variance::Exact);
    let range = figure.bounds[1] - figure.bounds[0];
    let spread = (figure.sum_of_squares - 2.0 * figure.centre * figure.sum
        + n * figure.centre * figure.centre)
        .max(0.0);
    let standard_error = (variance / n).sqrt();
    let half = stitched_bound(spread, range) / n;
    let confidence_95 = within(figure.bounds, around(estimate, half_width(figure.plays, range, known)));
    Estimate {
        estimate,
        standard_error,
        confidence_95,
        anytime_95: Some(both(confidence_95, within(figure.bounds, around(estimate, half)))),
        exact: figure.exact_mean,
        z: figure.exact_mean.and_then(|mean| standardised(estimate - mean, variance / n)),
    }
}

/// A bound that a process which is sub-gamma with scale `scale` passes on either side with at most 5 %, as a function
/// of its variance so far: "stitching" (Howard et al., 2021, section 3.1), in a plain form.
///
/// While the variance is between m 2^k and m 2^(k+1), with m = scale^2, the line that is tangent at their geometric
/// mean is passed with at most exp(-r), by Ville's inequality; on that stretch it stays below k1 sqrt(v r) + scale r with
/// k1 = (2^(1/4) + 2^(-1/4)) / sqrt(2). With exp(-r) = alpha / 2 / ((k + 1) (k + 2)) the probabilities of all stretches sum to
/// alpha / 2. Without any scale nothing ever moves.
fn stitched_bound(variance: f64, scale: f64) -> f64 {
    if scale == 0.0 {
        return 0.0;
    }
    let first = scale * scale;
    let variance = variance.max(first);
    let stretch = (variance / first).log2().floor();
    let r = ((stretch + 1.0) * (stretch + 2.0) / (ALPHA / 2.0)).ln();
    let k1 = (2f64.powf(0.25) + 2f64.powf(-0.25)) / 2f64.sqrt();
    k1 * (variance * r).sqrt() + scale * r
}

/// The mean rolls per decision of one bet. Rolls have no bound, but their sum less its expectation is a martingale with
/// bounded steps, one for each roll: one plus the change of the expected rolls still to come. Freedman's inequality
/// (1975) makes it sub-gamma with a third of the largest step as scale, so that this step is the range of both intervals.
/// Here fair and independent rolls are assumed, and the standard error is that of the exact law.
pub(super) fn rolls(plays: u64, rolls: u64, law: &RollsLaw) -> Estimate {
    let n = plays as f64;
    let estimate = rolls as f64 / n;
    let standard_error = (law.variance / n).sqrt();
    let half = stitched_bound(law.step_variance * rolls as f64, law.largest_step / 3.0) / n;
    let plain = half_width(plays, law.largest_step, Variance::Exact(law.variance));
    let confidence_95 = within(ROLLS, around(estimate, plain));
    Estimate {
        estimate,
        standard_error,
        confidence_95,
        anytime_95: Some(both(confidence_95, within(ROLLS, around(estimate, half)))),
        exact: Some(law.mean),
        z: standardised(estimate - law.mean, law.variance / n),
    }
}

/// The mean rolls per decision of a set of bets, whose exact mean and variance may be known: no confidence sequence.
pub(super) fn rolls_of_set(plays: u64, sum: f64, sum_of_squares: f64, exact: Option<(f64, f64)>) -> Estimate {
    let n = plays as f64;
    let estimate = sum / n;
    let of_sample = (sum_of_squares / n - estimate * estimate).max(0.0);
    let variance = exact.map_or(of_sample, |(_, variance)| variance) / n;
    let standard_error = variance.sqrt();
    let confidence_95 = within(ROLLS, around(estimate, NORMAL_95 * standard_error));
    let z = exact.and_then(|(mean, _)| standardised(estimate - mean, variance));
    Estimate {
        estimate,
        standard_error,
        confidence_95,
        anytime_95: None,
        exact: exact.map(|(mean, _)| mean),
        z,
    }
}

/// Every bet takes a roll.
const ROLLS: [f64; 2] = [1.0, f64::INFINITY];

fn around(middle: f64, half: f64) -> [f64; 2] {
    [middle - half, middle + half]
}

/// The part of an interval that is possible.
fn within([least, greatest]: [f64; 2], [low, high]: [f64; 2]) -> [f64; 2] {
    [low.clamp(least, greatest), high.clamp(least, greatest)]
}

/// The least interval that contains two which overlap.
fn both(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// A deviation over the root of its variance; 0 over 0 is 0, anything else over 0 has no answer.
fn standardised(deviation: f64, variance: f64) -> Option<f64> {
    if variance > 0.0 { Some(deviation / variance.sqrt()) } else { (deviation == 0.0).then_some(0.0) }
}

/// Pearson's chi-squared test of counts against exact probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ChiSquared {
    /// Sum of (observed - expected)^2 / expected.
    pub statistic: f64,
    /// Cells less one; outcomes that are expected fewer than five times are counted as one cell.
    pub degrees_of_freedom: u32,
    /// The probability of a statistic at least as large.
    pub p_value: f64,
}

/// The test; nothing where fewer than two cells are left.
pub(super) fn chi_squared(counts: &[u64], probabilities: &[f64]) -> Option<ChiSquared> {
    const FEWEST: f64 = 5.0;
    let plays = counts.iter().sum::<u64>() as f64;
    let mut cells: Vec<(f64, f64)> = counts
        .iter()
        .zip(probabilities)
        .map(|(&count, p)| (plays * p, count as f64))
        .filter(|cell| cell.0 > 0.0)
        .collect();
    cells.sort_by(|a, b| b.0.total_cmp(&a.0));
    while let [.., (second, into), (least, count)] = &mut cells[..]
        && *least < FEWEST
    {
        *second += *least;
        *into += *count;
        cells.pop();
    }
    let degrees_of_freedom = (cells.len() as u32).checked_sub(1).filter(|&degrees| degrees > 0)?;
    let statistic = cells.iter().map(|(expected, count)| (count - expected).powi(2) / expected).sum();
    Some(ChiSquared {
        statistic,
        degrees_of_freedom,
        p_value: gamma_q(f64::from(degrees_of_freedom) / 2.0, statistic / 2.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    /// Biased coins watched after every toss: the fixed interval misses at some moment far more often than 5 %, the
    /// sequences do not.
    #[test]
    fn a_sequence_holds_however_often_one_looks() {
        let (runs, tosses, p) = (400, 3000, 0.3);
        let mut misses = [0; 3];
        for run in 0..runs {
            let mut stream = super::super::random::stream(run, 0, 0);
            let (mut count, mut missed) = (0u64, [false; 3]);
            for n in 1..=tosses {
                let unit = (stream.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                count += u64::from(unit < p);
                let by_count = share(count, n, None);
                let sum = count as f64;
                let by_sum = mean(&Bounded {
                    plays: n,
                    sum,
                    sum_of_squares: sum,
                    bounds: [0.0, 1.0],
                    centre: 0.5,
                    exact_mean: Some(p),
                    exact_variance: None,
                });
                let intervals =
                    [by_count.confidence_95, by_count.anytime_95.unwrap(), by_sum.anytime_95.unwrap()];
                for (missed, [low, high]) in missed.iter_mut().zip(intervals) {
                    *missed |= n >= 30 && !(low..=high).contains(&p);
                }
            }
            for (misses, missed) in misses.iter_mut().zip(missed) {
                *misses += u32::from(missed);
            }
        }
        assert!(misses[0] > runs as u32 / 5, "{misses:?}: the plain interval is not valid at all times");
        assert!(misses[1] <= runs as u32 / 20 && misses[2] <= runs as u32 / 20, "{misses:?}");
    }

    #[test]
    fn a_share_of_none_or_all_has_an_interval() {
        for (count, n) in [(0, 1), (1, 1), (0, 1000), (1000, 1000)] {
            for exact in [None, Some(0.5), Some(1e-6)] {
                let estimate = share(count, n, exact);
                for [low, high] in [estimate.confidence_95, estimate.anytime_95.unwrap()] {
                    assert!(0.0 <= low && low < high && high <= 1.0, "{estimate:?}");
                    assert!(low <= estimate.estimate && estimate.estimate <= high);
                }
            }
        }
    }

    #[test]
    fn what_never_varies_is_certain() {
        let law = RollsLaw { mean: 1.0, variance: 0.0, largest_step: 0.0, step_variance: 0.0 };
        let estimate = rolls(100, 100, &law);
        assert_eq!((estimate.anytime_95, estimate.z), (Some([1.0, 1.0]), Some(0.0)));
    }

    #[test]
    fn rare_cells_are_pooled() {
        let test = chi_squared(&[90, 8, 1, 1], &[0.9, 0.08, 0.01, 0.01]).unwrap();
        assert_eq!((test.degrees_of_freedom, test.statistic), (1, 0.0));
        assert_eq!(test.p_value, 1.0);
        assert_eq!(chi_squared(&[3, 1], &[0.9, 0.1]), None);
        let test = chi_squared(&[40, 60], &[0.5, 0.5]).unwrap();
        assert!((test.statistic - 4.0).abs() < 1e-12 && (test.p_value - 0.045_500_263_9).abs() < 1e-9);
    }
}
