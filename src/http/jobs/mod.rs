//! Jobs over HTTP: how every kind of job is taken in, asked after, listened to, cancelled, forgotten and listed.

pub(super) mod distributions;
mod prefer;
pub(super) mod simulations;
mod view;

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{Path as UrlPath, RawQuery, State};
use axum::http::header::{CACHE_CONTROL, LOCATION, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use futures_util::stream::unfold;

use super::problem::Context;
use super::question::json_response;
use crate::jobs::{
    self, FindError, IdempotencyKey, Job, JobId, ListQuery, NewJob, Prepared, Status, SubmitError,
};
use crate::questions::extract::{Faults, Field, Path};
use crate::questions::number::integer_as_written;
use crate::questions::query;
use crate::state::AppState;

use crate::questions::{Json, Kind, Language, Problem};
use view::{JobList, JobView};

/// What is particular to a kind of job.
pub(crate) struct Face {
    /// Its name in the store.
    pub(crate) kind: &'static str,
    /// Where its jobs live.
    pub(crate) path: &'static str,
    /// What a list of them is called.
    pub(crate) plural: &'static str,
    /// What each of them is called in its field `object`.
    pub(crate) object: &'static str,
    /// Whether its results depend on a seed, which then is shown.
    pub(crate) is_random: bool,
}

type Shared = Arc<AppState>;

/// How many jobs a list shows unless the request says otherwise.
const USUAL_LIMIT: i64 = 20;
/// Tells a proxy whether to buffer an answer.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// A number of more characters is rewritten if it is an integer. Other numbers have at most a hundred.
const LONG_NUMBER: usize = 32;
/// How often a client should ask after a job.
const POLL_SECONDS: HeaderValue = HeaderValue::from_static("1");

/// The routes of one job: read it, delete it.
pub(crate) fn one(face: &'static Face) -> MethodRouter<Shared> {
    let find = move |State(state): State<Shared>, context: Context, UrlPath(id): UrlPath<String>| async move {
        let job = state.jobs.find(face.kind, id_of(&id, context.language)?).await;
        respond(face, &job.map_err(|missing| of_missing(missing, context.language))?)
    };
    let delete = move |State(state): State<Shared>, context: Context, UrlPath(id): UrlPath<String>| async move {
        let deleted = state.jobs.delete(face.kind, id_of(&id, context.language)?).await;
        deleted.map(|()| StatusCode::NO_CONTENT).map_err(|missing| of_missing(missing, context.language))
    };
    get(find).delete(delete)
}

/// The answer where the configuration has turned jobs off.
pub(crate) fn turned_off(language: Language) -> Problem {
    Problem::new(Kind::NotFound).with_detail(language.choose(
        "There are no jobs at this address: the operator has turned them off (KIBITZ_JOB_THREADS=0).",
        "此地址不提供任务：运维者已将其关闭（KIBITZ_JOB_THREADS=0）。",
    ))
}

/// The end of a job that keeps what was done.
pub(crate) fn cancel(face: &'static Face) -> MethodRouter<Shared> {
    post(move |State(state): State<Shared>, context: Context, UrlPath(id): UrlPath<String>| async move {
        let job = state.jobs.cancel(face.kind, id_of(&id, context.language)?).await;
        respond(face, &job.map_err(|missing| of_missing(missing, context.language))?)
    })
}

/// Progress, then how the job ended, then the end of the stream.
pub(crate) fn events(face: &'static Face) -> MethodRouter<Shared> {
    get(
        move |State(state): State<Shared>,
              context: Context,
              headers: HeaderMap,
              UrlPath(id): UrlPath<String>| async move {
            stream(face, &state, &context, &headers, &id).await
        },
    )
}

async fn stream(
    face: &'static Face,
    state: &AppState,
    context: &Context,
    headers: &HeaderMap,
    id: &str,
) -> Result<Response, Problem> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse().ok());
    let events = state.jobs.subscribe(face.kind, id_of(id, context.language)?, last).await;
    let events = events.map_err(|missing| of_missing(missing, context.language))?;
    if events.is_over() {
        // Any status but 200 keeps a browser's EventSource from connecting again.
        return Err(Problem::new(Kind::StreamEnded));
    }
    let stream = unfold(events, async |mut events| {
        let news = events.next().await?;
        let event = Event::default().id(news.number.to_string()).event(news.name());
        // A view always has a form in JSON; were it not so, the event would go out without data.
        let event = event.json_data(JobView::of(&news.job, face)).unwrap_or_default();
        Some((Ok::<_, Infallible>(event), events))
    });
    // nginx and others would hold events back in a buffer.
    let unbuffered = [(X_ACCEL_BUFFERING, HeaderValue::from_static("no"))];
    Ok((unbuffered, Sse::new(stream).keep_alive(KeepAlive::default())).into_response())
}

