//! The tables that questions are answered from. Those of house rules are built when they are first asked for.

use std::sync::Arc;

use tokio::time::{Instant, timeout_at};

use super::rule_set::RuleSet;
use crate::build_cache::Failed;
use crate::http::problem::{Context, Kind, Problem};
use crate::state::{AppState, HouseKey, HouseTable};
use crate::yahtzee::{GameTable, Moments};

/// What must have been built before a question can be answered.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    /// Nothing.
    Nothing,
    /// The table of some rules.
    Game(RuleSet),
    /// The second moments under some rules, and the table that they belong to.
    Moments(RuleSet),
}

/// What a question needed.
pub(crate) struct Table(Option<HouseTable>);

impl Table {
    /// The table of the question's rules.
    pub(super) fn game(&self) -> Result<&GameTable, Problem> {
        match &self.0 {
            Some(HouseTable::Game(table) | HouseTable::Moments(table, _)) => Ok(table),
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
}

impl From<HouseTable> for Table {
    fn from(table: HouseTable) -> Self {
        Self(Some(table))
    }
}

/// Why what a question needs is not there.
pub(crate) enum Unready {
    /// It can be built.
    Lacks(HouseKey),
    /// The service is not ready.
    Problem(Problem),
}

/// What a question needs, if it has been built.
pub(crate) fn find(state: &AppState, need: Need) -> Result<Table, Unready> {
    let (rules, key) = match need {
        Need::Nothing => return Ok(Table(None)),
        Need::Game(rules) => (rules, HouseKey::Game(*rules.rules())),
        Need::Moments(rules) => (rules, HouseKey::Moments(*rules.rules())),
    };
    if rules.preset().is_some_and(|preset| state.yahtzee.game(preset).is_none()) {
        return Err(Unready::Problem(Problem::new(Kind::NotReady)));
    }
    let found = match key {
        HouseKey::Game(rules) => state.yahtzee.find_game(&rules).map(HouseTable::Game),
        HouseKey::Moments(rules) => {
            state.yahtzee.find_moments(&rules).map(|(table, moments)| HouseTable::Moments(table, moments))
        }
    };
    found.map(Table::from).ok_or(Unready::Lacks(key))
}

/// What a question needs, as soon as it has been built, unless the request's deadline comes first.
pub(crate) async fn wait_for(context: &Context, need: Need) -> Result<Table, Problem> {
    match find(&context.state, need) {
        Ok(table) => Ok(table),
        Err(Unready::Problem(problem)) => Err(problem),
        Err(Unready::Lacks(key)) => {
            let full = |_| Problem::new(Kind::RulesQueueFull);
            let _permit =
                context.state.table_waiters.try_acquire().map_err(|_| Problem::new(Kind::RulesQueueFull))?;
            let pending = context.state.yahtzee.get_house(key).map_err(full)?;
            within(context, pending.wait()).await.map(Table::from).map_err(Problem::new)
        }
    }
}

/// What is built, unless the request's deadline comes first.
pub(crate) async fn within(
    context: &Context,
    built: impl Future<Output = Result<HouseTable, Failed>>,
) -> Result<HouseTable, Kind> {
    let until = context.deadline.when().unwrap_or_else(Instant::now);
    let built = timeout_at(until, built).await.map_err(|_| Kind::NotReady)?;
    built.map_err(|_| Kind::Internal)
}

/// The table of some rules for work that outlives a request.
pub(super) async fn game(context: &Context, rules: &RuleSet) -> Result<Arc<GameTable>, Problem> {
    match wait_for(context, Need::Game(*rules)).await?.0 {
        Some(HouseTable::Game(table) | HouseTable::Moments(table, _)) => Ok(table),
        None => Err(Problem::new(Kind::Internal)),
    }
}
