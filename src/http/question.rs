//! The routes of the operations: questions from bodies and queries, answers as responses.

use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, RawQuery};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};

use super::batch;
use super::body::JsonBody;
use super::cache::{A_DAY, Document, REVALIDATE, cacheable};
use super::problem::Context;
use super::tables;
use super::work::off_the_workers;
use crate::adviser::Adviser;
use crate::questions::{Asked, Form, Json, Kind, Method, Operation, Problem, Question, Table, is_bet};
use crate::state::AppState;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The fields that are in the path, unless their percent encoding is invalid.
type PathFields = Result<RawPathParams, RawPathParamsRejection>;

/// The route of an operation.
pub(super) fn route(operation: &'static Operation) -> MethodRouter<Arc<AppState>> {
    match operation.method {
        Method::Post => post(move |context: Context, body: JsonBody| async move {
            let json = Json::parse(&body.0, context.language)?;
            let question = operation.read(&context.state.adviser, &json, Form::Body, context.language)?;
            answer(&context, question).await.map(json_response)
        }),
        Method::Get => {
            let usual = Arc::new(OnceLock::new());
            get(move |context: Context, headers: HeaderMap, path: PathFields, RawQuery(query): RawQuery| {
                link(operation, usual, context, headers, path, query.unwrap_or_default())
            })
        }
    }
}

/// The route of the batches of an operation.
pub(super) fn batch_route(operation: &'static Operation) -> MethodRouter<Arc<AppState>> {
    post(move |context: Context, body: JsonBody| async move {
        batch::answer_all(&context, operation, body.0).await.map(IntoResponse::into_response)
    })
}

/// Answers a GET.
async fn link(
    operation: &Operation,
    usual: Arc<OnceLock<Document>>,
    context: Context,
    headers: HeaderMap,
    path: PathFields,
    query: String,
) -> Result<Response, Problem> {
    let path = path.map_err(|_| no_such_bet(&context))?;
    let question = {
        let mut json = (operation.from_query)(&query);
        if let Json::Object(fields) = &mut json {
            for (name, value) in &path {
                if name == "bet" && !is_bet(value) {
                    return Err(no_such_bet(&context));
                }
                fields.insert(0, (name.into(), Json::String(value.into())));
            }
        }
        operation.read(&context.state.adviser, &json, Form::Query, context.language)?
    };
    if question.is_usual() {
        let adviser = Arc::clone(&context.state.adviser);
        let make = move || write(&adviser, &Table::none(), &context, &*question).map(Into::into);
        return Ok(Document::of(&usual, make).await?.answer(&headers, A_DAY, JSON));
    }
    let policy = if operation.may_change { REVALIDATE } else { A_DAY };
    Ok(cacheable(&headers, policy, JSON, answer(&context, question).await?))
}

fn no_such_bet(context: &Context) -> Problem {
    let (english, chinese) =
        ("There is no such bet; /craps/odds lists all.", "没有这种投注；/craps/odds 列出所有投注。");
    Problem::new(Kind::NotFound).with_detail(context.language.choose(english, chinese))
}

/// An answer's bytes as a response.
pub(crate) fn json_response(body: impl Into<Body>) -> Response {
    ([(CONTENT_TYPE, JSON)], body.into()).into_response()
}

/// Answers a question as soon as what it needs has been built.
pub(super) async fn answer(context: &Context, question: Box<dyn Question>) -> Result<Vec<u8>, Problem> {
    let table = tables::wait_for(context, question.needs()).await?;
    match question.weight(&context.state.adviser) {
        None => write(&context.state.adviser, &table, context, &*question),
        Some(weight) => {
            let inner = context.clone();
            let work = move |adviser: &Adviser| write(adviser, &table, &inner, &*question);
            off_the_workers(context, weight, work).await
        }
    }
}

fn write(
    adviser: &Adviser,
    table: &Table,
    context: &Context,
    question: &dyn Question,
) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(Operation::USUAL_ANSWER);
    question.answer(&Asked { adviser, table, language: context.language }, &mut bytes)?;
    Ok(bytes)
}
