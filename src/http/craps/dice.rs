//! `GET /craps/dice`: the 36 pairs and their totals.

use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

use super::exact::Exact;
use crate::craps::dice::{Dice, ways};
use crate::craps::fraction::Fraction;
use crate::http::cache::pure_json;
use crate::http::problem::Problem;

/// The handler.
pub(crate) async fn get(headers: HeaderMap) -> Result<Response, Problem> {
    let body =
        DiceTable { pairs: Dice::ALL.map(Pair::from).into(), totals: (2..=12).map(Total::new).collect() };
    Ok(pure_json(&headers, serde_json::to_vec(&body)?))
}

#[derive(Serialize)]
struct DiceTable {
    pairs: Vec<Pair>,
    totals: Vec<Total>,
}

#[derive(Serialize)]
struct Pair {
    dice: [u8; 2],
    total: u8,
    hard: bool,
    probability: Exact,
}

impl From<Dice> for Pair {
    fn from(dice: Dice) -> Self {
        Self { dice: dice.faces(), total: dice.total(), hard: dice.is_hard(), probability: share(1) }
    }
}

#[derive(Serialize)]
struct Total {
    total: u8,
    ways: u32,
    probability: Exact,
}

impl Total {
    fn new(total: u8) -> Self {
        Self { total, ways: ways(total), probability: share(ways(total)) }
    }
}

/// A number of the 36 pairs.
fn share(pairs: u32) -> Exact {
    (&Fraction::new(pairs.into(), Dice::COUNT.into())).into()
}
