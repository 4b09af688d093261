//! All plays of a hand.

use super::card::Rank;
use super::counts::Counts;
use super::counts::lanes::{self, Held};
use super::kickers::KickerRule;
use super::play::{Kind, Play};
use super::rules::Rules;

/// Every legal play of the hand, in the order of [`Kind::ALL`], then of the body (lower first, then shorter). Two plays
/// differ in kind, body or the ranks of their kickers; suits never multiply.
///
/// A hand of 20 cards has some hundreds at most. The number grows steeply with the size of the hand.
pub fn legal_plays(hand: Counts, rules: &Rules) -> Vec<Play> {
    let mut plays = Vec::new();
    for kind in Kind::ALL {
        each_play(hand, rules, kind, None, &mut |play| plays.push(play));
    }
    plays
}

/// Calls `found` with each play of one kind, the lower body first, then the shorter. With `over`, only those of that
/// length whose body is higher than that rank.
pub(super) fn each_play(
    hand: Counts,
    rules: &Rules,
    kind: Kind,
    over: Option<(Rank, u8)>,
    found: &mut impl FnMut(Play),
) {
    let lengths = over.map_or(kind.shortest()..=12, |(_, length)| length..=length);
    let held = body_lanes(hand, kind);
    let mut starts = over.map_or(held, |(rank, _)| held & higher_than(rank));
    while starts != 0 {
        let start = lanes::lowest(starts);
        starts &= starts - 1;
        let rank = Rank::ALL[start];
        let longest = if kind.shortest() == 1 { 1 } else { lanes_in_a_row(held >> (4 * start)) };
        for length in *lengths.start()..=longest.min(*lengths.end()) {
            let Some(rule) = KickerRule::new(rules, kind, rank, length) else { return };
            let rest = Counts::from_bits(hand.bits() - kind.body(rank, length).bits());
            rule.choices(rest, |kickers| found(Play::new(kind, rank, length, kickers)));
        }
    }
}

/// The lanes of the ranks that a body of that kind may begin with or hold.
pub(super) const fn body_lanes(hand: Counts, kind: Kind) -> u64 {
    let held = Held::of(hand.bits());
    match kind {
        Kind::Single => held.once | hand.bits() & lanes::JOKERS,
        Kind::Rocket if hand.bits() & lanes::JOKERS == lanes::JOKERS => 1 << (4 * Rank::BlackJoker.index()),
        Kind::Rocket => 0,
        kind if kind.shortest() > 1 => held.at_least(kind.copies()) & lanes::RUNS,
        kind => held.at_least(kind.copies()),
    }
}

/// The lanes of all ranks above one.
pub(super) const fn higher_than(rank: Rank) -> u64 {
    !0 << (4 * (rank.index() + 1))
}

/// How many lanes are set from the lowest one on without a gap; more than 12 if all twelve of the runs are.
const fn lanes_in_a_row(lanes: u64) -> u8 {
    ((!lanes & lanes::RUNS).trailing_zeros() / 4) as u8
}
