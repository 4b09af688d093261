//! A transposition table of bounded size: what is known of positions met before.

use super::key::Key;
use std::ops::Range;

/// Positions, and whether the side to move wins. A full table drops what took the least work; what is lost is searched again, so
/// an entry is always right.
pub(super) struct Table<const SEATS: usize> {
    entries: Vec<Entry<SEATS>>,
    used: usize,
    most_bytes: usize,
}

#[derive(Clone, Copy)]
struct Entry<const SEATS: usize> {
    hands: [u64; SEATS],
    /// The tag of the key, and whether the side to move wins in the top bit.
    tag: u32,
    /// How many positions were searched for it; 0 if the entry is empty.
    work: u32,
}

const MOVER_WINS: u32 = 1 << 31;

/// Tables of fewer entries grow by being moved; a larger one has room for the most entries reserved.
const SMALL: usize = 1 << 14;

/// How many entries a key may be in.
const BUCKET: usize = 4;

impl<const SEATS: usize> Table<SEATS> {
    const EMPTY: Entry<SEATS> = Entry { hands: [0; SEATS], tag: 0, work: 0 };

    /// An empty table that grows to `most_bytes`, at least some kilobytes.
    pub(super) fn new(most_bytes: usize) -> Self {
        Self { entries: vec![Self::EMPTY; 1 << 8], used: 0, most_bytes }
    }

    /// Whether the side to move wins, if that is known.
    pub(super) fn get(&self, key: &Key<SEATS>) -> Option<bool> {
        let bucket = &self.entries[self.bucket(key)];
        let is_key = |entry: &&Entry<SEATS>| {
            entry.hands == key.hands && entry.tag & !MOVER_WINS == key.tag && entry.work > 0
        };
        bucket.iter().find(is_key).map(|entry| entry.tag & MOVER_WINS != 0)
    }

    pub(super) fn insert(&mut self, key: &Key<SEATS>, mover_wins: bool, work: u64) {
        if self.used > self.entries.len() / 4 * 3 {
            self.grow();
        }
        let result = if mover_wins { MOVER_WINS } else { 0 };
        let work = u32::try_from(work.max(1)).unwrap_or(u32::MAX);
        self.put(Entry { hands: key.hands, tag: key.tag | result, work });
    }

    /// Where the entries are, and how much memory they take.
    #[cfg(test)]
    pub(super) fn storage(&self) -> (usize, usize) {
        (self.entries.as_ptr().addr(), self.entries.capacity() * size_of::<Entry<SEATS>>())
    }

    fn put(&mut self, entry: Entry<SEATS>) {
        let bucket = self.bucket(&Key { hands: entry.hands, tag: entry.tag & !MOVER_WINS });
        if let Some(least) = self.entries[bucket].iter_mut().min_by_key(|entry| entry.work) {
            self.used += usize::from(least.work == 0);
            *least = entry;
        }
    }

    /// Doubles the table in place, up to its bound. Bucket `i` becomes the buckets `2 * i` and `2 * i + 1`.
    fn grow(&mut self) {
        let old = self.entries.len();
        let most = 1 << (self.most_bytes / size_of::<Entry<SEATS>>()).ilog2();
        if 2 * old > most {
            return;
        }
        if old >= SMALL {
            // A large table never moves, or for a moment it would take half as much again.
            self.entries.reserve_exact(most - old);
        }
        self.entries.resize(2 * old, Self::EMPTY);
        for start in (0..old).step_by(BUCKET).rev() {
            let moved: [Entry<SEATS>; BUCKET] =
                std::array::from_fn(|at| std::mem::replace(&mut self.entries[start + at], Self::EMPTY));
            for entry in moved.into_iter().filter(|entry| entry.work > 0) {
                self.used -= 1;
                self.put(entry);
            }
        }
    }

    fn bucket(&self, key: &Key<SEATS>) -> Range<usize> {
        let buckets = self.entries.len() / BUCKET;
        let start = ((u128::from(key.hash()) * buckets as u128) >> 64) as usize * BUCKET;
        start..start + BUCKET
    }
}
