//! The exact solver: any bet's absorbing chain, in fractions.
//!
//! For the expected visits `v` of each state, `v = start + v Q`, where `Q` holds the moves between states. Then
//! `v` times the settling moves gives the probability of each outcome, and the sum of `v` the expected rolls.
//! A second solution `w = v + w Q` weighs each visit by its number and gives the rolls of each outcome and the
//! variance. Two linear systems answer everything, however many outcomes a bet has (Kemeny and Snell, *Finite
//! Markov Chains*, chapter III).

use std::collections::{BTreeMap, HashMap};

use num_traits::Zero;

use super::automaton::{Automaton, Step};
use super::dice::Dice;
use super::fraction::{self, Fraction, fraction};

/// What the chain says about a bet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The probability of each outcome, in the automaton's order; they sum to one.
    pub probabilities: Vec<Fraction>,
    /// For each outcome the expected rolls on the courses that end there: divide by its probability for a mean.
    pub rolls_by_outcome: Vec<Fraction>,
    /// Expected rolls until the bet is settled.
    pub expected_rolls: Fraction,
    /// Variance of the rolls.
    pub rolls_variance: Fraction,
    /// How often the first start state is visited on average, the start included.
    pub start_visits: Fraction,
}

/// Solves a bet exactly.
///
/// ```
/// use kibitz_craps::{bet::Bet, chain, fraction};
/// let solution = chain::solve(&Bet::PASS_LINE.automaton());
/// assert_eq!(fraction::text(&solution.probabilities[0]), "244/495");
/// assert_eq!(fraction::text(&solution.expected_rolls), "557/165");
/// ```
pub fn solve(automaton: &Automaton) -> Solution {
    let chain = Chain::lumped(automaton);
    let visits = chain.solve_visits(&chain.start);
    let weighted = chain.solve_visits(&visits);
    let mut probabilities = vec![fraction::zero(); automaton.outcomes().len()];
    let mut rolls_by_outcome = probabilities.clone();
    for (state, moves) in chain.moves.iter().enumerate() {
        for (&step, &weight) in moves {
            if let Step::Settle(outcome) = step {
                probabilities[outcome] += &visits[state] * chance(weight);
                rolls_by_outcome[outcome] += &weighted[state] * chance(weight);
            }
        }
    }
    let expected_rolls = fraction::sum(&visits);
    // E[T^2] = 2 sum(w) - sum(v).
    let rolls_variance =
        fraction::sum(&weighted) * fraction(2, 1) - &expected_rolls - &expected_rolls * &expected_rolls;
    let start_visits = visits[0].clone();
    Solution { probabilities, rolls_by_outcome, expected_rolls, rolls_variance, start_visits }
}

fn chance(weight: u32) -> Fraction {
    fraction(weight, Dice::COUNT)
}

/// The chain of an automaton after lumping: states with the same future are one.
struct Chain {
    start: Vec<Fraction>,
    /// For each state the steps and in how many of the 36 pairs each comes.
    moves: Vec<BTreeMap<Step<usize>, u32>>,
}

impl Chain {
    /// Partition refinement: states start in one class and are told apart by where their rolls lead, until nothing
    /// changes. An all-numbers bonus shrinks from 1024 states to 243, because numbers of equal ways are alike.
    fn lumped(automaton: &Automaton) -> Self {
        let mut class_of = vec![0; automaton.states().len()];
        let mut classes = 1;
        loop {
            let mut index = HashMap::new();
            let mut moves = Vec::new();
            let refined: Vec<usize> = automaton
                .states()
                .iter()
                .enumerate()
                .map(|(state, steps)| {
                    let mut tally = BTreeMap::new();
                    for step in steps {
                        let step = match *step {
                            Step::Go(next) => Step::Go(class_of[next]),
                            settled => settled,
                        };
                        *tally.entry(step).or_insert(0) += 1;
                    }
                    *index.entry((class_of[state], tally)).or_insert_with_key(|(_, tally)| {
                        moves.push(tally.clone());
                        moves.len() - 1
                    })
                })
                .collect();
            if moves.len() == classes {
                let total: u32 = automaton.starts().iter().map(|&(_, weight)| weight).sum();
                let mut start = vec![fraction::zero(); classes];
                for &(state, weight) in automaton.starts() {
                    start[class_of[state]] += fraction(weight, total);
                }
                return Self { start, moves };
            }
            (class_of, classes) = (refined, moves.len());
        }
    }

