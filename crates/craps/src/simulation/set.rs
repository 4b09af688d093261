//! A set of bets on the same dice.
//!
//! Bets are joined into groups: the states of a group are those of all its bets together, so that a roll is one look-up
//! for the whole group. A group grows as long as its table stays small; what does not fit starts the next one.

use std::collections::HashMap;

use super::counts::Counts;
use super::random::Bytes;
use super::set_law::SetLaw;
use super::table::{CELLS, Entry, Row, Table, drawn_start};
use super::table_driven::{LANES, share};
use crate::automaton::{Automaton, Step};
use crate::dice::Dice;

/// Tables stay within a core's own caches.
const MOST_STATES: usize = 1024;
/// Two cells are not events.
const MOST_EVENTS: usize = CELLS - 2;

/// The bets of a set in groups.
pub(super) struct Set {
    groups: Vec<Group>,
    /// For each bet the place of its first outcome among those of all bets, and last how many there are.
    offsets: Vec<usize>,
}

/// Some bets as one table, whose outcomes are events.
pub(super) struct Group {
    pub(super) table: Table,
    events: Vec<Event>,
    /// Whether a start has to be drawn before a decision.
    pub(super) draws: bool,
    /// For each cell the worth of the event in units and the bets that it settles; nothing where no event is.
    pub(super) worth: Vec<(i64, usize)>,
}

/// What one roll settles: `(bet, outcome)`.
type Event = Vec<(usize, usize)>;

/// The state of a bet of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// One of its several starts has still to be drawn.
    Drawing,
    /// In this state.
    At(usize),
    /// Settled.
    Resting,
}

impl Set {
    /// Joins bets, given with the net of each of their outcomes in units.
    pub(super) fn new(automata: &[Automaton], nets: &[Vec<i64>]) -> Self {
        let mut groups = Vec::new();
        let mut members: Vec<usize> = Vec::new();
        let mut joined = None;
        for bet in 0..automata.len() {
            members.push(bet);
            match Group::join(automata, nets, &members, MOST_STATES) {
                Some(group) => joined = Some(group),
                None => {
                    groups.extend(joined);
                    members = vec![bet];
                    joined = Group::join(automata, nets, &members, usize::MAX);
                }
            }
        }
        groups.extend(joined);
        let mut offsets = vec![0];
        for nets in nets {
            offsets.push(offsets[offsets.len() - 1] + nets.len());
        }
        Self { groups, offsets }
    }

    /// The exact law of a decision, if one table holds all bets: between tables nothing is known of what they share.
    pub(super) fn law(&self) -> Option<SetLaw> {
        if let [group] = &self.groups[..] { Some(SetLaw::of(group)) } else { None }
    }

    /// Plays `decisions` decisions: all bets on the same dice until every one is settled. Settled bets rest in their
    /// tables, so that a roll has no branch but the one that ends the decision.
    pub(super) fn run(&self, seed: u64, chunk: u64, decisions: u64) -> Counts {
        let mut lanes: [Lane; LANES] = std::array::from_fn(|lane| {
            Lane::new(self, Bytes::new(seed, chunk, lane as u64), share(decisions, lane))
        });
        while lanes.iter().all(|lane| lane.left > 0) {
            for lane in &mut lanes {
                lane.roll(self);
            }
        }
        let bets = self.offsets.len() - 1;
        let mut counts = Counts::zero(self.offsets[bets]);
        for mut lane in lanes {
            while lane.left > 0 {
                lane.roll(self);
            }
            for (cells, group) in lane.cells.iter().zip(&self.groups) {
                for (count, event) in cells.iter().zip(&group.events) {
                    for &(bet, outcome) in event {
                        counts.cells[self.offsets[bet] + outcome] += count;
                    }
                }
            }
            counts.merge(&lane.counts);
        }
        counts
    }
}

impl Group {
    /// The product of some bets, nothing where it has more than `most` states or too many events.
    fn join(automata: &[Automaton], nets: &[Vec<i64>], members: &[usize], most: usize) -> Option<Self> {
        let start: Vec<Place> = members
            .iter()
            .map(|&bet| match automata[bet].starts() {
                [(state, _)] => Place::At(*state),
                _ => Place::Drawing,
            })
            .collect();
        let draws = start.contains(&Place::Drawing);
        let mut index = HashMap::from([(start.clone(), 0)]);
        let mut queue = vec![start];
        let mut events: Vec<Event> = Vec::new();
        let mut steps: Vec<[(usize, Option<usize>); Dice::COUNT]> = Vec::new();
        while steps.len() < queue.len() {
            let state = queue[steps.len()].clone();
            let mut row = [(0, None); Dice::COUNT];
            for (pair, cell) in row.iter_mut().enumerate() {
                let (next, event) = roll(automata, members, &state, pair);
                let next = *index.entry(next).or_insert_with_key(|next| {
                    queue.push(next.clone());
                    queue.len() - 1
                });
                let known = events.iter().position(|known| *known == event);
                let event = (!event.is_empty()).then(|| {
                    known.unwrap_or_else(|| {
                        events.push(event);
                        events.len() - 1
                    })
                });
                *cell = (next, event);
            }
            steps.push(row);
            if queue.len() > most || events.len() > MOST_EVENTS {
                return None;
            }
        }
        let rows: Vec<Row> =
            steps.iter().map(|row| row.map(|(next, event)| (next, event.unwrap_or(events.len())))).collect();
        let mut worth = vec![(0, 0); CELLS];
        for (worth, event) in worth.iter_mut().zip(&events) {
            *worth = (event.iter().map(|&(bet, outcome)| nets[bet][outcome]).sum(), event.len());
        }
        Some(Self { table: Table::from_rows(&rows, 0, events.len()), events, draws, worth })
    }
}

