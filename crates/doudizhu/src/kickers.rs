//! Which cards may go along with a body: the kickers of triples and fours, the wings of planes.

use super::card::Rank;
use super::counts::Counts;
use super::counts::lanes::{self, Held};
use super::play::Kind;
use super::rules::Rules;

/// What the kickers of one body may be. The recogniser asks it; the generator and the solver choose within it.
#[derive(Debug, Clone, Copy)]
pub(super) struct KickerRule {
    /// How many kickers there are; 0 for a kind that has none.
    pub(super) number: u8,
    /// How many cards of one rank make one kicker: 1 or 2.
    pub(super) size: u8,
    /// How many cards each rank may give.
    pub(super) limits: Counts,
    /// Whether both jokers may be among them.
    pub(super) both_jokers: bool,
}

/// The lane of the big joker.
const RED_JOKER: u64 = 1 << (4 * Rank::RedJoker.index());

impl KickerRule {
    /// The rule beside a body of that kind; `None` where the rules do not know the kind.
    pub(super) fn new(rules: &Rules, kind: Kind, start: Rank, length: u8) -> Option<Self> {
        let known = match kind {
            Kind::Straight | Kind::PairStraight | Kind::Plane => rules.runs,
            Kind::PlaneSingles | Kind::PlanePairs => rules.runs && rules.plane_wings,
            Kind::FourTwoSingles | Kind::FourTwoPairs => rules.four_with_two,
            _ => true,
        };
        known.then(|| Self::of_known(rules, kind, start, length))
    }

    /// The rule beside a body of a kind that the rules know.
    #[inline(always)]
    pub(super) fn of_known(rules: &Rules, kind: Kind, start: Rank, length: u8) -> Self {
        let body = lanes::window(start.index(), length as usize);
        let (number, size, most) = match kind {
            Kind::TripleSingle => (1, 1, 1),
            Kind::TriplePair => (1, 2, 2),
            Kind::PlaneSingles => (
                length,
                1,
                match (rules.equal_single_wings, rules.four_equal_wings) {
                    (false, _) => 1,
                    (true, false) => 3,
                    (true, true) => 4,
                },
            ),
            Kind::PlanePairs => (length, 2, if rules.equal_pair_wings { 4 } else { 2 }),
            Kind::FourTwoSingles => (2, 1, if rules.four_with_equal_singles { 2 } else { 1 }),
            Kind::FourTwoPairs => (2, 2, if rules.four_with_equal_pairs { 4 } else { 2 }),
            _ => (0, 1, 0),
        };
        let mut limits = (lanes::RANKS & !body) * most;
        if kind == Kind::PlaneSingles && most > 2 && !rules.lengthening_wings {
            // A triple next to the body would make the plane longer; two cards of it are fine.
            let beside = (body << 4 | body >> 4) & !body & lanes::RUNS;
            limits -= beside * (most - 2);
        }
        let both_jokers = match kind {
            Kind::PlaneSingles => rules.both_jokers_as_wings,
            Kind::FourTwoSingles => rules.four_with_both_jokers,
            _ => false,
        };
        if size == 1 {
            limits |= lanes::JOKERS;
        }
        Self { number, size, limits: Counts::from_bits(limits), both_jokers }
    }

    /// Whether these cards, all of them, may be the kickers.
    pub(super) fn allows(&self, kickers: Counts) -> bool {
        kickers.total() == self.number * self.size
            && self.limits.contains(kickers)
            && kickers.iter().all(|(_, count)| count % self.size == 0)
            && (self.both_jokers || lanes::jokers(kickers.bits()) < 2)
    }

    /// Calls `found` with each choice of kickers out of `rest`, those with more cards of the lower ranks first.
    #[inline]
    pub(super) fn choices(&self, rest: Counts, mut found: impl FnMut(Counts)) {
        if self.number == 0 {
            return found(Counts::EMPTY);
        }
        let held = |cards: Counts| Held::of(cards.bits()).at_least(self.size) | cards.bits() & lanes::JOKERS;
        self.choose(rest.bits(), held(rest) & held(self.limits), self.number, 0, &mut found);
    }

    /// Completes `chosen` by `number` more kickers of the ranks in `open`.
    fn choose(&self, rest: u64, open: u64, number: u8, chosen: u64, found: &mut impl FnMut(Counts)) {
        if number == 0 {
            return found(Counts::from_bits(chosen));
        }
        if open == 0 {
            return;
        }
        let lowest = open & open.wrapping_neg();
        let count = |cards: u64| (cards >> lowest.trailing_zeros() & 15) as u8;
        let second_joker = lowest == RED_JOKER && chosen & lanes::JOKERS != 0;
        let most = if second_joker && !self.both_jokers {
            0
        } else {
            count(rest).min(count(self.limits.bits())) / self.size
        };
        for kickers in (0..=most.min(number)).rev() {
            let chosen = chosen + lowest * u64::from(kickers * self.size);
            self.choose(rest, open ^ lowest, number - kickers, chosen, found);
        }
    }
}
