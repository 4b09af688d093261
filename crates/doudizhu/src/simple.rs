//! The textbook exercise's own state: a hand told by how many ranks are held how often.

use super::min_plays::Solver;
use super::rules::Rules;
use super::shape_table::Shape;
use serde::Serialize;
use thiserror::Error;

/// The state of "斗地主 (简单 DP)": how many ranks are held once, twice, three and four times, and whether both jokers
/// are held. A single joker counts among the singles.
///
/// ```
/// use kibitz_doudizhu::{HandShape, Preset, Solver};
/// let shape = HandShape { singles: 3, pairs: 2, triples: 1, bombs: 0, rocket: true };
/// let solver = Solver::new(Preset::Simple.rules());
/// // A triple with a single, two singles, two pairs, the rocket.
/// assert_eq!(solver.min_plays_of_shape(shape), Ok(6));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct HandShape {
    /// Ranks held once, a single joker included.
    pub singles: u8,
    /// Ranks held twice.
    pub pairs: u8,
    /// Ranks held three times.
    pub triples: u8,
    /// Ranks held four times.
    pub bombs: u8,
    /// Whether both jokers are held.
    pub rocket: bool,
}

impl HandShape {
    /// How many cards it is.
    pub const fn card_count(self) -> u32 {
        let cards =
            self.singles as u32 + 2 * self.pairs as u32 + 3 * self.triples as u32 + 4 * self.bombs as u32;
        if self.rocket { cards + 2 } else { cards }
    }

    /// Whether some hand of one deck has this shape, and the shape tells enough under these rules.
    ///
    /// # Errors
    /// Why not.
    pub fn check(self, rules: &Rules) -> Result<(), ShapeFault> {
        if rules.runs {
            return Err(ShapeFault::RulesHaveRuns);
        }
        self.shape().map(|_| ())
    }

    /// The shape in the table's terms. Where 14 ranks are held one of the singles is a joker; where fewer are, it does
    /// not matter, since without runs a joker plays like any other single.
    fn shape(self) -> Result<Shape, ShapeFault> {
        let ranks = [self.singles, self.pairs, self.triples, self.bombs].map(u32::from).iter().sum();
        let joker = u8::from(ranks == 14 && self.singles > 0 && !self.rocket);
        match ranks {
            0 if !self.rocket => return Err(ShapeFault::Empty),
            0..=13 => {}
            14 if joker == 1 => {}
            _ => return Err(ShapeFault::TooManyRanks { ranks }),
        }
        let held = [self.singles - joker, self.pairs, self.triples, self.bombs];
        Ok(Shape::new(held, if self.rocket { 2 } else { joker }))
    }
}

impl Solver {
    /// The least number of plays of a hand that is only told by its shape.
    ///
    /// # Errors
    /// Where no hand of one deck has that shape, or the rules have runs: then a shape does not tell enough.
    pub fn min_plays_of_shape(&self, shape: HandShape) -> Result<u8, ShapeFault> {
        shape.check(self.rules())?;
        shape.shape().map(|shape| self.plays_of(shape))
    }
}

/// Why a shape has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ShapeFault {
    /// It holds no card.
    #[error("the shape is empty; give at least one card")]
    Empty,
    /// It holds more ranks than a deck has.
    #[error(
        "{ranks} ranks are held; a deck has 13, and a joker may be one more single if there is no rocket"
    )]
    TooManyRanks {
        /// How many are held, the rocket apart.
        ranks: u32,
    },
    /// The rules have straights, so the ranks themselves matter.
    #[error("these rules have runs, so a shape does not tell enough; give the cards, or the rules `simple`")]
    RulesHaveRuns,
}

impl ShapeFault {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty_hand",
            Self::TooManyRanks { .. } => "too_many_ranks",
            Self::RulesHaveRuns => "shape_needs_simple_rules",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

