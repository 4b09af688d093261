//! Advice on one position for a goal: every action, ranked by the probability of success.

use super::opponents::{Goal, Opponents};
use super::payoff::Payoff;
use super::solver::Solver;
use crate::analysis::advice::{Advice, Grade};
use crate::engine::game::{GameTable, WIDTH};
use crate::rules::action::Action;
use crate::rules::objective::Objective;
use crate::rules::position::Position;

/// Probabilities this close are a tie, which the expected points break.
pub const WIN_TIE: f64 = 1e-12;

/// Probabilities this close to 1 are certain: what adding up rounds off is less.
const CERTAIN: f64 = 1.0 - 1e-14;

/// Ties of n opponents that are less likely than this count as ties of n - 1 in the upper bound.
const NEGLIGIBLE: f64 = 1e-10;

/// An action and its probability of success.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRanked {
    /// The action.
    pub action: Action,
    /// The probability of success with the best play for the goal afterwards; with opponents, ties count as their value.
    pub value: f64,
    /// What is lost against the best action; 0 for all that tie with it.
    pub loss: f64,
    /// The expected points still to come with the best play for the mean afterwards.
    pub mean_value: f64,
}

impl WinRanked {
    /// The loss in words.
    pub fn grade(&self) -> Grade {
        Grade::of_lost_probability(self.loss)
    }
}

/// Whether the goal can still be missed and reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Both are possible.
    Open,
    /// Every action succeeds for certain.
    Reached,
    /// No action can succeed.
    Impossible,
}

/// Bounds of the probability of success under the best play, which may look at the opponents' dice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The best play that does not look at them.
    pub lower: f64,
    /// The best play if the final scores of the opponents were known.
    pub upper: f64,
}

impl Bounds {
    /// Whether both bounds are equal, within [`WIN_TIE`].
    pub fn are_exact(&self) -> bool {
        self.upper <= self.lower + WIN_TIE
    }
}

/// All actions of a position, ranked for a goal.
#[derive(Clone, Debug)]
pub struct WinAdvice {
    mean: Advice,
    actions: Vec<WinRanked>,
    turn_start: f64,
    decided: Decided,
    bounds: Bounds,
    target: Option<u32>,
}

impl GameTable {
    /// All actions of a position, ranked by the probability of success; the position's card must have been checked under
    /// the rules of this table.
    ///
    /// Time and memory double with each open box: with six it takes about as long as one or two tables, on one thread.
    ///
    /// ```no_run
    /// use kibitz_yahtzee::{Action, ByCategory, Category, Dice, GameTable, Goal, Keep, Position, Rules, Scorecard};
    /// let table = GameTable::build_blocking(&Rules::OFFICIAL);
    /// // The Yahtzee box alone is open, with 10 points on the card.
    /// let points = ByCategory::of_boxes(Rules::OFFICIAL.sheet.boxes(), |category| match category {
    ///     Category::Yahtzee => None,
    ///     Category::Chance => Some(10),
    ///     _ => Some(0),
    /// });
    /// let card = Scorecard::new(&Rules::OFFICIAL, &points, 0).unwrap();
    /// let position = Position::new(&Rules::OFFICIAL, Dice::new([6, 6, 6, 6, 1]).unwrap(), 1, card).unwrap();
    /// let advice = table.win_advice_blocking(&position, &Goal::Reach(60));
    /// assert_eq!(advice.best().action, Action::Reroll(Keep::new(&[6, 6, 6, 6]).unwrap()));
    /// assert!((advice.best().value - 1.0 / 6.0).abs() < 1e-12);
    /// ```
    pub fn win_advice_blocking(&self, position: &Position, goal: &Goal) -> WinAdvice {
        let mean = self.advise(position, Objective::Game);
        let payoff = match goal {
            Goal::Reach(target) => Payoff::reach((*target).min(i32::MAX as u32 / 2) as i32),
            Goal::Beat(opponents) => opponents.payoff(),
        };
        let so_far = position.card().points_so_far() as i32;
        let mut solver = Solver::new(self, position.card().state(), [so_far].into_iter(), &payoff);
        let mut actions = actions(&mut solver, &mean);
        let turn_start = snap(solver.turn_start(so_far));
        let decided = decide(&actions);
        if let Some(value) = decided.value() {
            actions.iter_mut().for_each(|ranked| ranked.value = value);
        }
        rank(&mut actions);
        let lower = actions.first().map_or(0.0, |best| best.value);
        let upper = match goal {
            Goal::Beat(opponents) if decided == Decided::Open && !opponents.are_finished() => {
                self.upper_bound(position, opponents).clamp(lower, 1.0)
            }
            _ => lower,
        };
        let target = match goal {
            Goal::Reach(target) => Some(*target),
            Goal::Beat(_) => None,
        };
        WinAdvice { mean, actions, turn_start, decided, bounds: Bounds { lower, upper }, target }
    }

