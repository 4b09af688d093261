//! Bankroll questions, exactly: the probability of reaching a target before ruin within a number of rounds.

mod course;
mod grid;
mod inverse;
mod merged;

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use super::fraction::{self, Fraction, fraction};
use super::net::common_denominator;
use super::session::{MAX_WORK, Session, SessionError};

use merged::Merged;

pub use course::BankrollValue;
pub(crate) use course::{Course, Followed, met};
pub(crate) use grid::Grid;
pub use inverse::{InverseFault, InverseQuestion, InverseValue, inverse_blocking};

/// Up to this many rounds the answer is a fraction too, unless that alone would take more than
/// [`MAX_EXACT_WORK`] steps.
pub const EXACT_ROUNDS: u32 = 20;

/// Steps in big integers that are done at most.
pub const MAX_EXACT_WORK: u64 = 4_000_000;

/// Bytes of a course that is followed beside its simulation, its bankrolls and its bands together: each running job may
/// have one. Without odds that may be cut, this is enough for 32,000 bankrolls.
pub(crate) const MAX_COURSE_BYTES: usize = 1 << 19;

/// Follows the bankroll round by round. Blocking: up to about a second.
///
/// ```
/// use kibitz_craps::{bankroll, bet::Bet, fraction::parse, session::{Session, SessionPlan, WhenShort}, wager::Wager};
/// let units = |n: &str| parse(n).unwrap();
/// let session = Session::new(SessionPlan {
///     wager: Wager::new(Bet::PASS_LINE, "3-4-5x".parse().unwrap(), None).unwrap(),
///     bankroll: units("50"), target: units("100"), stake: units("1"), max_rounds: 200, when_short: WhenShort::Stop,
/// }).unwrap();
/// let answer = bankroll::solve_blocking(&session).unwrap();
/// assert!((answer.success.value - 0.405138).abs() < 1e-6);
/// assert!((answer.ruin.value - 0.485080).abs() < 1e-6);
/// ```
///
/// # Errors
/// The amounts have no common unit, or the work would pass [`MAX_WORK`].
pub fn solve_blocking(session: &Session) -> Result<BankrollValue, SessionError> {
    Chain::new(session)?.solve_blocking()
}

/// A session that has been laid out, so that the memory to follow it is known.
pub struct Chain {
    grid: Grid,
    rounds: u32,
}

impl Chain {
    /// Lays a session out.
    ///
    /// # Errors
    /// The amounts have no common unit.
    pub fn new(session: &Session) -> Result<Self, SessionError> {
        let grid = Grid::new(session, &session.plan().wager.solve())?;
        Ok(Self { grid, rounds: session.plan().max_rounds })
    }

    /// Bytes that following it takes: at most some 16 MB.
    #[must_use]
    pub fn bytes(&self) -> usize {
        course::bytes(&self.grid, self.rounds)
    }

    /// Follows the bankroll round by round; see [`solve_blocking()`].
    ///
    /// # Errors
    /// The work would pass [`MAX_WORK`].
    pub fn solve_blocking(&self) -> Result<BankrollValue, SessionError> {
        let merged = Merged::of(&self.grid);
        let work = work(&self.grid, merged.most_moves(), self.rounds);
        if self.rounds <= EXACT_ROUNDS && work <= MAX_EXACT_WORK {
            return Ok(in_fractions(&self.grid, &merged, self.rounds));
        }
        if work > MAX_WORK {
            return Err(SessionError::TooMuchWork { work });
        }
        Ok(Course::new(&self.grid, &merged, self.rounds).solve_blocking())
    }
}

/// The same in floats alone, for a session that has been laid out, to be followed part by part; nothing where the work
/// would pass [`MAX_WORK`] or the course [`MAX_COURSE_BYTES`]. Both are judged before anything is made.
pub(crate) fn course(grid: &Grid, rounds: u32) -> Option<Course> {
    let mut bytes = course::bytes(grid, rounds);
    let mut most = 1;
    for band in 0..grid.bands.len() {
        let moves = grid.nets(band).collect::<BTreeSet<_>>().len();
        most = most.max(moves);
        bytes += course::band_bytes(moves);
        if bytes > MAX_COURSE_BYTES {
            return None;
        }
    }
    let fits = work(grid, most, rounds) <= MAX_WORK;
    fits.then(|| Course::new(grid, &Merged::of(grid), rounds))
}

/// How many parts the course of a session has at most, whether or not [`course()`] follows it.
pub(crate) fn course_parts_at_most(grid: &Grid, rounds: u32) -> u64 {
    let outcomes = grid.probabilities.len();
    course::parts(course::met(grid, rounds).len(), outcomes, rounds)
}

/// The steps of the chain, at most.
fn work(grid: &Grid, moves: usize, rounds: u32) -> u64 {
    // A short session meets only the bankrolls near its start.
    let states = grid.span().saturating_mul(rounds.into()).saturating_add(1).min(grid.target as u64);
    states * moves as u64 * u64::from(rounds)
}

