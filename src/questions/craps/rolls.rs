//! `GET /craps/rolls`: how long a decision and a shooter's hand last.

use serde::Serialize;

use super::exact::Exact;
use crate::adviser::Adviser;
use crate::craps::fraction;
use crate::craps::rolls::{DecisionRolls, HandRolls, MAX_ROWS, RollsRow};
use crate::questions::extract::Field;
use crate::questions::{Asked, Form, Json, Problem, Question, Read, Weight, query};

/// How many rows a table has unless the request says otherwise: beyond the longest hand that was ever rolled.
const USUAL_ROWS: usize = 200;

/// The question for tables of this many rows.
pub(crate) struct Request {
    rows: usize,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let rows = object
            .optional("rows", |field| field.integer(1..=MAX_ROWS.into()))
            .map_or(USUAL_ROWS, |rows| rows as usize);
        object.close();
        Some(Self { rows })
    }

    fn from_query(text: &str) -> Json<'_> {
        query::object(text, &["rows"])
    }
}

impl Question for Request {
    fn weight(&self, _: &Adviser) -> Option<Weight> {
        Some(Weight::Light)
    }

    fn is_usual(&self) -> bool {
        self.rows == USUAL_ROWS
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let (decision, hand) = asked.adviser.craps.rolls_blocking();
        let (decision, hand) = (DecisionView::new(decision, self.rows), HandView::new(hand, self.rows));
        Ok(serde_json::to_writer(bytes, &Rolls { decision, hand })?)
    }
}

#[derive(Serialize)]
struct Rolls {
    decision: DecisionView,
    hand: HandView,
}

#[derive(Serialize)]
struct DecisionView {
    mean: Exact,
    variance: Exact,
    standard_deviation: f64,
    median: u32,
    mean_when_won: Exact,
    mean_when_lost: Exact,
    table: Vec<Row>,
}

impl DecisionView {
    fn new(rolls: &DecisionRolls, rows: usize) -> Self {
        Self {
            mean: (&rolls.mean).into(),
            variance: (&rolls.variance).into(),
            standard_deviation: fraction::value(&rolls.variance).sqrt(),
            median: rolls.median,
            mean_when_won: (&rolls.mean_when_won).into(),
            mean_when_lost: (&rolls.mean_when_lost).into(),
            table: rolls.table.iter().take(rows).map(Row::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct HandView {
    mean: Exact,
    variance: Exact,
    standard_deviation: f64,
    median: u32,
    decisions_per_hand: Exact,
    table: Vec<Row>,
}

impl HandView {
    fn new(rolls: &HandRolls, rows: usize) -> Self {
        Self {
            mean: (&rolls.mean).into(),
            variance: (&rolls.variance).into(),
            standard_deviation: fraction::value(&rolls.variance).sqrt(),
            median: rolls.median,
            decisions_per_hand: (&rolls.decisions_per_hand).into(),
            table: rolls.table.iter().take(rows).map(Row::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct Row {
    rolls: u32,
    exactly: Exact,
    at_least: Exact,
}

impl From<&RollsRow> for Row {
    fn from(row: &RollsRow) -> Self {
        Self { rolls: row.rolls, exactly: (&row.exactly).into(), at_least: (&row.at_least).into() }
    }
}
