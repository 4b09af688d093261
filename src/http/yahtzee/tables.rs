//! The tables that questions are answered from. Those of house rules are built when they are first asked for: a question
//! that lacks one is put aside until it stands, and asked again.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::routing::{MethodRouter, post};
use tokio::time::{Instant, timeout_at};

use super::rule_set::RuleSet;
use crate::http::batch::{answer_all_blocking, json_response, off_the_workers, weight_of};
use crate::http::extract::JsonBody;
use crate::http::json::Json;
use crate::http::language::Language;
use crate::http::problem::{Context, Kind, Problem};
use crate::state::{AppState, HouseKey, HouseTable};
use crate::yahtzee::{GameTable, Moments};

/// How to answer one question, see [`crate::http::batch::Answer`]; the tables come from [`Tables`].
pub(crate) type Answer = fn(&Tables<'_>, &Json<'_>, Language, &mut Vec<u8>) -> Result<(), Problem>;

/// Room for a usual answer, so that its buffer need not grow.
const USUAL_ANSWER: usize = 2_048;

/// What a question has waited for, by name: it stays at hand until the question is answered.
type Held = HashMap<HouseKey, Result<HouseTable, Kind>>;

/// The tables as one question (or one batch) sees them.
pub(crate) struct Tables<'a> {
    pub(super) state: &'a AppState,
    held: &'a Held,
    /// What was asked for and does not stand.
    lacking: Mutex<Vec<HouseKey>>,
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
    const fn new(state: &'a AppState, held: &'a Held) -> Self {
        Self { state, held, lacking: Mutex::new(Vec::new()) }
    }

    /// The table of some rules. Where it is still to be built, the error is passed on and never seen: the question is
    /// asked again.
    pub(super) fn game(&self, rules: &RuleSet) -> Result<Handle<'a, GameTable>, Problem> {
        if let Some(preset) = rules.preset() {
            let table = self.state.yahtzee.game(preset).map(Handle::Lent);
            return table.ok_or(Problem::new(Kind::NotReady));
        }
        let key = HouseKey::Game(*rules.rules());
        match self.held.get(&key) {
            Some(Ok(HouseTable::Game(table) | HouseTable::Moments(table, _))) => {
                return Ok(Handle::Shared(Arc::clone(table)));
            }
            Some(Err(kind)) => return Err(Problem::new(*kind)),
            None => {}
        }
        let table = self.state.yahtzee.find_game(rules.rules());
        table.map(Handle::Shared).ok_or_else(|| self.lack(key))
    }

    /// The second moments under some rules, with the table that they belong to.
    pub(super) fn moments(&self, rules: &RuleSet) -> Result<(Arc<GameTable>, Arc<Moments>), Problem> {
        if rules.preset().is_some() {
            self.game(rules)?;
        }
        let key = HouseKey::Moments(*rules.rules());
        match self.held.get(&key) {
            Some(Ok(HouseTable::Moments(table, moments))) => {
                return Ok((Arc::clone(table), Arc::clone(moments)));
            }
            Some(Ok(HouseTable::Game(_))) => return Err(Problem::new(Kind::Internal)),
            Some(Err(kind)) => return Err(Problem::new(*kind)),
            None => {}
        }
        self.state.yahtzee.find_moments(rules.rules()).ok_or_else(|| self.lack(key))
    }

    fn lack(&self, key: HouseKey) -> Problem {
        let mut lacking = self.lacking.lock().unwrap_or_else(PoisonError::into_inner);
        if !lacking.contains(&key) {
            lacking.push(key);
        }
        Problem::new(Kind::NotReady)
    }

    fn into_lacking(self) -> Vec<HouseKey> {
        self.lacking.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
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
        answer_all(context, body.0, answer).await.map(json_response)
    })
}

/// Answers one question as bytes.
pub(super) async fn answer_bytes(
    context: &Context,
    json: &Json<'_>,
    answer: Answer,
) -> Result<Vec<u8>, Problem> {
    let mut held = Held::new();
    loop {
        let (result, lacking) = {
            let tables = Tables::new(&context.state, &held);
            let mut bytes = Vec::with_capacity(USUAL_ANSWER);
            let result = answer(&tables, json, context.language, &mut bytes).map(|()| bytes);
            (result, tables.into_lacking())
        };
        if lacking.is_empty() {
            return result;
        }
        hold(context, lacking, &mut held).await;
    }
}

async fn answer_all(context: Context, body: Bytes, answer: Answer) -> Result<Vec<u8>, Problem> {
    let mut held = Held::new();
    loop {
        let (inner, whole) = (context.clone(), body.clone());
        let work = move |state: &AppState| {
            let tables = Tables::new(state, &held);
            let answer =
                |json: &Json<'_>, language, bytes: &mut Vec<u8>| answer(&tables, json, language, bytes);
            let result = answer_all_blocking(&inner, &whole, answer);
            let lacking = tables.into_lacking();
            Ok((result, lacking, held))
        };
        let (result, lacking, back) = off_the_workers(&context, weight_of(&body), work).await?;
        if lacking.is_empty() {
            return result;
        }
        held = back;
        hold(&context, lacking, &mut held).await;
    }
}

/// Waits for tables, and puts each, or why there is none, where the question finds it.
async fn hold(context: &Context, lacking: Vec<HouseKey>, held: &mut Held) {
    let state = &context.state;
    let Ok(_place) = state.table_waiters.try_acquire() else {
        held.extend(lacking.into_iter().map(|key| (key, Err(Kind::RulesQueueFull))));
        return;
    };
    // The answer must come before the time of the request ends.
    let until = context.deadline.when().unwrap_or_else(Instant::now);
    // All of them are ordered before one is waited for.
    let ordered: Vec<_> = lacking.into_iter().map(|key| (key, state.yahtzee.get_house(key))).collect();
    for (key, pending) in ordered {
        let table = match pending {
            Ok(pending) => match timeout_at(until, pending.wait()).await {
                Ok(built) => built.map_err(|_| Kind::Internal),
                Err(_) => Err(Kind::NotReady),
            },
            Err(_) => Err(Kind::RulesQueueFull),
        };
        held.insert(key, table);
    }
}

/// The table of some rules for work that outlives a request.
pub(super) async fn game(context: &Context, rules: &RuleSet) -> Result<Arc<GameTable>, Problem> {
    if let Some(table) = context.state.yahtzee.find_game(rules.rules()) {
        return Ok(table);
    }
    if rules.preset().is_some() {
        return Err(Problem::new(Kind::NotReady));
    }
    let (key, mut held) = (HouseKey::Game(*rules.rules()), Held::new());
    hold(context, vec![key], &mut held).await;
    match held.remove(&key) {
        Some(Ok(HouseTable::Game(table) | HouseTable::Moments(table, _))) => Ok(table),
        Some(Err(kind)) => Err(Problem::new(kind)),
        None => Err(Problem::new(Kind::Internal)),
    }
}
