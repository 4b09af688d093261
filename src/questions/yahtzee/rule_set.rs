//! The field `rules`: a preset's name, or house rules as an object over a preset.

use serde::Serialize;

use super::house_rules::{HouseRules, joker_name};
use crate::questions::Json;
use crate::questions::extract::{Field, Object};
use crate::yahtzee::{
    BoxPoints, Category, DIE_COUNT, Joker, JokerKind, OfAKindScores, Points, Preset, RollsPerTurn, Rules,
    Sheet, Threshold, UpperBonus, YahtzeeBonus,
};

/// The rules of a request. Rules that are those of a preset that is served are that preset, however they were written.
///
/// Rules are compared by [`Self::rules`]: the same rules can be written over different presets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleSet {
    rules: Rules,
    /// The preset that the caller wrote the rules over.
    base: Preset,
    preset: Option<Preset>,
}

impl RuleSet {
    fn new(rules: Rules, base: Preset, served: &[Preset]) -> Self {
        Self { rules, base, preset: Preset::of(&rules).filter(|preset| served.contains(preset)) }
    }

    /// The switches.
    pub(crate) const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The preset that has these rules, if it is served.
    pub(super) const fn preset(&self) -> Option<Preset> {
        self.preset
    }

    /// The preset that has these rules, else the one that they are written over.
    pub(super) fn name(&self) -> Preset {
        self.preset.unwrap_or(self.base)
    }

    /// The rules as answers show them.
    pub(super) fn view(&self) -> RulesView {
        let house_rules = self.preset.is_none().then(|| HouseRules::over(self.base, &self.rules));
        RulesView { rules: self.name(), house_rules }
    }
}

impl From<Preset> for RuleSet {
    fn from(preset: Preset) -> Self {
        Self { rules: preset.rules(), base: preset, preset: Some(preset) }
    }
}

/// The rules of an answer: a preset's name, and what house rules change in it.
#[derive(Serialize)]
pub(super) struct RulesView {
    rules: Preset,
    #[serde(skip_serializing_if = "Option::is_none")]
    house_rules: Option<HouseRules>,
}

/// Rules as a caller sees them. What they do not have is left out.
#[derive(Serialize)]
pub(super) struct Switches {
    /// The name of the card.
    sheet: &'static str,
    dice: usize,
    /// The boxes in card order.
    boxes: Vec<BoxView>,
    forced_order: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper_bonus: Option<UpperBonus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    yahtzee_bonus: Option<YahtzeeBonus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    joker: Option<Joker>,
    full_house_from_five_of_a_kind: bool,
    two_pairs_from_four_of_a_kind: bool,
    of_a_kind_scores: OfAKindScores,
    rolls_per_turn: u8,
    box_points: BoxPoints,
}

/// A box of a card.
#[derive(Serialize)]
struct BoxView {
    category: Category,
    /// What it can hold, from the least up.
    points: Vec<u16>,
}

impl Switches {
    pub(super) fn of(rules: &Rules) -> Self {
        let points = |category| {
            let possible = rules.possible_points(category);
            (0..=Points::MAX.get()).filter(move |&points| possible.contains(points)).collect()
        };
        let view = |category| BoxView { category, points: points(category) };
        Self {
            sheet: rules.sheet.name(),
            dice: DIE_COUNT,
            boxes: rules.sheet.boxes().iter().map(view).collect(),
            forced_order: rules.forced_order,
            two_pairs_from_four_of_a_kind: rules.two_pairs_from_four_of_a_kind,
            upper_bonus: rules.upper_bonus,
            yahtzee_bonus: rules.yahtzee_bonus,
            joker: rules.joker,
            full_house_from_five_of_a_kind: rules.full_house_from_five_of_a_kind,
            of_a_kind_scores: rules.of_a_kind_scores,
            rolls_per_turn: rules.rolls_per_turn.get(),
            box_points: rules.box_points,
        }
    }
}

/// Reads either form.
pub(super) fn rule_set(field: &mut Field<'_, '_, '_>, served: &[Preset]) -> Option<RuleSet> {
    match field.value {
        Json::Object(_) => house_rules(field, served),
        // In a query, where an object is a text.
        Json::String(text) if text.trim_start().starts_with('{') => {
            let (english, chinese) =
                ("This begins like an object but is not JSON.", "此处以对象开头，但不是合法的 JSON。");
            field.note("malformed_json", english, chinese);
            None
        }
        Json::String(_) => field.name_of(served, Preset::name).map(RuleSet::from),
        _ => {
            field.note_wrong_type(("a preset's name or an object", "预设名称或对象"));
            None
        }
    }
}

