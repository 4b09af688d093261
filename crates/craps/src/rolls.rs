//! How many rolls a decision and a shooter's hand last.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::automaton::{Automaton, Outcome, Settlement, Step};
use super::bet::Bet;
use super::chain;
use super::dice::{Dice, Point, move_puck};
use super::fraction::{Fraction, fraction};

/// One row of a distribution of rolls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollsRow {
    /// The number of rolls.
    pub rolls: u32,
    /// The probability of exactly this number.
    pub exactly: Fraction,
    /// The probability of this number or more.
    pub at_least: Fraction,
}

/// The rolls of one pass-line decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionRolls {
    /// Expected rolls.
    pub mean: Fraction,
    /// Variance of the rolls.
    pub variance: Fraction,
    /// The least number of rolls by which half of all decisions are over.
    pub median: u32,
    /// Expected rolls of a decision that is won.
    pub mean_when_won: Fraction,
    /// Expected rolls of a decision that is lost.
    pub mean_when_lost: Fraction,
    /// The distribution from one roll on, as far as it was asked for.
    pub table: Vec<RollsRow>,
}

/// The rolls of a shooter's hand: from the first come-out to the seven-out, the last roll included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandRolls {
    /// Expected rolls.
    pub mean: Fraction,
    /// Variance of the rolls.
    pub variance: Fraction,
    /// The least number of rolls by which half of all hands are over.
    pub median: u32,
    /// Expected pass-line decisions in a hand.
    pub decisions_per_hand: Fraction,
    /// The distribution from one roll on, as far as it was asked for.
    pub table: Vec<RollsRow>,
}

/// The most rows that [`decision`] and [`hand`] compute: 300 rows have 460-digit fractions.
pub const MAX_ROWS: u32 = 300;

/// The rolls of one pass-line decision, with the first `rows` rows of the distribution (at most [`MAX_ROWS`]).
///
/// ```
/// use kibitz_craps::{fraction::text, rolls};
/// let decision = rolls::decision(10);
/// assert_eq!((text(&decision.mean).as_str(), decision.median), ("557/165", 2));
/// ```
pub fn decision(rows: u32) -> DecisionRolls {
    let automaton = Bet::PASS_LINE.automaton();
    let solution = chain::solve(&automaton);
    let mean_when = |outcome: usize| &solution.rolls_by_outcome[outcome] / &solution.probabilities[outcome];
    let index_of =
        |settlement| automaton.outcomes().iter().position(|o| o.settlement == settlement).unwrap_or_default();
    DecisionRolls {
        mean_when_won: mean_when(index_of(Settlement::Win)),
        mean_when_lost: mean_when(index_of(Settlement::Lose)),
        median: median(&automaton),
        table: Survival::of(&automaton).take(rows.min(MAX_ROWS) as usize).collect(),
        mean: solution.expected_rolls,
        variance: solution.rolls_variance,
    }
}

/// The rolls of a shooter's hand, with the first `rows` rows of the distribution (at most [`MAX_ROWS`]).
///
/// ```
/// use kibitz_craps::{fraction, rolls};
/// let hand = rolls::hand(154);
/// assert_eq!((fraction::text(&hand.mean).as_str(), hand.median), ("1671/196", 6));
/// assert_eq!((1.0 / fraction::value(&hand.table[153].at_least)).round(), 5_590_264_072.0);
/// ```
pub fn hand(rows: u32) -> HandRolls {
    let automaton = shooters_hand();
    let solution = chain::solve(&automaton);
    HandRolls {
        median: median(&automaton),
        table: Survival::of(&automaton).take(rows.min(MAX_ROWS) as usize).collect(),
        mean: solution.expected_rolls,
        variance: solution.rolls_variance,
        decisions_per_hand: solution.start_visits,
    }
}

/// The hand as an automaton: the state is the puck, the one ending the seven-out.
fn shooters_hand() -> Automaton {
    let seven_out =
        Outcome { label: "seven_out".to_owned(), settlement: Settlement::Lose, net: fraction(-1, 1) };
    Automaton::explore(vec![seven_out], None::<Point>, |&puck, dice| match (puck, dice.total()) {
        (Some(_), 7) => Step::Settle(0),
        (puck, total) => Step::Go(move_puck(puck, total)),
    })
}

fn median(automaton: &Automaton) -> u32 {
    let half = fraction(1, 2);
    // After the median roll at most half of the courses are left.
    Survival::of(automaton).find(|row| &row.at_least - &row.exactly <= half).map_or(0, |row| row.rolls)
}

/// Pushes one start through the chain, roll after roll, in integers over 36^rolls.
struct Survival<'a> {
    automaton: &'a Automaton,
    rolls: u32,
    mass: Vec<BigUint>,
    power: BigUint,
}

impl<'a> Survival<'a> {
    fn of(automaton: &'a Automaton) -> Self {
        let mut mass = vec![BigUint::zero(); automaton.states().len()];
        for &(state, weight) in automaton.starts() {
            mass[state] += weight;
        }
        let power = automaton.starts().iter().fold(BigUint::zero(), |sum, &(_, weight)| sum + weight);
        debug_assert!(power >= BigUint::one());
        Self { automaton, rolls: 0, mass, power }
    }
}

impl Iterator for Survival<'_> {
    type Item = RollsRow;

    fn next(&mut self) -> Option<RollsRow> {
        let before: BigUint = self.mass.iter().sum();
        let mut next = vec![BigUint::zero(); self.mass.len()];
        for (steps, mass) in self.automaton.states().iter().zip(&self.mass) {
            let mut weights = vec![0u32; next.len()];
            for step in steps {
                if let Step::Go(to) = step {
                    weights[*to] += 1;
                }
            }
            for (sum, weight) in next.iter_mut().zip(weights).filter(|(_, weight)| *weight > 0) {
                *sum += mass * weight;
            }
        }
        let at_least = fraction(before.clone(), self.power.clone());
        self.mass = next;
        self.power *= Dice::COUNT;
        self.rolls += 1;
        let after: BigUint = self.mass.iter().sum();
        let exactly = fraction(before * Dice::COUNT - after, self.power.clone());
        Some(RollsRow { rolls: self.rolls, exactly, at_least })
    }
}
