//! A set of numbers of points.

/// Numbers of points from some origin on, as bits. The origin is known to the owner.
#[derive(Clone, Default)]
pub(super) struct PointSet {
    words: Vec<u64>,
}

impl PointSet {
    pub(super) fn insert(&mut self, point: usize) {
        let word = point / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (point % 64);
    }

    /// Adds all numbers of another set, each `by` points larger, if they are below `end`.
    pub(super) fn add_moved(&mut self, other: &Self, by: usize, end: usize) {
        let (skip, shift) = (by / 64, by % 64);
        let most = end.div_ceil(64);
        let length = (other.words.len() + skip + 1).min(most);
        if self.words.len() < length {
            self.words.resize(length, 0);
        }
        for (place, &word) in other.words.iter().enumerate() {
            if let Some(low) = self.words.get_mut(place + skip) {
                *low |= word << shift;
            }
            if let (Some(high), true) = (self.words.get_mut(place + skip + 1), shift > 0) {
                *high |= word >> (64 - shift);
            }
        }
    }

    /// The smallest number and the largest.
    pub(super) fn ends(&self) -> Option<(usize, usize)> {
        let first = self.words.iter().position(|&word| word != 0)?;
        let last = self.words.iter().rposition(|&word| word != 0)?;
        let low = first * 64 + self.words[first].trailing_zeros() as usize;
        let high = last * 64 + 63 - self.words[last].leading_zeros() as usize;
        Some((low, high))
    }

    /// Whether any of `count` numbers from `first` on is in the set; `count` is less than 64.
    pub(super) fn has_any(&self, first: usize, count: usize) -> bool {
        let word = |place: usize| self.words.get(place).copied().unwrap_or_default();
        let (place, shift) = (first / 64, first % 64);
        let mut bits = word(place) >> shift;
        if shift > 0 {
            bits |= word(place + 1) << (64 - shift);
        }
        bits & ((1 << count) - 1) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(set: &PointSet) -> Vec<usize> {
        (0..400).filter(|&number| set.has_any(number, 1)).collect()
    }

    #[test]
    fn moved_numbers_are_sums_below_the_end() {
        let mut set = PointSet::default();
        [0, 5, 63, 64, 130].into_iter().for_each(|number| set.insert(number));
        for by in [0, 1, 63, 64, 100] {
            let mut moved = PointSet::default();
            moved.insert(3);
            moved.add_moved(&set, by, 192);
            let mut wanted: Vec<_> =
                [0, 5, 63, 64, 130].into_iter().map(|number| number + by).filter(|&sum| sum < 192).collect();
            wanted.push(3);
            wanted.sort_unstable();
            wanted.dedup();
            assert_eq!(numbers(&moved), wanted);
            assert_eq!(moved.ends(), Some((wanted[0], wanted[wanted.len() - 1])));
        }
        assert!(set.has_any(60, 8) && !set.has_any(65, 8));
        assert_eq!(PointSet::default().ends(), None);
    }
}
