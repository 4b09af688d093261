//! `POST /yahtzee/score`: the scoring rules alone.

use serde::Serialize;

use super::position;
use super::rule_set::{RuleSet, RulesView};
use crate::adviser::Adviser;
use crate::chinese::InChinese;
use crate::questions::extract::Field;
use crate::questions::{Asked, Form, Kind, Language, Problem, Question, Read};
use crate::yahtzee::{BoxScore, Category, Dice, Scorecard, score_all};

/// A request, decoded.
pub(crate) struct Request {
    dice: Dice,
    rules: RuleSet,
    card: Scorecard,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, form: Form, adviser: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let dice = object.required("dice", position::dice);
        let position = position::rules_and_card(&mut object, form, &adviser.yahtzee_rules);
        object.close();
        let (rules, card) = position?;
        Some(Self { dice: dice?, rules, card })
    }
}

impl Question for Request {
    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let Self { dice, rules, card } = self;
        let scores = score_all(rules.rules(), card.state(), dice.roll());
        let boxes = rules.rules().sheet.boxes();
        let boxes: Vec<_> =
            boxes.iter().map(|category| Entry::new(category, scores[category], asked.language)).collect();
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
