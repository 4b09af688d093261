//! The tables that questions are answered from. Those of house rules are built when they are first asked for: a question
//! that lacks one is put aside until it stands, and asked again.

use std::cell::Cell;
use std::ops::Deref;
use std::sync::Arc;

use axum::response::IntoResponse;
use axum::routing::{MethodRouter, post};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use rayon::prelude::*;
use tokio::time::{Instant, timeout_at};

use super::rule_set::RuleSet;
use crate::build_cache::Failed;
use crate::http::batch::{Answers, Unanswered, Waiting, Weight, answer_all, json_response, off_the_workers};
use crate::http::body::JsonBody;
use crate::http::json::Json;
use crate::http::language::Language;
use crate::http::problem::{Context, Kind, Problem};
use crate::state::{AppState, HouseKey, HouseTable};
use crate::yahtzee::{GameTable, Moments};

/// How to answer one question, see [`crate::http::batch::Answer`]; the tables come from [`Tables`].
pub(crate) type Answer = fn(&Tables<'_>, &Json<'_>, Language, &mut Vec<u8>) -> Result<(), Problem>;

/// Bytes of a usual answer, so that its buffer need not grow.
const USUAL_ANSWER: usize = 2_048;

/// The sets of rules whose tables one batch may wait for.
const MOST_NEW_RULES: usize = 16;

/// What a question has waited for: the table, or why there is none.
type Waited = (HouseKey, Result<HouseTable, Kind>);

/// The tables as one question sees them.
pub(crate) struct Tables<'a> {
    pub(super) state: &'a AppState,
    waited: Option<&'a Waited>,
    /// What was asked for and is not there yet.
    lacking: Cell<Option<HouseKey>>,
}

/// A table that always stays, or one that stays as long as it is in use.
pub(super) enum Handle<'a, T> {
    Lent(&'a T),
    Shared(Arc<T>),
}

impl<T> Deref for Handle<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Lent(table) => table,
            Self::Shared(table) => table,
        }
    }
}

impl<'a> Tables<'a> {
    const fn new(state: &'a AppState, waited: Option<&'a Waited>) -> Self {
        Self { state, waited, lacking: Cell::new(None) }
    }

    /// The table of some rules. If it is still to be built, the error is passed on and never seen: the question is
    /// asked again. A question that needs the second moments as well asks for those first.
    pub(super) fn game(&self, rules: &RuleSet) -> Result<Handle<'a, GameTable>, Problem> {
        if let Some(preset) = rules.preset() {
            let table = self.state.yahtzee.game(preset).map(Handle::Lent);
            return table.ok_or(Problem::new(Kind::NotReady));
        }
        match self.waited {
            Some((HouseKey::Game(of) | HouseKey::Moments(of), waited)) if of == rules.rules() => match waited
            {
                Ok(HouseTable::Game(table) | HouseTable::Moments(table, _)) => {
                    Ok(Handle::Shared(Arc::clone(table)))
                }
                Err(kind) => Err(Problem::new(*kind)),
            },
            _ => {
                let table = self.state.yahtzee.find_game(rules.rules());
                table.map(Handle::Shared).ok_or_else(|| self.lack(HouseKey::Game(*rules.rules())))
            }
        }
    }

    /// The second moments under some rules, with the table that they belong to.
    pub(super) fn moments(&self, rules: &RuleSet) -> Result<(Arc<GameTable>, Arc<Moments>), Problem> {
        if rules.preset().is_some() {
            self.game(rules)?;
        }
        let key = HouseKey::Moments(*rules.rules());
        match self.waited {
            Some((waited, Ok(HouseTable::Moments(table, moments)))) if *waited == key => {
                Ok((Arc::clone(table), Arc::clone(moments)))
            }
            Some((waited, Err(kind))) if *waited == key => Err(Problem::new(*kind)),
            _ => self.state.yahtzee.find_moments(rules.rules()).ok_or_else(|| self.lack(key)),
        }
    }

    fn lack(&self, key: HouseKey) -> Problem {
        self.lacking.set(Some(key));
        Problem::new(Kind::NotReady)
    }
}

/// Answers one question with what it has waited for.
fn attempt(
    state: &AppState,
    waited: Option<&Waited>,
    answer: impl FnOnce(&Tables<'_>) -> Result<(), Problem>,
) -> Result<(), Unanswered<HouseKey>> {
    let tables = Tables::new(state, waited);
    answer(&tables).map_err(|problem| match tables.lacking.get() {
        Some(key) => Unanswered::Lacks(key),
        None => Unanswered::Problem(problem),
    })
}

/// The POST method of an endpoint that answers one question.
pub(crate) fn asked(answer: Answer) -> MethodRouter<Arc<AppState>> {
    post(move |context: Context, body: JsonBody| async move {
        let json = Json::parse(&body.0, context.language)?;
        answer_bytes(&context, &json, answer).await.map(json_response)
    })
}

/// The POST method of its batches.
pub(crate) fn asked_in_batches(answer: Answer) -> MethodRouter<Arc<AppState>> {
    post(move |context: Context, body: JsonBody| async move {
        let first = move |state: &AppState, json: &Json<'_>, language, bytes: &mut Vec<u8>| {
            attempt(state, None, |tables| answer(tables, json, language, bytes))
        };
        let mut answers = answer_all(&context, body.0, first).await?;
        let waiting = answers.take_waiting();
        if !waiting.is_empty() {
            answer_waiting(&context, &mut answers, waiting, answer).await?;
        }
        Ok::<_, Problem>(answers.into_response())
    })
}

