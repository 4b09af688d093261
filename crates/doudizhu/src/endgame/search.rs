//! The search for the side that wins: depth-first, until one play that wins is found or all have failed.

use super::position::{Game, Position};
use super::table::Table;
use crate::counts::Counts;
use crate::min_plays::Solver;
use crate::play::{Kind, Play};
use std::cmp::Reverse;

/// The caller stopped the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// A search over positions of one endgame. What it has found stays in its table.
pub(super) struct Search<'a, const SEATS: usize> {
    game: &'a Game,
    least: LeastPlays<'a>,
    table: Table<SEATS>,
    positions: u64,
    go_on: &'a mut dyn FnMut(u64) -> bool,
    /// The plays still to be tried in the positions on the way to the present one, one position after the other.
    plays: Vec<(Order, Play)>,
}

/// What is tried first: other plays before bombs on a play, then what leaves the fewest plays, then the most cards, then
/// the lowest rank.
type Order = (bool, u8, Reverse<u8>, usize);

/// The number of positions after which the search asks the caller whether to go on.
const POSITIONS_BETWEEN_QUESTIONS: u64 = 1 << 10;

impl<'a, const SEATS: usize> Search<'a, SEATS> {
    pub(super) fn new(
        game: &'a Game,
        solver: &'a Solver,
        most_bytes: usize,
        go_on: &'a mut dyn FnMut(u64) -> bool,
    ) -> Self {
        Self {
            game,
            least: LeastPlays::new(solver),
            table: Table::new(most_bytes),
            positions: 0,
            go_on,
            plays: Vec::new(),
        }
    }

    /// How many positions have been searched so far.
    pub(super) const fn positions(&self) -> u64 {
        self.positions
    }

    /// The plays of a position in the order in which they are tried.
    pub(super) fn ordered_plays(&mut self, position: &Position<SEATS>) -> Vec<Play> {
        let first = self.push_plays(position);
        self.plays.drain(first..).map(|(_, play)| play).collect()
    }

    /// Whether the first side wins a position: the first hand of two, or the landlord of three. No hand is empty.
    pub(super) fn first_side_wins(&mut self, mut position: Position<SEATS>) -> Result<bool, Stopped> {
        while position.must_pass() {
            position = position.after_pass();
        }
        let mover = position.first_side_moves();
        let key = position.key(self.game);
        if let Some(mover_wins) = self.table.get(&key) {
            return Ok(mover_wins == mover);
        }
        self.positions += 1;
        if self.positions.is_multiple_of(POSITIONS_BETWEEN_QUESTIONS) && !(self.go_on)(self.positions) {
            return Err(Stopped);
        }
        let before = self.positions;
        let first = self.push_plays(&position);
        let mover_wins = self.mover_wins(&position, first)?;
        self.plays.truncate(first);
        self.table.insert(&key, mover_wins, self.positions - before);
        Ok(mover_wins == mover)
    }

    /// Tries the plays that were pushed from `first` on, then a pass. A pass comes last: it hands over the lead.
    fn mover_wins(&mut self, position: &Position<SEATS>, first: usize) -> Result<bool, Stopped> {
        let mover = position.first_side_moves();
        let hand = position.hands[position.to_move];
        if self.plays[first..].iter().any(|(_, play)| play.cards() == hand) {
            return Ok(true);
        }
        for at in first..self.plays.len() {
            let (_, play) = self.plays[at];
            if self.first_side_wins(position.after(play))? == mover {
                return Ok(true);
            }
        }
        Ok(position.beat.is_some() && self.first_side_wins(position.after_pass())? == mover)
    }

    /// Pushes the plays of a position in their order, and returns where they begin.
    fn push_plays(&mut self, position: &Position<SEATS>) -> usize {
        let first = self.plays.len();
        let hand = position.hands[position.to_move].bits();
        let follows = position.beat.is_some();
        let Self { plays, least, .. } = self;
        position.each_play(self.game, |play| {
            let cards = play.cards();
            let bombs = follows && matches!(play.kind(), Kind::Bomb | Kind::Rocket);
            let left = least.of(Counts::from_bits(hand - cards.bits()));
            plays.push(((bombs, left, Reverse(cards.total()), play.rank().index()), play));
        });
        plays[first..].sort_by_key(|(order, _)| *order);
        first
    }
}

/// The least number of plays of the hands met last.
struct LeastPlays<'a> {
    solver: &'a Solver,
    met: Vec<(Counts, u8)>,
}

impl<'a> LeastPlays<'a> {
    const BITS: u32 = 12;

    fn new(solver: &'a Solver) -> Self {
        Self { solver, met: vec![(Counts::EMPTY, 0); 1 << Self::BITS] }
    }

    fn of(&mut self, hand: Counts) -> u8 {
        let at = (hand.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS)) as usize;
        let (met, least) = &mut self.met[at];
        if *met != hand {
            (*met, *least) = (hand, self.solver.min_plays(hand));
        }
        *least
    }
}
