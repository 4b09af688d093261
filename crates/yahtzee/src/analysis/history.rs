//! A game as it was played: what was rolled, kept and scored, checked turn by turn.

use crate::rules::action::{Action, ImpossibleAction};
use crate::rules::category::{Category, CategorySet};
use crate::rules::dice::{DIE_COUNT, Dice, Keep};
use crate::rules::position::Position;
use crate::rules::rule_set::Rules;
use crate::rules::score::{Illegal, score};
use crate::rules::scorecard::Scorecard;

/// The turns of a game from its beginning, which can have happened under its rules.
#[derive(Clone, Debug)]
pub struct History {
    turns: Vec<PlayedOut>,
}

/// One turn as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedOut {
    /// What was rolled, one to as many times as the rules allow.
    pub rolls: Vec<Dice>,
    /// What was kept of each roll but the last.
    pub keeps: Vec<Keep>,
    /// Where the last roll was scored.
    pub category: Category,
}

/// One turn as somebody tells it; what could not be read is `None`.
#[derive(Clone, Debug, Default)]
pub struct ToldTurn {
    /// What was rolled.
    pub rolls: Vec<Option<Dice>>,
    /// What was kept of each roll but the last.
    pub keeps: Vec<Option<Keep>>,
    /// Where the last roll was scored.
    pub category: Option<Category>,
}

/// Something that cannot have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryFault {
    /// More rolls than a turn has.
    #[error("a turn has at most {most} roll{} under these rules, not {found}", if *.most == 1 { "" } else { "s" })]
    TooManyRolls {
        /// Which turn, from 0.
        turn: usize,
        /// How many there are.
        found: usize,
        /// How many there can be.
        most: u8,
    },
    /// Not one keep between two rolls each.
    #[error("each roll but the last has one keep: {} in all, not {found}", .rolls.saturating_sub(1))]
    KeepCount {
        /// Which turn, from 0.
        turn: usize,
        /// How many keeps there are.
        found: usize,
        /// How many rolls there are.
        rolls: usize,
    },
    /// A keep that its roll does not allow.
    #[error("{}", .why)]
    Keep {
        /// Which turn, from 0.
        turn: usize,
        /// Which keep of it, from 0.
        index: usize,
        /// Why not.
        why: ImpossibleAction,
    },
    /// A roll without the dice that were kept before it.
    #[error("the dice that were kept must still be on the table after the roll")]
    KeptDiceLost {
        /// Which turn, from 0.
        turn: usize,
        /// Which roll of it, from 0.
        index: usize,
    },
    /// A box that may not be filled.
    #[error("{category} may not be filled: {}", .why.in_english())]
    Box {
        /// Which turn, from 0.
        turn: usize,
        /// The box.
        category: Category,
        /// Why not.
        why: Illegal,
    },
}

/// The place of a fault within its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryPlace {
    /// The list of rolls.
    Rolls,
    /// One roll.
    Roll(usize),
    /// The list of keeps.
    Keeps,
    /// One keep.
    Keep(usize),
    /// The box.
    Category,
}

impl HistoryFault {
    /// The stable slug of this error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooManyRolls { .. } => "too_many_rolls",
            Self::KeepCount { .. } => "wrong_number_of_keeps",
            Self::Keep { why, .. } => why.code(),
            Self::KeptDiceLost { .. } => "kept_dice_lost",
            Self::Box { why, .. } => why.code(),
        }
    }

    /// The turn, from 0, and the place in it.
    pub const fn place(&self) -> (usize, HistoryPlace) {
        match *self {
            Self::TooManyRolls { turn, .. } => (turn, HistoryPlace::Rolls),
            Self::KeepCount { turn, .. } => (turn, HistoryPlace::Keeps),
            Self::Keep { turn, index, .. } => (turn, HistoryPlace::Keep(index)),
            Self::KeptDiceLost { turn, index } => (turn, HistoryPlace::Roll(index)),
            Self::Box { turn, .. } => (turn, HistoryPlace::Category),
        }
    }
}

