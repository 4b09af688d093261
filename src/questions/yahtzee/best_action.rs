//! `/yahtzee/best-action`, by POST, by GET and in batches.

use std::borrow::Cow;

use serde::Serialize;

use super::goal::{self, Wanted};
use super::position;
use super::rule_set::{RuleSet, RulesView};
use super::tables::Need;
use crate::adviser::Adviser;
use crate::chinese::InChinese;
use crate::questions::extract::{Field, Path};
use crate::questions::fields::face;
use crate::questions::query;
use crate::questions::{Asked, Form, Json, Language, Problem, Question, Read, Weight};
use crate::yahtzee::{
    Action, Advice, BoxScore, Category, DIE_COUNT, Dice, Grade, ImpossibleAction, Keep, Objective, Position,
    Preset, Ranked, Rules, Scorecard, Sheet, TurnTable,
};

/// How many ranked actions an answer shows unless the request says otherwise.
const USUAL_LIMIT: usize = 5;

/// The most milliseconds of light work.
const LIGHT_MILLISECONDS: u32 = 8;

/// A request, decoded.
pub(crate) struct Request {
    pub(super) position: Position,
    pub(super) rules: RuleSet,
    pub(super) objective: Wanted,
    pub(super) limit: usize,
    pub(super) chosen: Option<Action>,
    /// Whether the standard deviation of the points still to come is asked for.
    risk: bool,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, form: Form, adviser: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let dice = object.required("dice", position::dice);
        let rolls_left = object.required("rolls_left", |field| field.integer(0..=2));
        let rules_and_card = position::rules_and_card(&mut object, form, &adviser.yahtzee_rules);
        let rules = rules_and_card.as_ref().map(|(rules, _)| rules);
        let objective = Wanted::take(&mut object, rules, adviser);
        let points = objective.as_ref().map_or(Objective::Game, Wanted::points);
        let limit = object.optional("limit", |field| field.integer(1..=50));
        let sheet = rules.map(|rules| rules.rules().sheet);
        let chosen = object.optional("chosen", |field| action(field, sheet));
        let risk = object.optional("risk", |field| field.boolean()).unwrap_or(false);
        let open = rules_and_card.as_ref().map_or(0, |(_, card)| card.open().len());
        if open > goal::MOST_OPEN && matches!(objective, Some(Wanted::Success(_))) {
            let most = goal::MOST_OPEN;
            let (english, chinese) = (
                format!("At most {most} boxes may be open with `reach` or `beat`, got {open}."),
                format!("使用 `reach` 或 `beat` 时最多只能有 {most} 个空格，当前有 {open} 个。"),
            );
            object.note("objective", "too_many_open_boxes", english, chinese);
        }
        if risk && matches!(objective, Some(Wanted::Success(_))) {
            let (english, chinese) = (
                "The risk is that of the points still to come; leave it out with `reach` or `beat`.",
                "risk 指尚未取得的分数的波动；使用 `reach` 或 `beat` 时请勿给出。",
            );
            object.note("risk", "risk_needs_the_game", english, chinese);
        }
        if risk && points == Objective::Turn {
            let (english, chinese) = (
                "The risk is that of the points still to come in the whole game; leave it out under the objective `turn`.",
                "risk 指整局尚未取得的分数的波动；objective 为 `turn` 时请勿使用。",
            );
            object.note("risk", "risk_needs_the_game", english, chinese);
        }
        object.close();
        if let (Some(chosen), Some(dice)) = (chosen, dice) {
            let (rules, card) = match (rules_and_card, chosen) {
                (Some((rules, card)), _) => (*rules.rules(), card),
                // Which dice can be kept does not depend on the card.
                (None, Action::Reroll(_)) => (Preset::default().rules(), Scorecard::empty(&Rules::OFFICIAL)),
                (None, Action::Score(_)) => return None,
            };
            let most = i64::from(rules.rolls_per_turn.rerolls());
            // Rolls that the rules do not allow are noted below.
            let rolls_left = rolls_left.unwrap_or(most).min(most);
            let position = Position::new(&rules, dice, rolls_left, card).ok()?;
            if let Err(impossible) = position.check(&rules, points, chosen) {
                note_impossible(&impossible, body);
            }
        }
        let (rules, card) = rules_and_card?;
        Some(Self {
            position: position::position(&rules, dice?, rolls_left?, card, body)?,
            rules,
            objective: objective?,
            limit: limit.map_or(USUAL_LIMIT, |limit| limit as usize),
            chosen,
            risk,
        })
    }

    fn from_query(text: &str) -> Json<'_> {
        let fields = query::fields(text).map(|(name, value)| {
            let value = match &*name {
                "dice" => query::numbers(&value),
                "rules" => query::word_or_object(value),
                "objective" => objective_from_query(value),
                "chosen" => chosen_from_query(&value),
                "risk" => query::boolean(value),
                _ => query::number(value),
            };
            (name, value)
        });
        Json::Object(fields.collect())
    }
}

impl Question for Request {
    fn needs(&self) -> Need {
        match (self.risk, &self.objective) {
            (true, _) => Need::Moments(self.rules),
            (false, Wanted::Success(goal)) if goal.has_unbegun_opponents() => Need::WholeGame(self.rules),
            (false, Wanted::Success(_) | Wanted::Points(Objective::Game)) => Need::Game(self.rules),
            // The objective of one turn needs no table, so it is served from the first moment and under any rules.
            (false, Wanted::Points(Objective::Turn)) => Need::Nothing,
        }
    }

    fn weight(&self, _: &Adviser) -> Option<Weight> {
        match self.milliseconds() {
            0 => None,
            1..=LIGHT_MILLISECONDS => Some(Weight::Light),
            _ => Some(Weight::Heavy),
        }
    }

