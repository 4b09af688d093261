//! The pass line, 512 games at a time: bit i of word w is a game, and a plane of bits is one fact about each.
//!
//! A step rolls the dice of every game with eight random planes and some hundred logic operations. A finished game
//! starts over at once, so no lane idles; the last games of a chunk are started one by one until exactly the asked
//! number was started, and all are finished.

use pulp::{Arch, Simd, WithSimd};

use super::random::narrow_stream_state;
use super::register::{Plain, Register, WORDS, Wide, Words};

/// Games side by side.
const LANES: u64 = 32 * WORDS as u64;
/// Endings of a pass-line bet: natural, craps, then each point made and missed, as in
/// [`Line::outcomes`](crate::line::Line::outcomes).
pub(super) const OUTCOMES: usize = 14;
/// The planes that are counted: the endings and the rolls.
const COUNTERS: usize = OUTCOMES + 1;

/// The counts of one chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PassLineCounts {
    pub(super) outcomes: [u64; OUTCOMES],
    pub(super) rolls: u64,
}

/// Which code runs. The counts are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The widest registers of this machine.
    Fastest,
    /// Plain code for any machine.
    Portable,
}

/// Plays `decisions` pass-line decisions to their end.
pub(super) fn run(engine: Engine, seed: u64, chunk: u64, decisions: u64) -> PassLineCounts {
    let run = Run { seed, chunk, decisions };
    match engine {
        Engine::Fastest => Arch::new().dispatch(run),
        Engine::Portable => run.play(Plain::ZERO),
    }
}

struct Run {
    seed: u64,
    chunk: u64,
    decisions: u64,
}

impl WithSimd for Run {
    type Output = PassLineCounts;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> PassLineCounts {
        self.play(Wide::zero(simd))
    }
}

impl Run {
    #[inline(always)]
    fn play<R: Register>(self, zero: R) -> PassLineCounts {
        let mut table = Table::new(self.seed, self.chunk);
        let mut counts = [0; COUNTERS];
        let mut to_start = self.decisions;
        if to_start >= LANES {
            to_start -= LANES;
            // This number of steps cannot start too many games, however many of them end.
            while to_start >= LANES * STEPS_A_TURN {
                let before = ended(&counts);
                table.play(zero, to_start / (LANES * STEPS_A_TURN), &mut counts);
                to_start -= ended(&counts) - before;
            }
            table.play_out(zero, LANES, to_start, &mut counts);
        } else {
            table.play_out(zero, to_start, 0, &mut counts);
        }
        let [outcomes @ .., rolls] = counts;
        PassLineCounts { outcomes, rolls }
    }
}

fn ended(counts: &[u64; COUNTERS]) -> u64 {
    counts[..OUTCOMES].iter().sum()
}

/// All games of a chunk in play.
struct Table {
    /// The state of each word's generator.
    streams: [Words; 4],
    /// For each point the games on which it is set.
    points: [Words; 6],
}

impl Table {
    fn new(seed: u64, chunk: u64) -> Self {
        let states: [[u32; 4]; WORDS] =
            std::array::from_fn(|word| narrow_stream_state(seed, chunk, word as u64));
        Self {
            streams: std::array::from_fn(|i| std::array::from_fn(|word| states[word][i])),
            points: [[0; WORDS]; 6],
        }
    }

    /// Plays all games for a number of turns; each game starts over when it ends.
    #[inline(always)]
    fn play<R: Register>(&mut self, zero: R, turns: u64, counts: &mut [u64; COUNTERS]) {
        for register in 0..WORDS / R::WORDS {
            let mut games = Games::load(zero, self, register);
            let mut counters = Counters::new(zero);
            let mut left = turns;
            while left > 0 {
                let now = left.min(TURNS_A_FLUSH);
                for _ in 0..now {
                    counters.turn(&mut games);
                }
                counters.flush(counts);
                left -= now;
            }
            games.store(self, register);
        }
    }