impl History {
    /// Checks a game in order, from its first turn.
    ///
    /// # Errors
    /// Everything that cannot have happened, as far as what could be read tells; without rules, all that does not depend
    /// on them. The list is empty where all the fault is that something could not be read.
    pub fn new(rules: Option<&Rules>, told: &[ToldTurn]) -> Result<Self, Vec<HistoryFault>> {
        let mut faults = Vec::new();
        let mut filled = CategorySet::EMPTY;
        // The card, as long as all before it is known.
        let mut card = rules.map(Scorecard::empty);
        for (number, turn) in told.iter().enumerate() {
            check_dice(rules, number, turn, &mut faults);
            let Some(category) = turn.category else {
                card = None;
                continue;
            };
            if filled.contains(category) {
                faults.push(HistoryFault::Box { turn: number, category, why: Illegal::Filled });
                card = None;
                continue;
            }
            filled = filled.with(category);
            card = match (rules, card, turn.rolls.last()) {
                (Some(rules), Some(card), Some(Some(dice))) => {
                    let earned = score(rules, card.state(), dice.roll(), category);
                    if let Some(why) = earned.illegal {
                        faults.push(HistoryFault::Box { turn: number, category, why });
                    }
                    earned.is_legal().then(|| card.with_entry(category, earned))
                }
                _ => None,
            };
        }
        let turns: Option<Vec<_>> = told.iter().map(ToldTurn::complete).collect();
        match (turns, card) {
            (Some(turns), Some(_)) if faults.is_empty() => Ok(Self { turns }),
            _ => Err(faults),
        }
    }

    /// The turns in their order.
    pub fn turns(&self) -> &[PlayedOut] {
        &self.turns
    }
}

impl ToldTurn {
    fn complete(&self) -> Option<PlayedOut> {
        Some(PlayedOut {
            rolls: self.rolls.iter().copied().collect::<Option<_>>()?,
            keeps: self.keeps.iter().copied().collect::<Option<_>>()?,
            category: self.category?,
        })
    }
}

/// Checks the rolls and keeps of one turn.
fn check_dice(rules: Option<&Rules>, number: usize, turn: &ToldTurn, faults: &mut Vec<HistoryFault>) {
    let (rolls, keeps) = (turn.rolls.len(), turn.keeps.len());
    if let Some(most) = rules.map(|rules| rules.rolls_per_turn.get())
        && rolls > usize::from(most)
    {
        faults.push(HistoryFault::TooManyRolls { turn: number, found: rolls, most });
    }
    if rolls > 0 && keeps + 1 != rolls {
        faults.push(HistoryFault::KeepCount { turn: number, found: keeps, rolls });
    }
    for (index, keep) in turn.keeps.iter().enumerate() {
        let Some(keep) = *keep else { continue };
        let why = if keep.len() == DIE_COUNT {
            Some(ImpossibleAction::AllFiveKept)
        } else {
            let before = turn.rolls.get(index).copied().flatten();
            before.is_some_and(|dice| !keep.is_within(dice.roll())).then_some(ImpossibleAction::NotOnTheTable)
        };
        if let Some(why) = why {
            faults.push(HistoryFault::Keep { turn: number, index, why });
            continue;
        }
        if turn.rolls.get(index + 1).copied().flatten().is_some_and(|dice| !keep.is_within(dice.roll())) {
            faults.push(HistoryFault::KeptDiceLost { turn: number, index: index + 1 });
        }
    }
}

