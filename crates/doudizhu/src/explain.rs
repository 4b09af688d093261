//! One sentence on a plan: what is played, and which tempting line it avoids.

use super::card::Rank;
use super::counts::Counts;
use super::min_plays::{Plan, Solver};
use super::play::{Kind, Play};

/// What can be said of a plan. Everything in it has been computed, nothing is a guess.
///
/// ```
/// use kibitz_doudizhu::{Explanation, Hand, Preset, Solver};
/// let solver = Solver::new(Preset::Standard.rules());
/// let hand = Hand::from_text("345678899TT").unwrap();
/// let plan = solver.solve(hand.counts());
/// assert_eq!(
///     Explanation::new(&solver, hand.counts(), plan).in_english(),
///     "The fewest plays are 2: the consecutive pairs 8899TT and the straight 34567; \
///      starting with the longest straight, 3456789T, would take 4."
/// );
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Explanation {
    /// The plan explained.
    pub plan: Plan,
    /// The costliest tempting line, where one costs more than the plan.
    pub trap: Option<Trap>,
    /// The least number of plays without any straight, pair straight or plane.
    pub without_runs: u8,
}

/// A line that looks good and is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trap {
    /// What one would begin with: the longest straight or pair straight, a bomb, the rocket.
    pub first: Play,
    /// How many plays the hand then needs, that one included.
    pub plays: u8,
}

impl Explanation {
    /// Looks for what there is to say of a shortest plan for `hand`.
    pub fn new(solver: &Solver, hand: Counts, plan: Plan) -> Self {
        let mut trap: Option<Trap> = None;
        // Under rules without runs no straight tempts anyone.
        let legal = |first: &Play| solver.rules().runs || first.kind().shortest() == 1;
        for first in temptations(hand).filter(legal) {
            let Some(left) = hand.without(first.cards()) else { continue };
            let costliest = trap.map_or(plan.plays().len() as u8, |trap| trap.plays);
            if let Some(more) = solver.min_plays_above(left, costliest - 1) {
                trap = Some(Trap { first, plays: 1 + more });
            }
        }
        Self { plan, trap, without_runs: solver.plays_without_runs(hand) }
    }

    /// The sentence in English.
    pub fn in_english(&self) -> String {
        let parts = self.parts(english_play, english_number);
        let sentence = match (self.plan.plays(), &parts[..]) {
            ([], _) => return "There is nothing to play.".to_owned(),
            ([play], _) => format!("The whole hand is one play: {}", english_play(*play)),
            ([play, ..], [_]) if is_plain(*play) => {
                format!("The fewest plays are {}, all of them {}s", self.number(), play.kind().in_english())
            }
            _ => format!("The fewest plays are {}: {}", self.number(), english_list(&parts)),
        };
        match self.contrast() {
            Contrast::None => format!("{sentence}."),
            Contrast::Runs(plays) => format!("{sentence}; without runs it would take {plays}."),
            Contrast::Trap(Trap { first, plays }) => {
                let instead = match first.kind() {
                    Kind::Bomb => format!("playing {first} as a bomb"),
                    Kind::Rocket => "playing the jokers together as the rocket".to_owned(),
                    kind => format!("starting with the longest {}, {first},", kind.in_english()),
                };
                format!("{sentence}; {instead} would take {plays}.")
            }
        }
    }

    /// A plan alone, without a line that it avoids.
    pub const fn of_plan(plan: Plan) -> Self {
        Self { plan, trap: None, without_runs: 0 }
    }

    /// How many plays the plan has.
    pub fn number(&self) -> usize {
        self.plan.plays().len()
    }

    /// The plays worth naming one by one, then how many pairs and singles there are, in the words of any language.
    pub fn parts(&self, name: fn(Play) -> String, number: fn(Kind, usize) -> String) -> Vec<String> {
        let plays = self.plan.plays();
        let mut parts: Vec<String> =
            plays.iter().filter(|play| !is_plain(**play)).map(|&play| name(play)).collect();
        for kind in [Kind::Pair, Kind::Single] {
            let of_kind: Vec<Play> = plays.iter().copied().filter(|play| play.kind() == kind).collect();
            match of_kind[..] {
                [] => {}
                [play] => parts.push(name(play)),
                _ => parts.push(number(kind, of_kind.len())),
            }
        }
        parts
    }

