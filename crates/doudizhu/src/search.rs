//! Branch and bound over the runs of a hand; every other play comes from the shape table.

use super::counts::lanes::{self, Held};
use super::rules::Rules;
use super::shape_table::Table;

/// Finds the best way to play `cards` out.
pub(super) fn search(rules: &Rules, table: &impl Table, cards: u64) -> Found {
    search_until(rules, table, cards, 0)
}

/// Finds a way of at most `few` plays, the first that it meets, or the best way where all take more.
pub(super) fn search_until(rules: &Rules, table: &impl Table, cards: u64, few: u8) -> Found {
    search_below(rules, table, cards, u8::MAX, few)
}

/// The same among ways of fewer than `below` plays; if there is none, the result has `below` plays and no cards.
pub(super) fn search_below(rules: &Rules, table: &impl Table, cards: u64, below: u8, few: u8) -> Found {
    let runs = [Run::BEFORE_ALL; MOST_RUNS];
    let wings = [0; MOST_PLANES];
    let found = Found { plays: below, runs, number_of_runs: 0, wings, left: cards, steps: 0 };
    let mut search = Search {
        rules,
        table,
        runs,
        depth: 0,
        planes: 0,
        slots: 0,
        wings,
        found,
        below: below.into(),
        few,
        steps: 0,
    };
    if rules.runs {
        search.visit(cards, Run::BEFORE_ALL);
    } else {
        search.consider(cards);
    }
    Found { steps: search.steps, ..search.found }
}

/// The best way found to play a hand out: its runs, the wings of its planes, and the cards that the shape table plays
/// after them.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) plays: u8,
    runs: [Run; MOST_RUNS],
    number_of_runs: usize,
    /// The wings of the plane at the same place in `runs`; zero for none.
    wings: [u64; MOST_PLANES],
    pub(super) left: u64,
    /// How many sets of runs and wings were looked at: the work done, whatever the machine.
    pub(super) steps: u64,
}

impl Found {
    /// The runs, planes first, each with its wings.
    pub(super) fn runs(&self) -> impl Iterator<Item = (Run, u64)> {
        let wings = self.wings.into_iter().chain(std::iter::repeat(0));
        self.runs.into_iter().take(self.number_of_runs).zip(wings)
    }
}

/// The body of a straight, pair straight or plane.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// 1 for a straight, 2 for a pair straight, 3 for a plane.
    pub(super) copies: u8,
    /// Index of its lowest rank.
    pub(super) start: u8,
    /// How many ranks it holds.
    pub(super) length: u8,
}

impl Run {
    /// Comes before every run in the order of the search.
    const BEFORE_ALL: Self = Self { copies: 3, start: 0, length: u8::MAX };

    const fn lanes(self) -> u64 {
        lanes::window(self.start as usize, self.length as usize)
    }

    const fn end(self) -> u8 {
        self.start + self.length
    }
}

/// No hand needs more than 14 plays (each rank at once, and the rocket), so no line with more runs is looked at.
const MOST_RUNS: usize = 14;
/// Planes share no rank (that would take six cards of it), and hold at least two of the twelve ranks.
const MOST_PLANES: usize = 6;
/// The shortest run with this number of copies of each rank: straight, pair straight, plane.
const SHORTEST: [u8; 4] = [0, 5, 3, 2];

/// The state of a search: what has been taken out on the way here, and the best line so far.
pub(super) struct Search<'a, T> {
    pub(super) rules: &'a Rules,
    table: &'a T,
    pub(super) runs: [Run; MOST_RUNS],
    /// How many runs are taken out.
    depth: usize,
    /// How many of them are planes; they come first.
    pub(super) planes: usize,
    /// How many wings those planes may carry in all.
    slots: usize,
    /// The wings chosen so far; zero for every plane that is not being served.
    pub(super) wings: [u64; MOST_PLANES],
    found: Found,
    /// A line is worth following while it may come to fewer plays than this.
    below: i32,
    /// A line with this number of plays ends the search.
    few: u8,
    pub(super) steps: u64,
}

