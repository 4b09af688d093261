//! Reads requests into domain types: ALL faults of a body are collected, each with its pointer, before one is answered.
//!
//! A typed reader (serde) stops at the first fault and cannot see a field given twice, hence this small walker over
//! [`Json`]. A decoder is a function `fn(&Json, &Path, &mut Faults) -> Option<T>`; `None` means that it has noted why.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::json::Json;
use super::number::{integer_as_written, is_whole};

pub(crate) use super::body::JsonBody;
pub(crate) use super::faults::{Faults, Path};

/// An object being taken apart field by field.
pub(crate) struct Object<'v, 'j, 'f> {
    fields: &'v [(Cow<'j, str>, Json<'j>)],
    at: &'f Path<'f>,
    known: Vec<&'static str>,
    /// Whether a field that must be there is at fault where it is absent.
    misses: bool,
    pub(crate) faults: &'f mut Faults,
}

impl<'v, 'j, 'f> Object<'v, 'j, 'f> {
    /// Opens an object; notes a fault where the value is none.
    pub(crate) fn open(value: &'v Json<'j>, at: &'f Path<'f>, faults: &'f mut Faults) -> Option<Self> {
        if let Json::Object(fields) = value {
            note_duplicates(fields, at, faults);
            Some(Self { fields, at, known: Vec::with_capacity(8), misses: true, faults })
        } else {
            faults.wrong_type(at, ("an object", "对象"), value);
            None
        }
    }

    /// The place of the object.
    pub(crate) const fn at(&self) -> &'f Path<'f> {
        self.at
    }

    /// From now on no field is missed: what kind of object this should be is not known.
    pub(crate) const fn excuse_missing(&mut self) {
        self.misses = false;
    }

