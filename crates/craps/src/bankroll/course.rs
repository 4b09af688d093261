//! The course of a session in floats, round by round. It can be followed part by part, between other work.

use std::ops::Range;

use super::grid::Grid;
use super::merged::Merged;
use crate::fraction::{self, Fraction};
use crate::net::Figure;

/// What becomes of a session. The first three probabilities sum to one.
#[derive(Debug, Clone, PartialEq)]
pub struct BankrollValue {
    /// The target was reached or passed.
    pub success: Figure,
    /// The next bet could not be funded.
    pub ruin: Figure,
    /// The rounds ran out first.
    pub still_playing: Figure,
    /// Bets made on average.
    pub expected_rounds: Figure,
    /// The money at the end on average.
    pub mean_final: Figure,
}

/// Probability below this is let go at the edges of the live bankrolls: far below any digit of the answer.
const NEGLIGIBLE: f64 = 1e-40;

/// Steps of one part, but for the round that they end in: about a millisecond.
const PART: u64 = 3_000_000;

/// What a round costs beside the steps of its bets: a look at each live bankroll, and something for itself.
const LOOK: u64 = 4;
const ROUND: u64 = 64;

/// How likely each bankroll is after some rounds. States are counted from the lowest that can be met.
pub(crate) struct Course {
    bands: Vec<(usize, Moves)>,
    /// By how much the mass grows too large in one round.
    drift: f64,
    lowest: f64,
    spacing: f64,
    ruined_below: usize,
    target: usize,
    rounds: u32,
    parts: u64,
    here: Vec<f64>,
    next: Vec<f64>,
    live: Range<usize>,
    start: usize,
    played: u32,
    ended: Ended,
    expected_rounds: f64,
    rounds_law: Weighted,
}

/// What a course came to.
pub(crate) struct Followed {
    pub(crate) value: BankrollValue,
    /// The variance of the money at the end.
    pub(crate) final_variance: f64,
    /// The variance of the bets made.
    pub(crate) rounds_variance: f64,
}

/// Nets in grid steps, with their probabilities.
type Moves = Vec<(i64, f64)>;

/// Sums over bankrolls at which the session ended.
#[derive(Default)]
struct Ended {
    success: f64,
    ruin: f64,
    money: f64,
    /// Of the money won.
    gain: f64,
    gain_squared: f64,
}

/// The mean and the variance of weighted values, one after the other: no difference of large squares (D. West, *Updating mean
/// and variance estimates*, 1979).
#[derive(Default)]
struct Weighted {
    weight: f64,
    mean: f64,
    squares: f64,
}

impl Weighted {
    fn add(&mut self, weight: f64, value: f64) {
        if weight > 0.0 {
            self.weight += weight;
            let off = value - self.mean;
            self.mean += off * weight / self.weight;
            self.squares += weight * off * (value - self.mean);
        }
    }
}

impl Course {
    pub(super) fn new(grid: &Grid, merged: &Merged, rounds: u32) -> Self {
        let met = met(grid, rounds);
        let probabilities: Vec<_> = merged.probabilities.iter().map(fraction::value).collect();
        let bands: Vec<(usize, Moves)> = merged
            .bands
            .iter()
            .map(|(from, moves)| {
                let moves = moves.iter().map(|&(net, place)| (net, probabilities[place])).collect();
                (from.saturating_sub(met.start), moves)
            })
            .collect();
        let most_moves = merged.most_moves();
        let start = grid.start - met.start;
        let mut here = vec![0.0; met.len()];
        here[start] = 1.0;
        Self {
            drift: bands.last().map_or(0.0, |(_, moves)| drift(moves)),
            lowest: fraction::value(&grid.money(met.start)),
            spacing: fraction::value(grid.spacing()),
            ruined_below: grid.ruined_below().saturating_sub(met.start),
            target: grid.target.saturating_sub(met.start),
            rounds,
            parts: parts(met.len(), most_moves, rounds),
            next: vec![0.0; met.len()],
            here,
            live: start..start + 1,
            start,
            played: 0,
            ended: Ended::default(),
            expected_rounds: 0.0,
            rounds_law: Weighted::default(),
            bands,
        }
    }

    /// The bytes that are held, all of them.
    #[cfg(test)]
    pub(super) fn allocated(&self) -> usize {
        let bands = self.bands.iter().map(|(_, moves)| moves.capacity() * size_of::<(i64, f64)>());
        let states = (self.here.capacity() + self.next.capacity()) * size_of::<f64>();
        states + self.bands.capacity() * size_of::<(usize, Moves)>() + bands.sum::<usize>()
    }

    /// The number of parts after which the end has been reached, perhaps sooner.
    pub(crate) fn parts(&self) -> u64 {
        self.parts
    }

    /// Follows the course for about a millisecond; the answer, once the end has been reached.
    pub(crate) fn follow(&mut self) -> Option<Followed> {
        let mut steps = 0;
        while steps < PART {
            self.settle();
            if self.live.is_empty() || self.played == self.rounds {
                return Some(self.value());
            }
            steps += self.play_round();
        }
        None
    }

    /// Follows the course to its end. Blocking: up to about a second.
    pub(super) fn solve_blocking(mut self) -> BankrollValue {
        loop {
            if let Some(followed) = self.follow() {
                return followed.value;
            }
        }
    }

    /// What a mass of the present round is worth: rounding has made it a little too large.
    fn scale(&self) -> f64 {
        (-self.drift * f64::from(self.played)).exp()
    }

    fn money(&self, states: Range<usize>) -> f64 {
        states.map(|state| (self.lowest + self.spacing * state as f64) * self.here[state]).sum()
    }

