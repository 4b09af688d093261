//! The time of a request: when it is over, and whether anybody still waits for the answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::Extensions;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::{Instant, timeout_at};

use crate::questions::{Kind, Problem};
use crate::state::AppState;

/// When a request must be answered. All its waits share this one time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Deadline(Option<Arc<Inner>>);

#[derive(Debug)]
struct Inner {
    at: Instant,
    begun: AtomicBool,
    abandoned: AtomicBool,
}

impl Deadline {
    /// The deadline of the request that these extensions belong to; none if the middleware has not seen it.
    pub(crate) fn of(extensions: &Extensions) -> Self {
        extensions.get().cloned().unwrap_or_default()
    }

    /// When to stop waiting and working, and to answer with what there is: some time before the request's own end.
    pub(crate) fn when(&self) -> Option<Instant> {
        self.0.as_ref().map(|inner| inner.at)
    }

    /// The time until then; zero without a deadline.
    pub(crate) fn time_left(&self) -> Duration {
        self.when().map_or(Duration::ZERO, |at| at.saturating_duration_since(Instant::now()))
    }

    /// Whether that time has come.
    pub(crate) fn has_passed(&self) -> bool {
        self.when().is_some_and(|at| Instant::now() >= at)
    }

    /// Notes that work has begun whose length is bounded: from now on the request does not end in 408, so that the
    /// work is not done for nothing.
    pub(crate) fn begin_work(&self) {
        if let Some(inner) = &self.0 {
            inner.begun.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the client has gone, so that no client waits for the answer.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.0.as_ref().is_some_and(|inner| inner.abandoned.load(Ordering::Relaxed))
    }
}

/// The middleware: 408 for a request whose work has not begun within the request timeout.
pub(super) async fn layer(State(state): State<Arc<AppState>>, mut request: Request, next: Next) -> Response {
    let (now, limit) = (Instant::now(), state.config.limits.request_timeout);
    let inner = Arc::new(Inner { at: now + limit * 4 / 5, begun: false.into(), abandoned: false.into() });
    // Dropped with this future if the client goes.
    let guard = AbandonOnDrop(Arc::clone(&inner));
    request.extensions_mut().insert(Deadline(Some(inner)));
    let mut answer = std::pin::pin!(next.run(request));
    match timeout_at(now + limit, &mut answer).await {
        Ok(answer) => answer,
        Err(_) if guard.0.begun.load(Ordering::Relaxed) => answer.await,
        Err(_) => Problem::new(Kind::Timeout).into_response(),
    }
}

struct AbandonOnDrop(Arc<Inner>);

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        self.0.abandoned.store(true, Ordering::Relaxed);
    }
}