/// One roll of a group. While a start is being drawn the other bets wait; bets that draw share the dice, hence the puck.
fn roll(automata: &[Automaton], members: &[usize], places: &[Place], pair: usize) -> (Vec<Place>, Event) {
    let drawing = places.contains(&Place::Drawing);
    let mut event = Event::new();
    let moved = members.iter().zip(places).map(|(&bet, &place)| match place {
        Place::Drawing => drawn_start(&automata[bet], pair).map_or(place, Place::At),
        Place::At(state) if !drawing => match automata[bet].states()[state][pair] {
            Step::Go(next) => Place::At(next),
            Step::Settle(outcome) => {
                event.push((bet, outcome));
                Place::Resting
            }
        },
        Place::At(_) | Place::Resting => place,
    });
    let moved = moved.collect();
    (moved, event)
}

/// One set of bets, made again as soon as all of it is settled.
struct Lane {
    bytes: Bytes,
    entries: Vec<Entry>,
    cells: Vec<[u64; CELLS]>,
    counts: Counts,
    /// Of the decision that is played: rolls, net, and bets settled.
    rolls: u64,
    net: i64,
    settled: usize,
    /// Decisions still to be finished.
    left: u64,
}

impl Lane {
    fn new(set: &Set, bytes: Bytes, decisions: u64) -> Self {
        let mut lane = Self {
            bytes,
            entries: set.groups.iter().map(|group| group.table.start()).collect(),
            cells: vec![[0; CELLS]; set.groups.len()],
            counts: Counts::default(),
            rolls: 0,
            net: 0,
            settled: 0,
            left: decisions,
        };
        lane.make_bets(set);
        lane
    }

    fn make_bets(&mut self, set: &Set) {
        (self.rolls, self.net, self.settled) = (0, 0, 0);
        for (entry, group) in self.entries.iter_mut().zip(&set.groups) {
            *entry = group.table.start();
            while group.draws && group.table.is_at_start(*entry) {
                *entry = group.table.advance(*entry, self.bytes.next());
            }
        }
    }

    #[inline(always)]
    fn roll(&mut self, set: &Set) {
        let byte = self.bytes.next();
        self.rolls += u64::from(Table::is_roll(byte));
        // PERF: sums in registers; through `self` each group would wait for the store of the one before.
        let (mut net, mut settled) = (self.net, self.settled);
        for ((entry, group), cells) in self.entries.iter_mut().zip(&set.groups).zip(&mut self.cells) {
            *entry = group.table.advance(*entry, byte);
            let cell = entry.cell() % CELLS;
            cells[cell] += 1;
            let (worth, bets) = group.worth[cell];
            net += worth;
            settled += bets;
        }
        (self.net, self.settled) = (net, settled);
        if self.settled + 1 == set.offsets.len() {
            self.counts.add_decision(self.rolls, self.net);
            self.left -= 1;
            self.make_bets(set);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bet::Bet;

    /// However bets are grouped, they see the same dice: a set of bets that all fit one table is played as one group and,
    /// bet by bet, as many.
    #[test]
    fn grouping_changes_no_count() {
        let bets = ["pass_line", "place_6", "hard_8", "field_2x_3x"];
        let automata = bets.map(|id| Bet::from_id(id).unwrap().automaton());
        let nets: Vec<Vec<i64>> =
            automata.iter().map(|automaton| (1..).take(automaton.outcomes().len()).collect()).collect();
        let joined = Set::new(&automata, &nets);
        assert_eq!(joined.groups.len(), 1);
        let apart = Set {
            groups: (0..bets.len())
                .map(|bet| Group::join(&automata, &nets, &[bet], usize::MAX).unwrap())
                .collect(),
            offsets: joined.offsets.clone(),
        };
        assert_eq!(joined.run(3, 5, 10_000), apart.run(3, 5, 10_000));
    }

    #[test]
    fn a_large_set_is_split() {
        let automata: Vec<_> = ["all_30_150", "fire_24_249_999", "small_30_150"]
            .map(|id| Bet::from_id(id).unwrap().automaton())
            .into();
        let nets: Vec<Vec<i64>> =
            automata.iter().map(|automaton| vec![1; automaton.outcomes().len()]).collect();
        let set = Set::new(&automata, &nets);
        assert!(set.groups.len() > 1);
        let counts = set.run(1, 1, 1000);
        assert_eq!((counts.finished, counts.cells.iter().sum::<u64>()), (1000, 3000));
    }
}
