//! The whole game, exactly: the expected points still to come in every state between turns.

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::entries::Entries;
use super::lanes::{Rows, Values, choose, expect, first_throw, score_now};
use super::states::{LaneSet, StateSpace};
use super::turn::TurnTable;
use crate::rules::card_state::CardState;
use crate::rules::rule_set::Rules;

/// How many lanes go through a turn together: one register of AVX-512, two of AVX2. A block of all
/// 462 keeps is 30 KB then and stays in the first-level cache.
pub(crate) const WIDTH: usize = 8;

/// The value of every state between turns under optimal play, for one set of rules.
///
/// ```no_run
/// use kibitz_yahtzee::{GameTable, Rules};
/// let table = GameTable::build_blocking(&Rules::OFFICIAL);
/// assert!((table.expected_final() - 254.587728734).abs() < 1e-6);
/// ```
#[derive(Clone)]
pub struct GameTable {
    pub(crate) turn: TurnTable,
    pub(crate) space: StateSpace,
    pub(crate) values: Vec<f64>,
}

impl GameTable {
    /// Computes the table on the current rayon pool (use `pool.install` to choose another): some
    /// tens of milliseconds of all its threads. The result is the same to the last bit on any
    /// number of threads and any width of registers.
    pub fn build_blocking(rules: &Rules) -> Self {
        Self::build_on(rules, Arch::new())
    }

    pub(crate) fn build_on(rules: &Rules, arch: Arch) -> Self {
        let space = StateSpace::new(rules);
        let turn = TurnTable::new(rules);
        let mut values = vec![0.0; space.len()];
        by_layers(&space, &mut values, Scratch::new, |scratch, done, set, lanes| {
            arch.dispatch(Solve { turn: &turn, space: &space, done, set, lanes, scratch });
        });
        Self { turn, space, values }
    }

    /// The rules that the table was made for.
    pub const fn rules(&self) -> &Rules {
        &self.turn.rules
    }

    /// The expected points still to come before the first throw of a turn, under optimal play.
    pub fn value(&self, card: CardState) -> f64 {
        self.values[self.index(card)]
    }

    /// Where a state is in the table.
    pub(crate) fn index(&self, card: CardState) -> usize {
        self.space.set(card.filled).start + self.space.lane(self.rules(), card)
    }

    /// The expected final score of a whole game.
    pub fn expected_final(&self) -> f64 {
        self.value(CardState::default())
    }

    /// How many states the table tells apart.
    pub const fn state_count(&self) -> usize {
        self.values.len()
    }

    /// About how many bytes of memory the table takes.
    pub const fn bytes(&self) -> usize {
        /// The values of rolls, which are few beside those of states, and what is as long under all rules.
        const FIXED: usize = 64 * 1024;
        size_of::<f64>() * self.values.len() + self.space.bytes() + FIXED
    }
}

/// Fills the lanes of all sets but the full one, each layer of equally many filled boxes from the
/// ones before it, the sets of a layer side by side on the current rayon pool.
///
/// `solve` gets its thread's scratch, everything before the layer, a set, and the set's lanes.
pub(crate) fn by_layers<T>(
    space: &StateSpace,
    values: &mut [f64],
    scratch: impl Fn() -> T + Sync + Send,
    solve: impl Fn(&mut T, &[f64], LaneSet, &mut [f64]) + Sync + Send,
) {
    for layer in (0..space.box_count()).rev() {
        let sets: Vec<LaneSet> = space.sets_of(layer).map(|filled| space.set(filled)).collect();
        let (done, mut rest) = values.split_at_mut(sets[0].start);
        let mut work = Vec::with_capacity(sets.len());
        for set in sets {
            let (lanes, after) = rest.split_at_mut(set.lanes);
            work.push((set, lanes));
            rest = after;
        }
        let done = &*done;
        work.into_par_iter()
            .for_each_init(&scratch, |scratch, (set, lanes)| solve(scratch, done, set, lanes));
    }
}

/// Scratch memory for one block of lanes.
struct Scratch {
    rows: Rows<WIDTH>,
    values: Values<WIDTH>,
}

impl Scratch {
    fn new() -> Box<Self> {
        Box::new(Self { rows: [[0.0; WIDTH]; 256], values: Values::ZERO })
    }
}

/// Computes the lanes of one set from the sets with one more filled box.
struct Solve<'a> {
    turn: &'a TurnTable,
    space: &'a StateSpace,
    done: &'a [f64],
    set: LaneSet,
    lanes: &'a mut [f64],
    scratch: &'a mut Scratch,
}

impl WithSimd for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { turn: TurnTable { rules, outcomes }, space, done, set, lanes, scratch } = self;
        let Scratch { rows, values } = scratch;
        for (block, lanes) in lanes.chunks_mut(WIDTH).enumerate() {
            let entries = Entries::<WIDTH>::new(rules, space, done, set, block * WIDTH);
            score_now(rules, outcomes, &entries, rows, values);
            for _ in 0..rules.rolls_per_turn.rerolls() {
                expect(values);
                choose(values);
            }
            lanes.copy_from_slice(&first_throw(values)[..lanes.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dice, Objective, Position, Roll, RollsPerTurn, Scorecard};

    fn bits(table: &GameTable) -> Vec<u64> {
        table.values.iter().map(|value| value.to_bits()).collect()
    }

    #[test]
    fn any_registers_give_the_same_bits() {
        for rules in [Rules::OFFICIAL, Rules { rolls_per_turn: RollsPerTurn::Two, ..Rules::PLAIN }] {
            let scalar = bits(&GameTable::build_on(&rules, Arch::Scalar));
            assert!(bits(&GameTable::build_blocking(&rules)) == scalar);
            #[cfg(target_arch = "x86_64")]
            if let Some(v3) = pulp::x86::V3::try_new() {
                assert!(bits(&GameTable::build_on(&rules, Arch::V3(v3))) == scalar);
            }
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            bits(&pool.install(|| GameTable::build_blocking(&Rules::OFFICIAL)))
        };
        let one = on(1);
        assert!(one == on(2) && one == on(5));
    }

    #[test]
    fn a_turn_starts_at_the_mean_of_its_first_throws() {
        let forced = Rules { forced_order: true, ..Rules::YATZY };
        for rules in [Rules::OFFICIAL, Rules { rolls_per_turn: RollsPerTurn::One, ..Rules::OFFICIAL }, forced]
        {
            let table = GameTable::build_blocking(&rules);
            let mean: f64 = Roll::all()
                .map(|roll| {
                    let dice = Dice::new(roll.faces()).unwrap();
                    let left = rules.rolls_per_turn.rerolls();
                    let position =
                        Position::new(&rules, dice, left.into(), Scorecard::empty(&rules)).unwrap();
                    let advice = table.advise(&position, Objective::Game);
                    assert_eq!(advice.turn_start_value(), Some(table.expected_final()));
                    advice.best().value * f64::from(roll.ways()) / 7776.0
                })
                .sum();
            assert!((mean - table.expected_final()).abs() < 1e-10);
        }
    }
}
