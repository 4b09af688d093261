//! One question, decoded once: what it needs, and how it is answered. Single calls, links and batches are made of it.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::RawQuery;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};

use super::batch;
use super::body::JsonBody;
use super::cache::pure_json;
use super::extract::Field;
use super::json::Json;
use super::language::Language;
use super::problem::{Context, Problem};
use super::query;
use super::work::{Weight, off_the_workers};
use super::yahtzee::tables::{self, Need, Table};
use crate::state::AppState;

/// Bytes of a usual answer, so that its buffer need not grow.
pub(super) const USUAL_ANSWER: usize = 2_048;

/// How a question is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The body of a POST.
    Body,
    /// The query of a GET, read into the object that a body would be.
    Query,
}

/// A question of an endpoint, decoded.
pub(crate) trait Question: Sized + Send + Sync + 'static {
    /// Reads the question; `None` if it has noted faults.
    fn decode(request: &mut Field<'_, '_, '_>, form: Form, state: &AppState) -> Option<Self>;

    /// A query as the object that a body would be.
    fn from_query(text: &str) -> Json<'_> {
        query::object(text, &[])
    }

    /// What must have been built before it can be answered.
    fn needs(&self) -> Need {
        Need::Nothing
    }

    /// How long the answer takes; `None` for microseconds. In a batch every question is answered on the current thread.
    fn weight(&self) -> Option<Weight> {
        None
    }

    /// Appends the answer as JSON. After an error the bytes are in no certain state.
    ///
    /// # Errors
    /// The question has a fault that only answering it can find, or the service cannot answer it.
    fn answer(
        &self,
        state: &AppState,
        table: &Table,
        language: Language,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Problem>;
}

/// The POST method of an endpoint that answers one question.
pub(super) fn post_of<Q: Question>() -> MethodRouter<Arc<AppState>> {
    post(|context: Context, body: JsonBody| async move {
        let question = read::<Q>(&context, &Json::parse(&body.0, context.language)?, Form::Body)?;
        answer(&context, question).await.map(json_response)
    })
}

/// The GET method of an endpoint whose answer is a pure function of its query.
pub(super) fn get_of<Q: Question>() -> MethodRouter<Arc<AppState>> {
    get(|context: Context, headers: HeaderMap, RawQuery(text): RawQuery| async move {
        let question = read::<Q>(&context, &Q::from_query(&text.unwrap_or_default()), Form::Query)?;
        Ok::<_, Problem>(pure_json(&headers, answer(&context, question).await?))
    })
}

/// The POST method of the batches of an endpoint.
pub(super) fn batch_of<Q: Question>() -> MethodRouter<Arc<AppState>> {
    post(|context: Context, body: JsonBody| async move {
        batch::answer_all::<Q>(&context, body.0).await.map(IntoResponse::into_response)
    })
}

/// An answer's bytes as a response.
pub(crate) fn json_response(body: impl Into<Body>) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], body.into()).into_response()
}

/// Reads a question, or returns the problem that lists all its faults.
pub(super) fn read<Q: Question>(context: &Context, json: &Json<'_>, form: Form) -> Result<Q, Problem> {
    Field::decode(json, context.language, |request| Q::decode(request, form, &context.state))
}

/// Answers a question as soon as what it needs has been built.
async fn answer<Q: Question>(context: &Context, question: Q) -> Result<Vec<u8>, Problem> {
    let table = tables::wait_for(context, question.needs()).await?;
    let (weight, language) = (question.weight(), context.language);
    let write = move |state: &AppState| {
        let mut bytes = Vec::with_capacity(USUAL_ANSWER);
        question.answer(state, &table, language, &mut bytes).map(|()| bytes)
    };
    match weight {
        None => write(&context.state),
        Some(weight) => off_the_workers(context, weight, write).await,
    }
}
