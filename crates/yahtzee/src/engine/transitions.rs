//! Where one turn of the advised play leads from a state: what it earns, which state follows, how likely that is.

use super::entries::{Entries, slots};
use super::game::{GameTable, WIDTH};
use super::lanes::{Rows, Values, choose, expect, score_now};
use super::outcomes::Slot;
use super::states::LaneSet;
use crate::rules::category::{ByCategory, Category};
use crate::rules::dice::Roll;
use crate::rules::graph::{FIRST_ROLL, GRAPH, ROLL_COUNT};
use crate::rules::objective::TIE;

/// One way a turn can go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Transition {
    /// The box that is filled.
    pub(crate) category: Category,
    /// What the turn earns, bonuses included.
    pub(crate) points: u16,
    /// The lane that follows, among those of the set with that box filled.
    pub(crate) lane: u16,
    /// How likely it is.
    pub(crate) chance: f64,
}

/// The different points of the rolls in each box: each roll's number, and the points by number.
pub(crate) struct PlainPoints {
    number: ByCategory<[u8; ROLL_COUNT]>,
    points: ByCategory<Vec<u16>>,
}

/// More than the different points of any box (0 and 5 to 30).
const MOST_POINTS: usize = 32;

impl PlainPoints {
    pub(crate) fn new(table: &GameTable) -> Self {
        let mut points = ByCategory::from_fn(|_| Vec::new());
        let number = ByCategory::from_fn(|category| {
            let all = &table.turn.outcomes.points[category];
            let known: &mut Vec<u16> = &mut points[category];
            all.map(|points| {
                let place = known.iter().position(|&known| known == points);
                place.unwrap_or_else(|| {
                    known.push(points);
                    known.len() - 1
                }) as u8
            })
        });
        debug_assert!(points.iter().all(|(_, points)| points.len() <= MOST_POINTS));
        Self { number, points }
    }
}

/// Scratch memory for one block of lanes, reused for every block.
pub(crate) struct Walk {
    rows: Rows<WIDTH>,
    values: Values<WIDTH>,
    /// The values of scoring at once.
    now: Rows<WIDTH>,
    /// The values of keeps and of rolls with one throw left, with two throws left.
    stages: [Values<WIDTH>; 2],
    /// How likely each keep or roll is.
    chances: Values<WIDTH>,
    /// How likely each roll is to be scored.
    scored: Rows<WIDTH>,
}

impl Walk {
    pub(crate) fn new() -> Box<Self> {
        let zero = const { Values::ZERO };
        let rows = [[0.0; WIDTH]; 256];
        let stages = [zero.clone(), zero.clone()];
        Box::new(Self { rows, values: zero.clone(), now: rows, stages, chances: zero, scored: rows })
    }

    /// The transitions of the lanes of a set from `first` on, as many as a block holds, each list in a fixed order. Ties
    /// are broken as the advice ranks them.
    #[inline(always)]
    pub(crate) fn transitions(
        &mut self,
        table: &GameTable,
        plain: &PlainPoints,
        set: LaneSet,
        first: usize,
    ) -> [Vec<Transition>; WIDTH] {
        let entries = Entries::<WIDTH>::new(table.rules(), &table.space, &table.values, set, first);
        self.evaluate(table, &entries);
        self.follow(table.rules().rolls_per_turn.rerolls());
        let list = Lister {
            table,
            plain,
            set,
            entries: &entries,
            earned: slots(&table.space, set, first, 0.0, |points, _| points),
            next: slots(&table.space, set, first, 0.0, |_, next| next as f64),
            now: &self.now,
            scored: &self.scored,
        };
        std::array::from_fn(|lane| if first + lane < set.lanes { list.of(lane) } else { Vec::new() })
    }

    /// The values of all rolls and keeps of a turn.
    #[inline(always)]
    fn evaluate(&mut self, table: &GameTable, entries: &Entries<WIDTH>) {
        let Self { rows, values, now, stages, .. } = self;
        score_now(table.rules(), &table.turn.outcomes, entries, rows, values);
        *now = values.rolls;
        for stage in stages.iter_mut().take(table.rules().rolls_per_turn.rerolls().into()) {
            expect(values);
            stage.keeps = values.keeps;
            choose(values);
            stage.rolls = values.rolls;
        }
    }

