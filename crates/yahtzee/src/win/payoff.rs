//! What a final score is worth.

use super::solver::{PAD, Row};

/// What each final score is worth: 0 for low ones, 1 for high ones, and never less for a higher score.
pub(super) struct Payoff {
    row: Row,
    /// Zeros, the values between 0 and 1, and ones.
    values: Vec<f64>,
}

impl Payoff {
    /// 1 for every score from `target` on, 0 for the others.
    pub(super) fn reach(target: i32) -> Self {
        Self::new(target, &[])
    }

    /// The values of the scores from `first` on; 0 for lower scores and 1 for higher ones.
    pub(super) fn new(first: i32, values: &[f64]) -> Self {
        let zeros = values.iter().take_while(|&&value| value <= 0.0).count();
        let values = &values[zeros..];
        let ones = values.iter().rev().take_while(|&&value| value >= 1.0).count();
        let values = &values[..values.len() - ones];
        let row = Row { first: first + zeros as i32, length: values.len() as i32, start: 0 };
        Self { row, values: [&[0.0; PAD], values, &[1.0; PAD]].concat() }
    }

    /// The first score that is worth more than 0.
    pub(super) const fn first(&self) -> i32 {
        self.row.first
    }

    /// The first score that is worth 1.
    pub(super) const fn end(&self) -> i32 {
        self.row.first + self.row.length
    }

    /// The values as a row of the solver.
    pub(super) fn row(&self) -> (Row, &[f64]) {
        (self.row, &self.values)
    }
}
