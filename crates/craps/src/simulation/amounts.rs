//! How often each last bankroll occurred, in bounded memory.

/// Amounts that occurred and how often: each by itself as long as there are at most 2,048 of them. Beyond
/// that, amounts that agree but for their last `shift` bits share a bin.
///
/// `shift` is the smallest for which these bins are enough, hence a function of the set of amounts: neither chunks nor their
/// order change the result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Amounts {
    shift: u32,
    /// Ascending.
    bins: Vec<Bin>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bin {
    /// The greatest amount of the bin that occurred.
    greatest: u32,
    count: u64,
}

impl Amounts {
    /// The most bins: 32 KB.
    const MOST: usize = 2048;

    /// Amounts as they occurred, in any order.
    pub(super) fn of(mut amounts: Vec<u32>) -> Self {
        let (Some(&least), Some(&most)) = (amounts.iter().min(), amounts.iter().max()) else {
            return Self::default();
        };
        let bins = if (most - least) as usize <= amounts.len() {
            // Close together, as after sessions of few rounds: counting is faster than sorting.
            let mut counts = vec![0; (most - least) as usize + 1];
            amounts.iter().for_each(|amount| counts[(amount - least) as usize] += 1);
            let occurred = (least..=most).zip(counts).filter(|&(_, count)| count > 0);
            occurred.map(|(greatest, count)| Bin { greatest, count }).collect()
        } else {
            amounts.sort_unstable();
            let runs = amounts.chunk_by(|a, b| a == b);
            runs.map(|run| Bin { greatest: run[0], count: run.len() as u64 }).collect()
        };
        let mut counted = Self { shift: 0, bins };
        counted.narrow();
        counted
    }

    /// Adds the amounts of another chunk.
    pub(super) fn merge(&mut self, other: &Self) {
        self.shift = self.shift.max(other.shift);
        self.bins.extend(&other.bins);
        self.bins.sort_by_key(|bin| bin.greatest);
        self.join();
        self.narrow();
    }

    /// Makes bins wider until there are few enough.
    fn narrow(&mut self) {
        while self.bins.len() > Self::MOST {
            self.shift += 1;
            self.join();
        }
    }

    /// Joins neighbours that share a bin.
    fn join(&mut self) {
        let shift = self.shift;
        self.bins.dedup_by(|next, bin| {
            let same = next.greatest >> shift == bin.greatest >> shift;
            if same {
                *bin = Bin { greatest: next.greatest, count: bin.count + next.count };
            }
            same
        });
    }

    /// The amounts with their counts, as long as no two share a bin.
    #[cfg(test)]
    pub(super) fn each(&self) -> impl Iterator<Item = (u32, u64)> {
        assert_eq!(self.shift, 0);
        self.bins.iter().map(|bin| (bin.greatest, bin.count))
    }

    /// For each of these shares in per cent, ascending, the least amount that is not passed with that share; where bins hold
    /// several amounts, the greatest in its bin that occurred.
    pub(super) fn quantiles(&self, percents: &[u8]) -> Vec<(u8, u32)> {
        let total: u64 = self.bins.iter().map(|bin| bin.count).sum();
        let (mut passed, mut quantiles) = (0, Vec::new());
        for bin in &self.bins {
            passed += bin.count;
            while let Some(&percent) = percents
                .get(quantiles.len())
                .filter(|&&percent| u128::from(passed) * 100 >= u128::from(total) * u128::from(percent))
            {
                quantiles.push((percent, bin.greatest));
            }
        }
        quantiles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::long_run::QUANTILES;
    use proptest::prelude::*;

    /// What a sorted list says.
    fn by_sorting(amounts: &[u32], percent: u8) -> u32 {
        let mut sorted = amounts.to_vec();
        sorted.sort_unstable();
        sorted[(amounts.len() * usize::from(percent)).div_ceil(100).max(1) - 1]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn quantiles_agree_with_a_sorted_list(
            amounts in prop_oneof![
                prop::collection::vec(0u32..1 << 30, 1..2000),
                prop::collection::vec(0u32..50, 1..300),
                prop::collection::vec(any::<u32>(), 2000..9000),
                prop::collection::vec(1_000_000u32..1_005_000, 2000..9000),
            ],
            cut in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
        ) {
            let whole = Amounts::of(amounts.clone());
            let mut cuts: Vec<_> = cut.iter().map(|index| index.index(amounts.len())).collect();
            cuts.sort_unstable();
            let ends: Vec<_> = cuts.iter().copied().chain([amounts.len()]).collect();
            let starts = [0].into_iter().chain(cuts);
            let mut chunks: Vec<_> = starts.zip(ends).map(|(a, b)| Amounts::of(amounts[a..b].to_vec())).collect();
            for _ in 0..2 {
                let mut merged = Amounts::default();
                chunks.iter().for_each(|chunk| merged.merge(chunk));
                prop_assert_eq!(&merged, &whole, "chunks change nothing");
                chunks.reverse();
            }
            prop_assert!(whole.bins.len() <= Amounts::MOST);
            for (percent, amount) in whole.quantiles(&QUANTILES) {
                let exact = by_sorting(&amounts, percent);
                prop_assert!(amounts.contains(&amount));
                prop_assert!(amount >= exact && amount >> whole.shift == exact >> whole.shift);
            }
            let mut distinct = amounts;
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert_eq!(whole.shift == 0, distinct.len() <= Amounts::MOST);
        }
    }
}