/// Reads house rules: what is left out is as in the base. A bonus or a joker that the base does not have is as in the
/// official rules if it is given in part; 0 points or the kind `none` take it away.
pub(super) fn house_rules(field: &mut Field<'_, '_, '_>, served: &[Preset]) -> Option<RuleSet> {
    let mut object = field.object()?;
    let base =
        object.optional_or("base", Preset::default(), |field| field.name_of(&Preset::ALL, Preset::name));
    // The other fields are judged all the same where the base cannot be read.
    let usual = base.unwrap_or_default().rules();
    if base.is_some() {
        note_switches_of_other_sheets(&mut object, usual.sheet);
    }
    let upper_bonus = object.optional_or("upper_bonus", usual.upper_bonus, |field| {
        upper_bonus(field, usual.upper_bonus.unwrap_or(UpperBonus::OFFICIAL))
    });
    let yahtzee_bonus = object.optional_or("yahtzee_bonus", usual.yahtzee_bonus, |field| {
        yahtzee_bonus(field, usual.yahtzee_bonus.unwrap_or(YahtzeeBonus::OFFICIAL))
    });
    let joker = object
        .optional_or("joker", usual.joker, |field| joker(field, usual.joker.unwrap_or(Joker::OFFICIAL)));
    let full_house_from_five_of_a_kind =
        object.optional_or("full_house_from_five_of_a_kind", usual.full_house_from_five_of_a_kind, |field| {
            field.boolean()
        });
    let of_a_kind_scores = object.optional_or("of_a_kind_scores", usual.of_a_kind_scores, |field| {
        let all = [OfAKindScores::AllDice, OfAKindScores::MatchingDice];
        field.name_of(&all, of_a_kind_name)
    });
    let forced_order = object.optional_or("forced_order", usual.forced_order, |field| field.boolean());
    let two_pairs_from_four_of_a_kind =
        object.optional_or("two_pairs_from_four_of_a_kind", usual.two_pairs_from_four_of_a_kind, |field| {
            field.boolean()
        });
    let rolls_per_turn = object.optional_or("rolls_per_turn", usual.rolls_per_turn, |field| {
        RollsPerTurn::new(field.integer(1..=3)?).ok()
    });
    let box_points = object.optional_or("box_points", usual.box_points, |field| box_points(field, &usual));
    object.close();
    let rules = Rules {
        sheet: usual.sheet,
        forced_order: forced_order?,
        two_pairs_from_four_of_a_kind: two_pairs_from_four_of_a_kind?,
        upper_bonus: upper_bonus?,
        yahtzee_bonus: yahtzee_bonus?,
        joker: joker?,
        full_house_from_five_of_a_kind: full_house_from_five_of_a_kind?,
        of_a_kind_scores: of_a_kind_scores?,
        rolls_per_turn: rolls_per_turn?,
        box_points: box_points?,
    };
    Some(RuleSet::new(rules, base?, served))
}

fn upper_bonus(field: &mut Field<'_, '_, '_>, usual: UpperBonus) -> Option<Option<UpperBonus>> {
    let mut object = field.object()?;
    let threshold = object.optional_or("threshold", usual.threshold, |field| {
        Threshold::new(field.integer(1..=Threshold::MAX.get().into())?).ok()
    });
    let points = object.optional_or("points", Some(usual.points), points_or_none);
    object.close();
    let threshold = threshold?;
    Some(points?.map(|points| UpperBonus { threshold, points }))
}

fn yahtzee_bonus(field: &mut Field<'_, '_, '_>, usual: YahtzeeBonus) -> Option<Option<YahtzeeBonus>> {
    let mut object = field.object()?;
    let points = object.optional_or("points", Some(usual.points), points_or_none);
    let after_zero = object.optional_or("after_zero", usual.after_zero, |field| field.boolean());
    object.close();
    let after_zero = after_zero?;
    Some(points?.map(|points| YahtzeeBonus { points, after_zero }))
}

