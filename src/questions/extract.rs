//! Reads requests into domain types: ALL faults of a body are collected, each with its pointer, before one is answered.
//!
//! A typed reader (serde) stops at the first fault and cannot see a field given twice, hence this cursor over [`Json`].
//! A decoder is a function `fn(&mut Field) -> Option<T>`; `None` means that it has noted why.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::json::Json;
use super::language::Language;
use super::number::{integer_as_written, is_whole};
use super::problem::Problem;

pub(crate) use super::faults::{Faults, GameFault, Path};

/// A text in English and in Chinese.
type Bilingual<T> = (T, T);

/// A value of a request, its place, and where its faults are noted.
pub(crate) struct Field<'v, 'j, 'f> {
    pub(crate) value: &'v Json<'j>,
    pub(crate) at: &'f Path<'f>,
    pub(crate) faults: &'f mut Faults,
}

impl<'v, 'j, 'f> Field<'v, 'j, 'f> {
    /// The whole of a request.
    pub(crate) const fn root(value: &'v Json<'j>, faults: &'f mut Faults) -> Self {
        Self { value, at: &Path::Root, faults }
    }

    /// Decodes a whole request, or returns the problem that lists every fault.
    pub(crate) fn decode<T>(
        value: &'v Json<'j>,
        language: Language,
        decode: impl FnOnce(&mut Field<'v, 'j, '_>) -> Option<T>,
    ) -> Result<T, Problem> {
        let mut faults = Faults::new(language);
        let decoded = decode(&mut Field::root(value, &mut faults));
        faults.finish(decoded)
    }

    /// Notes a fault of this value.
    pub(crate) fn note(
        &mut self,
        code: &'static str,
        english: impl Into<Cow<'static, str>>,
        chinese: impl Into<Cow<'static, str>>,
    ) {
        self.faults.add(self.at, code, english, chinese);
    }

    /// Notes a fault that a game found in this value.
    pub(crate) fn note_fault(&mut self, fault: &impl GameFault) {
        self.faults.add_fault(self.at, fault);
    }

    /// Notes that the value is of the wrong type.
    pub(crate) fn note_wrong_type(&mut self, wanted: Bilingual<&str>) {
        self.faults.wrong_type(self.at, wanted, self.value);
    }

    /// Opens an object; notes a fault if the value is none.
    pub(crate) fn object(&mut self) -> Option<Object<'v, 'j, '_>> {
        let Json::Object(fields) = self.value else {
            self.note_wrong_type(("an object", "对象"));
            return None;
        };
        note_duplicates(fields, self.at, self.faults);
        let known = Vec::with_capacity(8);
        Some(Object { fields, at: self.at, known, requires: true, faults: self.faults })
    }

    /// An integer in a range; `3.0` is one, as in JSON Schema.
    pub(crate) fn integer(&mut self, range: RangeInclusive<i64>) -> Option<i64> {
        let (number, shown) = match self.value {
            Json::Integer(number) if range.contains(number) => return Some(*number),
            Json::Integer(number) => (Some(*number), number.to_string()),
            Json::Number(text) => (integer_as_written(text), shortened(text)),
            _ => {
                self.note_wrong_type(("an integer", "整数"));
                return None;
            }
        };
        let (low, high) = (range.start(), range.end());
        match (number, self.value) {
            (Some(number), _) if range.contains(&number) => return Some(number),
            (None, Json::Number(text)) if !is_whole(text) => self.note(
                "not_an_integer",
                format!("This must be an integer, not {shown}."),
                format!("此处应为整数，而不是 {shown}。"),
            ),
            _ => self.note(
                "out_of_range",
                format!("This must be from {low} to {high}, not {shown}."),
                format!("此处应在 {low} 到 {high} 之间，而不是 {shown}。"),
            ),
        }
        None
    }