/// Answers one question as bytes.
pub(super) async fn answer_bytes(
    context: &Context,
    json: &Json<'_>,
    answer: Answer,
) -> Result<Vec<u8>, Problem> {
    let mut waited = None;
    loop {
        let mut bytes = Vec::with_capacity(USUAL_ANSWER);
        let answered = attempt(&context.state, waited.as_ref(), |tables| {
            answer(tables, json, context.language, &mut bytes)
        });
        match answered {
            Ok(()) => return Ok(bytes),
            Err(Unanswered::Problem(problem)) => return Err(problem),
            Err(Unanswered::Lacks(key)) => waited = Some((key, wait(context, key).await)),
        }
    }
}

/// Answers the questions of a batch whose tables are still to be built. Each table is let go as soon as its questions
/// are answered, so that a batch holds one at a time.
async fn answer_waiting(
    context: &Context,
    answers: &mut Answers<HouseKey>,
    waiting: Vec<Waiting<HouseKey>>,
    answer: Answer,
) -> Result<(), Problem> {
    let mut groups: Vec<(HouseKey, Vec<Waiting<HouseKey>>)> = Vec::new();
    let mut surplus = Vec::new();
    for waiting in waiting {
        match groups.iter().position(|(key, _)| *key == waiting.key) {
            Some(index) => groups[index].1.push(waiting),
            None if groups.len() < MOST_NEW_RULES => groups.push((waiting.key, vec![waiting])),
            None => surplus.push(waiting),
        }
    }
    let detail = context.language.choose(
        format!(
            "A batch may hold at most {MOST_NEW_RULES} new sets of rules; send this one in another batch."
        ),
        format!("一个批次最多包含 {MOST_NEW_RULES} 组新规则；请在另一批次中发送此项。"),
    );
    answers.fail(context, &surplus, &Problem::new(Kind::RulesQueueFull).with_detail(detail))?;

    let Ok(_permit) = context.state.table_waiters.try_acquire() else {
        let full = Problem::new(Kind::RulesQueueFull);
        return groups.iter().try_for_each(|(_, group)| answers.fail(context, group, &full));
    };
    // All tables are ordered before one is waited for, and taken in whichever order they are built.
    let tables = FuturesUnordered::new();
    for (key, group) in groups {
        match context.state.yahtzee.get_house(key) {
            Ok(pending) => tables.push(async move { (key, group, within(context, pending.wait()).await) }),
            Err(_) => answers.fail(context, &group, &Problem::new(Kind::RulesQueueFull))?,
        }
    }
    let mut tables = std::pin::pin!(tables);
    while let Some((key, group, table)) = tables.next().await {
        if let Err(kind) = table {
            answers.fail(context, &group, &Problem::new(kind))?;
            continue;
        }
        let (group, waited) = (Arc::new(group), (key, table));
        let (questions, inner) = (Arc::clone(&group), context.clone());
        let weight = Weight::of_batch(group.iter().map(Waiting::len).sum());
        let work = move |state: &AppState| {
            let answer = |_: &AppState, json: &Json<'_>, language, bytes: &mut Vec<u8>| {
                attempt(state, Some(&waited), |tables| answer(tables, json, language, bytes))
            };
            questions
                .par_iter()
                .map(|question| question.answer(&inner, &answer))
                .collect::<Result<Vec<_>, _>>()
        };
        match off_the_workers(context, weight, work).await {
            Ok(answered) => answers.fill(answered),
            Err(problem) => answers.fail(context, &group, &problem)?,
        }
    }
    Ok(())
}

/// Waits for one table, as long as the request may.
async fn wait(context: &Context, key: HouseKey) -> Result<HouseTable, Kind> {
    let _permit = context.state.table_waiters.try_acquire().map_err(|_| Kind::RulesQueueFull)?;
    let pending = context.state.yahtzee.get_house(key).map_err(|_| Kind::RulesQueueFull)?;
    within(context, pending.wait()).await
}

/// What is built, unless the request's deadline comes first.
async fn within(
    context: &Context,
    built: impl Future<Output = Result<HouseTable, Failed>>,
) -> Result<HouseTable, Kind> {
    let until = context.deadline.when().unwrap_or_else(Instant::now);
    let built = timeout_at(until, built).await.map_err(|_| Kind::NotReady)?;
    built.map_err(|_| Kind::Internal)
}

/// The table of some rules for work that outlives a request.
pub(super) async fn game(context: &Context, rules: &RuleSet) -> Result<Arc<GameTable>, Problem> {
    if let Some(table) = context.state.yahtzee.find_game(rules.rules()) {
        return Ok(table);
    }
    if rules.preset().is_some() {
        return Err(Problem::new(Kind::NotReady));
    }
    match wait(context, HouseKey::Game(*rules.rules())).await {
        Ok(HouseTable::Game(table) | HouseTable::Moments(table, _)) => Ok(table),
        Err(kind) => Err(Problem::new(kind)),
    }
}
