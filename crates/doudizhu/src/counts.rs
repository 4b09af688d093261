//! A multiset of ranks in one machine word.

use super::card::Rank;
use std::fmt;

/// How many cards of each rank: four bits a rank, three lowest, the big joker highest. A rank is held at most four
/// times, a joker at most once; nothing else can be built.
///
/// ```
/// use kibitz_doudizhu::{Counts, Rank};
/// let cards: Counts = [Rank::Four, Rank::Three, Rank::Four].into_iter().collect();
/// assert_eq!(cards.to_string(), "344");
/// assert_eq!((cards.of(Rank::Four), cards.total()), (2, 3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Counts(u64);

impl Counts {
    /// No card.
    pub const EMPTY: Self = Self(0);
    /// The whole deck of 54 cards.
    pub const DECK: Self = Self(0x0114_4444_4444_4444);

    /// How many cards of `rank` there are.
    pub const fn of(self, rank: Rank) -> u8 {
        (self.0 >> (4 * rank.index()) & 15) as u8
    }

    /// How many cards there are, 0 to 54.
    pub const fn total(self) -> u8 {
        lanes::total(self.0)
    }

    /// Whether there is no card.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The ranks held with their counts, lowest rank first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (Rank, u8)> {
        Rank::ALL.into_iter().map(move |rank| (rank, self.of(rank))).filter(|&(_, count)| count > 0)
    }

    /// Every card as its rank, lowest first.
    pub fn ranks(self) -> impl Iterator<Item = Rank> {
        self.iter().flat_map(|(rank, count)| std::iter::repeat_n(rank, usize::from(count)))
    }

    /// With `count` more cards of `rank`; `None` if the deck has fewer.
    pub const fn with(self, rank: Rank, count: u8) -> Option<Self> {
        if self.of(rank) as usize + count as usize > rank.copies() as usize {
            return None;
        }
        Some(Self(self.0 + ((count as u64) << (4 * rank.index()))))
    }

    /// Whether every card of `other` is among these.
    pub fn contains(self, other: Self) -> bool {
        other.iter().all(|(rank, count)| self.of(rank) >= count)
    }

    /// What remains when `other` is taken away; `None` if not all of it is here.
    pub fn without(self, other: Self) -> Option<Self> {
        self.contains(other).then(|| Self(self.0 - other.0))
    }

    /// The packed word: bits `4 * rank.index()` and up hold the count.
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    /// The reverse of [`Counts::bits`]. Contract: every nibble is a count that the deck allows.
    pub(super) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// Collects ranks; cards beyond what one deck holds are left out, since no hand can hold them.
impl FromIterator<Rank> for Counts {
    fn from_iter<I: IntoIterator<Item = Rank>>(ranks: I) -> Self {
        ranks.into_iter().fold(Self::EMPTY, |counts, rank| counts.with(rank, 1).unwrap_or(counts))
    }
}

/// The canonical way to print cards: lowest first, `T` for ten, `B` and `R` for the jokers.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ranks().try_for_each(|rank| write!(f, "{rank}"))
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Counts({self})")
    }
}

/// Sets of ranks as "lanes": the lowest bit of each rank's nibble. Shifting by four moves every rank up by one.
pub(super) mod lanes {
    /// The twelve ranks that a run may hold, 3 to A.
    pub(in super::super) const RUNS: u64 = 0x1111_1111_1111;
    /// How many ranks those are.
    pub(in super::super) const RANKS_IN_RUNS: i32 = 12;
    /// The thirteen ranks that are no jokers.
    pub(in super::super) const RANKS: u64 = 0x1_1111_1111_1111;
    /// The nibbles of the two jokers.
    pub(in super::super) const JOKERS: u64 = 0x0110_0000_0000_0000;

