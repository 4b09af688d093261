//! Bets that a caller defines, as data.

use std::sync::Arc;

use super::exact::rational;
use crate::craps::definition::{
    BetDefinition, Collection, DefinedBet, DefinitionFault, MOST_OUTCOMES, MOST_STATES, Pattern, Payoff,
    Rule, State, Then,
};
use crate::questions::Json;
use crate::questions::extract::{Field, Object, Path, shortened};

/// The most characters of a name or a label.
const LONGEST_NAME: usize = 100;
/// The most rules of a state, and patterns of a rule: one for each roll of two dice.
const MOST_RULES: usize = 36;
/// How often an item may have to be rolled.
const MOST_TIMES: i64 = 100;

/// Reads a definition: `states` or `collect`, and a name.
pub(super) fn defined_bet(field: &mut Field<'_, '_, '_>) -> Option<Arc<DefinedBet>> {
    let mut object = field.object()?;
    let name = object.optional_or("name", None, |field| name(field).map(Some));
    let (english, chinese) = (
        "Define the bet by its `states` or by what it must `collect`, one of the two.",
        "请用 `states` 或 `collect` 定义投注，二者取其一。",
    );
    object.has_any(&["states", "collect"], english, chinese);
    let is_twofold = object.present("states").is_some() && object.present("collect").is_some();
    if is_twofold {
        object.note("collect", "both_given", english, chinese);
    }
    let faults_before = object.faults.found.len();
    let states = object.optional("states", states);
    let start =
        if object.present("states").is_some() { start(&mut object, states.as_deref()) } else { Some(0) };
    let collection = object.optional("collect", collection);
    let is_read = object.faults.found.len() == faults_before;
    object.close();
    let definition = match (is_twofold, states, collection) {
        (false, Some(states), _) => BetDefinition::States { states, start: start? },
        (false, None, Some(collection)) => BetDefinition::Collect(collection),
        _ => return None,
    };
    if !is_read {
        return None;
    }
    let bet = DefinedBet::new(name?, definition);
    bet.map(Arc::new).map_err(|faults| faults.iter().for_each(|fault| note(fault, field))).ok()
}

fn note(fault: &DefinitionFault, field: &mut Field<'_, '_, '_>) {
    let states = Path::Field(field.at, "states");
    match fault {
        DefinitionFault::UnknownState { state, rule, .. } | DefinitionFault::NeverMatches { state, rule } => {
            let Json::Object(fields) = field.value else { return };
            let written = fields.iter().find(|(name, _)| name == "states").map(|(_, states)| states);
            let Some(Json::Object(written)) = written else { return };
            let Some((name, _)) = written.get(*state) else { return };
            let state = Path::Field(&states, name);
            let rule = Path::Index(&state, *rule);
            match fault {
                DefinitionFault::UnknownState { .. } => {
                    field.faults.add_fault(&Path::Field(&rule, "go"), fault)
                }
                _ => field.faults.add_fault(&rule, fault),
            }
        }
        DefinitionFault::NeverSettles { state: Some(_) } => field.faults.add_fault(&states, fault),
        _ => field.faults.add_fault(field.at, fault),
    }
}

fn name(field: &mut Field<'_, '_, '_>) -> Option<String> {
    let text = field.string()?;
    let length = text.chars().count();
    if (1..=LONGEST_NAME).contains(&length) {
        return Some(text.to_owned());
    }
    field.note(
        "wrong_length",
        format!("This must have from 1 to {LONGEST_NAME} characters, not {length}."),
        format!("此处应有 1 到 {LONGEST_NAME} 个字符，而不是 {length} 个。"),
    );
    None
}

/// The states by their names, in the order in which they are written.
fn states(field: &mut Field<'_, '_, '_>) -> Option<Vec<State>> {
    // Opening it notes names that are given twice.
    field.object()?;
    let Json::Object(fields) = field.value else { return None };
    if !(1..=MOST_STATES).contains(&fields.len()) {
        field.note_wrong_length(&(1..=MOST_STATES), fields.len());
        return None;
    }
    let read = fields.iter().map(|(name, value)| {
        let at = Path::Field(field.at, name);
        let mut field = Field { value, at: &at, faults: field.faults };
        let rules = field.array(1..=MOST_RULES, rule)?;
        Some(State { name: name.clone().into_owned(), rules })
    });
    read.collect::<Vec<_>>().into_iter().collect()
}

/// The state in which the bet begins: the first one, unless `start` names another.
fn start(object: &mut Object<'_, '_, '_>, states: Option<&[State]>) -> Option<usize> {
    object.optional_or("start", 0, |field| {
        let name = field.string()?;
        let states = states?;
        let found = states.iter().position(|state| state.name == name);
        if found.is_none() {
            let shown = shortened(name);
            field.note(
                "unknown_state",
                format!("There is no state `{shown}`."),
                format!("没有状态 `{shown}`。"),
            );
        }
        found
    })
}

