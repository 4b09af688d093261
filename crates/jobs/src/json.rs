//! JSON that nobody here looks into.

use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// A JSON value as the text that its owner wrote: fields keep their order, and a copy costs nothing.
#[derive(Clone)]
pub struct Json(Arc<RawValue>);

impl Json {
    /// Writes a value.
    ///
    /// # Errors
    /// Where the value has no form in JSON, such as a map whose keys are no strings.
    pub fn of(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        Ok(Self(to_raw_value(value)?.into()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// Reads the value back.
    ///
    /// # Errors
    /// If it has another shape.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.as_str())
    }
}

/// Equal texts.
impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_ref().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(|value| Self(value.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_their_order_inside_another_value() {
        #[derive(Serialize)]
        struct Zebra {
            zebra: u8,
            ant: Option<u8>,
        }
        let json = Json::of(&Zebra { zebra: 1, ant: None }).unwrap();
        assert_eq!(serde_json::to_string(&[&json]).unwrap(), r#"[{"zebra":1,"ant":null}]"#);
        assert_eq!(json.read::<serde_json::Value>().unwrap()["zebra"], 1);
        assert!(json.read::<u8>().is_err());
    }
}
