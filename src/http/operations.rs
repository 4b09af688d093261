//! What operators and tools ask: health, readiness, metrics, version, the kinds of problems.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::Serialize;

use super::problem::{Context, Kind, Problem};
use crate::jobs::Lane;
use crate::metrics::LaneLabel;
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

/// 200 once every table that the configuration asks for stands; 503 before, and while shutting down.
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

/// The metrics in OpenMetrics text.
pub(super) async fn metrics(State(state): State<Arc<AppState>>) -> Result<Response, Problem> {
    let jobs = state.jobs.counts();
    for (lane, (queued, running)) in Lane::ALL.into_iter().zip(jobs.queued.into_iter().zip(jobs.running)) {
        let label = LaneLabel { lane: lane.name() };
        state.metrics.jobs_queued.get_or_create(&label).set(queued as i64);
        state.metrics.jobs_running.get_or_create(&label).set(running as i64);
    }
    let page = state.metrics.encode().map_err(|_| Problem::new(Kind::Internal))?;
    let media_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(CONTENT_TYPE, media_type)], page).into_response())
}

#[derive(Serialize)]
pub(super) struct Version {
    name: &'static str,
    version: &'static str,
    commit: Option<&'static str>,
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
    let kind = Kind::ALL.into_iter().find(|kind| kind.code() == code).ok_or(Problem::new(Kind::NotFound))?;
    Ok(Json(Description {
        code: kind.code(),
        status: kind.status().as_u16(),
        title: kind.title(context.language),
        detail: kind.advice(context.language),
    }))
}
