//! The least number of plays with wild cards (癞子), each of which stands for any rank but the jokers.
//!
//! In a play a rank still has at most four cards, but wild cards may make up to eight of a rank in the hand: `7777QK34568`
//! with a wild 7 is 345678 and 7777QK. So every way to give the wild cards ranks is searched, within the best one so far.

use super::card::Rank;
use super::counts::Counts;
use super::explain::Explanation;
use super::min_plays::{Plan, Solver};
use super::play::Play;
use super::search;
use super::wide_table::WideTable;

/// The most wild cards in a hand.
pub const MOST_WILD_CARDS: u8 = 4;

/// The most other cards beside wild cards, those of the landlord.
pub const MOST_CARDS_BESIDE_WILD: u8 = 20;

impl Solver {
    /// A shortest way to play out these cards and some wild cards: always the same for the same cards. `None` for more than
    /// [`MOST_WILD_CARDS`] wild cards or [`MOST_CARDS_BESIDE_WILD`] others.
    ///
    /// The first call makes a table, which takes some tenths of a second.
    ///
    /// ```
    /// use kibitz_doudizhu::{Hand, Preset, Solver};
    /// let hand = Hand::from_text("3456").unwrap();
    /// let plan = Solver::new(Preset::Standard.rules()).solve_with_wild_blocking(hand.counts(), 1).unwrap();
    /// let [(play, stands_for)] = plan.plays().collect::<Vec<_>>()[..] else { panic!() };
    /// assert_eq!((play.to_string(), stands_for.to_string()), ("34567".to_owned(), "7".to_owned()));
    /// ```
    pub fn solve_with_wild_blocking(&self, cards: Counts, wild_cards: u8) -> Option<WildPlan> {
        if wild_cards > MOST_WILD_CARDS || cards.total() > MOST_CARDS_BESIDE_WILD {
            return None;
        }
        let table = self.wild.get_or_init(|| WideTable::new(&self.rules));
        let mut best = None;
        let mut below = u8::MAX;
        each_choice(wild_cards, 0, 0, &mut |wild| {
            let found = search::search_below(&self.rules, table, cards.bits() + wild, below, 1);
            if found.plays < below {
                below = found.plays;
                best = Some(found);
            }
            // No hand is played in fewer than one play.
            below > 1
        });
        let plan = best.map_or(Plan::EMPTY, |found| Plan::of(&found, |left| table.best(left)));
        Some(WildPlan { cards, plan })
    }
}

/// Calls `found` with each way to give `number` wild cards ranks from index `from` on, added to `chosen`, until it returns
/// false.
fn each_choice(number: u8, from: usize, chosen: u64, found: &mut impl FnMut(u64) -> bool) -> bool {
    if number == 0 {
        return found(chosen);
    }
    (from..Rank::BlackJoker.index())
        .all(|rank| each_choice(number - 1, rank, chosen + (1 << (4 * rank)), found))
}

/// Plays that together use every card of a hand and its wild cards exactly once.
#[derive(Debug, Clone, Copy)]
pub struct WildPlan {
    cards: Counts,
    plan: Plan,
}

impl WildPlan {
    /// The plan without saying which cards are wild.
    pub const fn plan(&self) -> Plan {
        self.plan
    }

    /// One English sentence: the plays, and what the wild cards stand for.
    pub fn in_english(&self) -> String {
        let sentence = Explanation::of_plan(self.plan).in_english();
        let ranks: Vec<_> = self.stands_for().map(Rank::name).collect();
        match &ranks[..] {
            [] => sentence,
            [one] => format!("{}; the wild card stands for {one}.", sentence.trim_end_matches('.')),
            [first @ .., last] => {
                let first = first.join(", ");
                format!("{}; the wild cards stand for {first} and {last}.", sentence.trim_end_matches('.'))
            }
        }
    }

    /// The ranks that the wild cards stand for, play by play.
    pub fn stands_for(&self) -> impl Iterator<Item = Rank> {
        self.plays().flat_map(|(_, wild)| wild.ranks().collect::<Vec<_>>())
    }

    /// The plays in order, each with the ranks that its wild cards stand for. The first plays take the cards that are not
    /// wild.
    pub fn plays(&self) -> impl Iterator<Item = (Play, Counts)> {
        let mut left = self.cards;
        self.plan.plays().iter().map(move |&play| {
            let mut wild = 0;
            for (rank, count) in play.cards().iter() {
                let own = left.of(rank).min(count);
                let lane = 1 << (4 * rank.index());
                left = Counts::from_bits(left.bits() - lane * u64::from(own));
                wild += lane * u64::from(count - own);
            }
            (play, Counts::from_bits(wild))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hand, Preset};

    fn solve(hand: &str, wild_cards: u8) -> (usize, String) {
        let cards = Hand::from_text(hand).map_or(Counts::EMPTY, |hand| hand.counts());
        let plan = Solver::new(Preset::Standard.rules()).solve_with_wild_blocking(cards, wild_cards).unwrap();
        let plays: Vec<_> = plan.plays().map(|(play, wild)| format!("{play}({wild})")).collect();
        (plan.plan().plays().len(), plays.join(" "))
    }

    #[test]
    fn five_of_a_rank_serve_two_plays() {
        assert_eq!(solve("7777QK34568", 1).0, 2);
        assert_eq!(solve("34567777", 1).0, 2);
    }

    #[test]
    fn wild_cards_alone_are_one_play() {
        for number in 1..=4 {
            assert_eq!(solve("", number).0, 1, "{number}");
        }
        let solver = Solver::new(Preset::Standard.rules());
        assert_eq!(solver.solve_with_wild_blocking(Counts::EMPTY, 0).unwrap().plays().count(), 0);
    }

    #[test]
    fn wild_card_is_no_joker() {
        assert_eq!(solve("B", 1).0, 2);
    }

    #[test]
    fn too_many_cards_have_no_plan() {
        let solver = Solver::new(Preset::Simple.rules());
        assert!(solver.solve_with_wild_blocking(Counts::EMPTY, 5).is_none());
        assert!(solver.solve_with_wild_blocking(Counts::DECK, 1).is_none());
    }
}
