//! `POST /yahtzee/score`: the scoring rules alone.

use serde::Serialize;

use super::position::{self, Form};
use super::rule_set::{RuleSet, RulesView};
use super::tables::Tables;
use crate::chinese::InChinese;
use crate::http::extract::Field;
use crate::http::json::Json;
use crate::http::language::Language;
use crate::http::problem::{Kind, Problem};
use crate::yahtzee::{BoxScore, Category, Dice, Preset, Scorecard, score_all};

/// Answers one question.
pub(crate) fn answer(
    tables: &Tables<'_>,
    json: &Json<'_>,
    language: Language,
    bytes: &mut Vec<u8>,
) -> Result<(), Problem> {
    let (dice, rules, card) =
        Field::decode(json, language, |body| decode(body, &tables.state.config.yahtzee_rules))?;
    let scores = score_all(rules.rules(), card.state(), dice.roll());
    let boxes: Vec<_> =
        scores.iter().map(|(category, &score)| Entry::new(category, score, language)).collect();
    // Of equals the first in card order.
    let best = boxes
        .iter()
        .filter(|entry| entry.legal)
        .rev()
        .max_by_key(|entry| entry.total())
        .ok_or(Problem::new(Kind::Internal))?;
    let scores = Scores { rules: rules.view(), points_so_far: card.points_so_far(), best, boxes: &boxes };
    Ok(serde_json::to_writer(bytes, &scores)?)
}

fn decode(body: &mut Field<'_, '_, '_>, served: &[Preset]) -> Option<(Dice, RuleSet, Scorecard)> {
    let mut object = body.object()?;
    let dice = object.required("dice", position::dice);
    let position = position::rules_and_card(&mut object, Form::Body, served);
    object.close();
    let (rules, card) = position?;
    Some((dice?, rules, card))
}

#[derive(Serialize)]
struct Scores<'a> {
    #[serde(flatten)]
    rules: RulesView,
    points_so_far: u32,
    best: &'a Entry,
    boxes: &'a [Entry],
}

#[derive(Serialize)]
struct Entry {
    category: Category,
    box_points: u16,
    upper_bonus: u16,
    yahtzee_bonus: u16,
    legal: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl Entry {
    fn new(category: Category, score: BoxScore, language: Language) -> Self {
        let BoxScore { box_points, upper_bonus, yahtzee_bonus, illegal } = score;
        let reason = illegal.map(|reason| language.choose(reason.in_english(), reason.in_chinese()));
        Self { category, box_points, upper_bonus, yahtzee_bonus, legal: illegal.is_none(), reason }
    }

    const fn total(&self) -> u16 {
        self.box_points + self.upper_bonus + self.yahtzee_bonus
    }
}
