//! Cards in every notation of a request.

use super::wild::is_blank;
use crate::chinese::InChinese;
use crate::doudizhu::{
    Hand, HandFault, HandShape, Kind, KittyFault, Play, Preset, Rank, ReadingFault, Unreadable, reading_with,
};
use crate::questions::Json;
use crate::questions::extract::{Faults, Field, Object};

/// The cards of a request.
pub(super) enum Cards {
    /// Cards with their tokens.
    Hand(Hand),
    /// The exercise's own state, which has no tokens.
    Shape(HandShape),
}

/// The field of each notation.
pub(super) const NOTATIONS: [&str; 4] = ["hand", "cards", "noip_cards", "shape"];

/// The notations that a query can hold.
pub(super) const QUERY_NOTATIONS: [&str; 2] = ["hand", "cards"];

/// The cards of a request under its rules, in exactly one of some of the [`NOTATIONS`]. With wild cards they may be none.
pub(super) fn cards(
    object: &mut Object<'_, '_, '_>,
    preset: Option<Preset>,
    notations: &[&'static str],
    may_be_empty: bool,
) -> Option<Cards> {
    match one_notation(object, notations)? {
        notation if may_be_empty && is_blank(object, notation) => Some(Cards::Hand(Hand::EMPTY)),
        "shape" => object.required("shape", |field| shape(field, preset)).map(Cards::Shape),
        notation => hand_in(object, notation, preset).map(Cards::Hand),
    }
}

/// As [`cards`], if a shape is not enough, with a maximum number of cards.
pub(super) fn hand(object: &mut Object<'_, '_, '_>, preset: Option<Preset>, most: u8) -> Option<Hand> {
    let notation = one_notation(object, &NOTATIONS[..3])?;
    let hand = hand_in(object, notation, preset)?;
    let count = hand.counts().total();
    if count > most {
        let (english, chinese) = (
            format!("The hand must have at most {most} cards, got {count}."),
            format!("此处最多 {most} 张牌，而不是 {count} 张。"),
        );
        object.note(notation, "too_many_cards", english, chinese);
        return None;
    }
    Some(hand)
}

/// As [`hand`], of an exact number of cards.
pub(super) fn hand_of(object: &mut Object<'_, '_, '_>, preset: Option<Preset>, cards: u8) -> Option<Hand> {
    let notation = one_notation(object, &NOTATIONS[..3])?;
    let hand = hand_in(object, notation, preset)?;
    let fault = KittyFault { cards: hand.counts().total() };
    if fault.cards != cards {
        object.note_fault(notation, &fault);
        return None;
    }
    Some(hand)
}

/// The name of the only notation that is there; notes a fault if there is none, or more than one.
fn one_notation(object: &mut Object<'_, '_, '_>, notations: &[&'static str]) -> Option<&'static str> {
    let mut given = Vec::new();
    for &notation in notations {
        if object.present(notation).is_some() {
            given.push(notation);
        }
    }
    let list = notations.join("`, `");
    match &*given {
        [only] => Some(only),
        [] => {
            let (english, chinese) =
                (format!("Give the cards as one of `{list}`."), format!("请用 `{list}` 之一给出牌。"));
            object.note(notations[0], "missing", english, chinese);
            None
        }
        [_, second, ..] => {
            let (english, chinese) =
                (format!("Give only one of `{list}`."), format!("`{list}` 只能给出一个。"));
            object.note(second, "both_given", english, chinese);
            None
        }
    }
}

fn hand_in(object: &mut Object<'_, '_, '_>, notation: &'static str, preset: Option<Preset>) -> Option<Hand> {
    object.required(notation, |field| match notation {
        "hand" => from_text(field, ("as `cards`", " `cards` ")),
        "cards" => from_tokens(field),
        _ => from_numbers(field, preset),
    })
}

