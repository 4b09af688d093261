//! `POST /doudizhu/kitty`: what the landlord's three cards make of a hand.

use serde::Serialize;

use super::{cards, rules};
use crate::adviser::Adviser;
use crate::chinese::InChinese;
use crate::doudizhu::{HAND_CARDS, Hand, KITTIES, Kitties, Kitty, Percentile, Preset, Rank, percentile};
use crate::questions::extract::Field;
use crate::questions::{Asked, Form, Kind, Language, Problem, Question, Read, Weight};

/// A request, decoded.
pub(crate) struct Request {
    preset: Preset,
    hand: Hand,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let preset = rules(&mut object);
        let hand = cards::hand_of(&mut object, preset, HAND_CARDS);
        object.close();
        Some(Self { preset: preset?, hand: hand? })
    }
}

impl Question for Request {
    fn weight(&self, _: &Adviser) -> Option<Weight> {
        Some(Weight::Light)
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let solver = asked.adviser.doudizhu.get(self.preset);
        // The edge has checked the size, so this error cannot arise.
        let found = Kitties::of(solver, self.hand.counts()).map_err(|_| Problem::new(Kind::Internal))?;
        let [fewer, same, more] = found.compared();
        let share = |&(min_plays, kitties): &(u8, u32)| Share {
            min_plays,
            kitties,
            probability: f64::from(kitties) / f64::from(KITTIES),
        };
        let answer = KittyView {
            rules: self.preset,
            min_plays: found.min_plays,
            percentile: percentile(self.preset, HAND_CARDS, found.min_plays),
            kitties: KITTIES,
            mean: found.mean(),
            shares: found.shares.iter().map(share).collect(),
            fewer,
            same,
            more,
            best: (&found.best).into(),
            worst: (&found.worst).into(),
            explanation: match asked.language {
                Language::English => found.in_english(),
                Language::Chinese => found.in_chinese(),
            },
        };
        Ok(serde_json::to_writer(bytes, &answer)?)
    }
}

#[derive(Serialize)]
struct KittyView {
    rules: Preset,
    min_plays: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    percentile: Option<Percentile>,
    kitties: u32,
    mean: f64,
    shares: Vec<Share>,
    fewer: u32,
    same: u32,
    more: u32,
    best: CardsView,
    worst: CardsView,
    explanation: String,
}

#[derive(Serialize)]
struct Share {
    min_plays: u8,
    kitties: u32,
    probability: f64,
}

#[derive(Serialize)]
struct CardsView {
    cards: [&'static str; 3],
    min_plays: u8,
}

impl From<&Kitty> for CardsView {
    fn from(kitty: &Kitty) -> Self {
        Self { cards: kitty.cards.map(Rank::name), min_plays: kitty.min_plays }
    }
}
