//! The best mean of a payoff from every state that a position can lead to.
//!
//! Two passes. Forwards: which states can be reached, and with how many points. Backwards: a row of values for each state,
//! from those of the states with one more filled box. A row leaves out points that no final score worth more than 0
//! follows, and points that only scores worth 1 follow.

use pulp::{Arch, Simd, WithSimd};

use super::links::{Link, Links};
use super::payoff::Payoff;
use super::point_set::PointSet;
use crate::engine::game::{GameTable, WIDTH};
use crate::engine::lanes::{Rows, Values, best_of_rows, choose, expect, first_throw, larger};
use crate::engine::outcomes::Slot;
use crate::engine::states::LaneSet;
use crate::engine::turn::TurnTable;
use crate::rules::card_state::CardState;

/// Constants on either side of a row, so that any read of neighbouring points is one load.
pub(super) const PAD: usize = WIDTH;

/// Values for neighbouring numbers of points within a list: 0 below them, 1 above.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    /// The points of the first value.
    pub(super) first: i32,
    /// How many values.
    pub(super) length: i32,
    /// Where its zeros begin in the list; the values follow, then the ones.
    pub(super) start: usize,
}

impl Row {
    /// The values of `points` and of the numbers after it.
    #[inline(always)]
    fn read(self, values: &[f64], points: i32) -> [f64; WIDTH] {
        let place = (points - self.first).clamp(-(PAD as i32), self.length) + PAD as i32;
        let values = values.get(self.start + place as usize..).and_then(<[f64]>::first_chunk);
        values.copied().unwrap_or_default()
    }
}

/// A state that can be reached.
struct Node {
    set: LaneSet,
    lane: usize,
    /// With how many points, counted from the fewest at the start.
    reached: PointSet,
}

/// The states with one number of open boxes.
#[derive(Default)]
struct Layer {
    states: Vec<State>,
    values: Vec<f64>,
}

#[derive(Clone, Copy)]
struct State {
    row: Row,
    /// The fewest points and the most that the rest of the game can bring.
    gains: (i32, i32),
}

/// What may follow a card, for some numbers of points on it.
pub(super) struct Solver<'a> {
    table: &'a GameTable,
    arch: Arch,
    /// By the index of a state, its place in its layer.
    places: Vec<u32>,
    /// The states after the next entry.
    next: Layer,
    reads: Reads,
    gains: (i32, i32),
    scratch: Box<Scratch>,
}

impl<'a> Solver<'a> {
    /// Solves all that can follow a card with an open box, for every number of points in `starts`.
    pub(super) fn new(
        table: &'a GameTable,
        card: CardState,
        starts: impl Iterator<Item = i32> + Clone,
        payoff: &Payoff,
    ) -> Self {
        let arch = Arch::new();
        let origin = starts.clone().min().unwrap_or_default();
        let mut reached = PointSet::default();
        starts
            .filter(|&start| start < payoff.end())
            .for_each(|start| reached.insert((start - origin) as usize));
        let end = (payoff.end() - origin).max(0) as usize;
        let (places, mut nodes) = reach(table, card, reached, end);
        let mut scratch = Scratch::new();
        let last = nodes.pop().unwrap_or_default();
        let (row, values) = payoff.row();
        let mut next =
            Layer { states: vec![State { row, gains: (0, 0) }; last.len()], values: values.to_vec() };
        let mut reads = Reads::default();
        let mut gains = (0, 0);
        while let Some(layer) = nodes.pop() {
            let mut solved = Layer::default();
            for node in &layer {
                let links = Links::new(table, node.set, node.lane);
                gains = gains_of(&links, &places, &next);
                reads.set(&links, |link| next.states[places[link.next] as usize].row);
                if nodes.is_empty() {
                    // The card itself.
                    break;
                }
                let row = row_of(node, origin, payoff, gains, solved.values.len());
                solved.states.push(State { row, gains });
                solved.values.resize(row.start + PAD + row.length as usize, 0.0);
                let wanted = Wanted { row, reached: &node.reached, origin };
                let values = &mut solved.values[row.start + PAD..];
                let before = &next.values;
                arch.dispatch(Fill {
                    turn: &table.turn,
                    reads: &reads,
                    before,
                    wanted,
                    values,
                    scratch: &mut scratch,
                });
                solved.values.extend([1.0; PAD]);
            }
            if !nodes.is_empty() {
                next = solved;
            }
        }
        Self { table, arch, places, next, reads, gains, scratch }
    }

