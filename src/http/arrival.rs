//! Bodies arrive whole before their request takes a place among those in work: who sends slowly holds nobody up.
//!
//! What has arrived is bounded in time, in bytes a request, and in bytes of all requests together. The large answers of
//! batches, which a client may take as slowly, are bounded likewise.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::body::check_declared;
use super::jobs::shutting_down;
use super::problem::{Context, Kind, Problem};
use crate::state::AppState;

/// Bytes that a body takes at least from its room, with what is kept beside it.
const LEAST: usize = 256;

/// After shutdown has begun a body may take so long still: enough for one that is under way, and not worth waiting for
/// where a client sends half a body and falls silent.
const BODY_GRACE: Duration = Duration::from_secs(2);

/// The middleware. The place of the request is taken inside it.
pub(super) async fn layer(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let limits = state.config.limits;
    let path = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let is_batch = path.ends_with("/batch");
    let (room, most) = if is_batch {
        (&state.rooms.batches, limits.max_batch_body)
    } else {
        (&state.rooms.bodies, limits.max_body)
    };
    let (head, body) = request.into_parts();
    let is_taken = || check_declared(&head.headers, Context::language_of(&head.extensions)).is_ok();
    let body = if head.method == Method::POST && !body.is_end_stream() && is_taken() {
        let arrived = tokio::select! {
            biased;
            arrived = timeout(limits.body_timeout, arrived(body, most, room)) => arrived.unwrap_or(Err(Kind::Timeout)),
            // What is still under way then holds the shutdown up no longer.
            () = given_up(&state) => Err(Kind::NotReady),
        };
        match arrived {
            Ok(bytes) => Body::from(bytes),
            Err(Kind::NotReady) => {
                return shutting_down(Context::language_of(&head.extensions)).into_response();
            }
            Err(Kind::BodyTooLarge) => {
                let detail = Context::language_of(&head.extensions).choose(
                    format!("A body may have {most} bytes here; send a smaller one, or several requests."),
                    format!("此处请求体最多 {most} 字节；请减小请求体，或分成多个请求。"),
                );
                return Problem::new(Kind::BodyTooLarge).with_detail(detail).into_response();
            }
            Err(kind) => return Problem::new(kind).into_response(),
        }
    } else {
        body
    };
    let response = next.run(Request::from_parts(head, body)).await;
    if is_batch { held(response, room).await } else { response }
}

/// Ends when the shutdown has begun and bodies have had their time since.
async fn given_up(state: &AppState) {
    // The state that holds the sender outlives this.
    let _ = state.watch_shutdown().wait_for(|begun| *begun).await;
    sleep(BODY_GRACE).await;
}

/// A whole body, which gives its room back when its last copy is dropped.
async fn arrived(mut body: Body, most: usize, room: &Arc<Semaphore>) -> Result<Bytes, Kind> {
    if body.size_hint().lower() > most as u64 {
        return Err(Kind::BodyTooLarge);
    }
    let mut place = take(room, LEAST)?;
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Kind::BadRequest)?;
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > most {
            return Err(Kind::BodyTooLarge);
        }
        place.merge(take(room, data.len())?);
        bytes.extend_from_slice(&data);
    }
    Ok(Bytes::from_owner(Held { bytes: bytes.into(), _place: place }))
}

/// An answer that takes room until it has been sent.
async fn held(response: Response, room: &Arc<Semaphore>) -> Response {
    let (head, body) = response.into_parts();
    if body.size_hint().exact().is_none_or(|bytes| bytes <= LEAST as u64) {
        return Response::from_parts(head, body);
    }
    let Ok(collected) = body.collect().await else { return Problem::new(Kind::Internal).into_response() };
    let bytes = collected.to_bytes();
    match take(room, bytes.len()) {
        Ok(place) => Response::from_parts(head, Body::from(Bytes::from_owner(Held { bytes, _place: place }))),
        Err(kind) => Problem::new(kind).into_response(),
    }
}

fn take(room: &Arc<Semaphore>, bytes: usize) -> Result<OwnedSemaphorePermit, Kind> {
    let bytes = u32::try_from(bytes).map_err(|_| Kind::BodyTooLarge)?;
    Arc::clone(room).try_acquire_many_owned(bytes).map_err(|_| Kind::Overloaded)
}

struct Held {
    bytes: Bytes,
    _place: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
