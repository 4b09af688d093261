//! The least number of plays, and the plays.

use std::sync::OnceLock;

use super::card::Rank;
use super::counts::Counts;
use super::play::{Kind, Play};
use super::rules::Rules;
use super::search::{self, Run};
use super::shape_table::{Shape, ShapeTable, Table};
use super::wide_table::WideTable;

/// Answers for one rule set. Built once (about a millisecond, 14 KB), then shared by reference; it never changes.
///
/// ```
/// use kibitz_doudizhu::{Hand, Preset, Solver};
/// let hand = Hand::from_text("345678899TT").unwrap();
/// let plan = Solver::new(Preset::Standard.rules()).solve(hand.counts());
/// assert_eq!(plan.plays().len(), 2); // 34567 and 8899TT, not the longest straight
/// ```
pub struct Solver {
    pub(super) rules: Rules,
    table: ShapeTable,
    /// Made when wild cards are first asked about.
    pub(super) wild: OnceLock<WideTable>,
}

impl Solver {
    /// Builds the tables of a rule set.
    pub fn new(rules: Rules) -> Self {
        Self { rules, table: ShapeTable::new(&rules), wild: OnceLock::new() }
    }

    /// The rules it answers for.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The least number of legal plays that use every card once; 0 of no cards.
    pub fn min_plays(&self, cards: Counts) -> u8 {
        self.search(cards).plays
    }

    /// The same if it is above a limit. Finding out that it is not is much cheaper than finding the least number.
    pub(super) fn min_plays_above(&self, cards: Counts, limit: u8) -> Option<u8> {
        let plays = search::search_until(&self.rules, &self.table, cards.bits(), limit).plays;
        (plays > limit).then_some(plays)
    }

    /// A shortest way to play the cards out: always the same for the same cards.
    pub fn solve(&self, cards: Counts) -> Plan {
        Plan::of(&self.search(cards), |left| self.table.best(left))
    }

    /// The least number of plays without any straight, pair straight or plane.
    pub(super) fn plays_without_runs(&self, cards: Counts) -> u8 {
        self.table.plays(cards.bits())
    }

    /// The least number of plays of a hand without runs of that shape.
    pub(super) fn plays_of(&self, shape: Shape) -> u8 {
        self.table.plays_of(shape)
    }

    /// How many sets of runs and wings the search looks at for these cards: its work, whatever the machine.
    pub fn search_steps(&self, cards: Counts) -> u64 {
        self.search(cards).steps
    }

    fn search(&self, cards: Counts) -> search::Found {
        search::search(&self.rules, &self.table, cards.bits())
    }
}

/// The play that a run and its wings make.
fn run_play(run: Run, wings: Counts) -> Play {
    let kind = match (run.copies, wings.total() / run.length) {
        (1, _) => Kind::Straight,
        (2, _) => Kind::PairStraight,
        (_, 0) => Kind::Plane,
        (_, 1) => Kind::PlaneSingles,
        (_, _) => Kind::PlanePairs,
    };
    Play::new(kind, Rank::ALL[usize::from(run.start)], run.length, wings)
}

/// Plays that together use every card of a hand exactly once. Holds them in place: making one allocates nothing.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    plays: [Play; Self::LONGEST],
    number: usize,
}

impl Plan {
    /// Each of the thirteen ranks can be played at once, and the jokers together.
    const LONGEST: usize = 14;
    pub(super) const EMPTY: Self =
        Self { plays: [Play::new(Kind::Single, Rank::Three, 1, Counts::EMPTY); Self::LONGEST], number: 0 };

    /// The runs that a search found, then what `best` plays first of the cards left, over and over.
    pub(super) fn of(found: &search::Found, best: impl Fn(u64) -> Option<Play>) -> Self {
        let mut plan = Self::EMPTY;
        for (run, wings) in found.runs() {
            plan.push(run_play(run, Counts::from_bits(wings)));
        }
        let mut left = found.left;
        while let Some(play) = best(left) {
            left -= play.cards().bits();
            plan.push(play);
        }
        plan
    }

    /// The plays: planes, pair straights and straights first, then the rest.
    pub fn plays(&self) -> &[Play] {
        &self.plays[..self.number]
    }

    fn push(&mut self, play: Play) {
        self.plays[self.number] = play;
        self.number += 1;
    }
}
