//! The answer of `/yahtzee/best-action` to a player who wants to reach a score or to beat opponents.

use serde::Serialize;

use super::best_action::{ActionView, Chosen, Request};
use super::goal::{Goal, Wanted};
use super::rule_set::RulesView;
use crate::chinese::InChinese;
use crate::questions::{Asked, Language, Problem};
use crate::yahtzee::{Decided, Ranked, WinRanked};

impl Request {
    /// Appends the answer to a question with a goal.
    pub(super) fn answer_goal(
        &self,
        goal: &Goal,
        asked: &Asked<'_>,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let table = asked.table.game()?;
        let goal = goal.resolve(table, asked.table.whole_game(), &asked.adviser.memory)?;
        let advice = table.win_advice_blocking(&self.position, &goal);
        let chosen = self.chosen.and_then(|action| advice.find(action));
        let dice = self.position.dice();
        let view = |ranked: &WinRanked| {
            let WinRanked { action, value, loss, mean_value } = *ranked;
            let action = ActionView::new(&Ranked { action, value, loss }, dice, |category| {
                advice.mean().scores()[category]
            });
            WinActionView { action, mean_value }
        };
        let bounds = advice.bounds();
        let answer = WinAction {
            rules: self.rules.view(),
            objective: &self.objective,
            points_so_far: self.position.card().points_so_far(),
            probability: advice.best().value,
            turn_start_probability: advice.turn_start_value(),
            decided: match advice.decided() {
                Decided::Open => "open",
                Decided::Reached => "reached",
                Decided::Impossible => "impossible",
            },
            best: view(advice.best()),
            best_by_mean: view(advice.best_by_mean()),
            bounds: BoundsView { lower: bounds.lower, upper: bounds.upper, exact: bounds.are_exact() },
            actions: advice.actions().iter().take(self.limit).map(view).collect(),
            action_count: advice.actions().len(),
            chosen: chosen.map(|(rank, ranked)| Chosen { action: view(ranked), rank, grade: ranked.grade() }),
            explanation: match asked.language {
                Language::English => advice.in_english(),
                Language::Chinese => advice.in_chinese(),
            },
        };
        Ok(serde_json::to_writer(bytes, &answer)?)
    }
}

#[derive(Serialize)]
struct WinAction<'a> {
    #[serde(flatten)]
    rules: RulesView,
    objective: &'a Wanted,
    points_so_far: u32,
    probability: f64,
    turn_start_probability: f64,
    decided: &'static str,
    best: WinActionView,
    best_by_mean: WinActionView,
    bounds: BoundsView,
    actions: Vec<WinActionView>,
    action_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<Chosen<WinActionView>>,
    explanation: String,
}

/// An action whose value is a probability, with the expected points still to come after it.
#[derive(Serialize)]
struct WinActionView {
    #[serde(flatten)]
    action: ActionView,
    mean_value: f64,
}

#[derive(Serialize)]
struct BoundsView {
    lower: f64,
    upper: f64,
    exact: bool,
}