    fn milliseconds(&self) -> u32 {
        match self.objective {
            Wanted::Points(_) => 0,
            Wanted::Success(_) => goal::milliseconds(self.position.card().open().len()),
        }
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let objective = match &self.objective {
            Wanted::Points(objective) => *objective,
            Wanted::Success(goal) => return self.answer_goal(goal, asked, bytes),
        };
        let advice = self.advise(objective, asked)?;
        let chosen = self.chosen.and_then(|action| advice.find(action));
        let dice = self.position.dice();
        let risks = asked.table.moments().filter(|_| self.risk);
        let risks = risks.map(|(table, moments)| moments.risks(table, &self.position));
        let view = |ranked: &Ranked| {
            let view = ActionView::new(ranked, dice, |category| advice.scores()[category]);
            match &risks {
                Some(risks) => view.with_risk(risks.standard_deviation(ranked.action)),
                None => view,
            }
        };
        let answer = BestAction {
            rules: self.rules.view(),
            objective,
            points_so_far: self.position.card().points_so_far(),
            expected_final: advice.expected_final(),
            turn_start_value: advice.turn_start_value(),
            best: view(advice.best()),
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

impl Request {
    fn advise(&self, objective: Objective, asked: &Asked<'_>) -> Result<Advice, Problem> {
        match (objective, self.rules.preset()) {
            (Objective::Turn, Some(preset)) => Ok(asked.adviser.yahtzee.turn(preset).advise(&self.position)),
            (Objective::Turn, None) => Ok(TurnTable::new(self.rules.rules()).advise(&self.position)),
            (Objective::Game, _) => Ok(asked.table.game()?.advise(&self.position, objective)),
        }
    }
}

fn note_impossible(impossible: &ImpossibleAction, body: &mut Field<'_, '_, '_>) {
    let field = match impossible {
        ImpossibleAction::Box { .. } => "category",
        _ => "keep",
    };
    body.faults.add_fault(&Path::Field(&Path::Field(body.at, "chosen"), field), impossible);
}

/// An action to be graded.
fn action(field: &mut Field<'_, '_, '_>, sheet: Option<&Sheet>) -> Option<Action> {
    let mut object = field.object()?;
    let kind = object.required("action", |field| field.name_of(&["reroll", "score"], |name| name));
    let action = match kind {
        Some("reroll") => object.required("keep", keep).map(Action::Reroll),
        Some(_) => object.required("category", |field| position::category(field, sheet)).map(Action::Score),
        // Without a kind there is no telling which of the two belongs.
        None => {
            object.present("keep");
            object.present("category");
            None
        }
    };
    object.close();
    action
}

fn keep(field: &mut Field<'_, '_, '_>) -> Option<Keep> {
    Keep::new(&field.array(0..=DIE_COUNT, face)?)
}

/// `game`, `turn`, and `reach:250`.
fn objective_from_query(text: Cow<'_, str>) -> Json<'_> {
    match text.split_once(':') {
        Some(("reach", target)) => {
            Json::Object(vec![("reach".into(), query::number(Cow::Owned(target.to_owned())))])
        }
        _ => Json::String(text),
    }
}

/// `reroll:3,3` and `score:threes`.
fn chosen_from_query(text: &str) -> Json<'static> {
    let (kind, rest) = text.split_once(':').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
    let action = ("action".into(), Json::String(Cow::Owned(kind.to_owned())));
    let what = rest.map(|rest| match kind {
        "score" => ("category".into(), Json::String(Cow::Owned(rest.to_owned()))),
        _ => ("keep".into(), query::numbers(rest)),
    });
    Json::Object([action].into_iter().chain(what).collect())
}

#[derive(Serialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub(super) enum ActionView {
    Reroll {
        keep: &'static [u8],
        keep_mask: [bool; DIE_COUNT],
        value: f64,
        loss: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        standard_deviation: Option<f64>,
    },
    Score {
        category: Category,
        box_points: u16,
        upper_bonus: u16,
        yahtzee_bonus: u16,
        value: f64,
        loss: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        standard_deviation: Option<f64>,
    },
}

impl ActionView {
    /// The wire form of an action on these dice; `score` tells what they score in a box.
    pub(super) fn new(ranked: &Ranked, dice: Dice, score: impl Fn(Category) -> BoxScore) -> Self {
        let Ranked { action, value, loss } = *ranked;
        match action {
            Action::Reroll(keep) => {
                let keep_mask = dice.keep_mask(keep).unwrap_or_default();
                Self::Reroll { keep: keep.faces(), keep_mask, value, loss, standard_deviation: None }
            }
            Action::Score(category) => {
                let BoxScore { box_points, upper_bonus, yahtzee_bonus, .. } = score(category);
                let standard_deviation = None;
                Self::Score {
                    category,
                    box_points,
                    upper_bonus,
                    yahtzee_bonus,
                    value,
                    loss,
                    standard_deviation,
                }
            }
        }
    }

    /// The same with the standard deviation of the points still to come after it.
    fn with_risk(mut self, risk: f64) -> Self {
        let (Self::Reroll { standard_deviation, .. } | Self::Score { standard_deviation, .. }) = &mut self;
        *standard_deviation = Some(risk);
        self
    }
}

#[derive(Serialize)]
struct BestAction {
    #[serde(flatten)]
    rules: RulesView,
    objective: Objective,
    points_so_far: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_final: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_start_value: Option<f64>,
    best: ActionView,
    actions: Vec<ActionView>,
    action_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<Chosen<ActionView>>,
    explanation: String,
}

#[derive(Serialize)]
pub(super) struct Chosen<A> {
    #[serde(flatten)]
    pub(super) action: A,
    pub(super) rank: usize,
    pub(super) grade: Grade,
}
