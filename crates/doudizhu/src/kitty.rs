//! The landlord's kitty (底牌): what the three cards that no player has seen make of a hand.

use super::card::Rank;
use super::counts::Counts;
use super::min_plays::Solver;
use std::cmp::{Ordering, Reverse};
use thiserror::Error;

/// The cards of a hand before the kitty.
pub const HAND_CARDS: u8 = 17;

/// The number of kitties: three of the 37 cards that a hand of 17 leaves.
pub const KITTIES: u32 = 7_770;

/// The fewest plays of a 17-card hand, and those of the 20-card hand over every kitty, all equally likely.
///
/// It says nothing about winning: the fewest plays do not consider the opponents' cards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kitties {
    /// The fewest plays of the hand without a kitty.
    pub min_plays: u8,
    /// The fewest plays with a kitty, and the number of kitties with that number, in increasing order. The numbers of
    /// kitties add up to [`KITTIES`].
    pub shares: Vec<(u8, u32)>,
    /// A kitty that leaves the fewest plays; of several, the one with the highest cards.
    pub best: Kitty,
    /// A kitty that leaves the most plays; of several, the one with the lowest cards.
    pub worst: Kitty,
}

/// Three cards, and the fewest plays of the hand together with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kitty {
    /// The cards by rank, in increasing order.
    pub cards: [Rank; 3],
    /// The fewest plays of the 20 cards.
    pub min_plays: u8,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the hand has {cards} cards; it must have {HAND_CARDS}, as before the kitty")]
pub struct KittyFault {
    /// How many cards the hand has.
    pub cards: u8,
}

impl KittyFault {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        "wrong_card_count"
    }
}

impl Kitties {
    /// Solves a hand with every kitty. Suits do not matter, so the at most 680 kitties of different ranks are solved, each
    /// counted as often as it occurs.
    ///
    /// ```
    /// use kibitz_doudizhu::{Hand, KITTIES, Kitties, Preset, Solver};
    /// let solver = Solver::new(Preset::Standard.rules());
    /// let hand = Hand::from_text("33344455566778899").unwrap().counts();
    /// let kitties = Kitties::of(&solver, hand).unwrap();
    /// assert_eq!(kitties.shares.iter().map(|(_, kitties)| kitties).sum::<u32>(), KITTIES);
    /// assert!(kitties.best.min_plays <= kitties.min_plays);
    /// ```
    ///
    /// # Errors
    /// The hand does not have [`HAND_CARDS`] cards.
    pub fn of(solver: &Solver, hand: Counts) -> Result<Self, KittyFault> {
        let cards = hand.total();
        let left = Counts::DECK.without(hand).filter(|_| cards == HAND_CARDS).ok_or(KittyFault { cards })?;
        let solve = |cards: [Rank; 3]| {
            let whole = hand.ranks().chain(cards).collect();
            (Kitty { cards, min_plays: solver.min_plays(whole) }, ways(cards, left))
        };
        let solved: Vec<(Kitty, u32)> = of_different_ranks(left).map(solve).collect();
        let kitties = solved.iter().map(|(kitty, _)| *kitty);
        let best = kitties.clone().min_by_key(|kitty| (kitty.min_plays, kitty.cards.map(Reverse)));
        let worst = kitties.min_by_key(|kitty| (Reverse(kitty.min_plays), kitty.cards));
        let (best, worst) = best.zip(worst).ok_or(KittyFault { cards })?;
        let share = |plays| {
            let with_so_many = solved.iter().filter(|(kitty, _)| kitty.min_plays == plays);
            (plays, with_so_many.map(|(_, ways)| ways).sum())
        };
        let shares = (best.min_plays..=worst.min_plays).map(share).filter(|(_, kitties)| *kitties > 0);
        Ok(Self { min_plays: solver.min_plays(hand), shares: shares.collect(), best, worst })
    }

