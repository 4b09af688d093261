//! What answers cost while a client does not take them.
//!
//! A client that reads nothing holds its answer until the write timeout. So large answers are charged to a budget while
//! they are unsent, and few may be compressed at a time, because a gzip encoder takes more memory than most answers.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{self, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::Extensions;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use tokio::sync::OwnedSemaphorePermit;
use tower_http::compression::Predicate;

use crate::memory::FREE_ANSWER;
use crate::questions::{Kind, Problem};
use crate::state::AppState;

/// Smaller answers are not worth compressing.
pub(super) const LEAST_COMPRESSED: u64 = 1_024;

/// Marks an answer whose bytes are shared by all clients, or charged already.
#[derive(Debug, Clone, Copy)]
pub(super) struct Charged;

/// Marks an answer for which there is no encoder.
#[derive(Debug, Clone, Copy)]
struct Uncompressed;

/// The middleware that charges large answers: 503 if the budget is exhausted.
pub(super) async fn charge(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let (head, body) = next.run(request).await.into_parts();
    let is_large = body.size_hint().exact().is_some_and(|bytes| bytes > FREE_ANSWER as u64);
    if !is_large || head.extensions.get::<Charged>().is_some() {
        return Response::from_parts(head, body);
    }
    let Ok(collected) = body.collect().await else { return Problem::new(Kind::Internal).into_response() };
    match state.budgets.batches.hold(collected.to_bytes().into()) {
        Some(bytes) => Response::from_parts(head, bytes.into()),
        None => Problem::new(Kind::Overloaded).into_response(),
    }
}

/// The middleware that gives out the encoders: without one an answer stays as it is.
pub(super) async fn bound_encoders(
    State(state): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    let takes_gzip = request.headers().contains_key(ACCEPT_ENCODING);
    let mut response = next.run(request).await;
    let is_large = response.size_hint().exact().is_some_and(|bytes| bytes >= LEAST_COMPRESSED);
    if !takes_gzip || !is_large || response.headers().contains_key(CONTENT_ENCODING) {
        return response;
    }
    match Arc::clone(&state.encoders).try_acquire_owned() {
        Ok(permit) => response.map(|body| Body::new(Encoded { body, _permit: permit })),
        Err(_) => {
            response.extensions_mut().insert(Uncompressed);
            response
        }
    }
}

/// Whether there is an encoder for an answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct HasEncoder;

impl Predicate for HasEncoder {
    fn should_compress<B: HttpBody>(&self, response: &axum::http::Response<B>) -> bool {
        let extensions: &Extensions = response.extensions();
        extensions.get::<Uncompressed>().is_none()
    }
}

/// A body whose encoder is counted: the encoder drops it when it is dropped itself.
struct Encoded {
    body: Body,
    _permit: OwnedSemaphorePermit,
}

impl HttpBody for Encoded {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut task::Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