fn joker(field: &mut Field<'_, '_, '_>, usual: Joker) -> Option<Option<Joker>> {
    let mut object = field.object()?;
    let kind = object.optional_or("kind", Some(usual.kind), |field| {
        let all = [None, Some(JokerKind::Forced), Some(JokerKind::Free), Some(JokerKind::Loose)];
        field.name_of(&all, joker_name)
    });
    let after_zero = object.optional_or("after_zero", usual.after_zero, |field| field.boolean());
    object.close();
    let after_zero = after_zero?;
    Some(kind?.map(|kind| Joker { kind, after_zero }))
}

/// Notes the switches that have no effect on a card.
fn note_switches_of_other_sheets(object: &mut Object<'_, '_, '_>, sheet: &Sheet) {
    let switches: &[&'static str] = if *sheet == Sheet::YAHTZEE {
        &["two_pairs_from_four_of_a_kind"]
    } else {
        &["yahtzee_bonus", "joker", "of_a_kind_scores"]
    };
    for switch in switches {
        if object.present(switch).is_some() {
            let english = format!("`{switch}` has no effect on the card of {}; leave it out.", sheet.name());
            let chinese = format!("`{switch}` 对 {} 的记分卡不起作用，请勿给出。", sheet.name());
            object.note(switch, "switch_without_effect", english, chinese);
        }
    }
}

/// The points of the boxes that have a fixed value on the card.
fn box_points(field: &mut Field<'_, '_, '_>, usual: &Rules) -> Option<BoxPoints> {
    let is_yahtzee = *usual.sheet == Sheet::YAHTZEE;
    let usual = usual.box_points;
    let mut object = field.object()?;
    let mut points = |name, usual| object.optional_or(name, usual, points);
    let full_house = if is_yahtzee { points("full_house", usual.full_house) } else { Some(usual.full_house) };
    let small_straight = points("small_straight", usual.small_straight);
    let large_straight = points("large_straight", usual.large_straight);
    let yahtzee = points(if is_yahtzee { "yahtzee" } else { "yatzy" }, usual.yahtzee);
    object.close();
    Some(BoxPoints {
        full_house: full_house?,
        small_straight: small_straight?,
        large_straight: large_straight?,
        yahtzee: yahtzee?,
    })
}

fn points(field: &mut Field<'_, '_, '_>) -> Option<Points> {
    Points::new(field.integer(1..=Points::MAX.get().into())?).ok()
}

/// The points of a bonus; 0 for no bonus.
fn points_or_none(field: &mut Field<'_, '_, '_>) -> Option<Option<Points>> {
    Some(Points::new(field.integer(0..=Points::MAX.get().into())?).ok())
}

