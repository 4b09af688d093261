//! One turn by itself, and the evaluation of one position that the whole game shares with it.

use super::advice::{Advice, Objective, Position};
use super::category::CategorySet;
use super::entries::Entries;
use super::lanes::{Rows, Values, choose, expect, score_now};
use super::outcomes::Outcomes;
use super::rules::Rules;

/// What every roll is worth in every box under some rules: all that advice on a single turn needs.
///
/// The objective here is the best immediate score of the turn over the open boxes: no bonus, no
/// joker, no future. Any of the 8,192 sets of open boxes is evaluated on demand in microseconds; a
/// table of all of them would take 60 MB and be slower to read from memory than to compute.
///
/// ```
/// use kibitz::yahtzee::{Action, Dice, Keep, Position, Rules, Scorecard, TurnTable};
/// let table = TurnTable::new(&Rules::OFFICIAL);
/// let dice = Dice::new([1, 4, 5, 1, 6]).unwrap();
/// let position = Position::new(&Rules::OFFICIAL, dice, 2, Scorecard::empty()).unwrap();
/// let advice = table.advise(&position);
/// assert_eq!(advice.best().action, Action::Reroll(Keep::new(&[4, 5, 6]).unwrap()));
/// assert!((advice.best().value - 27.7561728395).abs() < 1e-9);
/// ```
pub struct TurnTable {
    pub(super) rules: Rules,
    pub(super) outcomes: Outcomes,
}

impl TurnTable {
    /// The table of some rules; takes about a millisecond.
    pub fn new(rules: &Rules) -> Self {
        Self { rules: *rules, outcomes: Outcomes::new(rules) }
    }

    /// All actions, ranked by the expected best immediate box score of this turn.
    pub fn advise(&self, position: &Position) -> Advice {
        Advice::new(self, Objective::Turn, &Entries::without_future(position.card().open()), None, position)
    }

    /// The values of all dice that a turn can come to, given what follows each entry.
    pub(super) fn evaluate(&self, entries: &Entries<1>, filled: CategorySet, rolls_left: u8) -> Stages {
        let mut stages = Stages { rows: [[0.0]; 256], by_rolls_left: [Values::ZERO; 3] };
        let [last, second, first] = &mut stages.by_rolls_left;
        score_now(&self.rules, &self.outcomes, entries, filled, &mut stages.rows, last);
        if rolls_left > 0 {
            expect(last);
        }
        if rolls_left > 1 {
            second.clone_from(last);
            choose(second);
            first.clone_from(second);
            expect(first);
        }
        stages
    }
}

/// The values within one turn.
pub(super) struct Stages {
    /// The best box of each outcome, see [`Outcomes`].
    pub(super) rows: Rows<1>,
    /// 0: the rolls when no throw is left, and the keeps before the last throw.
    /// 1: the best of each roll and of each keep's smaller keeps, with one throw left.
    /// 2: the rolls with one throw left, and the keeps before the last throw but one.
    pub(super) by_rolls_left: [Values<1>; 3],
}
