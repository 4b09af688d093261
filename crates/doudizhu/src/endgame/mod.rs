//! Endgames (残局): who wins when all hands are open, and by which plays.

mod explain;
mod fault;
mod key;
mod position;
mod search;
mod table;

use crate::counts::Counts;
use crate::min_plays::Solver;
use crate::play::{Kind, Play};
pub use fault::EndgameFault;
use position::{Game, Position};
use search::{Search, Stopped};
use std::cmp::Reverse;

/// Two or three open hands, who is to move, and the play on the table.
///
/// Seats are numbered in the order of play. Two hands play against each other. Of three, seat 0 is the landlord, who
/// plays against seat 1 (the next player) and seat 2 (the previous one). The side of the first empty hand wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endgame {
    hands: Vec<Counts>,
    to_move: usize,
    beat: Option<(usize, Play)>,
    forbidden: Vec<Kind>,
}

/// The most that the table of a search takes.
const TABLE_BYTES: usize = 64 << 20;

impl Endgame {
    /// An endgame. `beat` is the play to beat and the seat that made it; if it is `None`, the seat to move leads. Nobody
    /// may make a play of a kind in `forbidden`.
    ///
    /// # Errors
    /// Everything that is wrong: the number of hands, an empty hand, more cards of a rank than a deck has, a seat that
    /// does not exist, the player to move being the one to beat, a forbidden single or a play to beat of a forbidden kind.
    pub fn new(
        hands: &[Counts],
        to_move: usize,
        beat: Option<(usize, Play)>,
        forbidden: &[Kind],
    ) -> Result<Self, Vec<EndgameFault>> {
        let faults = fault::faults(hands, to_move, beat, forbidden);
        if faults.is_empty() {
            Ok(Self { hands: hands.to_vec(), to_move, beat, forbidden: forbidden.to_vec() })
        } else {
            Err(faults)
        }
    }

    /// The hands by seat.
    pub fn hands(&self) -> &[Counts] {
        &self.hands
    }

    /// The seat to move.
    pub const fn to_move(&self) -> usize {
        self.to_move
    }

    /// Whether two seats are on one side.
    pub const fn are_partners(&self, one: usize, other: usize) -> bool {
        one == other || self.hands.len() == 3 && one > 0 && other > 0
    }

    /// Solves the endgame under the solver's rules.
    ///
    /// `go_on` is asked about every thousand positions, with their number so far, whether to search on. If it says no,
    /// what is not proved is left open. The table of positions takes at most 64 MB.
    ///
    /// ```
    /// use kibitz_doudizhu::{Endgame, Hand, Preset, Solver};
    /// let cards = |text| Hand::from_text(text).unwrap().counts();
    /// let endgame = Endgame::new(&[cards("3455KK"), cards("345522")], 0, None, &[]).unwrap();
    /// let solution = endgame.solve(&Solver::new(Preset::Standard.rules()), |_| true);
    /// assert_eq!(solution.wins(), Some(true));
    /// assert_eq!(solution.line()[0].play.unwrap().to_string(), "4");
    /// ```
    pub fn solve(&self, solver: &Solver, go_on: impl FnMut(u64) -> bool) -> Solution {
        self.solve_within(solver, TABLE_BYTES, go_on)
    }

