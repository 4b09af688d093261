//! Advice on one position: every action, ranked, with what each costs.

use serde::{Deserialize, Serialize};

use super::category::{ByCategory, CATEGORY_COUNT, Category};
use super::dice::{DIE_COUNT, Dice, Keep};
use super::ends::{Ends, ends};
use super::entries::Entries;
use super::rules::Rules;
use super::score::{BoxScore, Illegal, score, score_all};
use super::scorecard::{GameOver, Scorecard};
use super::turn::TurnTable;

/// Values this close are a tie. Doubles agree to 7e-14 where values are truly equal, and the
/// smallest real difference in the official game is 9.8e-8.
pub const TIE: f64 = 1e-9;

/// Thirteen boxes and the 31 keeps of five different dice.
const MOST_ACTIONS: usize = CATEGORY_COUNT + 31;

/// A decision: dice on the table, rolls left, and the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    dice: Dice,
    rolls_left: u8,
    card: Scorecard,
}

/// What is wrong with a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionFault {
    /// More rolls than the rules leave after the first, or fewer than none.
    #[error("rolls_left is 0 to {most} under these rules, not {found}")]
    RollsLeft {
        /// The number that was given.
        found: i64,
        /// The most that are left after the first roll of a turn.
        most: u8,
    },
    /// Nothing left to decide.
    #[error(transparent)]
    GameOver(#[from] GameOver),
}

impl PositionFault {
    /// The stable slug of this error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::RollsLeft { .. } => "rolls_left",
            Self::GameOver(over) => over.code(),
        }
    }

    /// The same message in Chinese.
    pub fn in_chinese(&self) -> String {
        match self {
            Self::RollsLeft { found, most } => {
                format!("按此规则，rolls_left 只能是 0 到 {most}，不能是 {found}")
            }
            Self::GameOver(over) => over.in_chinese(),
        }
    }
}

impl Position {
    /// A position under some rules; the card must have been checked under the same rules.
    ///
    /// # Errors
    /// Too many rolls left, and a full card; both where both are so.
    pub fn new(
        rules: &Rules,
        dice: Dice,
        rolls_left: i64,
        card: Scorecard,
    ) -> Result<Self, Vec<PositionFault>> {
        let most = rules.rolls_per_turn.rerolls();
        let left = u8::try_from(rolls_left).ok().filter(|left| *left <= most);
        match (left, card.unfinished()) {
            (Some(rolls_left), Ok(())) => Ok(Self { dice, rolls_left, card }),
            (left, unfinished) => {
                let rolls = left.is_none().then_some(PositionFault::RollsLeft { found: rolls_left, most });
                Err(rolls.into_iter().chain(unfinished.err().map(PositionFault::from)).collect())
            }
        }
    }

    /// A position that is known to be within a turn and to have an open box.
    pub(super) const fn within_turn(dice: Dice, rolls_left: u8, card: Scorecard) -> Self {
        Self { dice, rolls_left, card }
    }

    /// The dice on the table.
    pub const fn dice(&self) -> Dice {
        self.dice
    }

    /// How many rolls are still allowed.
    pub const fn rolls_left(&self) -> u8 {
        self.rolls_left
    }

    /// The card.
    pub const fn card(&self) -> &Scorecard {
        &self.card
    }

    /// Whether an action is possible here, under the rules of the position and an objective.
    ///
    /// # Errors
    /// Why it is not.
    pub fn check(&self, rules: &Rules, objective: Objective, action: Action) -> Result<(), ImpossibleAction> {
        let roll = self.dice.roll();
        match action {
            Action::Reroll(keep) if keep.len() == DIE_COUNT => Err(ImpossibleAction::AllFiveKept),
            Action::Reroll(keep) if !keep.is_within(roll) => Err(ImpossibleAction::NotOnTheTable),
            Action::Reroll(_) if self.rolls_left == 0 => Err(ImpossibleAction::NoRollLeft),
            Action::Reroll(_) => Ok(()),
            Action::Score(category) => {
                match score(&objective.rules(rules), self.card.state(), roll, category).illegal {
                    Some(reason) => Err(ImpossibleAction::Box { category, reason }),
                    None => Ok(()),
                }
            }
        }
    }
}

