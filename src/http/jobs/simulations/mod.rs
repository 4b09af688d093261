//! `/craps/simulations`: jobs that simulate, with progress, events and cancellation.

mod view;
mod work;

use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::Response;

use crate::adviser::Adviser;
use crate::http::body::JsonBody;
use crate::http::jobs::{Face, idempotency_key, normalised, submit};
use crate::http::problem::Context;
use crate::http::work::off_the_workers;
use crate::jobs::{Idempotency, NewJob, QueueClass};
use crate::questions::extract::{Faults, Field};
use crate::questions::{Json, Problem, SimulationRequest as Request, Weight};

pub(in crate::http) use work::Simulate;
use work::prepared_blocking;

/// These jobs.
pub(in crate::http) static JOBS: Face = Face {
    kind: "craps_simulation",
    path: "/craps/simulations",
    plural: "simulations",
    object: "simulation_job",
    is_random: true,
};

/// `POST /craps/simulations`: takes a simulation into the queue.
pub(in crate::http) async fn post(
    context: Context,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, Problem> {
    let language = context.language;
    let json = Json::parse(&body.0, language)?;
    let mut faults = Faults::new(language);
    let decoded = Request::decode(&mut Field::root(&json, &mut faults));
    let key = idempotency_key(&headers, &mut faults);
    let Some(decoded) = decoded else { return Err(faults.rejected()) };
    let (seed, total) = (decoded.seed(), decoded.plays());
    let weight = if decoded.is_small() { Weight::Light } else { Weight::Heavy };
    let idempotency = match key {
        Some(key) => Some(Idempotency { key, meaning: decoded.meaning()? }),
        None => None,
    };
    // Laying out tables takes longer than a worker should be held.
    let lay_out = move |_: &Adviser| {
        let simulation = decoded.simulation(seed, &mut faults);
        faults.finish(simulation)
    };
    let simulation = off_the_workers(&context, weight, lay_out).await?;
    let class = QueueClass::for_time(Duration::from_millis(simulation.about_milliseconds()));
    let request = normalised(&json)?;
    let new =
        NewJob { kind: JOBS.kind, request, seed, total, class, client: context.client.key(), idempotency };
    let prepared = Box::new(move || prepared_blocking(simulation));
    submit(&JOBS, &context, &headers, new, Some(prepared)).await
}
