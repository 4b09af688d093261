//! The bets of the table.

use super::automaton::Automaton;
use super::catalogue::{CATALOGUE, Entry};
use super::group::Group;
use super::line::Line;
use super::rule::Rule;

/// One of the 110 bets of the table.
///
/// ```
/// use kibitz_craps::bet::Bet;
/// let bet = Bet::from_id("place_6").unwrap();
/// assert_eq!((bet.name(), bet.pays()), ("Place 6 to win", "7 to 6"));
/// assert_eq!(Bet::all().count(), 110);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bet(u8);

impl Bet {
    /// The pass line.
    pub const PASS_LINE: Self = Self(0);
    /// The come bet.
    pub const COME: Self = Self(1);
    /// Don't pass with 12 barred.
    pub const DONT_PASS: Self = Self(2);
    /// Don't come with 12 barred.
    pub const DONT_COME: Self = Self(5);

    /// All bets in the order of the table.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..CATALOGUE.len() as u8).map(Self)
    }

    /// The bet of this id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::all().find(|bet| bet.id() == id)
    }

    /// Position in [`Bet::all`].
    pub fn index(self) -> usize {
        self.0.into()
    }

    fn entry(self) -> &'static Entry {
        &CATALOGUE[self.index()]
    }

    /// A stable id such as `pass_line`.
    pub fn id(self) -> &'static str {
        self.entry().id
    }

    /// The English name.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The group it is listed under.
    pub fn group(self) -> Group {
        self.entry().group
    }

    /// What it pays, in words.
    pub fn pays(self) -> &'static str {
        self.entry().pays
    }

    /// What it is.
    pub fn rule(self) -> Rule {
        self.entry().rule
    }

    /// The rules of the line, for pass, come and don't bets: those that can have odds.
    pub fn line(self) -> Option<Line> {
        match self.rule() {
            Rule::Line(line) => Some(line),
            _ => None,
        }
    }

    /// The bet's whole course.
    pub fn automaton(self) -> Automaton {
        self.rule().automaton()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Settlement;
    use crate::fraction::fraction;

    #[test]
    fn ids_are_unique_and_constants_point_home() {
        let ids: std::collections::HashSet<_> = Bet::all().map(Bet::id).collect();
        assert_eq!(ids.len(), 110);
        let named = [Bet::PASS_LINE, Bet::COME, Bet::DONT_PASS, Bet::DONT_COME].map(Bet::id);
        assert_eq!(named, ["pass_line", "come", "dont_pass", "dont_come"]);
        assert_eq!(Bet::from_id("pass"), None);
        assert!(Group::ALL.iter().all(|g| Group::from_id(g.id()) == Some(*g)));
    }

    /// The words and the figures of the table are one truth: "7 to 6" must be the net of every win.
    #[test]
    fn plain_words_match_the_payoff() {
        let mut checked = 0;
        for bet in Bet::all() {
            let Some((win, stake)) = bet.pays().trim_end_matches(" on bet + commission").split_once(" to ")
            else {
                continue;
            };
            let (Ok(win), Ok(stake)) = (win.parse::<i64>(), stake.parse::<i64>()) else { continue };
            for outcome in bet.automaton().outcomes().iter().filter(|o| o.settlement == Settlement::Win) {
                assert_eq!(outcome.net, fraction(win, stake), "{}", bet.id());
                checked += 1;
            }
        }
        assert!(checked >= 98, "{checked}");
    }

    #[test]
    fn labels_are_unique_and_losses_cost_the_stake() {
        for bet in Bet::all() {
            let automaton = bet.automaton();
            let labels: std::collections::HashSet<_> =
                automaton.outcomes().iter().map(|o| &o.label).collect();
            assert_eq!(labels.len(), automaton.outcomes().len(), "{}", bet.id());
            for outcome in automaton.outcomes() {
                let sign = match outcome.settlement {
                    Settlement::Win => outcome.net > fraction(0, 1),
                    Settlement::Push | Settlement::BreakEven => outcome.net == fraction(0, 1),
                    Settlement::Lose => outcome.net == fraction(-1, 1),
                };
                assert!(sign, "{} {}", bet.id(), outcome.label);
            }
        }
    }
}
