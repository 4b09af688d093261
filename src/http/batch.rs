//! One question or many: a batch is answered on all cores, and one bad question never spoils the rest.
//!
//! Each question of a batch is read, answered and written by itself, so that memory holds the tree of one question for
//! each core. Answers are charged to the budget of batches while they are made and until they have been sent.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{self, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, post};
use hyper::body::{Frame, SizeHint};
use rayon::prelude::*;

use super::body::JsonBody;
use super::envelope;
use super::json::Json;
use super::language::Language;
use super::problem::{Context, Kind, Problem};
use super::unsent::Charged;
use crate::budget::{Budget, ChargedBuffer};
use crate::state::AppState;

/// How many questions of a batch are answered into one buffer: enough to share its growth, few enough to spread.
const CHUNK: usize = 32;

/// The most bytes of a light batch: they hold some ten questions of a few milliseconds each.
const LIGHT_BODY: usize = 1_024;

/// Bytes of a usual answer, so that its buffer need not grow.
const USUAL_ANSWER: usize = 2_048;

/// The faults of one question that a batch lists: a thousand bad questions must not swell the answer.
const MOST_FAULTS: usize = 8;

/// How to answer one question: a body is decoded and its answer appended to the bytes. After an error the bytes are in
/// no certain state.
pub(crate) type Answer = fn(&AppState, &Json<'_>, Language, &mut Vec<u8>) -> Result<(), Problem>;

/// The POST method of an endpoint that answers one question.
pub(crate) fn asked(answer: Answer) -> MethodRouter<Arc<AppState>> {
    post(move |State(state): State<Arc<AppState>>, context: Context, body: JsonBody| async move {
        let json = Json::parse(&body.0, context.language)?;
        let mut bytes = Vec::with_capacity(USUAL_ANSWER);
        answer(&state, &json, context.language, &mut bytes)?;
        Ok::<_, Problem>(json_response(bytes))
    })
}

/// The POST method of its batches.
pub(crate) fn asked_in_batches(answer: Answer) -> MethodRouter<Arc<AppState>> {
    post(move |context: Context, body: JsonBody| async move {
        let answer = move |state: &AppState, json: &Json<'_>, language, bytes: &mut Vec<u8>| {
            answer(state, json, language, bytes).map_err(Unanswered::<Infallible>::Problem)
        };
        answer_all(&context, body.0, answer).await.map(IntoResponse::into_response)
    })
}

/// An answer's bytes as a response.
pub(crate) fn json_response(body: impl Into<Body>) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], body.into()).into_response()
}

/// How long work takes, which says what permit it waits for: light work does not wait behind heavy work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// At most some milliseconds.
    Light,
    /// Up to a second.
    Heavy,
}

impl Weight {
    /// The weight of a batch whose questions take `bytes` bytes.
    pub(crate) const fn of_batch(bytes: usize) -> Self {
        if bytes <= LIGHT_BODY { Self::Light } else { Self::Heavy }
    }
}

/// Does work of more than about 100 us where it does not hold up other requests: it waits for a permit, then has a
/// thread of its own.
pub(crate) async fn off_the_workers<T: Send + 'static>(
    context: &Context,
    weight: Weight,
    work: impl FnOnce(&AppState) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let state = Arc::clone(&context.state);
    let permits = match weight {
        Weight::Light => &state.light,
        Weight::Heavy => &state.heavy,
    };
    let permit = permits.take(context.client).await.ok_or(Problem::new(Kind::Overloaded))?;
    context.deadline.begin_work();
    // The permit goes with the work: a client that leaves does not free it before the work has ended.
    let work = tokio::task::spawn_blocking(move || {
        let done = work(&state);
        drop(permit);
        done
    });
    work.await.map_err(|error| {
        tracing::error!(%error, "work off the workers failed");
        Problem::new(Kind::Internal)
    })?
}

/// Why a question has no answer yet.
pub(crate) enum Unanswered<K> {
    /// It is at fault, or the service cannot answer it.
    Problem(Problem),
    /// It lacks something that can be waited for.
    Lacks(K),
}

