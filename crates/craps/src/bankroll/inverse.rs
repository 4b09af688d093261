//! The bankroll that is needed: the least one that lasts for a number of rounds with a given probability.

use num_traits::{One, ToPrimitive};
use thiserror::Error;

use super::grid::Grid;
use super::merged::Merged;
use super::solve_blocking;
use crate::fraction::{self, Fraction, fraction};
use crate::net::Figure;
use crate::odds::OddsAmounts;
use crate::session::{MAX_UNITS, MAX_WORK, Session, SessionPlan, WhenShort};
use crate::wager::Wager;

/// Probabilities that are as close as this count as equal, so that rounding does not decide.
const TIE: f64 = 1e-12;

/// The most classes of whole amounts that need a grid each.
const MAX_CLASSES: u32 = 1_000;

/// What is asked: a bet that is made round after round, and how surely the money must last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InverseQuestion {
    /// The bet with its odds.
    pub wager: Wager,
    /// The flat bet, in units.
    pub stake: Fraction,
    /// What happens if full odds cannot be funded.
    pub when_short: WhenShort,
    /// Bets to be made, from 1.
    pub rounds: u32,
    /// The probability with which the bankroll must last, between 0 and 1, both excluded.
    pub survival: Fraction,
}

/// The bankroll that is needed, in whole units.
#[derive(Debug, Clone, PartialEq)]
pub struct InverseValue {
    /// The least bankroll from which on every bankroll survives with the probability that is asked for.
    pub bankroll: u32,
    /// The probability that it survives.
    pub survival: Figure,
    /// The same of a bankroll of one unit less.
    pub one_less: Figure,
    /// The least bankroll that survives with that probability at all. A larger one may not: with more money more odds are
    /// bet.
    pub least: u32,
    /// Whether more money never survives less often.
    pub monotone: bool,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InverseFault {
    /// The bankroll that lasts for certain is too large.
    #[error(
        "a bankroll that lasts for certain would be above {MAX_UNITS} units; ask for fewer rounds, lower odds or a lower stake"
    )]
    BankrollTooLarge,
    /// The amounts have no small common unit.
    #[error("stake and odds have too small a common unit: use rounder amounts")]
    UnitTooSmall,
    /// The chain is too large.
    #[error(
        "too much work: {work} steps (bankrolls x rounds x outcomes), at most {MAX_WORK} are done; ask for fewer rounds"
    )]
    TooMuchWork {
        /// The product.
        work: u64,
    },
}

impl InverseFault {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::BankrollTooLarge => "bankroll_too_large",
            Self::UnitTooSmall => "unit_too_small",
            Self::TooMuchWork { .. } => "too_much_work",
        }
    }
}

/// Finds the bankroll. Blocking: up to about a second.
///
/// A bankroll survives if the flat bet can be funded before every round and after the last one. All bankrolls are followed
/// at once, backwards from the last round.
///
/// ```
/// use kibitz_craps::bankroll::{InverseQuestion, inverse_blocking};
/// use kibitz_craps::{bet::Bet, fraction::parse, session::WhenShort, wager::Wager};
/// let answer = inverse_blocking(&InverseQuestion {
///     wager: Wager::flat(Bet::PASS_LINE), stake: parse("1").unwrap(), when_short: WhenShort::Stop,
///     rounds: 100, survival: parse("0.95").unwrap(),
/// }).unwrap();
/// assert_eq!(answer.bankroll, 21);
/// assert!(answer.monotone);
/// ```
///
/// # Errors
/// The bankroll would be too large, the amounts have no common unit, or the work would pass [`MAX_WORK`].
pub fn inverse_blocking(question: &InverseQuestion) -> Result<InverseValue, InverseFault> {
    let (survival, certain) = survival_of_whole_units(question)?;
    let wanted = fraction::value(&question.survival) - TIE;
    let fails = |bankroll: &u32| survival[*bankroll as usize] < wanted;
    let least = (1..=certain).find(|bankroll| !fails(bankroll)).unwrap_or(certain);
    let bankroll = (1..=certain).rev().find(fails).map_or(1, |last| last + 1);
    let exactly = |bankroll: u32| exact_survival(question, bankroll, certain, survival[bankroll as usize]);
    Ok(InverseValue {
        bankroll,
        survival: exactly(bankroll),
        one_less: if bankroll > 1 { exactly(bankroll - 1) } else { Figure::from(0.0) },
        least,
        monotone: survival.windows(2).all(|pair| pair[1] >= pair[0] - TIE),
    })
}

