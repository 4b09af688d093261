//! Bets and their odds, as paths, queries and bodies name them.

use serde::Serialize;

use super::definition::defined_bet;
use super::exact::rational;
use crate::craps::bet::Bet;
use crate::craps::fraction::Fraction;
use crate::craps::line::ComeOdds;
use crate::craps::odds::OddsTable;
use crate::craps::wager::{AnyBet, Wager, WagerError};
use crate::questions::Json;
use crate::questions::extract::{Faults, Field, Object, Path, shortened};

/// A bet's id.
pub(super) fn bet(field: &mut Field<'_, '_, '_>) -> Option<Bet> {
    let id = field.string()?;
    let bet = Bet::from_id(id);
    if bet.is_none() {
        let shown = shortened(id);
        field.note(
            "unknown_bet",
            format!("There is no bet `{shown}`; /craps/odds lists all."),
            format!("没有投注 `{shown}`；/craps/odds 列出所有投注。"),
        );
    }
    bet
}

/// A bet's id, or a bet that the caller defines.
pub(super) fn any_bet(field: &mut Field<'_, '_, '_>) -> Option<AnyBet> {
    match field.value {
        Json::Object(_) => defined_bet(field).map(AnyBet::Defined),
        Json::String(_) => bet(field).map(AnyBet::Listed),
        _ => {
            field.note_wrong_type(("a bet's id or an object", "投注的 id 或对象"));
            None
        }
    }
}

/// The odds that a request asks for: the fields `odds` and `come_odds`.
pub(super) struct Terms {
    pub(super) odds: Option<OddsTable>,
    come_odds: Option<ComeOdds>,
    /// Whether `come_odds` was given without `odds`.
    lacks_odds: bool,
}

impl Terms {
    /// Whether neither field was given.
    pub(super) const fn are_absent(&self) -> bool {
        self.odds.is_none() && self.come_odds.is_none() && !self.lacks_odds
    }

    /// Takes the fields.
    pub(super) fn take(object: &mut Object<'_, '_, '_>) -> Self {
        let odds = object.optional("odds", |field| {
            let table = field.string()?.parse::<OddsTable>();
            table.map_err(|e| field.note_fault(&e)).ok()
        });
        let come_odds = object.optional("come_odds", |field| {
            field.name_of(&[ComeOdds::Off, ComeOdds::Working], come_odds_name)
        });
        let lacks_odds = come_odds.is_some() && object.present("odds").is_none();
        Self { odds, come_odds, lacks_odds }
    }

    /// Notes a `come_odds` without odds. The fields are in the object at `at`.
    pub(super) fn note_lack(&self, at: &Path<'_>, faults: &mut Faults) {
        if self.lacks_odds {
            let (english, chinese) = (
                "`come_odds` says when the odds behind a come bet work; give `odds`, too.",
                "`come_odds` 说明花注（come）的赔率注何时生效；请同时给出 `odds`。",
            );
            faults.add(&Path::Field(at, "odds"), "missing", english, chinese);
        }
    }

    /// A bet with these odds. The fields are in the object at `at`.
    pub(super) fn on(self, bet: impl Into<AnyBet>, at: &Path<'_>, faults: &mut Faults) -> Option<Wager> {
        let bet = bet.into();
        // If the bet is no come bet, that is the only fault.
        if bet.listed() == Some(Bet::COME) {
            self.note_lack(at, faults);
        }
        let wager = Wager::new(bet, self.odds.unwrap_or_else(OddsTable::none), self.come_odds);
        let note = |error: &WagerError| {
            let field = match error {
                WagerError::TakesNoOdds { .. } => "odds",
                WagerError::NoComeBet { .. } => "come_odds",
            };
            faults.add_fault(&Path::Field(at, field), error);
        };
        wager.map_err(|errors| errors.iter().for_each(note)).ok()
    }

    /// These odds on one bet of many, as far as it takes them.
    pub(super) fn as_taken_by(&self, bet: Bet) -> Option<Wager> {
        let odds = self.odds.clone().filter(|_| bet.line().is_some())?;
        Wager::new(bet, odds, self.come_odds.filter(|_| bet == Bet::COME)).ok()
    }
}

/// Takes a bet with its odds: the fields `bet`, `odds` and `come_odds`.
pub(super) fn wager(object: &mut Object<'_, '_, '_>) -> Option<Wager> {
    let bet = object.required("bet", bet);
    let terms = Terms::take(object);
    terms.on(bet?, object.at, object.faults)
}

/// The same, where the bet may be one that the caller defines.
pub(super) fn any_wager(object: &mut Object<'_, '_, '_>) -> Option<Wager> {
    let bet = object.required("bet", any_bet);
    let terms = Terms::take(object);
    terms.on(bet?, object.at, object.faults)
}

/// Takes the flat bet `stake`, one unit if it is absent; `None` if it cannot be read.
pub(super) fn stake(object: &mut Object<'_, '_, '_>) -> Option<Fraction> {
    match object.present("stake") {
        Some(_) => object.optional("stake", rational),
        None => Some(Fraction::from_integer(1.into())),
    }
}

const fn come_odds_name(come_odds: ComeOdds) -> &'static str {
    match come_odds {
        ComeOdds::Off => "off",
        ComeOdds::Working => "working",
    }
}

/// A bet and its odds, as an answer repeats them.
#[derive(Serialize)]
pub(crate) struct WagerView {
    /// The id of a bet of the table; the name of another, or `defined` if it has none.
    bet: String,
    #[serde(flatten)]
    terms: TermsView,
}

/// Odds, as an answer repeats them.
#[derive(Serialize)]
pub(super) struct TermsView {
    odds: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    come_odds: Option<&'static str>,
    /// The puck when a come bet is made whose odds are off on a come-out: when they are off depends on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    puck_when_made: Option<&'static str>,
}

impl From<&Wager> for WagerView {
    fn from(wager: &Wager) -> Self {
        let bet = match wager.bet() {
            AnyBet::Listed(bet) => bet.id(),
            AnyBet::Defined(bet) => bet.name().unwrap_or("defined"),
        };
        Self { bet: bet.to_owned(), terms: wager.into() }
    }
}

impl From<&Wager> for TermsView {
    fn from(wager: &Wager) -> Self {
        // Only a come bet with odds has odds that could be off.
        let matters = wager.bet().listed() == Some(Bet::COME) && !wager.odds().is_none();
        Self {
            odds: wager.odds().to_string(),
            come_odds: matters.then(|| come_odds_name(wager.come_odds())),
            puck_when_made: (matters && wager.come_odds() == ComeOdds::Off).then_some("on"),
        }
    }
}
