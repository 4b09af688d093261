//! The fields that requests share: dice, card, rules, objective.

use super::rule_set::{RuleSet, rule_set};
use crate::questions::extract::{Faults, Field, Object, Path};
use crate::questions::fields::face;
use crate::questions::{Form, Json};
use crate::yahtzee::{
    ByCategory, Category, DIE_COUNT, Dice, Objective, Position, PositionFault, Preset, Rules, Scorecard,
    ScorecardFault, Sheet,
};

/// Every integer that a JSON number holds exactly.
const ANY_INTEGER: std::ops::RangeInclusive<i64> = -(1 << 53)..=1 << 53;

/// Five dice.
pub(super) fn dice(field: &mut Field<'_, '_, '_>) -> Option<Dice> {
    // The usual case, without a list on the heap.
    if let Json::Array(items) = field.value
        && let [Json::Integer(a), Json::Integer(b), Json::Integer(c), Json::Integer(d), Json::Integer(e)] =
            **items
        && let Ok(dice) = Dice::from_numbers(&[a, b, c, d, e])
    {
        return Some(dice);
    }
    let faces = field.array(DIE_COUNT..=DIE_COUNT, face)?;
    Dice::new(faces.try_into().ok()?).ok()
}

/// What to maximise; the whole game if it is absent.
pub(super) fn objective(object: &mut Object<'_, '_, '_>) -> Objective {
    object.optional("objective", objective_of).unwrap_or_default()
}

/// The name of what to maximise.
pub(super) fn objective_of(field: &mut Field<'_, '_, '_>) -> Option<Objective> {
    field.name_of(&[Objective::Game, Objective::Turn], objective_name)
}

const fn objective_name(objective: Objective) -> &'static str {
    match objective {
        Objective::Game => "game",
        Objective::Turn => "turn",
    }
}

/// The rules and the unfinished card under them, from `rules`, the filled boxes, and `yahtzee_bonuses`.
pub(super) fn rules_and_card(
    object: &mut Object<'_, '_, '_>,
    form: Form,
    served: &[Preset],
) -> Option<(RuleSet, Scorecard)> {
    let rules = rules(object, served);
    let boxes = match form {
        Form::Body => filled_boxes(object),
        Form::Query => Some((from_fields(object), Origin::Query)),
    };
    let bonuses = object.optional("yahtzee_bonuses", bonus_count).unwrap_or(0);
    let (points, origin) = boxes?;
    let judged = match rules {
        Some(rules) => Scorecard::new(rules.rules(), &points, bonuses),
        // Boxes can be judged without knowing which preset is meant (they hold the same points under all), bonuses cannot.
        None if !matches!(object.present("rules"), Some(Json::Object(_))) => {
            Scorecard::new(&Preset::default().rules(), &points, 0)
        }
        // House rules change the points of lower boxes.
        None => {
            let upper = ByCategory::from_fn(|category| points[category].filter(|_| category.is_upper()));
            Scorecard::new(&Preset::default().rules(), &upper, 0)
        }
    };
    match judged {
        Ok(card) => match card.unfinished() {
            Ok(()) => Some((rules?, card)),
            Err(over) => {
                let place = origin.place(object.at);
                object.faults.add_fault(&place, &over);
                None
            }
        },
        Err(found) => {
            for fault in found {
                note(&fault, &origin, object.at, object.faults);
            }
            None
        }
    }
}

/// The card of an opponent at the start of a turn; `None` if it is not given, is at fault, or the rules are not known.
pub(super) fn opponent_card(object: &mut Object<'_, '_, '_>, rules: Option<&Rules>) -> Option<Scorecard> {
    if object.present("scorecard").is_none() && object.present("filled").is_none() {
        return None;
    }
    let boxes = filled_boxes(object);
    let bonuses = object.optional_or("yahtzee_bonuses", 0, bonus_count);
    let (points, origin) = boxes?;
    let card = Scorecard::new(rules?, &points, bonuses?);
    card.map_err(|found| found.iter().for_each(|fault| note(fault, &origin, object.at, object.faults))).ok()
}

fn bonus_count(field: &mut Field<'_, '_, '_>) -> Option<i64> {
    field.integer(0..=12)
}

/// The position of some dice on a card; a turn that the rules do not have is noted.
pub(super) fn position(
    rules: &RuleSet,
    dice: Dice,
    rolls_left: i64,
    card: Scorecard,
    body: &mut Field<'_, '_, '_>,
) -> Option<Position> {
    let position = Position::new(rules.rules(), dice, rolls_left, card);
    position
        .map_err(|found| {
            for fault in found {
                let field = match fault {
                    PositionFault::RollsLeft { .. } => "rolls_left",
                    PositionFault::GameOver(_) => "scorecard",
                };
                body.faults.add_fault(&Path::Field(body.at, field), &fault);
            }
        })
        .ok()
}

