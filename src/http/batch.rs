//! A batch is answered on all cores, and one bad question never spoils the rest.
//!
//! Each question of a batch is read, answered and written by itself, so that memory holds the tree of one question for
//! each core. Answers are charged to the budget of batches while they are made and until they have been sent.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{self, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use hyper::body::{Frame, SizeHint};
use rayon::prelude::*;

use super::problem::Context;
use super::question::json_response;
use super::tables;
use super::unsent::Charged;
use super::work::off_the_workers;
use crate::adviser::{Adviser, HouseKey};
use crate::budget::ChargedBuffer;
use crate::questions::{
    Asked, Form, Json, Kind, Operation, Problem, Question, Table, Unready, Weight, envelope,
};

/// How many questions of a batch are answered into one buffer: enough to share its growth, few enough to spread.
const CHUNK: usize = 32;

/// The most bytes of a light batch: they hold some ten questions of a few milliseconds each.
const LIGHT_BODY: usize = 1_024;

/// The most questions that are light together.
const LIGHT_QUESTIONS: usize = 10;

/// The faults of one question that a batch lists: a thousand bad questions must not swell the answer.
const MOST_FAULTS: usize = 8;

/// The sets of rules whose tables one batch may wait for.
const MOST_NEW_RULES: usize = 16;

/// Milliseconds of one core that the long questions of a batch may take together.
const MOST_MILLISECONDS: u32 = 2_000;

/// A question that needs a table which is still to be built, with its place among the answers.
struct Waiting {
    key: HouseKey,
    question: Box<dyn Question>,
    index: usize,
    piece: usize,
}

/// The answers of a batch in the order of its questions, as `{"results": [...]}`, in pieces that go out one by one.
pub(super) struct Answers {
    pieces: Vec<Bytes>,
}

/// Answers each of `{"requests": [...]}` with `{"result": ...}` or `{"problem": ...}`.
pub(super) async fn answer_all(
    context: &Context,
    operation: &'static Operation,
    body: Bytes,
) -> Result<Answers, Problem> {
    let inner = context.clone();
    let weight = if body.len() <= LIGHT_BODY { Weight::Light } else { Weight::Heavy };
    let first = off_the_workers(context, weight, move |_| {
        let texts = envelope::split(&body, inner.language)?;
        drop(body);
        answer_texts_blocking(&inner, operation, texts)
    });
    let (mut answers, waiting) = first.await?;
    if !waiting.is_empty() {
        answer_waiting(context, &mut answers, waiting).await?;
    }
    Ok(answers)
}

/// Answers every question whose table is there.
fn answer_texts_blocking(
    context: &Context,
    operation: &Operation,
    texts: Vec<Bytes>,
) -> Result<(Answers, Vec<Waiting>), Problem> {
    let mut chunks = Vec::new();
    let mut texts = texts.into_iter().enumerate();
    while texts.len() > 0 {
        chunks.push(texts.by_ref().take(CHUNK).collect::<Vec<_>>());
    }
    let left = AtomicU32::new(MOST_MILLISECONDS);
    let chunks = chunks.into_par_iter().map(|texts| answer_chunk(context, operation, texts, &left));
    let chunks = chunks.collect::<Result<Vec<_>, _>>()?;
    let (mut pieces, mut all) = (vec![Bytes::from_static(b"{\"results\":[")], Vec::new());
    for (mut chunk, mut waiting) in chunks {
        waiting.iter_mut().for_each(|waiting: &mut Waiting| waiting.piece += pieces.len());
        pieces.append(&mut chunk);
        all.append(&mut waiting);
    }
    pieces.push(Bytes::from_static(b"]}"));
    Ok((Answers { pieces }, all))
}

/// Answers a few questions into one buffer, which is cut into pieces at each question that has to wait. `left` is what is
/// left of [`MOST_MILLISECONDS`].
fn answer_chunk(
    context: &Context,
    operation: &Operation,
    texts: Vec<(usize, Bytes)>,
    left: &AtomicU32,
) -> Result<(Vec<Bytes>, Vec<Waiting>), Problem> {
    let (mut pieces, mut waiting) = (Vec::new(), Vec::new());
    let mut buffer = buffer(context, texts.len() * Operation::USUAL_ANSWER)?;
    for (index, text) in texts {
        let question = judged(context, || {
            let json = Json::parse(&text, context.language)?;
            let question = operation.read(&context.state.adviser, &json, Form::Body, context.language)?;
            let milliseconds = question.milliseconds();
            let spent = left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(milliseconds));
            spent.map(|_| question).map_err(|_| too_long(context))
        })?;
        let ready = question.and_then(|question| match context.state.adviser.find(question.needs()) {
            Ok(table) => Ok(Ok((question, table))),
            Err(Unready::House(key)) => Ok(Err((question, key))),
            Err(Unready::Preset(_)) => Err(Problem::new(Kind::NotReady)),
        });
        match ready {
            Ok(Ok((question, table))) => write(context, &mut buffer, index, Ok((&*question, &table)))?,
            Ok(Err((question, key))) => {
                let before = std::mem::replace(&mut buffer, self::buffer(context, Operation::USUAL_ANSWER)?);
                pieces.extend([before.into_bytes(), Bytes::new()]);
                waiting.push(Waiting { key, question, index, piece: pieces.len() - 1 });
            }
            Err(problem) => write(context, &mut buffer, index, Err(problem))?,
        }
    }
    pieces.push(buffer.into_bytes());
    Ok((pieces, waiting))
}