impl<T: Table> Search<'_, T> {
    /// Values the hand with the runs taken so far and no more, then with each further run. Runs come in one order
    /// (planes, pair straights, straights; by start; the longer first), so that no set of runs is met twice.
    fn visit(&mut self, left: u64, last: Run) {
        self.consider(left);
        if self.slots > 0 {
            self.choose_wings(0, left, self.slots);
        }
        let held = T::held(left);
        let first = |copies| if last.copies == copies { last.start } else { 0 };
        let straights = starts::<5>(held.once, first(1));
        let in_straights = spread::<5>(straights);
        if last.copies > 1 {
            let pairs = starts::<3>(held.twice, first(2));
            let in_pairs = spread::<3>(pairs);
            if last.copies > 2 {
                let planes = starts::<2>(held.thrice, first(3));
                self.take_each::<3, 2>(planes, in_pairs | in_straights, left, held, last);
            }
            self.take_each::<2, 3>(pairs, in_straights, left, held, last);
        }
        self.take_each::<1, 5>(straights, 0, left, held, last);
    }

    /// Takes out each run of one kind that may follow `last` and begins at one of `starts`, and goes on from there.
    /// `in_later` are the ranks that runs of the kinds still to come can reach.
    #[inline(always)]
    fn take_each<const COPIES: u8, const SHORTEST: u8>(
        &mut self,
        mut starts: u64,
        in_later: u64,
        left: u64,
        held: Held,
        last: Run,
    ) {
        let winged = COPIES == 3 && self.rules.plane_wings;
        let enough = lanes::RUNS & [held.once, held.twice, held.thrice][usize::from(COPIES) - 1];
        while starts != 0 {
            let reachable = spread::<SHORTEST>(starts);
            let slots = self.slots + if winged { lanes::number(reachable) } else { 0 };
            let more = floor::<T>(held, left, lanes::RANKS & !(reachable | in_later), slots);
            // No play still to come takes more cards than the longest run of this kind, wings apart.
            let most = lanes::RANKS_IN_RUNS * i32::from(COPIES);
            let by_cards = (i32::from(lanes::total(left)) - 2 * slots as i32 + most - 1) / most;
            if self.is_hopeless(by_cards.max(1 + more)) {
                return;
            }
            let start = lanes::lowest(starts) as u8;
            starts &= starts - 1;
            let mut longest = lanes::lowest(lanes::RANKS & !(enough >> (4 * start))) as u8;
            if last.copies == COPIES && last.start == start {
                longest = longest.min(last.length - u8::from(!self.may_repeat(COPIES)));
            }
            if !winged {
                longest = longest.min(self.longest_uncrossed(COPIES, start));
            }
            for length in (SHORTEST..=longest).rev() {
                self.take(Run { copies: COPIES, start, length }, left);
            }
        }
    }

    fn take(&mut self, run: Run, left: u64) {
        let (planes, slots) = (self.planes, self.slots);
        self.runs[self.depth] = run;
        self.depth += 1;
        if run.copies == 3 {
            self.planes += 1;
            self.slots += if self.rules.plane_wings { usize::from(run.length) } else { 0 };
        }
        self.visit(left - run.lanes() * u64::from(run.copies), run);
        self.depth -= 1;
        (self.planes, self.slots) = (planes, slots);
    }

    /// Whether the same run may be taken out twice. Two straights are one pair straight. Two pair straights are a plane
    /// and a straight if they are long (five or more), and fours with two kickers if they are short (444555 and
    /// 6666 with 45; 4444 with 5566 and 7777 with 5566), so only rules that know no such fours need them.
    const fn may_repeat(&self, copies: u8) -> bool {
        copies == 2 && !self.rules.four_with_two
    }

    /// Two runs end to end are one longer run; two that cross with enough overlap are as good as a long run with a
    /// short one inside. Neither is looked at. (Planes that may carry wings are: a wing may be of the other's rank.)
    fn longest_uncrossed(&self, copies: u8, start: u8) -> u8 {
        let mut longest = u8::MAX;
        for run in self.runs[..self.depth].iter().filter(|run| run.copies == copies && run.start < start) {
            if run.end() == start {
                return 0;
            }
            if run.end() >= start + SHORTEST[usize::from(copies)] {
                longest = longest.min(run.end() - start);
            }
        }
        longest
    }

    /// Keeps the runs and wings chosen so far if, with no more runs, they beat the best line.
    pub(super) fn consider(&mut self, left: u64) {
        self.steps += 1;
        let plays = self.depth as u8 + self.table.plays(left);
        if plays < self.found.plays {
            let (runs, wings, number_of_runs) = (self.runs, self.wings, self.depth);
            self.found = Found { plays, runs, number_of_runs, wings, left, steps: 0 };
            self.below = if plays > self.few { plays.into() } else { 0 };
        }
    }

    /// Whether a line that needs `more` plays after the runs taken so far is no better than the best one.
    #[inline(always)]
    pub(super) const fn is_hopeless(&self, more: i32) -> bool {
        self.depth as i32 + more >= self.below
    }

    /// The ranks of a plane's body.
    pub(super) const fn body(&self, plane: usize) -> u64 {
        self.runs[plane].lanes()
    }
}

