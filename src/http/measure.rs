//! Counts and times every request by its route's template.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use prometheus_client::metrics::gauge::Gauge;

use crate::metrics::{RequestLabels, RouteLabel};
use crate::state::AppState;

/// The middleware.
pub(super) async fn layer(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str).to_owned();
    let method = name_of(request.method());
    let in_flight = InFlight::enter(state.metrics.in_flight.clone());
    let response = next.run(request).await;
    drop(in_flight);
    let labels = RequestLabels { method, route: route.clone(), status: response.status().as_u16() };
    state.metrics.requests.get_or_create(&labels).inc();
    state.metrics.durations.get_or_create(&RouteLabel { route }).observe(started.elapsed().as_secs_f64());
    response
}

/// The gauge falls also where the client goes away and the request's future is dropped.
struct InFlight(Gauge);

impl InFlight {
    fn enter(gauge: Gauge) -> Self {
        gauge.inc();
        Self(gauge)
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// A method's name, from a list that a client cannot lengthen.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
