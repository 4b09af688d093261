//! Integer counts: the result of a chunk, and the sum of chunks in their order.

use std::collections::BTreeMap;

use super::amounts::Amounts;
use super::schedule::Schedule;

/// What was counted. Sums of these are the same in whatever order they are taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Decisions or sessions played to their end.
    pub finished: u64,
    /// Rolls of the dice.
    pub rolls: u64,
    /// For decisions the outcomes, bet after bet; for sessions success, ruin, still playing, and then the histogram of
    /// the last bankroll.
    pub cells: Vec<u64>,
    /// The last bankrolls of sessions.
    pub amounts: Amounts,
    /// Decisions that gained something.
    pub ahead: u64,
    /// Sum of the net of each decision, or of the last bankroll of each session, in units.
    pub sum: i128,
    /// Sum of the squares of the same.
    pub sum_of_squares: i128,
    /// Sum over decisions of their rolls squared (counted for sets of bets), or over sessions of their rounds squared.
    pub length_squared: u128,
    /// Rounds of all sessions.
    pub rounds: u64,
}

impl Counts {
    pub(super) fn zero(cells: usize) -> Self {
        Self { cells: vec![0; cells], ..Self::default() }
    }

    pub(super) fn add_decision(&mut self, rolls: u64, net: i64) {
        self.finished += 1;
        self.rolls += rolls;
        self.length_squared += u128::from(rolls * rolls);
        self.ahead += u64::from(net > 0);
        self.sum += i128::from(net);
        self.sum_of_squares += i128::from(net) * i128::from(net);
    }

    pub(super) fn add_session(&mut self, rounds: u32, state: i64) {
        self.finished += 1;
        self.rounds += u64::from(rounds);
        self.length_squared += u128::from(rounds) * u128::from(rounds);
        self.sum += i128::from(state);
        self.sum_of_squares += i128::from(state) * i128::from(state);
    }

    /// Decisions of one bet from the counts of its outcomes.
    pub(super) fn of_outcomes(cells: Vec<u64>, rolls: u64, nets: &[i64]) -> Self {
        let mut counts = Self { rolls, ..Self::default() };
        for (&count, &net) in cells.iter().zip(nets) {
            counts.finished += count;
            counts.ahead += if net > 0 { count } else { 0 };
            counts.sum += i128::from(count) * i128::from(net);
            counts.sum_of_squares += i128::from(count) * i128::from(net) * i128::from(net);
        }
        counts.cells = cells;
        counts
    }

    /// Adds the counts of another chunk.
    pub fn merge(&mut self, other: &Self) {
        if self.cells.len() < other.cells.len() {
            self.cells.resize(other.cells.len(), 0);
        }
        for (sum, count) in self.cells.iter_mut().zip(&other.cells) {
            *sum += count;
        }
        self.amounts.merge(&other.amounts);
        self.finished += other.finished;
        self.rolls += other.rolls;
        self.ahead += other.ahead;
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
        self.length_squared += other.length_squared;
        self.rounds += other.rounds;
    }
}

/// One point of the convergence curve, as counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) finished: u64,
    /// The sums of the net for decisions, the successes for sessions.
    pub(super) sum: i128,
    pub(super) sum_of_squares: i128,
}

/// The running total of a simulation. Chunks may arrive in any order; they count in theirs, so that the total and its
/// curve are the same however many threads there are.
#[derive(Debug, Clone)]
pub struct Tally {
    total: Counts,
    /// Chunks in the total.
    chunks: u64,
    waiting: BTreeMap<u64, Counts>,
    marks_at: Vec<u64>,
    marks: Vec<Mark>,
    sessions: bool,
}

impl Tally {
    pub(super) fn new(schedule: &Schedule, sessions: bool) -> Self {
        Self {
            total: Counts::default(),
            chunks: 0,
            waiting: BTreeMap::new(),
            marks_at: schedule.curve(),
            marks: Vec::new(),
            sessions,
        }
    }

    /// Takes the counts of a chunk. Each chunk must come once; at most as many wait as run at the same time.
    pub fn add(&mut self, chunk: u64, counts: Counts) {
        self.waiting.insert(chunk, counts);
        while let Some(next) = self.waiting.remove(&self.chunks) {
            self.total.merge(&next);
            self.chunks += 1;
            if self.marks_at.get(self.marks.len()) == Some(&self.chunks) {
                self.marks.push(self.mark());
            }
        }
    }

    /// The counts of all chunks from the first on without a gap.
    pub fn total(&self) -> &Counts {
        &self.total
    }

    /// How many chunks the total holds.
    pub fn chunks(&self) -> u64 {
        self.chunks
    }

    /// The curve so far, the total as its last point.
    pub(super) fn marks(&self) -> Vec<Mark> {
        let mut marks = self.marks.clone();
        if self.total.finished > 0 && marks.last().is_none_or(|last| last.finished < self.total.finished) {
            marks.push(self.mark());
        }
        marks
    }

    fn mark(&self) -> Mark {
        let total = &self.total;
        if self.sessions {
            let success = i128::from(total.cells[0]);
            Mark { finished: total.finished, sum: success, sum_of_squares: success }
        } else {
            Mark { finished: total.finished, sum: total.sum, sum_of_squares: total.sum_of_squares }
        }
    }
}
