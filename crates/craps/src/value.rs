//! The exact value of a bet: probabilities, house edges, rolls and variance.

use super::automaton::{Automaton, Outcome, Settlement, Step};
use super::bet::Bet;
use super::chain;
use super::dice::{Dice, ways};
use super::fraction::{self, Fraction, fraction};
use super::net::NetDistribution;
use super::rule::Rule;

/// How a bet ends, by settlement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chances {
    /// More comes back than was staked.
    pub win: Fraction,
    /// The stake comes back undecided.
    pub push: Fraction,
    /// Decided, and the parts cancel.
    pub break_even: Fraction,
    /// The stake is lost.
    pub lose: Fraction,
}

/// What the casino expects to keep of each unit staked, per unit of ... .
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HouseEdge {
    /// Bets made, pushes counted.
    pub per_bet_made: Fraction,
    /// Bets resolved, pushes left out.
    pub per_bet_resolved: Fraction,
    /// Rolls for which the bet lies on the table.
    pub per_roll: Fraction,
}

/// One point of a line bet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointValue {
    /// The number.
    pub number: u8,
    /// The probability that the come-out sets it.
    pub established: Fraction,
    /// The probability that the bet wins once it is set.
    pub win_given_point: Fraction,
    /// The probability of both.
    pub established_and_won: Fraction,
}

/// Everything that is known exactly of a unit bet. Stake is all money put up, an up-front commission included.
///
/// ```
/// use kibitz_craps::{bet::Bet, fraction::text, value::BetValue};
/// let value = BetValue::of(Bet::DONT_PASS);
/// assert_eq!(text(&value.house_edge.per_bet_made), "3/220");
/// assert_eq!(text(&value.house_edge.per_bet_resolved), "27/1925");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BetValue {
    /// Per bet made: the four sum to one.
    pub per_bet_made: Chances,
    /// Per bet resolved: no pushes, the other three sum to one.
    pub per_bet_resolved: Chances,
    /// Each way in which it ends with its probability, the best first.
    pub outcomes: Vec<(Outcome, Fraction)>,
    /// The house edges.
    pub house_edge: HouseEdge,
    /// Expected rolls, counted from the roll after the bet is made, always working.
    pub expected_rolls: Fraction,
    /// Variance of the rolls.
    pub rolls_variance: Fraction,
    /// Variance of the net.
    pub variance: Fraction,
    /// For pass, come, don't and crapless bets, each point.
    pub points: Vec<PointValue>,
}

impl BetValue {
    /// Solves a bet.
    pub fn of(bet: Bet) -> Self {
        let automaton = bet.automaton();
        let points = match bet.rule() {
            Rule::Line(_) | Rule::Crapless => points(&automaton),
            _ => Vec::new(),
        };
        Self { points, ..Self::of_automaton(&automaton) }
    }

    /// Solves a bet that is given by its course; it has no `points`.
    pub fn of_automaton(automaton: &Automaton) -> Self {
        let solution = chain::solve(automaton);
        let mut outcomes: Vec<_> =
            automaton.outcomes().iter().cloned().zip(solution.probabilities.iter().cloned()).collect();
        let net = NetDistribution::new(outcomes.iter().map(|(outcome, p)| (outcome.net.clone(), p.clone())));
        let chance = |settlement| {
            fraction::sum(outcomes.iter().filter(|(o, _)| o.settlement == settlement).map(|(_, p)| p))
        };
        let per_bet_made = Chances {
            win: chance(Settlement::Win),
            push: chance(Settlement::Push),
            break_even: chance(Settlement::BreakEven),
            lose: chance(Settlement::Lose),
        };
        let resolved = fraction::one() - &per_bet_made.push;
        let per_bet_resolved = Chances {
            win: &per_bet_made.win / &resolved,
            push: fraction::zero(),
            break_even: &per_bet_made.break_even / &resolved,
            lose: &per_bet_made.lose / &resolved,
        };
        let edge = -net.mean();
        let house_edge = HouseEdge {
            per_bet_resolved: &edge / resolved,
            per_roll: &edge / &solution.expected_rolls,
            per_bet_made: edge,
        };
        // A stable sort: outcomes of equal net stay in the order of their totals.
        outcomes.sort_by(|(a, _), (b, _)| b.net.cmp(&a.net));
        Self {
            per_bet_made,
            per_bet_resolved,
            outcomes,
            house_edge,
            expected_rolls: solution.expected_rolls,
            rolls_variance: solution.rolls_variance,
            variance: net.variance(),
            points: Vec::new(),
        }
    }
}

/// Where each total takes a new line bet, and how it goes from there.
fn points(automaton: &Automaton) -> Vec<PointValue> {
    let Some(come_out) = automaton.states().first() else { return Vec::new() };
    let point = |number: u8| {
        let step = Dice::ALL.iter().zip(come_out).find(|(dice, _)| dice.total() == number)?.1;
        let Step::Go(state) = *step else { return None };
        let solution = chain::solve(&automaton.started_at(state));
        let win_given_point = fraction::sum(
            automaton
                .outcomes()
                .iter()
                .zip(&solution.probabilities)
                .filter_map(|(outcome, p)| (outcome.settlement == Settlement::Win).then_some(p)),
        );
        let established = fraction(ways(number), Dice::COUNT);
        let established_and_won = &established * &win_given_point;
        Some(PointValue { number, established, win_given_point, established_and_won })
    };
    (2..=12).filter_map(point).collect()
}