    /// A string.
    pub(crate) fn string(&mut self) -> Option<&'v str> {
        if let Json::String(text) = self.value {
            return Some(text);
        }
        self.note_wrong_type(("a string", "字符串"));
        None
    }

    /// `true` or `false`.
    pub(crate) fn boolean(&mut self) -> Option<bool> {
        if let Json::Bool(value) = *self.value {
            return Some(value);
        }
        self.note_wrong_type(("a boolean", "布尔值"));
        None
    }

    /// One of a fixed list of names.
    pub(crate) fn name_of<T: Copy>(&mut self, all: &[T], name: impl Fn(T) -> &'static str) -> Option<T> {
        let text = self.string()?;
        let found = all.iter().copied().find(|&candidate| name(candidate) == text);
        if found.is_none() {
            let known = all.iter().map(|&candidate| name(candidate)).collect::<Vec<_>>().join(", ");
            let shown = shortened(text);
            self.note(
                "unknown_name",
                format!("There is no `{shown}`; known are {known}."),
                format!("没有 `{shown}`；可用值：{known}。"),
            );
        }
        found
    }

    /// The elements of an array whose length is in a range.
    pub(crate) fn elements(&mut self, length: RangeInclusive<usize>) -> Option<&'v [Json<'j>]> {
        let Json::Array(items) = self.value else {
            self.note_wrong_type(("an array", "数组"));
            return None;
        };
        if length.contains(&items.len()) {
            return Some(items);
        }
        self.note_wrong_length(&length, items.len());
        None
    }

    /// Notes that an array has too few or too many elements.
    pub(crate) fn note_wrong_length(&mut self, length: &RangeInclusive<usize>, count: usize) {
        let (least, most) = (length.start(), length.end());
        let (wanted, wanted_zh) = if least == most {
            (format!("{least} elements"), format!("{least} 个元素"))
        } else {
            (format!("from {least} to {most} elements"), format!("{least} 到 {most} 个元素"))
        };
        self.note(
            "wrong_length",
            format!("This must have {wanted}, not {count}."),
            format!("此处应有 {wanted_zh}，而不是 {count} 个。"),
        );
    }

    /// An array whose length is in a range, each element read by `decode`. The faults of the elements are found even if
    /// the length is wrong.
    pub(crate) fn array<T>(
        &mut self,
        length: RangeInclusive<usize>,
        decode: impl Fn(&mut Field<'v, 'j, '_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let items = if let Json::Array(items) = self.value { &**items } else { &[] };
        let most = *length.end();
        let read: Vec<_> =
            (0..items.len().min(most)).map(|index| self.element(&items[index], index, &decode)).collect();
        self.elements(length)?;
        read.into_iter().collect()
    }

    /// Reads one element of the array that this value is.
    pub(crate) fn element<T>(
        &mut self,
        value: &'v Json<'j>,
        index: usize,
        decode: impl FnOnce(&mut Field<'v, 'j, '_>) -> Option<T>,
    ) -> Option<T> {
        let at = Path::Index(self.at, index);
        decode(&mut Field { value, at: &at, faults: self.faults })
    }
}

/// An object being taken apart field by field.
pub(crate) struct Object<'v, 'j, 'f> {
    fields: &'v [(Cow<'j, str>, Json<'j>)],
    pub(crate) at: &'f Path<'f>,
    known: Vec<&'static str>,
    /// Whether a required field that is absent is a fault.
    requires: bool,
    pub(crate) faults: &'f mut Faults,
}

