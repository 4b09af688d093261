//! The exact distribution of the final score under the advised play.
//!
//! Probabilities flow forwards through the states, layer by layer: each state holds how likely it is to be reached with so
//! many points. A layer is done batch by batch, each in two steps: first how the states of the batch go on, then what the
//! states of the next layer receive from them. The transitions of a whole layer would take as much memory as its probabilities (68 MB each in
//! the official game), hence the batches. Within a step the sets of filled boxes are independent, and every state adds up what it receives in one order,
//! so that any number of threads gives the same bits.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::game::{GameTable, WIDTH};
use super::reached::{Reached, Span, add};
use super::states::LaneSet;
use super::transitions::{PlainPoints, Transition, Walk};
use crate::rules::card_state::CardState;
use crate::rules::category::{Category, CategorySet};
use crate::rules::scorecard::Scorecard;

/// States in one batch: how they go on takes some 8 MB. The last layer is far smaller, so it is one batch.
const BATCH: usize = 8_192;

/// The work on one distribution, cut into chunks that run in their order but for those between two barriers, which may
/// run side by side.
pub struct DistributionWork {
    table: Arc<GameTable>,
    plain: PlainPoints,
    start: CardState,
    points_so_far: u32,
    chunks: Vec<Chunk>,
    barriers: Vec<u64>,
    /// By the place of a set of filled boxes.
    cells: Vec<Cell>,
}

#[derive(Clone, Copy)]
enum Chunk {
    /// How the states of a set go on.
    Leave(CategorySet),
    /// What the states of a set receive from the batch that has just been left.
    Arrive(CategorySet),
}

/// One set of filled boxes.
#[derive(Default)]
struct Cell {
    arrived: Mutex<Option<Arc<Reached>>>,
    leaving: Mutex<Option<Arc<Vec<Vec<Transition>>>>>,
    /// How many sets still are to receive from this one.
    readers: AtomicU8,
}