/// The rules that are asked for, or the default preset; `None` if it is not served here, or they cannot be read.
pub(super) fn rules(object: &mut Object<'_, '_, '_>, served: &[Preset]) -> Option<RuleSet> {
    let default = Preset::default();
    if object.present("rules").is_some() {
        return object.optional("rules", |field| rule_set(field, served));
    }
    if served.contains(&default) {
        return Some(default.into());
    }
    let names: Vec<_> = served.iter().map(|preset| preset.name()).collect();
    let (default, names) = (default.name(), names.join(", "));
    object.note(
        "rules",
        "missing",
        format!("The default `{default}` is not served here; name one of {names}."),
        format!("此服务不提供默认的 `{default}`；请指定其一：{names}。"),
    );
    None
}

/// Where the caller wrote the points of a box.
enum Origin {
    /// In the object `scorecard`.
    Scorecard,
    /// At these places of the list `filled`.
    Filled(ByCategory<usize>),
    /// Each as a field of its own.
    Query,
}

impl Origin {
    /// The place of the whole card.
    const fn place<'a>(&self, at: &'a Path<'a>) -> Path<'a> {
        match self {
            Self::Scorecard => Path::Field(at, "scorecard"),
            Self::Filled(_) => Path::Field(at, "filled"),
            Self::Query => *at,
        }
    }
}

fn note(fault: &ScorecardFault, origin: &Origin, at: &Path<'_>, faults: &mut Faults) {
    let card = origin.place(at);
    let mut add = |place: &Path<'_>| {
        faults.add_fault(place, fault);
    };
    match (fault.category(), origin) {
        (None, _) => add(&Path::Field(at, "yahtzee_bonuses")),
        (Some(category), Origin::Filled(places)) => {
            add(&Path::Field(&Path::Index(&card, places[category]), "points"));
        }
        (Some(category), _) => add(&Path::Field(&card, category.name())),
    }
}

type Boxes = ByCategory<Option<i64>>;

fn filled_boxes(object: &mut Object<'_, '_, '_>) -> Option<(Boxes, Origin)> {
    let both = object.present("scorecard").is_some() && object.present("filled").is_some();
    if both {
        object.note(
            "filled",
            "both_given",
            "Give the filled boxes as `scorecard` or as `filled`, not both.",
            "请只用 `scorecard` 或 `filled` 之一给出已填的格。",
        );
    }
    let list = object.present("filled").is_some();
    let from_map = object.optional("scorecard", from_map);
    let from_list = object.optional("filled", from_list);
    match (both, list, from_map) {
        (true, ..) => None,
        (false, true, _) => from_list,
        (false, false, Some(points)) => Some((points, Origin::Scorecard)),
        (false, false, None) if object.present("scorecard").is_some() => None,
        (false, false, None) => Some((Boxes::default(), Origin::Scorecard)),
    }
}

fn from_map(field: &mut Field<'_, '_, '_>) -> Option<Boxes> {
    let mut object = field.object()?;
    let points = from_fields(&mut object);
    object.close();
    Some(points)
}

fn from_fields(object: &mut Object<'_, '_, '_>) -> Boxes {
    ByCategory::of_boxes(Sheet::YAHTZEE.boxes(), |category| {
        object.optional(category.name(), |field| field.integer(ANY_INTEGER))
    })
}

fn from_list(field: &mut Field<'_, '_, '_>) -> Option<(Boxes, Origin)> {
    let mut points = Boxes::default();
    let mut places = ByCategory::from_fn(|_| 0);
    let read = field.array(0..=Sheet::YAHTZEE.boxes().len(), |field| {
        let mut object = field.object()?;
        let category = object.required("category", category);
        let entered = object.required("points", |field| field.integer(ANY_INTEGER));
        object.close();
        Some((category?, entered?))
    });
    for (index, (category, entered)) in read?.into_iter().enumerate() {
        if points[category].is_some() {
            field.faults.add(
                &Path::Field(&Path::Index(field.at, index), "category"),
                "duplicate_box",
                format!("The box {} is listed twice.", category.name()),
                format!("{} 格重复列出。", category.name()),
            );
        } else {
            points[category] = Some(entered);
            places[category] = index;
        }
    }
    Some((points, Origin::Filled(places)))
}

/// The name of a box.
pub(super) fn category(field: &mut Field<'_, '_, '_>) -> Option<Category> {
    let boxes: Vec<_> = Sheet::YAHTZEE.boxes().iter().collect();
    field.name_of(&boxes, Category::name)
}
