//! `/doudizhu/min-plays`, by POST, by GET and in batches.

use serde::Serialize;

use super::cards::{self, Cards, NOTATIONS, QUERY_NOTATIONS};
use super::{PlayName, rules};
use crate::adviser::Adviser;
use crate::chinese::InChinese;
use crate::doudizhu::{Explanation, Percentile, Preset, Token, percentile};
use crate::questions::extract::Field;
use crate::questions::query;
use crate::questions::{Asked, Form, Json, Kind, Language, Problem, Question, Read, Weight};

/// Hands of a game take microseconds; larger ones may take milliseconds and leave the async workers.
const MOST_CARDS_IN_PLACE: u8 = 20;

/// A request, decoded.
pub(crate) struct Request {
    preset: Preset,
    cards: Cards,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, form: Form, _: &Adviser) -> Option<Self> {
        let notations = if form == Form::Body { &NOTATIONS[..] } else { &QUERY_NOTATIONS };
        let mut object = body.object()?;
        let preset = rules(&mut object);
        let cards = cards::cards(&mut object, preset, notations);
        object.close();
        Some(Self { preset: preset?, cards: cards? })
    }

    fn from_query(text: &str) -> Json<'_> {
        let fields = query::fields(text).map(|(name, value)| {
            let value = if name == "cards" { query::words(&value) } else { Json::String(value) };
            (name, value)
        });
        Json::Object(fields.collect())
    }
}

impl Question for Request {
    fn weight(&self, _: &Adviser) -> Option<Weight> {
        match &self.cards {
            Cards::Hand(hand) if hand.counts().total() > MOST_CARDS_IN_PLACE => Some(Weight::Light),
            _ => None,
        }
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let solver = asked.adviser.doudizhu.get(self.preset);
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
                explanation: match asked.language {
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