/// A question that lacks something, with its text and its place among the answers.
pub(crate) struct Waiting<K> {
    pub(crate) key: K,
    pub(crate) question: Question,
    piece: usize,
}

/// One question of a batch.
pub(crate) struct Question {
    index: usize,
    text: Bytes,
}

/// The answers of a batch in the order of its questions, as `{"results": [...]}`, in pieces that go out one by one.
pub(crate) struct Answers<K> {
    pieces: Vec<Bytes>,
    waiting: Vec<Waiting<K>>,
}

/// Answers each of `{"requests": [...]}` with `{"result": ...}` or `{"problem": ...}`.
pub(crate) async fn answer_all<K: Send + 'static>(
    context: &Context,
    body: Bytes,
    answer: impl Fn(&AppState, &Json<'_>, Language, &mut Vec<u8>) -> Result<(), Unanswered<K>>
    + Send
    + Sync
    + 'static,
) -> Result<Answers<K>, Problem> {
    let context = context.clone();
    let weight = Weight::of_batch(body.len());
    off_the_workers(&context.clone(), weight, move |_| {
        let texts = envelope::split(&body, context.language)?.into_iter().enumerate();
        let questions: Vec<_> = texts.map(|(index, text)| Question { index, text }).collect();
        drop(body);
        Answers::make_blocking(&context, questions, &answer)
    })
    .await
}

