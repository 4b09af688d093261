//! `GET /craps/rolls`: how long a decision and a shooter's hand last.

use std::sync::OnceLock;

use axum::extract::RawQuery;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

use super::exact::Exact;
use super::usual;
use crate::craps::fraction;
use crate::craps::rolls::{DecisionRolls, HandRolls, MAX_ROWS, RollsRow};
use crate::http::cache::{Document, pure_json};
use crate::http::extract::Field;
use crate::http::problem::{Context, Problem};
use crate::http::query;
use crate::http::work::{Weight, off_the_workers};
use crate::state::AppState;

/// How many rows a table has unless the request says otherwise: beyond the longest hand that was ever rolled.
const USUAL_ROWS: usize = 200;

/// The answer to the usual question.
static USUAL: OnceLock<Document> = OnceLock::new();

/// The handler.
pub(crate) async fn get(
    context: Context,
    headers: HeaderMap,
    RawQuery(text): RawQuery,
) -> Result<Response, Problem> {
    let text = text.unwrap_or_default();
    let rows = Field::decode(&query::object(&text, &["rows"]), context.language, decode)?;
    let make = move |state: &AppState| {
        let (decision, hand) = state.craps.rolls_blocking();
        Ok(serde_json::to_vec(&Rolls {
            decision: DecisionView::new(decision, rows),
            hand: HandView::new(hand, rows),
        })?)
    };
    if rows == USUAL_ROWS {
        return usual(&USUAL, &context, &headers, make).await;
    }
    Ok(pure_json(&headers, off_the_workers(&context, Weight::Light, make).await?))
}

fn decode(body: &mut Field<'_, '_, '_>) -> Option<usize> {
    let mut object = body.object()?;
    let rows = object
        .optional("rows", |field| field.integer(1..=MAX_ROWS.into()))
        .map_or(USUAL_ROWS, |rows| rows as usize);
    object.close();
    Some(rows)
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
