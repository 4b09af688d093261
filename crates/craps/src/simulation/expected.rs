//! The exact values beside the estimates, worked out part by part where that takes long.

use super::rolls_law::RollsLaw;
use super::set_law::SetLaw;
use super::{Decisions, Kind, Player, Simulation};
use crate::bankroll::{self, Course, Followed};
use crate::chain;
use crate::fraction;
use crate::net::NetDistribution;

/// The exact values that a result is held against.
pub struct Expected(pub(super) Exact);

pub(super) enum Exact {
    Decisions(ExactDecisions),
    /// Nothing as long as it is not known, and where the course is too long or too wide.
    Sessions(Option<Box<Followed>>),
}

pub(super) struct ExactDecisions {
    /// For each bet the probabilities of its outcomes.
    pub(super) probabilities: Vec<Vec<f64>>,
    pub(super) mean_net: f64,
    /// For one bet alone.
    pub(super) single: Option<ExactSingle>,
    /// For a set whose bets fit one table.
    pub(super) set: Option<SetLaw>,
}

pub(super) struct ExactSingle {
    pub(super) win_rate: f64,
    pub(super) variance: f64,
    pub(super) rolls: RollsLaw,
}

/// The exact values in the making. Those of decisions are there from the start, those of sessions after the last part.
pub struct ExpectedInParts {
    known: Expected,
    course: Option<Box<Course>>,
    parts: u64,
}

impl Simulation {
    /// The exact values, to be worked out between the chunks. Blocking: some milliseconds for most bets, for a set
    /// of the twenty largest a good part of the half second that it takes to be laid out.
    pub fn expected_in_parts_blocking(&self) -> ExpectedInParts {
        match &self.kind {
            Kind::Decisions(plan) => {
                ExpectedInParts { known: Expected(Exact::Decisions(plan.expected())), course: None, parts: 0 }
            }
            Kind::Sessions(plan) => {
                let course = bankroll::course(&plan.grid, plan.session.plan().max_rounds).map(Box::new);
                let parts = course.as_ref().map_or(0, |course| course.parts());
                ExpectedInParts { known: Expected(Exact::Sessions(None)), course, parts }
            }
        }
    }

    /// Computes the exact values at once. Blocking: up to about a second for sessions.
    pub fn expected_blocking(&self) -> Expected {
        let mut expected = self.expected_in_parts_blocking();
        while expected.course.is_some() {
            expected.run_part();
        }
        expected.known
    }
}

impl ExpectedInParts {
    /// How many parts there are, at most.
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// Works out the next part: about a millisecond, nothing where all is known.
    pub fn run_part(&mut self) {
        if let Some(value) = self.course.as_mut().and_then(|course| course.follow()) {
            self.known = Expected(Exact::Sessions(Some(Box::new(value))));
            self.course = None;
        }
    }

    /// What is known so far.
    pub fn known(&self) -> &Expected {
        &self.known
    }
}

impl Decisions {
    fn expected(&self) -> ExactDecisions {
        // One bet after the other: a large one takes a megabyte while it is solved.
        let (mut probabilities, mut mean_net, mut single) = (Vec::new(), fraction::zero(), None);
        for bet in &self.bets {
            let automaton = bet.wager.automaton();
            let solution = chain::solve(&automaton);
            let nets = automaton.outcomes().iter().map(|outcome| &outcome.net * &bet.stake);
            let net = NetDistribution::new(nets.zip(solution.probabilities.iter().cloned()));
            mean_net += net.mean();
            probabilities.push(solution.probabilities.iter().map(fraction::value).collect());
            if self.bets.len() == 1 {
                let gains = net.points().iter().filter(|(net, _)| *net > fraction::zero());
                single = Some(ExactSingle {
                    win_rate: fraction::value(&fraction::sum(gains.map(|(_, p)| p))),
                    variance: fraction::value(&net.variance()),
                    rolls: RollsLaw::of(&automaton, &solution),
                });
            }
        }
        let set = if let Player::Set(set) = &self.player { set.law() } else { None };
        ExactDecisions { probabilities, mean_net: fraction::value(&mean_net), single, set }
    }
}
