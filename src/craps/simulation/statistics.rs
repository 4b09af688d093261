//! Estimates and what they are worth: standard errors, intervals, and the chi-squared test.
//!
//! Two kinds of interval stand side by side. `confidence_95` holds at one moment that was fixed beforehand: looked at a
//! hundred times while a job runs, it misses the truth at least once in more than a third of all runs. `anytime_95` is a
//! confidence sequence: with 95 % it holds the truth at *all* moments together, however often one looks and whenever
//! one stops. Both need no assumption but that rolls are independent and fair where this is said.

use serde::Serialize;

use super::rolls_law::RollsLaw;
use super::special::{gamma_q, ln_gamma};

/// An estimate beside the truth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub estimate: f64,
    /// Its standard error: from the exact variance where that is known, or few plays would seem certain.
    pub standard_error: f64,
    /// 95 % at a moment fixed beforehand.
    pub confidence_95: [f64; 2],
    /// 95 % at all moments together. Absent for the rolls of a set of bets, which have no known bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anytime_95: Option<[f64; 2]>,
    /// The exact value, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<f64>,
    /// (estimate - exact) / standard error; of a share the error is that of the exact share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
}

/// The two-sided 95 % point of the normal distribution.
const NORMAL_95: f64 = 1.959_963_984_540_054;
/// The chance that a confidence sequence ever misses.
const ALPHA: f64 = 0.05;

/// The share of plays with some feature: Wilson's interval (1927), and the mixture sequence of [`share_sequence`].
pub(super) fn share(count: u64, plays: u64, exact: Option<f64>) -> Estimate {
    let n = plays as f64;
    let estimate = count as f64 / n;
    let z2 = NORMAL_95 * NORMAL_95;
    let middle = (estimate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = NORMAL_95 * (estimate * (1.0 - estimate) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
    Estimate {
        estimate,
        standard_error: (estimate * (1.0 - estimate) / n).sqrt(),
        confidence_95: [(middle - half).clamp(0.0, estimate), (middle + half).clamp(estimate, 1.0)],
        anytime_95: Some(share_sequence(count, plays)),
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

/// What is summed up of a bounded figure: its sums, its bounds, and its exact moments where they are known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounded {
    pub(super) plays: u64,
    pub(super) sum: f64,
    pub(super) sum_of_squares: f64,
    pub(super) range: f64,
    /// A value inside the bounds that was fixed before the first play; the sequence is tightest where it is the mean.
    pub(super) centre: f64,
    pub(super) exact_mean: Option<f64>,
    pub(super) exact_variance: Option<f64>,
}

/// The mean of a bounded figure.
///
/// The sequence is the empirical Bernstein one of Howard, Ramdas, McAuliffe and Sekhon (*Time-uniform, nonparametric,
/// nonasymptotic confidence sequences*, 2021, theorem 4): with any centre that is fixed beforehand, the deviations from the
/// mean are sub-exponential in the running sum of squared distances from the centre, with the range as scale. Nothing is
/// assumed but the bounds.
pub(super) fn mean(figure: &Bounded) -> Estimate {
    let n = figure.plays as f64;
    let estimate = figure.sum / n;
    let variance =
        figure.exact_variance.unwrap_or((figure.sum_of_squares / n - estimate * estimate).max(0.0));
    let spread = (figure.sum_of_squares - 2.0 * figure.centre * figure.sum
        + n * figure.centre * figure.centre)
        .max(0.0);
    let standard_error = (variance / n).sqrt();
    let half = stitched_bound(spread, figure.range) / n;
    Estimate {
        estimate,
        standard_error,
        confidence_95: around(estimate, NORMAL_95 * standard_error),
        anytime_95: Some(around(estimate, half)),
        exact: figure.exact_mean,
        z: figure.exact_mean.and_then(|mean| standardised(estimate - mean, variance / n)),
    }
}

/// A bound that a process which is sub-gamma with scale `scale` passes on either side with at most 5 %, as a function
/// of its variance so far: "stitching" (Howard et al., 2021, section 3.1), in a plain form.
///
/// While the variance is between m 2^k and m 2^(k+1), with m = scale^2, the line that is tangent at their geometric
/// mean is passed with at most exp(-r), by Ville's inequality; on that stretch it stays below k1 sqrt(v r) + scale r with
/// k1 = (2^(1/4) + 2^(-1/4)) / sqrt(2). With exp(-r) = alpha / 2 / ((k + 1) (k + 2)) the chances of all stretches sum to
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
/// (1975) makes it sub-gamma with a third of the largest step as scale. Here fair and independent rolls are assumed,
/// and the standard error is that of the exact law.
pub(super) fn rolls(plays: u64, rolls: u64, law: &RollsLaw) -> Estimate {
    let n = plays as f64;
    let estimate = rolls as f64 / n;
    let standard_error = (law.variance / n).sqrt();
    let half = stitched_bound(law.step_variance * rolls as f64, law.largest_step / 3.0) / n;
    Estimate {
        estimate,
        standard_error,
        confidence_95: around(estimate, NORMAL_95 * standard_error),
        anytime_95: Some(around(estimate, half)),
        exact: Some(law.mean),
        z: standardised(estimate - law.mean, law.variance / n),
    }
}

/// A mean without bounds: no confidence sequence.
pub(super) fn unbounded_mean(plays: u64, sum: f64, sum_of_squares: f64) -> Estimate {
    let n = plays as f64;
    let estimate = sum / n;
    let standard_error = ((sum_of_squares / n - estimate * estimate).max(0.0) / n).sqrt();
    let confidence_95 = around(estimate, NORMAL_95 * standard_error);
    Estimate { estimate, standard_error, confidence_95, anytime_95: None, exact: None, z: None }
}

fn around(middle: f64, half: f64) -> [f64; 2] {
    [middle - half, middle + half]
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
    /// The chance of a statistic at least as large.
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

    /// Biased coins watched after every toss: the fixed interval misses at some moment far more often than 5 %, the
    /// sequences do not.
    #[test]
    fn a_sequence_holds_however_often_one_looks() {
        let (runs, tosses, p) = (400, 3000, 0.3);
        let mut misses = [0; 3];
        for run in 0..runs {
            let mut stream = super::super::random::stream_state(run, 0, 0);
            let (mut count, mut missed) = (0u64, [false; 3]);
            for n in 1..=tosses {
                let unit = (super::super::random::next_word(&mut stream) >> 11) as f64 / (1u64 << 53) as f64;
                count += u64::from(unit < p);
                let by_count = share(count, n, Some(p));
                let (sum, range) = (count as f64, 1.0);
                let by_sum = mean(&Bounded {
                    plays: n,
                    sum,
                    sum_of_squares: sum,
                    range,
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
            let estimate = share(count, n, None);
            for [low, high] in [estimate.confidence_95, estimate.anytime_95.unwrap()] {
                assert!(0.0 <= low && low < high && high <= 1.0, "{estimate:?}");
                assert!(low <= estimate.estimate && estimate.estimate <= high);
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