/// The probability that each bankroll of whole units survives, from 0, up to the first that does so for certain, and that
/// bankroll.
fn survival_of_whole_units(question: &InverseQuestion) -> Result<(Vec<f64>, u32), InverseFault> {
    let solved = question.wager.solve();
    let full = solved.amounts(question.wager.odds());
    let need = &question.stake * (fraction::one() + full.largest());
    let none = OddsAmounts([(); 6].map(|()| fraction::zero()));
    let nets = solved.nets_with(&full).into_iter().chain(solved.nets_with(&none));
    let loss = -nets.min().unwrap_or_else(fraction::zero).min(fraction::zero()) * &question.stake;
    let certain = (need + loss * fraction(question.rounds, 1)).ceil().to_integer().to_u32();
    let certain = certain.filter(|certain| *certain < MAX_UNITS).ok_or(InverseFault::BankrollTooLarge)?;
    let lay_out = |bankroll: u32| {
        let session = question.session(bankroll, certain).ok_or(InverseFault::BankrollTooLarge)?;
        Grid::new(&session, &solved).map_err(|_| InverseFault::UnitTooSmall)
    };
    let first = lay_out(1)?;
    // Whole units fall into classes, each on a grid of its own.
    let classes = first.spacing().numer().to_u32().filter(|classes| *classes <= MAX_CLASSES);
    let classes = classes.ok_or(InverseFault::UnitTooSmall)?.min(certain);
    let moves = 2 * first.probabilities.len() as u64;
    let states = first.target as u64 * u64::from(classes);
    let work = states.saturating_mul(question.rounds.into()).saturating_mul(moves);
    if work > MAX_WORK {
        return Err(InverseFault::TooMuchWork { work });
    }
    let mut survival = vec![0.0; certain as usize + 1];
    for class in 1..=classes {
        let grid = lay_out(class)?;
        let states = backwards(&grid, question.rounds);
        for bankroll in (class..=certain).step_by(classes as usize) {
            let state = ((fraction(bankroll, 1) - grid.money(0)) / grid.spacing()).to_integer();
            let state = state.to_usize().and_then(|state| states.get(state));
            survival[bankroll as usize] = state.copied().unwrap_or(1.0);
        }
    }
    Ok((survival, certain))
}

impl InverseQuestion {
    /// A session that ends with success as soon as the money lasts for certain, if there is one.
    fn session(&self, bankroll: u32, certain: u32) -> Option<Session> {
        let plan = SessionPlan {
            wager: self.wager.clone(),
            bankroll: fraction(bankroll, 1),
            target: fraction(certain.max(bankroll + 1), 1),
            stake: self.stake.clone(),
            max_rounds: self.rounds,
            when_short: self.when_short,
        };
        Session::new(plan).ok()
    }
}

/// The probability that each state below the target survives the rounds. From the target on, every state does.
fn backwards(grid: &Grid, rounds: u32) -> Vec<f64> {
    let merged = Merged::of(grid);
    let probabilities: Vec<f64> = merged.probabilities.iter().map(fraction::value).collect();
    let with_probability = |moves: &[(i64, usize)]| -> Vec<(i64, f64)> {
        moves.iter().map(|&(net, group)| (net, probabilities[group])).collect()
    };
    let bands = merged.bands.iter().map(|(from, moves)| (*from, with_probability(moves)));
    let bands: Vec<(usize, Vec<(i64, f64)>)> = bands.collect();
    let states = grid.target;
    let mut later = vec![1.0; states];
    later[..grid.ruined_below().min(states)].fill(0.0);
    let mut now = later.clone();
    for _ in 0..rounds {
        for (index, (from, moves)) in bands.iter().enumerate() {
            let until = bands.get(index + 1).map_or(states, |band| band.0.min(states));
            for (state, here) in now.iter_mut().enumerate().take(until).skip(*from) {
                let survives = |&(net, probability): &(i64, f64)| match state.checked_add_signed(net as isize)
                {
                    Some(next) => probability * later.get(next).copied().unwrap_or(1.0),
                    None => 0.0,
                };
                *here = moves.iter().map(survives).sum();
            }
        }
        std::mem::swap(&mut now, &mut later);
    }
    later
}

