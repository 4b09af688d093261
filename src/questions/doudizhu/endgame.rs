//! `POST /doudizhu/endgame`: who wins when all hands are open, and by which moves.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::{PlayName, cards, rules};
use crate::adviser::Adviser;
use crate::chinese::InChinese;
use crate::doudizhu::{
    Card, Endgame, EndgameFault, Hand, Kind, Move, Play, Preset, Rank, Solution, Token, Turn, reading_with,
};
use crate::questions::extract::{Field, Object, Path};
use crate::questions::{Asked, Form, Kind as ProblemKind, Language, Problem, Question, Read, Weight};

/// The seats of three players in the order of play.
const SEATS: [&str; 3] = ["landlord", "next", "previous"];

/// Most endgames are solved within these limits, in some milliseconds.
const USUAL_POSITIONS: u64 = 30_000;
const USUAL_TABLE: usize = 1 << 20;

/// The largest table of a search.
const MAX_TABLE: usize = 64 << 20;

/// The longest search.
const MAX_TIME: Duration = Duration::from_secs(8);

/// A request, decoded.
pub(crate) struct Request {
    preset: Preset,
    hands: Vec<Hand>,
    endgame: Endgame,
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let preset = rules(&mut object);
        let (names, hands, to_move) = hands(&mut object, preset);
        let forbidden = object.optional_or("forbidden", Vec::new(), |field| {
            field.array(0..=Kind::ALL.len(), |kind| kind.name_of(&Kind::ALL, Kind::name))
        });
        let beat = object.optional_or("beat", None, |field| beat(field, preset, names, to_move).map(Some));
        object.close();
        let (hands, to_move) = (hands?, to_move?);
        let counts: Vec<_> = hands.iter().map(Hand::counts).collect();
        let endgame = Endgame::new(&counts, to_move, beat?, &forbidden?);
        let endgame = endgame.map_err(|faults| faults.iter().for_each(|fault| note(fault, names, body))).ok();
        let is_one_deck = note_cards_given_twice(&hands, names, body);
        Some(Self { preset: preset?, endgame: endgame.filter(|_| is_one_deck)?, hands })
    }
}

impl Question for Request {
    fn weight(&self, _: &Adviser) -> Option<Weight> {
        Some(Weight::Heavy)
    }

    fn answer(&self, asked: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let solution = self.solve(asked.adviser)?;
        let result = match solution.wins() {
            Some(true) => "win",
            Some(false) => "lose",
            None => "unknown",
        };
        let mover = &self.hands[self.endgame.to_move()];
        let answer = EndgameView {
            rules: self.preset,
            to_move: self.seat(self.endgame.to_move()),
            result,
            moves: solution.moves().iter().map(|one| MoveView::new(one, mover)).collect(),
            line: self.line(solution.line()),
            searched: Searched { positions: solution.positions(), complete: solution.is_complete() },
            explanation: match asked.language {
                Language::English => solution.in_english(),
                Language::Chinese => solution.in_chinese(),
            },
        };
        Ok(serde_json::to_writer(bytes, &answer)?)
    }
}

impl Request {
    /// Solves the endgame: at first within a small table, then within half of what large answers may take.
    fn solve(&self, adviser: &Adviser) -> Result<Solution, Problem> {
        let solver = adviser.doudizhu.get(self.preset);
        let overloaded = || Problem::new(ProblemKind::Overloaded);
        {
            let _charge = adviser.memory.charge(USUAL_TABLE).ok_or_else(overloaded)?;
            let quick = self.endgame.solve_within(solver, USUAL_TABLE, |searched| searched < USUAL_POSITIONS);
            if quick.is_complete() {
                return Ok(quick);
            }
        }
        let bytes = adviser.search_bytes.min(MAX_TABLE);
        let _charge = adviser.memory.charge(bytes).ok_or_else(overloaded)?;
        let until = Instant::now() + MAX_TIME.min(adviser.search_time);
        Ok(self.endgame.solve_within(solver, bytes, |_| Instant::now() < until))
    }