impl PlayedOut {
    /// The positions of the turn's decisions, each with what was done.
    pub(crate) fn decisions<'a>(
        &'a self,
        rules: &Rules,
        card: &'a Scorecard,
    ) -> impl Iterator<Item = (Position, Action)> + use<'a> {
        let actions = self.keeps.iter().map(|&keep| Action::Reroll(keep));
        let actions = actions.chain([Action::Score(self.category)]);
        let most = rules.rolls_per_turn.rerolls();
        self.rolls.iter().zip(actions).zip(0..).map(move |((&dice, action), thrown)| {
            (Position::within_turn(dice, most.saturating_sub(thrown), *card), action)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RollsPerTurn;

    fn told(rolls: &[[u8; 5]], keeps: &[&[u8]], category: Category) -> ToldTurn {
        ToldTurn {
            rolls: rolls.iter().map(|&faces| Dice::new(faces).ok()).collect(),
            keeps: keeps.iter().map(|faces| Keep::new(faces)).collect(),
            category: Some(category),
        }
    }

    fn faults(rules: &Rules, turns: &[ToldTurn]) -> Vec<(usize, HistoryPlace, &'static str)> {
        let found = History::new(Some(rules), turns).unwrap_err();
        found.iter().map(|fault| (fault.place().0, fault.place().1, fault.code())).collect()
    }

    #[test]
    fn a_game_that_can_have_happened() {
        let turns = [
            told(
                &[[1, 3, 3, 4, 6], [3, 3, 3, 2, 5], [3, 3, 3, 6, 6]],
                &[&[3, 3], &[3, 3, 3]],
                Category::FullHouse,
            ),
            told(&[[6, 6, 6, 6, 6]], &[], Category::Yahtzee),
            told(&[[6, 6, 6, 6, 6]], &[], Category::Sixes),
        ];
        assert_eq!(History::new(Some(&Rules::OFFICIAL), &turns).unwrap().turns().len(), 3);
    }

    #[test]
    fn everything_impossible_is_found_at_once() {
        let turns = [
            told(&[[1, 3, 3, 4, 6], [3, 2, 2, 2, 5]], &[&[3, 3]], Category::Yahtzee),
            told(&[[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]], &[&[2]], Category::Fives),
            told(&[[1, 1, 1, 2, 1], [1, 1, 1, 1, 1]], &[&[1, 1, 1, 1, 2], &[1]], Category::Fives),
            told(&[[1; 5], [1; 5], [1; 5], [1; 5]], &[&[], &[], &[]], Category::Sixes),
        ];
        let expected = [
            (0, HistoryPlace::Roll(1), "kept_dice_lost"),
            (1, HistoryPlace::Keep(0), "keep_not_on_the_table"),
            (1, HistoryPlace::Category, "joker_own_upper_box_first"),
            (2, HistoryPlace::Keeps, "wrong_number_of_keeps"),
            (2, HistoryPlace::Keep(0), "all_five_kept"),
            (2, HistoryPlace::Category, "box_filled"),
            (3, HistoryPlace::Rolls, "too_many_rolls"),
        ];
        assert_eq!(faults(&Rules::OFFICIAL, &turns), expected);
    }

    #[test]
    fn numbers_read_well_for_one_and_for_many() {
        let message = |rules: &Rules, rolls: &[[u8; 5]], keeps: &[&[u8]]| {
            History::new(Some(rules), &[told(rolls, keeps, Category::Chance)]).unwrap_err()[0].to_string()
        };
        let once = Rules { rolls_per_turn: RollsPerTurn::One, ..Rules::OFFICIAL };
        let two = [[1, 2, 3, 4, 6]; 2];
        assert_eq!(message(&once, &two, &[&[]]), "a turn has at most 1 roll under these rules, not 2");
        let four = [[1, 2, 3, 4, 6]; 4];
        assert_eq!(
            message(&Rules::OFFICIAL, &four, &[&[], &[], &[]]),
            "a turn has at most 3 rolls under these rules, not 4"
        );
        assert_eq!(
            message(&Rules::OFFICIAL, &two[..1], &[&[1]]),
            "each roll but the last has one keep: 0 in all, not 1"
        );
        assert_eq!(
            message(&Rules::OFFICIAL, &two, &[]),
            "each roll but the last has one keep: 1 in all, not 0"
        );
    }

    #[test]
    fn what_could_not_be_read_hides_nothing_else() {
        let mut turns = vec![told(&[[2; 5]], &[], Category::Yahtzee), told(&[[2; 5]], &[], Category::Sixes)];
        turns[0].rolls[0] = None;
        assert_eq!(faults(&Rules::OFFICIAL, &turns), []);
        turns.push(told(&[[2; 5]], &[], Category::Sixes));
        assert_eq!(faults(&Rules::OFFICIAL, &turns), [(2, HistoryPlace::Category, "box_filled")]);
        assert_eq!(History::new(None, &turns).unwrap_err().len(), 1);
    }
}
