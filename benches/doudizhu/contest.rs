//! Plain solvers in the manner of contest answers to NOIP 2015, day 1, task 3: counts in an array, depth-first over the
//! runs in no particular order, cut only where the count so far is no better. They count only. For what is left without runs
//! the careful ones have a table (answers to the enhanced data, Luogu P2540); the common ones hand out kickers greedily,
//! fours first, pairs before singles (as on blog.csdn.net/aodanchui1057/article/details/102008951), which is short and wrong.

use kibitz::doudizhu::{Counts, Rank};

/// A solver by its answer for hands without runs: ranks held once, twice, three and four times, and jokers.
pub(crate) enum Contest {
    Table(Vec<u8>),
    Greedy,
}

const SIDE: usize = 14;

fn index(held: [usize; 4], jokers: usize) -> usize {
    held.iter().fold(jokers, |index, &ranks| index * SIDE + ranks)
}

impl Contest {
    pub(crate) fn with_table() -> Self {
        let mut table = vec![u8::MAX; 3 * SIDE.pow(4)];
        for four in 0..SIDE {
            for three in 0..SIDE - four {
                for two in 0..SIDE - four - three {
                    for one in 0..SIDE - four - three - two {
                        for jokers in 0..=2 {
                            let held = [one, two, three, four];
                            table[index(held, jokers)] = Rest(&table).best(held, jokers);
                        }
                    }
                }
            }
        }
        Self::Table(table)
    }

    pub(crate) fn min_plays(&self, hand: Counts) -> u8 {
        let mut counts = Rank::ALL.map(|rank| usize::from(hand.of(rank)));
        let mut best = u8::MAX;
        self.search(&mut counts, 0, &mut best);
        best
    }

    fn search(&self, counts: &mut [usize; 15], plays: u8, best: &mut u8) {
        if plays >= *best {
            return;
        }
        let mut held = [0; 4];
        for &count in counts[..13].iter().filter(|&&count| count > 0) {
            held[count - 1] += 1;
        }
        let jokers = counts[13] + counts[14];
        let rest = match self {
            Self::Table(table) => table[index(held, jokers)],
            Self::Greedy => greedy(held, jokers),
        };
        *best = (*best).min(plays + rest);
        for (copies, shortest) in [(3, 2), (2, 3), (1, 5)] {
            for start in 0..12 {
                let enough = counts[start..12].iter().take_while(|&&count| count >= copies).count();
                for length in (shortest..=enough).rev() {
                    counts[start..start + length].iter_mut().for_each(|count| *count -= copies);
                    self.search(counts, plays + 1, best);
                    counts[start..start + length].iter_mut().for_each(|count| *count += copies);
                }
            }
        }
    }
}

/// Gives the largest bodies the largest kickers, and never cuts a set.
fn greedy([ones, mut twos, threes, fours]: [usize; 4], jokers: usize) -> u8 {
    let mut singles = ones + jokers;
    for _ in 0..fours {
        if twos >= 2 {
            twos -= 2;
        } else if singles >= 2 {
            singles -= 2;
        }
    }
    // Each takes a pair, or else a single, while there are any.
    let pairs_taken = twos.min(threes);
    singles -= singles.min(threes - pairs_taken);
    // Both jokers go together where both are left over.
    let rocket = usize::from(jokers == 2 && singles >= 2);
    (fours + threes + twos - pairs_taken + singles - rocket) as u8
}

/// The table while it grows.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    /// Plays any body, then any kickers, one rank after the other.
    fn best(&self, held: [usize; 4], jokers: usize) -> u8 {
        if held == [0; 4] && jokers == 0 {
            return 0;
        }
        let mut best = u8::MAX;
        if jokers > 0 {
            best =
                best.min(self.0[index(held, 0)] + 1).min(self.0[index(held, jokers - 1)].saturating_add(1));
        }
        for times in 1..=4 {
            for body in 1..=times {
                let Some((out, back)) = take(held, times, body) else { continue };
                let plays = match body {
                    3 => self.after_kickers(out, back, jokers, &[&[], &[1], &[2]]),
                    4 => self.after_kickers(out, back, jokers, &[&[], &[1, 1], &[2, 2], &[2], &[4]]),
                    _ => self.after_kickers(out, back, jokers, &[&[]]),
                };
                best = best.min(plays.saturating_add(1));
            }
        }
        best
    }

    fn after_kickers(&self, held: [usize; 4], back: [usize; 4], jokers: usize, choices: &[&[usize]]) -> u8 {
        choices.iter().map(|sizes| self.after(held, back, jokers, sizes)).min().unwrap_or(u8::MAX)
    }

    /// Takes one kicker of each size from ranks of `held`; `back` are the ranks that are already smaller.
    fn after(&self, held: [usize; 4], back: [usize; 4], jokers: usize, sizes: &[usize]) -> u8 {
        let Some((&size, others)) = sizes.split_first() else {
            return self.0[index(std::array::from_fn(|i| held[i] + back[i]), jokers)];
        };
        let mut best = u8::MAX;
        if size == 1 && jokers > 0 {
            best = self.after(held, back, jokers - 1, others);
        }
        for times in size..=4 {
            if let Some((held, smaller)) = take(held, times, size) {
                let back = std::array::from_fn(|i| back[i] + smaller[i]);
                best = best.min(self.after(held, back, jokers, others));
            }
        }
        best
    }
}

/// Takes `size` cards from a rank held `times` times: the other ranks, and the smaller rank that comes of it.
fn take(mut held: [usize; 4], times: usize, size: usize) -> Option<([usize; 4], [usize; 4])> {
    held[times - 1] = held[times - 1].checked_sub(1)?;
    let mut back = [0; 4];
    if times > size {
        back[times - size - 1] = 1;
    }
    Some((held, back))
}