/// The same in integers: after t rounds a mass is a numerator over `common^t`.
fn in_fractions(grid: &Grid, merged: &Merged, rounds: u32) -> BankrollValue {
    let common = common_denominator(merged.probabilities.iter());
    let weight = |p: &Fraction| (p.numer() * (&common / p.denom())).magnitude().clone();
    let weights: Vec<BigUint> = merged.probabilities.iter().map(weight).collect();
    let bands = &merged.bands;
    let mut here = BTreeMap::from([(grid.start, BigUint::one())]);
    let mut power = BigInt::one();
    let [mut success, mut ruin, mut expected_rounds, mut mean_final] = [(); 4].map(|()| fraction::zero());
    for played in 0..=rounds {
        let chance = |mass: &BigUint| fraction(mass.clone(), power.clone());
        let mut playing = BTreeMap::new();
        for (state, mass) in here {
            let ended = if state >= grid.target {
                &mut success
            } else if state < grid.ruined_below() {
                &mut ruin
            } else {
                playing.insert(state, mass);
                continue;
            };
            *ended += chance(&mass);
            mean_final += chance(&mass) * grid.money(state);
        }
        if played == rounds || playing.is_empty() {
            here = playing;
            break;
        }
        expected_rounds += chance(&playing.values().sum());
        let mut next = BTreeMap::new();
        for (&(low, ref moves), high) in
            bands.iter().zip(bands.iter().skip(1).map(|band| band.0).chain([usize::MAX]))
        {
            for (&state, mass) in playing.range(low..high.max(low)) {
                for &(net, place) in moves {
                    *next.entry(state.saturating_add_signed(net as isize)).or_insert_with(BigUint::zero) +=
                        mass * &weights[place];
                }
            }
        }
        here = next;
        power *= &common;
    }
    let still_playing = fraction(here.values().sum::<BigUint>(), power.clone());
    for (state, mass) in here {
        mean_final += fraction(mass, power.clone()) * grid.money(state);
    }
    BankrollValue {
        success: success.into(),
        ruin: ruin.into(),
        still_playing: still_playing.into(),
        expected_rounds: expected_rounds.into(),
        mean_final: mean_final.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bet::Bet;
    use crate::fraction::parse;
    use crate::session::{SessionPlan, WhenShort};
    use crate::wager::Wager;
    use proptest::prelude::*;

    fn session(
        wager: Wager,
        bankroll: &str,
        target: &str,
        stake: &str,
        rounds: u32,
        short: WhenShort,
    ) -> Session {
        let [bankroll, target, stake] = [bankroll, target, stake].map(|text| parse(text).unwrap());
        Session::new(SessionPlan { wager, bankroll, target, stake, max_rounds: rounds, when_short: short })
            .unwrap()
    }

    fn line(bet: &str, odds: &str) -> Wager {
        Wager::new(Bet::from_id(bet).unwrap(), odds.parse().unwrap(), None).unwrap()
    }

    /// The slow obvious way: follow every course of the session, bet by bet, in fractions.
    fn by_recursion(session: &Session, money: &Fraction, rounds: u32) -> [Fraction; 2] {
        let plan = session.plan();
        let full = plan.wager.odds();
        let solved = plan.wager.solve();
        let amounts = solved.amounts(full);
        let need = &plan.stake * (fraction::one() + amounts.largest());
        if *money >= plan.target {
            return [fraction::one(), fraction::zero()];
        }
        let short = *money < need;
        let room = (money - &plan.stake).floor();
        let broke = if plan.when_short == WhenShort::Stop { short } else { *money < plan.stake };
        if broke {
            return [fraction::zero(), fraction::one()];
        }
        if rounds == 0 {
            return [fraction::zero(), fraction::zero()];
        }
        let amounts = match plan.when_short {
            _ if !short => amounts,
            WhenShort::NoOdds => crate::odds::OddsAmounts(Default::default()),
            _ => crate::odds::OddsAmounts(amounts.0.map(|full| full.min(&room / &plan.stake))),
        };
        let mut sums = [fraction::zero(), fraction::zero()];
        for (net, probability) in solved.net_with(&amounts).points() {
            let later = by_recursion(session, &(money + net * &plan.stake), rounds - 1);
            for (sum, share) in sums.iter_mut().zip(later) {
                *sum += share * probability;
            }
        }
        sums
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn short_sessions_agree_with_full_enumeration(
            bet in prop::sample::select(vec![("pass_line", "3-4-5x"), ("pass_line", "2x"), ("dont_pass", "1x"), ("place_6", "none"), ("field_2x_3x", "none"), ("come", "1x")]),
            bankroll in 1u32..12, gain in 1u32..8, stake in prop::sample::select(vec!["1", "2", "1/2"]),
            short in prop::sample::select(vec![WhenShort::Stop, WhenShort::Partial, WhenShort::NoOdds]),
        ) {
            let asked = session(line(bet.0, bet.1), &bankroll.to_string(), &(bankroll + gain).to_string(), stake, 2, short);
            let answer = solve_blocking(&asked).unwrap();
            let [success, ruin] = by_recursion(&asked, &fraction(bankroll, 1), 2);
            prop_assert_eq!(answer.success.exact, Some(success));
            prop_assert_eq!(answer.ruin.exact, Some(ruin));
        }
    }

    #[test]
    fn floats_and_fractions_agree() {
        for (wager, stake, short) in [
            (line("pass_line", "3-4-5x"), "1", WhenShort::Partial),
            (line("dont_pass", "3-4-5x"), "1", WhenShort::Partial),
            (line("pass_line", "10x"), "0.5", WhenShort::NoOdds),
            (line("come", "2x"), "1", WhenShort::Stop),
            (line("buy_4_upfront", "none"), "1", WhenShort::Stop),
            (line("fire_24_249_999", "none"), "2", WhenShort::Stop),
        ] {
            let asked = session(wager, "9", "15.5", stake, 12, short);
            let grid = Grid::new(&asked, &asked.plan().wager.solve()).unwrap();
            let merged = Merged::of(&grid);
            let (exact, float) =
                (in_fractions(&grid, &merged, 12), Course::new(&grid, &merged, 12).solve_blocking());
            for (e, f) in [
                (&exact.success, &float.success),
                (&exact.ruin, &float.ruin),
                (&exact.still_playing, &float.still_playing),
                (&exact.expected_rounds, &float.expected_rounds),
                (&exact.mean_final, &float.mean_final),
            ] {
                assert!((e.value - f.value).abs() < 1e-13, "{e:?} {f:?}");
            }
            let sum = [exact.success, exact.ruin, exact.still_playing].map(|figure| figure.exact.unwrap());
            assert_eq!(fraction::sum(&sum), fraction::one());
        }
    }

    #[test]
    fn rounding_does_not_grow_with_the_rounds() {
        // 5,000 units last for 100,000 bets of one unit for certain, as far as digits can tell.
        let asked = session(line("pass_line", "none"), "5000", "10000", "1", 100_000, WhenShort::Stop);
        let answer = solve_blocking(&asked).unwrap();
        assert!((1.0 - answer.still_playing.value).abs() < 1e-13, "{}", answer.still_playing.value);
        assert!(answer.still_playing.value <= 1.0);
        assert!((answer.mean_final.value - (5000.0 - 700_000.0 / 495.0)).abs() < 1e-9);
        let asked = session(line("pass_line", "3-4-5x"), "30", "60", "1", 50_000, WhenShort::Partial);
        let answer = solve_blocking(&asked).unwrap();
        assert!((answer.success.value + answer.ruin.value - 1.0).abs() < 1e-14);
        assert!(answer.still_playing.value.is_sign_positive());
    }

    #[test]
    fn what_cannot_be_funded_is_ruin_at_once() {
        let asked = session(line("pass_line", "3-4-5x"), "5", "10", "1", 200, WhenShort::Stop);
        let answer = solve_blocking(&asked).unwrap();
        assert_eq!(
            (answer.ruin.value, answer.expected_rounds.value, answer.mean_final.value),
            (1.0, 0.0, 5.0)
        );
    }

    #[test]
    fn a_course_beside_a_simulation_stays_within_its_bytes() {
        let followed = |wager: &Wager, target: u32, stake: &str| {
            let bankroll = (target - 1).to_string();
            let asked =
                session(wager.clone(), &bankroll, &target.to_string(), stake, 500, WhenShort::Partial);
            let grid = Grid::new(&asked, &asked.plan().wager.solve()).unwrap();
            course(&grid, 500).map(|course| course.allocated())
        };
        // 4,300 bands on 131,000 bankrolls, and as many bands on few bankrolls.
        assert_eq!(followed(&line("pass_line", "100x"), 4_490, "43"), None);
        assert_eq!(followed(&line("dont_pass", "100x"), 9_999, "44"), None);
        let mut largest = 0;
        for odds in ["1x", "3-4-5x", "10x", "20x", "100x"] {
            for (bet, stake) in [("pass_line", "5"), ("pass_line", "30"), ("dont_pass", "7"), ("come", "43")]
            {
                for target in [500, 1_000, 2_000, 5_000, 10_000] {
                    largest = largest.max(followed(&line(bet, odds), target, stake).unwrap_or(0));
                }
            }
        }
        assert!((MAX_COURSE_BYTES / 2..=MAX_COURSE_BYTES).contains(&largest), "{largest}");
    }

    #[test]
    fn too_much_work_says_the_bound() {
        let asked = session(line("pass_line", "3-4-5x"), "5000", "10000", "1", 100_000, WhenShort::Partial);
        let fault = solve_blocking(&asked).unwrap_err();
        assert_eq!(fault.code(), "too_much_work");
        assert!(fault.to_string().contains("2000000000"), "{fault}");
        let asked = session(line("pass_line", "none"), "5000", "9999.0000001", "1", 10, WhenShort::Stop);
        assert_eq!(
            solve_blocking(&asked).unwrap().still_playing.value,
            1.0,
            "only states that can be met count"
        );
        let asked = session(line("pass_line", "none"), "5000", "10000", "0.0001", 10, WhenShort::Stop);
        assert_eq!(solve_blocking(&asked).unwrap_err().code(), "unit_too_small");
    }
}
