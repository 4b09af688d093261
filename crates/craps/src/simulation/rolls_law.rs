//! The law of the rolls of one bet, as far as the statistics need it.

use crate::automaton::{Automaton, Step};
use crate::chain;
use crate::fraction;

/// The exact law of the rolls of one bet, as far as it is needed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RollsLaw {
    pub(super) mean: f64,
    pub(super) variance: f64,
    /// A roll moves the expected rolls still to come by at most this, the roll itself counted.
    pub(super) largest_step: f64,
    /// The largest variance of that move over the states of the bet.
    pub(super) step_variance: f64,
}

impl RollsLaw {
    /// The law of a bet's rolls: the expected rolls still to come from each state, by Gauss-Seidel sweeps against the
    /// direction of play, and how far one roll moves them. All starts of a bet have the same expectation, so that drawing
    /// one moves nothing.
    pub(super) fn of(automaton: &Automaton, solution: &chain::Solution) -> Self {
        let states = automaton.states();
        let mut to_come = vec![0f64; states.len()];
        loop {
            let mut change = 0.0f64;
            for state in (0..states.len()).rev() {
                let (mut stay, mut elsewhere) = (0.0, 0.0);
                for step in &states[state] {
                    match *step {
                        Step::Go(next) if next == state => stay += 1.0,
                        Step::Go(next) => elsewhere += to_come[next],
                        Step::Settle(_) => {}
                    }
                }
                let value = (36.0 + elsewhere) / (36.0 - stay);
                change = change.max((value - to_come[state]).abs());
                to_come[state] = value;
            }
            if change < 1e-12 {
                break;
            }
        }
        let (mut largest_step, mut step_variance) = (0.0f64, 0.0f64);
        for (steps, here) in states.iter().zip(&to_come) {
            let moves = steps.map(|step| match step {
                Step::Go(next) => 1.0 + to_come[next] - here,
                Step::Settle(_) => 1.0 - here,
            });
            largest_step = moves.iter().fold(largest_step, |largest, step: &f64| largest.max(step.abs()));
            step_variance = step_variance.max(moves.iter().map(|step| step * step).sum::<f64>() / 36.0);
        }
        Self {
            mean: fraction::value(&solution.expected_rolls),
            variance: fraction::value(&solution.rolls_variance),
            largest_step,
            step_variance,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bet::Bet;

    /// The steps are a martingale that ends at rolls less expected rolls, so a decision's rolls vary by the sum of the
    /// steps' variances, at most the largest for each roll; and a bet with one state has but one variance.
    #[test]
    fn the_steps_bound_the_variance_of_the_rolls() {
        for bet in Bet::all() {
            let automaton = bet.automaton();
            let law = RollsLaw::of(&automaton, &chain::solve(&automaton));
            let bound = law.step_variance * law.mean;
            assert!(law.variance <= bound * (1.0 + 1e-9), "{}: {law:?}", bet.id());
            if automaton.states().len() == 1 {
                assert!((law.variance - bound).abs() < 1e-9, "{}: {law:?}", bet.id());
            }
            assert!(law.largest_step >= law.step_variance.sqrt());
        }
    }
}
