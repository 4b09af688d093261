//! The far tail of the long run, by exponential tilting.

use super::{CutAtZero, Mass, Steps};
use crate::fraction::{self, Fraction, fraction};
use crate::net::NetDistribution;

/// The probability to be even, and to be on the far side of zero from the mean, each with a small relative error.
pub(super) struct Tail {
    pub(super) even: f64,
    /// Ahead where bets lose on average, else behind.
    pub(super) beyond: f64,
}

/// Bets whose probabilities are tilted by exp(tilt x net), so that on average they neither win nor lose.
///
/// The sum of the tilted bets has its centre at zero, where the plain sum has its tail, so that a cut far from the centre costs
/// no digit there. With M = E[exp(tilt x net)] for one bet, P(sum = s) = M^n exp(-tilt s) Q(sum = s), where Q is the tilted
/// probability (F. Esscher, *On the probability function in the collective theory of risk*, 1932). Nets are in steps.
struct Tilted {
    tilt: f64,
    /// ln M.
    log_scale: f64,
    points: Vec<(usize, f64)>,
}

impl Tilted {
    /// Nothing if all nets are on one side of zero or the mean is zero.
    fn new(steps: &Steps, net: &NetDistribution) -> Option<Self> {
        let in_steps = |money: &Fraction| fraction::value(&(money / &steps.spacing));
        let mean = in_steps(&net.mean());
        let nets: Vec<(f64, f64)> =
            net.points().iter().zip(&steps.points).map(|((net, _), (_, p))| (in_steps(net), *p)).collect();
        let (lowest, highest) = (nets.first()?.0, nets.last()?.0);
        if mean == 0.0 || lowest >= 0.0 || highest <= 0.0 {
            return None;
        }
        let tilt = tilt_to_zero(&nets, -mean / nets.iter().map(|(net, p)| p * net * net).sum::<f64>());
        // The linear term comes from the exact mean: rounding of what is left hardly counts, even to the power of n.
        let bend = |(net, p): &(f64, f64)| p * ((tilt * net).exp_m1() - tilt * net);
        let log_scale = (tilt * mean + nets.iter().map(bend).sum::<f64>()).ln_1p();
        let tilted = nets.iter().zip(&steps.points);
        let points =
            tilted.map(|((net, p), (step, _))| (*step, p * (tilt * net - log_scale).exp())).collect();
        Some(Self { tilt, log_scale, points })
    }
}

/// The tilt under which the mean is zero: `step` is a guess on its side of zero.
fn tilt_to_zero(nets: &[(f64, f64)], step: f64) -> f64 {
    // Rises with the tilt.
    let mean = |tilt: f64| nets.iter().map(|(net, p)| p * net * (tilt * net).exp()).sum::<f64>();
    let (mut near, mut far) = (0.0, step);
    while mean(far) * step < 0.0 {
        (near, far) = (far, 2.0 * far);
    }
    loop {
        let middle = 0.5 * (near + far);
        if middle == near || middle == far {
            return far;
        }
        if mean(middle) * step < 0.0 { near = middle } else { far = middle }
    }
}

/// The logarithm of the least tail that is computed: 1e-304, near the least double with all its digits.
const LOG_LEAST: f64 = -700.0;

/// The tail of the net of `rounds` bets, or `None` if the plain sum has no such tail.
pub(super) fn tail(steps: &Steps, net: &NetDistribution, rounds: u64) -> Option<Tail> {
    let tilted = Tilted::new(steps, net)?;
    let log_scale = tilted.log_scale * fraction::value(&fraction(rounds, 1));
    if log_scale < LOG_LEAST {
        return Some(Tail { even: 0.0, beyond: 0.0 });
    }
    let sum = Mass::of(&tilted.points, rounds);
    let cut = CutAtZero::new(steps, rounds);
    // In steps, how far the first sum that is not behind is from zero.
    let offset = fraction::value(&(steps.net(rounds, cut.from) / &steps.spacing));
    let (mut even, mut beyond) = (0.0, 0.0);
    for (at, mass) in (sum.from..).zip(&sum.chances) {
        let from_zero = offset + (at as f64 - cut.from as f64);
        if at == cut.from && cut.even {
            even = *mass;
        } else if from_zero * tilted.tilt > 0.0 {
            beyond += mass * (-tilted.tilt * from_zero).exp();
        }
    }
    let scale = log_scale.exp();
    Some(Tail { even: even * scale, beyond: beyond * scale })
}

#[cfg(test)]
mod tests {
    use super::{LOG_LEAST, Tilted};
    use crate::bet::Bet;
    use crate::fraction::value;
    use crate::long_run::{MAX_WIDTH, Mass, Steps, solve_blocking};
    use crate::odds::OddsTable;
    use crate::wager::Wager;

