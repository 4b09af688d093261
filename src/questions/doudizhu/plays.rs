//! `POST /doudizhu/plays`: everything that may be played now, best first.

use serde::Serialize;

use super::{PlayName, cards, rules};
use crate::adviser::Adviser;
use crate::chinese::explain_hints;
use crate::doudizhu::{Hand, Hint, MOST_CARDS_FOR_HINTS, Play, Preset, Token, hints};
use crate::questions::extract::Field;
use crate::questions::{Asked, Form, Kind, Language, Problem, Question, Read};

/// How many plays an answer shows unless the request says otherwise.
const USUAL_LIMIT: i64 = 20;

/// A request, decoded.
pub(crate) struct Request {
    preset: Preset,
    hand: Hand,
    beat: Option<Play>,
    limit: usize,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let preset = rules(&mut object);
        let hand = cards::hand(&mut object, preset, MOST_CARDS_FOR_HINTS);
        let beat = cards::play_to_beat(&mut object, preset);
        let limit = object.optional("limit", |field| field.integer(1..=1_000));
        object.close();
        Some(Self { preset: preset?, hand: hand?, beat, limit: limit.unwrap_or(USUAL_LIMIT) as usize })
    }
}

impl Question for Request {
    /// The plays of the largest hand take about 100 us, so it stays on the worker.
    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let Self { preset, ref hand, beat, limit } = *self;
        // The edge has checked the size, so this error cannot arise.
        let found = hints(asked.adviser.doudizhu.get(preset), hand.counts(), beat)
            .map_err(|_| Problem::new(Kind::Internal))?;
        let answer = Plays {
            rules: preset,
            card_count: hand.counts().total(),
            min_plays: found.min_plays,
            total: found.plays.len(),
            plays: found.plays.iter().take(limit).map(|hint| HintView::new(hint, hand)).collect(),
            explanation: match asked.language {
                Language::English => found.in_english(beat),
                Language::Chinese => explain_hints(&found, beat),
            },
        };
        Ok(serde_json::to_writer(bytes, &answer)?)
    }
}

#[derive(Serialize)]
struct Plays<'a> {
    rules: Preset,
    card_count: u8,
    min_plays: u8,
    total: usize,
    plays: Vec<HintView<'a>>,
    explanation: String,
}

#[derive(Serialize)]
struct HintView<'a> {
    #[serde(flatten)]
    name: PlayName,
    cards: Vec<&'a Token>,
    min_plays_left: u8,
    loss: u8,
    splits_bomb: bool,
    splits_rocket: bool,
}

impl<'a> HintView<'a> {
    fn new(hint: &Hint, hand: &'a Hand) -> Self {
        let Hint { play, min_plays_left, loss, splits_bomb, splits_rocket } = *hint;
        let cards = hand.deal(&[play]).concat();
        Self { name: PlayName::of(play), cards, min_plays_left, loss, splits_bomb, splits_rocket }
    }
}
