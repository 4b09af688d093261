//! One question or many: a batch is answered on all cores, and one bad question never spoils the rest.

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use rayon::prelude::*;

use super::extract::{Faults, Object, Path, elements};
use super::json::Json;
use super::language::Language;
use super::problem::{Context, Kind, Problem};
use crate::state::AppState;

/// The most questions in one batch.
const MOST: usize = 1_000;

/// How to answer one question: a decoded body to the bytes of its answer.
pub(crate) type Answer = fn(&AppState, &Json<'_>, Language) -> Result<Vec<u8>, Problem>;

/// Answers one question.
pub(crate) fn answer_one(
    state: &AppState,
    context: &Context,
    body: &[u8],
    answer: Answer,
) -> Result<Response, Problem> {
    answer(state, &Json::parse(body)?, context.language).map(json_response)
}

/// An answer's bytes as a response.
fn json_response(body: Vec<u8>) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}

/// Answers `{"requests": [...]}` with `{"results": [{"result": ...} | {"problem": ...}, ...]}` in the same order.
pub(crate) async fn answer_all(
    state: Arc<AppState>,
    context: Context,
    body: Bytes,
    answer: Answer,
) -> Result<Response, Problem> {
    let permit =
        Arc::clone(&state.batches).acquire_owned().await.map_err(|_| Problem::new(Kind::Overloaded))?;
    // The permit goes with the work: a client that leaves does not make room before the work has ended.
    let work = tokio::task::spawn_blocking(move || {
        let answered = answer_all_blocking(&state, &context, &body, answer);
        drop(permit);
        answered
    });
    work.await.map_err(|_| Problem::new(Kind::Internal))?.map(json_response)
}

fn answer_all_blocking(
    state: &AppState,
    context: &Context,
    body: &[u8],
    answer: Answer,
) -> Result<Vec<u8>, Problem> {
    let json = Json::parse(body)?;
    let mut faults = Faults::new(context.language);
    let requests = requests(&json, &mut faults);
    let requests = faults.finish(requests)?;
    let one = |request: &Json<'_>| match answer(state, request, context.language) {
        Ok(answer) => Ok([b"{\"result\":", &*answer, b"}"].concat()),
        Err(problem) => serde_json::to_vec(&problem.body(context))
            .map(|problem| [b"{\"problem\":", &*problem, b"}"].concat()),
    };
    let results = requests.par_iter().map(one).collect::<Result<Vec<_>, _>>()?;
    Ok([b"{\"results\":[", &*results.join(&b','), b"]}"].concat())
}

fn requests<'a, 'j>(json: &'a Json<'j>, faults: &mut Faults) -> Option<&'a [Json<'j>]> {
    let mut object = Object::open(json, &Path::Root, faults)?;
    let requests = object.required("requests", |value, at, faults| elements(value, at, faults, 1..=MOST));
    object.close();
    requests
}
