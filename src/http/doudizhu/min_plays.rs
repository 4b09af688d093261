//! `/doudizhu/min-plays`, by POST, by GET and in batches.

use axum::extract::RawQuery;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

use super::cards::{self, Cards, NOTATIONS, QUERY_NOTATIONS};
use super::{PlayName, rules};
use crate::chinese::InChinese;
use crate::doudizhu::{Explanation, Percentile, Preset, Token, percentile};
use crate::http::batch::{Weight, json_response, off_the_workers};
use crate::http::cache::pure_json;
use crate::http::extract::{Field, JsonBody};
use crate::http::json::Json;
use crate::http::language::Language;
use crate::http::problem::{Context, Kind, Problem};
use crate::http::query;
use crate::state::AppState;

/// Hands of a game take microseconds; larger ones may take milliseconds and leave the async workers.
const MOST_CARDS_IN_PLACE: u8 = 20;

/// The POST handler.
pub(crate) async fn post(context: Context, body: JsonBody) -> Result<Response, Problem> {
    let request = Request::read(&Json::parse(&body.0, context.language)?, &NOTATIONS, context.language)?;
    request.answer(&context).await.map(json_response)
}

/// Answers one question of a batch, where it is.
pub(crate) fn answer(
    state: &AppState,
    json: &Json<'_>,
    language: Language,
    bytes: &mut Vec<u8>,
) -> Result<(), Problem> {
    Request::read(json, &NOTATIONS, language)?.write(state, language, bytes)
}

/// The GET handler.
pub(crate) async fn get(
    context: Context,
    headers: HeaderMap,
    RawQuery(text): RawQuery,
) -> Result<Response, Problem> {
    let request = Request::read(&from_query(&text.unwrap_or_default()), &QUERY_NOTATIONS, context.language)?;
    let body = request.answer(&context).await?;
    Ok(pure_json(&headers, body))
}

/// A query as the body that a POST would have sent.
fn from_query(text: &str) -> Json<'_> {
    let fields = query::fields(text).map(|(name, value)| {
        let value = if name == "cards" { query::words(&value) } else { Json::String(value) };
        (name, value)
    });
    Json::Object(fields.collect())
}

/// A request, decoded.
struct Request {
    preset: Preset,
    cards: Cards,
}

impl Request {
    fn read(json: &Json<'_>, notations: &[&'static str], language: Language) -> Result<Self, Problem> {
        Field::decode(json, language, |body| Self::decode(body, notations))
    }

    fn decode(body: &mut Field<'_, '_, '_>, notations: &[&'static str]) -> Option<Self> {
        let mut object = body.object()?;
        let preset = rules(&mut object);
        let cards = cards::cards(&mut object, preset, notations);
        object.close();
        Some(Self { preset: preset?, cards: cards? })
    }

    async fn answer(self, context: &Context) -> Result<Vec<u8>, Problem> {
        let language = context.language;
        let write = move |request: Self, state: &AppState| {
            let mut bytes = Vec::with_capacity(1_024);
            request.write(state, language, &mut bytes).map(|()| bytes)
        };
        match &self.cards {
            Cards::Hand(hand) if hand.counts().total() > MOST_CARDS_IN_PLACE => {
                off_the_workers(context, Weight::Light, move |state| write(self, state)).await
            }
            _ => write(self, &context.state),
        }
    }

    fn write(&self, state: &AppState, language: Language, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let solver = state.doudizhu.get(self.preset);
        let hand = match &self.cards {
            Cards::Hand(hand) => hand,
            Cards::Shape(shape) => {
                // The edge has checked the shape, so this error cannot arise.
                let min_plays =
                    solver.min_plays_of_shape(*shape).map_err(|_| Problem::new(Kind::Internal))?;
                let card_count = shape.card_count();
                let answer =
                    MinPlays { rules: self.preset, card_count, min_plays, percentile: None, witness: None };
                return Ok(serde_json::to_writer(bytes, &answer)?);
            }
        };
        let plan = solver.solve(hand.counts());
        let explanation = Explanation::new(solver, hand.counts(), plan);
        let plays = plan.plays().iter().zip(hand.deal(plan.plays()));
        let min_plays = plan.plays().len() as u8;
        let answer = MinPlays {
            rules: self.preset,
            card_count: hand.counts().total().into(),
            min_plays,
            percentile: percentile(self.preset, hand.counts().total(), min_plays),
            witness: Some(Witness {
                plays: plays.map(|(play, cards)| PlayView { name: PlayName::of(*play), cards }).collect(),
                explanation: match language {
                    Language::English => explanation.in_english(),
                    Language::Chinese => explanation.in_chinese(),
                },
            }),
        };
        Ok(serde_json::to_writer(bytes, &answer)?)
    }
}

#[derive(Serialize)]
struct MinPlays<'a> {
    rules: Preset,
    card_count: u32,
    min_plays: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    percentile: Option<Percentile>,
    #[serde(flatten)]
    witness: Option<Witness<'a>>,
}

#[derive(Serialize)]
struct Witness<'a> {
    plays: Vec<PlayView<'a>>,
    explanation: String,
}

#[derive(Serialize)]
struct PlayView<'a> {
    #[serde(flatten)]
    name: PlayName,
    cards: Vec<&'a Token>,
}