    /// The probability of success if the final scores of the opponents were known.
    ///
    /// Only the distance to the best opponent matters, so that one solver serves all scores of that opponent for each
    /// value that a tie can have.
    fn upper_bound(&self, position: &Position, opponents: &Opponents) -> f64 {
        let (card, dice) = (position.card(), position.dice().roll().index());
        let so_far = card.points_so_far() as i32;
        let mut best_scores = opponents.best_scores();
        for many in (1..best_scores.len()).rev() {
            let probability: f64 = best_scores[many].1.iter().map(|(_, probability)| probability).sum();
            if probability < NEGLIGIBLE {
                let (_, scores) = best_scores.remove(many);
                best_scores[many - 1].1.extend(scores);
            }
        }
        let mut sum = 0.0;
        for (tie, scores) in best_scores {
            let starts = || scores.iter().map(|&(score, _)| so_far - score);
            let payoff = Payoff::new(0, &[tie]);
            let mut solver = Solver::new(self, card.state(), starts(), &payoff);
            let (_, most) = solver.gains();
            let mut block = None;
            // Scores are mostly in order, so that a block of the solver serves several of them.
            for (start, probability) in starts().zip(scores.iter().map(|(_, probability)| probability)) {
                let value = if start >= payoff.end() {
                    1.0
                } else if start + most < payoff.first() {
                    0.0
                } else {
                    let first = start.div_euclid(WIDTH as i32) * WIDTH as i32;
                    let values = match block {
                        Some((at, values)) if at == first => values,
                        _ => solver.turn(first, position.rolls_left()).rolls[dice % 256],
                    };
                    block = Some((first, values));
                    values[(start - first) as usize % WIDTH]
                };
                sum += probability * value;
            }
        }
        sum
    }
}

/// The actions of a position in the order of the mean, with their values.
fn actions(solver: &mut Solver<'_>, mean: &Advice) -> Vec<WinRanked> {
    let position = mean.position();
    let card = position.card();
    let so_far = card.points_so_far() as i32;
    let keeps = (position.rolls_left() > 0).then(|| solver.turn(so_far, position.rolls_left()).keeps);
    let value = |action| match action {
        Action::Score(category) => {
            let after = card.with_entry(category, mean.scores()[category]);
            solver.after(after.state(), after.points_so_far() as i32)
        }
        Action::Reroll(keep) => keeps.map_or(0.0, |keeps| keeps[keep.index() % 256][0]),
    };
    let ranked = mean.actions().iter().map(|ranked| WinRanked {
        action: ranked.action,
        value: snap(value(ranked.action)),
        loss: 0.0,
        mean_value: ranked.value,
    });
    ranked.collect()
}

/// A probability without what adding up rounds off near 1.
fn snap(probability: f64) -> f64 {
    if probability >= CERTAIN { 1.0 } else { probability }
}

/// Whether success is certain or impossible whatever is done now.
fn decide(actions: &[WinRanked]) -> Decided {
    if actions.iter().all(|ranked| ranked.value <= 0.0) {
        Decided::Impossible
    } else if actions.iter().all(|ranked| ranked.value >= 1.0) {
        Decided::Reached
    } else {
        Decided::Open
    }
}

/// Sorts actions in the order of the mean by their values, keeps that order among ties, and fills in the losses.
fn rank(actions: &mut [WinRanked]) {
    let mut numbered: Vec<(usize, WinRanked)> = actions.iter().copied().enumerate().collect();
    numbered.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    let top = numbered.first().map_or(0.0, |(_, ranked)| ranked.value);
    let mut rest = &mut *numbered;
    while let Some(highest) = rest.first().map(|(_, ranked)| ranked.value) {
        let ties = rest.iter().take_while(|(_, ranked)| ranked.value >= highest - WIN_TIE).count();
        let (group, after) = rest.split_at_mut(ties);
        group.sort_by_key(|&(number, _)| number);
        rest = after;
    }
    for (place, (_, ranked)) in actions.iter_mut().zip(numbered) {
        let loss = if ranked.value >= top - WIN_TIE { 0.0 } else { top - ranked.value };
        *place = WinRanked { loss, ..ranked };
    }
}

impl Decided {
    /// The value of every action; `None` if it is open.
    const fn value(self) -> Option<f64> {
        match self {
            Self::Open => None,
            Self::Reached => Some(1.0),
            Self::Impossible => Some(0.0),
        }
    }
}

impl WinAdvice {
    /// The advice on the same position for the mean.
    pub const fn mean(&self) -> &Advice {
        &self.mean
    }

    /// Every action, best first.
    pub fn actions(&self) -> &[WinRanked] {
        &self.actions
    }

    /// The best action.
    pub fn best(&self) -> &WinRanked {
        &self.actions[0]
    }

    /// The action that is best for the mean.
    pub fn best_by_mean(&self) -> &WinRanked {
        let action = self.mean.best().action;
        self.actions.iter().find(|ranked| ranked.action == action).unwrap_or(self.best())
    }

    /// The rank (from 1) and the worth of an action; `None` where [`Position::check`] says why.
    pub fn find(&self, action: Action) -> Option<(usize, &WinRanked)> {
        let at = self.actions.iter().position(|ranked| ranked.action == action)?;
        Some((at + 1, &self.actions[at]))
    }

    /// The probability of success before the first throw of this turn.
    pub const fn turn_start_value(&self) -> f64 {
        self.turn_start
    }

    /// Whether the goal can still be missed and reached.
    pub const fn decided(&self) -> Decided {
        self.decided
    }

    /// The score to reach; `None` if there are opponents to beat.
    pub const fn target(&self) -> Option<u32> {
        self.target
    }

    /// Bounds of the probability of success under the best play.
    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }
}
