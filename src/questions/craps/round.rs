//! `POST /craps/round`: the state machine of one round, a roll at a time or a whole seeded round.

use serde::Serialize;

use crate::adviser::Adviser;
use crate::craps::dice::{Dice, Point};
use crate::craps::round::{self, RoundEvent, RoundOver, RoundRoll, RoundState};
use crate::questions::extract::{Field, Object, Path};
use crate::questions::fields;
use crate::questions::{Asked, Form, Problem, Question, Read};

/// A request, decoded.
pub(crate) enum Request {
    /// A roll, as it went.
    Roll(RoundRoll),
    /// A whole round is to be played.
    Seeded(u64),
}

impl Read for Request {
    fn read(body: &mut Field<'_, '_, '_>, _: Form, _: &Adviser) -> Option<Self> {
        let mut object = body.object()?;
        let (english, chinese) = (
            "Give `seed` for a whole round, or `state` and `dice` for one roll.",
            "请给出 `seed` 以进行整局，或给出 `state` 和 `dice` 以掷一次。",
        );
        let request = if !object.has_any(&["seed", "state", "dice"], english, chinese) {
            None
        } else if object.present("seed").is_some() {
            // A seed plays the whole round: a state and dice have no place beside it.
            for field in ["state", "dice"] {
                note_if_given(
                    &mut object,
                    field,
                    "Give `seed` alone, or `state` and `dice`.",
                    "请只给出 `seed`，或给出 `state` 和 `dice`。",
                );
            }
            object.required("seed", fields::seed).map(Self::Seeded)
        } else {
            let state = object.required("state", state_to_roll_from);
            let dice = object.required("dice", dice);
            state.zip(dice).and_then(|(state, dice)| {
                let (state, event) = state.roll(dice).ok()?;
                Some(Self::Roll(RoundRoll { dice, state, event }))
            })
        };
        object.close();
        request
    }
}

impl Question for Request {
    fn answer(&self, _: &Asked<'_>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        Ok(match *self {
            Self::Roll(roll) => serde_json::to_writer(bytes, &RollView::from(roll)),
            Self::Seeded(seed) => serde_json::to_writer(bytes, &PlayedRound::new(seed)),
        }?)
    }
}

/// Notes a field that has no place here. `null` means that it is absent, so it is no unknown field.
fn note_if_given(
    object: &mut Object<'_, '_, '_>,
    field: &'static str,
    english: &'static str,
    chinese: &'static str,
) {
    if object.present(field).is_some() {
        object.note(field, "both_given", english, chinese);
    }
}

/// A state that another roll is possible from.
fn state_to_roll_from(field: &mut Field<'_, '_, '_>) -> Option<RoundState> {
    let state = state(field)?;
    if state.is_over() {
        field.faults.add_fault(&Path::Field(field.at, "phase"), &RoundOver);
    }
    Some(state)
}

/// `{"phase": "come_out"}`, `{"phase": "point", "point": 6}`, ...
fn state(field: &mut Field<'_, '_, '_>) -> Option<RoundState> {
    const PHASES: [&str; 4] = ["come_out", "point", "won", "lost"];
    let mut object = field.object()?;
    let phase = object.required("phase", |field| field.name_of(&PHASES, |name| name));
    if phase.is_some_and(|phase| phase != "point") {
        note_if_given(
            &mut object,
            "point",
            "Only the phase `point` has a point.",
            "只有阶段 `point` 才有点数。",
        );
    }
    let state = match phase {
        Some("come_out") => Some(RoundState::ComeOut),
        Some("point") => object.required("point", point).map(RoundState::Point),
        Some("won") => Some(RoundState::Won),
        Some(_) => Some(RoundState::Lost),
        // Without a phase there is no telling whether a point belongs.
        None => return None,
    };
    object.close();
    state
}

fn point(field: &mut Field<'_, '_, '_>) -> Option<Point> {
    let total = field.integer(4..=10)?;
    let point = u8::try_from(total).ok().and_then(Point::from_total);
    if point.is_none() {
        field.note(
            "out_of_range",
            format!("A point is 4, 5, 6, 8, 9 or 10, not {total}."),
            format!("点数只能是 4、5、6、8、9 或 10，而不是 {total}。"),
        );
    }
    point
}

fn dice(field: &mut Field<'_, '_, '_>) -> Option<Dice> {
    let faces = field.array(2..=2, fields::face)?;
    Dice::new(faces.try_into().ok()?).ok()
}

#[derive(Serialize)]
struct PlayedRound {
    seed: u64,
    rolls: Vec<RollView>,
}

impl PlayedRound {
    fn new(seed: u64) -> Self {
        Self { seed, rolls: round::play_seeded(seed).into_iter().map(RollView::from).collect() }
    }
}

#[derive(Serialize)]
struct RollView {
    dice: [u8; 2],
    total: u8,
    event: RoundEvent,
    state: StateView,
}

impl From<RoundRoll> for RollView {
    fn from(RoundRoll { dice, state, event }: RoundRoll) -> Self {
        Self { dice: dice.faces(), total: dice.total(), event, state: state.into() }
    }
}

#[derive(Serialize)]
struct StateView {
    phase: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<u8>,
}

impl From<RoundState> for StateView {
    fn from(state: RoundState) -> Self {
        let (phase, point) = match state {
            RoundState::ComeOut => ("come_out", None),
            RoundState::Point(point) => ("point", Some(point.number())),
            RoundState::Won => ("won", None),
            RoundState::Lost => ("lost", None),
        };
        Self { phase, point }
    }
}
