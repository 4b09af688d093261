//! `/craps/bankroll`, by POST and by GET: the probability of reaching a target before ruin.

use serde::Serialize;

use super::exact::{Figure, rational};
use super::rejection;
use super::wager::{WagerView, any_wager, stake};
use crate::adviser::Adviser;
use crate::craps::bankroll::{BankrollValue, Chain};
use crate::craps::session::{MAX_ROUNDS, Session, SessionError, SessionFigures, SessionPlan, WhenShort};
use crate::questions::extract::{Field, Object};
use crate::questions::query;
use crate::questions::{Asked, Form, Json, Kind, Problem, Question, Read, Weight};

/// A request, decoded.
pub(crate) struct Request(Session);

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let session = session(&mut object);
        object.close();
        session.map(Self)
    }

    fn from_query(text: &str) -> Json<'_> {
        query::object(text, &["max_rounds"])
    }
}

impl Question for Request {
    fn weight(&self, _: &Adviser) -> Option<Weight> {
        Some(Weight::Heavy)
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let rejection = |fault: SessionError| rejection(asked.language, fault.field().id(), &fault);
        let chain = Chain::new(&self.0).map_err(rejection)?;
        let _charge = asked.adviser.memory.charge(chain.bytes()).ok_or(Problem::new(Kind::Overloaded))?;
        let value = chain.solve_blocking().map_err(rejection)?;
        Ok(serde_json::to_writer(bytes, &BankrollView::new(&self.0, &value))?)
    }
}

/// Takes the fields of a session.
pub(super) fn session(object: &mut Object<'_, '_, '_>) -> Option<Session> {
    let wager = any_wager(object);
    let bankroll = object.required("bankroll", rational);
    let target = object.required("target", rational);
    let stake = stake(object);
    let max_rounds = object
        .required("max_rounds", |field| field.integer(1..=MAX_ROUNDS.into()))
        .and_then(|rounds| u32::try_from(rounds).ok());
    let when_short = object.optional("when_short", when_short).unwrap_or(WhenShort::Stop);
    let figures = SessionFigures {
        bankroll: bankroll.as_ref(),
        target: target.as_ref(),
        stake: stake.as_ref(),
        max_rounds,
    };
    for fault in figures.faults() {
        object.note_fault(fault.field().id(), &fault);
    }
    let plan = SessionPlan {
        wager: wager?,
        bankroll: bankroll?,
        target: target?,
        stake: stake?,
        max_rounds: max_rounds?,
        when_short,
    };
    Session::new(plan).ok()
}

pub(super) fn when_short(field: &mut Field<'_, '_, '_>) -> Option<WhenShort> {
    let all = [WhenShort::Stop, WhenShort::Partial, WhenShort::NoOdds];
    field.name_of(&all, |policy| match policy {
        WhenShort::Stop => "stop",
        WhenShort::Partial => "partial",
        WhenShort::NoOdds => "no_odds",
    })
}

#[derive(Serialize)]
struct BankrollView {
    #[serde(flatten)]
    wager: WagerView,
    when_short: WhenShort,
    success: Figure,
    ruin: Figure,
    still_playing: Figure,
    expected_rounds: Figure,
    mean_final: Figure,
}

impl BankrollView {
    fn new(session: &Session, value: &BankrollValue) -> Self {
        Self {
            wager: (&session.plan().wager).into(),
            when_short: session.plan().when_short,
            success: (&value.success).into(),
            ruin: (&value.ruin).into(),
            still_playing: (&value.still_playing).into(),
            expected_rounds: (&value.expected_rounds).into(),
            mean_final: (&value.mean_final).into(),
        }
    }
}
