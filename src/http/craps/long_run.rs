//! `GET /craps/odds/{bet}/long-run`: what many bets gain together, exactly.

use axum::extract::RawQuery;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

use super::exact::{Exact, Figure};
use super::rejection;
use super::wager::{BetInPath, Terms, WagerView};
use crate::craps::bet::Bet;
use crate::craps::fraction::Fraction;
use crate::craps::long_run::{self, LongRun};
use crate::craps::wager::Wager;
use crate::http::cache::pure_json;
use crate::http::extract::Field;
use crate::http::problem::{Context, Problem};
use crate::http::query;
use crate::http::work::{Weight, off_the_workers};

/// The handler.
pub(crate) async fn get(
    context: Context,
    BetInPath(bet): BetInPath,
    headers: HeaderMap,
    RawQuery(text): RawQuery,
) -> Result<Response, Problem> {
    let (wager, rounds) = {
        let text = text.unwrap_or_default();
        Field::decode(&query::object(&text, &["rounds"]), context.language, |query| decode(bet, query))?
    };
    let language = context.language;
    let body = off_the_workers(&context, Weight::Heavy, move |_| {
        let run = long_run::solve_blocking(&wager.net(), rounds)
            .map_err(|fault| rejection(language, "rounds", &fault))?;
        Ok(serde_json::to_vec(&LongRunView::new(&wager, &run))?)
    });
    Ok(pure_json(&headers, body.await?))
}

fn decode(bet: Bet, body: &mut Field<'_, '_, '_>) -> Option<(Wager, u64)> {
    let mut object = body.object()?;
    let rounds = object.required("rounds", |field| field.integer(1..=long_run::MAX_ROUNDS.cast_signed()));
    let wager = Terms::take(&mut object).on(bet, object.at, object.faults);
    object.close();
    Some((wager?, rounds?.unsigned_abs()))
}

#[derive(Serialize)]
struct LongRunView {
    #[serde(flatten)]
    wager: WagerView,
    rounds: u64,
    ahead: Figure,
    even: Figure,
    behind: Figure,
    mean: Exact,
    variance: Exact,
    standard_deviation: f64,
    quantiles: Vec<Quantile>,
}

impl LongRunView {
    fn new(wager: &Wager, run: &LongRun) -> Self {
        Self {
            wager: wager.into(),
            rounds: run.rounds,
            ahead: (&run.ahead).into(),
            even: (&run.even).into(),
            behind: (&run.behind).into(),
            mean: (&run.mean).into(),
            variance: (&run.variance).into(),
            standard_deviation: run.standard_deviation,
            quantiles: run.quantiles.iter().map(Quantile::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct Quantile {
    percent: u8,
    net: Exact,
}

impl From<&(u8, Fraction)> for Quantile {
    fn from((percent, net): &(u8, Fraction)) -> Self {
        Self { percent: *percent, net: net.into() }
    }
}
