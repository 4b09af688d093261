//! The distribution of what one bet gains, and its moments.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use super::fraction::{self, Fraction};

/// A figure that is always known as a float and, if that is cheap, exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The value, correct to about 1e-12.
    pub value: f64,
    /// The exact fraction, where it was computed.
    pub exact: Option<Fraction>,
}

impl From<f64> for Figure {
    fn from(value: f64) -> Self {
        Self { value, exact: None }
    }
}

impl From<Fraction> for Figure {
    fn from(exact: Fraction) -> Self {
        Self { value: fraction::value(&exact), exact: Some(exact) }
    }
}

/// What one bet gains: distinct nets, ascending, each with its probability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetDistribution {
    points: Vec<(Fraction, Fraction)>,
}

impl NetDistribution {
    /// Merges equal nets and leaves out what cannot happen. The probabilities must sum to one.
    pub(crate) fn new(points: impl IntoIterator<Item = (Fraction, Fraction)>) -> Self {
        let mut merged = BTreeMap::new();
        for (net, probability) in points {
            *merged.entry(net).or_insert_with(Fraction::zero) += probability;
        }
        merged.retain(|_, probability: &mut Fraction| !probability.is_zero());
        Self { points: merged.into_iter().collect() }
    }

    /// `(net, probability)`, nets ascending.
    pub fn points(&self) -> &[(Fraction, Fraction)] {
        &self.points
    }

    /// The expected net: the player's edge, negative for every bet of the casino.
    pub fn mean(&self) -> Fraction {
        self.points.iter().fold(Fraction::zero(), |sum, (net, probability)| sum + net * probability)
    }

    /// The variance of the net.
    pub fn variance(&self) -> Fraction {
        self.central_moment(2)
    }

    /// E[(net - mean)^order].
    pub fn central_moment(&self, order: i32) -> Fraction {
        let mean = self.mean();
        self.points
            .iter()
            .fold(Fraction::zero(), |sum, (net, probability)| sum + (net - &mean).pow(order) * probability)
    }

    /// Third central moment over the cube of the standard deviation; zero for a net that never varies.
    pub fn skewness(&self) -> f64 {
        let deviation = fraction::value(&self.variance()).sqrt();
        if deviation == 0.0 { 0.0 } else { fraction::value(&self.central_moment(3)) / deviation.powi(3) }
    }
}

/// The least common denominator of some fractions.
pub(crate) fn common_denominator<'a>(values: impl IntoIterator<Item = &'a Fraction>) -> BigInt {
    values.into_iter().fold(BigInt::one(), |common, value| common.lcm(value.denom()))
}

/// `value * scale` as an integer, if it is a small one.
pub(crate) fn to_units(value: &Fraction, scale: &BigInt) -> Option<i64> {
    let scaled = value * Fraction::from(scale.clone());
    if scaled.is_integer() { scaled.to_integer().to_i64() } else { None }
}
