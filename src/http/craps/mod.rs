//! Craps over HTTP: a handler decodes, calls one function of the domain, and wraps its answer.

pub(super) mod bankroll;
pub(super) mod dice;
mod exact;
pub(super) mod inverse;
pub(super) mod kelly;
pub(super) mod long_run;
pub(super) mod odds;
pub(super) mod rolls;
pub(super) mod round;
pub(super) mod simulations;
mod wager;

use std::sync::OnceLock;

use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use super::cache::{A_DAY, Document};
use super::extract::{Faults, GameFault, Path};
use super::language::Language;
use super::problem::{Context, Problem};
use super::work::{Weight, off_the_workers};
use crate::state::AppState;

/// The answer to a question without parameters, which is made by `make` for the first request and then shared.
async fn usual(
    cell: &OnceLock<Document>,
    context: &Context,
    request: &HeaderMap,
    make: impl FnOnce(&AppState) -> Result<Vec<u8>, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let document = match cell.get() {
        Some(document) => document,
        None => {
            let make = |state: &AppState| make(state).map(Document::new_blocking);
            let made = off_the_workers(context, Weight::Light, make).await?;
            cell.get_or_init(|| made)
        }
    };
    Ok(document.answer(request, A_DAY, HeaderValue::from_static("application/json")))
}

/// The problem of a field whose fault only the domain's work could find.
fn rejection(language: Language, field: &str, fault: &impl GameFault) -> Problem {
    let mut faults = Faults::new(language);
    faults.add_fault(&Path::Field(&Path::Root, field), fault);
    Problem::invalid(faults.found)
}
