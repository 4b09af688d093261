//! All plays of a hand.

use super::card::Rank;
use super::counts::Counts;
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
        for (start, length) in kind.bodies() {
            let Some(rule) = KickerRule::new(rules, kind, start, length) else { continue };
            let Some(rest) = hand.without(kind.body(start, length)) else { continue };
            add_kickers(&rule, rest, &Rank::ALL, rule.number, Counts::EMPTY, &mut |kickers| {
                plays.push(Play::new(kind, start, length, kickers));
            });
        }
    }
    plays
}

/// Calls `found` with each way to complete `chosen` by `number` more kickers of the given ranks out of `rest`.
fn add_kickers(
    rule: &KickerRule,
    rest: Counts,
    ranks: &[Rank],
    number: u8,
    chosen: Counts,
    found: &mut impl FnMut(Counts),
) {
    if number == 0 {
        return found(chosen);
    }
    let Some((&rank, higher)) = ranks.split_first() else { return };
    let second_joker = rank == Rank::RedJoker && chosen.of(Rank::BlackJoker) > 0;
    let most = if second_joker && !rule.both_jokers {
        0
    } else {
        rest.of(rank).min(rule.limits.of(rank)) / rule.size
    };
    for kickers in (0..=most.min(number)).rev() {
        if let Some(chosen) = chosen.with(rank, kickers * rule.size) {
            add_kickers(rule, rest, higher, number - kickers, chosen, found);
        }
    }
}
