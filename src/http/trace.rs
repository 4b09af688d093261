//! One log line a request: method, route, request id, status, time. Never a path's parameters, a query or a body.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use tower_http::classify::{ServerErrorsAsFailures, SharedClassifier};
use tower_http::request_id::RequestId;
use tower_http::trace::{MakeSpan, OnResponse, TraceLayer};
use tracing::{Level, Span};

type Layer = TraceLayer<SharedClassifier<ServerErrorsAsFailures>, Boundary, (), Boundary, (), (), ()>;

/// The middleware.
pub(super) fn layer() -> Layer {
    TraceLayer::new_for_http()
        .make_span_with(Boundary)
        .on_request(())
        .on_response(Boundary)
        .on_body_chunk(())
        .on_eos(())
        .on_failure(())
}

/// The place where a request enters and its answer leaves.
#[derive(Clone, Copy)]
pub(super) struct Boundary;

impl MakeSpan<Body> for Boundary {
    fn make_span(&mut self, request: &Request) -> Span {
        let route = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str);
        let id = request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok());
        tracing::span!(Level::ERROR, "request", method = %request.method(), route, id)
    }
}

impl<B> OnResponse<B> for Boundary {
    fn on_response(self, response: &Response<B>, latency: Duration, _: &Span) {
        let (status, microseconds) = (response.status().as_u16(), latency.as_micros() as u64);
        if response.status().is_server_error() {
            tracing::warn!(status, microseconds, "answered");
        } else {
            tracing::info!(status, microseconds, "answered");
        }
    }
}