    /// Plays the first `playing` games and starts `to_start` more, one for each that ends, the lowest lanes first; then
    /// the lanes run dry. Whether a game is started depends on the past alone, never on its own dice, so the games that
    /// are played are a fair sample.
    #[inline(always)]
    fn play_out<R: Register>(
        &mut self,
        zero: R,
        playing: u64,
        mut to_start: u64,
        counts: &mut [u64; COUNTERS],
    ) {
        let mut active: Words =
            std::array::from_fn(|word| lowest_bits(playing.saturating_sub(32 * word as u64)));
        while active.iter().any(|&word| word != 0) {
            let mut over: Words = [0; WORDS];
            for register in 0..WORDS / R::WORDS {
                let mut games = Games::load(zero, self, register);
                let events = games.step(zero.load(&active, register));
                games.store(self, register);
                let mut settled = zero;
                for (count, event) in counts.iter_mut().zip(&events) {
                    *count += event.count_ones();
                }
                for event in &events[..OUTCOMES] {
                    settled = settled | *event;
                }
                settled.store(&mut over, register);
            }
            for (active, mut over) in active.iter_mut().zip(over) {
                while over != 0 && to_start > 0 {
                    over &= over - 1;
                    to_start -= 1;
                }
                *active &= !over;
            }
        }
    }
}

/// A word with the given number of low bits set, at most all.
fn lowest_bits(count: u64) -> u32 {
    if count >= 32 { !0 } else { (1 << count) - 1 }
}

/// The games of one register.
struct Games<R> {
    stream: [R; 4],
    points: [R; 6],
}

impl<R: Register> Games<R> {
    #[inline(always)]
    fn load(zero: R, table: &Table, register: usize) -> Self {
        let mut games = Self { stream: [zero; 4], points: [zero; 6] };
        for (wide, words) in games.stream.iter_mut().zip(&table.streams) {
            *wide = zero.load(words, register);
        }
        for (wide, words) in games.points.iter_mut().zip(&table.points) {
            *wide = zero.load(words, register);
        }
        games
    }

    #[inline(always)]
    fn store(&self, table: &mut Table, register: usize) {
        for (wide, words) in self.stream.iter().zip(&mut table.streams) {
            wide.store(words, register);
        }
        for (wide, words) in self.points.iter().zip(&mut table.points) {
            wide.store(words, register);
        }
    }

    /// One step of xoshiro128++ in every word.
    #[inline(always)]
    fn random(&mut self) -> R {
        let [s0, s1, s2, s3] = &mut self.stream;
        let word = s0.plus(*s3).rotate_left(7).plus(*s0);
        let shifted = s1.shift_left(9);
        *s2 = *s2 ^ *s0;
        *s3 = *s3 ^ *s1;
        *s1 = *s1 ^ *s2;
        *s0 = *s0 ^ *s3;
        *s2 = *s2 ^ shifted;
        *s3 = s3.rotate_left(11);
        word
    }