    /// Takes a field that may be absent; `null` means that it is.
    pub(crate) fn optional<T>(
        &mut self,
        name: &'static str,
        decode: impl FnOnce(&'v Json<'j>, &Path<'_>, &mut Faults) -> Option<T>,
    ) -> Option<T> {
        let value = self.present(name)?;
        decode(value, &Path::Field(self.at, name), self.faults)
    }

    /// Takes a field that must be there.
    pub(crate) fn required<T>(
        &mut self,
        name: &'static str,
        decode: impl FnOnce(&'v Json<'j>, &Path<'_>, &mut Faults) -> Option<T>,
    ) -> Option<T> {
        if let Some(value) = self.present(name) {
            return decode(value, &Path::Field(self.at, name), self.faults);
        }
        if self.misses {
            self.faults.add(
                &Path::Field(self.at, name),
                "missing",
                format!("The field `{name}` is missing."),
                format!("缺少字段 `{name}`。"),
            );
        }
        None
    }

    /// Whether any of these fields is there; where none is, notes a fault that says which to give.
    pub(crate) fn has_any(
        &mut self,
        names: &[&'static str],
        english: &'static str,
        chinese: &'static str,
    ) -> bool {
        // All of them are looked for, so that none is an unknown field.
        let number = names.iter().filter(|name| self.present(name).is_some()).count();
        if number == 0 && self.misses {
            self.faults.add(self.at, "missing", english, chinese);
        }
        number > 0
    }

    /// The value of a field that is there and is not `null`.
    pub(crate) fn present(&mut self, name: &'static str) -> Option<&'v Json<'j>> {
        if !self.known.contains(&name) {
            self.known.push(name);
        }
        let field = self.fields.iter().find(|(field, _)| field == name);
        field.map(|(_, value)| value).filter(|value| **value != Json::Null)
    }

    /// Notes the fields that nobody took.
    pub(crate) fn close(self) {
        let mut noted: Vec<&str> = Vec::new();
        for (name, _) in self.fields {
            if self.faults.is_full() {
                break;
            }
            if !self.known.contains(&&**name) && !noted.contains(&&**name) {
                noted.push(name);
                let (known, shown) = (self.known.join(", "), shortened(name));
                self.faults.add(
                    &Path::Field(self.at, name),
                    "unknown_field",
                    format!("There is no field `{shown}` here; known are {known}."),
                    format!("此处没有字段 `{shown}`；可用字段：{known}。"),
                );
            }
        }
    }
}

/// Notes the fields that an object gives more than once, each at its second place.
fn note_duplicates(fields: &[(Cow<'_, str>, Json<'_>)], at: &Path<'_>, faults: &mut Faults) {
    let mut note = |name: &str| faults.duplicate(&Path::Field(at, name), name);
    // Most objects are so small that looking is cheaper than a map; a large one must not cost the square of its size.
    if fields.len() <= 16 {
        for (index, (name, _)) in fields.iter().enumerate() {
            if fields[..index].iter().filter(|(earlier, _)| earlier == name).count() == 1 {
                note(name);
            }
        }
        return;
    }
    let mut times_seen = HashMap::with_capacity(fields.len());
    for (name, _) in fields {
        let times = times_seen.entry(&**name).or_insert(0);
        *times += 1;
        if *times == 2 {
            note(name);
        }
    }
}

/// An integer in a range; `3.0` is one, as in JSON Schema.
pub(crate) fn integer(
    value: &Json<'_>,
    at: &Path<'_>,
    faults: &mut Faults,
    range: RangeInclusive<i64>,
) -> Option<i64> {
    let (number, shown) = match value {
        Json::Integer(number) if range.contains(number) => return Some(*number),
        Json::Integer(number) => (Some(*number), number.to_string()),
        Json::Number(text) => (integer_as_written(text), shortened(text)),
        _ => {
            faults.wrong_type(at, ("an integer", "整数"), value);
            return None;
        }
    };
    let (low, high) = (range.start(), range.end());
    match (number, value) {
        (Some(number), _) if range.contains(&number) => Some(number),
        (None, Json::Number(text)) if !is_whole(text) => {
            let (english, chinese) =
                (format!("This must be an integer, not {shown}."), format!("此处应为整数，而不是 {shown}。"));
            faults.add(at, "not_an_integer", english, chinese);
            None
        }
        _ => {
            let english = format!("This must be from {low} to {high}, not {shown}.");
            faults.add(
                at,
                "out_of_range",
                english,
                format!("此处应在 {low} 到 {high} 之间，而不是 {shown}。"),
            );
            None
        }
    }
}

/// The first characters of what a caller wrote: enough to be recognised, too few to swell an answer.
pub(crate) fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(40).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// A string.
pub(crate) fn string<'v>(value: &'v Json<'_>, at: &Path<'_>, faults: &mut Faults) -> Option<&'v str> {
    if let Json::String(text) = value {
        Some(text)
    } else {
        faults.wrong_type(at, ("a string", "字符串"), value);
        None
    }
}

/// `true` or `false`.
pub(crate) fn boolean(value: &Json<'_>, at: &Path<'_>, faults: &mut Faults) -> Option<bool> {
    if let Json::Bool(value) = *value {
        Some(value)
    } else {
        faults.wrong_type(at, ("a boolean", "布尔值"), value);
        None
    }
}

/// One of a fixed list of names.
pub(crate) fn name_of<T: Copy>(
    value: &Json<'_>,
    at: &Path<'_>,
    faults: &mut Faults,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Option<T> {
    let text = string(value, at, faults)?;
    let found = all.iter().copied().find(|&candidate| name(candidate) == text);
    if found.is_none() {
        let known = all.iter().map(|&candidate| name(candidate)).collect::<Vec<_>>().join(", ");
        let shown = shortened(text);
        faults.add(
            at,
            "unknown_name",
            format!("There is no `{shown}`; known are {known}."),
            format!("没有 `{shown}`；可用值：{known}。"),
        );
    }
    found
}

/// The elements of an array whose length is in a range.
pub(crate) fn elements<'v, 'j>(
    value: &'v Json<'j>,
    at: &Path<'_>,
    faults: &mut Faults,
    length: RangeInclusive<usize>,
) -> Option<&'v [Json<'j>]> {
    let Json::Array(items) = value else {
        faults.wrong_type(at, ("an array", "数组"), value);
        return None;
    };
    if length.contains(&items.len()) {
        return Some(items);
    }
    wrong_length(at, faults, &length, items.len());
    None
}

/// Notes that an array has too few or too many elements.
pub(crate) fn wrong_length(at: &Path<'_>, faults: &mut Faults, length: &RangeInclusive<usize>, count: usize) {
    let (least, most) = (length.start(), length.end());
    let (wanted, wanted_zh) = if least == most {
        (format!("{least} elements"), format!("{least} 个元素"))
    } else {
        (format!("from {least} to {most} elements"), format!("{least} 到 {most} 个元素"))
    };
    faults.add(
        at,
        "wrong_length",
        format!("This must have {wanted}, not {count}."),
        format!("此处应有 {wanted_zh}，而不是 {count} 个。"),
    );
}

/// An array whose length is in a range, each element read by `decode`. The faults of the elements are found also
/// where the length is wrong.
pub(crate) fn array<T>(
    value: &Json<'_>,
    at: &Path<'_>,
    faults: &mut Faults,
    length: RangeInclusive<usize>,
    decode: impl Fn(&Json<'_>, &Path<'_>, &mut Faults) -> Option<T>,
) -> Option<Vec<T>> {
    let items = if let Json::Array(items) = value { &**items } else { &[] };
    let places = items.iter().take(*length.end()).enumerate();
    let read: Vec<_> = places.map(|(index, item)| decode(item, &Path::Index(at, index), faults)).collect();
    elements(value, at, faults, length)?;
    read.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::language::Language;

    fn faults_of(
        text: &str,
        decode: impl FnOnce(&Json<'_>, &Path<'_>, &mut Faults),
    ) -> Vec<(String, &'static str)> {
        let json = Json::parse(text.as_bytes(), Language::English).unwrap();
        let mut faults = Faults::new(Language::English);
        decode(&json, &Path::Root, &mut faults);
        faults.found.into_iter().map(|fault| (fault.pointer, fault.code)).collect()
    }

    #[test]
    fn every_fault_is_found_at_once() {
        let faults =
            faults_of(r#"{"a":[1,"x",9],"c":1,"c":2,"c":3,"d/~":0,"n":null}"#, |json, at, faults| {
                let mut object = Object::open(json, at, faults).unwrap();
                object.required("a", |value, at, faults| {
                    array(value, at, faults, 3..=3, |v, at, f| integer(v, at, f, 1..=6))
                });
                object.required("b", |value, at, faults| string(value, at, faults).map(str::to_owned));
                object.optional("c", |value, at, faults| integer(value, at, faults, 0..=9));
                assert_eq!(object.optional("n", |value, at, faults| integer(value, at, faults, 0..=9)), None);
                object.close();
            });
        let expected = [
            ("/c", "duplicate_field"),
            ("/a/1", "wrong_type"),
            ("/a/2", "out_of_range"),
            ("/b", "missing"),
            ("/d~1~0", "unknown_field"),
        ];
        assert_eq!(faults, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    }

    #[test]
    fn integers_are_exact() {
        for (text, code) in [
            ("1.5", "not_an_integer"),
            ("7", "out_of_range"),
            ("1e30", "out_of_range"),
            ("true", "wrong_type"),
        ] {
            let faults =
                faults_of(text, |json, at, faults| assert_eq!(integer(json, at, faults, 1..=6), None));
            assert_eq!(faults, [(String::new(), code)]);
        }
        assert_eq!(
            integer(&Json::Number("3.0".into()), &Path::Root, &mut Faults::new(Language::English), 1..=6),
            Some(3)
        );
    }

    #[test]
    fn an_object_must_be_one() {
        assert_eq!(
            faults_of("[]", |json, at, faults| assert!(Object::open(json, at, faults).is_none())),
            [(String::new(), "wrong_type")]
        );
    }
}
