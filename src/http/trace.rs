//! One log line per request: method, route, request id, trace, status, time, and the client's address if the
//! configuration asks for it. Never a path's parameters, a query or a body.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use tower_http::request_id::RequestId;
use tracing::Instrument;
use tracing::field::display;

use super::rate;
use crate::state::AppState;

/// Routes that are asked all the time and say little: their lines are at level debug.
const PROBES: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// The middleware.
pub(super) async fn layer(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let extensions = request.extensions();
    let route = extensions.get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str);
    let is_probe = PROBES.iter().any(|probe| route.ends_with(probe));
    let id = extensions.get::<RequestId>().and_then(|id| id.header_value().to_str().ok());
    let (trace_id, parent_id) = trace_context(request.headers()).unzip();
    let client = state.config.log_client.then(|| display(rate::asker(&request, &state)));
    let method = display(request.method());
    let span = tracing::error_span!("request", method, route, id, trace_id, parent_id, client);
    let response = next.run(request).instrument(span.clone()).await;
    let (status, microseconds) = (response.status().as_u16(), started.elapsed().as_micros() as u64);
    if is_probe {
        tracing::debug!(parent: &span, status, microseconds, "answered");
    } else if response.status().is_server_error() {
        tracing::warn!(parent: &span, status, microseconds, "answered");
    } else {
        tracing::info!(parent: &span, status, microseconds, "answered");
    }
    response
}

/// The ids of the trace and of the caller's span in a valid `traceparent` (<https://www.w3.org/TR/trace-context/>).
fn trace_context(headers: &HeaderMap) -> Option<(&str, &str)> {
    let mut values = headers.get_all("traceparent").iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let mut parts = value.to_str().ok()?.splitn(5, '-');
    let mut hex = |digits| {
        let lower = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        parts.next().filter(|part| part.len() == digits && part.bytes().all(lower))
    };
    let (version, trace, parent, _flags) = (hex(2)?, hex(32)?, hex(16)?, hex(2)?);
    let is_zero = |id: &str| id.bytes().all(|digit| digit == b'0');
    // A later version may have more parts than this one.
    let ends = version != "00" || parts.next().is_none();
    (version != "ff" && ends && !is_zero(trace) && !is_zero(parent)).then_some((trace, parent))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT: &str = "00f067aa0ba902b7";

    #[test]
    fn a_valid_traceparent_gives_its_ids_and_any_other_none() {
        let read = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append("traceparent", HeaderValue::from_str(value).unwrap());
            }
            trace_context(&headers).map(|(trace, parent)| (trace.to_owned(), parent.to_owned()))
        };
        let ids = Some((TRACE.to_owned(), PARENT.to_owned()));
        assert_eq!(read(&[&format!("00-{TRACE}-{PARENT}-01")]), ids);
        assert_eq!(read(&[&format!("cc-{TRACE}-{PARENT}-01-what-the-future-holds")]), ids);
        for unfit in [
            String::new(),
            format!("00-{TRACE}-{PARENT}"),
            format!("00-{TRACE}-{PARENT}-01-more"),
            format!("ff-{TRACE}-{PARENT}-01"),
            format!("00-{}-{PARENT}-01", TRACE.to_uppercase()),
            format!("00-{}-{PARENT}-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-{TRACE}0-{PARENT}-01"),
            format!("00-{TRACE}-{PARENT}-0x"),
            format!("00-{TRACE}-{PARENT}-01 "),
        ] {
            assert_eq!(read(&[&unfit]), None, "{unfit}");
        }
        let valid = format!("00-{TRACE}-{PARENT}-01");
        assert_eq!(read(&[&valid, &valid]), None);
    }
}
