//! A bet as it is made: with odds behind it, where the bet takes them.

use std::sync::Arc;

use super::automaton::{Automaton, Outcome, Settlement};
use super::bet::Bet;
use super::chain;
use super::definition::DefinedBet;
use super::fraction::{self, Fraction};
use super::line::{ComeOdds, Line, LineOutcome, Side};
use super::net::NetDistribution;
use super::odds::{OddsAmounts, OddsTable};

/// A bet of the table, or one that a caller defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyBet {
    /// One of the table.
    Listed(Bet),
    /// One that a caller defined.
    Defined(Arc<DefinedBet>),
}

impl AnyBet {
    /// The bet of the table, if it is one.
    pub const fn listed(&self) -> Option<Bet> {
        match self {
            Self::Listed(bet) => Some(*bet),
            Self::Defined(_) => None,
        }
    }

    fn line(&self) -> Option<Line> {
        self.listed().and_then(Bet::line)
    }

    /// The id of a bet of the table, or the name of another if it has one.
    fn name(&self) -> String {
        match self {
            Self::Listed(bet) => bet.id().to_owned(),
            Self::Defined(bet) => bet.name().unwrap_or("a bet that you define").to_owned(),
        }
    }
}

impl From<Bet> for AnyBet {
    fn from(bet: Bet) -> Self {
        Self::Listed(bet)
    }
}

/// A bet and its odds.
///
/// ```
/// use kibitz_craps::{bet::Bet, fraction, wager::Wager};
/// let wager = Wager::new(Bet::PASS_LINE, "3-4-5x".parse().unwrap(), None).unwrap();
/// assert_eq!(fraction::text(&wager.net().mean()), "-7/495");
/// assert!(Wager::new(Bet::from_id("horn").unwrap(), "2x".parse().unwrap(), None).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wager {
    bet: AnyBet,
    odds: OddsTable,
    come_odds: ComeOdds,
}

impl Wager {
    /// A bet without odds.
    pub fn flat(bet: impl Into<AnyBet>) -> Self {
        Self { bet: bet.into(), odds: OddsTable::none(), come_odds: ComeOdds::Working }
    }

    /// A bet with odds. `come_odds` is for a come bet alone, whose odds are off on a come-out unless called working.
    ///
    /// # Errors
    /// All faults: odds on a bet that takes none, `come_odds` on a bet that is no come bet.
    pub fn new(
        bet: impl Into<AnyBet>,
        odds: OddsTable,
        come_odds: Option<ComeOdds>,
    ) -> Result<Self, Vec<WagerError>> {
        let bet = bet.into();
        let is_come = bet.listed() == Some(Bet::COME);
        let mut faults = Vec::new();
        if bet.line().is_none() && !odds.is_none() {
            faults.push(WagerError::TakesNoOdds { bet: bet.name() });
        }
        if !is_come && come_odds.is_some() {
            faults.push(WagerError::NoComeBet { bet: bet.name() });
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        // Without odds, and for every bet but come, there is nothing that could be off.
        let off_by_custom = is_come && !odds.is_none();
        let come_odds = if off_by_custom { come_odds.unwrap_or(ComeOdds::Off) } else { ComeOdds::Working };
        Ok(Self { bet, odds, come_odds })
    }

    /// The bet.
    pub const fn bet(&self) -> &AnyBet {
        &self.bet
    }

    /// Its odds.
    pub fn odds(&self) -> &OddsTable {
        &self.odds
    }

    /// Whether its odds stay at risk on a come-out.
    pub fn come_odds(&self) -> ComeOdds {
        self.come_odds
    }

    /// The bet's course, nets per unit of flat bet. Line bets tell all their endings apart (natural, craps, each
    /// point made and missed), with odds or without; other bets are as in [`Bet::automaton`].
    pub fn automaton(&self) -> Automaton {
        let Some(line) = self.bet.line() else {
            return match &self.bet {
                AnyBet::Listed(bet) => bet.automaton(),
                AnyBet::Defined(bet) => bet.automaton().clone(),
            };
        };
        let endings = line.outcomes(self.come_odds);
        let amounts = self.odds.amounts(line.side);
        let outcomes = endings
            .iter()
            .map(|&ending| Outcome {
                label: ending.label(),
                settlement: ending.settlement(line.side),
                net: amounts.net(line.side, ending),
            })
            .collect();
        let index_of = |ending| endings.iter().position(|&known| known == ending).unwrap_or_default();
        match self.come_odds {
            ComeOdds::Working => line.automaton(outcomes, index_of),
            ComeOdds::Off => line.automaton_under_the_puck(outcomes, index_of),
        }
    }

    /// What a unit of flat bet gains with its odds.
    pub fn net(&self) -> NetDistribution {
        self.solve().net(&self.odds)
    }

    /// Solves the course once; its nets with any odds follow without solving again.
    pub(crate) fn solve(&self) -> SolvedWager {
        let automaton = self.automaton();
        let solution = chain::solve(&automaton);
        let line = self.bet.line().map(|line| (line.side, line.outcomes(self.come_odds)));
        SolvedWager { automaton, solution, line }
    }
}

/// A wager with the probabilities of its endings.
pub(crate) struct SolvedWager {
    pub(crate) automaton: Automaton,
    pub(crate) solution: chain::Solution,
    /// For a line bet its side, and its endings in the automaton's order.
    line: Option<(Side, Vec<LineOutcome>)>,
}

impl SolvedWager {
    /// The nets with these odds put up.
    pub(crate) fn net(&self, odds: &OddsTable) -> NetDistribution {
        match &self.line {
            Some((side, _)) => self.net_with(&odds.amounts(*side)),
            None => self.net_with(&OddsAmounts(Default::default())),
        }
    }

