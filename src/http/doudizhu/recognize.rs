//! `POST /doudizhu/recognize`: what play, if any, some cards are.

use serde::Serialize;

use super::{PlayName, cards, rules};
use crate::doudizhu::{Hand, Play, Preset, Rank, readings};
use crate::http::extract::Field;
use crate::http::json::Json;
use crate::http::language::Language;
use crate::http::problem::Problem;
use crate::state::AppState;

/// More cards than a whole deck are refused by the hand itself.
const MOST_CARDS: u8 = 54;

/// Answers one question.
pub(crate) fn answer(
    _: &AppState,
    json: &Json<'_>,
    language: Language,
    bytes: &mut Vec<u8>,
) -> Result<(), Problem> {
    let Request { preset, hand, beat } = Field::decode(json, language, Request::decode)?;
    let found = readings(hand.counts(), &preset.rules());
    let readings = found.iter().map(|play| Reading {
        name: PlayName::of(*play),
        rank: play.rank(),
        length: play.length(),
        beats: beat.map(|other| play.beats(other)),
    });
    let answer = Readings { rules: preset, card_count: hand.counts().total(), readings: readings.collect() };
    Ok(serde_json::to_writer(bytes, &answer)?)
}

struct Request {
    preset: Preset,
    hand: Hand,
    beat: Option<Play>,
}

impl Request {
    fn decode(body: &mut Field<'_, '_, '_>) -> Option<Self> {
        let mut object = body.object()?;
        let preset = rules(&mut object);
        let hand = cards::hand(&mut object, preset, MOST_CARDS);
        let beat = cards::play_to_beat(&mut object, preset);
        object.close();
        Some(Self { preset: preset?, hand: hand?, beat })
    }
}

#[derive(Serialize)]
struct Readings {
    rules: Preset,
    card_count: u8,
    readings: Vec<Reading>,
}

#[derive(Serialize)]
struct Reading {
    #[serde(flatten)]
    name: PlayName,
    rank: Rank,
    length: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    beats: Option<bool>,
}
