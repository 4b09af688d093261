//! One turn, for many states at once: the same arithmetic on whole rows of lanes.
//!
//! Everything here is a plain loop over `[f64; W]`, inlined into a caller that was compiled for the
//! widest registers at hand; with `W = 1` the same code answers a single position. A lane never
//! looks at another lane and nothing is contracted, so any width gives the same bits. Indices are
//! bytes into arrays of 256 rows: no bound is left to check.

use super::entries::Entries;
use super::outcomes::Outcomes;
use crate::rules::dice::{Keep, Roll};
use crate::rules::graph::{
    FIRST_OF_FOUR, FIRST_ROLL, FOURS_1, FOURS_2, FOURS_3, FOURS_4, FOURS_5, Fours, GRAPH, LAST_DIE,
    ONE_MORE_DIE, ROLL_COUNT,
};
use crate::rules::rule_set::Rules;

/// 256 rows, of which not all are used.
pub(crate) type Rows<const W: usize> = [[f64; W]; 256];

/// A value for each multiset of dice, in each lane.
#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct Values<const W: usize> {
    /// By the number of a keep of up to four dice.
    pub(crate) keeps: Rows<W>,
    /// By the number of a roll.
    pub(crate) rolls: Rows<W>,
}

impl<const W: usize> Values<W> {
    pub(crate) const ZERO: Self = Self { keeps: [[0.0; W]; 256], rolls: [[0.0; W]; 256] };

    /// The value of any multiset.
    pub(crate) fn of(&self, keep: Keep) -> [f64; W] {
        let index = keep.index();
        if index < FIRST_ROLL { self.keeps[index % 256] } else { self.rolls[(index - FIRST_ROLL) % 256] }
    }
}

/// The larger of two numbers in each lane; one instruction, unlike `f64::max`.
#[inline(always)]
pub(crate) fn larger<const W: usize>(a: [f64; W], b: [f64; W]) -> [f64; W] {
    std::array::from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
}

/// The value of each roll when it must be scored. `rows` receives the best of each group of boxes
/// for each of its outcomes.
#[inline(always)]
pub(crate) fn score_now<const W: usize>(
    rules: &Rules,
    outcomes: &Outcomes,
    entries: &Entries<W>,
    rows: &mut Rows<W>,
    values: &mut Values<W>,
) {
    let slots = &entries.slots;
    let (upper_rows, lower_rows) = rows.split_at_mut(outcomes.upper.len());
    for (row, [a, b]) in upper_rows.iter_mut().zip(&outcomes.upper) {
        *row = larger(slots[a.index()], slots[b.index()]);
    }
    for (row, boxes) in lower_rows.iter_mut().zip(&outcomes.lower) {
        let [a, b, c, d] = boxes.map(|(slot, points)| slots[slot.index()].map(|value| value + points));
        *row = larger(larger(a, b), larger(c, d));
    }
    best_of_rows(outcomes, rows, values);
    if entries.yahtzee_filled {
        for roll in Roll::FIVES_OF_A_KIND {
            let mut best = [f64::NEG_INFINITY; W];
            for category in entries.open.iter() {
                best = larger(best, entries.further_yahtzee(rules, outcomes, category, roll));
            }
            values.rolls[roll.index() % 256] = best;
        }
    }
}

/// The best row of each roll.
#[inline(always)]
pub(crate) fn best_of_rows<const W: usize>(outcomes: &Outcomes, rows: &Rows<W>, values: &mut Values<W>) {
    match outcomes.groups.len() {
        5 => best_of_groups::<W, 5>(outcomes, rows, values),
        6 => best_of_groups::<W, 6>(outcomes, rows, values),
        groups => {
            for (value, alike) in values.rolls.iter_mut().zip(outcomes.rows.chunks_exact(groups)) {
                *value = [f64::NEG_INFINITY; W];
                for &row in alike {
                    *value = larger(*value, rows[row as usize]);
                }
            }
        }
    }
}

/// The same for a number of groups that the compiler knows: at least five.
#[inline(always)]
fn best_of_groups<const W: usize, const GROUPS: usize>(
    outcomes: &Outcomes,
    rows: &Rows<W>,
    values: &mut Values<W>,
) {
    let (alike, _) = outcomes.rows.as_chunks::<GROUPS>();
    for (value, alike) in values.rolls.iter_mut().zip(alike) {
        let [a, b, c, d, e] = std::array::from_fn(|group| rows[alike[group] as usize]);
        let upper = larger(larger(a, b), c);
        *value = larger(upper, larger(d, e));
        for &row in &alike[5..] {
            *value = larger(*value, rows[row as usize]);
        }
    }
}

