//! A bet's automaton as a table for the byte-a-roll engines.

use crate::automaton::{Automaton, Step};
use crate::dice::Dice;

/// Bytes below this are rolls, seven for each pair of dice; the others are drawn again.
const FAIR: usize = 7 * Dice::COUNT;

/// The table. A byte picks a column (pairs that never differ share one), a row and a column pick an [`Entry`].
pub(super) struct Table {
    columns: [u8; 256],
    entries: Vec<Entry>,
    start: Entry,
    outcomes: usize,
}

/// For each pair of dice the next row and a cell.
pub(super) type Row = [(usize, usize); Dice::COUNT];

/// Where a roll leads: the offset of the next row, and which cell counts the roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry(u32);

impl Entry {
    const CELL_SHIFT: u32 = 24;

    fn new(row: usize, stride: usize, cell: usize) -> Self {
        Self((row * stride) as u32 | (cell as u32) << Self::CELL_SHIFT)
    }

    /// An outcome, or one of the two cells after the outcomes: a roll that settles nothing, and a byte that is no roll.
    #[inline(always)]
    pub(super) fn cell(self) -> usize {
        (self.0 >> Self::CELL_SHIFT) as usize
    }

    #[inline(always)]
    fn row(self) -> usize {
        (self.0 & ((1 << Self::CELL_SHIFT) - 1)) as usize
    }
}

/// Cells of a table: outcomes, and the two cells for other bytes.
pub(super) const CELLS: usize = 256;

impl Table {
    /// Lays out an automaton whose bet is made again as soon as it is settled. One with several starts gets a row before
    /// them: bytes there are no rolls of the bet, they draw the start with its weight.
    pub(super) fn new(automaton: &Automaton) -> Self {
        let before = automaton.states().len();
        let first = match automaton.starts() {
            [(state, _)] => *state,
            _ => before,
        };
        let outcomes = automaton.outcomes().len();
        let mut rows: Vec<Row> = automaton
            .states()
            .iter()
            .map(|steps| {
                steps.map(|step| match step {
                    Step::Go(next) => (next, outcomes),
                    Step::Settle(outcome) => (first, outcome),
                })
            })
            .collect();
        if first == before {
            let draw = |pair| (drawn_start(automaton, pair).unwrap_or(before), outcomes + 1);
            rows.push(std::array::from_fn(draw));
        }
        Self::from_rows(&rows, first, outcomes)
    }

    /// A table of any rows: for each pair of dice the next row and the cell that counts the roll, an outcome or
    /// `outcomes` for none.
    pub(super) fn from_rows(rows: &[Row], first: usize, outcomes: usize) -> Self {
        let mut distinct: Vec<usize> = Vec::new();
        let mut columns = [0; 256];
        for (byte, column) in columns.iter_mut().enumerate().take(FAIR) {
            let pair = byte % Dice::COUNT;
            let same = |&other: &usize| rows.iter().all(|row| row[other] == row[pair]);
            let known = distinct.iter().position(same).unwrap_or_else(|| {
                distinct.push(pair);
                distinct.len() - 1
            });
            *column = known as u8;
        }
        columns[FAIR..].fill(distinct.len() as u8);
        let stride = (distinct.len() + 1).next_power_of_two();
        let mut entries = Vec::with_capacity(rows.len() * stride);
        for (here, row) in rows.iter().enumerate() {
            for column in 0..stride {
                let (next, cell) = distinct.get(column).map_or((here, outcomes + 1), |&pair| row[pair]);
                entries.push(Entry::new(next, stride, cell));
            }
        }
        Self { columns, entries, start: Entry::new(first, stride, outcomes + 1), outcomes }
    }

    /// Where a new bet begins.
    #[inline(always)]
    pub(super) fn start(&self) -> Entry {
        self.start
    }

    /// How many ways the bet ends: cells below are outcomes, the one here is a roll that settles nothing.
    #[inline(always)]
    pub(super) fn outcomes(&self) -> usize {
        self.outcomes
    }

    /// One byte: after a settlement the bet starts again.
    #[inline(always)]
    pub(super) fn advance(&self, entry: Entry, byte: u8) -> Entry {
        self.entries[entry.row() + usize::from(self.columns[usize::from(byte)])]
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.entries.len() / self.stride()
    }

    /// The row in which a new bet begins.
    pub(super) fn start_row(&self) -> usize {
        self.start.row() / self.stride()
    }

    /// For each pair of dice the next row and the cell.
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = (usize, usize)> {
        let stride = self.stride();
        let entries = &self.entries[row * stride..(row + 1) * stride];
        let columns = self.columns[..Dice::COUNT].iter();
        columns
            .map(move |&column| entries[usize::from(column)])
            .map(move |entry| (entry.row() / stride, entry.cell()))
    }

    /// Whether no roll leads out of a row or settles anything there.
    pub(super) fn is_end(&self, row: usize) -> bool {
        self.row(row).all(|(next, cell)| next == row && cell == self.outcomes)
    }

    fn stride(&self) -> usize {
        // The column of a byte that is no roll is the last.
        (usize::from(self.columns[FAIR]) + 1).next_power_of_two()
    }

    /// Whether a byte is a roll at all.
    #[inline(always)]
    pub(super) fn is_roll(byte: u8) -> bool {
        usize::from(byte) < FAIR
    }

    /// Whether an entry leads back to the row in which a bet begins.
    #[inline(always)]
    pub(super) fn is_at_start(&self, entry: Entry) -> bool {
        entry.row() == self.start.row()
    }
}

/// The start that a pair draws: as many pairs for each start as its weight says, none for the pairs left over.
pub(super) fn drawn_start(automaton: &Automaton, pair: usize) -> Option<usize> {
    let mut before = 0;
    automaton.starts().iter().find_map(|&(state, weight)| {
        before += weight as usize;
        (pair < before).then_some(state)
    })
}
