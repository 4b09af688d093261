//! A bet as an automaton over the 36 ordered pairs: the one form in which every bet is solved and simulated.

use std::collections::HashMap;
use std::hash::Hash;

use serde::Serialize;

use super::dice::{Dice, Point, move_puck};
use super::fraction::Fraction;

/// What a roll does to a bet: it moves to a state, or is settled with an outcome. Both are indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step<S> {
    /// The bet is still open; go on from this state.
    Go(S),
    /// The bet is settled with [`Automaton::outcomes`]`[i]`.
    Settle(usize),
}

/// How a settled bet counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    /// More comes back than was staked.
    Win,
    /// Decided, but its parts cancel (a world bet on 7).
    BreakEven,
    /// The stake comes back undecided (the barred number of a don't bet).
    Push,
    /// Less comes back than was staked.
    Lose,
}

/// One way in which a bet ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// A stable name, unique within the bet: `win`, `win_11`, `point_6_made`.
    pub label: String,
    /// How it counts.
    pub settlement: Settlement,
    /// What the player gains per unit of stake, all money put up counted (with odds: per unit of flat bet).
    pub net: Fraction,
}

/// A bet's whole course: states, the step for each pair of dice, and outcomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automaton {
    starts: Vec<(usize, u32)>,
    states: Vec<[Step<usize>; Dice::COUNT]>,
    outcomes: Vec<Outcome>,
}

impl Automaton {
    /// Explores every state that can be reached from one start. `step` answers with a state or an index of `outcomes`.
    pub(crate) fn explore<S: Clone + Eq + Hash>(
        outcomes: Vec<Outcome>,
        start: S,
        step: impl Fn(&S, Dice) -> Step<S>,
    ) -> Self {
        Self::explore_from(outcomes, vec![(start, 1)], step)
    }

    /// The same from several starts with integer weights, for a bet that is made in a random context.
    pub(crate) fn explore_from<S: Clone + Eq + Hash>(
        outcomes: Vec<Outcome>,
        starts: Vec<(S, u32)>,
        step: impl Fn(&S, Dice) -> Step<S>,
    ) -> Self {
        let mut found = Found { index: HashMap::new(), queue: Vec::new() };
        let starts = starts.into_iter().map(|(state, weight)| (found.index_of(state), weight)).collect();
        let mut states = Vec::new();
        while states.len() < found.queue.len() {
            let state = found.queue[states.len()].clone();
            states.push(Dice::ALL.map(|dice| match step(&state, dice) {
                Step::Go(next) => Step::Go(found.index_of(next)),
                Step::Settle(outcome) => Step::Settle(outcome),
            }));
        }
        Self { starts, states, outcomes }
    }

    /// The same bet, made right after the puck was set and off while the puck is off. Place, buy and hardway bets
    /// are off like this on a come-out unless they are called working. Its rolls count as long as it is on the table.
    ///
    /// ```
    /// use kibitz_craps::{bet::Bet, chain, fraction::text};
    /// let place = Bet::from_id("place_4").unwrap().automaton();
    /// assert_eq!(text(&chain::solve(&place).expected_rolls), "4/1");
    /// assert_eq!(text(&chain::solve(&place.off_on_come_outs()).expected_rolls), "19181/4178");
    /// ```
    pub fn off_on_come_outs(&self) -> Self {
        let starts = Point::ALL.into_iter().flat_map(|puck| {
            self.starts.iter().map(move |&(state, weight)| ((Some(puck), state), weight * puck.ways()))
        });
        Self::explore_from(self.outcomes.clone(), starts.collect(), |&(puck, state), dice| {
            let next_puck = move_puck(puck, dice.total());
            match self.states[state][dice.index()] {
                _ if puck.is_none() => Step::Go((next_puck, state)),
                Step::Go(next) => Step::Go((next_puck, next)),
                Step::Settle(outcome) => Step::Settle(outcome),
            }
        })
    }

    /// Where a bet begins: states and their relative weights. Only a bet that depends on the puck has several.
    pub fn starts(&self) -> &[(usize, u32)] {
        &self.starts
    }

    /// The same bet, taken up in one of its states.
    pub fn started_at(&self, state: usize) -> Self {
        Self { starts: vec![(state, 1)], ..self.clone() }
    }

    /// For each state the step of each pair, in the order of [`Dice::ALL`].
    pub fn states(&self) -> &[[Step<usize>; Dice::COUNT]] {
        &self.states
    }

    /// The ways in which the bet ends.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }
}

/// States met so far, in the order in which they were met.
struct Found<S> {
    index: HashMap<S, usize>,
    queue: Vec<S>,
}

impl<S: Clone + Eq + Hash> Found<S> {
    fn index_of(&mut self, state: S) -> usize {
        let next = self.queue.len();
        *self.index.entry(state).or_insert_with_key(|state| {
            self.queue.push(state.clone());
            next
        })
    }
}