/// The play `beat`, in any notation, told apart by the type of its value; `beat_kind` and `beat_rank` say which of
/// several plays its cards are.
pub(super) fn play_to_beat(object: &mut Object<'_, '_, '_>, preset: Option<Preset>) -> Option<Play> {
    let kind = object.optional("beat_kind", |field| field.name_of(&Kind::ALL, Kind::name));
    let rank = object.optional("beat_rank", |field| field.name_of(&Rank::ALL, Rank::name));
    for name in ["beat_kind", "beat_rank"] {
        if object.present(name).is_some() && object.present("beat").is_none() {
            object.note(
                "beat",
                "missing",
                format!("`{name}` says which play the cards of `beat` are; give `beat`, too."),
                format!("`{name}` 用来说明 `beat` 是哪种牌型；请同时给出 `beat`。"),
            );
            break;
        }
    }
    object.optional("beat", |field| {
        if matches!(field.value, Json::String(text) if text.trim().is_empty())
            || matches!(field.value, Json::Array(items) if items.is_empty())
        {
            let (english, chinese) = (
                "`beat` holds no cards; leave it out to lead.",
                "`beat` 中没有牌；若由你先出，请省略 `beat`。",
            );
            field.note("empty_hand", english, chinese);
            return None;
        }
        let hand = in_any_notation(field, preset)?;
        let found = reading_with(hand.counts(), kind, rank, &preset?.rules());
        found.map_err(|fault| note_reading(&fault, ["beat_kind", "beat_rank"], field)).ok()
    })
}

/// Cards in any notation, told apart by the type of the value.
pub(super) fn in_any_notation(field: &mut Field<'_, '_, '_>, preset: Option<Preset>) -> Option<Hand> {
    match field.value {
        Json::String(_) => from_text(field, ("as an array", "数组")),
        Json::Array(items) if matches!(items.first(), Some(Json::Array(_))) => from_numbers(field, preset),
        Json::Array(_) => from_tokens(field),
        _ => {
            field.note_wrong_type(("a string or an array", "字符串或数组"));
            None
        }
    }
}

/// Notes why cards are no play; `choices` are the fields that choose one of several by its kind or its rank.
pub(super) fn note_reading(fault: &ReadingFault, choices: [&str; 2], field: &mut Field<'_, '_, '_>) {
    let (mut english, mut chinese) = (fault.to_string(), fault.in_chinese());
    if let ReadingFault::Ambiguous { readings, .. } = fault {
        let by_kind = readings.iter().any(|play| play.kind() != readings[0].kind());
        let name = choices[usize::from(!by_kind)];
        let mut values: Vec<_> = readings
            .iter()
            .map(|play| if by_kind { play.kind().name() } else { play.rank().name() })
            .map(|value| format!("`{value}`"))
            .collect();
        values.dedup();
        english += &format!(" in `{name}`: {}", values.join(" or "));
        chinese += &format!("（`{name}`：{}）", values.join(" 或 "));
    }
    field.faults.add_clause(field.at, fault.code(), &english, &chinese);
}

/// A hand in a string; `suited` says where cards with suits belong instead.
fn from_text(field: &mut Field<'_, '_, '_>, suited: (&str, &str)) -> Option<Hand> {
    let text = field.string()?;
    Hand::from_text(text)
        .map_err(|found| {
            for (index, fault) in found.iter().enumerate() {
                let is_alike = |other: &HandFault| {
                    fault.unreadable().is_some() && other.unreadable() == fault.unreadable()
                };
                if found[..index].iter().any(is_alike) {
                    continue;
                }
                let others =
                    found[index + 1..].iter().filter(|other| is_alike(other)).filter_map(HandFault::at);
                note_in_text(fault, &others.map(|at| at + 1).collect::<Vec<_>>(), field, suited);
            }
        })
        .ok()
}

/// Notes a fault of a string; the same is wrong at `others`, counted from 1.
fn note_in_text(fault: &HandFault, others: &[usize], field: &mut Field<'_, '_, '_>, suited: (&str, &str)) {
    /// How many other places are named.
    const MOST: usize = 8;
    let Some(character) = fault.at().map(|character| character + 1) else { return field.note_fault(fault) };
    let mut english = format!("At character {character}: {fault}");
    let mut chinese = format!("第 {character} 个字符：{}", fault.in_chinese());
    if fault.unreadable() == Some(Unreadable::Suit) {
        english += &format!("; give cards with suits {}", suited.0);
        chinese += &format!("；有花色的牌请用{}给出", suited.1);
    }
    english.push('.');
    chinese.push('。');
    if !others.is_empty() {
        let places: Vec<String> = others.iter().take(MOST).map(ToString::to_string).collect();
        let (more, more_zh) = if others.len() > MOST { (" and more", "等") } else { ("", "") };
        let plural = if others.len() == 1 { "" } else { "s" };
        english += &format!(" The same applies at character{plural} {}{more}.", places.join(", "));
        chinese += &format!("第 {} {more_zh}个字符同样有误。", places.join("、"));
    }
    field.note(fault.code(), english, chinese);
}

