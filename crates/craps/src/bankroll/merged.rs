//! The moves of a session, outcomes with equal nets merged.

use std::collections::BTreeMap;

use num_traits::Zero;

use super::grid::Grid;
use crate::fraction::{self, Fraction};

/// The bands of a grid, outcomes with equal nets merged.
///
/// Thousands of bands merge the same few groups of outcomes, so one list holds the probability of each group.
pub(super) struct Merged {
    /// The probabilities of groups of outcomes.
    pub(super) probabilities: Vec<Fraction>,
    /// The first state of each band, and its moves: `(net in states, index into probabilities)`.
    pub(super) bands: Vec<(usize, Vec<(i64, usize)>)>,
}

impl Merged {
    pub(super) fn of(grid: &Grid) -> Self {
        let outcomes = &grid.probabilities;
        let (mut probabilities, mut places) = (Vec::new(), BTreeMap::new());
        let mut merge = |band| {
            let mut groups = BTreeMap::<i64, Vec<usize>>::new();
            for (outcome, net) in grid.nets(band).enumerate().filter(|&(it, _)| !outcomes[it].is_zero()) {
                groups.entry(net).or_default().push(outcome);
            }
            let mut place = |group: Vec<usize>| {
                *places.entry(group).or_insert_with_key(|group| {
                    probabilities.push(fraction::sum(group.iter().map(|&outcome| &outcomes[outcome])));
                    probabilities.len() - 1
                })
            };
            groups.into_iter().map(|(net, group)| (net, place(group))).collect()
        };
        let bands = grid.bands.iter().enumerate().map(|(band, &from)| (from, merge(band))).collect();
        Self { probabilities, bands }
    }

    pub(super) fn most_moves(&self) -> usize {
        self.bands.iter().map(|(_, moves)| moves.len()).max().unwrap_or(1)
    }
}
