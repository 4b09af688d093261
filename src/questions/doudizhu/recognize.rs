//! `POST /doudizhu/recognize`: what play, if any, some cards are.

use serde::Serialize;

use super::{PlayName, cards, rules};
use crate::adviser::Adviser;
use crate::doudizhu::{Hand, Play, Preset, Rank, readings};
use crate::questions::extract::Field;
use crate::questions::{Asked, Form, Problem, Question, Read};

/// The hand itself rejects more cards than a whole deck.
const MOST_CARDS: u8 = 54;

/// A request, decoded.
pub(crate) struct Request {
    preset: Preset,
    hand: Hand,
    beat: Option<Play>,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let preset = rules(&mut object);
        let hand = cards::hand(&mut object, preset, MOST_CARDS);
        let beat = cards::play_to_beat(&mut object, preset);
        object.close();
        Some(Self { preset: preset?, hand: hand?, beat })
    }
}

impl Question for Request {
    fn answer(&self, _: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let found = readings(self.hand.counts(), &self.preset.rules());
        let readings = found.iter().map(|play| Reading {
            name: PlayName::of(*play),
            rank: play.rank(),
            length: play.length(),
            beats: self.beat.map(|other| play.beats(other)),
        });
        let card_count = self.hand.counts().total();
        let answer = Readings { rules: self.preset, card_count, readings: readings.collect() };
        Ok(serde_json::to_writer(bytes, &answer)?)
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
