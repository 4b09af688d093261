//! The least number of plays of every hand without runs.
//!
//! Where no run is played only equality of rank matters, so such a hand is fully told by its shape: how many ranks are
//! held once, twice, three and four times, and how many jokers. There are 7,140 shapes. Each entry comes from entries of
//! smaller shapes through moves over real ranks ("three of a rank held four times, with one of a rank held twice"), so
//! that "kickers of different ranks", "not both jokers" and "not the body's own rank" stay exact.

use super::card::Rank;
use super::counts::{Counts, lanes};
use super::play::{Kind, Play};
use super::rules::Rules;

/// The table of one rule set: two bytes a shape, 14 KB.
pub(super) struct ShapeTable {
    entries: Vec<Entry>,
    moves: Vec<Move>,
}

#[derive(Clone, Copy)]
struct Entry {
    plays: u8,
    /// Index of a best first play in `moves`.
    best: u8,
}

/// What a search asks of a table of shapes.
pub(super) trait Table {
    /// Whether hands may hold five to eight of a rank.
    const IS_WIDE: bool;

    /// The least number of plays of these cards when no run is played.
    fn plays(&self, cards: u64) -> u8;

    /// Which ranks are held how often.
    #[inline(always)]
    fn held(cards: u64) -> lanes::Held {
        if Self::IS_WIDE { lanes::Held::of_wide(cards) } else { lanes::Held::of(cards) }
    }
}

impl Table for ShapeTable {
    const IS_WIDE: bool = false;

    #[inline(always)]
    fn plays(&self, cards: u64) -> u8 {
        self.entries[index_of(cards)].plays
    }
}

impl ShapeTable {
    /// Fills the table from the smallest shape up.
    pub(super) fn new(rules: &Rules) -> Self {
        let moves = Move::all(rules, 4);
        let steps: Vec<Step> = moves.iter().map(|candidate| candidate.step()).collect();
        let mut entries = vec![Entry { plays: u8::MAX, best: 0 }; SHAPES];
        entries[0].plays = 0;
        for shape in Shape::all() {
            let mut entry = entries[shape.index()];
            for (number, step) in steps.iter().enumerate() {
                let Some(left) = step.apply(shape) else { continue };
                let plays = entries[left.index()].plays + 1;
                if plays < entry.plays {
                    entry = Entry { plays, best: number as u8 };
                }
            }
            entries[shape.index()] = entry;
        }
        Self { entries, moves }
    }

    /// The least number of plays of a shape.
    pub(super) fn plays_of(&self, shape: Shape) -> u8 {
        self.entries[shape.index()].plays
    }

    /// A best first play of these cards when no run is played; `None` of no cards.
    pub(super) fn best(&self, cards: u64) -> Option<Play> {
        if cards == 0 {
            return None;
        }
        Some(self.moves[usize::from(self.entries[index_of(cards)].best)].play(cards))
    }
}

/// A hand as far as it matters without runs, a byte each: how many of the thirteen ranks are held once, twice, three
/// and four times (at most 13 in all), and how many jokers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape(u64);

/// The number of shapes: three times the ways to choose four numbers that add up to at most 13.
pub(super) const SHAPES: usize = 3 * 2380;

impl Shape {
    /// Contract: the ranks are at most 13, the jokers at most 2.
    pub(super) const fn new(held: [u8; 4], jokers: u8) -> Self {
        let [once, twice, thrice, four] = held;
        Self(u64::from_le_bytes([once, twice, thrice, four, jokers, 0, 0, 0]))
    }

    /// Every shape. A play replaces ranks by ranks held less often, so what it leaves comes before what it was made of.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let four = 0..=13;
        let three = four.flat_map(|four| (0..=13 - four).map(move |three| (four, three)));
        let two = three.flat_map(|(f, t)| (0..=13 - f - t).map(move |two| (f, t, two)));
        let one = two.flat_map(|(f, t, s)| (0..=13 - f - t - s).map(move |one| [one, s, t, f]));
        one.flat_map(|held| (0..=2).map(move |jokers| Self::new(held, jokers)))
    }

    /// How many ranks are held once, twice, three and four times, and how many jokers.
    pub(super) const fn parts(self) -> ([u8; 4], u8) {
        let [once, twice, thrice, four, jokers, ..] = self.0.to_le_bytes();
        ([once, twice, thrice, four], jokers)
    }

    /// How many ranks are held, jokers apart.
    pub(super) fn ranks(self) -> u8 {
        self.parts().0.iter().sum()
    }

    pub(super) fn index(self) -> usize {
        let [once, twice, thrice, four, jokers, ..] = self.0.to_le_bytes().map(usize::from);
        index(once + twice + thrice + four, twice + thrice + four, thrice + four, four, jokers)
    }
}

