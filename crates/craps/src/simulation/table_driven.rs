//! The engines that follow one table, a byte a roll: a single bet, and bankroll sessions.

use std::ops::Range;

use rand::Rng;
use rand::rngs::Xoshiro256PlusPlus;

use super::amounts::Amounts;
use super::counts::Counts;
use super::random::{self, Bytes};
use super::table::{CELLS, Entry, Table};
use crate::bankroll::Grid;

/// Bets played side by side, so that one's table look-up hides behind the others'.
pub(super) const LANES: usize = 4;

/// Plays `decisions` decisions of one bet; the counts of its outcomes, and the rolls.
pub(super) fn run_single(table: &Table, seed: u64, chunk: u64, decisions: u64) -> (Vec<u64>, u64) {
    let mut lanes: [Lane; LANES] = std::array::from_fn(|lane| {
        Lane::new(table, random::stream(seed, chunk, lane as u64), share(decisions, lane))
    });
    // This number of bytes cannot settle too many bets.
    while let Some(words) = lanes.iter().map(|lane| lane.left(table) / 8).min().filter(|&words| words > 0) {
        for _ in 0..words {
            let mut words: [u64; LANES] = [0; LANES];
            for (word, lane) in words.iter_mut().zip(&mut lanes) {
                *word = lane.stream.next_u64();
            }
            for byte in 0..8 {
                for (word, lane) in words.iter().zip(&mut lanes) {
                    lane.advance(table, (word >> (8 * byte)) as u8);
                }
            }
        }
    }
    let mut cells = [0; CELLS];
    for lane in &mut lanes {
        let mut left = lane.left(table);
        while left > 0 {
            let word = lane.stream.next_u64();
            for byte in word.to_le_bytes() {
                if left > 0 {
                    lane.advance(table, byte);
                    left -= u64::from(lane.entry.cell() < table.outcomes());
                }
            }
        }
        for (sum, count) in cells.iter_mut().zip(lane.cells) {
            *sum += count;
        }
    }
    let outcomes = cells[..table.outcomes()].to_vec();
    let rolls = outcomes.iter().sum::<u64>() + cells[table.outcomes()];
    (outcomes, rolls)
}

/// The decisions that fall to a lane.
pub(super) fn share(decisions: u64, lane: usize) -> u64 {
    (decisions + (LANES - 1 - lane) as u64) / LANES as u64
}

/// One bet, made again as soon as it is settled.
struct Lane {
    stream: Xoshiro256PlusPlus,
    entry: Entry,
    cells: [u64; CELLS],
    decisions: u64,
}

impl Lane {
    fn new(table: &Table, stream: Xoshiro256PlusPlus, decisions: u64) -> Self {
        Self { stream, entry: table.start(), cells: [0; CELLS], decisions }
    }

    #[inline(always)]
    fn advance(&mut self, table: &Table, byte: u8) {
        self.entry = table.advance(self.entry, byte);
        self.cells[self.entry.cell() % CELLS] += 1;
    }

    /// Decisions still to be made.
    fn left(&self, table: &Table) -> u64 {
        self.decisions - self.cells[..table.outcomes()].iter().sum::<u64>()
    }
}

/// Plays `sessions` bankroll sessions of at most `max_rounds` bets. The cells are success, ruin, still playing, and then
/// the histogram of the last state.
pub(super) fn run_sessions(
    grid: &Grid,
    table: &Table,
    max_rounds: u32,
    bins: &Bins,
    seed: u64,
    chunk: u64,
    sessions: u64,
) -> Counts {
    let mut bytes = Bytes::new(seed, chunk, 0);
    let mut counts = Counts::zero(3 + bins.count());
    let mut amounts = Vec::with_capacity(sessions as usize);
    let full = grid.bands.len() - 1;
    for _ in 0..sessions {
        let (mut state, mut rounds) = (grid.start, 0);
        let ending = loop {
            if state >= grid.target {
                break 0;
            }
            if state < grid.ruined_below() {
                break 1;
            }
            if rounds == max_rounds {
                break 2;
            }
            rounds += 1;
            let mut entry = table.start();
            let outcome = loop {
                entry = table.advance(entry, bytes.next());
                let cell = entry.cell();
                counts.rolls += u64::from(cell <= table.outcomes());
                if cell < table.outcomes() {
                    break cell;
                }
            };
            let band = if state >= grid.bands[full] {
                full
            } else {
                grid.bands.partition_point(|&from| from <= state) - 1
            };
            state = state.saturating_add_signed(grid.net(band, outcome) as isize);
        };
        counts.cells[ending] += 1;
        counts.cells[3 + state / bins.width] += 1;
        counts.add_session(rounds, state as i64);
        amounts.push(state as u32);
    }
    counts.amounts = Amounts::of(amounts);
    counts
}