    /// Ranks held at least once, twice, three and four times.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Held {
        pub(in super::super) once: u64,
        pub(in super::super) twice: u64,
        pub(in super::super) thrice: u64,
        pub(in super::super) four: u64,
    }

    impl Held {
        /// Which of the thirteen ranks are held how often.
        #[inline(always)]
        pub(in super::super) const fn of(cards: u64) -> Self {
            let (ones, twos, fours) = (cards & RANKS, cards >> 1 & RANKS, cards >> 2 & RANKS);
            Self { once: ones | twos | fours, twice: twos | fours, thrice: ones & twos | fours, four: fours }
        }

        /// The same for hands in which wild cards may make up to eight of a rank; `four` holds all from four on.
        #[inline(always)]
        pub(in super::super) const fn of_wide(cards: u64) -> Self {
            let (ones, twos, fours) = (cards & RANKS, cards >> 1 & RANKS, (cards >> 2 | cards >> 3) & RANKS);
            Self { once: ones | twos | fours, twice: twos | fours, thrice: ones & twos | fours, four: fours }
        }

        /// Ranks held `count` (1 to 4) times or more.
        #[inline(always)]
        pub(in super::super) const fn at_least(self, count: u8) -> u64 {
            match count {
                1 => self.once,
                2 => self.twice,
                3 => self.thrice,
                _ => self.four,
            }
        }

        /// Ranks held exactly `count` (1 to 4) times.
        #[inline(always)]
        pub(in super::super) const fn exactly(self, count: u8) -> u64 {
            match count {
                1 => self.once & !self.twice,
                2 => self.twice & !self.thrice,
                3 => self.thrice & !self.four,
                _ => self.four,
            }
        }
    }

    /// Ranks held exactly `count` times, 1 to 8.
    pub(in super::super) const fn held_exactly(cards: u64, count: u8) -> u64 {
        // A nibble that equals the count becomes zero, and only such a nibble has no bit left.
        let other = (cards & (RANKS * 15)) ^ (RANKS * count as u64);
        !(other | other >> 1 | other >> 2 | other >> 3) & RANKS
    }

    /// How many lanes are set, at most 15. One multiplication: every nibble is added up in the top one.
    #[inline(always)]
    pub(in super::super) const fn number(lanes: u64) -> usize {
        (lanes.wrapping_mul(0x1111_1111_1111_1111) >> 60) as usize
    }

    /// How many cards there are.
    #[inline(always)]
    pub(in super::super) const fn total(cards: u64) -> u8 {
        let by_two = (cards & 0x0f0f_0f0f_0f0f_0f0f) + (cards >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
        (by_two.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
    }

    /// How many jokers are held.
    #[inline(always)]
    pub(in super::super) const fn jokers(cards: u64) -> usize {
        ((cards >> 52 & 1) + (cards >> 56 & 1)) as usize
    }

    /// The lanes of `length` ranks from `start` on.
    #[inline(always)]
    pub(in super::super) const fn window(start: usize, length: usize) -> u64 {
        (RUNS & ((1 << (4 * length)) - 1)) << (4 * start)
    }

    /// The lowest lane of a set that is not empty, as a rank's index.
    #[inline(always)]
    pub(in super::super) const fn lowest(lanes: u64) -> usize {
        lanes.trailing_zeros() as usize / 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deck_has_54_cards_and_prints_in_order() {
        assert_eq!(Counts::DECK.total(), 54);
        assert_eq!(Counts::DECK.ranks().collect::<Counts>(), Counts::DECK);
        assert_eq!(Counts::DECK.to_string(), "3333444455556666777788889999TTTTJJJJQQQQKKKKAAAA2222BR");
    }

    #[test]
    fn adding_stops_at_the_deck_and_taking_at_the_hand() {
        let three = Counts::EMPTY.with(Rank::Three, 3).expect("three 3s");
        assert!(three.with(Rank::Three, 1).is_some() && three.with(Rank::Three, 2).is_none());
        assert!(Counts::EMPTY.with(Rank::RedJoker, 1).and_then(|c| c.with(Rank::RedJoker, 1)).is_none());
        assert_eq!(Counts::DECK.without(Counts::DECK), Some(Counts::EMPTY));
        assert_eq!(three.without(Counts::DECK), None);
    }

    #[test]
    fn lanes_agree_with_counting() {
        for count in 0..=4u8 {
            for rank in Rank::ALL.into_iter().filter(|rank| !rank.is_joker()) {
                let cards = Counts::EMPTY.with(rank, count).expect("within the deck");
                let held = lanes::Held::of(cards.bits());
                let sets = [held.once, held.twice, held.thrice, held.four];
                for (i, set) in sets.into_iter().enumerate() {
                    assert_eq!(lanes::number(set), usize::from(usize::from(count) > i));
                }
                for exact in 1..=4 {
                    assert_eq!(held.exactly(exact) != 0, exact == count);
                }
            }
        }
        assert_eq!(lanes::jokers(Counts::DECK.bits()), 2);
        assert_eq!(lanes::window(2, 3), 0x11100);
        assert_eq!(lanes::lowest(lanes::window(2, 3)), 2);
    }
}
