//! `POST /yahtzee/distribution`: how likely each final score is, at once where few boxes are open, else by a job.

mod request;
mod work;

use axum::http::HeaderMap;
use axum::response::Response;

use super::tables;
use crate::http::extract::{Faults, Field, JsonBody};
use crate::http::jobs::{Face, idempotency_key, normalised, submit};
use crate::http::json::Json;
use crate::http::problem::{Context, Problem};
use crate::http::question::json_response;
use crate::http::work::{Weight, off_the_workers};
use crate::jobs::{Idempotency, NewJob, QueueClass};
use crate::state::AppState;
use crate::yahtzee::DistributionWork;

use request::Request;
pub(in crate::http) use work::Distribute;

/// The jobs that work distributions out.
pub(in crate::http) static JOBS: Face = Face {
    kind: "yahtzee_distribution",
    path: "/yahtzee/distributions",
    plural: "distributions",
    object: "distribution_job",
    is_random: false,
};

/// With so few boxes open the answer takes some tens of milliseconds.
const AT_ONCE: usize = 6;

/// The POST handler.
pub(in crate::http) async fn post(
    context: Context,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, Problem> {
    let language = context.language;
    let json = Json::parse(&body.0, language)?;
    let mut faults = Faults::new(language);
    let request = Request::decode(&mut Field::root(&json, &mut faults), &context.state.config.yahtzee_rules);
    let key = idempotency_key(&headers, &mut faults);
    let request = faults.finish(request)?;
    let table = tables::game(&context, &request.rules).await?;
    if request.card.open().len() <= AT_ONCE {
        let answer = move |_: &AppState| {
            let distribution = DistributionWork::new(table, &request.card).run_blocking();
            Ok(serde_json::to_vec(&request.view(&distribution))?)
        };
        return off_the_workers(&context, Weight::Heavy, answer).await.map(json_response);
    }
    let idempotency = match key {
        Some(key) => Some(Idempotency { key, meaning: request.meaning()? }),
        None => None,
    };
    let total = DistributionWork::states(&table, request.card.state());
    // It takes more than 100 MB.
    let class = QueueClass::Alone;
    let request = normalised(&json)?;
    let new =
        NewJob { kind: JOBS.kind, request, seed: 0, total, class, client: context.client.key(), idempotency };
    submit(&JOBS, &context, &headers, new, None).await
}
