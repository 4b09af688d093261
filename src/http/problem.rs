//! Problems: every error of the service as `application/problem+json` (RFC 9457), the framework's own included.
//!
//! A handler returns a [`Problem`]; it travels as an extension of an empty response to [`layer`], the one place that
//! knows the request's id, language and base path, and which writes the body.

use std::any::Any;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{ACCEPT_ENCODING, ALLOW, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::language::Language;
use super::rate;
use crate::state::AppState;

pub(crate) use super::context::Context;

/// The media type of a problem.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// One kind of problem, as its `code` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The body is not JSON.
    MalformedJson,
    /// The path, or the job that it names, does not exist.
    NotFound,
    /// The path has no such method.
    MethodNotAllowed,
    /// The request did not arrive, or was not answered, in time.
    Timeout,
    /// The body is larger than the limit.
    BodyTooLarge,
    /// The body is not declared as JSON.
    UnsupportedMediaType,
    /// The body is compressed.
    UnsupportedContentCoding,
    /// JSON of the wrong shape, or with values that make no sense.
    InvalidRequest,
    /// One client sends too many requests.
    RateLimited,
    /// More work than the service can do at once.
    Overloaded,
    /// The tables that the request needs are still being built.
    NotReady,
    /// The queue of jobs is full.
    QueueFull,
    /// Too many jobs have ended so recently that their results must be kept.
    ResultsFull,
    /// Too many house rules are waiting for their tables.
    RulesQueueFull,
    /// The job has expired.
    Gone,
    /// A listener has received the last event of a job already.
    StreamEnded,
    /// Another request has used the idempotency key.
    IdempotencyKeyReused,
    /// A bug, or a failure of the machine.
    Internal,
    /// Any other request that the framework rejects.
    BadRequest,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 19] = [
        Self::MalformedJson,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::Timeout,
        Self::BodyTooLarge,
        Self::UnsupportedMediaType,
        Self::UnsupportedContentCoding,
        Self::InvalidRequest,
        Self::RateLimited,
        Self::Overloaded,
        Self::NotReady,
        Self::QueueFull,
        Self::ResultsFull,
        Self::RulesQueueFull,
        Self::Gone,
        Self::StreamEnded,
        Self::IdempotencyKeyReused,
        Self::Internal,
        Self::BadRequest,
    ];

    /// The stable slug, status and titles in English and Chinese.
    const fn facts(self) -> (&'static str, StatusCode, &'static str, &'static str) {
        match self {
            Self::MalformedJson => {
                ("malformed_json", StatusCode::BAD_REQUEST, "The body is not JSON", "请求体不是 JSON")
            }
            Self::BadRequest => {
                ("bad_request", StatusCode::BAD_REQUEST, "The request is malformed", "请求格式有误")
            }
            Self::NotFound => ("not_found", StatusCode::NOT_FOUND, "Not found", "未找到"),
            Self::MethodNotAllowed => {
                ("method_not_allowed", StatusCode::METHOD_NOT_ALLOWED, "Method not allowed", "不支持此方法")
            }
            Self::Timeout => {
                ("timeout", StatusCode::REQUEST_TIMEOUT, "The request took too long", "请求超时")
            }
            Self::BodyTooLarge => {
                ("body_too_large", StatusCode::PAYLOAD_TOO_LARGE, "The body is too large", "请求体过大")
            }
            Self::UnsupportedMediaType => (
                "unsupported_media_type",
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The body must be JSON",
                "请求体须为 JSON",
            ),
            Self::UnsupportedContentCoding => (
                "unsupported_content_coding",
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The body must not be compressed",
                "请求体不得压缩",
            ),
            Self::InvalidRequest => {
                ("invalid_request", StatusCode::UNPROCESSABLE_ENTITY, "The request is invalid", "请求无效")
            }
            Self::RateLimited => {
                ("rate_limited", StatusCode::TOO_MANY_REQUESTS, "Too many requests", "请求过于频繁")
            }
            Self::Overloaded => {
                ("overloaded", StatusCode::SERVICE_UNAVAILABLE, "Service overloaded", "服务繁忙")
            }
            Self::QueueFull => {
                ("queue_full", StatusCode::SERVICE_UNAVAILABLE, "The job queue is full", "任务队列已满")
            }
            Self::ResultsFull => {
                ("results_full", StatusCode::SERVICE_UNAVAILABLE, "Too many recent results", "近期结果过多")
            }
            Self::RulesQueueFull => (
                "rules_queue_full",
                StatusCode::SERVICE_UNAVAILABLE,
                "Too many new house rules",
                "新规则过多",
            ),
            Self::Gone => ("gone", StatusCode::GONE, "The job has expired", "任务已过期"),
            Self::StreamEnded => {
                ("stream_ended", StatusCode::GONE, "The event stream has ended", "事件流已结束")
            }
            Self::IdempotencyKeyReused => (
                "idempotency_key_reused",
                StatusCode::UNPROCESSABLE_ENTITY,
                "The idempotency key belongs to another request",
                "幂等键已用于另一请求",
            ),
            Self::NotReady => ("not_ready", StatusCode::SERVICE_UNAVAILABLE, "Not ready yet", "尚未就绪"),
            Self::Internal => {
                ("internal", StatusCode::INTERNAL_SERVER_ERROR, "Internal error", "服务内部错误")
            }
        }
    }

    /// The stable English slug.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.facts().0
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(self) -> StatusCode {
        self.facts().1
    }

    /// What went wrong, in a few words.
    #[must_use]
    pub fn title(self, language: Language) -> &'static str {
        let (_, _, english, chinese) = self.facts();
        language.choose(english, chinese)
    }

    /// What a caller can do about it, where the request itself gives no detail.
    #[must_use]
    pub fn advice(self, language: Language) -> &'static str {
        match self {
            Self::MalformedJson => {
                language.choose("Send one JSON value, encoded in UTF-8.", "请发送一个 UTF-8 编码的 JSON 值。")
            }
            Self::BadRequest => {
                language.choose("Send a well-formed HTTP request.", "请发送格式正确的 HTTP 请求。")
            }
            Self::NotFound => {
                language.choose("See /docs for the list of endpoints.", "接口列表见 /docs。")
            }
            Self::MethodNotAllowed => language
                .choose("Use a method listed in the `Allow` header.", "请使用 `Allow` 响应头列出的方法。"),
            Self::Timeout => language.choose(
                "Send the request faster, or split it into smaller ones.",
                "请更快地发送请求，或拆成几个较小的请求。",
            ),
            Self::BodyTooLarge => {
                language.choose("Send a smaller body, or split it into several requests.", "请减小请求体，或拆成多个请求。")
            }
            Self::UnsupportedMediaType => language.choose(
                "Send the header `Content-Type: application/json`.",
                "请发送请求头 `Content-Type: application/json`。",
            ),
            Self::UnsupportedContentCoding => language.choose(
                "Send the body as it is, without the header Content-Encoding.",
                "请直接发送未压缩的请求体，不要带 Content-Encoding 请求头。",
            ),
            Self::InvalidRequest => {
                language.choose("Fix the problems listed in `errors`.", "请修正 `errors` 中列出的问题。")
            }
            Self::RateLimited => language.choose(
                "Retry after the time given in `Retry-After`; the `RateLimit` header shows what is left.",
                "请在 `Retry-After` 给出的时间后重试；`RateLimit` 响应头给出剩余次数。",
            ),
            Self::Overloaded => language
                .choose("Retry after the time given in `Retry-After`.", "请在 `Retry-After` 给出的时间后重试。"),
            Self::QueueFull => language.choose(
                "Retry after the time given in `Retry-After`, or cancel a job.",
                "请在 `Retry-After` 给出的时间后重试，或取消一个任务。",
            ),
            Self::ResultsFull => language.choose(
                "Retry after the time given in `Retry-After`, or delete a finished job.",
                "请在 `Retry-After` 给出的时间后重试，或删除一个已结束的任务。",
            ),
            Self::RulesQueueFull => language.choose(
                "Too many house rules are waiting for their tables; retry after the time given in `Retry-After`.",
                "等待建表的新规则过多；请在 `Retry-After` 给出的时间后重试。",
            ),
            Self::Gone => language.choose("Submit the same request again.", "请重新提交同样的请求。"),
            Self::StreamEnded => language.choose(
                "Do not reconnect: the event in Last-Event-ID was the last one. Read the result from the job.",
                "无需重连：Last-Event-ID 所指的已是最后一个事件。请直接查询任务的结果。",
            ),
            Self::IdempotencyKeyReused => {
                language.choose("Use a new key for each new request.", "新请求请使用新的幂等键。")
            }
            Self::NotReady => language.choose(
                "The tables are still being built; retry in a second.",
                "数据表仍在构建，请一秒后重试。",
            ),
            Self::Internal => language.choose(
                "The error has been logged under the request id in `instance`.",
                "错误已记录，编号见 `instance`。",
            ),
        }
    }

    fn of_status(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND => Self::NotFound,
            StatusCode::GONE => Self::Gone,
            StatusCode::METHOD_NOT_ALLOWED => Self::MethodNotAllowed,
            StatusCode::REQUEST_TIMEOUT => Self::Timeout,
            StatusCode::PAYLOAD_TOO_LARGE => Self::BodyTooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Self::UnsupportedMediaType,
            StatusCode::TOO_MANY_REQUESTS => Self::RateLimited,
            StatusCode::SERVICE_UNAVAILABLE => Self::Overloaded,
            status if status.is_client_error() => Self::BadRequest,
            _ => Self::Internal,
        }
    }
}

