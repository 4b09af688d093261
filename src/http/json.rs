//! JSON as a tree that keeps what typed readers lose: fields given twice, and the text of every number's place.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::problem::{Fault, Kind, Problem};

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json<'a> {
    Null,
    Bool(bool),
    Number(f64),
    String(Cow<'a, str>),
    Array(Vec<Self>),
    /// In the order of the text, a field given twice standing here twice.
    Object(Vec<(Cow<'a, str>, Self)>),
}

impl<'a> Json<'a> {
    /// Reads one JSON value and nothing after it.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, Problem> {
        serde_json::from_slice(bytes).map_err(|error| {
            let detail = error.to_string();
            // 1e999 is JSON, but no number that any field takes; the reader has no other sign for it.
            if detail.starts_with("number out of range") {
                Problem::invalid(vec![Fault { pointer: String::new(), code: "out_of_range", detail }])
            } else {
                Problem::new(Kind::MalformedJson).with_detail(detail)
            }
        })
    }

    /// What the value is, for a message: `a string`, `an array`, ...
    pub(crate) const fn kind(&self) -> (&'static str, &'static str) {
        match self {
            Self::Null => ("null", "null"),
            Self::Bool(_) => ("a boolean", "布尔值"),
            Self::Number(_) => ("a number", "数字"),
            Self::String(_) => ("a string", "字符串"),
            Self::Array(_) => ("an array", "数组"),
            Self::Object(_) => ("an object", "对象"),
        }
    }
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
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

    // Integers beyond 2^53 lose digits here; no field takes one, and the rounded value is out of every range too.
    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Json::Number(value))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Json::String(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Json::String(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut object = Vec::new();
        while let Some(Key(key)) = entries.next_key()? {
            object.push((key, entries.next_value()?));
        }
        Ok(Json::Object(object))
    }
}

/// A field's name, borrowed where it has no escapes (`Cow`'s own reader always copies).
struct Key<'a>(Cow<'a, str>);

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
mod tests {
    use super::*;

    #[test]
    fn fields_given_twice_are_both_kept() {
        let json = Json::parse(br#"{"a":1,"a":[null,true,"x\n"]}"#).unwrap();
        let Json::Object(fields) = json else { panic!("not an object") };
        assert_eq!(fields.iter().map(|(name, _)| &**name).collect::<Vec<_>>(), ["a", "a"]);
    }

    #[test]
    fn what_is_no_json_is_refused() {
        let deep = "[".repeat(100_000);
        for text in ["", "{", "[1,]", "nul", "{\"a\":1} x", "\u{feff}{}", &deep] {
            assert!(Json::parse(text.as_bytes()).is_err(), "{text:.20}");
        }
        assert!(Json::parse(b"\"\xff\"").is_err());
    }

    #[test]
    fn a_number_beyond_all_ranges_is_json_of_no_use() {
        let problem = Json::parse(b"[1e999]").unwrap_err();
        assert_eq!(problem.kind(), Kind::InvalidRequest);
    }
}
