//! `POST /craps/bankroll/inverse`: the bankroll that is needed to last.

use num_traits::{One, Zero};
use serde::Serialize;

use super::bankroll::when_short;
use super::exact::{Exact, Figure, rational};
use super::rejection;
use super::wager::{WagerView, any_wager, stake};
use crate::adviser::Adviser;
use crate::craps::bankroll::{InverseFault, InverseQuestion, InverseValue, inverse_blocking};
use crate::craps::fraction::Fraction;
use crate::craps::session::{MAX_ROUNDS, MAX_UNITS, SessionError, SessionField, WhenShort};
use crate::questions::extract::Field;
use crate::questions::{Asked, Form, Problem, Question, Read, Weight};

/// A request, decoded.
pub(crate) struct Request(InverseQuestion);

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let wager = any_wager(&mut object);
        let stake = stake(&mut object).filter(|stake| {
            let fits = *stake > Fraction::zero() && *stake <= Fraction::from_integer(MAX_UNITS.into());
            if !fits {
                object.note_fault("stake", &SessionError::MoneyOutOfRange { field: SessionField::Stake });
            }
            fits
        });
        let rounds = object.required("rounds", |field| field.integer(1..=MAX_ROUNDS.into()));
        let survival = object.required("survival", survival);
        let when_short = object.optional_or("when_short", WhenShort::Stop, when_short);
        object.close();
        Some(Self(InverseQuestion {
            wager: wager?,
            stake: stake?,
            when_short: when_short?,
            rounds: u32::try_from(rounds?).ok()?,
            survival: survival?,
        }))
    }
}

impl Question for Request {
    fn weight(&self, _: &Adviser) -> Option<Weight> {
        Some(Weight::Heavy)
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let value = inverse_blocking(&self.0).map_err(|fault| {
            let field = match fault {
                InverseFault::UnitTooSmall => "stake",
                InverseFault::BankrollTooLarge | InverseFault::TooMuchWork { .. } => "rounds",
            };
            rejection(asked.language, field, &fault)
        })?;
        Ok(serde_json::to_writer(bytes, &InverseView::new(&self.0, &value))?)
    }
}

/// A probability between 0 and 1, both excluded.
fn survival(field: &mut Field<'_, '_, '_>) -> Option<Fraction> {
    let survival = rational(field)?;
    let fits = survival > Fraction::zero() && survival < Fraction::one();
    if !fits {
        field.note(
            "out_of_range",
            "This must be a probability above 0 and below 1.",
            "此处应为大于 0 且小于 1 的概率。",
        );
    }
    fits.then_some(survival)
}

#[derive(Serialize)]
struct InverseView {
    #[serde(flatten)]
    wager: WagerView,
    when_short: WhenShort,
    rounds: u32,
    asked: Exact,
    bankroll: u32,
    survival: Figure,
    one_less: Figure,
    least: u32,
    monotone: bool,
}

impl InverseView {
    fn new(question: &InverseQuestion, value: &InverseValue) -> Self {
        Self {
            wager: (&question.wager).into(),
            when_short: question.when_short,
            rounds: question.rounds,
            asked: (&question.survival).into(),
            bankroll: value.bankroll,
            survival: (&value.survival).into(),
            one_less: (&value.one_less).into(),
            least: value.least,
            monotone: value.monotone,
        }
    }
}