/// One fault of a request: its pointer and what to change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The place in the request's body, or among the query's fields, as an RFC 6901 pointer.
    pub pointer: String,
    /// A stable English slug.
    pub code: &'static str,
    /// What is wrong and what to change, in the request's language.
    pub detail: String,
}

/// An error answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    kind: Kind,
    detail: Option<String>,
    errors: Vec<Fault>,
}

impl Problem {
    /// A problem of this kind; `detail` is the kind's advice.
    #[must_use]
    pub const fn new(kind: Kind) -> Self {
        Self { kind, detail: None, errors: Vec::new() }
    }

    /// The same problem with a detail of its own, in the request's language.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// An invalid request with all its faults.
    #[must_use]
    pub const fn invalid(errors: Vec<Fault>) -> Self {
        Self { kind: Kind::InvalidRequest, detail: None, errors }
    }

    /// The same problem with at most the first `faults` of its faults.
    pub(crate) fn with_at_most(mut self, faults: usize) -> Self {
        self.errors.truncate(faults);
        self
    }

    /// The faults of an invalid request.
    #[cfg(test)]
    pub(crate) fn errors(&self) -> &[Fault] {
        &self.errors
    }

    /// The kind of the problem.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The body, for the request that `context` describes.
    pub(crate) fn body<'a>(&'a self, context: &'a Context) -> impl Serialize + 'a {
        #[derive(Serialize)]
        struct Body<'a> {
            r#type: String,
            code: &'static str,
            title: &'static str,
            status: u16,
            detail: &'a str,
            instance: &'a str,
            #[serde(skip_serializing_if = "<[Fault]>::is_empty")]
            errors: &'a [Fault],
        }
        Body {
            r#type: context.path(&format!("/problems/{}", self.kind.code())),
            code: self.kind.code(),
            title: self.kind.title(context.language),
            status: self.kind.status().as_u16(),
            detail: match (&self.detail, &*self.errors) {
                (Some(detail), _) => detail,
                (None, [only]) => &only.detail,
                (None, _) => self.kind.advice(context.language),
            },
            instance: context.request_id(),
            errors: &self.errors,
        }
    }

    /// The whole answer, for the request that `context` describes.
    pub(super) fn answer(&self, context: &Context) -> Response {
        let media_type = [(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON))];
        match serde_json::to_vec(&self.body(context)) {
            Ok(body) => (self.kind.status(), media_type, body).into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }
}