    /// The exercise's recursion, cured of its lost signs, over plain numbers with free splitting.
    fn brute_force(shape: [u8; 5], known: &mut std::collections::HashMap<[u8; 5], u8>) -> u8 {
        if let Some(&plays) = known.get(&shape) {
            return plays;
        }
        if shape == [0; 5] {
            return 0;
        }
        // Singles, pairs, triples, bombs, rocket: what a step takes, what it gives, and whether it is a play.
        const STEPS: [([u8; 5], [u8; 5], u8); 14] = [
            ([1, 0, 0, 0, 0], [0, 0, 0, 0, 0], 1),
            ([0, 1, 0, 0, 0], [0, 0, 0, 0, 0], 1),
            ([0, 0, 1, 0, 0], [0, 0, 0, 0, 0], 1),
            ([0, 0, 0, 1, 0], [0, 0, 0, 0, 0], 1),
            ([0, 0, 0, 0, 1], [0, 0, 0, 0, 0], 1),
            ([1, 0, 1, 0, 0], [0, 0, 0, 0, 0], 1),
            ([0, 1, 1, 0, 0], [0, 0, 0, 0, 0], 1),
            ([0, 0, 0, 0, 1], [2, 0, 0, 0, 0], 0),
            ([0, 1, 0, 0, 0], [2, 0, 0, 0, 0], 0),
            ([0, 0, 1, 0, 0], [1, 1, 0, 0, 0], 0),
            ([0, 0, 1, 0, 0], [3, 0, 0, 0, 0], 0),
            ([0, 0, 0, 1, 0], [0, 2, 0, 0, 0], 0),
            ([0, 0, 0, 1, 0], [1, 0, 1, 0, 0], 0),
            ([0, 0, 0, 1, 0], [4, 0, 0, 0, 0], 0),
        ];
        let mut least = u8::MAX;
        for (takes, gives, play) in STEPS {
            if takes.iter().zip(shape).all(|(&take, held)| take <= held) {
                let left = std::array::from_fn(|i| shape[i] - takes[i] + gives[i]);
                least = least.min(play + brute_force(left, known));
            }
        }
        known.insert(shape, least);
        least
    }

    #[test]
    fn the_exercise_is_exact_on_every_shape() {
        let solver = Solver::new(Preset::Simple.rules());
        let (mut known, mut number) = (std::collections::HashMap::new(), 0);
        for four in 0..=13 {
            for three in 0..=13 - four {
                for two in 0..=13 - four - three {
                    for one in 0..=13 - four - three - two {
                        for jokers in 0..=2u8 {
                            let alone = u8::from(jokers == 1);
                            let table = solver.plays_of(Shape::new([one, two, three, four], jokers));
                            let state = [one + alone, two, three, four, u8::from(jokers == 2)];
                            assert_eq!(table, brute_force(state, &mut known), "{state:?}");
                            let [singles, pairs, triples, bombs, _] = state;
                            let shape = HandShape { singles, pairs, triples, bombs, rocket: jokers == 2 };
                            let want =
                                if shape.card_count() == 0 { Err(ShapeFault::Empty) } else { Ok(table) };
                            assert_eq!(solver.min_plays_of_shape(shape), want);
                            number += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(number, 7_140);
    }

    #[test]
    fn impossible_shapes_are_rejected() {
        let solver = Solver::new(Preset::Simple.rules());
        let none = HandShape { singles: 0, pairs: 0, triples: 0, bombs: 0, rocket: false };
        assert_eq!(solver.min_plays_of_shape(none), Err(ShapeFault::Empty));
        for (shape, ranks) in [
            (HandShape { singles: 15, ..none }, 15),
            (HandShape { pairs: 14, ..none }, 14),
            (HandShape { singles: 14, rocket: true, ..none }, 14),
            (HandShape { singles: 255, pairs: 255, triples: 255, bombs: 255, ..none }, 1020),
        ] {
            assert_eq!(solver.min_plays_of_shape(shape), Err(ShapeFault::TooManyRanks { ranks }));
        }
        let runs = Solver::new(Preset::Standard.rules());
        assert_eq!(runs.min_plays_of_shape(HandShape { singles: 5, ..none }), Err(ShapeFault::RulesHaveRuns));
    }
}