fn too_long(context: &Context) -> Problem {
    let (english, chinese) = (
        "The questions of this batch take too long together; ask this one in another batch.",
        "此批次的问题合计耗时过长；请在另一批次中发送此项。",
    );
    Problem::new(Kind::Overloaded).with_detail(context.language.choose(english, chinese))
}

/// Answers the questions whose tables are still to be built. Each table is let go as soon as its questions are answered,
/// so that a batch holds one at a time.
async fn answer_waiting(
    context: &Context,
    answers: &mut Answers,
    waiting: Vec<Waiting>,
) -> Result<(), Problem> {
    let mut groups: Vec<(HouseKey, Vec<Waiting>)> = Vec::new();
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
    let built = FuturesUnordered::new();
    for (key, group) in groups {
        match context.state.adviser.yahtzee.get_or_build(key) {
            Ok(pending) => built.push(async move { (group, tables::within(context, pending.wait()).await) }),
            Err(_) => answers.fail(context, &group, &Problem::new(Kind::RulesQueueFull))?,
        }
    }
    let mut built = pin!(built);
    while let Some((group, table)) = built.next().await {
        let table = match table {
            Ok(table) => Table::from(table),
            Err(kind) => {
                answers.fail(context, &group, &Problem::new(kind))?;
                continue;
            }
        };
        let weight = if group.len() <= LIGHT_QUESTIONS { Weight::Light } else { Weight::Heavy };
        let group = Arc::new(group);
        let (questions, inner) = (Arc::clone(&group), context.clone());
        let work = move |_: &Adviser| {
            let answer = |waiting: &Waiting| piece(&inner, waiting, Ok((&*waiting.question, &table)));
            questions.par_iter().map(answer).collect::<Result<Vec<_>, _>>()
        };
        match off_the_workers(context, weight, work).await {
            Ok(answered) => answers.fill(answered),
            Err(problem) => answers.fail(context, &group, &problem)?,
        }
    }
    Ok(())
}

impl Answers {
    /// Puts in the answers to questions that had to wait.
    fn fill(&mut self, answered: Vec<(usize, Bytes)>) {
        for (piece, bytes) in answered {
            if let Some(place) = self.pieces.get_mut(piece) {
                *place = bytes;
            }
        }
    }

    /// Puts in a problem for questions that cannot have what they need.
    fn fail(&mut self, context: &Context, waiting: &[Waiting], problem: &Problem) -> Result<(), Problem> {
        let reject = |waiting| piece(context, waiting, Err(problem.clone()));
        self.fill(waiting.iter().map(reject).collect::<Result<_, _>>()?);
        Ok(())
    }
}

/// The answer to a question that had to wait, with its place.
fn piece(
    context: &Context,
    waiting: &Waiting,
    ready: Result<(&dyn Question, &Table), Problem>,
) -> Result<(usize, Bytes), Problem> {
    let mut buffer = buffer(context, Operation::USUAL_ANSWER)?;
    write(context, &mut buffer, waiting.index, ready)?;
    Ok((waiting.piece, buffer.into_bytes()))
}

/// What `work` does for one question. An outer error is one of the whole batch: nobody will read the answer.
fn judged<T>(
    context: &Context,
    work: impl FnOnce() -> Result<T, Problem>,
) -> Result<Result<T, Problem>, Problem> {
    if context.deadline.is_abandoned() {
        return Err(Problem::new(Kind::Timeout));
    }
    Ok(if context.deadline.has_passed() { Err(Problem::new(Kind::Timeout)) } else { work() })
}

/// Appends `{"result": ...}` or `{"problem": ...}`; an error is one of the whole batch.
fn write(
    context: &Context,
    buffer: &mut ChargedBuffer,
    index: usize,
    ready: Result<(&dyn Question, &Table), Problem>,
) -> Result<(), Problem> {
    let bytes = &mut buffer.bytes;
    if index > 0 {
        bytes.push(b',');
    }
    let start = bytes.len();
    bytes.extend_from_slice(b"{\"result\":");
    let answer = |(question, table): (&dyn Question, &Table)| {
        let asked = Asked { adviser: &context.state.adviser, table, language: context.language };
        judged(context, || question.answer(&asked, bytes))
    };
    if let Err(problem) = ready.map_or_else(|problem| Ok(Err(problem)), answer)? {
        bytes.truncate(start);
        bytes.extend_from_slice(b"{\"problem\":");
        serde_json::to_writer(&mut *bytes, &context.body_of(&problem.with_at_most(MOST_FAULTS)))?;
    }
    bytes.push(b'}');
    if buffer.settle() { Ok(()) } else { Err(Problem::new(Kind::Overloaded)) }
}

fn buffer(context: &Context, bytes: usize) -> Result<ChargedBuffer, Problem> {
    let budget = &context.state.budgets.batches;
    ChargedBuffer::with_capacity(budget, bytes).ok_or(Problem::new(Kind::Overloaded))
}

impl IntoResponse for Answers {
    fn into_response(self) -> Response {
        let mut response = json_response(Body::new(Pieces(self.pieces.into())));
        response.extensions_mut().insert(Charged);
        response
    }
}

/// A body in pieces, each of which is let go as soon as it has been sent.
struct Pieces(VecDeque<Bytes>);

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut task::Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.iter().map(|piece| piece.len() as u64).sum())
    }
}
