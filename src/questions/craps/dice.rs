//! `GET /craps/dice`: the 36 pairs and their totals.

use serde::Serialize;

use super::exact::Exact;
use crate::adviser::Adviser;
use crate::craps::dice::{Dice, ways};
use crate::craps::fraction::Fraction;
use crate::questions::extract::Field;
use crate::questions::{Asked, Form, Problem, Question, Read};

/// The question for the table of all pairs.
pub(crate) struct Table;

impl Read for Table {
    const HAS_FIELDS: bool = false;

    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        body.object()?.close();
        Some(Self)
    }
}

impl Question for Table {
    fn answer(&self, _: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let (pairs, totals) = (Dice::ALL.map(Pair::from).into(), (2..=12).map(Total::new).collect());
        Ok(serde_json::to_writer(bytes, &DiceTable { pairs, totals })?)
    }
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
