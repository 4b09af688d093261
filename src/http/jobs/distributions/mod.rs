//! `POST /yahtzee/distribution`: how likely each final score is, at once where few boxes are open, else by a job.

mod work;

use axum::http::HeaderMap;
use axum::response::Response;

use crate::http::body::JsonBody;
use crate::http::jobs::{Face, idempotency_key, normalised, submit};
use crate::http::problem::Context;
use crate::http::question::{answer, json_response};
use crate::http::tables;
use crate::jobs::{Idempotency, NewJob, QueueClass};
use crate::questions::extract::{Faults, Field};
use crate::questions::{DistributionRequest as Request, Form, Json, Problem, Question, Read};
use crate::yahtzee::DistributionWork;

pub(in crate::http) use work::Distribute;

/// The jobs that work distributions out.
pub(in crate::http) static JOBS: Face = Face {
    kind: "yahtzee_distribution",
    path: "/yahtzee/distributions",
    plural: "distributions",
    object: "distribution_job",
    is_random: false,
};

/// The POST handler.
pub(in crate::http) async fn post(
    context: Context,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, Problem> {
    let language = context.language;
    let json = Json::parse(&body.0, language)?;
    let mut faults = Faults::new(language);
    let request = Request::read(&mut Field::root(&json, &mut faults), Form::Body, &context.state.adviser);
    let key = idempotency_key(&headers, &mut faults);
    let request = faults.finish(request)?;
    if request.is_short() {
        return answer(&context, Box::new(request)).await.map(json_response);
    }
    let table = tables::wait_for(&context, request.needs()).await?;
    let table = table.game()?;
    let idempotency = match key {
        Some(key) => Some(Idempotency { key, meaning: request.meaning()? }),
        None => None,
    };
    let total = DistributionWork::states(table, request.card.state());
    // It takes more than 100 MB.
    let class = QueueClass::Alone;
    let request = normalised(&json)?;
    let new =
        NewJob { kind: JOBS.kind, request, seed: 0, total, class, client: context.client.key(), idempotency };
    submit(&JOBS, &context, &headers, new, None).await
}
