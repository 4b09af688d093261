//! Advice on one position: every action, ranked, with what each costs.

use serde::{Deserialize, Serialize};

use super::ends::{Ends, ends};
use crate::engine::entries::Entries;
use crate::engine::game::GameTable;
use crate::engine::turn::{Stages, TurnTable};
use crate::rules::action::Action;
use crate::rules::category::{ByCategory, Category};
use crate::rules::dice::Keep;
use crate::rules::objective::{Objective, TIE};
use crate::rules::position::Position;
use crate::rules::score::{BoxScore, scores_of};

/// Fifteen boxes and the 31 keeps of five different dice.
const MOST_ACTIONS: usize = 15 + 31;

/// An action and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The action.
    pub action: Action,
    /// The expected points still to come: what it scores now, bonuses included, and optimal play
    /// afterwards. For the one-turn objective, the expected best box score.
    pub value: f64,
    /// What is lost against the best action; 0 for all that tie with it.
    pub loss: f64,
}

impl Ranked {
    /// The loss in words.
    pub fn grade(&self) -> Grade {
        Grade::of_loss(self.loss)
    }
}

/// How good a decision is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// No loss.
    Best,
    /// Under half a point.
    Good,
    /// Under one and a half points.
    Inaccuracy,
    /// Under four points.
    Mistake,
    /// Four points or more.
    Blunder,
}

impl Grade {
    /// The grade of a loss in points.
    pub fn of_loss(loss: f64) -> Self {
        match loss {
            loss if loss <= 0.0 => Self::Best,
            loss if loss < 0.5 => Self::Good,
            loss if loss < 1.5 => Self::Inaccuracy,
            loss if loss < 4.0 => Self::Mistake,
            _ => Self::Blunder,
        }
    }

    /// The grade of a loss in the probability of success: good under 0.5 %, an inaccuracy under 2 %, a mistake under 6 %.
    pub fn of_lost_probability(loss: f64) -> Self {
        match loss {
            loss if loss <= 0.0 => Self::Best,
            loss if loss < 0.005 => Self::Good,
            loss if loss < 0.02 => Self::Inaccuracy,
            loss if loss < 0.06 => Self::Mistake,
            _ => Self::Blunder,
        }
    }
}

/// All actions of a position, best first.
#[derive(Clone, Debug)]
pub struct Advice {
    position: Position,
    objective: Objective,
    actions: [Ranked; MOST_ACTIONS],
    count: usize,
    scores: ByCategory<BoxScore>,
    turn_start_value: Option<f64>,
    ends: ByCategory<Ends>,
}

impl TurnTable {
    /// All actions, ranked by the expected best immediate box score of this turn.
    pub fn advise(&self, position: &Position) -> Advice {
        let entries = Entries::without_future(&self.rules, position.card().state());
        Advice::new(self, Objective::Turn, &entries, None, position)
    }
}

impl GameTable {
    /// All actions of a position, ranked; the position's card must have been checked under the rules
    /// of this table. Takes a few microseconds.
    pub fn advise(&self, position: &Position, objective: Objective) -> Advice {
        if objective == Objective::Turn {
            return self.turn.advise(position);
        }
        let card = position.card().state();
        let (set, lane) = (self.space.set(card.filled), self.space.lane(self.rules(), card));
        let entries = Entries::new(self.rules(), &self.space, &self.values, set, lane);
        let start = self.values[set.start + lane];
        Advice::new(&self.turn, objective, &entries, Some(start), position)
    }
}

impl Advice {
    fn new(
        turn: &TurnTable,
        objective: Objective,
        entries: &Entries<1>,
        turn_start_value: Option<f64>,
        position: &Position,
    ) -> Self {
        let (dice, rolls_left, card) = (position.dice(), position.rolls_left(), position.card());
        let (roll, state) = (dice.roll(), card.state());
        let rules = objective.rules(&turn.rules);
        let plain_points = |category: Category| turn.outcomes.points[category][roll.index()];
        let scores = scores_of(&rules, state, roll, plain_points);
        let nothing = Ranked { action: Action::Reroll(Keep::NONE), value: 0.0, loss: 0.0 };
        let mut actions = [nothing; MOST_ACTIONS];
        let mut count = 0;
        let mut add = |action, value| {
            if let Some(slot) = actions.get_mut(count) {
                *slot = Ranked { action, value, loss: 0.0 };
                count += 1;
            }
        };
        for category in entries.open.iter().filter(|&category| scores[category].is_legal()) {
            add(Action::Score(category), entries.value(&turn.outcomes, category, roll, scores[category]));
        }
        let mut chances = ByCategory::default();
        if rolls_left > 0 {
            let mut stages = Stages::ZERO;
            turn.evaluate(entries, rolls_left, &mut stages);
            roll.parts().for_each(|keep| add(Action::Reroll(keep), stages.keep(rolls_left, keep)));
            rank(&mut actions[..count]);
            if let Action::Reroll(keep) = actions[0].action {
                chances = ends(&rules, &turn.outcomes, entries, &stages, position, keep);
            }
        } else {
            rank(&mut actions[..count]);
        }
        if let Action::Score(category) = actions[0].action {
            chances[category] = Ends::certain(scores[category].box_points);
        }
        Self { position: *position, objective, actions, count, scores, turn_start_value, ends: chances }
    }