fn rule(field: &mut Field<'_, '_, '_>) -> Option<Rule> {
    let mut object = field.object()?;
    let on = object.required("on", |field| field.array(1..=MOST_RULES, pattern));
    let (english, chinese) = (
        "A rule leads to another state (`go`) or settles the bet (`pays`), one of the two.",
        "一条规则要么转到另一状态（`go`），要么结算投注（`pays`），二者取其一。",
    );
    object.has_any(&["go", "pays"], english, chinese);
    let goes = object.present("go").is_some();
    if goes && object.present("pays").is_some() {
        object.note("pays", "both_given", english, chinese);
        object.present("push");
        object.present("label");
        object.close();
        return None;
    }
    let then = if goes {
        object.optional("go", |field| field.string().map(str::to_owned)).map(Then::Go)
    } else {
        let pays = object.optional("pays", payoff);
        let is_push = object.optional_or("push", false, |field| field.boolean());
        let label = object.optional_or("label", None, |field| name(field).map(Some));
        match (pays, is_push, label) {
            (Some(pays), Some(is_push), Some(label)) => Some(Then::Settle { pays, is_push, label }),
            _ => None,
        }
    };
    object.close();
    Some(Rule { on: on?, then: then? })
}

fn payoff(field: &mut Field<'_, '_, '_>) -> Option<Payoff> {
    Payoff::new(rational(field)?).map_err(|fault| field.note_fault(&fault)).ok()
}

/// A total as a number, or a text such as `3-4`, `hard 6`, `easy 6`, `hard` and `any`.
fn pattern(field: &mut Field<'_, '_, '_>) -> Option<Pattern> {
    let (found, shown) = match field.value {
        Json::String(text) => (Pattern::from_text(text), shortened(text)),
        Json::Integer(total) => (Pattern::total(*total).map(Pattern::Total), total.to_string()),
        _ => {
            field.note_wrong_type(("a total or a text such as \"hard 6\"", "点数或 \"hard 6\" 这样的文本"));
            return None;
        }
    };
    if found.is_none() {
        field.note(
            "unknown_roll",
            format!("A roll must be a total from 2 to 12, `3-4`, `hard 6`, `easy 6`, `hard` or `any`, got `{shown}`."),
            format!("点数应为 2 到 12 的总和、`3-4`、`hard 6`、`easy 6`、`hard` 或 `any`，而不是 `{shown}`。"),
        );
    }
    found
}

fn collection(field: &mut Field<'_, '_, '_>) -> Option<Collection> {
    let mut object = field.object()?;
    let items = object.required("items", items);
    let until = object.required("until", |field| field.array(1..=MOST_RULES, pattern));
    let count = items.as_ref().map_or(MOST_OUTCOMES, Vec::len);
    let pays = object.required("pays", |field| pays(field, count));
    object.close();
    Some(Collection { items: items?, until: until?, pays: pays? })
}

/// A list of what must be rolled once, or an object that says how often each.
fn items(field: &mut Field<'_, '_, '_>) -> Option<Vec<(Pattern, u8)>> {
    if let Json::Array(_) = field.value {
        let items = field.array(1..=MOST_RULES, pattern)?;
        return Some(items.into_iter().map(|pattern| (pattern, 1)).collect());
    }
    field.object()?;
    let Json::Object(fields) = field.value else { return None };
    if !(1..=MOST_RULES).contains(&fields.len()) {
        field.note_wrong_length(&(1..=MOST_RULES), fields.len());
        return None;
    }
    let read = fields.iter().map(|(name, value)| {
        let at = Path::Field(field.at, name);
        let key = Json::String(name.clone());
        let pattern = pattern(&mut Field { value: &key, at: &at, faults: field.faults });
        let times = Field { value, at: &at, faults: field.faults }.integer(1..=MOST_TIMES);
        Some((pattern?, times? as u8))
    });
    read.collect::<Vec<_>>().into_iter().collect()
}

/// The payoffs by the number of completed items.
fn pays(field: &mut Field<'_, '_, '_>, count: usize) -> Option<Vec<(usize, Payoff)>> {
    field.object()?;
    let Json::Object(fields) = field.value else { return None };
    let read = fields.iter().map(|(name, value)| {
        let at = Path::Field(field.at, name);
        let number = name.parse().ok().filter(|number| *number <= count);
        if number.is_none() {
            let shown = shortened(name);
            field.faults.add(
                &at,
                "out_of_range",
                format!(
                    "The name of a payoff must be the number of completed items, 0 to {count}, got `{shown}`."
                ),
                format!("赔付的名称应为已完成的项数，0 到 {count}，而不是 `{shown}`。"),
            );
        }
        let pays = payoff(&mut Field { value, at: &at, faults: field.faults });
        Some((number?, pays?))
    });
    read.collect::<Vec<_>>().into_iter().collect()
}