    /// Lets the probabilities of the first throw flow to the rolls that are scored.
    #[inline(always)]
    fn follow(&mut self, rerolls: u8) {
        let Self { now, stages, chances, scored, .. } = self;
        *scored = [[0.0; WIDTH]; 256];
        for (chance, first) in chances.rolls.iter_mut().zip(&GRAPH.chance) {
            *chance = [*first; WIDTH];
        }
        for stage in stages[..rerolls.into()].iter().rev() {
            chances.keeps = [[0.0; WIDTH]; 256];
            for roll in 0..ROLL_COUNT {
                let parts = GRAPH.parts_of(roll);
                for lane in 0..WIDTH {
                    let (chance, least) = (chances.rolls[roll][lane], stage.rolls[roll][lane] - TIE);
                    if now[roll][lane] >= least {
                        scored[roll][lane] += chance;
                    } else if let Some(&keep) =
                        parts.iter().find(|&&keep| stage.keeps[keep as usize][lane] >= least)
                    {
                        chances.keeps[keep as usize][lane] += chance;
                    }
                }
            }
            throw(chances);
        }
        for (scored, chance) in scored.iter_mut().zip(&chances.rolls).take(ROLL_COUNT) {
            for lane in 0..WIDTH {
                scored[lane] += chance[lane];
            }
        }
    }
}

/// Spreads the probabilities of keeps over the rolls that they can become.
#[inline(always)]
fn throw(chances: &mut Values<WIDTH>) {
    chances.rolls = [[0.0; WIDTH]; 256];
    for keep in 0..FIRST_ROLL {
        let share = chances.keeps[keep].map(|chance| chance * (1.0 / 6.0));
        for bigger in GRAPH.plus[keep] {
            let bigger = bigger as usize;
            let row = if bigger < FIRST_ROLL {
                &mut chances.keeps[bigger % 256]
            } else {
                &mut chances.rolls[(bigger - FIRST_ROLL) % 256]
            };
            for lane in 0..WIDTH {
                row[lane] += share[lane];
            }
        }
    }
}

/// What it takes to say where each roll is scored.
struct Lister<'a> {
    table: &'a GameTable,
    plain: &'a PlainPoints,
    set: LaneSet,
    entries: &'a Entries<WIDTH>,
    /// The points that each slot holds.
    earned: [[f64; WIDTH]; Slot::COUNT],
    /// The state that follows each slot.
    next: [[f64; WIDTH]; Slot::COUNT],
    now: &'a Rows<WIDTH>,
    scored: &'a Rows<WIDTH>,
}

impl Lister<'_> {
    fn of(&self, lane: usize) -> Vec<Transition> {
        let open = self.set.open;
        let outcomes = &self.table.turn.outcomes;
        let mut chances = ByCategory::from_fn(|_| [0.0; MOST_POINTS]);
        let mut list = Vec::with_capacity(64);
        for roll in Roll::all() {
            let chance = self.scored[roll.index()][lane];
            if chance <= 0.0 {
                continue;
            }
            let least = self.now[roll.index()][lane] - TIE;
            if self.entries.yahtzee_filled && roll.five_of_a_kind().is_some() {
                let value = |category| {
                    let rules = self.table.rules();
                    self.entries.further_yahtzee(rules, outcomes, category, roll)[lane]
                };
                if let Some(category) = open.iter().find(|&category| value(category) >= least) {
                    let slot = Slot::of(category, outcomes.points[category][roll.index()]).index();
                    // What a slot is worth holds its own points already.
                    let more = value(category) - self.entries.slots[slot][lane];
                    let points = (self.earned[slot][lane] + more).round() as u16;
                    list.push(self.transition(category, slot, points, lane, chance));
                }
            } else if let Some(category) = open.iter().find(|&category| {
                let points = outcomes.points[category][roll.index()];
                let more = if category.is_upper() { 0.0 } else { f64::from(points) };
                self.entries.slots[Slot::of(category, points).index()][lane] + more >= least
            }) {
                let number = self.plain.number[category][roll.index()];
                chances[category][number as usize % MOST_POINTS] += chance;
            }
        }
        for category in open.iter() {
            for (&points, &chance) in self.plain.points[category].iter().zip(&chances[category]) {
                if chance > 0.0 {
                    let slot = Slot::of(category, points).index();
                    let total =
                        if category.is_upper() { self.earned[slot][lane].round() as u16 } else { points };
                    list.push(self.transition(category, slot, total, lane, chance));
                }
            }
        }
        list
    }

    fn transition(
        &self,
        category: Category,
        slot: usize,
        points: u16,
        lane: usize,
        chance: f64,
    ) -> Transition {
        let start = self.table.space.set(self.set.filled.with(category)).start;
        let lane = (self.next[slot][lane] as usize - start) as u16;
        Transition { category, points, lane, chance }
    }
}