    /// The position that was asked about.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// What is maximised.
    pub const fn objective(&self) -> Objective {
        self.objective
    }

    /// Every action, best first: all distinct keeps of fewer than five dice if a roll is left, and
    /// all legal boxes.
    pub fn actions(&self) -> &[Ranked] {
        &self.actions[..self.count]
    }

    /// The best action.
    pub const fn best(&self) -> &Ranked {
        &self.actions[0]
    }

    /// What the dice score in each box; under the one-turn objective without bonus and joker.
    pub const fn scores(&self) -> &ByCategory<BoxScore> {
        &self.scores
    }

    /// How likely the turn is to end in each box under optimal play from the best action.
    pub const fn ends(&self) -> &ByCategory<Ends> {
        &self.ends
    }

    /// The expected points still to come before the first throw of this turn; `None` under the
    /// one-turn objective.
    pub const fn turn_start_value(&self) -> Option<f64> {
        self.turn_start_value
    }

    /// The points on the card and those still to come; `None` under the one-turn objective.
    pub fn expected_final(&self) -> Option<f64> {
        let so_far = f64::from(self.position.card().points_so_far());
        (self.objective == Objective::Game).then_some(so_far + self.best().value)
    }

    /// The rank (from 1) and the worth of an action; `None` where [`Position::check`] says why.
    pub fn find(&self, action: Action) -> Option<(usize, &Ranked)> {
        let at = self.actions().iter().position(|ranked| ranked.action == action)?;
        Some((at + 1, &self.actions[at]))
    }
}

/// Sorts by value, orders the groups of ties, and fills in the losses.
fn rank(actions: &mut [Ranked]) {
    actions.sort_unstable_by(|a, b| b.value.total_cmp(&a.value));
    let mut rest = &mut *actions;
    while let Some(top) = rest.first().map(|ranked| ranked.value) {
        let ties = rest.iter().take_while(|ranked| ranked.value >= top - TIE).count();
        let (group, after) = rest.split_at_mut(ties);
        group.sort_unstable_by_key(|ranked| ranked.action.sort_key());
        rest = after;
    }
    let Some(&Ranked { value: best, .. }) = actions.first() else { return };
    let top = actions.iter().fold(best, |top, ranked| top.max(ranked.value));
    for ranked in actions {
        ranked.loss = if ranked.value >= top - TIE { 0.0 } else { best - ranked.value };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_ordered_by_the_action() {
        let keep = |faces: &[u8]| Action::Reroll(Keep::new(faces).unwrap());
        let at = |action, value| Ranked { action, value, loss: 0.0 };
        let mut actions = [
            at(keep(&[1, 2]), 5.0),
            at(keep(&[1, 1]), 5.0 + 3e-10),
            at(keep(&[6, 6, 6]), 5.0 - 3e-10),
            at(Action::Score(Category::Chance), 5.0),
            at(Action::Score(Category::Ones), 5.0),
            at(Action::Score(Category::Twos), 4.0),
            at(keep(&[]), 5.0 - 2e-9),
        ];
        rank(&mut actions);
        let order = [
            Action::Score(Category::Ones),
            Action::Score(Category::Chance),
            keep(&[6, 6, 6]),
            keep(&[1, 1]),
            keep(&[1, 2]),
            keep(&[]),
            Action::Score(Category::Twos),
        ];
        assert_eq!(actions.map(|ranked| ranked.action), order);
        assert!(actions[..5].iter().all(|ranked| ranked.grade() == Grade::Best));
        assert_eq!(actions[5].grade(), Grade::Good);
        assert_eq!(actions[6].loss, 1.0);
    }

    #[test]
    fn grades_change_at_their_bounds() {
        let grades = [0.0, 0.49, 0.5, 1.5, 4.0].map(Grade::of_loss);
        let all = [Grade::Best, Grade::Good, Grade::Inaccuracy, Grade::Mistake, Grade::Blunder];
        assert_eq!(grades, all);
    }
}
