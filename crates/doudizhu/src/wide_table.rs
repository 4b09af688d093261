//! The least number of plays of every hand without runs in which wild cards make up to eight of a rank.
//!
//! The four wild cards add at most four to the ranks held four times, so there are twelve ways in which ranks are held
//! more often than that. Each has the shapes of [`ShapeTable`](super::shape_table::ShapeTable) for the other ranks.

use super::counts::lanes;
use super::play::Play;
use super::rules::Rules;
use super::shape_table::{Move, SHAPES, Shape, Table, index_of};

/// The table of one rule set: three bytes a shape, 260 KB.
pub(super) struct WideTable {
    plays: Vec<u8>,
    /// Index of a best first play in `moves`.
    best: Vec<u16>,
    moves: Vec<Move>,
}

/// How many ranks are held five, six, seven and eight times.
type Excess = [u8; 4];

/// Every excess of at most four cards. A play leaves a smaller one or the same, in the order of the list.
const EXCESSES: [Excess; 12] = [
    [0, 0, 0, 0],
    [1, 0, 0, 0],
    [2, 0, 0, 0],
    [3, 0, 0, 0],
    [4, 0, 0, 0],
    [0, 1, 0, 0],
    [1, 1, 0, 0],
    [2, 1, 0, 0],
    [0, 2, 0, 0],
    [0, 0, 1, 0],
    [1, 0, 1, 0],
    [0, 0, 0, 1],
];

impl WideTable {
    /// Fills the table, from the smallest hand up. It takes some tenths of a second.
    pub(super) fn new(rules: &Rules) -> Self {
        let moves = Move::all(rules, 8);
        let steps: Vec<Step> = moves.iter().map(|candidate| Step::of(*candidate)).collect();
        let mut table = Self {
            plays: vec![u8::MAX; EXCESSES.len() * SHAPES],
            best: vec![0; EXCESSES.len() * SHAPES],
            moves,
        };
        table.plays[0] = 0;
        for excess in EXCESSES {
            let over = excess.iter().sum::<u8>();
            for shape in Shape::all().filter(|shape| shape.ranks() + over <= 13) {
                let hand = Wide::new(shape, excess);
                let index = hand.index();
                for (number, step) in steps.iter().enumerate() {
                    let Some(left) = step.apply(hand) else { continue };
                    let plays = table.plays[left.index()].saturating_add(1);
                    if plays < table.plays[index] {
                        table.plays[index] = plays;
                        table.best[index] = number as u16;
                    }
                }
            }
        }
        table
    }

    /// A best first play of these cards when no run is played; `None` of no cards.
    pub(super) fn best(&self, cards: u64) -> Option<Play> {
        (cards != 0).then(|| self.moves[usize::from(self.best[wide_index_of(cards)])].play(cards))
    }
}

impl Table for WideTable {
    const IS_WIDE: bool = true;

    fn plays(&self, cards: u64) -> u8 {
        self.plays[wide_index_of(cards)]
    }
}

/// The place of a hand: its excess, then the shape of the ranks held at most four times.
fn wide_index_of(cards: u64) -> usize {
    let [five, six, seven, eight] = [5, 6, 7, 8].map(|count| lanes::held_exactly(cards, count));
    let over = five | six | seven | eight;
    if over == 0 {
        return index_of(cards);
    }
    let excess = [five, six, seven, eight].map(|ranks| lanes::number(ranks) as u8);
    place_of(excess) * SHAPES + index_of(cards & !(over * 15))
}

/// The place in [`EXCESSES`].
fn place_of(excess: Excess) -> usize {
    EXCESSES.iter().position(|known| *known == excess).unwrap_or_default()
}

/// A hand as far as it matters: how many ranks are held once to eight times, and how many jokers.
#[derive(Clone, Copy)]
struct Wide {
    /// By one less than the number of cards of the rank.
    held: [u8; 8],
    jokers: u8,
}

impl Wide {
    fn new(shape: Shape, excess: Excess) -> Self {
        let ([once, twice, thrice, four], jokers) = shape.parts();
        let [five, six, seven, eight] = excess;
        Self { held: [once, twice, thrice, four, five, six, seven, eight], jokers }
    }

    fn index(self) -> usize {
        let [once, twice, thrice, four, excess @ ..] = self.held;
        place_of(excess) * SHAPES + Shape::new([once, twice, thrice, four], self.jokers).index()
    }
}

/// What a move does to a hand. All ranks it takes from go out before any comes back smaller: they are different ones.
struct Step {
    out: [u8; 8],
    back: [u8; 8],
    jokers: u8,
}

impl Step {
    fn of(candidate: Move) -> Self {
        let (takes, jokers) = candidate.takes();
        let (mut out, mut back) = ([0; 8], [0; 8]);
        for (held, taken) in takes.into_iter().flatten() {
            out[usize::from(held) - 1] += 1;
            if held > taken {
                back[usize::from(held - taken) - 1] += 1;
            }
        }
        Self { out, back, jokers }
    }

    /// The hand that remains, if it has the ranks for the move.
    fn apply(&self, hand: Wide) -> Option<Wide> {
        let jokers = hand.jokers.checked_sub(self.jokers)?;
        let mut held = hand.held;
        for (held, out) in held.iter_mut().zip(self.out) {
            *held = held.checked_sub(out)?;
        }
        for (held, back) in held.iter_mut().zip(self.back) {
            *held += back;
        }
        Some(Wide { held, jokers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Preset, Solver};

    #[test]
    fn hands_without_excess_take_as_many_plays_as_in_the_narrow_table() {
        for preset in Preset::ALL {
            let (solver, wide) = (Solver::new(preset.rules()), WideTable::new(&preset.rules()));
            for shape in Shape::all() {
                assert_eq!(wide.plays[shape.index()], solver.plays_of(shape), "{preset:?} {shape:?}");
            }
        }
    }
}