/// The probability that one bankroll survives, as a fraction too if the rounds are few.
fn exact_survival(question: &InverseQuestion, bankroll: u32, certain: u32, value: f64) -> Figure {
    let session = question.session(bankroll, certain).filter(|_| question.rounds <= super::EXACT_ROUNDS);
    let exact = session.and_then(|session| solve_blocking(&session).ok()?.ruin.exact);
    exact.map_or(Figure::from(value), |ruin| Figure::from(Fraction::one() - ruin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bet::Bet;
    use crate::fraction::parse;

    fn question(
        bet: &str,
        odds: &str,
        when_short: WhenShort,
        rounds: u32,
        survival: &str,
    ) -> InverseQuestion {
        let bet = Bet::from_id(bet).unwrap();
        let wager = Wager::new(bet, odds.parse().unwrap(), None).unwrap();
        let survival = parse(survival).unwrap();
        InverseQuestion { wager, stake: fraction::one(), when_short, rounds, survival }
    }

    #[test]
    fn bankrolls_of_100_rounds_are_the_published_ones() {
        // The figures that players quote for 100 decisions on the pass line.
        for (odds, survival, bankroll) in
            [("none", "0.85", 16), ("none", "0.95", 21), ("3-4-5x", "0.85", 75), ("3-4-5x", "0.95", 100)]
        {
            let answer =
                inverse_blocking(&question("pass_line", odds, WhenShort::Stop, 100, survival)).unwrap();
            assert_eq!(answer.bankroll, bankroll, "{odds} {survival}");
            assert!(answer.monotone && answer.least == bankroll);
        }
    }

    #[test]
    fn more_money_may_survive_less_often_without_odds_when_short() {
        let answer =
            inverse_blocking(&question("pass_line", "3-4-5x", WhenShort::NoOdds, 3, "19/20")).unwrap();
        assert_eq!((answer.bankroll, answer.least, answer.monotone), (12, 4, false));
        let (chain, _) =
            survival_of_whole_units(&question("pass_line", "3-4-5x", WhenShort::NoOdds, 5, "1/2")).unwrap();
        for (bankroll, survival) in [(4, 0.8482), (5, 0.7861), (6, 0.6531)] {
            assert!((chain[bankroll] - survival).abs() < 5e-5, "{bankroll}: {}", chain[bankroll]);
        }
    }

    #[test]
    fn every_bankroll_survives_as_the_chain_forwards_says() {
        for (bet, odds, when_short, stake) in [
            ("pass_line", "3-4-5x", WhenShort::Partial, "1"),
            ("dont_pass", "1x", WhenShort::NoOdds, "2"),
            ("place_6", "none", WhenShort::Stop, "1"),
            ("buy_4_upfront", "none", WhenShort::Stop, "1"),
            ("field_2x_3x", "none", WhenShort::Stop, "5"),
            ("pass_line", "2x", WhenShort::Stop, "3/2"),
        ] {
            let mut question = question(bet, odds, when_short, 6, "1/2");
            question.stake = parse(stake).unwrap();
            let (survival, certain) = survival_of_whole_units(&question).unwrap();
            for bankroll in 1..certain {
                let forwards = solve_blocking(&question.session(bankroll, certain).unwrap()).unwrap();
                let difference = survival[bankroll as usize] - (1.0 - forwards.ruin.value);
                assert!(difference.abs() < 1e-12, "{bet} {odds} {stake}: {bankroll}: {difference}");
            }
        }
    }

    #[test]
    fn too_large_questions_are_faults() {
        let fault = |question: InverseQuestion| inverse_blocking(&question).unwrap_err();
        let many = question("pass_line", "3-4-5x", WhenShort::Stop, 100_000, "0.5");
        assert_eq!(fault(many), InverseFault::BankrollTooLarge);
        let mut fine = question("place_6", "none", WhenShort::Stop, 9_900, "0.5");
        assert!(matches!(fault(fine.clone()), InverseFault::TooMuchWork { .. }));
        fine.stake = parse("0.0001234567").unwrap();
        assert_eq!(fault(fine), InverseFault::UnitTooSmall);
    }
}