/// The jobs, newest first, where the configuration allows it.
pub(crate) fn list(face: &'static Face) -> MethodRouter<Shared> {
    get(move |State(state): State<Shared>, context: Context, RawQuery(text): RawQuery| async move {
        if !state.config.jobs.list {
            let detail = context.language.choose(
                "The list of jobs is turned off here (KIBITZ_LIST_JOBS); ask for a job by its id.",
                "此处已关闭任务列表（KIBITZ_LIST_JOBS）；请按编号查询任务。",
            );
            return Err(Problem::new(Kind::NotFound).with_detail(detail));
        }
        let mut faults = Faults::new(context.language);
        let text = text.unwrap_or_default();
        let query = list_query(&mut Field::root(&query::object(&text, &["limit"]), &mut faults));
        let page = state.jobs.list(face.kind, faults.finish(query)?).await;
        let page = page.map_err(|_| store_unavailable(context.language))?;
        let body = serde_json::to_vec(&JobList { face, page: &page })?;
        Ok(uncached(json_response(body)))
    })
}

fn list_query(body: &mut Field<'_, '_, '_>) -> Option<ListQuery> {
    let mut object = body.object()?;
    let status = object.optional("status", |field| field.name_of(&Status::ALL, Status::name));
    let limit = object.optional("limit", |field| field.integer(1..=100)).unwrap_or(USUAL_LIMIT);
    let after = object.optional("cursor", |field| {
        let cursor = field.string()?.parse();
        let (english, chinese) =
            ("The cursor is the field `next` of an earlier page.", "游标应为前一页的 `next` 字段。");
        cursor.map_err(|_| field.note("invalid_cursor", english, chinese)).ok()
    });
    object.close();
    Some(ListQuery { status, limit: usize::try_from(limit).ok()?, after })
}

/// Puts a job into its queue: 202 with the job, or 200 if it ended within the time that the client would wait. `prepared`
/// is its work, if checking the request has prepared it.
pub(crate) async fn submit(
    face: &Face,
    context: &Context,
    headers: &HeaderMap,
    new: NewJob,
    prepared: Option<Prepared>,
) -> Result<Response, Problem> {
    let state = &context.state;
    if state.config.jobs.threads == Some(0) {
        return Err(turned_off(context.language));
    }
    let submitted = match prepared {
        Some(prepared) => state.jobs.submit_prepared(new, prepared).await,
        None => state.jobs.submit(new).await,
    };
    let mut job = match submitted {
        Ok(submitted) => submitted.job,
        Err(error) => return Ok(rejected(error, context.language)),
    };
    let location = context.path(&format!("{}/{}", face.path, job.record.id));
    // Waiting is a courtesy: it must not take the permits of requests that are answered at once.
    if let (Some(wanted), Ok(_permit)) = (prefer::wait(headers), state.waiters.try_acquire()) {
        let wait = wanted.min(context.deadline.time_left());
        let waited = state.jobs.wait_finished(face.kind, job.record.id, wait).await;
        job = waited.unwrap_or(job);
    }
    let status = if job.is_finished() { StatusCode::OK } else { StatusCode::ACCEPTED };
    let mut response = (status, respond(face, &job)?).into_response();
    if let Ok(location) = HeaderValue::from_str(&location) {
        response.headers_mut().insert(LOCATION, location);
    }
    if status == StatusCode::ACCEPTED {
        response.headers_mut().insert(RETRY_AFTER, POLL_SECONDS);
    }
    Ok(response)
}

