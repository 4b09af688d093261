//! How a simulation is cut into chunks.

/// The chunks of a simulation: one of a full size after the other, but the first full size is itself cut into chunks that
/// grow with the square root of two, from 16 on, so that the convergence curve has points there too. Where the full size
/// is 16 or less, all chunks are of that size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Schedule {
    total: u64,
    /// The binary logarithm of the full size.
    full_log: u32,
}

/// The first chunk has at most 2^4 plays.
const FIRST_LOG: u32 = 4;
/// Points of the curve.
const CURVE: u32 = 30;

impl Schedule {
    pub(super) fn new(total: u64, full_log: u32) -> Self {
        Self { total, full_log }
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// How many chunks of the full size all of it would be.
    pub(super) fn full_chunks(&self) -> u64 {
        self.total.div_ceil(1 << self.full_log)
    }

    fn first_log(&self) -> u32 {
        self.full_log.min(FIRST_LOG)
    }

    /// Chunks up to the first full size: 16, 24, 32, 48, 64, ... plays are the ends.
    fn steps(&self) -> u64 {
        u64::from(2 * (self.full_log - self.first_log()) + 1)
    }

    /// Plays in the first `chunks` chunks, the total left aside.
    fn end(&self, chunks: u64) -> u64 {
        match chunks {
            0 => 0,
            _ if chunks > self.steps() => (chunks - self.steps() + 1) << self.full_log,
            _ => {
                let (octave, half) = ((chunks - 1) / 2, (chunks - 1) % 2);
                ((2 + half) << (u64::from(self.first_log()) + octave)) / 2
            }
        }
    }

    /// How many chunks there are.
    pub(super) fn chunks(&self) -> u64 {
        let full = 1 << self.full_log;
        if self.total > full {
            return self.steps() + (self.total - full).div_ceil(full);
        }
        (0..=self.steps()).find(|&chunks| self.end(chunks) >= self.total).unwrap_or(self.steps())
    }

    /// Plays in one chunk.
    pub(super) fn plays(&self, chunk: u64) -> u64 {
        self.end(chunk + 1).min(self.total) - self.end(chunk).min(self.total)
    }

    /// After how many chunks the curve has a point: about thirty, evenly spaced on a logarithmic scale.
    pub(super) fn curve(&self) -> Vec<u64> {
        let (first, last) = ((1 << FIRST_LOG) as f64, self.total as f64);
        let mut at: Vec<u64> = (0..CURVE)
            .map(|i| {
                let wanted = first * (last / first).max(1.0).powf(f64::from(i) / f64::from(CURVE - 1));
                self.chunks_within(wanted as u64)
            })
            .filter(|&chunks| chunks > 0)
            .collect();
        at.push(self.chunks());
        at.dedup();
        at
    }

    /// The largest number of whole chunks with at most `plays` plays.
    fn chunks_within(&self, plays: u64) -> u64 {
        let full = 1 << self.full_log;
        if plays >= full {
            return (self.steps() + plays / full - 1).min(self.chunks());
        }
        (0..=self.steps()).rev().find(|&chunks| self.end(chunks) <= plays).unwrap_or(0).min(self.chunks())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn chunks_add_up(full in 0u64..5_000, rest in 1u64..1 << 20, full_log in 0u32..21) {
            let total = (full << full_log) + rest % (1 << full_log) + 1;
            let schedule = Schedule::new(total, full_log);
            let plays: Vec<_> = (0..schedule.chunks()).map(|chunk| schedule.plays(chunk)).collect();
            prop_assert_eq!(plays.iter().sum::<u64>(), total);
            prop_assert!(plays.iter().all(|&plays| (1..=1 << full_log).contains(&plays)));
            let curve = schedule.curve();
            prop_assert!(curve.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert_eq!(curve.last(), Some(&schedule.chunks()));
            prop_assert!(curve.len() <= CURVE as usize + 1);
        }
    }

    #[test]
    fn a_large_job_has_a_full_curve() {
        assert!(Schedule::new(1_000_000_000_000, 20).curve().len() >= 28);
        assert!(Schedule::new(1000, 20).curve().len() >= 10);
    }
}
