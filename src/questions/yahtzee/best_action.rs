//! `/yahtzee/best-action`, by POST, by GET and in batches.

use std::borrow::Cow;

use serde::Serialize;

use super::position;
use super::rule_set::{RuleSet, RulesView};
use super::tables::Need;
use crate::adviser::Adviser;
use crate::chinese::InChinese;
use crate::questions::extract::{Field, Path};
use crate::questions::fields::face;
use crate::questions::query;
use crate::questions::{Asked, Form, Json, Language, Problem, Question, Read};
use crate::yahtzee::{
    Action, Advice, BoxScore, Category, DIE_COUNT, Dice, Grade, ImpossibleAction, Keep, Objective, Position,
    Preset, Ranked, Rules, Scorecard, TurnTable,
};

/// How many ranked actions an answer shows unless the request says otherwise.
const USUAL_LIMIT: usize = 5;

/// A request, decoded.
pub(crate) struct Request {
    position: Position,
    rules: RuleSet,
    objective: Objective,
    limit: usize,
    chosen: Option<Action>,
    /// Whether the standard deviation of the points still to come is asked for.
    risk: bool,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, form: Form, adviser: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let dice = object.required("dice", position::dice);
        let rolls_left = object.required("rolls_left", |field| field.integer(0..=2));
        let rules_and_card = position::rules_and_card(&mut object, form, &adviser.yahtzee_rules);
        let objective = position::objective(&mut object);
        let limit = object.optional("limit", |field| field.integer(1..=50));
        let chosen = object.optional("chosen", action);
        let risk = object.optional("risk", |field| field.boolean()).unwrap_or(false);
        if risk && objective == Objective::Turn {
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
            if let Err(impossible) = position.check(&rules, objective, chosen) {
                note_impossible(&impossible, body);
            }
        }
        let (rules, card) = rules_and_card?;
        Some(Self {
            position: position::position(&rules, dice?, rolls_left?, card, body)?,
            rules,
            objective,
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
                "objective" => Json::String(value),
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
        match (self.risk, self.objective) {
            (true, _) => Need::Moments(self.rules),
            (false, Objective::Game) => Need::Game(self.rules),
            // The objective of one turn needs no table, so it is served from the first moment and under any rules.
            (false, Objective::Turn) => Need::Nothing,
        }
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let advice = self.advise(asked)?;
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
            objective: self.objective,
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
    fn advise(&self, asked: &Asked<'_>) -> Result<Advice, Problem> {
        match (self.objective, self.rules.preset()) {
            (Objective::Turn, Some(preset)) => Ok(asked.adviser.yahtzee.turn(preset).advise(&self.position)),
            (Objective::Turn, None) => Ok(TurnTable::new(self.rules.rules()).advise(&self.position)),
            (Objective::Game, _) => Ok(asked.table.game()?.advise(&self.position, self.objective)),
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
fn action(field: &mut Field<'_, '_, '_>) -> Option<Action> {
    let mut object = field.object()?;
    let kind = object.required("action", |field| field.name_of(&["reroll", "score"], |name| name));
    let action = match kind {
        Some("reroll") => object.required("keep", keep).map(Action::Reroll),
        Some(_) => object.required("category", position::category).map(Action::Score),
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
    chosen: Option<Chosen>,
    explanation: String,
}

#[derive(Serialize)]
struct Chosen {
    #[serde(flatten)]
    action: ActionView,
    rank: usize,
    grade: Grade,
}