    /// The money behind each point, for a line bet; nothing for the others.
    pub(crate) fn amounts(&self, odds: &OddsTable) -> OddsAmounts {
        match &self.line {
            Some((side, _)) => odds.amounts(*side),
            None => OddsAmounts(Default::default()),
        }
    }

    /// The nets with these amounts put up.
    pub(crate) fn net_with(&self, amounts: &OddsAmounts) -> NetDistribution {
        NetDistribution::new(
            self.nets_with(amounts).into_iter().zip(self.solution.probabilities.iter().cloned()),
        )
    }

    /// The net of each outcome in the automaton's order.
    pub(crate) fn nets_with(&self, amounts: &OddsAmounts) -> Vec<Fraction> {
        match &self.line {
            Some((side, endings)) => endings.iter().map(|&ending| amounts.net(*side, ending)).collect(),
            None => self.automaton.outcomes().iter().map(|outcome| outcome.net.clone()).collect(),
        }
    }
}

/// A line bet with odds, exactly. Money is in units of the flat bet.
#[derive(Debug, Clone, PartialEq)]
pub struct OddsValue {
    /// All endings with nets and probabilities.
    pub outcomes: Vec<(Outcome, Fraction)>,
    /// House edge over all money put up, per bet made.
    pub edge_on_action: Fraction,
    /// The same without pushed bets.
    pub edge_on_action_resolved: Fraction,
    /// House edge over the flat bet alone: odds never change it.
    pub edge_on_flat: Fraction,
    /// Edge on action per roll.
    pub edge_per_roll: Fraction,
    /// House edge over the money that was decided: returned come odds are left out.
    pub edge_on_decided: Fraction,
    /// All money put up per bet made, flat bet and odds.
    pub expected_action: Fraction,
    /// Odds put up per bet made.
    pub odds_put_up: Fraction,
    /// Odds decided per bet made: less than put up only where come odds are off on a come-out.
    pub odds_decided: Fraction,
    /// Expected rolls until the flat bet is settled.
    pub expected_rolls: Fraction,
    /// Variance of the net.
    pub variance: Fraction,
    /// Its square root.
    pub standard_deviation: f64,
    /// Standard deviation over expected action.
    pub deviation_over_action: f64,
    /// Skewness of the net.
    pub skewness: f64,
}

impl OddsValue {
    /// Solves a line bet with its odds; nothing for other bets.
    ///
    /// ```
    /// use kibitz_craps::{bet::Bet, fraction, wager::{OddsValue, Wager}};
    /// let wager = Wager::new(Bet::PASS_LINE, "2x".parse().unwrap(), None).unwrap();
    /// let value = OddsValue::of(&wager).unwrap();
    /// assert_eq!(fraction::text(&value.edge_on_action), "1/165");
    /// ```
    pub fn of(wager: &Wager) -> Option<Self> {
        let line = wager.bet.line()?;
        let solved = wager.solve();
        let net = solved.net(&wager.odds);
        let probabilities = &solved.solution.probabilities;
        let (put_up, decided) = odds_money(line, wager, probabilities);
        let pushed = fraction::sum(solved.automaton.outcomes().iter().zip(probabilities).filter_map(
            |(outcome, probability)| (outcome.settlement == Settlement::Push).then_some(probability),
        ));
        let edge_on_flat = -net.mean();
        let expected_action = fraction::one() + &put_up;
        let edge_on_action = &edge_on_flat / &expected_action;
        let standard_deviation = fraction::value(&net.variance()).sqrt();
        Some(Self {
            edge_on_action_resolved: &edge_on_flat / (&expected_action - pushed),
            edge_per_roll: &edge_on_action / &solved.solution.expected_rolls,
            edge_on_decided: &edge_on_flat / (fraction::one() + &decided),
            deviation_over_action: standard_deviation / fraction::value(&expected_action),
            skewness: net.skewness(),
            variance: net.variance(),
            outcomes: solved
                .automaton
                .outcomes()
                .iter()
                .cloned()
                .zip(probabilities.iter().cloned())
                .collect(),
            expected_rolls: solved.solution.expected_rolls,
            odds_put_up: put_up,
            odds_decided: decided,
            edge_on_action,
            edge_on_flat,
            expected_action,
            standard_deviation,
        })
    }
}

/// Odds put up and odds decided per bet made.
fn odds_money(line: Line, wager: &Wager, probabilities: &[Fraction]) -> (Fraction, Fraction) {
    let amounts = wager.odds.amounts(line.side);
    let (mut put_up, mut decided) = (fraction::zero(), fraction::zero());
    for (ending, probability) in line.outcomes(wager.come_odds).into_iter().zip(probabilities) {
        if let LineOutcome::Decided { point, odds_working, .. } = ending {
            let money = amounts.behind(point) * probability;
            if odds_working {
                decided += &money;
            }
            put_up += money;
        }
    }
    (put_up, decided)
}

/// Why a bet cannot be made so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WagerError {
    /// Only pass, come and don't bets take odds.
    #[error("{bet} takes no odds: only pass, come and don't bets do")]
    TakesNoOdds {
        /// Its id or name.
        bet: String,
    },
    /// `come_odds` has no meaning here.
    #[error("come_odds is for the bet come alone, not for {bet}")]
    NoComeBet {
        /// Its id or name.
        bet: String,
    },
}

impl WagerError {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TakesNoOdds { .. } => "bet_takes_no_odds",
            Self::NoComeBet { .. } => "come_odds_without_come",
        }
    }
}