const fn of_a_kind_name(scores: OfAKindScores) -> &'static str {
    match scores {
        OfAKindScores::AllDice => "all_dice",
        OfAKindScores::MatchingDice => "matching_dice",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::questions::Language;
    use crate::questions::extract::Faults;

    fn read(text: &str) -> Result<Rules, Vec<(String, &'static str)>> {
        read_where(text, &[]).map(|rules| *rules.rules())
    }

    fn read_where(text: &str, served: &[Preset]) -> Result<RuleSet, Vec<(String, &'static str)>> {
        let json = Json::parse(text.as_bytes(), Language::English).unwrap();
        let mut faults = Faults::new(Language::English);
        let rules = house_rules(&mut Field::root(&json, &mut faults), served);
        let found: Vec<_> = faults.found.into_iter().map(|fault| (fault.pointer, fault.code)).collect();
        if found.is_empty() { Ok(rules.unwrap()) } else { Err(found) }
    }

    #[test]
    fn what_is_left_out_is_as_in_the_base() {
        assert_eq!(read("{}"), Ok(Rules::OFFICIAL));
        for preset in Preset::ALL {
            assert_eq!(read(&format!(r#"{{"base":"{preset}","joker":null}}"#)), Ok(preset.rules()));
        }
        let loose = read(r#"{"base":"free_joker","joker":{"kind":"loose"}}"#).unwrap();
        assert_eq!(loose.joker, Some(Joker { kind: JokerKind::Loose, after_zero: true }));
        let fifty = read(r#"{"upper_bonus":{"points":50}}"#).unwrap();
        assert_eq!(fifty.upper_bonus.unwrap().threshold, UpperBonus::OFFICIAL.threshold);
    }

    #[test]
    fn the_same_rules_written_differently_are_equal() {
        let none = r#"{"upper_bonus":{"points":0},"yahtzee_bonus":{"points":0},"joker":{"kind":"none","after_zero":false}}"#;
        assert_eq!(read(none), Ok(Rules::PLAIN));
        let all = r#"{"base":"plain","upper_bonus":{"threshold":63},"yahtzee_bonus":{"after_zero":false},"joker":{},
            "full_house_from_five_of_a_kind":false,"of_a_kind_scores":"all_dice","rolls_per_turn":3.0,
            "box_points":{"full_house":25,"small_straight":30,"large_straight":40,"yahtzee":50}}"#;
        assert_eq!(read(all), Ok(Rules::OFFICIAL));
    }

    #[test]
    fn house_rules_are_shown_as_changes_of_their_base() {
        for written in [
            r#"{"base":"official"}"#,
            r#"{"base":"free_joker","rolls_per_turn":1}"#,
            r#"{"base":"official","upper_bonus":{"points":50}}"#,
            r#"{"base":"official","upper_bonus":{"points":0},"yahtzee_bonus":{"points":0},"joker":{"kind":"none"}}"#,
            r#"{"base":"official","yahtzee_bonus":{"after_zero":true},"joker":{"after_zero":false}}"#,
            r#"{"base":"plain","joker":{"kind":"loose","after_zero":true},"full_house_from_five_of_a_kind":true}"#,
            r#"{"base":"no_yahtzee_bonus","upper_bonus":{"threshold":64},"yahtzee_bonus":{"points":100,"after_zero":false}}"#,
            r#"{"base":"plain","of_a_kind_scores":"matching_dice","box_points":{"full_house":30,"yahtzee":60}}"#,
        ] {
            let shown = serde_json::to_value(read_where(written, &[]).unwrap().view()).unwrap();
            assert_eq!(shown["house_rules"], serde_json::from_str::<serde_json::Value>(written).unwrap());
            assert_eq!(shown["rules"], shown["house_rules"]["base"], "{written}");
        }
    }

    #[test]
    fn what_does_not_differ_from_the_base_is_not_shown() {
        let text =
            r#"{"upper_bonus":{"threshold":63,"points":35},"rolls_per_turn":2,"box_points":{"yahtzee":50}}"#;
        let shown = serde_json::to_string(&read_where(text, &Preset::ALL).unwrap().view()).unwrap();
        assert_eq!(shown, r#"{"rules":"official","house_rules":{"base":"official","rolls_per_turn":2}}"#);
    }

    #[test]
    fn rules_of_a_preset_that_is_served_are_that_preset() {
        let text = r#"{"base":"official","joker":{"kind":"free"}}"#;
        let shown =
            |served: &[Preset]| serde_json::to_string(&read_where(text, served).unwrap().view()).unwrap();
        assert_eq!(shown(&Preset::ALL), r#"{"rules":"free_joker"}"#);
        let changed = r#"{"rules":"official","house_rules":{"base":"official","joker":{"kind":"free"}}}"#;
        assert_eq!(shown(&[Preset::Official]), changed);
    }

    #[test]
    fn every_fault_is_found_at_once() {
        let text = r#"{"base":"hasbro","upper_bonus":{"threshold":106,"points":-1,"point":1},"yahtzee_bonus":[],
            "joker":{"kind":"wild","after_zero":1},"full_house_from_five_of_a_kind":"no","of_a_kind_scores":"some",
            "rolls_per_turn":4,"box_points":{"full_house":0,"yahtzee":1001,"chance":5},"bonus":1}"#;
        let found = read(text).unwrap_err();
        let expected = [
            ("/base", "unknown_name"),
            ("/upper_bonus/threshold", "out_of_range"),
            ("/upper_bonus/points", "out_of_range"),
            ("/upper_bonus/point", "unknown_field"),
            ("/yahtzee_bonus", "wrong_type"),
            ("/joker/kind", "unknown_name"),
            ("/joker/after_zero", "wrong_type"),
            ("/full_house_from_five_of_a_kind", "wrong_type"),
            ("/of_a_kind_scores", "unknown_name"),
            ("/rolls_per_turn", "out_of_range"),
            ("/box_points/full_house", "out_of_range"),
            ("/box_points/yahtzee", "out_of_range"),
            ("/box_points/chance", "unknown_field"),
            ("/bonus", "unknown_field"),
        ];
        assert_eq!(found, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    }
}