impl<'v, 'j> Object<'v, 'j, '_> {
    /// From now on an absent field is no fault: what kind of object this should be is not known.
    pub(crate) const fn excuse_missing(&mut self) {
        self.requires = false;
    }

    /// Takes a field that may be absent; `null` means that it is.
    pub(crate) fn optional<T>(
        &mut self,
        name: &'static str,
        decode: impl FnOnce(&mut Field<'v, 'j, '_>) -> Option<T>,
    ) -> Option<T> {
        let value = self.present(name)?;
        decode(&mut Field { value, at: &Path::Field(self.at, name), faults: self.faults })
    }

    /// Takes a field that has a default; `None` if it is at fault.
    pub(crate) fn optional_or<T>(
        &mut self,
        name: &'static str,
        default: T,
        decode: impl FnOnce(&mut Field<'v, 'j, '_>) -> Option<T>,
    ) -> Option<T> {
        if self.present(name).is_some() { self.optional(name, decode) } else { Some(default) }
    }

    /// Takes a field that must be there.
    pub(crate) fn required<T>(
        &mut self,
        name: &'static str,
        decode: impl FnOnce(&mut Field<'v, 'j, '_>) -> Option<T>,
    ) -> Option<T> {
        if self.present(name).is_some() {
            return self.optional(name, decode);
        }
        if self.requires {
            let english = format!("The field `{name}` is missing.");
            self.note(name, "missing", english, format!("缺少字段 `{name}`。"));
        }
        None
    }

    /// Whether any of these fields is there; if none is, notes a fault that says which to give.
    pub(crate) fn has_any(
        &mut self,
        names: &[&'static str],
        english: &'static str,
        chinese: &'static str,
    ) -> bool {
        // All of them are looked for, so that none is an unknown field.
        let number = names.iter().filter(|name| self.present(name).is_some()).count();
        if number == 0 && self.requires {
            self.faults.add(self.at, "missing", english, chinese);
        }
        number > 0
    }

    /// Whether a field is there; it stays unknown.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(field, _)| field == name)
    }

    /// The value of a field that is there and is not `null`.
    pub(crate) fn present(&mut self, name: &'static str) -> Option<&'v Json<'j>> {
        if !self.known.contains(&name) {
            self.known.push(name);
        }
        let field = self.fields.iter().find(|(field, _)| field == name);
        field.map(|(_, value)| value).filter(|value| **value != Json::Null)
    }

    /// Notes a fault of a field.
    pub(crate) fn note(
        &mut self,
        name: &str,
        code: &'static str,
        english: impl Into<Cow<'static, str>>,
        chinese: impl Into<Cow<'static, str>>,
    ) {
        self.faults.add(&Path::Field(self.at, name), code, english, chinese);
    }

    /// Notes a fault that a game found in a field.
    pub(crate) fn note_fault(&mut self, name: &str, fault: &impl GameFault) {
        self.faults.add_fault(&Path::Field(self.at, name), fault);
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

/// The first characters of what a caller wrote: enough to be recognised, too few to swell an answer.
pub(crate) fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(40).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults_of(text: &str, decode: impl FnOnce(&mut Field<'_, '_, '_>)) -> Vec<(String, &'static str)> {
        let json = Json::parse(text.as_bytes(), Language::English).unwrap();
        let mut faults = Faults::new(Language::English);
        decode(&mut Field::root(&json, &mut faults));
        faults.found.into_iter().map(|fault| (fault.pointer, fault.code)).collect()
    }

    #[test]
    fn every_fault_is_found_at_once() {
        let text = r#"{"a":[1,"x",9],"c":1,"c":2,"c":3,"d/~":0,"n":null}"#;
        let faults = faults_of(text, |body| {
            let mut object = body.object().unwrap();
            object.required("a", |field| field.array(3..=3, |die| die.integer(1..=6)));
            object.required("b", |field| field.string().map(str::to_owned));
            object.optional("c", |field| field.integer(0..=9));
            assert_eq!(object.optional("n", |field| field.integer(0..=9)), None);
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
            let faults = faults_of(text, |field| assert_eq!(field.integer(1..=6), None));
            assert_eq!(faults, [(String::new(), code)]);
        }
        assert!(faults_of("3.0", |field| assert_eq!(field.integer(1..=6), Some(3))).is_empty());
    }

    #[test]
    fn an_object_must_be_one() {
        let faults = faults_of("[]", |field| assert!(field.object().is_none()));
        assert_eq!(faults, [(String::new(), "wrong_type")]);
    }
}