impl From<serde_json::Error> for Problem {
    /// An answer that cannot be written is a fault of ours.
    fn from(error: serde_json::Error) -> Self {
        tracing::error!(%error, "cannot write an answer");
        Self::new(Kind::Internal)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.kind.status().into_response();
        if self.kind.status() == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if self.kind == Kind::UnsupportedContentCoding {
            // RFC 9110, 15.5.16: the codings that would have been taken.
            response.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// The answer of a handler that panicked. The hook of [`crate::telemetry`] has logged it.
#[allow(clippy::needless_pass_by_value, reason = "the signature is the layer's")]
pub(super) fn of_panic(_: Box<dyn Any + Send>) -> Response {
    Problem::new(Kind::Internal).into_response()
}

/// Writes the body of every answer of status 400 or more.
pub(super) async fn layer(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let context = Context::new(request.extensions(), &state);
    let mut response = next.run(request).await;
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let problem = response.extensions_mut().remove::<Problem>();
    let problem = problem.unwrap_or_else(|| Problem::new(Kind::of_status(status)));
    let mut answer = problem.answer(&context);
    // The framework's other words stay; its body does not.
    for name in [ACCEPT_ENCODING, ALLOW, RETRY_AFTER, rate::RATE_LIMIT, rate::RATE_LIMIT_POLICY] {
        if let Some(value) = response.headers_mut().remove(&name) {
            answer.headers_mut().insert(name, value);
        }
    }
    answer
}
