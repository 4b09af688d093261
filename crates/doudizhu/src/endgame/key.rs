//! The key under which a position is found again, however it was reached.

use super::position::{Game, Position};
use crate::counts::Counts;
use crate::counts::lanes::{self, Held};
use crate::generate::{body_lanes, higher_than};
use crate::play::Kind;

impl<const SEATS: usize> Position<SEATS> {
    /// The key of this position, whose seat to move need not pass. Positions with equal keys have equal results.
    ///
    /// * Of the play on the table only what may follow it counts: its rank is raised to just below the lowest body that
    ///   beats it, and a play that only bombs beat is written as a bomb.
    /// * If no hand holds a run, only the order of the ranks counts, so ranks that nobody holds are left out.
    /// * Then, of neighbouring ranks that the same seat alone holds, it does not matter which is which: no play of
    ///   another seat tells them apart. They are sorted by how many cards they have.
    pub(super) fn key(&self, game: &Game) -> Key<SEATS> {
        let (kind, length, lowest) = self.threshold();
        let mut key = Key { hands: self.hands.map(Counts::bits), tag: 0 };
        let mut border = lowest;
        let compressed = !game.rules.runs || !self.hands.iter().any(|hand| holds_a_run(hand.bits()));
        if compressed {
            (key.hands, border) = compress(key.hands, lowest);
        }
        let seats = if SEATS == 2 {
            // Two seats are alike: the one to move comes first.
            key.hands.rotate_left(self.to_move);
            0
        } else {
            self.to_move * 4 + self.beat.map_or(self.to_move, |(by, _)| by)
        };
        key.tag = kind | u32::from(length) << 4 | (border as u32) << 8 | (seats as u32) << 16;
        key.tag |= u32::from(compressed) << 24;
        key
    }

    /// The kind of the play on the table (15 for none), its length, and the lowest rank (15 for none) of a body that
    /// beats it, in the hands that may still follow.
    fn threshold(&self) -> (u32, u8, usize) {
        const NONE: usize = 15;
        let Some((by, beat)) = self.beat else { return (15, 0, NONE) };
        let followers = || {
            (0..SEATS - 1)
                .map(|step| (self.to_move + step) % SEATS)
                .take_while(|&seat| seat != by)
                .map(|seat| self.hands[seat])
        };
        let lowest = |kind: Kind, length: u8, above: u64| {
            let starts = |hand| {
                let lanes = body_lanes(hand, kind);
                (1..length).fold(lanes, |starts, step| starts & lanes >> (4 * step))
            };
            let bodies = followers().fold(0, |all, hand| all | starts(hand) & above);
            if bodies == 0 { NONE } else { lanes::lowest(bodies) }
        };
        let rank = lowest(beat.kind(), beat.length(), higher_than(beat.rank()));
        if rank != NONE {
            return (beat.kind() as u32, beat.length(), rank);
        }
        let bomb = if beat.kind() == Kind::Bomb { NONE } else { lowest(Kind::Bomb, 1, !0) };
        (Kind::Bomb as u32, 1, bomb)
    }
}

/// Whether a straight, pair straight or plane can be made of the cards.
fn holds_a_run(cards: u64) -> bool {
    let held = Held::of(cards);
    let (ones, twos, threes) = (held.once & lanes::RUNS, held.twice & lanes::RUNS, held.thrice & lanes::RUNS);
    let two = |lanes: u64| lanes & lanes >> 4;
    let four = two(ones) & two(ones) >> 8;
    (four & ones >> 16) | (two(twos) & twos >> 8) | two(threes) != 0
}

/// Renumbers the ranks by their order, and sorts neighbours that one seat alone holds. `lowest` is the rank from which
/// on bodies beat the play on the table; it stays a border.
fn compress<const SEATS: usize>(hands: [u64; SEATS], lowest: usize) -> ([u64; SEATS], usize) {
    let rocket = hands.iter().any(|hand| hand & lanes::JOKERS == lanes::JOKERS);
    let all = hands.iter().fold(0, |all, hand| all | hand);
    let mut held = Held::of(all).once;
    if !rocket {
        held |= all & lanes::JOKERS;
    }
    let mut out = Renumbered { hands: [0; SEATS], next: 0, owner: SEATS, counts: 0 };
    let mut border = None;
    while held != 0 {
        let rank = lanes::lowest(held);
        held &= held - 1;
        if rank >= lowest && border.is_none() {
            out.flush();
            border = Some(out.next);
        }
        out.add(hands.map(|hand| hand >> (4 * rank) & 15));
    }
    out.flush();
    if rocket {
        for (new, old) in out.hands.iter_mut().zip(hands) {
            *new |= old & lanes::JOKERS;
        }
    }
    // A joker of a rocket keeps its place.
    (out.hands, border.unwrap_or(lowest))
}

/// Hands whose ranks are being renumbered.
struct Renumbered<const SEATS: usize> {
    hands: [u64; SEATS],
    next: usize,
    /// The seat that alone holds the last ranks; `SEATS` if there is none.
    owner: usize,
    /// How many of those ranks it holds once, twice, three and four times; eight bits each.
    counts: u32,
}

impl<const SEATS: usize> Renumbered<SEATS> {
    fn add(&mut self, cards: [u64; SEATS]) {
        let mut owners = (0..SEATS).filter(|&seat| cards[seat] > 0);
        let owner = match (owners.next(), owners.next()) {
            (Some(owner), None) => owner,
            _ => SEATS,
        };
        if owner != self.owner {
            self.flush();
            self.owner = owner;
        }
        if owner < SEATS {
            self.counts += 1 << (8 * (cards[owner] - 1));
            return;
        }
        for (hand, count) in self.hands.iter_mut().zip(cards) {
            *hand |= count << (4 * self.next);
        }
        self.next += 1;
    }

    /// Writes the ranks of the last owner, those held once first.
    fn flush(&mut self) {
        while self.counts != 0 {
            let count = self.counts.trailing_zeros() / 8;
            self.counts -= 1 << (8 * count);
            self.hands[self.owner] |= u64::from(count + 1) << (4 * self.next);
            self.next += 1;
        }
    }
}

/// What decides a position's result, packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key<const SEATS: usize> {
    pub(super) hands: [u64; SEATS],
    pub(super) tag: u32,
}

impl<const SEATS: usize> Key<SEATS> {
    /// A well mixed hash.
    pub(super) fn hash(&self) -> u64 {
        let mix = |hash: u64, word: u64| {
            let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15;
            (product >> 64) as u64 ^ product as u64
        };
        self.hands.iter().fold(mix(0x243f_6a88_85a3_08d3, u64::from(self.tag)), |hash, &hand| mix(hash, hand))
    }
}
