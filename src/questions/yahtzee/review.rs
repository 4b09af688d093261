//! `POST /yahtzee/review`: the review of a game, with luck and mistakes apart.

use serde::Serialize;

use super::best_action::ActionView;
use super::position;
use super::rule_set::{RuleSet, RulesView};
use super::tables::Need;
use crate::adviser::Adviser;
use crate::questions::extract::{Field, Path};
use crate::questions::fields::face;
use crate::questions::{Asked, Form, Problem, Question, Read};
use crate::yahtzee::{
    Category, DIE_COUNT, Decision, Grade, History, HistoryPlace, Keep, Review, ReviewedTurn, RollsPerTurn,
    Sheet, ToldTurn,
};

/// How many of the costliest decisions are shown by themselves.
const WORST: usize = 3;

/// A request, decoded.
pub(crate) struct Request {
    rules: RuleSet,
    history: History,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, adviser: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let rules = position::rules(&mut object, &adviser.yahtzee_rules);
        let sheet = rules.map(|rules| rules.rules().sheet);
        let told = object.required("turns", |field| {
            let turns = field.elements(1..=position::box_count(sheet))?.iter().enumerate();
            turns.map(|(index, item)| field.element(item, index, |item| Some(turn(item, sheet)))).collect()
        });
        object.close();
        let told: Vec<ToldTurn> = told?;
        let turns = Path::Field(body.at, "turns");
        match History::new(rules.as_ref().map(RuleSet::rules), &told) {
            Ok(history) => Some(Self { rules: rules?, history }),
            Err(found) => {
                for fault in found {
                    let (turn, place) = fault.place();
                    let turn = Path::Index(&turns, turn);
                    let (rolls, keeps) = (Path::Field(&turn, "rolls"), Path::Field(&turn, "keeps"));
                    let at = match place {
                        HistoryPlace::Rolls => rolls,
                        HistoryPlace::Roll(index) => Path::Index(&rolls, index),
                        HistoryPlace::Keeps => keeps,
                        HistoryPlace::Keep(index) => Path::Index(&keeps, index),
                        HistoryPlace::Category => Path::Field(&turn, "category"),
                    };
                    body.faults.add_fault(&at, &fault);
                }
                None
            }
        }
    }
}

impl Question for Request {
    fn needs(&self) -> Need {
        Need::Game(self.rules)
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let review = asked.table.game()?.review(&self.history);
        Ok(serde_json::to_writer(bytes, &ReviewView::new(self.rules, &review))?)
    }
}

/// One turn; what of it cannot be read is noted and left out.
fn turn(field: &mut Field<'_, '_, '_>, sheet: Option<&Sheet>) -> ToldTurn {
    /// The most rolls that any rules allow.
    const MOST: usize = RollsPerTurn::Three as usize;
    let Some(mut object) = field.object() else { return ToldTurn::default() };
    let rolls = object.required("rolls", |field| {
        let rolls = field.elements(1..=MOST)?.iter().enumerate();
        Some(rolls.map(|(index, dice)| field.element(dice, index, position::dice)).collect())
    });
    let told = object.present("keeps").is_some();
    let keeps = object.optional("keeps", |field| {
        let keeps = field.elements(0..=MOST - 1)?.iter().enumerate();
        Some(keeps.map(|(index, kept)| field.element(kept, index, keep)).collect())
    });
    let category = object.required("category", |field| position::category(field, sheet));
    object.close();
    let rolls: Vec<_> = rolls.unwrap_or_default();
    // A list that cannot be read stands for keeps that are not known: it is at fault once, not for its length, too.
    let unread = if told { rolls.len().saturating_sub(1) } else { 0 };
    ToldTurn { keeps: keeps.unwrap_or_else(|| vec![None; unread]), rolls, category }
}

fn keep(field: &mut Field<'_, '_, '_>) -> Option<Keep> {
    Keep::new(&field.array(0..=DIE_COUNT, face)?)
}

#[derive(Serialize)]
struct ReviewView {
    #[serde(flatten)]
    rules: RulesView,
    turns: Vec<TurnView>,
    worst: Vec<Worst>,
    totals: Totals,
}

#[derive(Serialize)]
struct TurnView {
    decisions: Vec<DecisionView>,
    category: Category,
    box_points: u16,
    upper_bonus: u16,
    yahtzee_bonus: u16,
    points: u32,
    points_so_far: u32,
    value_after: f64,
    expected_final: f64,
    luck: f64,
    loss: f64,
}

#[derive(Serialize)]
struct DecisionView {
    dice: [u8; DIE_COUNT],
    rolls_left: u8,
    luck: f64,
    chosen: ActionView,
    rank: usize,
    best: ActionView,
    loss: f64,
    grade: Grade,
}

#[derive(Serialize)]
struct Worst {
    /// From 1, as players count.
    turn: usize,
    roll: usize,
    #[serde(flatten)]
    decision: DecisionView,
}

#[derive(Serialize)]
struct Totals {
    start_value: f64,
    luck: f64,
    loss: f64,
    points_so_far: u32,
    remaining_value: f64,
    expected_final: f64,
    difference: f64,
}

impl ReviewView {
    fn new(rules: RuleSet, review: &Review) -> Self {
        let worst = review.worst(WORST).into_iter().map(|(turn, roll, decision)| Worst {
            turn: turn + 1,
            roll: roll + 1,
            decision: DecisionView::new(decision),
        });
        let (points_so_far, remaining_value) = (review.card.points_so_far(), review.remaining_value());
        Self {
            rules: rules.view(),
            turns: review.turns.iter().map(TurnView::new).collect(),
            worst: worst.collect(),
            totals: Totals {
                start_value: review.start_value,
                luck: review.luck(),
                loss: review.loss(),
                points_so_far,
                remaining_value,
                expected_final: f64::from(points_so_far) + remaining_value,
                difference: review.difference(),
            },
        }
    }
}

impl TurnView {
    fn new(turn: &ReviewedTurn) -> Self {
        Self {
            decisions: turn.decisions.iter().map(DecisionView::new).collect(),
            category: turn.category,
            box_points: turn.score.box_points,
            upper_bonus: turn.score.upper_bonus,
            yahtzee_bonus: turn.score.yahtzee_bonus,
            points: turn.score.total(),
            points_so_far: turn.points_so_far,
            value_after: turn.value_after,
            expected_final: f64::from(turn.points_so_far) + turn.value_after,
            luck: turn.luck(),
            loss: turn.loss(),
        }
    }
}

impl DecisionView {
    fn new(decision: &Decision) -> Self {
        let Decision { dice, rolls_left, luck, chosen, rank, best, scores } = decision;
        let view = |ranked| ActionView::new(ranked, *dice, |category| scores[category]);
        Self {
            dice: dice.faces(),
            rolls_left: *rolls_left,
            luck: *luck,
            chosen: view(chosen),
            rank: *rank,
            best: view(best),
            loss: chosen.loss,
            grade: chosen.grade(),
        }
    }
}