    fn assert_close(got: f64, want: f64, bound: f64) {
        assert!((got / want - 1.0).abs() <= bound, "{got:e} {want:e}");
    }

    /// Sums of binomial terms in 40 digits.
    #[test]
    fn a_far_tail_keeps_its_digits() {
        let any_seven = Wager::flat(Bet::from_id("any_seven").unwrap()).net();
        for (rounds, ahead, even) in [
            (8_000, 2.603_845_258_567_119e-15, 6.628_209_106_657_2e-16),
            (12_000, 5.214_164_470_541_968e-22, 1.319_519_837_270_892_7e-22),
            (100_000, 5.979_910_407_016_837e-168, 1.497_214_610_428_237e-168),
        ] {
            let run = solve_blocking(&any_seven, rounds).unwrap();
            assert_close(run.ahead.value, ahead, 1e-12);
            assert_close(run.even.value, even, 1e-12);
            assert_eq!(run.behind.value, 1.0 - even - ahead);
        }
        let pass_line = Wager::flat(Bet::PASS_LINE).net();
        for (rounds, ahead, bound) in [
            (200_000, 1.251_544_790_457_218e-10, 1e-12),
            (400_000, 1.845_497_815_007_125_5e-19, 1e-12),
            (4_000_000, 2.662_037_163_298_475_6e-176, 1e-11),
        ] {
            assert_close(solve_blocking(&pass_line, rounds).unwrap().ahead.value, ahead, bound);
        }
        assert_eq!(solve_blocking(&pass_line, 15_000_000).unwrap().ahead.value, 0.0, "1e-654 is no double");
    }

    /// The time of a question grows with the square of the width of its sums, and that width with their deviation.
    #[test]
    fn tail_of_the_widest_question_is_hardly_wider_than_its_plain_sum() {
        let variance = |points: &[(usize, f64)]| {
            let moment = |power| points.iter().map(|&(at, p)| p * (at as f64).powi(power)).sum::<f64>();
            moment(2) - moment(1).powi(2)
        };
        let mut tails = 0;
        for bet in Bet::all() {
            let net = Wager::flat(bet).net();
            let steps = Steps::of(&net).unwrap();
            let Some(tilted) = Tilted::new(&steps, &net) else { continue };
            tails += 1;
            let plain = steps.longest_run(&net) as f64;
            let rounds = plain.min(LOG_LEAST / tilted.log_scale);
            let wider = (variance(&tilted.points) * rounds / (variance(&steps.points) * plain)).sqrt();
            assert!(wider < 1.3, "{}: {wider}", bet.id());
        }
        assert!(tails > 60, "{tails}");
        // One of the widest, in full.
        let net = Wager::flat(Bet::from_id("fire_24_249_999").unwrap()).net();
        let steps = Steps::of(&net).unwrap();
        let rounds = steps.longest_run(&net);
        let tilted = Tilted::new(&steps, &net).unwrap();
        let [plain, tail] =
            [&steps.points, &tilted.points].map(|points| Mass::of(points, rounds).chances.len());
        assert!(plain as u64 <= MAX_WIDTH, "{plain}");
        assert!(10 * tail as u64 <= 13 * MAX_WIDTH, "{tail}");
    }

    /// Bet after bet, without a cut: the slow way for bets with many nets.
    #[test]
    fn a_tail_agrees_with_plain_convolution() {
        let odds = Wager::new(Bet::PASS_LINE, OddsTable::three_four_five(), None).unwrap();
        let field = Wager::flat(Bet::from_id("field_2x_2x").unwrap());
        let horn = Wager::flat(Bet::from_id("horn").unwrap());
        for (wager, rounds) in [(odds, 1_500u32), (field, 1_500), (horn, 1_200)] {
            let net = wager.net();
            let quarters = |net| (value(net) * 4.0).round() as i64;
            let points: Vec<_> = net.points().iter().map(|(net, p)| (quarters(net), value(p))).collect();
            let (lowest, highest) = (points[0].0, points[points.len() - 1].0);
            let mut sums = vec![1.0];
            for _ in 0..rounds {
                let mut next = vec![0.0; sums.len() + (highest - lowest) as usize];
                for &(net, p) in &points {
                    for (to, from) in next[(net - lowest) as usize..].iter_mut().zip(&sums) {
                        *to += p * from;
                    }
                }
                sums = next;
            }
            let zero = (-lowest * i64::from(rounds)) as usize;
            let run = solve_blocking(&net, rounds.into()).unwrap();
            let ahead = sums[zero + 1..].iter().sum::<f64>();
            assert_close(run.ahead.value, ahead, 1e-11);
            assert_close(run.even.value, sums[zero], 1e-11);
            assert_close(run.behind.value, 1.0 - ahead - sums[zero], 1e-12);
        }
    }
}