/// Numbers the shapes without a gap by how many ranks are held at least once, twice, three and four times.
#[inline(always)]
fn index(once: usize, twice: usize, thrice: usize, four: usize, jokers: usize) -> usize {
    const FOURTH: [u16; 16] = binomials(3, 4);
    const THIRD: [u16; 16] = binomials(2, 3);
    const SECOND: [u16; 16] = binomials(1, 2);
    let shape = usize::from(FOURTH[once & 15] + THIRD[twice & 15] + SECOND[thrice & 15]) + four;
    3 * shape + jokers
}

/// `n + shift` over `k` for n from 0 to 15.
const fn binomials(shift: usize, k: usize) -> [u16; 16] {
    let mut table = [0; 16];
    let mut n = 0;
    while n < 16 {
        let (mut value, mut i) = (1, 0);
        while i < k {
            // The product of i + 1 numbers in a row from n + shift down is divisible by (i + 1)!.
            value = if n + shift < i { 0 } else { value * (n + shift - i) / (i + 1) };
            i += 1;
        }
        table[n] = value as u16;
        n += 1;
    }
    table
}

#[inline(always)]
pub(super) fn index_of(cards: u64) -> usize {
    let held = lanes::Held::of(cards);
    index(
        lanes::number(held.once),
        lanes::number(held.twice),
        lanes::number(held.thrice),
        lanes::number(held.four),
        lanes::jokers(cards),
    )
}

/// A play over ranks told only by how often they are held.
#[derive(Clone, Copy)]
pub(super) struct Move {
    kind: Kind,
    /// How often the body's rank is held; 0 for a joker or the rocket.
    body: u8,
    kickers: Kickers,
}

/// What a move does to a shape. All ranks it takes from go out before any comes back smaller: they are different ones.
struct Step {
    out: u64,
    back: u64,
}

impl Step {
    /// The shape that remains, where the shape has the ranks for the move.
    fn apply(&self, shape: Shape) -> Option<Shape> {
        const HIGH: u64 = 0x8080_8080_8080_8080;
        // A byte that would fall below zero clears its own high bit and touches no other byte.
        let left = (shape.0 | HIGH) - self.out;
        (left & HIGH == HIGH).then_some(Shape((left ^ HIGH) + self.back))
    }
}

#[derive(Clone, Copy)]
enum Kickers {
    None,
    One(Source),
    /// Two of different ranks.
    Two(Source, Source),
    /// Two of one rank that is held this number of times.
    Equal(u8),
}

/// Where a kicker is taken from.
#[derive(Clone, Copy)]
enum Source {
    /// A rank that is held this number of times.
    Held(u8),
    Joker,
}

impl Move {
    /// Every move that the rules allow. Among equally good ones the first is taken: the bomb and the rocket stay whole
    /// where that costs nothing, and what takes kickers comes before singles and pairs, so that it gets the lowest.
    /// `most` is how often a rank may be held: 4, or 8 with wild cards.
    pub(super) fn all(rules: &Rules, most: u8) -> Vec<Self> {
        use Source::{Held, Joker};
        let plain = |kind, body| Self { kind, body, kickers: Kickers::None };
        let mut moves = vec![plain(Kind::Rocket, 0)];
        moves.extend((4..=most).map(|held| plain(Kind::Bomb, held)));
        for body in 3..=most {
            let with = |kind, source| Self { kind, body, kickers: Kickers::One(source) };
            moves.extend((2..=most).map(|held| with(Kind::TriplePair, Held(held))));
            moves.extend((1..=most).map(|held| with(Kind::TripleSingle, Held(held))));
            moves.push(with(Kind::TripleSingle, Joker));
        }
        if rules.four_with_two {
            let kickers = Self::kickers_of_fours(rules, most);
            for body in 4..=most {
                moves.extend(kickers.iter().map(|&(kind, kickers)| Self { kind, body, kickers }));
            }
        }
        moves.extend((3..=most).map(|held| plain(Kind::Triple, held)));
        moves.extend((2..=most).map(|held| plain(Kind::Pair, held)));
        moves.extend((1..=most).map(|held| plain(Kind::Single, held)));
        moves.push(plain(Kind::Single, 0));
        moves
    }

