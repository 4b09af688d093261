//! What decides a bet, and the automaton that follows from it.

use super::automaton::{Automaton, Outcome, Settlement, Step};
use super::dice::Point;
use super::fraction::{Fraction, fraction};
use super::line::{Line, LineOutcome, Side};

/// What decides a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Pass, come and their opposites.
    Line(Line),
    /// The pass line of crapless craps: 2, 3, 11 and 12 are points too, only a come-out 7 wins at once.
    Crapless,
    /// A number against seven.
    Number {
        /// The number.
        number: u8,
        /// `Right` wins on the number, `Wrong` on the seven.
        side: Side,
        /// What it pays.
        pays: Pay,
    },
    /// A double before a seven and before the same total the easy way.
    Hardway {
        /// The total.
        number: u8,
        /// What it pays.
        pays: Pay,
    },
    /// One roll, won on these totals. A payoff of nothing is a break-even.
    Totals(&'static [(u8, Pay)]),
    /// One roll, won on these two faces in either order.
    Hop {
        /// The faces.
        faces: [u8; 2],
        /// What it pays.
        pays: Pay,
    },
    /// Every one of these numbers before a seven.
    Collect {
        /// The numbers.
        numbers: &'static [u8],
        /// What it pays.
        pays: Pay,
    },
    /// Different points made in one hand of the shooter, settled by the seven-out or by the sixth point.
    Fire {
        /// What each count of points pays to one; 0 loses.
        pays: [u16; 7],
    },
}

impl Rule {
    /// The automaton of a unit bet.
    pub(crate) fn automaton(self) -> Automaton {
        match self {
            Self::Line(line) => line_bet(line),
            Self::Crapless => crapless(),
            Self::Number { number, side, pays } => number_against_seven(number, side, pays),
            Self::Hardway { number, pays } => hardway(number, pays),
            Self::Totals(totals) => one_roll(totals),
            Self::Hop { faces, pays } => hop(faces, pays),
            Self::Collect { numbers, pays } => collect(numbers, pays),
            Self::Fire { pays } => fire(pays),
        }
    }
}

/// A payoff of `win` for a stake of `stake`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pay {
    win: u16,
    stake: u16,
}

pub(crate) const fn pays(win: u16, stake: u16) -> Pay {
    Pay { win, stake }
}

impl Pay {
    fn net(self) -> Fraction {
        fraction(self.win, self.stake)
    }
}

/// When the 5 % commission of a buy or lay bet is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Commission {
    /// With the bet, kept win or lose; it counts as stake.
    UpFront,
    /// From a win.
    OnWin,
}

/// True odds on a number, for 5 % of the bet. Twenty units make every figure whole.
pub(crate) const fn buy(number: u8, commission: Commission) -> Rule {
    let (win, stake) = true_odds(number);
    let pays = with_commission(20 * win / stake, 20, commission);
    Rule::Number { number, side: Side::Right, pays }
}

/// True odds on the seven, for 5 % of the amount to be won: twenty units.
pub(crate) const fn lay(number: u8, commission: Commission) -> Rule {
    let (win, stake) = true_odds(number);
    let pays = with_commission(20, 20 * win / stake, commission);
    Rule::Number { number, side: Side::Wrong, pays }
}

const fn true_odds(number: u8) -> (u16, u16) {
    match Point::from_total(number) {
        Some(point) => (point.true_odds().0 as u16, point.true_odds().1 as u16),
        None => panic!("only points are bought and laid"),
    }
}

/// One unit is 5 % of twenty.
const fn with_commission(win: u16, stake: u16, commission: Commission) -> Pay {
    match commission {
        Commission::UpFront => pays(win - 1, stake + 1),
        Commission::OnWin => pays(win - 1, stake),
    }
}

const WIN: usize = 0;
const LOSE: usize = 1;
const PUSH: usize = 2;

/// The outcomes of a bet that is simply won or lost, at [`WIN`] and [`LOSE`].
fn win_or_lose(net: Fraction) -> Vec<Outcome> {
    vec![outcome("win", Settlement::Win, net), loss("lose")]
}

fn outcome(label: impl Into<String>, settlement: Settlement, net: Fraction) -> Outcome {
    Outcome { label: label.into(), settlement, net }
}

