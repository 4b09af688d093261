//! `{"requests": [...]}` taken apart into the texts of its elements, which are read one by one.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::extract::Field;
use super::json::{Json, Key, malformed};
use super::language::Language;
use super::problem::Problem;

/// The most questions in one batch.
const MOST: usize = 1_000;

/// The fields that are kept of a body that has others than `requests`: more than are ever listed.
const MOST_FIELDS: usize = 100;

/// The texts of the elements, which share the body's memory.
pub(crate) fn split(body: &Bytes, language: Language) -> Result<Vec<Bytes>, Problem> {
    let envelope = match serde_json::from_slice::<Envelope<'_>>(body) {
        Ok(envelope) => envelope,
        // No object that holds an array: its tree shows what it is instead.
        Err(error) if error.is_data() => {
            let json = Json::parse(body, language)?;
            return Field::decode(&json, language, |body| {
                let mut object = body.object()?;
                object.required("requests", |field| field.elements(1..=MOST));
                object.close();
                None
            });
        }
        Err(error) => return Err(malformed(body, &error, language)),
    };
    let Elements { kept, count } = envelope.requests.unwrap_or_default();
    Field::decode(&Json::Object(envelope.fields), language, |body| {
        let mut object = body.object()?;
        object.required("requests", |requests| {
            if !(1..=MOST).contains(&count) {
                requests.note_wrong_length(&(1..=MOST), count);
            }
            Some(())
        });
        object.close();
        Some(())
    })?;
    Ok(kept.into_iter().map(|text| body.slice_ref(text.get().as_bytes())).collect())
}

/// The body: its fields, of which the value of `requests` alone is read.
struct Envelope<'a> {
    fields: Vec<(Cow<'a, str>, Json<'a>)>,
    requests: Option<Elements<'a>>,
}

/// The first elements of an array, and how many it has.
#[derive(Default)]
struct Elements<'a> {
    kept: Vec<&'a RawValue>,
    count: usize,
}

impl<'de> Deserialize<'de> for Envelope<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EnvelopeVisitor;
        impl<'de> Visitor<'de> for EnvelopeVisitor {
            type Value = Envelope<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut envelope = Envelope { fields: Vec::new(), requests: None };
                while let Some(Key(name)) = entries.next_key()? {
                    let is_first = name == "requests" && envelope.requests.is_none();
                    if is_first {
                        envelope.requests = Some(entries.next_value()?);
                    } else {
                        entries.next_value::<IgnoredAny>()?;
                    }
                    if is_first || envelope.fields.len() < MOST_FIELDS {
                        envelope.fields.push((name, Json::Bool(true)));
                    }
                }
                Ok(envelope)
            }
        }
        deserializer.deserialize_map(EnvelopeVisitor)
    }
}

impl<'de> Deserialize<'de> for Elements<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ElementsVisitor;
        impl<'de> Visitor<'de> for ElementsVisitor {
            type Value = Elements<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
                let mut elements = Elements::default();
                while elements.kept.len() < MOST
                    && let Some(element) = items.next_element()?
                {
                    elements.kept.push(element);
                }
                elements.count = elements.kept.len();
                while items.next_element::<IgnoredAny>()?.is_some() {
                    elements.count += 1;
                }
                Ok(elements)
            }
        }
        deserializer.deserialize_seq(ElementsVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Result<Vec<String>, Vec<(String, &'static str)>> {
        let texts = super::split(&Bytes::copy_from_slice(text.as_bytes()), Language::English);
        let texts =
            texts.map(|texts| texts.iter().map(|t| String::from_utf8_lossy(t).into_owned()).collect());
        texts.map_err(|problem| {
            problem.errors().iter().map(|fault| (fault.pointer.clone(), fault.code)).collect()
        })
    }

    #[test]
    fn elements_are_cut_out_as_they_are_written() {
        let texts = split(" {\"requests\" : [ {\"a\": [1, 2]} ,\n 1.50,\"]\", {}, null] } ");
        assert_eq!(texts.unwrap(), ["{\"a\": [1, 2]}", "1.50", "\"]\"", "{}", "null"]);
    }

    #[test]
    fn all_faults_of_the_envelope_are_found() {
        let many = format!("{{\"requests\":[{}]}}", vec!["0"; 500_000].join(","));
        for (text, faults) in [
            ("[]", &[("", "wrong_type")][..]),
            ("5", &[("", "wrong_type")]),
            ("{}", &[("/requests", "missing")]),
            ("{\"requests\":null}", &[("/requests", "missing")]),
            ("{\"requests\":{\"a\":1},\"b\":[]}", &[("/requests", "wrong_type"), ("/b", "unknown_field")]),
            ("{\"requests\":[]}", &[("/requests", "wrong_length")]),
            (&many, &[("/requests", "wrong_length")]),
            (
                "{\"a\":1,\"requests\":[1],\"requests\":[],\"a\":[2]}",
                &[("/requests", "duplicate_field"), ("/a", "duplicate_field"), ("/a", "unknown_field")],
            ),
        ] {
            let found = split(text).unwrap_err();
            let found: Vec<_> = found.iter().map(|(pointer, code)| (&**pointer, *code)).collect();
            assert_eq!(found, faults, "{text:.60}");
        }
        let mut fields = vec!["\"a\":0"; 100_000];
        fields.push("\"requests\":[1]");
        assert_eq!(split(&format!("{{{}}}", fields.join(","))).unwrap_err().len(), 2);
    }

    #[test]
    fn invalid_json_is_rejected() {
        for text in
            ["", "{", "{\"requests\":[1,]}", "{\"requests\":[1]} x", "{\"requests\":[nul]}", "{\"a\":}"]
        {
            let problem =
                super::split(&Bytes::copy_from_slice(text.as_bytes()), Language::English).unwrap_err();
            assert_eq!(problem.kind(), crate::questions::Kind::MalformedJson, "{text}");
        }
    }
}
