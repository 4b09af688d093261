//! Kelly's fraction under a promotion, and where each promotion breaks even.
//!
//! No bet of the casino has a positive edge, so without a promotion the fraction is 0. J. L. Kelly, *A New
//! Interpretation of Information Rate* (1956): stake the share of the bankroll that maximises expected log growth.

use num_traits::{Signed, Zero};

use super::automaton::Settlement;
use super::fraction::{self, Fraction};
use super::net::{Figure, NetDistribution};
use super::wager::Wager;

/// What the casino gives back, as a share of the stake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Promotion {
    /// This share of every lost bet comes back.
    LossCashback(Fraction),
    /// This share of every bet made comes back, win, lose or push.
    TurnoverRebate(Fraction),
    /// Every win pays this share of the stake on top.
    WinBonus(Fraction),
}

impl Promotion {
    /// A larger bonus is rejected.
    pub const MAX_BONUS: u32 = 1000;

    /// The share as given.
    pub fn share(&self) -> &Fraction {
        match self {
            Self::LossCashback(share) | Self::TurnoverRebate(share) | Self::WinBonus(share) => share,
        }
    }

    /// Whether an outcome is paid the share.
    fn applies(&self, settlement: Settlement) -> bool {
        match self {
            Self::LossCashback(_) => settlement == Settlement::Lose,
            Self::TurnoverRebate(_) => true,
            Self::WinBonus(_) => settlement == Settlement::Win,
        }
    }

    /// A share that leaves something to lose: from 0, and below 1 where it comes back on losses.
    ///
    /// # Errors
    /// The share is out of range.
    pub fn check(&self) -> Result<(), KellyError> {
        let below = match self {
            Self::LossCashback(share) | Self::TurnoverRebate(share) => *share < fraction::one(),
            Self::WinBonus(share) => *share <= fraction::fraction(Self::MAX_BONUS, 1),
        };
        if self.share().is_negative() || !below {
            return Err(match self {
                Self::WinBonus(_) => KellyError::BonusOutOfRange,
                _ => KellyError::ShareOutOfRange,
            });
        }
        Ok(())
    }
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct KellyValue {
    /// The player's expected net per unit of flat bet under the promotion.
    pub edge: Fraction,
    /// The share of the bankroll to stake on the flat bet: 0 where the edge is not positive. It is exact where the
    /// bet has but two nets besides zero, p/a - q/b for winning b and losing a. It can pass 1 where so much comes back
    /// that a loss is smaller than the stake.
    pub kelly_fraction: Figure,
    /// The share at which the promotion makes the bet fair.
    pub break_even: Fraction,
}

/// Kelly's fraction of a bet under a promotion. The promotion counts on the flat bet; odds, if any, follow it.
///
/// ```
/// use kibitz_craps::{bet::Bet, fraction::{parse, text}, kelly::{kelly, Promotion}, wager::Wager};
/// let promotion = Promotion::LossCashback(parse("0.05").unwrap());
/// let answer = kelly(&Wager::flat(Bet::PASS_LINE), &promotion).unwrap();
/// assert_eq!(text(&answer.break_even), "7/251");
/// assert_eq!(text(&answer.kelly_fraction.exact.unwrap()), "37/3135");
/// ```
///
/// # Errors
/// The share is out of range.
pub fn kelly(wager: &Wager, promotion: &Promotion) -> Result<KellyValue, KellyError> {
    promotion.check()?;
    let solved = wager.solve();
    let outcomes = || solved.automaton.outcomes().iter().zip(&solved.solution.probabilities);
    let promoted = NetDistribution::new(outcomes().map(|(outcome, probability)| {
        let paid = promotion.applies(outcome.settlement);
        let net = if paid { &outcome.net + promotion.share() } else { outcome.net.clone() };
        (net, probability.clone())
    }));
    let applies = fraction::sum(outcomes().filter(|(o, _)| promotion.applies(o.settlement)).map(|(_, p)| p));
    Ok(KellyValue {
        edge: promoted.mean(),
        kelly_fraction: growth_optimal(&promoted),
        break_even: -solved.net(wager.odds()).mean() / applies,
    })
}

/// The stake, as a share of the bankroll, with the largest expected logarithm of growth.
fn growth_optimal(net: &NetDistribution) -> Figure {
    let edge = net.mean();
    if !edge.is_positive() {
        return Figure::from(fraction::zero());
    }
    let decided: Vec<_> = net.points().iter().filter(|(net, _)| !net.is_zero()).collect();
    if let [(loss, q), (gain, p)] = decided[..] {
        // p g / (1 + f g) + q l / (1 + f l) = 0, with l negative.
        return Figure::from(-(p * gain + q * loss) / (loss * gain * (p + q)));
    }
    let points: Vec<_> = net.points().iter().map(|(n, p)| (fraction::value(n), fraction::value(p))).collect();
    Figure::from(growth_root(&points))
}

/// The root of the growth rate's derivative, which falls from the edge at 0 to minus infinity at ruin: bisection.
fn growth_root(points: &[(f64, f64)]) -> f64 {
    let slope = |stake: f64| points.iter().map(|(net, p)| p * net / (1.0 + stake * net)).sum::<f64>();
    let worst = points.iter().map(|(net, _)| *net).fold(0.0, f64::min);
    let (mut low, mut high) = (0.0, -1.0 / worst);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return low;
        }
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
}

/// Why a promotion cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KellyError {
    /// A cashback or rebate outside of 0 to 1.
    #[error("a cashback or rebate must be from 0 to below 1: at 1 nothing can be lost")]
    ShareOutOfRange,
    /// A bonus that is negative or too large.
    #[error("a win bonus must be from 0 to {}", Promotion::MAX_BONUS)]
    BonusOutOfRange,
}

impl KellyError {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ShareOutOfRange => "share_out_of_range",
            Self::BonusOutOfRange => "bonus_out_of_range",
        }
    }
}
