//! `POST /yahtzee/turn`: one turn with seeded dice and the best actions.

use serde::Serialize;

use super::best_action::ActionView;
use super::position::{self, Form};
use super::rule_set::{RuleSet, RulesView};
use super::tables::Tables;
use crate::http::extract::Field;
use crate::http::fields;
use crate::http::json::Json;
use crate::http::language::Language;
use crate::http::problem::{Kind, Problem};
use crate::yahtzee::{DIE_COUNT, Objective, Preset, Ranked, Scorecard, TurnTable};

/// Answers one question.
pub(crate) fn answer(
    tables: &Tables<'_>,
    json: &Json<'_>,
    language: Language,
    bytes: &mut Vec<u8>,
) -> Result<(), Problem> {
    let Request { seed, rules, card, objective } =
        Field::decode(json, language, |body| Request::decode(body, &tables.state.config.yahtzee_rules))?;
    let played = match (objective, rules.preset()) {
        (Objective::Turn, Some(preset)) => tables.state.yahtzee.turn(preset).play_turn(&card, seed),
        (Objective::Turn, None) => TurnTable::new(rules.rules()).play_turn(&card, seed),
        (Objective::Game, _) => tables.game(&rules)?.play_turn(&card, objective, seed),
    };
    let played = played.map_err(|_| Problem::new(Kind::Internal))?;
    let steps = played.throws.iter().map(|throw| Step {
        dice: throw.dice.faces(),
        rolls_left: throw.rolls_left,
        best: ActionView::new(
            &Ranked { action: throw.action, value: throw.value, loss: 0.0 },
            throw.dice,
            |_| played.score,
        ),
    });
    let turn =
        Turn { rules: rules.view(), objective, seed, steps: steps.collect(), points: played.score.total() };
    Ok(serde_json::to_writer(bytes, &turn)?)
}

struct Request {
    seed: u64,
    rules: RuleSet,
    card: Scorecard,
    objective: Objective,
}

impl Request {
    fn decode(body: &mut Field<'_, '_, '_>, served: &[Preset]) -> Option<Self> {
        let mut object = body.object()?;
        let seed = object.required("seed", fields::seed);
        let rules_and_card = position::rules_and_card(&mut object, Form::Body, served);
        let objective = position::objective(&mut object);
        object.close();
        let (rules, card) = rules_and_card?;
        Some(Self { seed: seed?, rules, card, objective })
    }
}

#[derive(Serialize)]
struct Turn {
    #[serde(flatten)]
    rules: RulesView,
    objective: Objective,
    seed: u64,
    steps: Vec<Step>,
    points: u32,
}

#[derive(Serialize)]
struct Step {
    dice: [u8; DIE_COUNT],
    rolls_left: u8,
    best: ActionView,
}