impl DistributionWork {
    /// The work on the final score of a card, which must have been checked under the rules of the table.
    pub fn new(table: Arc<GameTable>, card: &Scorecard) -> Self {
        let (start, points_so_far) = (card.state(), card.points_so_far());
        let filled = start.filled();
        let reached = |set: &CategorySet| set.intersection(filled) == filled;
        let (mut chunks, mut barriers) = (Vec::new(), Vec::new());
        let space = &table.space;
        for layer in filled.len()..space.box_count() {
            let sets: Vec<_> = space.sets_of(layer).filter(reached).collect();
            for batch in batches(&sets, |&set| space.set(set).lanes) {
                barriers.push(chunks.len() as u64);
                chunks.extend(batch.iter().copied().map(Chunk::Leave));
                barriers.push(chunks.len() as u64);
                let next = |to: &CategorySet| batch.iter().any(|from| from.intersection(*to) == *from);
                chunks.extend(space.sets_of(layer + 1).filter(reached).filter(next).map(Chunk::Arrive));
            }
        }
        let cells: Vec<Cell> = (0..1usize << space.box_count()).map(|_| Cell::default()).collect();
        for set in (0..=space.box_count()).flat_map(|layer| space.sets_of(layer)) {
            cells[space.place(set)].readers.store(space.set(set).open.len() as u8, Ordering::Relaxed);
        }
        let set = space.set(filled);
        let mut lanes = vec![Span::default(); set.lanes];
        lanes[space.lane(table.rules(), start)].length = 1;
        let arrived = Reached { lanes, chances: vec![1.0] };
        *lock(&cells[space.place(filled)].arrived) = Some(Arc::new(arrived));
        let plain = PlainPoints::new(&table);
        Self { table, plain, start, points_so_far, chunks, barriers, cells }
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> u64 {
        self.chunks.len() as u64
    }

    /// The chunks that must not begin before all before them have ended.
    pub fn barriers(&self) -> &[u64] {
        &self.barriers
    }

    /// How many states there are to be left: the units that [`Self::run_chunk`] counts in.
    pub fn states(table: &GameTable, start: CardState) -> u64 {
        let filled = start.filled();
        let sets = (filled.len()..table.space.box_count()).flat_map(|layer| table.space.sets_of(layer));
        let reached = sets.filter(|set| set.intersection(filled) == filled);
        reached.map(|set| table.space.set(set).lanes as u64).sum()
    }

    /// Runs one chunk and says how many states it was that were left.
    pub fn run_chunk(&self, chunk: u64) -> u64 {
        match self.chunks.get(chunk as usize) {
            Some(&Chunk::Leave(set)) => self.leave(self.table.space.set(set)),
            Some(&Chunk::Arrive(set)) => {
                self.arrive(self.table.space.set(set));
                0
            }
            None => 0,
        }
    }

    /// Runs all chunks on the current rayon pool.
    pub fn run_blocking(&self) -> Distribution {
        let ends = self.barriers.iter().skip(1).copied().chain([self.chunks()]);
        for (first, end) in self.barriers.iter().copied().zip(ends) {
            (first..end).into_par_iter().for_each(|chunk| {
                self.run_chunk(chunk);
            });
        }
        self.result().unwrap_or_default()
    }

    /// The distribution, once all chunks have run.
    pub fn result(&self) -> Option<Distribution> {
        let last = lock(&self.cells.last()?.arrived).clone()?;
        let longest = last.lanes.iter().map(|span| span.points + span.length).max().unwrap_or_default();
        let mut by_score = vec![0.0; (self.points_so_far + longest) as usize];
        for &span in &last.lanes {
            add(&mut by_score[(self.points_so_far + span.points) as usize..], last.of(span), 1.0);
        }
        Some(Distribution { by_score })
    }

    /// The state that the distribution starts from.
    pub const fn start(&self) -> CardState {
        self.start
    }

    fn cell(&self, filled: CategorySet) -> &Cell {
        &self.cells[self.table.space.place(filled)]
    }

    fn leave(&self, set: LaneSet) -> u64 {
        struct Leave<'a> {
            work: &'a DistributionWork,
            set: LaneSet,
            arrived: &'a Reached,
        }
        impl WithSimd for Leave<'_> {
            type Output = Vec<Vec<Transition>>;

            #[inline(always)]
            fn with_simd<S: Simd>(self, _: S) -> Self::Output {
                let Self { work, set, arrived } = self;
                let mut walk = Walk::new();
                let mut leaving = Vec::with_capacity(set.lanes);
                for first in (0..set.lanes).step_by(WIDTH) {
                    let block = first..(first + WIDTH).min(set.lanes);
                    if arrived.lanes[block.clone()].iter().all(|span| span.length == 0) {
                        leaving.extend(block.map(|_| Vec::new()));
                        continue;
                    }
                    let lists = walk.transitions(&work.table, &work.plain, set, first);
                    leaving.extend(lists.into_iter().take(block.len()));
                }
                leaving
            }
        }
        let cell = self.cell(set.filled);
        let arrived = lock(&cell.arrived).take();
        let Some(arrived) = arrived else { return 0 };
        let arrived = Arc::new(arrived.cut());
        *lock(&cell.arrived) = Some(Arc::clone(&arrived));
        let leaving = arch().dispatch(Leave { work: self, set, arrived: &arrived });
        *lock(&cell.leaving) = Some(Arc::new(leaving));
        set.lanes as u64
    }

    fn arrive(&self, set: LaneSet) {
        struct Arrive<'a> {
            work: &'a DistributionWork,
            set: LaneSet,
        }
        impl WithSimd for Arrive<'_> {
            type Output = Reached;

            #[inline(always)]
            fn with_simd<S: Simd>(self, _: S) -> Reached {
                self.work.receive(self.set)
            }
        }
        let arrived = arch().dispatch(Arrive { work: self, set });
        *lock(&self.cell(set.filled).arrived) = Some(Arc::new(arrived));
        for category in self.sources(set.filled) {
            let cell = self.cell(set.filled.without(category));
            if cell.has_left() && cell.readers.fetch_sub(1, Ordering::AcqRel) == 1 {
                *lock(&cell.arrived) = None;
                *lock(&cell.leaving) = None;
            }
        }
    }

    /// The boxes that may have been filled last.
    fn sources(&self, filled: CategorySet) -> impl Iterator<Item = Category> {
        filled.minus(self.start.filled()).iter()
    }

    #[inline(always)]
    fn receive(&self, set: LaneSet) -> Reached {
        let before = lock(&self.cell(set.filled).arrived).take();
        let before = before.unwrap_or_else(|| Arc::new(Reached::none(set.lanes)));
        let sources: Vec<_> = self
            .sources(set.filled)
            .filter_map(|category| {
                let cell = self.cell(set.filled.without(category));
                let (from, leaving) = (lock(&cell.arrived).clone()?, lock(&cell.leaving).clone()?);
                Some((category, from, leaving))
            })
            .collect();
        let each = |receive: &mut dyn FnMut(&Reached, Span, &Transition)| {
            for (category, from, leaving) in &sources {
                for (&span, transitions) in
                    from.lanes.iter().zip(&**leaving).filter(|(span, _)| span.length > 0)
                {
                    for transition in transitions.iter().filter(|transition| transition.category == *category)
                    {
                        receive(from, span, transition);
                    }
                }
            }
        };
        let mut lanes = before.lanes.clone();
        each(&mut |_, span, transition| {
            lanes[usize::from(transition.lane)].cover(span.moved(transition.points))
        });
        let mut arrived = Reached::laid_out(lanes);
        for (lane, &span) in before.lanes.iter().enumerate() {
            arrived.add(lane, span, before.of(span), 1.0);
        }
        each(&mut |from, span, transition| {
            let moved = span.moved(transition.points);
            arrived.add(transition.lane.into(), moved, from.of(span), transition.chance);
        });
        arrived
    }
}

