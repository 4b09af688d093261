//! One turn by itself, and the evaluation of one position that the whole game shares with it.

use super::entries::Entries;
use super::lanes::{Rows, Values, choose, expect, means, score_now};
use super::outcomes::Outcomes;
use crate::rules::dice::Keep;
use crate::rules::rule_set::Rules;

/// What every roll is worth in every box under some rules: all that advice on a single turn needs.
///
/// The objective here is the best immediate score of the turn over the open boxes: no bonus, no
/// joker, no future. Any set of open boxes is evaluated on demand in microseconds; a
/// table of all of them would take 60 MB and be slower to read from memory than to compute.
///
/// ```
/// use kibitz_yahtzee::{Action, Dice, Keep, Position, Rules, Scorecard, TurnTable};
/// let table = TurnTable::new(&Rules::OFFICIAL);
/// let dice = Dice::new([1, 4, 5, 1, 6]).unwrap();
/// let position = Position::new(&Rules::OFFICIAL, dice, 2, Scorecard::empty(&Rules::OFFICIAL)).unwrap();
/// let advice = table.advise(&position);
/// assert_eq!(advice.best().action, Action::Reroll(Keep::new(&[4, 5, 6]).unwrap()));
/// assert!((advice.best().value - 27.7561728395).abs() < 1e-9);
/// ```
#[derive(Clone)]
pub struct TurnTable {
    pub(crate) rules: Rules,
    pub(crate) outcomes: Outcomes,
}

impl TurnTable {
    /// The table of some rules; takes microseconds.
    pub fn new(rules: &Rules) -> Self {
        Self { rules: *rules, outcomes: Outcomes::new(rules) }
    }

    /// The values of all dice that a turn can come to with a number of rolls left, at least one, given
    /// what follows each entry. They are written in place: copying them would take a tenth of the time.
    pub(crate) fn evaluate(
        &self,
        entries: &Entries<1>,
        rolls_left: u8,
        Stages { rows, last, best, first }: &mut Stages,
    ) {
        score_now(&self.rules, &self.outcomes, entries, rows, last);
        expect(last);
        if rolls_left > 1 {
            best.clone_from(last);
            choose(best);
            means(&best.rolls, first);
        }
    }
}

/// The values within one turn.
pub(crate) struct Stages {
    /// The best box of each outcome, see [`Outcomes`].
    pub(crate) rows: Rows<1>,
    /// Rolls that must be scored, and keeps before the last throw.
    pub(crate) last: Values<1>,
    /// Rolls with one throw left; for a keep the best of itself and its smaller ones. Only filled
    /// with two rolls left, like `first`.
    pub(crate) best: Values<1>,
    /// Keeps before the last throw but one.
    first: Rows<1>,
}

impl Stages {
    pub(crate) const ZERO: Self =
        Self { rows: [[0.0]; 256], last: Values::ZERO, best: Values::ZERO, first: [[0.0]; 256] };

    /// The value of keeping fewer than five dice with a number of rolls left.
    pub(crate) fn keep(&self, rolls_left: u8, keep: Keep) -> f64 {
        let values = if rolls_left > 1 { &self.first } else { &self.last.keeps };
        values[keep.index() % 256][0]
    }
}
