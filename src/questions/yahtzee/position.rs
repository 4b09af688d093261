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
    let sheet = rules.map(|rules| rules.rules().sheet);
    let boxes = match form {
        Form::Body => filled_boxes(object, sheet),
        Form::Query => Some((from_fields(object, sheet), Origin::Query)),
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
    let boxes = filled_boxes(object, rules.map(|rules| rules.sheet));
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

/// Boxes of no card but that of `sheet` are faults; without a sheet the boxes of all cards are taken.
fn filled_boxes(object: &mut Object<'_, '_, '_>, sheet: Option<&Sheet>) -> Option<(Boxes, Origin)> {
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
    let from_map = object.optional("scorecard", |field| from_map(field, sheet));
    let from_list = object.optional("filled", |field| from_list(field, sheet));
    match (both, list, from_map) {
        (true, ..) => None,
        (false, true, _) => from_list,
        (false, false, Some(points)) => Some((points, Origin::Scorecard)),
        (false, false, None) if object.present("scorecard").is_some() => None,
        (false, false, None) => Some((Boxes::default(), Origin::Scorecard)),
    }
}

fn from_map(field: &mut Field<'_, '_, '_>, sheet: Option<&Sheet>) -> Option<Boxes> {
    let mut object = field.object()?;
    let points = from_fields(&mut object, sheet);
    object.close();
    Some(points)
}

fn from_fields(object: &mut Object<'_, '_, '_>, sheet: Option<&Sheet>) -> Boxes {
    let own = sheet.unwrap_or(&Sheet::YAHTZEE);
    let points = ByCategory::of_boxes(own.boxes(), |category| {
        object.optional(category.name(), |field| field.integer(ANY_INTEGER))
    });
    for category in Category::ALL {
        if own.category(category.name()).is_none() && object.has(category.name()) {
            object.optional(category.name(), |field| {
                if sheet.is_some() {
                    note_other_sheet(field, category.name(), own);
                }
                Some(())
            });
        }
    }
    points
}

/// Notes that a box is one of another card.
fn note_other_sheet(field: &mut Field<'_, '_, '_>, name: &str, sheet: &Sheet) {
    let boxes = sheet.boxes().iter().map(Category::name).collect::<Vec<_>>().join(", ");
    field.note(
        "unknown_category",
        format!("The card of {} has no box `{name}`; its boxes are {boxes}.", sheet.name()),
        format!("{} 的记分卡没有 `{name}` 格；可用的格：{boxes}。", sheet.name()),
    );
}

fn from_list(field: &mut Field<'_, '_, '_>, sheet: Option<&Sheet>) -> Option<(Boxes, Origin)> {
    let mut points = Boxes::default();
    let mut places = ByCategory::from_fn(|_| 0);
    let read = field.array(0..=box_count(sheet), |field| {
        let mut object = field.object()?;
        let category = object.required("category", |field| category(field, sheet));
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

/// The boxes of a card; of the longest one if it is not known which.
pub(super) fn box_count(sheet: Option<&Sheet>) -> usize {
    sheet.map_or(Sheet::YATZY.boxes(), Sheet::boxes).len()
}

/// The name of a box of a card; of that of Yahtzee if it is not known which.
pub(super) fn category(field: &mut Field<'_, '_, '_>, sheet: Option<&Sheet>) -> Option<Category> {
    let own = sheet.unwrap_or(&Sheet::YAHTZEE);
    if let Json::String(name) = field.value
        && own.category(name).is_none()
        && Sheet::ALL.iter().any(|other| other.category(name).is_some())
    {
        if sheet.is_some() {
            note_other_sheet(field, name, own);
        }
        return None;
    }
    let boxes: Vec<_> = own.boxes().iter().collect();
    field.name_of(&boxes, Category::name)
}
