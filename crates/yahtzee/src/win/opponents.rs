//! What a player plays for: a score to reach, or opponents to beat.

use std::sync::Arc;

use super::payoff::Payoff;
use crate::engine::distribution::Distribution;

/// What a player wants of the final score.
#[derive(Clone, Debug)]
pub enum Goal {
    /// At least this score.
    Reach(u32),
    /// More than every opponent.
    Beat(Opponents),
}

/// The final score of one opponent.
#[derive(Clone, Debug)]
pub enum Opponent {
    /// The game of this opponent is over.
    Finished(u32),
    /// The game goes on, and this opponent's play does not depend on the scores of others.
    Playing(Arc<Distribution>),
}

/// The final scores of independent opponents, and what a tie with the best of them is worth.
///
/// ```
/// use kibitz_yahtzee::{Opponent, Opponents};
/// let opponents = Opponents::new(&[Opponent::Finished(200), Opponent::Finished(200)], None);
/// assert_eq!(opponents.win_probability(199), 0.0);
/// assert_eq!(opponents.win_probability(200), 1.0 / 3.0);
/// assert_eq!(opponents.win_probability(201), 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct Opponents {
    count: usize,
    /// The value of a tie for first; `None` if all who tie share the win.
    tie: Option<f64>,
    are_finished: bool,
    /// The lowest score that the best opponent can have.
    first: u32,
    /// For each score from `first` on: the probabilities that 0, 1, 2, ... opponents have it and all others less.
    at: Vec<f64>,
}

impl Opponents {
    /// Combines independent opponents. `tie` is the value of a tie for first, 0 to 1. Without it, a tie with `n` others is
    /// worth `1 / (n + 1)`.
    pub fn new(opponents: &[Opponent], tie: Option<f64>) -> Self {
        let scores: Vec<Scores> = opponents.iter().map(Scores::new).collect();
        let first = scores.iter().map(|scores| scores.first).max().unwrap_or_default();
        let end = scores.iter().map(Scores::end).max().unwrap_or_default();
        let count = opponents.len();
        let mut at = Vec::new();
        for score in first..end {
            let start = at.len();
            at.resize(start + count + 1, 0.0);
            let ways = &mut at[start..];
            ways[0] = 1.0;
            for scores in &scores {
                let (below, equal) = (scores.below(score), scores.equal(score));
                for ties in (0..=count).rev() {
                    let fewer = if ties > 0 { ways[ties - 1] } else { 0.0 };
                    ways[ties] = ways[ties] * below + fewer * equal;
                }
            }
        }
        let are_finished = opponents.iter().all(|opponent| matches!(opponent, Opponent::Finished(_)));
        Self { count, tie, are_finished, first, at }
    }

    /// The probability that a final score wins, plus what ties for first are worth.
    pub fn win_probability(&self, score: u32) -> f64 {
        match score.checked_sub(self.first).map(|place| self.ways().nth(place as usize)) {
            None => 0.0,
            Some(None) => 1.0,
            Some(Some(ways)) => self.value(ways),
        }
    }

    /// Whether the final scores of all opponents are known.
    pub const fn are_finished(&self) -> bool {
        self.are_finished
    }

    pub(super) fn payoff(&self) -> Payoff {
        let values: Vec<f64> = self.ways().map(|ways| self.value(ways)).collect();
        Payoff::new(self.first as i32, &values)
    }

    /// For each value that a tie can have: the scores of the best opponent, with the probability of each together with such a tie.
    pub(super) fn best_scores(&self) -> Vec<(f64, Vec<(i32, f64)>)> {
        let with = |ties: std::ops::RangeInclusive<usize>| -> Vec<(i32, f64)> {
            let scores = (self.first as i32..).zip(self.ways());
            let scores = scores.map(|(score, ways)| (score, ways[ties.clone()].iter().sum()));
            scores.filter(|&(_, probability)| probability > 0.0).collect()
        };
        match self.tie {
            Some(tie) => vec![(tie, with(1..=self.count))],
            None => (1..=self.count).map(|ties| (self.share(ties), with(ties..=ties))).collect(),
        }
    }

    fn ways(&self) -> impl Iterator<Item = &[f64]> {
        self.at.chunks_exact(self.count + 1)
    }

    fn value(&self, ways: &[f64]) -> f64 {
        ways.iter().enumerate().map(|(ties, probability)| probability * self.share(ties)).sum()
    }

    /// The value of the highest score if `ties` opponents have it too.
    fn share(&self, ties: usize) -> f64 {
        match self.tie {
            Some(tie) if ties > 0 => tie,
            _ => 1.0 / (ties + 1) as f64,
        }
    }
}

/// The probabilities of one opponent's final scores.
struct Scores {
    first: u32,
    /// The probability of less than each score, from `first` on; 1 for all higher ones.
    below: Vec<f64>,
}

impl Scores {
    fn new(opponent: &Opponent) -> Self {
        match opponent {
            Opponent::Finished(score) => Self { first: *score, below: vec![0.0] },
            Opponent::Playing(distribution) => {
                let all = distribution.probabilities();
                let first = all.iter().position(|&probability| probability > 0.0).unwrap_or_default();
                let (total, mut sum) = (distribution.total(), 0.0);
                let below = all[first..].iter().map(|probability| {
                    let below = sum / total;
                    sum += probability;
                    below
                });
                Self { first: first as u32, below: below.collect() }
            }
        }
    }

    fn end(&self) -> u32 {
        self.first + self.below.len() as u32
    }

    fn below(&self, score: u32) -> f64 {
        let place = score.checked_sub(self.first);
        place.map_or(0.0, |place| self.below.get(place as usize).copied().unwrap_or(1.0))
    }

    fn equal(&self, score: u32) -> f64 {
        (self.below(score + 1) - self.below(score)).max(0.0)
    }
}
