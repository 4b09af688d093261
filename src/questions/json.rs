//! JSON as a tree that keeps what typed readers lose: fields given twice, and numbers as they were written.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{self, Serialize, Serializer};

use super::faults::{Faults, Path};
use super::language::Language;
use super::problem::{Kind, Problem};

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json<'a> {
    Null,
    Bool(bool),
    Integer(i64),
    /// A number that is no integer of 64 bits, as written: `0.05`, `1e+999`.
    Number(Cow<'a, str>),
    String(Cow<'a, str>),
    Array(Vec<Self>),
    /// In the order of the text, a field given twice standing here twice.
    Object(Vec<(Cow<'a, str>, Self)>),
    /// An array or object that is nested too deep. Its text has been read, and is well formed.
    TooDeep,
}

/// No request nests half as deep. (serde_json itself gives up the whole text at 128.)
const DEEPEST: usize = 32;

/// No request holds half as many values. It bounds the memory of a tree, which may take thirty times that of its text.
const MOST_VALUES: usize = 2_048;

impl<'a> Json<'a> {
    /// Reads one JSON value and nothing after it.
    pub(crate) fn parse(bytes: &'a [u8], language: Language) -> Result<Self, Problem> {
        let left = Cell::new(MOST_VALUES);
        let mut deserializer = serde_json::Deserializer::from_slice(bytes);
        let read = Level { depth: DEEPEST, left: &left }.deserialize(&mut deserializer);
        let json = read.and_then(|json| deserializer.end().map(|()| json));
        let json = json.map_err(|error| malformed(bytes, &error, language))?;
        if left.get() > 0 {
            return Ok(json);
        }
        let mut faults = Faults::new(language);
        let (english, chinese) = (
            format!("A question must hold fewer than {MOST_VALUES} JSON values; this one holds more."),
            format!("一个问题须少于 {MOST_VALUES} 个 JSON 值；此处过多。"),
        );
        faults.add(&Path::Root, "too_many_values", english, chinese);
        Err(faults.rejected())
    }

    /// The same value with all its texts its own.
    pub(crate) fn into_owned(self) -> Json<'static> {
        let own = |text: Cow<'a, str>| Cow::Owned(text.into_owned());
        match self {
            Self::Null => Json::Null,
            Self::Bool(value) => Json::Bool(value),
            Self::Integer(number) => Json::Integer(number),
            Self::Number(text) => Json::Number(own(text)),
            Self::String(text) => Json::String(own(text)),
            Self::TooDeep => Json::TooDeep,
            Self::Array(items) => Json::Array(items.into_iter().map(Self::into_owned).collect()),
            Self::Object(fields) => Json::Object(
                fields.into_iter().map(|(name, value)| (own(name), value.into_owned())).collect(),
            ),
        }
    }

    /// What the value is, for a message: `a string`, `an array`, ...
    pub(crate) const fn kind(&self) -> (&'static str, &'static str) {
        match self {
            Self::Null => ("null", "null"),
            Self::Bool(_) => ("a boolean", "布尔值"),
            Self::Integer(_) | Self::Number(_) => ("a number", "数字"),
            Self::String(_) => ("a string", "字符串"),
            Self::Array(_) => ("an array", "数组"),
            Self::Object(_) => ("an object", "对象"),
            Self::TooDeep => ("a value nested so deep", "嵌套过深的值"),
        }
    }
}

/// The problem of a body that is not JSON.
pub(crate) fn malformed(bytes: &[u8], error: &serde_json::Error, language: Language) -> Problem {
    let detail = match language {
        Language::English if bytes.is_empty() => "The body is empty; send a JSON object.".to_owned(),
        Language::Chinese if bytes.is_empty() => "请求体为空；请发送一个 JSON 对象。".to_owned(),
        Language::English => format!("The body is not valid JSON: {error}."),
        Language::Chinese => format!("第 {} 行第 {} 列不符合 JSON 语法。", error.line(), error.column()),
    };
    Problem::new(Kind::MalformedJson).with_detail(detail)
}

/// Reads a value with a maximum depth of arrays and objects, and a maximum number of values in total.
#[derive(Clone, Copy)]
struct Level<'l> {
    depth: usize,
    left: &'l Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for Level<'_> {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        self.left.set(self.left.get().saturating_sub(1));
        deserializer.deserialize_any(self)
    }
}

/// Reads the values inside, or passes over them without a stack if they are too deep.
enum Inside<'l> {
    Read(Level<'l>),
    Skip,
}

impl<'de> DeserializeSeed<'de> for Inside<'_> {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        match self {
            Self::Read(level) => level.deserialize(deserializer),
            Self::Skip => deserializer.deserialize_ignored_any(IgnoredAny).map(|_| Json::TooDeep),
        }
    }
}

impl<'l> Level<'l> {
    const fn inside(self) -> Inside<'l> {
        if self.depth == 0 { Inside::Skip } else { Inside::Read(Self { depth: self.depth - 1, ..self }) }
    }

    /// Whether further values are only passed over: there are too many.
    const fn is_full(self) -> bool {
        self.left.get() == 0
    }
}

impl<'de> Visitor<'de> for Level<'_> {
    type Value = Json<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Json::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(i64::try_from(value).map_or_else(|_| Json::Number(value.to_string().into()), Json::Integer))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Json::String(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Json::String(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut array = Vec::new();
        while !self.is_full()
            && let Some(item) = items.next_element_seed(self.inside())?
        {
            array.push(item);
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut object = Vec::new();
        while !self.is_full()
            && let Some(Key(key)) = entries.next_key()?
        {
            // With its feature `arbitrary_precision` serde_json hands over a number that is no small integer as an object
            // of this one field.
            if key == NUMBER {
                if let Some(text) = entries.next_value_seed(NumberText)? {
                    return Ok(Json::Number(text.into()));
                }
                // A caller wrote such an object. No decoder knows the field, whatever its value.
                object.push((key, Json::Null));
                continue;
            }
            object.push((key, entries.next_value_seed(self.inside())?));
        }
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Json::Object(object))
    }
}

const NUMBER: &str = "$serde_json::private::Number";

/// Reads the text of a number, which serde_json hands over as an owned `String`. The strings of a caller come borrowed or as
/// a slice: they and all other values are passed over and give `None`.
struct NumberText;

impl<'de> DeserializeSeed<'de> for NumberText {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NumberText {
    type Value = Option<String>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Some(text))
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        IgnoredAny.visit_seq(items).map(|_| None)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Self::Value, A::Error> {
        IgnoredAny.visit_map(entries).map(|_| None)
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Number(text) => {
                text.parse::<serde_json::Number>().map_err(ser::Error::custom)?.serialize(serializer)
            }
            Self::TooDeep => Err(ser::Error::custom("nested too deep")),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(fields) => serializer.collect_map(fields.iter().map(|(name, value)| (name, value))),
        }
    }
}

/// A field's name, borrowed where it has no escapes (`Cow`'s own reader always copies).
pub(crate) struct Key<'a>(pub(crate) Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a field's name")
            }

            fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(value)))
            }

            fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(value.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

#[cfg(test)]
mod tests;
