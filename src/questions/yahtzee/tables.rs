//! The tables that questions are answered from. Those of house rules are built when they are first asked for.

use std::sync::Arc;

use super::rule_set::RuleSet;
use crate::adviser::{Adviser, HouseKey, HouseTable};
use crate::questions::{Kind, Problem};
use crate::yahtzee::{Distribution, GameTable, Moments, Preset};

/// What must have been built before a question can be answered.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    /// Nothing.
    Nothing,
    /// The table of some rules.
    Game(RuleSet),
    /// The second moments under some rules, and the table that they belong to.
    Moments(RuleSet),
    /// The distribution of the final score of a whole game under some rules, and the table that it belongs to.
    WholeGame(RuleSet),
}

/// What a question needed.
pub(crate) struct Table(Option<HouseTable>);

impl Table {
    /// Nothing, for a question that needs nothing.
    pub(crate) const fn none() -> Self {
        Self(None)
    }

    /// The table of the question's rules.
    pub(crate) fn game(&self) -> Result<&Arc<GameTable>, Problem> {
        match &self.0 {
            Some(
                HouseTable::Game(table) | HouseTable::Moments(table, _) | HouseTable::WholeGame(table, _),
            ) => Ok(table),
            None => Err(Problem::new(Kind::Internal)),
        }
    }

    /// The same with the second moments, if they were needed.
    pub(super) fn moments(&self) -> Option<(&GameTable, &Moments)> {
        match &self.0 {
            Some(HouseTable::Moments(table, moments)) => Some((table, moments)),
            _ => None,
        }
    }

    /// The distribution of the final score of a whole game, if it was needed.
    pub(super) const fn whole_game(&self) -> Option<&Arc<Distribution>> {
        match &self.0 {
            Some(HouseTable::WholeGame(_, distribution)) => Some(distribution),
            _ => None,
        }
    }
}

impl From<HouseTable> for Table {
    fn from(table: HouseTable) -> Self {
        Self(Some(table))
    }
}

/// Why what a question needs is not there.
pub(crate) enum Unready {
    /// The table of this preset has not been built.
    Preset(Preset),
    /// The table of house rules, or the second moments, must be built first.
    House(HouseKey),
}

impl Adviser {
    /// What a question needs, if it has been built.
    pub(crate) fn find(&self, need: Need) -> Result<Table, Unready> {
        let (rules, key) = match need {
            Need::Nothing => return Ok(Table::none()),
            Need::Game(rules) => (rules, HouseKey::Game(*rules.rules())),
            Need::Moments(rules) => (rules, HouseKey::Moments(*rules.rules())),
            Need::WholeGame(rules) => (rules, HouseKey::WholeGame(*rules.rules())),
        };
        if let Some(preset) = rules.preset().filter(|preset| self.yahtzee.game(*preset).is_none()) {
            return Err(Unready::Preset(preset));
        }
        let found = match key {
            HouseKey::Game(rules) => self.yahtzee.find_game(&rules).map(HouseTable::Game),
            HouseKey::Moments(rules) => {
                self.yahtzee.find_moments(&rules).map(|(table, moments)| HouseTable::Moments(table, moments))
            }
            HouseKey::WholeGame(_) => self.yahtzee.find_built(&key),
        };
        found.map(Table::from).ok_or(Unready::House(key))
    }
}
