//! `/doudizhu/min-plays`, by POST, by GET and in batches.

use serde::Serialize;

use super::cards::{self, Cards, NOTATIONS, QUERY_NOTATIONS};
use super::wild::{self, Wild, WildHand};
use super::{PlayName, rules};
use crate::adviser::Adviser;
use crate::chinese::InChinese;
use crate::doudizhu::{Counts, Explanation, Percentile, Play, Preset, Rank, Token, percentile};
use crate::questions::extract::Field;
use crate::questions::query;
use crate::questions::{Asked, Form, Json, Kind, Language, Problem, Question, Read, Weight};

/// Hands of a game take microseconds; larger ones may take milliseconds and leave the async workers.
const MOST_CARDS_IN_PLACE: u8 = 20;

/// A request, decoded.
pub(crate) struct Request {
    preset: Preset,
    cards: Given,
}

enum Given {
    Plain(Cards),
    Wild(WildHand),
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, form: Form, _: &Adviser) -> Option<Self> {
        let notations = if form == Form::Body { &NOTATIONS[..] } else { &QUERY_NOTATIONS };
        let mut object = body.object()?;
        let preset = rules(&mut object);
        let wild = wild::wild(&mut object);
        let cards = cards::cards(&mut object, preset, notations, matches!(wild, Some(Wild::Number(_))));
        let cards = match (cards, wild) {
            (Some(cards), Some(wild)) => WildHand::new(cards, wild, &mut object).map(Given::Wild),
            (cards, _) => cards.map(Given::Plain),
        };
        object.close();
        Some(Self { preset: preset?, cards: cards? })
    }

    fn from_query(text: &str) -> Json<'_> {
        let fields = query::fields(text).map(|(name, value)| {
            let value = match &*name {
                "cards" => query::words(&value),
                "wild_cards" => query::number(value),
                _ => Json::String(value),
            };
            (name, value)
        });
        Json::Object(fields.collect())
    }
}

impl Question for Request {
    fn weight(&self, _: &Adviser) -> Option<Weight> {
        match &self.cards {
            Given::Plain(Cards::Hand(hand)) if hand.counts().total() > MOST_CARDS_IN_PLACE => {
                Some(Weight::Light)
            }
            Given::Wild(_) => Some(Weight::Light),
            Given::Plain(_) => None,
        }
    }

    fn milliseconds(&self) -> u32 {
        match &self.cards {
            // With three or four wild cards there are hundreds of hands to search.
            Given::Wild(hand) if hand.wild.len() > 2 => 2,
            _ => 0,
        }
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let solver = asked.adviser.doudizhu.get(self.preset);
        let hand = match &self.cards {
            Given::Wild(hand) => return self.answer_wild(hand, asked, bytes),
            Given::Plain(Cards::Hand(hand)) => hand,
            Given::Plain(Cards::Shape(shape)) => {
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
                plays: plays.map(|(play, cards)| PlayView::new(*play, cards, Counts::EMPTY)).collect(),
                explanation: match asked.language {
                    Language::English => explanation.in_english(),
                    Language::Chinese => explanation.in_chinese(),
                },
            }),
        };
        Ok(serde_json::to_writer(bytes, &answer)?)
    }
}

impl Request {
    fn answer_wild(&self, hand: &WildHand, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let WildHand { hand, wild } = hand;
        let solver = asked.adviser.doudizhu.get(self.preset);
        // The edge has checked the numbers of cards.
        let plan = solver.solve_with_wild_blocking(hand.counts(), wild.len() as u8);
        let plan = plan.ok_or(Problem::new(Kind::Internal))?;
        let plays = plan.plays().zip(hand.deal_with(wild, &plan));
        let answer = MinPlays {
            rules: self.preset,
            card_count: u32::from(hand.counts().total()) + wild.len() as u32,
            min_plays: plan.plan().plays().len() as u8,
            percentile: None,
            witness: Some(Witness {
                plays: plays
                    .map(|((play, stands_for), cards)| PlayView::new(play, cards, stands_for))
                    .collect(),
                explanation: match asked.language {
                    Language::English => plan.in_english(),
                    Language::Chinese => plan.in_chinese(),
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
    /// The ranks of the wild cards, which are the last cards.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stands_for: Vec<&'static str>,
}

impl<'a> PlayView<'a> {
    fn new(play: Play, cards: Vec<&'a Token>, stands_for: Counts) -> Self {
        Self { name: PlayName::of(play), cards, stands_for: stands_for.ranks().map(Rank::name).collect() }
    }
}