    /// The mean of the fewest plays over all kitties.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let sum: u32 = self.shares.iter().map(|(plays, kitties)| u32::from(*plays) * kitties).sum();
        f64::from(sum) / f64::from(KITTIES)
    }

    /// The number of kitties after which the hand needs fewer plays than without, as many, and more.
    #[must_use]
    pub fn compared(&self) -> [u32; 3] {
        let mut counts = [0; 3];
        for &(plays, kitties) in &self.shares {
            let at = match plays.cmp(&self.min_plays) {
                Ordering::Less => 0,
                Ordering::Equal => 1,
                Ordering::Greater => 2,
            };
            counts[at] += kitties;
        }
        counts
    }

    /// One sentence in English.
    ///
    /// ```
    /// use kibitz_doudizhu::{Hand, Kitties, Preset, Solver};
    /// let hand = Hand::from_text("33444556789TJQKA2").unwrap().counts();
    /// let kitties = Kitties::of(&Solver::new(Preset::Standard.rules()), hand).unwrap();
    /// assert!(kitties.in_english().starts_with("The hand needs 4 plays and, with the kitty, 5.21 on average"));
    /// ```
    #[must_use]
    pub fn in_english(&self) -> String {
        let (plays, [fewer, same, more]) = (self.min_plays, self.compared());
        let plural = if plays == 1 { "" } else { "s" };
        format!(
            "The hand needs {plays} play{plural} and, with the kitty, {:.2} on average: fewer after {fewer} of \
             {KITTIES} kitties, as many after {same}, more after {more}. The opponents' cards are not considered.",
            self.mean()
        )
    }
}

/// The kitties whose ranks differ, each with its ranks in increasing order.
fn of_different_ranks(left: Counts) -> impl Iterator<Item = [Rank; 3]> {
    let from = |low: Rank| Rank::ALL.into_iter().skip(low.index());
    let all = Rank::ALL.into_iter().flat_map(move |low| {
        from(low).flat_map(move |middle| from(middle).map(move |high| [low, middle, high]))
    });
    all.filter(move |&cards| ways(cards, left) > 0)
}

/// In how many ways three cards of these ranks can be drawn.
fn ways(cards: [Rank; 3], left: Counts) -> u32 {
    let [low, middle, high] = cards;
    let of = |rank| u32::from(left.of(rank));
    match (low == middle, middle == high) {
        (true, true) => of(low) * of(low).saturating_sub(1) * of(low).saturating_sub(2) / 6,
        (true, false) => of(low) * of(low).saturating_sub(1) / 2 * of(high),
        (false, true) => of(low) * (of(high) * of(high).saturating_sub(1) / 2),
        (false, false) => of(low) * of(middle) * of(high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        #[test]
        fn shares_agree_with_every_kitty_solved_by_itself(
            deck in Just(Counts::DECK.ranks().collect::<Vec<_>>()).prop_shuffle(),
            preset in prop::sample::select(Preset::ALL.to_vec()),
        ) {
            let solver = Solver::new(preset.rules());
            let (hand, left) = deck.split_at(HAND_CARDS.into());
            let mut shares = BTreeMap::new();
            for (i, a) in left.iter().enumerate() {
                for (j, b) in left.iter().enumerate().skip(i + 1) {
                    for c in &left[j + 1..] {
                        let whole = hand.iter().chain([a, b, c]).copied().collect();
                        *shares.entry(solver.min_plays(whole)).or_insert(0) += 1;
                    }
                }
            }
            let hand: Counts = hand.iter().copied().collect();
            let kitties = Kitties::of(&solver, hand).unwrap();
            prop_assert_eq!(kitties.shares.iter().map(|share| share.1).sum::<u32>(), KITTIES);
            prop_assert_eq!(kitties.compared().iter().sum::<u32>(), KITTIES);
            prop_assert_eq!(kitties.best.min_plays, *shares.keys().next().unwrap());
            prop_assert_eq!(kitties.worst.min_plays, *shares.keys().last().unwrap());
            prop_assert_eq!(kitties.shares, shares.into_iter().collect::<Vec<_>>());
            prop_assert_eq!(kitties.min_plays, solver.min_plays(hand));
        }
    }

    #[test]
    fn best_kitty_has_the_highest_cards_of_equals() {
        let solver = Solver::new(Preset::Standard.rules());
        let hand: Counts = Counts::DECK.ranks().take(17).collect();
        let kitties = Kitties::of(&solver, hand).unwrap();
        assert!(kitties.best.cards.windows(2).all(|pair| pair[0] <= pair[1]));
        let as_good = of_different_ranks(Counts::DECK.without(hand).unwrap())
            .filter(|&cards| solver.min_plays(hand.ranks().chain(cards).collect()) == kitties.best.min_plays);
        assert_eq!(as_good.min_by_key(|cards| cards.map(Reverse)), Some(kitties.best.cards));
    }

    #[test]
    fn hand_of_another_size_is_a_fault() {
        let solver = Solver::new(Preset::Standard.rules());
        for cards in [0, 16, 18, 54] {
            let hand: Counts = Counts::DECK.ranks().take(cards).collect();
            assert_eq!(Kitties::of(&solver, hand), Err(KittyFault { cards: cards as u8 }));
        }
    }
}
