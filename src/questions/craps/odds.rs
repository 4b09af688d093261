//! `GET /craps/odds` and `GET /craps/odds/{bet}`: what bets are worth, exactly.

use serde::Serialize;

use super::exact::Exact;
use super::wager::{Terms, TermsView, any_wager, bet};
use crate::adviser::Adviser;
use crate::craps::automaton::{Outcome, Settlement};
use crate::craps::bet::Bet;
use crate::craps::fraction::{self, Fraction};
use crate::craps::group::Group;
use crate::craps::value::{BetValue, Chances, HouseEdge, PointValue};
use crate::craps::wager::{AnyBet, OddsValue, Wager};
use crate::questions::extract::Field;
use crate::questions::{Asked, Form, Kind, Problem, Question, Read, Weight};

/// The question for all bets, or those of a group, with odds on those that take them.
pub(crate) struct List {
    group: Option<Group>,
    terms: Terms,
}

impl Read for List {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let group = object.optional("group", |field| field.name_of(&Group::ALL, Group::id));
        let terms = Terms::take(&mut object);
        terms.note_lack(object.at, object.faults);
        object.close();
        Some(Self { group, terms })
    }
}

impl Question for List {
    /// It writes some hundred kilobytes.
    fn weight(&self, _: &Adviser) -> Option<Weight> {
        Some(Weight::Light)
    }

    fn is_usual(&self) -> bool {
        self.group.is_none() && self.terms.are_absent()
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let values = asked.adviser.craps.bets_blocking().iter();
        let bets = Bet::all().zip(values);
        let bets = bets.filter(|(bet, _)| self.group.is_none_or(|group| bet.group() == group));
        let bets = bets.map(|(bet, value)| BetOdds::new(bet, value, self.terms.as_taken_by(bet).as_ref()));
        Ok(serde_json::to_writer(bytes, &BetList { bets: bets.collect() })?)
    }
}

/// The question for one bet, with odds if they are asked for.
pub(crate) struct One {
    bet: Bet,
    with_odds: Option<Wager>,
}

impl Read for One {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let bet = object.required("bet", bet);
        let terms = Terms::take(&mut object);
        let has_odds = terms.odds.is_some();
        let wager = bet.and_then(|bet| terms.on(bet, object.at, object.faults));
        object.close();
        Some(Self { bet: bet?, with_odds: wager.filter(|_| has_odds) })
    }
}

impl Question for One {
    /// A known value is only written; odds must be worked out.
    fn weight(&self, adviser: &Adviser) -> Option<Weight> {
        let is_known = self.with_odds.is_none() && adviser.craps.bet(self.bet).is_some();
        (!is_known).then_some(Weight::Light)
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let value = asked.adviser.craps.bets_blocking().get(self.bet.index());
        let value = value.ok_or(Problem::new(Kind::Internal))?;
        Ok(serde_json::to_writer(bytes, &BetOdds::new(self.bet, value, self.with_odds.as_ref()))?)
    }
}

/// The question for one bet in a body, which may define it.
pub(crate) struct Any {
    wager: Wager,
}

impl Read for Any {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let wager = any_wager(&mut object);
        object.close();
        Some(Self { wager: wager? })
    }
}

impl Question for Any {
    /// A collection of thousands of states takes some tenths of a second.
    fn weight(&self, _: &Adviser) -> Option<Weight> {
        match self.wager.bet() {
            AnyBet::Listed(_) => Some(Weight::Light),
            AnyBet::Defined(_) => Some(Weight::Heavy),
        }
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let answer = match self.wager.bet() {
            AnyBet::Listed(bet) => {
                let value = asked.adviser.craps.bets_blocking().get(bet.index());
                let value = value.ok_or(Problem::new(Kind::Internal))?;
                let has_odds = !self.wager.odds().is_none();
                BetOdds::new(*bet, value, has_odds.then_some(&self.wager))
            }
            AnyBet::Defined(bet) => BetOdds {
                id: None,
                name: bet.name().map(ToOwned::to_owned),
                states: Some(bet.automaton().states().len()),
                ..BetOdds::of_value(&bet.value())
            },
        };
        Ok(serde_json::to_writer(bytes, &answer)?)
    }
}

#[derive(Serialize)]
struct BetList {
    bets: Vec<BetOdds>,
}

#[derive(Serialize)]
struct BetOdds {
    /// What only a bet of the table has is left out of a bet that a caller defined.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<Group>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pays: Option<&'static str>,
    /// How many states a bet that a caller defined has.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<usize>,
    per_bet_made: ChancesView,
    per_bet_resolved: ChancesView,
    outcomes: Vec<OutcomeView>,
    house_edge: HouseEdgeView,
    expected_rolls: Exact,
    rolls_variance: Exact,
    variance: Exact,
    standard_deviation: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    points: Vec<PointView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    with_odds: Option<WithOdds>,
}