/// The request as it is kept with its job: a number that is written with more digits than it needs is rewritten, and
/// space in texts is left out. What remains is bounded by what the fields allow.
pub(crate) fn normalised(json: &Json<'_>) -> Result<jobs::Json, serde_json::Error> {
    fn short<'a>(json: &'a Json<'_>) -> Json<'a> {
        match json {
            Json::Number(text) => integer_as_written(text)
                .filter(|_| text.len() > LONG_NUMBER)
                .map_or_else(|| Json::Number(text.as_ref().into()), Json::Integer),
            Json::String(text) => Json::String(text.split_whitespace().collect::<Vec<_>>().join(" ").into()),
            Json::Array(items) => Json::Array(items.iter().map(short).collect()),
            Json::Object(fields) => Json::Object(
                fields.iter().map(|(name, value)| (name.as_ref().into(), short(value))).collect(),
            ),
            Json::Null => Json::Null,
            Json::Bool(value) => Json::Bool(*value),
            Json::Integer(number) => Json::Integer(*number),
            Json::TooDeep => Json::TooDeep,
        }
    }
    jobs::Json::of(&short(json))
}

fn respond(face: &Face, job: &Job) -> Result<Response, Problem> {
    Ok(uncached(json_response(serde_json::to_vec(&JobView::of(job, face))?)))
}

/// A job changes, and its id is its key: no cache may keep it.
fn uncached(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// An id that cannot be one was never given out.
fn id_of(text: &str, language: Language) -> Result<JobId, Problem> {
    text.parse().map_err(|_| of_missing(FindError::Unknown, language))
}

/// The key of the request, if there is one; notes a fault where it cannot be one.
pub(crate) fn idempotency_key(headers: &HeaderMap, faults: &mut Faults) -> Option<IdempotencyKey> {
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

fn rejected(error: SubmitError, language: Language) -> Response {
    let problem = match error {
        SubmitError::QueueFull => Problem::new(Kind::QueueFull).with_detail(language.choose(
            "The job queue is full, or your half of it. Retry after the time given in `Retry-After`, or cancel a job.",
            "任务队列已满，或您所占的一半已满。请在 `Retry-After` 给出的时间后重试，或取消一个任务。",
        )),
        SubmitError::ResultsFull { .. } => Problem::new(Kind::ResultsFull).with_detail(language.choose(
            "Too many jobs, of all clients or of yours, have ended within the last minute, for which results are kept. \
             Retry after the time given in `Retry-After`, or delete a finished job.",
            "最近一分钟内（全部客户端或您的）结束的任务过多，而结果至少保留一分钟。请在 `Retry-After` 给出的时间后重试，或删除一个已结束的任务。",
        )),
        SubmitError::IdempotencyKeyReused => Problem::new(Kind::IdempotencyKeyReused).with_detail(language.choose(
            "This idempotency key was used with another request. Use a new key for a new request.",
            "此幂等键已用于另一个请求。新的请求请使用新的键。",
        )),
        SubmitError::ShuttingDown => shutting_down(language),
        SubmitError::Unavailable(_) => store_unavailable(language),
    };
    let mut response = problem.into_response();
    if let SubmitError::ResultsFull { retry_after } = error {
        let seconds = retry_after.as_millis().div_ceil(1_000).max(1) as u64;
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

/// The answer when a request comes after shutdown has begun.
pub(crate) fn shutting_down(language: Language) -> Problem {
    Problem::new(Kind::NotReady).with_detail(language.choose(
        "The service is shutting down. Retry after the time given in `Retry-After`.",
        "服务正在关闭。请在 `Retry-After` 给出的时间后重试。",
    ))
}

/// The answer when the job store cannot be reached.
fn store_unavailable(language: Language) -> Problem {
    Problem::new(Kind::NotReady).with_detail(language.choose(
        "The job store is unavailable. Retry after the time given in `Retry-After`.",
        "任务存储暂时不可用。请在 `Retry-After` 给出的时间后重试。",
    ))
}

fn of_missing(missing: FindError, language: Language) -> Problem {
    let (kind, english, chinese) = match missing {
        FindError::Unknown => (
            Kind::NotFound,
            "There is no job with this id. Check the id, or start the job again.",
            "没有此编号的任务。请检查编号，或重新提交任务。",
        ),
        FindError::Unavailable(_) => return store_unavailable(language),
        FindError::Expired => (
            Kind::Gone,
            "This job has expired. Start it again: the same request and seed give the same result.",
            "此任务已过期。请重新提交：相同的请求与种子会得到相同的结果。",
        ),
    };
    Problem::new(kind).with_detail(language.choose(english, chinese))
}