impl<K: Send> Answers<K> {
    fn make_blocking(
        context: &Context,
        questions: Vec<Question>,
        answer: &(impl Fn(&AppState, &Json<'_>, Language, &mut Vec<u8>) -> Result<(), Unanswered<K>> + Sync),
    ) -> Result<Self, Problem> {
        let mut chunks = Vec::new();
        let mut questions = questions.into_iter();
        while questions.len() > 0 {
            chunks.push(questions.by_ref().take(CHUNK).collect::<Vec<_>>());
        }
        let chunks = chunks.into_par_iter().map(|questions| Self::of_chunk(context, questions, answer));
        let chunks = chunks.collect::<Result<Vec<_>, _>>()?;
        let mut all = Self { pieces: vec![Bytes::from_static(b"{\"results\":[")], waiting: Vec::new() };
        for mut chunk in chunks {
            let before = all.pieces.len();
            chunk.waiting.iter_mut().for_each(|waiting| waiting.piece += before);
            all.pieces.append(&mut chunk.pieces);
            all.waiting.append(&mut chunk.waiting);
        }
        all.pieces.push(Bytes::from_static(b"]}"));
        Ok(all)
    }

    fn of_chunk(
        context: &Context,
        questions: Vec<Question>,
        answer: &impl Fn(&AppState, &Json<'_>, Language, &mut Vec<u8>) -> Result<(), Unanswered<K>>,
    ) -> Result<Self, Problem> {
        let budget = &context.state.budgets.batches;
        let mut chunk = Self { pieces: Vec::new(), waiting: Vec::new() };
        let mut buffer = buffer(budget, questions.len() * USUAL_ANSWER)?;
        for question in questions {
            let start = buffer.bytes.len();
            match question.answer(context, &mut buffer.bytes, answer) {
                Ok(()) if buffer.settle() => {}
                Ok(()) => return Err(Problem::new(Kind::Overloaded)),
                Err(Unanswered::Problem(problem)) => return Err(problem),
                Err(Unanswered::Lacks(key)) => {
                    buffer.bytes.truncate(start);
                    let before = std::mem::replace(&mut buffer, self::buffer(budget, USUAL_ANSWER)?);
                    chunk.pieces.extend([before.into_bytes(), Bytes::new()]);
                    chunk.waiting.push(Waiting { key, question, piece: chunk.pieces.len() - 1 });
                }
            }
        }
        chunk.pieces.push(buffer.into_bytes());
        Ok(chunk)
    }

    /// The questions that lack something. The caller gives each of them to [`Self::fill`] or [`Self::fail`].
    pub(crate) fn take_waiting(&mut self) -> Vec<Waiting<K>> {
        std::mem::take(&mut self.waiting)
    }

    /// Puts in the answers to questions that lacked something.
    pub(crate) fn fill(&mut self, answered: Vec<(usize, Bytes)>) {
        for (piece, bytes) in answered {
            if let Some(place) = self.pieces.get_mut(piece) {
                *place = bytes;
            }
        }
    }

    /// Puts in a problem for questions that cannot have what they lack.
    pub(crate) fn fail(
        &mut self,
        context: &Context,
        waiting: &[Waiting<K>],
        problem: &Problem,
    ) -> Result<(), Problem> {
        let refuse = |waiting: &Waiting<K>| {
            let mut buffer = buffer(&context.state.budgets.batches, USUAL_ANSWER)?;
            waiting.question.refuse(context, &mut buffer.bytes, problem)?;
            settled(buffer).map(|bytes| (waiting.piece, bytes))
        };
        self.fill(waiting.iter().map(refuse).collect::<Result<_, _>>()?);
        Ok(())
    }
}

impl<K> Waiting<K> {
    /// Bytes of the question.
    pub(crate) fn len(&self) -> usize {
        self.question.text.len()
    }

    /// The answer with its place, or the problem that ends the whole batch.
    pub(crate) fn answer<L>(
        &self,
        context: &Context,
        answer: &impl Fn(&AppState, &Json<'_>, Language, &mut Vec<u8>) -> Result<(), Unanswered<L>>,
    ) -> Result<(usize, Bytes), Problem> {
        let mut buffer = buffer(&context.state.budgets.batches, USUAL_ANSWER)?;
        match self.question.answer(context, &mut buffer.bytes, answer) {
            Ok(()) => settled(buffer).map(|bytes| (self.piece, bytes)),
            Err(Unanswered::Problem(problem)) => Err(problem),
            // It has had what it lacked.
            Err(Unanswered::Lacks(_)) => Err(Problem::new(Kind::Internal)),
        }
    }
}

impl Question {
    /// Appends `{"result": ...}` or `{"problem": ...}`; an error is one of the whole batch.
    fn answer<K>(
        &self,
        context: &Context,
        bytes: &mut Vec<u8>,
        answer: &impl Fn(&AppState, &Json<'_>, Language, &mut Vec<u8>) -> Result<(), Unanswered<K>>,
    ) -> Result<(), Unanswered<K>> {
        if context.deadline.is_abandoned() {
            // Nobody will read the answer.
            return Err(Unanswered::Problem(Problem::new(Kind::Timeout)));
        }
        let start = bytes.len();
        self.begin(bytes);
        bytes.extend_from_slice(b"{\"result\":");
        let answered = if context.deadline.has_passed() {
            Err(Unanswered::Problem(Problem::new(Kind::Timeout)))
        } else {
            Json::parse(&self.text, context.language)
                .map_err(Unanswered::Problem)
                .and_then(|json| answer(&context.state, &json, context.language, bytes))
        };
        match answered {
            Ok(()) => {
                bytes.push(b'}');
                Ok(())
            }
            Err(Unanswered::Problem(problem)) => {
                bytes.truncate(start);
                self.refuse(context, bytes, &problem.with_at_most(MOST_FAULTS)).map_err(Unanswered::Problem)
            }
            lacks => lacks,
        }
    }

    /// Appends `{"problem": ...}`.
    fn refuse(&self, context: &Context, bytes: &mut Vec<u8>, problem: &Problem) -> Result<(), Problem> {
        self.begin(bytes);
        bytes.extend_from_slice(b"{\"problem\":");
        serde_json::to_writer(&mut *bytes, &problem.body(context))?;
        bytes.push(b'}');
        Ok(())
    }

    fn begin(&self, bytes: &mut Vec<u8>) {
        if self.index > 0 {
            bytes.push(b',');
        }
    }
}

fn settled(mut buffer: ChargedBuffer) -> Result<Bytes, Problem> {
    if buffer.settle() { Ok(buffer.into_bytes()) } else { Err(Problem::new(Kind::Overloaded)) }
}

fn buffer(budget: &Budget, bytes: usize) -> Result<ChargedBuffer, Problem> {
    ChargedBuffer::with_capacity(budget, bytes).ok_or(Problem::new(Kind::Overloaded))
}

impl<K> IntoResponse for Answers<K> {
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