/// From the values of the rolls to those of the keeps.
#[inline(always)]
pub(crate) fn expect<const W: usize>(Values { keeps, rolls }: &mut Values<W>) {
    means(rolls, keeps);
}

/// The value of each keep: the mean over one more die, largest first.
#[inline(always)]
pub(crate) fn means<const W: usize>(rolls: &Rows<W>, keeps: &mut Rows<W>) {
    for (keep, faces) in keeps[FIRST_OF_FOUR..].iter_mut().zip(&LAST_DIE) {
        *keep = mean(rolls, faces);
    }
    for keep in (0..FIRST_OF_FOUR).rev() {
        keeps[keep] = mean(keeps, &ONE_MORE_DIE[keep]);
    }
}

#[inline(always)]
fn mean<const W: usize>(rows: &Rows<W>, faces: &[u8; 6]) -> [f64; W] {
    let [a, b, c, d, e, f] = faces.map(|face| &rows[face as usize]);
    std::array::from_fn(|i| ((a[i] + b[i]) + (c[i] + d[i]) + (e[i] + f[i])) * (1.0 / 6.0))
}

/// From the values of the keeps to those of the rolls with one more throw allowed: the best of
/// scoring now and of any smaller keep, smallest first.
///
/// The value of a roll with fewer throws left replaces that of scoring now: it lies between that and
/// the best keep, so the maximum is the same.
#[inline(always)]
pub(crate) fn choose<const W: usize>(values: &mut Values<W>) {
    let Values { keeps, rolls } = values;
    best_of_smaller::<W, 1>(keeps, 1..7);
    best_of_smaller::<W, 2>(keeps, 7..28);
    best_of_smaller::<W, 3>(keeps, 28..FIRST_OF_FOUR);
    best_of_smaller::<W, 4>(keeps, FIRST_OF_FOUR..FIRST_ROLL);
    best_of_fours(keeps, rolls, &FOURS_1);
    best_of_fours(keeps, rolls, &FOURS_2);
    best_of_fours(keeps, rolls, &FOURS_3);
    best_of_fours(keeps, rolls, &FOURS_4);
    best_of_fours(keeps, rolls, &FOURS_5);
}

/// For the keeps of `SIZE` dice. A keep with equal dice looks at the same smaller one twice: cheaper
/// than sorting the 209 keeps by their distinct faces, as is done for the rolls.
#[inline(always)]
fn best_of_smaller<const W: usize, const SIZE: usize>(keeps: &mut Rows<W>, range: std::ops::Range<usize>) {
    for (keep, smaller) in range.clone().zip(&GRAPH.minus[range]) {
        let mut best = keeps[keep % 256];
        for &smaller in &smaller[..SIZE] {
            best = larger(best, keeps[smaller as usize]);
        }
        keeps[keep % 256] = best;
    }
}

#[inline(always)]
fn best_of_fours<const W: usize, const FACES: usize, const COUNT: usize>(
    keeps: &Rows<W>,
    rolls: &mut Rows<W>,
    fours: &Fours<FACES, COUNT>,
) {
    for (roll, smaller) in &fours.0 {
        let mut best = rolls[*roll as usize];
        for &smaller in smaller {
            best = larger(best, keeps[smaller as usize]);
        }
        rolls[*roll as usize] = best;
    }
}

/// The mean over the first throw.
#[inline(always)]
pub(crate) fn first_throw<const W: usize>(values: &Values<W>) -> [f64; W] {
    // Four sums side by side: one alone would wait for each addition.
    let mut sums = [[0.0; W]; 4];
    for (values, chances) in values.rolls[..ROLL_COUNT].chunks_exact(4).zip(GRAPH.chance.chunks_exact(4)) {
        for ((sum, value), chance) in sums.iter_mut().zip(values).zip(chances) {
            for i in 0..W {
                sum[i] += value[i] * chance;
            }
        }
    }
    std::array::from_fn(|i| (sums[0][i] + sums[1][i]) + (sums[2][i] + sums[3][i]))
}