fn loss(label: impl Into<String>) -> Outcome {
    outcome(label, Settlement::Lose, fraction(-1, 1))
}

fn line_bet(line: Line) -> Automaton {
    let mut outcomes = win_or_lose(fraction(1, 1));
    outcomes.extend(line.barred.map(|_| outcome("push", Settlement::Push, fraction(0, 1))));
    line.automaton(outcomes, |ending: LineOutcome| match ending.settlement(line.side) {
        Settlement::Win => WIN,
        Settlement::Lose => LOSE,
        Settlement::Push | Settlement::BreakEven => PUSH,
    })
}

fn crapless() -> Automaton {
    Automaton::explore(win_or_lose(fraction(1, 1)), None, |point, dice| match (*point, dice.total()) {
        (None, 7) => Step::Settle(WIN),
        (None, total) => Step::Go(Some(total)),
        (Some(_), 7) => Step::Settle(LOSE),
        (Some(point), total) if total == point => Step::Settle(WIN),
        (standing, _) => Step::Go(standing),
    })
}

fn number_against_seven(number: u8, side: Side, pays: Pay) -> Automaton {
    let (on_number, on_seven) = match side {
        Side::Right => (WIN, LOSE),
        Side::Wrong => (LOSE, WIN),
    };
    Automaton::explore(win_or_lose(pays.net()), (), |(), dice| match dice.total() {
        7 => Step::Settle(on_seven),
        total if total == number => Step::Settle(on_number),
        _ => Step::Go(()),
    })
}

fn hardway(number: u8, pays: Pay) -> Automaton {
    Automaton::explore(win_or_lose(pays.net()), (), |(), dice| match dice.total() {
        7 => Step::Settle(LOSE),
        total if total == number => Step::Settle(if dice.is_hard() { WIN } else { LOSE }),
        _ => Step::Go(()),
    })
}

fn one_roll(totals: &[(u8, Pay)]) -> Automaton {
    let mut outcomes: Vec<_> = totals
        .iter()
        .map(|&(total, pays)| match pays.win {
            0 => outcome("break_even", Settlement::BreakEven, pays.net()),
            _ => outcome(format!("win_{total}"), Settlement::Win, pays.net()),
        })
        .collect();
    outcomes.push(loss("lose"));
    Automaton::explore(outcomes, (), |(), dice| {
        Step::Settle(totals.iter().position(|&(total, _)| total == dice.total()).unwrap_or(totals.len()))
    })
}

fn hop(faces: [u8; 2], pays: Pay) -> Automaton {
    let mut outcomes = win_or_lose(pays.net());
    outcomes[WIN].label = format!("win_{}", faces[0] + faces[1]);
    Automaton::explore(outcomes, (), |(), dice| {
        let [first, second] = dice.faces();
        Step::Settle(if faces == [first, second] || faces == [second, first] { WIN } else { LOSE })
    })
}

/// The state is the set of numbers still missing.
fn collect(numbers: &[u8], pays: Pay) -> Automaton {
    let missing = numbers.iter().fold(0u16, |set, &number| set | 1 << number);
    Automaton::explore(win_or_lose(pays.net()), missing, |&missing, dice| {
        match (dice.total(), missing & !(1 << dice.total())) {
            (7, _) => Step::Settle(LOSE),
            (_, 0) => Step::Settle(WIN),
            (_, left) => Step::Go(left),
        }
    })
}

/// The state is the set of points made so far and the point now set.
fn fire(pays: [u16; 7]) -> Automaton {
    let outcomes = pays
        .iter()
        .enumerate()
        .map(|(points, &pay)| match pay {
            0 => loss(format!("{points}_points")),
            _ => outcome(format!("{points}_points"), Settlement::Win, fraction(pay, 1)),
        })
        .collect();
    Automaton::explore(outcomes, (0u8, None), |&(made, point), dice| match (point, dice.total()) {
        (None, total) => Step::Go((made, Point::from_total(total))),
        (Some(_), 7) => Step::Settle(made.count_ones() as usize),
        (Some(point), total) if total == point.number() => match made | 1 << point.index() {
            0b11_1111 => Step::Settle(6),
            made => Step::Go((made, None)),
        },
        (standing, _) => Step::Go((made, standing)),
    })
}