/// Where a run of at least `SHORTEST` of the ranks may start, from `first` on.
#[inline(always)]
const fn starts<const SHORTEST: u8>(ranks: u64, first: u8) -> u64 {
    let ranks = ranks & lanes::RUNS & (u64::MAX << (4 * first));
    let pairs = ranks & ranks >> 4;
    match SHORTEST {
        2 => pairs,
        3 => pairs & ranks >> 8,
        _ => pairs & pairs >> 8 & ranks >> 16,
    }
}

/// The ranks of the shortest runs from each of `starts`, which are the ranks of all runs from there.
#[inline(always)]
const fn spread<const SHORTEST: u8>(starts: u64) -> u64 {
    let pairs = starts | starts << 4;
    match SHORTEST {
        2 => pairs,
        3 => pairs | starts << 8,
        _ => pairs | pairs << 8 | starts << 16,
    }
}

/// A number of plays that the cards left need at least, whatever runs are taken out of ranks that are not `settled`,
/// when planes already counted, or among those runs, may carry `slots` wings. Never negative.
///
/// Each of these holds because no play without a run can do more:
/// * of the settled ranks held once, twice or three times it clears at most two;
/// * it lowers "settled ranks held once or twice, plus one for any jokers, less all ranks held four times" by at most
///   one: a four with two clears two such ranks, but uses up a rank held four times;
/// * it takes at most eight cards, and at most five unless it uses up a rank held four times.
///
/// A wing does at most the first two once, and takes at most two cards.
#[inline(always)]
pub(super) fn floor<T: Table>(held: Held, left: u64, settled: u64, slots: usize) -> i32 {
    let slots = slots as i32;
    // Eight of a rank are two fours.
    let eights = if T::IS_WIDE { lanes::number(left >> 3 & lanes::RANKS) } else { 0 };
    let fours = (lanes::number(held.four) + eights) as i32;
    let few = lanes::number(held.once & !held.thrice & settled) as i32;
    let some = lanes::number(held.once & !held.four & settled) as i32;
    let jokers = left & lanes::JOKERS;
    let cards = i32::from(lanes::total(left & (settled * 15) | jokers)) - 2 * slots;
    let by_kickers = few + i32::from(jokers != 0) - fours - slots;
    let by_ranks = (some - slots + 1) >> 1;
    let by_cards = ((cards + 7) >> 3).max((cards - 3 * fours + 4) / 5);
    by_kickers.max(by_ranks).max(by_cards).max(0)
}
