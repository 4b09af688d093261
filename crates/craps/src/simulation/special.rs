//! The few special functions that the statistics need.

/// The natural logarithm of the gamma function for positive x: Stirling's series, after the recurrence has lifted x to
/// where the series is good to the last digits (Abramowitz and Stegun 6.1.41).
pub(super) fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut lift) = (x, 0.0);
    while x < 10.0 {
        lift += x.ln();
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = (1.0 / 12.0
        - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0))))
        / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - lift
}

/// The upper regularised incomplete gamma function Q(a, x), for positive a and x from 0: the series of P below a + 1,
/// else the continued fraction of Q by Lentz's method (Abramowitz and Stegun 6.5.29 and 6.5.31).
pub(super) fn gamma_q(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * f64::EPSILON {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return (1.0 - scale * sum).max(0.0);
    }
    let tiny = f64::MIN_POSITIVE / f64::EPSILON;
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1.0 / tiny, 1.0 / b);
    let mut fraction = d;
    for i in 1..10_000 {
        let i = f64::from(i);
        let numerator = -i * (i - a);
        b += 2.0;
        d = 1.0 / nonzero(numerator * d + b, tiny);
        c = nonzero(b + numerator / c, tiny);
        let change = c * d;
        fraction *= change;
        if (change - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    scale * fraction
}

fn nonzero(value: f64, tiny: f64) -> f64 {
    if value.abs() < tiny { tiny } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(got: f64, want: f64) {
        assert!((got - want).abs() <= 1e-13 * want.abs().max(1.0), "{got} {want}");
    }

    #[test]
    fn ln_gamma_meets_factorials_and_halves() {
        let mut factorial: f64 = 1.0;
        for n in 1..30 {
            assert_close(ln_gamma(f64::from(n)), factorial.ln());
            factorial *= f64::from(n);
        }
        assert_close(ln_gamma(0.5), 0.5 * std::f64::consts::PI.ln());
        assert_close(ln_gamma(2.5), (0.75 * std::f64::consts::PI.sqrt()).ln());
    }

    /// For whole a, Q(a, x) = exp(-x) sum of x^k / k! for k below a.
    #[test]
    fn gamma_q_meets_the_poisson_sum() {
        for a in 1..40 {
            for x in [0.01, 0.5, 1.0, 3.7, 10.0, 25.0, 60.0] {
                let (mut term, mut sum) = (1.0, 0.0);
                for k in 0..a {
                    sum += term;
                    term *= x / f64::from(k + 1);
                }
                assert_close(gamma_q(f64::from(a), x), (-x).exp() * sum);
            }
        }
    }

    /// Upper percentage points of chi-squared as printed in tables (Abramowitz and Stegun 26.8).
    #[test]
    fn chi_squared_points_are_met() {
        for (degrees, point, p) in [
            (1.0, 3.841_458_82, 0.05),
            (2.0, 5.991_464_55, 0.05),
            (10.0, 23.209_251_2, 0.01),
            (30.0, 43.772_971_8, 0.05),
        ] {
            assert!(
                (gamma_q(degrees / 2.0, point / 2.0) - p).abs() < 1e-9,
                "{degrees} {}",
                gamma_q(degrees / 2.0, point / 2.0)
            );
        }
        assert_eq!(gamma_q(3.5, 0.0), 1.0);
        assert!(gamma_q(0.5, 1e6) < 1e-300);
    }
}