    /// The fewest points and the most that the rest of the game can bring.
    pub(super) const fn gains(&self) -> (i32, i32) {
        self.gains
    }

    /// The value of a state after the next entry, with the points after it.
    pub(super) fn after(&self, card: CardState, points: i32) -> f64 {
        let state =
            self.places.get(self.table.index(card)).and_then(|&place| self.next.states.get(place as usize));
        state.map_or(0.0, |state| state.row.read(&self.next.values, points)[0])
    }

    /// The values of rolls and keeps of the turn, for neighbouring points so far from `points` on: of rolls with
    /// `rolls_left` rolls left, and of keeps before the throw that leaves one fewer.
    pub(super) fn turn(&mut self, points: i32, rolls_left: u8) -> &Values<WIDTH> {
        let (turn, before) = (&self.table.turn, &self.next.values);
        let scratch = &mut self.scratch;
        self.arch.dispatch(Turn { turn, reads: &self.reads, before, points, rolls_left, scratch });
        &self.scratch.values
    }

    /// The value before the first throw of the turn.
    pub(super) fn turn_start(&mut self, points: i32) -> f64 {
        let rerolls = self.table.rules().rolls_per_turn.rerolls();
        first_throw(self.turn(points, rerolls))[0]
    }
}

/// The states that a card leads to, by layer, and the place of each in its layer.
fn reach(table: &GameTable, card: CardState, starts: PointSet, end: usize) -> (Vec<u32>, Vec<Vec<Node>>) {
    let space = &table.space;
    let mut places = vec![u32::MAX; space.len()];
    let set = space.set(card.filled());
    let mut layers = vec![vec![Node { set, lane: space.lane(table.rules(), card), reached: starts }]];
    for _ in card.filled().len()..space.box_count() {
        let mut next: Vec<Node> = Vec::new();
        for node in layers.last().into_iter().flatten() {
            for Link { category, next: index, points } in Links::new(table, node.set, node.lane).distinct() {
                let place = &mut places[index];
                if *place == u32::MAX {
                    *place = next.len() as u32;
                    let set = space.set(node.set.filled.with(category));
                    next.push(Node { set, lane: index - set.start, reached: PointSet::default() });
                }
                next[*place as usize].reached.add_moved(&node.reached, points as usize, end);
            }
        }
        layers.push(next);
    }
    (places, layers)
}

fn gains_of(links: &Links, places: &[u32], next: &Layer) -> (i32, i32) {
    links.distinct().into_iter().fold((i32::MAX, 0), |(fewest, most), link| {
        let (least, greatest) = next.states[places[link.next] as usize].gains;
        (fewest.min(link.points + least), most.max(link.points + greatest))
    })
}

/// The points of a state that its value is not known for at once.
fn row_of(node: &Node, origin: i32, payoff: &Payoff, (fewest, most): (i32, i32), start: usize) -> Row {
    let (open, end) = (payoff.first() - most, payoff.end() - fewest);
    let (low, high) = node
        .reached
        .ends()
        .map_or((open, open), |(low, high)| (origin + low as i32, origin + high as i32 + 1));
    let first = low.clamp(open, end);
    Row { first, length: high.clamp(first, end) - first, start }
}

/// Where the values of the entries of one state are read.
#[derive(Default)]
struct Reads {
    upper: Vec<Read>,
    lower: Vec<Read>,
    further: Vec<Read>,
}

struct Read {
    /// Where the value goes.
    to: usize,
    points: i32,
    row: Row,
}

