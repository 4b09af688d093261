//! The second moment of the points still to come under the advised policy.
//!
//! Optimal play is not unique if actions tie, and tied actions can differ in their variance; here
//! as in the advice, ties within [`TIE`] are broken by [`crate::Action::sort_key`].

use pulp::{Arch, Simd, WithSimd};

use super::entries::{Entries, slots};
use super::game::{GameTable, WIDTH, by_layers};
use super::lanes::{Rows, Values, choose, expect, first_throw, score_now};
use super::outcomes::Slot;
use super::states::LaneSet;
use crate::rules::card_state::CardState;
use crate::rules::category::{ByCategory, Category};
use crate::rules::dice::Roll;
use crate::rules::graph::{GRAPH, ROLL_COUNT};
use crate::rules::objective::TIE;

/// The second moment of the points still to come in every state of a table.
///
/// ```no_run
/// use kibitz_yahtzee::{CardState, GameTable, Moments, Rules};
/// let table = GameTable::build_blocking(&Rules::OFFICIAL);
/// let moments = Moments::build_blocking(&table);
/// assert!((moments.standard_deviation(&table, CardState::default()) - 59.607586386).abs() < 1e-6);
/// ```
pub struct Moments {
    pub(crate) entries: EntryTable,
    seconds: Vec<f64>,
}

impl Moments {
    /// Computes the moments for a table on the current rayon pool: some tenths of a second of all
    /// its threads.
    pub fn build_blocking(table: &GameTable) -> Self {
        let entries = ByCategory::from_fn(|category| {
            std::array::from_fn(|roll| {
                let points = table.turn.outcomes.points[category][roll];
                // The slots of the upper boxes hold their points already.
                let more = if category.is_upper() { 0.0 } else { f64::from(points) };
                (Slot::of(category, points), more)
            })
        });
        let mut seconds = vec![0.0; table.values.len()];
        let arch = Arch::new();
        by_layers(&table.space, &mut seconds, Scratch::new, |scratch, done, set, lanes| {
            arch.dispatch(Solve { table, entries: &entries, done, set, lanes, scratch });
        });
        Self { entries, seconds }
    }

    /// The second moments of all states, in the order of the table.
    pub(crate) fn seconds(&self) -> &[f64] {
        &self.seconds
    }

    /// How many bytes of memory they take.
    pub const fn bytes(&self) -> usize {
        size_of::<f64>() * self.seconds.len() + size_of::<EntryTable>()
    }

    /// The second moment of the points still to come before the first throw of a turn; `table` must
    /// be the one that these moments were made for.
    pub fn second_moment(&self, table: &GameTable, card: CardState) -> f64 {
        self.seconds.get(table.index(card)).copied().unwrap_or_default()
    }

    /// The standard deviation of the points still to come, and so of the final score.
    pub fn standard_deviation(&self, table: &GameTable, card: CardState) -> f64 {
        let mean = table.value(card);
        (self.second_moment(table, card) - mean * mean).max(0.0).sqrt()
    }
}

/// For each box and roll its slot, and what the roll earns beyond the points that the slot holds.
pub(crate) type EntryTable = ByCategory<[(Slot, f64); ROLL_COUNT]>;

/// Scratch memory for one block of lanes.
pub(crate) struct Scratch<const W: usize> {
    rows: Rows<W>,
    /// The values of rolls and keeps at the throw in hand.
    pub(crate) values: Values<W>,
    /// The same with each maximum over smaller keeps.
    best: Values<W>,
    /// The second moments that belong to `values`.
    pub(crate) seconds: Values<W>,
    /// Values and second moments of scoring at once.
    now: Values<W>,
}

impl<const W: usize> Scratch<W> {
    pub(crate) fn new() -> Box<Self> {
        let [values, best, seconds, now] = [const { Values::ZERO }; 4];
        Box::new(Self { rows: [[0.0; W]; 256], values, best, seconds, now })
    }

    /// Fills in the rolls that must be scored, for the lanes from `lane` on.
    #[inline(always)]
    pub(crate) fn score(
        &mut self,
        table: &GameTable,
        entries: &EntryTable,
        done: &[f64],
        set: LaneSet,
        lane: usize,
    ) {
        let Self { rows, values, seconds, now, .. } = self;
        let (rules, outcomes) = (&table.turn.rules, &table.turn.outcomes);
        let firsts = Entries::<W>::new(rules, &table.space, &table.values, set, lane);
        let after = slots(&table.space, set, lane, 0.0, |points, next| {
            points * (points + 2.0 * table.values[next]) + done[next]
        });
        score_now(rules, outcomes, &firsts, rows, values);
        seconds_now(table, entries, &firsts, &after, values, seconds);
        now.rolls = values.rolls;
        now.keeps = seconds.rolls;
    }