/// The bins of the histogram of last states: as wide as each other, but for the last, which ends where the states do.
pub(super) struct Bins {
    width: usize,
    end: usize,
}

impl Bins {
    /// The most bins.
    const MOST: usize = 40;
    /// The largest number of slices of the states. A bin is made of whole slices.
    const SLICES: usize = 2048;

    pub(super) fn of(grid: &Grid) -> Self {
        Self::of_states(grid.target + grid.highest_gain() + 1)
    }

    fn of_states(states: usize) -> Self {
        let slice = states.div_ceil(Self::SLICES);
        let slices = states.div_ceil(slice);
        Self { width: slice * slices.div_ceil(Self::MOST), end: slice * slices }
    }

    pub(super) fn count(&self) -> usize {
        self.end.div_ceil(self.width)
    }

    /// The states of each bin.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.end).step_by(self.width).map(|from| from..(from + self.width).min(self.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bet::Bet;
    use crate::fraction::parse;
    use crate::session::{Session, SessionPlan, WhenShort};
    use crate::wager::Wager;
    use proptest::prelude::*;

    #[test]
    fn the_last_bin_ends_where_the_states_do() {
        for states in (1..5_000).chain([99_999, 1 << 20]) {
            let bins = Bins::of_states(states);
            let ranges: Vec<_> = bins.ranges().collect();
            assert!(ranges.len() == bins.count() && ranges.len() <= Bins::MOST, "{states}");
            assert_eq!(ranges[0].start, 0);
            assert!(
                ranges.windows(2).all(|pair| pair[0].end == pair[1].start && pair[0].len() == bins.width)
            );
            let end = ranges.last().unwrap().end;
            assert!(states <= end && end < states + states.div_ceil(Bins::SLICES), "{states}: {end}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn the_amounts_are_those_that_sessions_ended_with(
            bet in prop::sample::select(vec!["buy_8_on_win", "place_6", "pass_line", "horn", "all_30_150"]),
            bankroll in 1u32..9_000,
            stake in prop::sample::select(vec!["1", "5", "0.3"]),
            rounds in 1u32..40,
            seed in 0u64..1000,
        ) {
            let [bankroll, target] = [bankroll, bankroll + 1000].map(|units| parse(&units.to_string()).unwrap());
            let wager = Wager::flat(Bet::from_id(bet).unwrap());
            let stake = parse(stake).unwrap();
            let plan = SessionPlan { wager, bankroll, target, stake, max_rounds: rounds, when_short: WhenShort::Stop };
            let session = Session::new(plan).unwrap();
            let solved = session.plan().wager.solve();
            let grid = Grid::new(&session, &solved).unwrap();
            let (table, bins) = (Table::new(&solved.automaton), Bins::of(&grid));
            let counts = run_sessions(&grid, &table, rounds, &bins, seed, 0, 300);
            let [mut finished, mut sum, mut squares] = [0; 3];
            for (amount, count) in counts.amounts.each() {
                let (amount, count) = (i128::from(amount), i128::from(count));
                (finished, sum, squares) =
                    (finished + count, sum + count * amount, squares + count * amount * amount);
            }
            prop_assert_eq!(finished, i128::from(counts.finished));
            prop_assert_eq!((sum, squares), (counts.sum, counts.sum_of_squares));
            prop_assert_eq!(counts.cells[3..].iter().sum::<u64>(), 300);
        }
    }
}