impl Cell {
    /// Whether it is of the batch that has just been left: earlier ones are gone, later ones still to come.
    fn has_left(&self) -> bool {
        lock(&self.leaving).is_some()
    }
}

/// Neighbouring items whose sizes add up to at most [`BATCH`], or single ones that are larger.
fn batches<T>(items: &[T], size: impl Fn(&T) -> usize) -> impl Iterator<Item = &[T]> {
    let mut sum = 0;
    items.chunk_by(move |before, after| {
        sum += size(before);
        let fits = sum + size(after) <= BATCH;
        if !fits {
            sum = 0;
        }
        fits
    })
}

fn lock<T>(cell: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A cell is whole between two uses, also where a thread panicked in one.
    cell.lock().unwrap_or_else(PoisonError::into_inner)
}

fn arch() -> Arch {
    static ARCH: OnceLock<Arch> = OnceLock::new();
    *ARCH.get_or_init(Arch::new)
}

/// The exact distribution of a final score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distribution {
    by_score: Vec<f64>,
}

impl Distribution {
    /// The probability of each score from 0 on.
    pub fn probabilities(&self) -> &[f64] {
        &self.by_score
    }

    /// The sum of all probabilities: 1 but for rounding.
    pub fn total(&self) -> f64 {
        self.by_score.iter().sum()
    }

    /// The expected score.
    pub fn mean(&self) -> f64 {
        self.scored().map(|(score, chance)| score * chance).sum()
    }

    /// The standard deviation of the score.
    pub fn standard_deviation(&self) -> f64 {
        let mean = self.mean();
        self.scored().map(|(score, chance)| (score - mean).powi(2) * chance).sum::<f64>().sqrt()
    }

    /// The likeliest score; of several the lowest.
    pub fn mode(&self) -> u32 {
        let best = self.by_score.iter().enumerate().rev().max_by(|a, b| a.1.total_cmp(b.1));
        best.map_or(0, |(score, _)| score as u32)
    }

    /// The probability of at least `target` points.
    pub fn at_least(&self, target: u32) -> f64 {
        let (below, from) = self.by_score.split_at(self.by_score.len().min(target as usize));
        let below: f64 = below.iter().sum();
        // The smaller part is summed, from its small end: far tails keep their digits, and what is certain is 1.
        if below < 0.5 { 1.0 - below } else { from.iter().rev().fold(0.0, |sum, chance| sum + chance) }
    }

    /// The lowest score that is not exceeded with this probability, 0 to 1.
    pub fn quantile(&self, probability: f64) -> u32 {
        let mut below = 0.0;
        let reached = self.by_score.iter().position(|chance| {
            below += chance;
            // A sum that rounding keeps just under what it should be is there.
            below >= probability - 1e-12
        });
        reached.unwrap_or_else(|| self.by_score.len().saturating_sub(1)) as u32
    }

    fn scored(&self) -> impl Iterator<Item = (f64, f64)> {
        self.by_score.iter().enumerate().map(|(score, &chance)| (score as f64, chance))
    }
}