    /// One roll in every active game; a plane for each ending and one for the rolls.
    ///
    /// Six random bits c2 c1 c0 a2 a1 a0 are rejected when all are set. Of the other 63 patterns each value of
    /// t = c - a (mod 9) has seven, so t div 3 and t mod 3 are fair; two more bits p, q make the dice
    /// 2 (t div 3) + p + 1 and 2 (t mod 3) + q + 1. Their total is 2u + p + q + 2 with u = t div 3 + t mod 3.
    #[inline(always)]
    fn step(&mut self, active: R) -> [R; COUNTERS] {
        let (c0, c1, c2) = (self.random(), self.random(), self.random());
        let (a0, a1, a2) = (self.random(), self.random(), self.random());
        let (p, q) = (self.random(), self.random());
        let rolled = active & !(c0 & c1 & c2 & a0 & a1 & a2);
        // l = c - a in three bits, and whether it borrowed.
        let (x1, x2) = (c1 ^ a1, c2 ^ a2);
        let l0 = c0 ^ a0;
        let borrow0 = a0 & !c0;
        let l1 = x1 ^ borrow0;
        let borrow1 = (a1 & !c1) | (borrow0 & !x1);
        let l2 = x2 ^ borrow1;
        let borrow = (a2 & !c2) | (borrow1 & !x2);
        // A borrow means t = l - 8 + 9.
        let t0 = l0 ^ borrow;
        let carry0 = l0 & borrow;
        let t1 = l1 ^ carry0;
        let carry1 = l1 & carry0;
        let t2 = l2 ^ carry1;
        let t3 = l2 & carry1;
        // t = 0..8 gives u = 0, 1, 2, 1, 2, 3, 2, 3, 4.
        let (u1, u2, u3, u4) = (t0 & !t2, (t1 | t2) & !t0, t0 & t2, t3);
        let u0 = !(t0 | t1 | t2 | t3);
        // Rejected and idle lanes have no sum, hence no total.
        let (neither, one, both) = (rolled & !(p | q), rolled & (p ^ q), rolled & p & q);
        let seven = one & u2;
        let natural = seven | (one & u4);
        let craps = (neither & u0) | (one & u0) | (both & u4);
        let totals = [
            (both & u0) | (neither & u1),
            one & u1,
            (both & u1) | (neither & u2),
            (both & u2) | (neither & u3),
            one & u3,
            (both & u3) | (neither & u4),
        ];
        let [four, five, six, eight, nine, ten] = self.points;
        let come_out = !(four | five | six | eight | nine | ten);
        let mut events = [rolled; COUNTERS];
        events[0] = natural & come_out;
        events[1] = craps & come_out;
        for i in 0..6 {
            let point = self.points[i];
            let (made, missed) = (point & totals[i], point & seven);
            self.points[i] = (point ^ made ^ missed) | (totals[i] & come_out);
            events[2 + 2 * i] = made;
            events[3 + 2 * i] = missed;
        }
        events
    }
}

/// Steps of one turn, whose counts are added up before they go into the counters.
const STEPS_A_TURN: u64 = 4;
/// Binary digits of a counter above the lowest two.
const HIGH_DIGITS: usize = 4;
/// The number of turns that fill a counter.
const TURNS_A_FLUSH: u64 = (1 << HIGH_DIGITS) - 1;

/// Counters of many lanes at once: binary digits in planes, added by carry-save adders.
struct Counters<R> {
    zero: R,
    ones: [R; COUNTERS],
    twos: [R; COUNTERS],
    high: [[R; HIGH_DIGITS]; COUNTERS],
}

impl<R: Register> Counters<R> {
    #[inline(always)]
    fn new(zero: R) -> Self {
        Self { zero, ones: [zero; COUNTERS], twos: [zero; COUNTERS], high: [[zero; HIGH_DIGITS]; COUNTERS] }
    }

    /// Four steps, counted.
    #[inline(always)]
    fn turn(&mut self, games: &mut Games<R>) {
        let first = self.pair(games);
        let second = self.pair(games);
        for i in 0..COUNTERS {
            let mut carry = self.twos[i].add(first[i], second[i]);
            for digit in &mut self.high[i] {
                let next = *digit & carry;
                *digit = *digit ^ carry;
                carry = next;
            }
        }
    }

    /// Two steps; the carries of the ones.
    #[inline(always)]
    fn pair(&mut self, games: &mut Games<R>) -> [R; COUNTERS] {
        let all = !self.zero;
        let first = games.step(all);
        let second = games.step(all);
        let mut carries = first;
        for i in 0..COUNTERS {
            carries[i] = self.ones[i].add(first[i], second[i]);
        }
        carries
    }

    /// Adds the counters to the counts and clears them.
    #[inline(always)]
    fn flush(&mut self, counts: &mut [u64; COUNTERS]) {
        for (i, count) in counts.iter_mut().enumerate() {
            *count += self.ones[i].count_ones() + 2 * self.twos[i].count_ones();
            for (place, digit) in self.high[i].iter().enumerate() {
                *count += digit.count_ones() << (place + 2);
            }
        }
        *self = Self::new(self.zero);
    }
}

#[cfg(test)]
mod tests;