fn from_tokens(field: &mut Field<'_, '_, '_>) -> Option<Hand> {
    let items = few_enough(field)?;
    // A token that is no string is replaced by an unreadable one, so that the others keep their indices.
    let tokens: Vec<_> =
        items.iter().map(|item| if let Json::String(text) = item { &**text } else { "" }).collect();
    let hand = Hand::from_tokens(&tokens);
    let found = hand.as_ref().err().map_or(&[][..], Vec::as_slice);
    let is_read = |index: usize| matches!(items[index], Json::String(_));
    note_hand(found, items, field, is_read, |token| {
        token.string();
    })?;
    hand.ok()
}

fn from_numbers(field: &mut Field<'_, '_, '_>, preset: Option<Preset>) -> Option<Hand> {
    if preset.is_some_and(|preset| preset != Preset::Noip) {
        field.note("needs_noip_rules",
            "The contest's numbers are taken under the rules `noip` only; give the cards as `hand` or `cards`.",
            "只有 noip 规则接受竞赛数字记法；请用 `hand` 或 `cards` 给出牌。",
        );
        return None;
    }
    let items = few_enough(field)?;
    let mut unheard = Faults::new(field.faults.language);
    let pair_of = |value| pair(&mut Field { value, at: field.at, faults: &mut unheard });
    let pairs: Vec<_> = items.iter().map(pair_of).collect();
    // No card has these numbers.
    let cards: Vec<_> = pairs.iter().map(|pair| pair.unwrap_or([-1, -1])).collect();
    let hand = Hand::from_noip_cards(&cards);
    let found = hand.as_ref().err().map_or(&[][..], Vec::as_slice);
    let is_read = |index: usize| pairs[index].is_some();
    note_hand(found, items, field, is_read, |item| {
        pair(item);
    })?;
    hand.ok()
}

/// More tokens than any deck has are rejected before each is read.
const MOST_TOKENS: usize = 200;

fn few_enough<'v, 'j>(field: &mut Field<'v, 'j, '_>) -> Option<&'v [Json<'j>]> {
    match field.value {
        Json::Array(items) if items.len() > MOST_TOKENS => {
            field.note_fault(&HandFault::TooMany { number: items.len() });
            None
        }
        Json::Array(items) => Some(items),
        _ => {
            field.note_wrong_type(("an array", "数组"));
            None
        }
    }
}

fn pair(field: &mut Field<'_, '_, '_>) -> Option<[i64; 2]> {
    let [rank, suit] = field.elements(2..=2)? else { return None };
    let rank = field.element(rank, 0, |rank| rank.integer(0..=13));
    let suit = field.element(suit, 1, |suit| suit.integer(1..=4));
    Some([rank?, suit?])
}

/// Notes all that is wrong with a hand given as an array; `None` if anything is. What is wrong with the whole comes
/// first, because the list may be cut, then its elements in their order. An element that could not be read is not judged
/// as a card: `misread` notes what is wrong with it.
fn note_hand<'v, 'j>(
    found: &[HandFault],
    items: &'v [Json<'j>],
    field: &mut Field<'v, 'j, '_>,
    is_read: impl Fn(usize) -> bool,
    misread: impl Fn(&mut Field<'v, 'j, '_>),
) -> Option<()> {
    found.iter().filter(|fault| fault.at().is_none()).for_each(|fault| field.note_fault(fault));
    for (index, item) in items.iter().enumerate() {
        field.element(item, index, |item| {
            if is_read(index) {
                found
                    .iter()
                    .filter(|fault| fault.at() == Some(index))
                    .for_each(|fault| item.note_fault(fault));
            } else {
                misread(item);
            }
            Some(())
        });
    }
    let is_fine = found.is_empty() && (0..items.len()).all(is_read);
    is_fine.then_some(())
}

fn shape(field: &mut Field<'_, '_, '_>, preset: Option<Preset>) -> Option<HandShape> {
    let faults_before = field.faults.found.len();
    let mut object = field.object()?;
    let mut ranks =
        |name, most| object.optional(name, |field| field.integer(0..=most)).map_or(0, |count| count as u8);
    // A single joker counts among the singles.
    let (singles, pairs, triples, bombs) =
        (ranks("singles", 14), ranks("pairs", 13), ranks("triples", 13), ranks("bombs", 13));
    let rocket = object.optional("rocket", |field| field.boolean()).unwrap_or(false);
    object.close();
    let shape = HandShape { singles, pairs, triples, bombs, rocket };
    // What could not be read is not judged as if it were nothing.
    if field.faults.found.len() > faults_before {
        return None;
    }
    let checked = shape.check(&preset?.rules());
    checked.map_err(|fault| field.note_fault(&fault)).ok()?;
    Some(shape)
}