impl Reads {
    fn set(&mut self, links: &Links, row: impl Fn(Link) -> Row) {
        let set = |reads: &mut Vec<Read>, links: &[(usize, Link)]| {
            reads.clear();
            reads.extend(links.iter().map(|&(to, link)| Read { to, points: link.points, row: row(link) }));
        };
        set(&mut self.upper, &links.upper);
        set(&mut self.lower, &links.lower);
        set(&mut self.further, &links.further);
    }
}

struct Scratch {
    slots: [[f64; WIDTH]; Slot::COUNT],
    rows: Rows<WIDTH>,
    values: Values<WIDTH>,
}

impl Scratch {
    fn new() -> Box<Self> {
        Box::new(Self { slots: [[0.0; WIDTH]; Slot::COUNT], rows: [[0.0; WIDTH]; 256], values: Values::ZERO })
    }
}

/// The value of each roll when it must be scored, for `points` and the numbers after it.
#[inline(always)]
fn score_now(turn: &TurnTable, reads: &Reads, before: &[f64], points: i32, scratch: &mut Scratch) {
    const NEVER: [f64; WIDTH] = [f64::NEG_INFINITY; WIDTH];
    let Scratch { slots, rows, values } = scratch;
    let value = |read: &Read| read.row.read(before, points + read.points);
    *slots = [NEVER; Slot::COUNT];
    for read in &reads.upper {
        slots[read.to % Slot::COUNT] = value(read);
    }
    let (upper_rows, lower_rows) = rows.split_at_mut(turn.outcomes.upper.len());
    for (row, [a, b]) in upper_rows.iter_mut().zip(&turn.outcomes.upper) {
        *row = larger(slots[a.index()], slots[b.index()]);
    }
    lower_rows[..turn.outcomes.lower.len()].fill(NEVER);
    for read in &reads.lower {
        let row = &mut rows[read.to % 256];
        *row = larger(*row, value(read));
    }
    best_of_rows(&turn.outcomes, rows, values);
    for read in &reads.further {
        values.rolls[read.to % 256] = NEVER;
    }
    for read in &reads.further {
        let best = &mut values.rolls[read.to % 256];
        *best = larger(*best, value(read));
    }
}

/// The points whose values are wanted.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    row: Row,
    reached: &'a PointSet,
    origin: i32,
}

/// Computes the row of one state.
struct Fill<'a> {
    turn: &'a TurnTable,
    reads: &'a Reads,
    before: &'a [f64],
    wanted: Wanted<'a>,
    values: &'a mut [f64],
    scratch: &'a mut Scratch,
}

impl WithSimd for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { turn, reads, before, wanted: Wanted { row, reached, origin }, values, scratch } = self;
        for (block, values) in values.chunks_mut(WIDTH).enumerate() {
            let points = row.first + (block * WIDTH) as i32;
            if !reached.has_any((points - origin).max(0) as usize, WIDTH) {
                continue;
            }
            score_now(turn, reads, before, points, scratch);
            for _ in 0..turn.rules.rolls_per_turn.rerolls() {
                expect(&mut scratch.values);
                choose(&mut scratch.values);
            }
            values.copy_from_slice(&first_throw(&scratch.values)[..values.len()]);
        }
    }
}

/// Evaluates one turn of the card that was asked about.
struct Turn<'a> {
    turn: &'a TurnTable,
    reads: &'a Reads,
    before: &'a [f64],
    points: i32,
    rolls_left: u8,
    scratch: &'a mut Scratch,
}

impl WithSimd for Turn<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { turn, reads, before, points, rolls_left, scratch } = self;
        score_now(turn, reads, before, points, scratch);
        let mut keeps = None;
        for _ in 0..rolls_left {
            expect(&mut scratch.values);
            keeps = Some(scratch.values.keeps);
            choose(&mut scratch.values);
        }
        // Choosing leaves the best of each keep and its smaller ones.
        if let Some(keeps) = keeps {
            scratch.values.keeps = keeps;
        }
    }
}
