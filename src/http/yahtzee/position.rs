//! The fields that requests share: dice, card, rules, objective.

use crate::http::extract::{Faults, Object, Path, array, elements, integer, name_of};
use crate::http::json::Json;
use crate::yahtzee::{ByCategory, Category, DIE_COUNT, Dice, Objective, Preset, Scorecard, ScorecardFault};

/// Every integer that a JSON number holds exactly.
const ANY_INTEGER: std::ops::RangeInclusive<i64> = -(1 << 53)..=1 << 53;

/// Five dice.
pub(super) fn dice(value: &Json<'_>, at: &Path<'_>, faults: &mut Faults) -> Option<Dice> {
    let faces = array(value, at, faults, DIE_COUNT..=DIE_COUNT, face)?;
    Dice::new(faces.try_into().ok()?).ok()
}

/// One face of a die.
pub(super) fn face(value: &Json<'_>, at: &Path<'_>, faults: &mut Faults) -> Option<u8> {
    integer(value, at, faults, 1..=6).map(|face| face as u8)
}

/// The name of a rule preset that is served here.
fn preset(value: &Json<'_>, at: &Path<'_>, faults: &mut Faults, served: &[Preset]) -> Option<Preset> {
    name_of(value, at, faults, served, Preset::name)
}

/// What to maximise; the whole game where it is absent.
pub(super) fn objective(object: &mut Object<'_, '_, '_>) -> Objective {
    object
        .optional("objective", |value, at, faults| {
            name_of(value, at, faults, &[Objective::Game, Objective::Turn], objective_name)
        })
        .unwrap_or_default()
}

const fn objective_name(objective: Objective) -> &'static str {
    match objective {
        Objective::Game => "game",
        Objective::Turn => "turn",
    }
}

/// The rules and the unfinished card under them, from `rules`, `scorecard` or `filled`, and `yahtzee_bonuses`.
pub(super) fn rules_and_card(
    object: &mut Object<'_, '_, '_>,
    served: &[Preset],
) -> Option<(Preset, Scorecard)> {
    let preset =
        object.optional("rules", |value, at, faults| preset(value, at, faults, served)).unwrap_or_default();
    let boxes = filled_boxes(object);
    let bonuses = object
        .optional("yahtzee_bonuses", |value, at, faults| integer(value, at, faults, 0..=12))
        .unwrap_or(0);
    let (points, origin) = boxes?;
    match Scorecard::new(&preset.rules(), &points, bonuses) {
        Ok(card) => match card.unfinished() {
            Ok(()) => Some((preset, card)),
            Err(over) => {
                let place = Path::Field(object.at(), origin.field());
                object.faults.add_clause(&place, over.code(), &over.to_string(), &over.in_chinese());
                None
            }
        },
        Err(found) => {
            for fault in found {
                note(&fault, &origin, object.at(), object.faults);
            }
            None
        }
    }
}

/// Where the caller wrote the points of a box.
enum Origin {
    Scorecard,
    /// At these places of the list `filled`.
    Filled(ByCategory<usize>),
}

impl Origin {
    const fn field(&self) -> &'static str {
        match self {
            Self::Scorecard => "scorecard",
            Self::Filled(_) => "filled",
        }
    }
}

fn note(fault: &ScorecardFault, origin: &Origin, at: &Path<'_>, faults: &mut Faults) {
    let field = Path::Field(at, origin.field());
    let mut add =
        |place: &Path<'_>| faults.add_clause(place, fault.code(), &fault.to_string(), &fault.in_chinese());
    match (fault.category(), origin) {
        (None, _) => add(&Path::Field(at, "yahtzee_bonuses")),
        (Some(category), Origin::Scorecard) => add(&Path::Field(&field, category.name())),
        (Some(category), Origin::Filled(places)) => {
            add(&Path::Field(&Path::Index(&field, places[category]), "points"))
        }
    }
}

type Boxes = ByCategory<Option<i64>>;

fn filled_boxes(object: &mut Object<'_, '_, '_>) -> Option<(Boxes, Origin)> {
    let map = object.present("scorecard").is_some();
    let list = object.present("filled").is_some();
    if map && list {
        object.faults.add(
            &Path::Field(object.at(), "filled"),
            "both_given",
            "Give the filled boxes as `scorecard` or as `filled`, not both.",
            "请只用 `scorecard` 或 `filled` 之一给出已填的格。",
        );
        return None;
    }
    if list {
        object.optional("filled", from_list)
    } else if map {
        object.optional("scorecard", from_map).map(|points| (points, Origin::Scorecard))
    } else {
        Some((Boxes::default(), Origin::Scorecard))
    }
}

fn from_map(value: &Json<'_>, at: &Path<'_>, faults: &mut Faults) -> Option<Boxes> {
    let mut object = Object::open(value, at, faults)?;
    let points = ByCategory::from_fn(|category| {
        object.optional(category.name(), |value, at, faults| integer(value, at, faults, ANY_INTEGER))
    });
    object.close();
    Some(points)
}

fn from_list(value: &Json<'_>, at: &Path<'_>, faults: &mut Faults) -> Option<(Boxes, Origin)> {
    let items = elements(value, at, faults, 0..=Category::ALL.len())?;
    let mut points = Boxes::default();
    let mut places = ByCategory::from_fn(|_| 0);
    for (index, item) in items.iter().enumerate() {
        let at = Path::Index(at, index);
        let Some(mut object) = Object::open(item, &at, faults) else { continue };
        let category = object.required("category", category);
        let entered = object.required("points", |value, at, faults| integer(value, at, faults, ANY_INTEGER));
        object.close();
        let (Some(category), Some(entered)) = (category, entered) else { continue };
        if points[category].replace(entered).is_some() {
            faults.add(
                &Path::Field(&at, "category"),
                "duplicate_box",
                format!("The box {} is listed twice.", category.name()),
                format!("{} 格重复列出。", category.name()),
            );
        }
        places[category] = index;
    }
    Some((points, Origin::Filled(places)))
}

/// The name of a box.
pub(super) fn category(value: &Json<'_>, at: &Path<'_>, faults: &mut Faults) -> Option<Category> {
    name_of(value, at, faults, &Category::ALL, Category::name)
}