    /// The sums of the money won and of its square.
    fn gains(&self, states: Range<usize>) -> [f64; 2] {
        states.fold([0.0; 2], |[sum, squares], state| {
            let gain = self.spacing * (state as f64 - self.start as f64);
            [sum + self.here[state] * gain, squares + self.here[state] * gain * gain]
        })
    }

    fn mass(&self, states: Range<usize>) -> f64 {
        self.here[states].iter().sum()
    }

    /// Takes those out who have reached the target or are ruined.
    fn settle(&mut self) {
        let (live, scale) = (self.live.clone(), self.scale());
        let ruined = live.start..self.ruined_below.clamp(live.start, live.end);
        let reached = self.target.clamp(live.start, live.end)..live.end;
        let (ruin, success) = (scale * self.mass(ruined.clone()), scale * self.mass(reached.clone()));
        self.ended.ruin += ruin;
        self.ended.success += success;
        self.rounds_law.add(ruin + success, self.played.into());
        for states in [&ruined, &reached] {
            let [gain, squared] = self.gains(states.clone());
            self.ended.gain += scale * gain;
            self.ended.gain_squared += scale * squared;
        }
        self.ended.money += scale * (self.money(ruined.clone()) + self.money(reached.clone()));
        self.live = ruined.end..reached.start.max(ruined.end);
        while !self.live.is_empty() && self.here[self.live.start] < NEGLIGIBLE {
            self.live.start += 1;
        }
        while !self.live.is_empty() && self.here[self.live.end - 1] < NEGLIGIBLE {
            self.live.end -= 1;
        }
    }

    /// One bet from every live bankroll; how many steps that took.
    fn play_round(&mut self) -> u64 {
        self.expected_rounds += self.scale() * self.mass(self.live.clone());
        let moved = |state: usize, net: i64| state.saturating_add_signed(net as isize);
        let mut span = self.live.clone();
        let mut steps = self.live.len() as u64 * LOOK + ROUND;
        for (states, moves) in split_by_band(&self.bands, &self.live) {
            steps += (states.len() * moves.len()) as u64;
            for &(net, _) in moves {
                span.start = span.start.min(moved(states.start, net));
                span.end = span.end.max(moved(states.end, net));
            }
        }
        self.next[span.clone()].fill(0.0);
        for (states, moves) in split_by_band(&self.bands, &self.live) {
            for &(net, probability) in moves {
                let to = &mut self.next[moved(states.start, net)..moved(states.end, net)];
                for (sum, mass) in to.iter_mut().zip(&self.here[states.clone()]) {
                    *sum += probability * mass;
                }
            }
        }
        self.live = span;
        std::mem::swap(&mut self.here, &mut self.next);
        self.played += 1;
        steps
    }

    fn value(&mut self) -> Followed {
        // The sum of nothing is a negative zero, and the last bits of a certainty may exceed one.
        let chance = |sum: f64| Figure::from((sum + 0.0).min(1.0));
        let (live, scale) = (self.live.clone(), self.scale());
        let still_playing = scale * self.mass(live.clone());
        self.rounds_law.add(still_playing, self.played.into());
        let [gain, squared] = self.gains(live.clone()).map(|sum| scale * sum);
        let (gain, squared) = (self.ended.gain + gain, self.ended.gain_squared + squared);
        let value = BankrollValue {
            success: chance(self.ended.success),
            ruin: chance(self.ended.ruin),
            still_playing: chance(still_playing),
            expected_rounds: self.expected_rounds.into(),
            mean_final: (self.ended.money + scale * self.money(live)).into(),
        };
        Followed {
            value,
            final_variance: (squared - gain * gain).max(0.0),
            rounds_variance: self.rounds_law.squares.max(0.0),
        }
    }
}

/// The number of parts after which the end has been reached.
pub(super) fn parts(states: usize, moves: usize, rounds: u32) -> u64 {
    let round = states as u64 * (moves as u64 + LOOK) + ROUND;
    round.saturating_mul(rounds.into()) / PART + 1
}

/// The bytes of a course but for its bands.
pub(super) fn bytes(grid: &Grid, rounds: u32) -> usize {
    2 * met(grid, rounds).len() * size_of::<f64>()
}

/// The size in bytes of a band with `moves` moves.
pub(super) fn band_bytes(moves: usize) -> usize {
    size_of::<(usize, Moves)>() + moves * size_of::<(i64, f64)>()
}

/// The states that a session can meet, those beyond the target included.
pub(crate) fn met(grid: &Grid, rounds: u32) -> Range<usize> {
    let rounds = rounds as usize;
    let lost = rounds.saturating_mul(grid.highest_loss());
    let won = rounds.saturating_mul(grid.highest_gain());
    let most = grid.target + grid.highest_gain();
    grid.start.saturating_sub(lost)..grid.start.saturating_add(won).min(most) + 1
}

/// The live states of each band: a band ends where the next one starts.
fn split_by_band<'a>(
    bands: &'a [(usize, Moves)],
    live: &'a Range<usize>,
) -> impl Iterator<Item = (Range<usize>, &'a Moves)> {
    bands.iter().enumerate().filter_map(move |(i, (from, moves))| {
        let end = bands.get(i + 1).map_or(live.end, |next| next.0.min(live.end));
        let start = live.start.max(*from);
        (start < end).then_some((start..end, moves))
    })
}

/// By how much the rounded probabilities of one bet miss one. Every round multiplies all mass by this much too much,
/// which over 100,000 rounds would be seen in the eleventh digit.
fn drift(moves: &[(i64, f64)]) -> f64 {
    let exact = moves.iter().filter_map(|(_, p)| Fraction::from_float(*p));
    fraction::value(&exact.fold(-fraction::one(), |sum, p| sum + p))
}