    fn kickers_of_fours(rules: &Rules, most: u8) -> Vec<(Kind, Kickers)> {
        use Source::{Held, Joker};
        let mut all = Vec::new();
        for first in 1..=most {
            for second in first..=most {
                all.push((Kind::FourTwoSingles, Kickers::Two(Held(first), Held(second))));
                if first > 1 {
                    all.push((Kind::FourTwoPairs, Kickers::Two(Held(first), Held(second))));
                }
            }
            all.push((Kind::FourTwoSingles, Kickers::Two(Held(first), Joker)));
        }
        if rules.four_with_equal_singles {
            all.extend((2..=most).map(|held| (Kind::FourTwoSingles, Kickers::Equal(held))));
        }
        if rules.four_with_both_jokers {
            all.push((Kind::FourTwoSingles, Kickers::Two(Joker, Joker)));
        }
        if rules.four_with_equal_pairs {
            all.extend((4..=most).map(|held| (Kind::FourTwoPairs, Kickers::Equal(held))));
        }
        all
    }

    /// How many cards one kicker is.
    fn kicker_size(self) -> u8 {
        if matches!(self.kind, Kind::TriplePair | Kind::FourTwoPairs) { 2 } else { 1 }
    }

    /// The ranks that the move takes from, as (how often held, how many taken), jokers apart.
    pub(super) fn takes(self) -> ([Option<(u8, u8)>; 3], u8) {
        let size = self.kicker_size();
        let (mut ranks, mut jokers) = ([None; 3], 0);
        match (self.kind, self.body) {
            (Kind::Rocket, _) => jokers = 2,
            (_, 0) => jokers = 1,
            (kind, held) => ranks[0] = Some((held, kind.copies())),
        }
        let mut from = |place: usize, source| match source {
            Source::Held(held) => ranks[place] = Some((held, size)),
            Source::Joker => jokers += 1,
        };
        match self.kickers {
            Kickers::None => {}
            Kickers::One(source) => from(1, source),
            Kickers::Two(first, second) => {
                from(1, first);
                from(2, second);
            }
            Kickers::Equal(held) => ranks[1] = Some((held, 2 * size)),
        }
        (ranks, jokers)
    }

    fn step(self) -> Step {
        let (takes, jokers) = self.takes();
        let (mut out, mut back) = ([0; 4], [0; 4]);
        for (held, taken) in takes.into_iter().flatten() {
            out[usize::from(held) - 1] += 1;
            if held > taken {
                back[usize::from(held - taken) - 1] += 1;
            }
        }
        Step { out: Shape::new(out, jokers).0, back: Shape::new(back, 0).0 }
    }

    /// The play itself, with the lowest ranks that fit. Contract: the cards' shape has the ranks for the move.
    pub(super) fn play(self, cards: u64) -> Play {
        let joker_nibble = |cards: u64| if cards >> 52 & 1 == 1 { 1 << 52 } else { 1u64 << 56 };
        let body = match (self.kind, self.body) {
            (Kind::Rocket, _) => Rank::BlackJoker,
            (_, 0) => Rank::ALL[lanes::lowest(joker_nibble(cards))],
            (_, times) => Rank::ALL[lanes::lowest(lanes::held_exactly(cards, times))],
        };
        let (mut kickers, mut used) = (0, 1u64 << (4 * body.index()));
        let mut take = |source, size| {
            let lane = match source {
                Source::Held(times) => {
                    let fit = lanes::held_exactly(cards, times) & !used;
                    fit & fit.wrapping_neg()
                }
                Source::Joker => joker_nibble(cards & !used),
            };
            used |= lane;
            kickers += lane * u64::from(size);
        };
        let size = self.kicker_size();
        match self.kickers {
            Kickers::None => {}
            Kickers::One(source) => take(source, size),
            Kickers::Two(first, second) => {
                take(first, size);
                take(second, size);
            }
            Kickers::Equal(times) => take(Source::Held(times), 2 * size),
        }
        Play::new(self.kind, body, 1, Counts::from_bits(kickers))
    }
}
