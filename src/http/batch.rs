//! One question or many: a batch is answered on all cores, and one bad question never spoils the rest.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, post};
use rayon::prelude::*;

use super::extract::{Faults, JsonBody, Object, Path, elements};
use super::json::Json;
use super::language::Language;
use super::problem::{Context, Kind, Problem};
use crate::state::AppState;

/// The most questions in one batch.
const MOST: usize = 1_000;

/// Bytes of a batch that is light: the most that fits in are some ten questions of a few milliseconds.
const LIGHT_BODY: usize = 1_024;

/// How many questions of a batch are answered into one buffer: enough to share its growth, few enough to spread.
const CHUNK: usize = 32;

/// Room for a usual answer, so that its buffer need not grow.
const USUAL_ANSWER: usize = 2_048;

/// How to answer one question: a body is decoded and its answer appended to the bytes. After an error the bytes are in
/// no certain state.
pub(crate) type Answer = fn(&AppState, &Json<'_>, Language, &mut Vec<u8>) -> Result<(), Problem>;

/// Answers one question as bytes.
pub(crate) fn answer_bytes(
    state: &AppState,
    json: &Json<'_>,
    language: Language,
    answer: Answer,
) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(USUAL_ANSWER);
    answer(state, json, language, &mut bytes)?;
    Ok(bytes)
}

/// The POST method of an endpoint that answers one question.
pub(crate) fn asked(answer: Answer) -> MethodRouter<Arc<AppState>> {
    post(move |State(state): State<Arc<AppState>>, context: Context, body: JsonBody| async move {
        let json = Json::parse(&body.0, context.language)?;
        answer_bytes(&state, &json, context.language, answer).map(json_response)
    })
}

/// The POST method of its batches.
pub(crate) fn asked_in_batches(answer: Answer) -> MethodRouter<Arc<AppState>> {
    post(move |context: Context, body: JsonBody| answer_all(context, body.0, answer))
}

/// An answer's bytes as a response.
pub(crate) fn json_response(body: Vec<u8>) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}

/// Answers `{"requests": [...]}` with `{"results": [{"result": ...} | {"problem": ...}, ...]}` in the same order.
async fn answer_all(context: Context, body: Bytes, answer: Answer) -> Result<Response, Problem> {
    let weight = weight_of(&body);
    off_the_workers(&context.clone(), weight, move |state| {
        let answer = |json: &Json<'_>, language, bytes: &mut Vec<u8>| answer(state, json, language, bytes);
        answer_all_blocking(&context, &body, answer)
    })
    .await
    .map(json_response)
}

/// How long work takes, which says what permit it waits for: light work does not wait behind heavy work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// At most some milliseconds.
    Light,
    /// Up to a second.
    Heavy,
}

/// A batch of a few questions is light.
pub(crate) const fn weight_of(body: &Bytes) -> Weight {
    if body.len() <= LIGHT_BODY { Weight::Light } else { Weight::Heavy }
}

/// Does work of more than about 100 us where it does not hold up other requests: it waits for a permit, then has a
/// thread of its own.
pub(crate) async fn off_the_workers<T: Send + 'static>(
    context: &Context,
    weight: Weight,
    work: impl FnOnce(&AppState) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let state = Arc::clone(&context.state);
    let permits = match weight {
        Weight::Light => &state.light,
        Weight::Heavy => &state.heavy,
    };
    let permit = permits.take(context.client).await.ok_or(Problem::new(Kind::Overloaded))?;
    context.deadline.begin_work();
    // The permit goes with the work: a client that leaves does not free it before the work has ended.
    let work = tokio::task::spawn_blocking(move || {
        let done = work(&state);
        drop(permit);
        done
    });
    work.await.map_err(|error| {
        tracing::error!(%error, "work off the workers failed");
        Problem::new(Kind::Internal)
    })?
}

/// Answers the questions of a batch by `answer`, which is as [`Answer`] but for the state.
pub(crate) fn answer_all_blocking(
    context: &Context,
    body: &[u8],
    answer: impl Fn(&Json<'_>, Language, &mut Vec<u8>) -> Result<(), Problem> + Sync,
) -> Result<Vec<u8>, Problem> {
    let json = Json::parse(body, context.language)?;
    let requests = Faults::collect(context.language, |faults| requests(&json, faults))?;
    let chunks = requests.par_chunks(CHUNK).map(|requests| {
        let mut bytes = Vec::with_capacity(requests.len() * USUAL_ANSWER);
        requests
            .iter()
            .try_for_each(|request| answer_element(context, request, &answer, &mut bytes))
            .map(|()| bytes)
    });
    let chunks = chunks.collect::<Result<Vec<_>, _>>()?;
    let mut results = Vec::with_capacity(chunks.iter().map(Vec::len).sum::<usize>() + 16);
    results.extend_from_slice(b"{\"results\":[");
    chunks.iter().for_each(|chunk| results.extend_from_slice(chunk));
    // Every element ends with a comma, the last one with the end of the list instead.
    results.pop();
    results.extend_from_slice(b"]}");
    Ok(results)
}

/// Appends `{"result": ...},` or `{"problem": ...},`.
fn answer_element(
    context: &Context,
    request: &Json<'_>,
    answer: impl Fn(&Json<'_>, Language, &mut Vec<u8>) -> Result<(), Problem>,
    bytes: &mut Vec<u8>,
) -> Result<(), serde_json::Error> {
    if context.deadline.is_abandoned() {
        // Nobody will read this: the rest of the batch makes room for others.
        bytes.extend_from_slice(b"{},");
        return Ok(());
    }
    let start = bytes.len();
    bytes.extend_from_slice(b"{\"result\":");
    let answered = if context.deadline.has_passed() {
        Err(Problem::new(Kind::Timeout))
    } else {
        answer(request, context.language, bytes)
    };
    if let Err(problem) = answered {
        bytes.truncate(start);
        bytes.extend_from_slice(b"{\"problem\":");
        serde_json::to_writer(&mut *bytes, &problem.body(context))?;
    }
    bytes.extend_from_slice(b"},");
    Ok(())
}

fn requests<'a, 'j>(json: &'a Json<'j>, faults: &mut Faults) -> Option<&'a [Json<'j>]> {
    let mut object = Object::open(json, &Path::Root, faults)?;
    let requests = object.required("requests", |value, at, faults| elements(value, at, faults, 1..=MOST));
    object.close();
    requests
}
