//! Problems as responses: `application/problem+json` (RFC 9457), for the framework's own errors too.
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

use super::rate;
use crate::questions::{Kind, Problem};
use crate::state::AppState;

pub(crate) use super::context::Context;

/// The media type of a problem.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

fn status_of(kind: Kind) -> StatusCode {
    StatusCode::from_u16(kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

fn kind_of(status: StatusCode) -> Kind {
    match status {
        StatusCode::NOT_FOUND => Kind::NotFound,
        StatusCode::GONE => Kind::Gone,
        StatusCode::METHOD_NOT_ALLOWED => Kind::MethodNotAllowed,
        StatusCode::REQUEST_TIMEOUT => Kind::Timeout,
        StatusCode::PAYLOAD_TOO_LARGE => Kind::BodyTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Kind::UnsupportedMediaType,
        StatusCode::TOO_MANY_REQUESTS => Kind::RateLimited,
        StatusCode::SERVICE_UNAVAILABLE => Kind::Overloaded,
        status if status.is_client_error() => Kind::BadRequest,
        _ => Kind::Internal,
    }
}

/// The whole answer, for the request that `context` describes.
pub(super) fn answer(problem: &Problem, context: &Context) -> Response {
    let media_type = [(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON))];
    match serde_json::to_vec(&context.body_of(problem)) {
        Ok(body) => (status_of(problem.kind()), media_type, body).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = status_of(self.kind()).into_response();
        if response.status() == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if self.kind() == Kind::UnsupportedContentCoding {
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
    let problem = problem.unwrap_or_else(|| Problem::new(kind_of(status)));
    let mut answer = answer(&problem, &context);
    // The framework's other words stay; its body does not.
    for name in [ACCEPT_ENCODING, ALLOW, RETRY_AFTER, rate::RATE_LIMIT, rate::RATE_LIMIT_POLICY] {
        if let Some(value) = response.headers_mut().remove(&name) {
            answer.headers_mut().insert(name, value);
        }
    }
    answer
}