    fn seat(&self, seat: usize) -> Seat {
        if self.hands.len() == 2 { Seat::Number(seat) } else { Seat::Name(SEATS[seat]) }
    }

    /// The turns of a line, each play with the tokens of its hand.
    fn line(&self, turns: &[Turn]) -> Vec<TurnView<'_>> {
        let plays_of = |seat| -> Vec<Play> {
            turns.iter().filter(|turn| turn.seat == seat).filter_map(|turn| turn.play).collect()
        };
        let dealt = self.hands.iter().enumerate().map(|(seat, hand)| hand.deal(&plays_of(seat)).into_iter());
        let mut dealt: Vec<_> = dealt.collect();
        let view = |turn: &Turn| TurnView {
            by: self.seat(turn.seat),
            play: PlayView::new(turn.play, |_| dealt[turn.seat].next().unwrap_or_default()),
        };
        turns.iter().map(view).collect()
    }
}

/// Whether the hands are named by seat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// Two hands in the list `hands`.
    Two,
    /// Three hands in fields of their own.
    Three,
}

/// Takes the hands and the seat to move.
fn hands(
    object: &mut Object<'_, '_, '_>,
    preset: Option<Preset>,
) -> (Names, Option<Vec<Hand>>, Option<usize>) {
    let (english, chinese) = (
        "Give two hands as `hands`, or three as `landlord`, `next` and `previous`.",
        "请用 `hands` 给出两手牌，或用 `landlord`、`next`、`previous` 给出三手牌。",
    );
    if !object.has_any(&["hands", SEATS[0], SEATS[1], SEATS[2]], english, chinese) {
        object.present("to_move");
        return (Names::Two, None, None);
    }
    let read = |field: &mut Field<'_, '_, '_>| cards::in_any_notation(field, preset);
    if object.present("hands").is_none() {
        // All are read, for their faults.
        let hands: Vec<_> = SEATS.iter().map(|seat| object.required(seat, read)).collect();
        let to_move = object.optional_or("to_move", 0, |field| seat_of(field, Names::Three));
        return (Names::Three, hands.into_iter().collect(), to_move);
    }
    for seat in SEATS {
        if object.present(seat).is_some() {
            object.note(seat, "both_given", english, chinese);
        }
    }
    let hands = object.required("hands", |field| field.array(2..=2, read));
    let to_move = object.optional_or("to_move", 0, |field| seat_of(field, Names::Two));
    (Names::Two, hands, to_move)
}

/// A seat: 0 or 1 of two hands, a name of three.
fn seat_of(field: &mut Field<'_, '_, '_>, names: Names) -> Option<usize> {
    match names {
        Names::Two => field.integer(0..=1).map(|seat| seat as usize),
        Names::Three => {
            let name = field.name_of(&SEATS, |name| name)?;
            SEATS.iter().position(|seat| *seat == name)
        }
    }
}

/// The play to beat and who made it: with two hands the other player, unless it is said.
fn beat(
    field: &mut Field<'_, '_, '_>,
    preset: Option<Preset>,
    names: Names,
    to_move: Option<usize>,
) -> Option<(usize, Play)> {
    let mut object = field.object()?;
    let by = match names {
        Names::Two => object.optional_or("by", 1 - to_move.unwrap_or(0), |field| seat_of(field, names)),
        Names::Three => object.required("by", |field| seat_of(field, names)),
    };
    let kind = object.optional("kind", |field| field.name_of(&Kind::ALL, Kind::name));
    let rank = object.optional("rank", |field| field.name_of(&Rank::ALL, Rank::name));
    let play = object.required("cards", |field| {
        let hand = cards::in_any_notation(field, preset)?;
        let found = reading_with(hand.counts(), kind, rank, &preset?.rules());
        found.map_err(|fault| cards::note_reading(&fault, ["kind", "rank"], field)).ok()
    });
    object.close();
    Some((by?, play?))
}

