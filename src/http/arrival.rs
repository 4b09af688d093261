//! A body arrives whole before its request takes a permit, so a slow client delays no other.
//!
//! What has arrived is bounded in time, in bytes a request, and in bytes of all requests together.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use tokio::time::{sleep, timeout};

use super::body::check_declared;
use super::jobs::shutting_down;
use super::problem::Context;
use crate::budget::{Budget, ChargedBuffer};
use crate::questions::{Kind, Problem};
use crate::state::AppState;

/// Bytes that a body is charged at least, with what is kept beside it.
const LEAST: usize = 256;

/// After shutdown has begun a body may take so long still: enough for one that is under way, and not worth waiting for
/// where a client sends half a body and falls silent.
const BODY_GRACE: Duration = Duration::from_secs(2);

/// The middleware. The place of the request is taken inside it.
pub(super) async fn layer(
    State((state, takes_batches)): State<(Arc<AppState>, bool)>,
    request: Request,
    next: Next,
) -> Response {
    let limits = state.config.limits;
    let (budget, most) = if takes_batches {
        (&state.budgets.batches, limits.max_batch_body)
    } else {
        (&state.budgets.bodies, limits.max_body)
    };
    let (head, body) = request.into_parts();
    let is_taken = || check_declared(&head.headers, Context::language_of(&head.extensions)).is_ok();
    let body = if head.method == Method::POST && !body.is_end_stream() && is_taken() {
        let arrived = tokio::select! {
            biased;
            arrived = timeout(limits.body_timeout, arrived(body, most, budget)) => arrived.unwrap_or(Err(Kind::Timeout)),
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
    next.run(Request::from_parts(head, body)).await
}

/// Ends when the shutdown has begun and bodies have had their time since.
async fn given_up(state: &AppState) {
    // The state that holds the sender outlives this.
    let _ = state.watch_shutdown().wait_for(|begun| *begun).await;
    sleep(BODY_GRACE).await;
}

/// A whole body, which keeps its charge until its last copy is dropped.
async fn arrived(mut body: Body, most: usize, budget: &Budget) -> Result<Bytes, Kind> {
    if body.size_hint().lower() > most as u64 {
        return Err(Kind::BodyTooLarge);
    }
    let declared = body.size_hint().upper().and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(most);
    let mut buffer = ChargedBuffer::with_capacity(budget, LEAST).ok_or(Kind::Overloaded)?;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Kind::BadRequest)?;
        let Ok(data) = frame.into_data() else { continue };
        if buffer.bytes.len() + data.len() > most {
            return Err(Kind::BodyTooLarge);
        }
        if !buffer.reserve(data.len(), declared) {
            return Err(Kind::Overloaded);
        }
        buffer.bytes.extend_from_slice(&data);
    }
    Ok(buffer.into_bytes())
}
