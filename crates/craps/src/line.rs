//! The course of pass, come and don't bets: a come-out, then a race between the point and seven.

use super::automaton::{Automaton, Settlement, Step};
use super::dice::{Point, move_puck};

/// Which side of the dice a line bet is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// With the shooter: pass and come.
    Right,
    /// Against the shooter: don't pass and don't come.
    Wrong,
}

/// The rules of one line bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Line {
    /// The side it is on.
    pub side: Side,
    /// The total that is a push on the come-out, where one is barred (2, 3 or 12).
    pub barred: Option<u8>,
}

/// Whether a come bet's odds work while the shooter has no point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComeOdds {
    /// Off: on a come-out the odds are returned, whatever the flat bet does. The custom of the tables.
    Off,
    /// Called working: at risk on every roll.
    Working,
}

/// Every way in which a line bet ends, whatever it pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineOutcome {
    /// 7 or 11 on the bet's first roll.
    Natural,
    /// 2, 3 or 12 on the bet's first roll, unless barred.
    Craps,
    /// The barred total on the bet's first roll.
    Barred,
    /// A point was set, then made or missed.
    Decided {
        /// The number that was set.
        point: Point,
        /// Whether it came before a seven.
        made: bool,
        /// Whether the odds were at risk on the deciding roll.
        odds_working: bool,
    },
}

impl LineOutcome {
    /// A stable label.
    pub fn label(self) -> String {
        match self {
            Self::Natural => "natural".to_owned(),
            Self::Craps => "craps".to_owned(),
            Self::Barred => "bar_push".to_owned(),
            Self::Decided { point, made, odds_working } => format!(
                "point_{}_{}{}",
                point.number(),
                if made { "made" } else { "missed" },
                if odds_working { "" } else { "_odds_returned" }
            ),
        }
    }

    /// How the flat bet counts.
    pub fn settlement(self, side: Side) -> Settlement {
        let shooter_wins = match self {
            Self::Barred => return Settlement::Push,
            Self::Natural => true,
            Self::Craps => false,
            Self::Decided { made, .. } => made,
        };
        if shooter_wins == (side == Side::Right) { Settlement::Win } else { Settlement::Lose }
    }
}

impl Line {
    /// All outcomes in order: natural, craps, the six points made and missed, those with returned odds, the bar.
    pub fn outcomes(self, come_odds: ComeOdds) -> Vec<LineOutcome> {
        let mut outcomes = vec![LineOutcome::Natural, LineOutcome::Craps];
        let kinds: &[bool] = if come_odds == ComeOdds::Off { &[true, false] } else { &[true] };
        for &odds_working in kinds {
            for point in Point::ALL {
                outcomes.extend([true, false].map(|made| LineOutcome::Decided { point, made, odds_working }));
            }
        }
        outcomes.extend(self.barred.map(|_| LineOutcome::Barred));
        outcomes
    }

    /// One roll of the bet itself, whose point is set or not.
    fn step(self, point: Option<Point>, total: u8, odds_working: bool) -> Result<Option<Point>, LineOutcome> {
        match point {
            None if Some(total) == self.barred => Err(LineOutcome::Barred),
            None if total == 7 || total == 11 => Err(LineOutcome::Natural),
            None => Point::from_total(total).map(Some).ok_or(LineOutcome::Craps),
            Some(point) if total == point.number() => {
                Err(LineOutcome::Decided { point, made: true, odds_working })
            }
            Some(point) if total == 7 => Err(LineOutcome::Decided { point, made: false, odds_working }),
            standing => Ok(standing),
        }
    }

    /// The automaton of this bet, each outcome placed by `index_of` in `outcomes`. Odds always work.
    pub(crate) fn automaton(
        self,
        outcomes: Vec<super::automaton::Outcome>,
        index_of: impl Fn(LineOutcome) -> usize,
    ) -> Automaton {
        Automaton::explore(outcomes, None, |&point, dice| match self.step(point, dice.total(), true) {
            Ok(next) => Step::Go(next),
            Err(outcome) => Step::Settle(index_of(outcome)),
        })
    }

    /// A come bet made right after the puck was set, with its odds off while the puck is off: the state is the puck
    /// and the bet's own point.
    pub(crate) fn automaton_under_the_puck(
        self,
        outcomes: Vec<super::automaton::Outcome>,
        index_of: impl Fn(LineOutcome) -> usize,
    ) -> Automaton {
        let starts = Point::ALL.map(|puck| ((Some(puck), None), puck.ways())).to_vec();
        Automaton::explore_from(outcomes, starts, |&(puck, point), dice| {
            let total = dice.total();
            match self.step(point, total, puck.is_some()) {
                Ok(next) => Step::Go((move_puck(puck, total), next)),
                Err(outcome) => Step::Settle(index_of(outcome)),
            }
        })
    }
}