    /// What the plan is set against.
    pub fn contrast(&self) -> Contrast {
        match self.trap {
            Some(trap) => Contrast::Trap(trap),
            None if usize::from(self.without_runs) > self.plan.plays().len() => {
                Contrast::Runs(self.without_runs)
            }
            None => Contrast::None,
        }
    }
}

/// What a plan is set against.
pub enum Contrast {
    /// Nothing.
    None,
    /// A tempting line that takes more plays.
    Trap(Trap),
    /// How many plays it takes without runs.
    Runs(u8),
}

/// What a hasty player would begin with.
fn temptations(hand: Counts) -> impl Iterator<Item = Play> {
    let held = move |kind: Kind| {
        let bodies = kind.bodies().map(move |(start, length)| Play::new(kind, start, length, Counts::EMPTY));
        bodies.filter(move |play| hand.contains(play.cards()))
    };
    // `max_by_key` takes the last of equals, and the search meets the lower runs first.
    let longest = move |kind| held(kind).max_by_key(|play| play.length());
    let runs = [Kind::Straight, Kind::PairStraight].into_iter().filter_map(longest);
    runs.chain(held(Kind::Bomb)).chain(held(Kind::Rocket))
}

/// Whether a play is a single or a pair.
pub const fn is_plain(play: Play) -> bool {
    matches!(play.kind(), Kind::Single | Kind::Pair)
}

/// "the straight 34567", "the single 3", "the big joker".
pub(super) fn english_play(play: Play) -> String {
    match (play.kind(), play.rank()) {
        (Kind::Rocket, _) => "the rocket".to_owned(),
        (Kind::Single, Rank::BlackJoker) => "the small joker".to_owned(),
        (Kind::Single, Rank::RedJoker) => "the big joker".to_owned(),
        (kind, _) => format!("the {} {play}", kind.in_english()),
    }
}

fn english_number(kind: Kind, number: usize) -> String {
    format!("{number} {}s", kind.in_english())
}

/// "a, b and c".
fn english_list(parts: &[String]) -> String {
    match parts {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => parts.concat(),
    }
}

#[cfg(test)]
mod tests {
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{Hand, Preset};

    fn explain(preset: Preset, hand: &str) -> String {
        let solver = Solver::new(preset.rules());
        let hand = Hand::from_text(hand).expect("a hand").counts();
        let explanation = Explanation::new(&solver, hand, solver.solve(hand));
        explanation.in_english()
    }

    #[test]
    fn sentences_read_well() {
        for (preset, hand, english) in [
            (Preset::Standard, "D", "The whole hand is one play: the big joker."),
            (Preset::Standard, "468QK", "The fewest plays are 5, all of them singles."),
            (
                Preset::Standard,
                "333666BR",
                "The fewest plays are 2: the triple with a single 333+B and the triple with a single 666+R; \
                 playing the jokers together as the rocket would take 3.",
            ),
            (
                Preset::Noip,
                "AAAA2222",
                "The whole hand is one play: the four with two pairs AAAA+2222; \
                 playing AAAA as a bomb would take 2.",
            ),
            (
                Preset::Standard,
                "56789QAA22",
                "The fewest plays are 4: the straight 56789, 2 pairs and the single Q; \
                 without runs it would take 8.",
            ),
            (Preset::Simple, "34567", "The fewest plays are 5, all of them singles."),
        ] {
            assert_eq!(explain(preset, hand), english, "{hand}");
        }
    }

    #[test]
    fn the_trap_is_the_costliest_temptation() {
        let mut random = ChaCha8Rng::seed_from_u64(8);
        let mut deck: Vec<Rank> = Counts::DECK.ranks().collect();
        let mut traps = 0;
        for number in 0..600 {
            let solver = Solver::new(Preset::ALL[number % 6].rules());
            deck.shuffle(&mut random);
            let hand: Counts = deck[..random.random_range(1..=40)].iter().copied().collect();
            let plan = solver.solve(hand);
            let costs = temptations(hand)
                .filter(|first| solver.rules().runs || first.kind().shortest() == 1)
                .map(|first| 1 + solver.min_plays(hand.without(first.cards()).expect("a play of the hand")));
            let costliest = costs.max().filter(|&plays| usize::from(plays) > plan.plays().len());
            assert_eq!(
                Explanation::new(&solver, hand, plan).trap.map(|trap| trap.plays),
                costliest,
                "{hand}"
            );
            traps += usize::from(costliest.is_some());
        }
        assert!(traps > 100, "{traps}");
    }
}
