//! Waits for the tables of house rules, which are built when they are first asked for.

use tokio::time::{Instant, timeout_at};

use super::problem::Context;
use crate::adviser::HouseTable;
use crate::build_cache::Failed;
use crate::questions::{Kind, Need, Problem, Table, Unready};

/// What a question needs, as soon as it has been built, unless the request's deadline comes first.
pub(crate) async fn wait_for(context: &Context, need: Need) -> Result<Table, Problem> {
    match context.state.adviser.find(need) {
        Ok(table) => Ok(table),
        Err(Unready::Preset(_)) => Err(Problem::new(Kind::NotReady)),
        Err(Unready::House(key)) => {
            let full = || Problem::new(Kind::RulesQueueFull);
            let _permit = context.state.table_waiters.try_acquire().map_err(|_| full())?;
            let pending = context.state.adviser.yahtzee.get_or_build(key).map_err(|_| full())?;
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
