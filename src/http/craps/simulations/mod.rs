//! `/craps/simulations`: jobs that simulate, with progress, events and cancellation.

mod prefer;
mod request;
mod view;
mod work;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Path as UrlPath, RawQuery, State};
use axum::http::header::{CACHE_CONTROL, LOCATION, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;

use crate::http::batch::{json_response, off_the_workers};
use crate::http::extract::{Faults, JsonBody, Object, Path, integer, name_of, string};
use crate::http::json::Json;
use crate::http::language::Language;
use crate::http::problem::{Context, Kind, Problem};
use crate::http::query;
use crate::jobs::{
    self, Idempotency, IdempotencyKey, Job, JobId, ListQuery, Missing, NewJob, Runners, Status, SubmitError,
};
use crate::state::AppState;

use request::Request;
use view::{JobList, JobView};
use work::Simulate;

/// The name of this kind of job in the store.
const KIND: &str = "craps_simulation";
/// How many jobs a list shows unless the request says otherwise.
const USUAL_LIMIT: i64 = 20;
/// How often a client should ask after a job.
const POLL_SECONDS: HeaderValue = HeaderValue::from_static("1");

/// What runs these jobs.
pub(crate) fn runners() -> Runners {
    Runners::from([(KIND, Arc::new(Simulate) as Arc<dyn jobs::Runner>)])
}

/// `POST /craps/simulations`: takes a simulation into the queue.
pub(crate) async fn submit(
    State(state): State<Arc<AppState>>,
    context: Context,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, Problem> {
    let language = context.language;
    let arrived = Instant::now();
    let json = Json::parse(&body.0, language)?;
    let mut faults = Faults::new(language);
    let decoded = Request::decode(&json, &mut faults);
    let key = idempotency_key(&headers, &mut faults);
    let Some(decoded) = decoded else { return Err(faults.refused()) };
    let (seed, total) = (decoded.seed(), decoded.plays());
    let idempotency = match key {
        Some(key) => Some(Idempotency { key, meaning: decoded.meaning()? }),
        None => None,
    };
    // Laying out tables takes longer than a worker should be held.
    let lay_out = move |_: &AppState| {
        let simulation = decoded.simulation(seed, &mut faults);
        faults.finish(simulation.map(drop))
    };
    off_the_workers(Arc::clone(&state), lay_out).await?;
    let new = NewJob { kind: KIND, request: jobs::Json::of(&json)?, seed, total, idempotency };
    let submitted = state.jobs.submit(new).await.map_err(|refused| of_refusal(refused, language))?;
    let location = format!("{}/craps/simulations/{}", state.config.base_path, submitted.job.id);
    let mut job = submitted.job;
    // Waiting is a courtesy: it must not take the places of requests that are answered at once.
    if let (Some(wanted), Ok(_place)) = (prefer::wait(&headers), state.waiters.try_acquire()) {
        // The answer must come before the time of the request ends.
        let time_left = (state.config.limits.request_timeout * 4 / 5).saturating_sub(arrived.elapsed());
        job = state.jobs.wait_finished(KIND, job.id, wanted.min(time_left)).await.unwrap_or(job);
    }
    let status = if job.is_finished() { StatusCode::OK } else { StatusCode::ACCEPTED };
    let mut response = (status, respond(&job)?).into_response();
    if let Ok(location) = HeaderValue::from_str(&location) {
        response.headers_mut().insert(LOCATION, location);
    }
    if status == StatusCode::ACCEPTED {
        response.headers_mut().insert(RETRY_AFTER, POLL_SECONDS);
    }
    Ok(response)
}

/// `GET /craps/simulations/{id}`.
pub(crate) async fn find(
    State(state): State<Arc<AppState>>,
    context: Context,
    UrlPath(id): UrlPath<String>,
) -> Result<Response, Problem> {
    let job = state.jobs.find(KIND, id_of(&id, context.language)?).await;
    respond(&job.map_err(|missing| of_missing(missing, context.language))?)
}

/// `POST /craps/simulations/{id}/cancel`.
pub(crate) async fn cancel(
    State(state): State<Arc<AppState>>,
    context: Context,
    UrlPath(id): UrlPath<String>,
) -> Result<Response, Problem> {
    let job = state.jobs.cancel(KIND, id_of(&id, context.language)?).await;
    respond(&job.map_err(|missing| of_missing(missing, context.language))?)
}

/// `DELETE /craps/simulations/{id}`.
pub(crate) async fn delete(
    State(state): State<Arc<AppState>>,
    context: Context,
    UrlPath(id): UrlPath<String>,
) -> Result<StatusCode, Problem> {
    let deleted = state.jobs.delete(KIND, id_of(&id, context.language)?).await;
    deleted.map(|()| StatusCode::NO_CONTENT).map_err(|missing| of_missing(missing, context.language))
}

/// `GET /craps/simulations/{id}/events`: progress, then how the job ended, then the end of the stream.
pub(crate) async fn events(
    State(state): State<Arc<AppState>>,
    context: Context,
    headers: HeaderMap,
    UrlPath(id): UrlPath<String>,
) -> Result<Response, Problem> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse().ok());
    let events = state.jobs.subscribe(KIND, id_of(&id, context.language)?, last).await;
    let events = events.map_err(|missing| of_missing(missing, context.language))?;
    if events.is_over() {
        // Tells a browser's EventSource not to come again: it has heard the end.
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let stream = unfold(events, async |mut events| {
        let news = events.next().await?;
        let event = Event::default().id(news.number.to_string()).event(news.name());
        // A view always has a form in JSON; were it not so, the event would go out without data.
        let event = event.json_data(JobView::of(&news.job)).unwrap_or_default();
        Some((Ok::<_, Infallible>(event), events))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()).into_response())
}

/// `GET /craps/simulations`: the jobs, newest first, where the configuration allows it.
pub(crate) async fn list(
    State(state): State<Arc<AppState>>,
    context: Context,
    RawQuery(text): RawQuery,
) -> Result<Response, Problem> {
    if !state.config.jobs.list {
        return Err(Problem::new(Kind::NotFound));
    }
    let mut faults = Faults::new(context.language);
    let text = text.unwrap_or_default();
    let query = list_query(&query::object(&text, &["limit"]), &mut faults);
    let page = state.jobs.list(KIND, faults.finish(query)?).await;
    Ok(uncached(json_response(serde_json::to_vec(&JobList::of(&page))?)))
}

fn list_query(json: &Json<'_>, faults: &mut Faults) -> Option<ListQuery> {
    let mut object = Object::open(json, &Path::Root, faults)?;
    let status =
        object.optional("status", |v, at, faults| name_of(v, at, faults, &Status::ALL, Status::name));
    let limit =
        object.optional("limit", |v, at, faults| integer(v, at, faults, 1..=100)).unwrap_or(USUAL_LIMIT);
    let after = object.optional("cursor", |value, at, faults| {
        let cursor = string(value, at, faults)?.parse();
        let (english, chinese) =
            ("The cursor is the field `next` of an earlier page.", "游标应为前一页的 `next` 字段。");
        cursor.map_err(|_| faults.add(at, "invalid_cursor", english, chinese)).ok()
    });
    object.close();
    Some(ListQuery { status, limit: usize::try_from(limit).ok()?, after })
}

fn respond(job: &Job) -> Result<Response, Problem> {
    Ok(uncached(json_response(serde_json::to_vec(&JobView::of(job))?)))
}

/// A job changes, and its id is its key: no cache may keep it.
fn uncached(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// An id that cannot be one was never given out.
fn id_of(text: &str, language: Language) -> Result<JobId, Problem> {
    text.parse().map_err(|_| of_missing(Missing::Unknown, language))
}

/// The key of the request, if there is one; notes a fault where it cannot be one.
fn idempotency_key(headers: &HeaderMap, faults: &mut Faults) -> Option<IdempotencyKey> {
    let value = headers.get("idempotency-key")?;
    let key = value.to_str().ok().and_then(|text| IdempotencyKey::new(text).ok());
    if key.is_none() {
        let (english, chinese) = (
            "The header Idempotency-Key takes 1 to 255 visible ASCII characters.",
            "请求头 Idempotency-Key 须为 1 到 255 个可见 ASCII 字符。",
        );
        let at = Path::Field(&Path::Root, "idempotency-key");
        faults.add(&at, "invalid_idempotency_key", english, chinese);
    }
    key
}

fn of_refusal(refused: SubmitError, language: Language) -> Problem {
    let kind = match refused {
        SubmitError::QueueFull => Kind::QueueFull,
        SubmitError::IdempotencyKeyReused => Kind::IdempotencyKeyReused,
        SubmitError::ShuttingDown => Kind::NotReady,
    };
    let detail = language.choose(refused.to_string(), refused.in_chinese().to_owned());
    Problem::new(kind).with_detail(detail)
}

fn of_missing(missing: Missing, language: Language) -> Problem {
    let kind = match missing {
        Missing::Unknown => Kind::NotFound,
        Missing::Expired => Kind::Gone,
    };
    Problem::new(kind).with_detail(language.choose(missing.to_string(), missing.in_chinese().to_owned()))
}
