//! What operators and tools ask: health, readiness, metrics, version, the kinds of problems.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE, VARY};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::Serialize;
use tokio::task::spawn_blocking;

use super::problem::Context;
use super::unsent::Charged;
use crate::jobs::QueueClass;
use crate::metrics::QueueClassLabel;
use crate::questions::{Kind, Problem};
use crate::release;
use crate::state::AppState;

#[derive(Serialize)]
pub(super) struct Status {
    status: &'static str,
}

/// 200 while the process lives.
pub(super) async fn healthz() -> Json<Status> {
    Json(Status { status: "alive" })
}

/// 200 once every configured table is built; 503 before, and while shutting down.
pub(super) async fn readyz(
    State(state): State<Arc<AppState>>,
    context: Context,
) -> Result<Json<Status>, Problem> {
    if state.is_ready() {
        Ok(Json(Status { status: "ready" }))
    } else if state.is_shutting_down() {
        let detail = context.language.choose("The service is shutting down.", "服务正在关闭。");
        Err(Problem::new(Kind::NotReady).with_detail(detail))
    } else {
        Err(Problem::new(Kind::NotReady))
    }
}

/// The metrics, in OpenMetrics text if `Accept` names it, else in the classic text format.
pub(super) async fn metrics(
    State(state): State<Arc<AppState>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let jobs = state.jobs.counts();
    for class in QueueClass::ALL {
        let label = QueueClassLabel { lane: class.name() };
        let (queued, running) = (jobs.queued[class as usize], jobs.running[class as usize]);
        state.metrics.jobs_queued.get_or_create(&label).set(queued as i64);
        state.metrics.jobs_running.get_or_create(&label).set(running as i64);
    }
    let open = wants_open_metrics(&headers);
    // Listing thousands of file descriptors takes milliseconds.
    let encode = move || if open { state.metrics.encode() } else { state.metrics.encode_classic() };
    let page = spawn_blocking(encode).await.ok().and_then(Result::ok).ok_or(Problem::new(Kind::Internal))?;
    let media_type = if open {
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    } else {
        "text/plain; version=0.0.4; charset=utf-8"
    };
    let mut response = ([(CONTENT_TYPE, media_type), (VARY, "accept")], page).into_response();
    // Operators get it however much memory others hold.
    response.extensions_mut().insert(Charged);
    Ok(response)
}

/// Whether `Accept` names OpenMetrics, and plain text with no higher weight.
fn wants_open_metrics(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let (mut open, mut plain) = (0.0_f32, 0.0_f32);
    for range in lines.flat_map(|line| line.split(',')) {
        let mut parts = range.split(';').map(|part| part.trim().to_ascii_lowercase());
        let media_type = parts.next().unwrap_or_default();
        let weight = parts.find_map(|part| part.strip_prefix("q=").map(str::to_owned));
        let weight = weight.map_or(1.0, |q| q.parse().unwrap_or(0.0));
        match &*media_type {
            "application/openmetrics-text" => open = open.max(weight),
            "text/plain" => plain = plain.max(weight),
            _ => {}
        }
    }
    open > 0.0 && open >= plain
}

#[derive(Serialize)]
pub(super) struct Version {
    name: &'static str,
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    built: Option<Timestamp>,
}

/// What is running.
pub(super) async fn version() -> Json<Version> {
    Json(Version {
        name: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        commit: release::COMMIT,
        built: release::built(),
    })
}

#[derive(Serialize)]
pub(super) struct Description {
    code: &'static str,
    status: u16,
    title: &'static str,
    detail: &'static str,
}

/// What a problem's `type` leads to.
pub(super) async fn problem(
    Path(code): Path<String>,
    context: Context,
) -> Result<Json<Description>, Problem> {
    let kind =
        Kind::ALL.iter().copied().find(|kind| kind.code() == code).ok_or(Problem::new(Kind::NotFound))?;
    Ok(Json(Description {
        code: kind.code(),
        status: kind.status(),
        title: kind.title(context.language),
        detail: kind.advice(context.language),
    }))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn open_metrics_is_sent_if_accept_names_it() {
        let wants = |accept: &'static str| {
            wants_open_metrics(&HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]))
        };
        for accept in [
            "application/openmetrics-text",
            "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
            "text/plain;q=0.5, Application/OpenMetrics-Text; version=1.0.0",
        ] {
            assert!(wants(accept), "{accept}");
        }
        for accept in [
            "",
            "*/*",
            "text/plain",
            "text/html, */*;q=0.8",
            "text/plain;version=0.0.4, application/openmetrics-text;q=0.9",
            "application/openmetrics-text;q=0",
            "application/openmetrics-text;q=x",
        ] {
            assert!(!wants(accept), "{accept}");
        }
        assert!(!wants_open_metrics(&HeaderMap::new()));
    }
}