impl BetOdds {
    fn new(bet: Bet, value: &BetValue, wager: Option<&Wager>) -> Self {
        Self {
            id: Some(bet.id()),
            name: Some(bet.name().to_owned()),
            group: Some(bet.group()),
            pays: Some(bet.pays()),
            with_odds: wager.and_then(WithOdds::new),
            ..Self::of_value(value)
        }
    }

    /// What is known of any bet.
    fn of_value(value: &BetValue) -> Self {
        Self {
            id: None,
            name: None,
            group: None,
            pays: None,
            states: None,
            per_bet_made: (&value.per_bet_made).into(),
            per_bet_resolved: (&value.per_bet_resolved).into(),
            outcomes: value.outcomes.iter().map(OutcomeView::from).collect(),
            house_edge: (&value.house_edge).into(),
            expected_rolls: (&value.expected_rolls).into(),
            rolls_variance: (&value.rolls_variance).into(),
            variance: (&value.variance).into(),
            standard_deviation: fraction::value(&value.variance).sqrt(),
            points: value.points.iter().map(PointView::from).collect(),
            with_odds: None,
        }
    }
}

#[derive(Serialize)]
struct ChancesView {
    win: Exact,
    push: Exact,
    break_even: Exact,
    lose: Exact,
}

impl From<&Chances> for ChancesView {
    fn from(chances: &Chances) -> Self {
        Self {
            win: (&chances.win).into(),
            push: (&chances.push).into(),
            break_even: (&chances.break_even).into(),
            lose: (&chances.lose).into(),
        }
    }
}

#[derive(Serialize)]
struct OutcomeView {
    label: String,
    settlement: Settlement,
    net: Exact,
    probability: Exact,
}

impl From<&(Outcome, Fraction)> for OutcomeView {
    fn from((outcome, probability): &(Outcome, Fraction)) -> Self {
        Self {
            label: outcome.label.clone(),
            settlement: outcome.settlement,
            net: (&outcome.net).into(),
            probability: probability.into(),
        }
    }
}

#[derive(Serialize)]
struct HouseEdgeView {
    per_bet_made: Exact,
    per_bet_resolved: Exact,
    per_roll: Exact,
}

impl From<&HouseEdge> for HouseEdgeView {
    fn from(edge: &HouseEdge) -> Self {
        Self {
            per_bet_made: (&edge.per_bet_made).into(),
            per_bet_resolved: (&edge.per_bet_resolved).into(),
            per_roll: (&edge.per_roll).into(),
        }
    }
}

#[derive(Serialize)]
struct PointView {
    point: u8,
    established: Exact,
    win_given_point: Exact,
    established_and_won: Exact,
}

impl From<&PointValue> for PointView {
    fn from(value: &PointValue) -> Self {
        Self {
            point: value.number,
            established: (&value.established).into(),
            win_given_point: (&value.win_given_point).into(),
            established_and_won: (&value.established_and_won).into(),
        }
    }
}

#[derive(Serialize)]
struct WithOdds {
    #[serde(flatten)]
    terms: TermsView,
    edge_on_action: Exact,
    edge_on_action_resolved: Exact,
    edge_on_flat: Exact,
    edge_on_decided: Exact,
    edge_per_roll: Exact,
    expected_action: Exact,
    odds_put_up: Exact,
    odds_decided: Exact,
    expected_rolls: Exact,
    variance: Exact,
    standard_deviation: f64,
    deviation_over_action: f64,
    skewness: f64,
    outcomes: Vec<OutcomeView>,
}

impl WithOdds {
    fn new(wager: &Wager) -> Option<Self> {
        let value = OddsValue::of(wager)?;
        Some(Self {
            terms: wager.into(),
            edge_on_action: (&value.edge_on_action).into(),
            edge_on_action_resolved: (&value.edge_on_action_resolved).into(),
            edge_on_flat: (&value.edge_on_flat).into(),
            edge_on_decided: (&value.edge_on_decided).into(),
            edge_per_roll: (&value.edge_per_roll).into(),
            expected_action: (&value.expected_action).into(),
            odds_put_up: (&value.odds_put_up).into(),
            odds_decided: (&value.odds_decided).into(),
            expected_rolls: (&value.expected_rolls).into(),
            variance: (&value.variance).into(),
            standard_deviation: value.standard_deviation,
            deviation_over_action: value.deviation_over_action,
            skewness: value.skewness,
            outcomes: value.outcomes.iter().map(OutcomeView::from).collect(),
        })
    }
}