    /// The same with a table of at most `bytes`. A small table costs time, and never a wrong result.
    pub fn solve_within(
        &self,
        solver: &Solver,
        bytes: usize,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Solution {
        let game = Game::new(*solver.rules(), &self.forbidden);
        match self.hands[..] {
            [one, other] => self.run(Search::new(&game, solver, bytes, &mut go_on), [one, other]),
            [landlord, next, previous] => {
                self.run(Search::new(&game, solver, bytes, &mut go_on), [landlord, next, previous])
            }
            _ => unreachable!("two or three hands were checked"),
        }
    }

    fn run<const SEATS: usize>(&self, mut search: Search<'_, SEATS>, hands: [Counts; SEATS]) -> Solution {
        let position = Position { hands, to_move: self.to_move, beat: self.beat };
        let options = options(&mut search, &position);
        let mut stopped = false;
        let mut moves: Vec<Move> = options
            .iter()
            .map(|&play| {
                let wins = if stopped { None } else { mover_wins(&mut search, &position, play).ok() };
                stopped |= wins.is_none();
                Move { play, wins }
            })
            .collect();
        let positions = search.positions();
        let decided = moves.iter().find(|one| one.wins == Some(true)).or(moves.first());
        let line = match decided {
            Some(first) if !stopped => line(&mut search, position, first.play),
            _ => Vec::new(),
        };
        sort(&mut moves);
        Solution { moves, line, positions }
    }
}

/// The plays of a position in the order in which the search tries them, and a pass if one may be made.
fn options<const SEATS: usize>(
    search: &mut Search<'_, SEATS>,
    position: &Position<SEATS>,
) -> Vec<Option<Play>> {
    let plays = search.ordered_plays(position);
    plays.into_iter().map(Some).chain(position.beat.map(|_| None)).collect()
}

/// Whether the side to move wins after that play, or after a pass.
fn mover_wins<const SEATS: usize>(
    search: &mut Search<'_, SEATS>,
    position: &Position<SEATS>,
    play: Option<Play>,
) -> Result<bool, Stopped> {
    let after = play.map_or_else(|| position.after_pass(), |play| position.after(play));
    let first_side_wins = match after.winner() {
        Some(first_side_wins) => first_side_wins,
        None => search.first_side_wins(after)?,
    };
    Ok(first_side_wins == position.first_side_moves())
}

/// A line of best play that begins with `play`; shorter if the search is stopped.
fn line<const SEATS: usize>(
    search: &mut Search<'_, SEATS>,
    mut position: Position<SEATS>,
    mut play: Option<Play>,
) -> Vec<Turn> {
    let mut line = Vec::new();
    loop {
        line.push(Turn { seat: position.to_move, play });
        position = play.map_or_else(|| position.after_pass(), |play| position.after(play));
        if position.winner().is_some() {
            return line;
        }
        let options = options(search, &position);
        // A player who loses anyway makes the first play that comes.
        play = options[0];
        for &option in &options {
            match mover_wins(search, &position, option) {
                Ok(true) => {
                    play = option;
                    break;
                }
                Ok(false) => {}
                Err(Stopped) => return line,
            }
        }
    }
}

/// Sorts winning moves first, then those that are open; among them by kind, rank and length, a pass last. Of several
/// readings of the same cards as one kind, keeps the best.
fn sort(moves: &mut Vec<Move>) {
    let result = |one: &Move| Reverse(one.wins.map_or(1, |wins| if wins { 2 } else { 0 }));
    moves.sort_by_key(|one| {
        one.play.map(|play| (play.kind(), play.cards(), result(one), Reverse(play.rank())))
    });
    moves.dedup_by_key(|one| one.play.map(|play| (play.kind(), play.cards())));
    moves.sort_by_key(|one| {
        let play = one.play.map(|play| (play.kind(), play.rank(), play.length(), play.kickers()));
        (result(one), play.is_none(), play)
    });
}

/// What is known of an endgame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    moves: Vec<Move>,
    line: Vec<Turn>,
    positions: u64,
}

/// A play or a pass of the seat to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The play; `None` for a pass.
    pub play: Option<Play>,
    /// Whether the side to move wins after it; `None` if that is not known.
    pub wins: Option<bool>,
}

/// A play or a pass in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Who makes it.
    pub seat: usize,
    /// The play; `None` for a pass.
    pub play: Option<Play>,
}

impl Solution {
    /// Whether the side to move wins; `None` if that is not known.
    pub fn wins(&self) -> Option<bool> {
        if self.moves.iter().any(|one| one.wins == Some(true)) {
            return Some(true);
        }
        self.is_complete().then_some(false)
    }

    /// Whether the result of every move is known.
    pub fn is_complete(&self) -> bool {
        self.moves.iter().all(|one| one.wins.is_some())
    }

    /// Every play that may be made, and a pass if one may be: the winning ones first, then those not known, then the
    /// losing ones. Of several readings of the same cards as one kind, the best is listed.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// One line of best play to the end, passes included. The side that wins never lets go of the win; the other side
    /// makes the play that the search would try first. Empty if a move is not known.
    pub fn line(&self) -> &[Turn] {
        &self.line
    }

    /// How many positions were searched to know the moves.
    pub const fn positions(&self) -> u64 {
        self.positions
    }
}

#[cfg(test)]
mod tests;