/// The place of a hand.
fn hand_at<'a>(names: Names, seat: usize, root: &'a Path<'a>, hands: &'a Path<'a>) -> Path<'a> {
    match names {
        Names::Two => Path::Index(hands, seat),
        Names::Three => Path::Field(root, SEATS[seat]),
    }
}

fn note(fault: &EndgameFault, names: Names, body: &mut Field<'_, '_, '_>) {
    let hands = Path::Field(body.at, "hands");
    let beat = Path::Field(body.at, "beat");
    let at = match *fault {
        EndgameFault::NumberOfHands { .. } => hands,
        EndgameFault::EmptyHand { seat } | EndgameFault::TooManyOfRank { seat, .. } => {
            hand_at(names, seat, body.at, &hands)
        }
        EndgameFault::NoSeatToMove { .. } => Path::Field(body.at, "to_move"),
        EndgameFault::NoSeatToBeat { .. } | EndgameFault::BeatsItself { .. } => Path::Field(&beat, "by"),
        EndgameFault::ForbiddenSingle => Path::Field(body.at, "forbidden"),
        EndgameFault::ForbiddenBeat { .. } => beat,
    };
    body.faults.add_fault(&at, fault);
}

/// Notes cards with a suit that two hands hold; false if there are any.
fn note_cards_given_twice(hands: &[Hand], names: Names, body: &mut Field<'_, '_, '_>) -> bool {
    let list = Path::Field(body.at, "hands");
    let (mut seen, mut is_one_deck) = (HashSet::new(), true);
    for (seat, hand) in hands.iter().enumerate() {
        for (rank, token) in hand.cards() {
            let suit = match token {
                Token::Text(text) => Card::read(text).and_then(|card| card.suit).map(|suit| suit as i64),
                Token::Numbers([_, suit]) => Some(*suit),
            };
            if suit.is_some_and(|suit| !seen.insert((*rank, suit))) {
                is_one_deck = false;
                body.faults.add(
                    &hand_at(names, seat, body.at, &list),
                    "same_card_twice",
                    format!("The card `{token}` is in two hands; a deck has it once."),
                    format!("牌 `{token}` 出现在两手牌中；一副牌中只有一张。"),
                );
            }
        }
    }
    is_one_deck
}

#[derive(Serialize)]
struct EndgameView<'a> {
    rules: Preset,
    to_move: Seat,
    result: &'static str,
    moves: Vec<MoveView<'a>>,
    line: Vec<TurnView<'a>>,
    searched: Searched,
    explanation: String,
}

#[derive(Serialize)]
struct Searched {
    positions: u64,
    complete: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Seat {
    Number(usize),
    Name(&'static str),
}

#[derive(Serialize)]
struct MoveView<'a> {
    #[serde(flatten)]
    play: PlayView<'a>,
    /// `None` if it is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    wins: Option<bool>,
}

impl<'a> MoveView<'a> {
    fn new(one: &Move, hand: &'a Hand) -> Self {
        let play = PlayView::new(one.play, |play| hand.deal(&[play]).concat());
        Self { play, wins: one.wins }
    }
}

#[derive(Serialize)]
struct TurnView<'a> {
    by: Seat,
    #[serde(flatten)]
    play: PlayView<'a>,
}

/// A play with its cards, or a pass.
#[derive(Serialize)]
#[serde(untagged)]
enum PlayView<'a> {
    Play {
        #[serde(flatten)]
        name: PlayName,
        cards: Vec<&'a Token>,
    },
    Pass {
        kind: &'static str,
        name: &'static str,
        name_zh: &'static str,
    },
}

impl<'a> PlayView<'a> {
    fn new(play: Option<Play>, cards: impl FnOnce(Play) -> Vec<&'a Token>) -> Self {
        match play {
            Some(play) => Self::Play { name: PlayName::of(play), cards: cards(play) },
            None => Self::Pass { kind: "pass", name: "pass", name_zh: "不出" },
        }
    }
}