    /// Solves `x = known + x Q`: Gaussian elimination on sparse rows, in the order in which states are met. A bet
    /// mostly moves forward in that order, so rows stay short and no pivot search is needed; every pivot is positive
    /// because every bet is settled in the end.
    fn solve_visits(&self, known: &[Fraction]) -> Vec<Fraction> {
        let mut rows: Vec<BTreeMap<usize, Fraction>> = vec![BTreeMap::new(); self.moves.len()];
        for (from, moves) in self.moves.iter().enumerate() {
            for (&step, &weight) in moves {
                if let Step::Go(to) = step {
                    rows[to].insert(from, chance(weight));
                }
            }
        }
        let mut values = known.to_vec();
        for state in 0..rows.len() {
            let mut row = std::mem::take(&mut rows[state]);
            while let Some(entry) = row.first_entry().filter(|entry| *entry.key() < state) {
                let (earlier, factor) = entry.remove_entry();
                values[state] = &values[state] + &factor * &values[earlier];
                for (&other, share) in &rows[earlier] {
                    *row.entry(other).or_insert_with(Fraction::zero) += &factor * share;
                }
            }
            if let Some(stay) = row.remove(&state) {
                let scale = (fraction::one() - stay).recip();
                values[state] *= &scale;
                row.values_mut().for_each(|share| *share *= &scale);
            }
            rows[state] = row;
        }
        for state in (0..rows.len()).rev() {
            for (&later, share) in &rows[state] {
                values[state] = &values[state] + share * &values[later];
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bet::Bet;

    /// The slow obvious way: push probability through the chain, roll after roll, in floating point.
    fn iterate(automaton: &Automaton) -> (Vec<f64>, f64) {
        let total: u32 = automaton.starts().iter().map(|s| s.1).sum();
        let mut here = vec![0.0; automaton.states().len()];
        for &(state, weight) in automaton.starts() {
            here[state] += f64::from(weight) / f64::from(total);
        }
        let mut settled = vec![0.0; automaton.outcomes().len()];
        let mut rolls = 0.0;
        for _ in 0..1500 {
            rolls += here.iter().sum::<f64>();
            let mut next = vec![0.0; here.len()];
            for (steps, mass) in automaton.states().iter().zip(&here).filter(|(_, mass)| **mass > 0.0) {
                for step in steps {
                    match *step {
                        Step::Go(to) => next[to] += mass / 36.0,
                        Step::Settle(outcome) => settled[outcome] += mass / 36.0,
                    }
                }
            }
            here = next;
        }
        (settled, rolls)
    }

    #[test]
    fn the_solution_agrees_with_plain_iteration_for_every_bet() {
        for bet in Bet::all() {
            let automaton = bet.automaton();
            let solution = solve(&automaton);
            let (settled, rolls) = iterate(&automaton);
            assert_eq!(fraction::sum(&solution.probabilities), fraction::one(), "{}", bet.id());
            for (exact, float) in solution.probabilities.iter().zip(settled) {
                assert!((fraction::value(exact) - float).abs() < 1e-12, "{}", bet.id());
            }
            assert!((fraction::value(&solution.expected_rolls) - rolls).abs() < 1e-9, "{}", bet.id());
            assert_eq!(fraction::sum(&solution.rolls_by_outcome), solution.expected_rolls, "{}", bet.id());
        }
    }

    #[test]
    fn lumping_merges_numbers_of_equal_ways() {
        let all = Bet::from_id("all_30_150").unwrap().automaton();
        assert_eq!(all.states().len(), 1023);
        assert_eq!(Chain::lumped(&all).moves.len(), 242);
    }
}
