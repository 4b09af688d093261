//! `GET /craps/odds/{bet}/long-run`: what many bets gain together, exactly.

use serde::Serialize;

use super::exact::{Exact, Figure};
use super::rejection;
use super::wager::{WagerView, wager};
use crate::adviser::Adviser;
use crate::craps::fraction::Fraction;
use crate::craps::long_run::{self, LongRun};
use crate::craps::wager::Wager;
use crate::questions::extract::Field;
use crate::questions::{Asked, Form, Json, Problem, Question, Read, Weight, query};

/// The question for many rounds of one bet.
pub(crate) struct Request {
    wager: Wager,
    rounds: u64,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let rounds = object.required("rounds", |field| field.integer(1..=long_run::MAX_ROUNDS.cast_signed()));
        let wager = wager(&mut object);
        object.close();
        Some(Self { wager: wager?, rounds: rounds?.unsigned_abs() })
    }

    fn from_query(text: &str) -> Json<'_> {
        query::object(text, &["rounds"])
    }
}

impl Question for Request {
    fn weight(&self, _: &Adviser) -> Option<Weight> {
        Some(Weight::Heavy)
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let run = long_run::solve_blocking(&self.wager.net(), self.rounds)
            .map_err(|fault| rejection(asked.language, "rounds", &fault))?;
        Ok(serde_json::to_writer(bytes, &LongRunView::new(&self.wager, &run))?)
    }
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