    /// From rolls to the keeps before them.
    #[inline(always)]
    pub(crate) fn expect(&mut self) {
        expect(&mut self.values);
        expect(&mut self.seconds);
    }

    /// From keeps to the rolls that they are chosen from.
    #[inline(always)]
    pub(crate) fn choose(&mut self) {
        let Self { values, best, seconds, now, .. } = self;
        best.clone_from(values);
        choose(best);
        seconds_of_choice(values, best, now, seconds);
        values.rolls = best.rolls;
    }
}

/// Computes the lanes of one set from the sets with one more filled box.
struct Solve<'a> {
    table: &'a GameTable,
    entries: &'a EntryTable,
    done: &'a [f64],
    set: LaneSet,
    lanes: &'a mut [f64],
    scratch: &'a mut Scratch<WIDTH>,
}

impl WithSimd for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { table, entries, done, set, lanes, scratch } = self;
        for (block, lanes) in lanes.chunks_mut(WIDTH).enumerate() {
            scratch.score(table, entries, done, set, block * WIDTH);
            for _ in 0..table.turn.rules.rolls_per_turn.rerolls() {
                scratch.expect();
                scratch.choose();
            }
            lanes.copy_from_slice(&first_throw(&scratch.seconds)[..lanes.len()]);
        }
    }
}

/// Where a value is within a tie of the best, its second moment; else what was there.
#[inline(always)]
fn prefer<const W: usize>(old: [f64; W], value: [f64; W], best: [f64; W], second: [f64; W]) -> [f64; W] {
    std::array::from_fn(|i| if value[i] >= best[i] - TIE { second[i] } else { old[i] })
}

/// The second moment of a number plus a constant.
#[inline(always)]
fn shifted<const W: usize>(first: [f64; W], second: [f64; W], by: [f64; W]) -> [f64; W] {
    std::array::from_fn(|i| by[i] * (by[i] + 2.0 * first[i]) + second[i])
}

/// The second moment of each roll when it must be scored, in the first of the best boxes.
#[inline(always)]
fn seconds_now<const W: usize>(
    table: &GameTable,
    entry_table: &EntryTable,
    firsts: &Entries<W>,
    after: &[[f64; W]; Slot::COUNT],
    values: &Values<W>,
    seconds: &mut Values<W>,
) {
    let open = firsts.open;
    for category in Category::ALL.into_iter().rev().filter(|&category| open.contains(category)) {
        let rolls = seconds.rolls.iter_mut().zip(&values.rolls).zip(&entry_table[category]);
        for ((second, best), &(slot, points)) in rolls {
            let first = firsts.slots[slot.index()];
            let value = first.map(|first| first + points);
            *second = prefer(*second, value, *best, shifted(first, after[slot.index()], [points; W]));
        }
    }
    if firsts.yahtzee_filled {
        let (rules, outcomes) = (&table.turn.rules, &table.turn.outcomes);
        for roll in Roll::FIVES_OF_A_KIND {
            for category in Category::ALL.into_iter().rev().filter(|&category| open.contains(category)) {
                let slot = Slot::of(category, outcomes.points[category][roll.index()]).index();
                let value = firsts.further_yahtzee(rules, outcomes, category, roll);
                let first = firsts.slots[slot];
                let more = std::array::from_fn(|i| value[i] - first[i]);
                let second = &mut seconds.rolls[roll.index() % 256];
                *second = prefer(
                    *second,
                    value,
                    values.rolls[roll.index() % 256],
                    shifted(first, after[slot], more),
                );
            }
        }
    }
}

/// The second moment of each roll with a throw left: of scoring at once if that is among the
/// best, else of the first of the best keeps.
#[inline(always)]
fn seconds_of_choice<const W: usize>(
    values: &Values<W>,
    best: &Values<W>,
    now: &Values<W>,
    seconds: &mut Values<W>,
) {
    for roll in 0..ROLL_COUNT {
        let top = best.rolls[roll];
        let mut second = [0.0; W];
        // The parts come in order of preference.
        for &keep in GRAPH.parts_of(roll).iter().rev() {
            second = prefer(second, values.keeps[keep as usize], top, seconds.keeps[keep as usize]);
        }
        seconds.rolls[roll] = prefer(second, now.rolls[roll], top, now.keeps[roll]);
    }
}