/// What is to be maximised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The expected final score of the whole game.
    #[default]
    Game,
    /// The expected best immediate box score of this turn.
    Turn,
}

impl Objective {
    /// The rules as far as they matter to it: a turn by itself knows no bonus and no joker.
    const fn rules(self, rules: &Rules) -> Rules {
        match self {
            Self::Game => *rules,
            Self::Turn => Rules { upper_bonus: None, yahtzee_bonus: None, joker: None, ..*rules },
        }
    }
}

/// What a player may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Enter the dice in a box.
    Score(Category),
    /// Keep some dice, never all five, and throw the others.
    Reroll(Keep),
}

impl Action {
    /// The order among equal values: scoring before rerolling, then more dice kept, then boxes in
    /// card order, then the lexicographically smaller keep.
    pub const fn sort_key(self) -> (u8, u16) {
        match self {
            Self::Score(category) => (0, category as u16),
            Self::Reroll(keep) => (5 - keep.len() as u8, keep.index() as u16),
        }
    }
}

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
}

/// An action that the position does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImpossibleAction {
    /// A reroll with no roll left.
    #[error("no roll is left: the dice must be scored")]
    NoRollLeft,
    /// Keeping all five dice.
    #[error("keeping all five dice is no reroll: score them instead")]
    AllFiveKept,
    /// Keeping dice that are not on the table.
    #[error("the dice do not show all that is kept")]
    NotOnTheTable,
    /// A box that may not be filled.
    #[error("{category} may not be filled: {}", .reason.in_english())]
    Box {
        /// The box.
        category: Category,
        /// Why not.
        reason: Illegal,
    },
}

impl ImpossibleAction {
    /// The stable slug of this error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoRollLeft => "no_roll_left",
            Self::AllFiveKept => "all_five_kept",
            Self::NotOnTheTable => "keep_not_on_the_table",
            Self::Box { reason, .. } => reason.code(),
        }
    }

    /// The same message in Chinese.
    pub fn in_chinese(&self) -> String {
        match self {
            Self::NoRollLeft => "已经没有掷骰机会，必须计分".to_owned(),
            Self::AllFiveKept => "保留全部五枚骰子不算重掷，请直接计分".to_owned(),
            Self::NotOnTheTable => "要保留的骰子不在桌上".to_owned(),
            Self::Box { category, reason } => {
                format!("不能填{}：{}", category.in_chinese(), reason.in_chinese())
            }
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

impl Advice {
    pub(super) fn new(
        turn: &TurnTable,
        objective: Objective,
        entries: &Entries<1>,
        turn_start_value: Option<f64>,
        position: &Position,
    ) -> Self {
        let Position { dice, rolls_left, card } = *position;
        let (roll, state) = (dice.roll(), card.state());
        let scores = score_all(&objective.rules(&turn.rules), state, roll);
        let nothing = Ranked { action: Action::Reroll(Keep::NONE), value: 0.0, loss: 0.0 };
        let mut actions = [nothing; MOST_ACTIONS];
        let mut count = 0;
        let mut add = |action, value| {
            if let Some(slot) = actions.get_mut(count) {
                *slot = Ranked { action, value, loss: 0.0 };
                count += 1;
            }
        };
        for category in state.open().iter().filter(|&category| scores[category].is_legal()) {
            add(Action::Score(category), entries.value(&turn.outcomes, category, roll, scores[category]));
        }
        let stages = turn.evaluate(entries, state.filled, rolls_left);
        if rolls_left > 0 {
            let values = &stages.by_rolls_left[if rolls_left == 1 { 0 } else { 2 }];
            roll.parts().for_each(|keep| add(Action::Reroll(keep), values.of(keep)[0]));
        }
        rank(&mut actions[..count]);
        let ends = match actions[0].action {
            Action::Reroll(keep) => ends(turn, entries, &stages, position, keep),
            Action::Score(category) => {
                let mut ends = ByCategory::default();
                ends[category] = Ends::certain(scores[category].box_points);
                ends
            }
        };
        Self { position: *position, objective, actions, count, scores, turn_start_value, ends }
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
        let so_far = f64::from(self.position.card.points_so_far());
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
