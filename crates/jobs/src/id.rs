//! What names a job, a request to start one, and a place in the list of jobs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

/// The id of a job: 128 random bits, written as 32 hexadecimal digits. Whoever knows it may read and end the job, so
/// it is kept out of logs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct JobId(u128);

impl JobId {
    /// A new id, from the thread's generator, which is cryptographically secure.
    #[must_use]
    pub fn random() -> Self {
        Self(rand::random())
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

impl fmt::Debug for JobId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JobId(..)")
    }
}

impl Serialize for JobId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for JobId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl FromStr for JobId {
    type Err = Malformed;

    /// Reads exactly what `Display` writes, so that a job has one name.
    fn from_str(text: &str) -> Result<Self, Malformed> {
        fixed_hex(text, 32).map(Self).ok_or(Malformed)
    }
}

/// A client, as far as clients can be told apart. How is for the caller to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClientKey(pub u128);

/// A client's own name for a request to start a job: the same key and request again give the same job.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// The longest key, in bytes.
    pub const LONGEST: usize = 255;

    /// Takes a key of 1 to [`Self::LONGEST`] visible ASCII characters.
    ///
    /// # Errors
    /// [`Malformed`] for any other text.
    pub fn new(text: &str) -> Result<Self, Malformed> {
        let fit =
            (1..=Self::LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fit { Ok(Self(text.to_owned())) } else { Err(Malformed) }
    }
}

/// A place in the list of jobs: after the job with this number. Callers pass it on as they got it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor(pub(super) u64);

impl fmt::Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

impl FromStr for Cursor {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        fixed_hex(text, 16).and_then(|number| u64::try_from(number).ok()).map(Self).ok_or(Malformed)
    }
}

/// The text is not what it should be: an id, a cursor or an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("malformed")]
pub struct Malformed;

/// A number of exactly the given number of lower-case hexadecimal digits.
fn fixed_hex(text: &str, digits: usize) -> Option<u128> {
    let plain = text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if plain { u128::from_str_radix(text, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_id_is_read_as_it_is_written(bits: u128) {
            let text = JobId(bits).to_string();
            prop_assert_eq!(text.len(), 32);
            prop_assert_eq!(text.parse(), Ok(JobId(bits)));
        }

        #[test]
        fn a_cursor_is_read_as_it_is_written(number: u64) {
            prop_assert_eq!(Cursor(number).to_string().parse(), Ok(Cursor(number)));
        }

        #[test]
        fn other_texts_are_no_id(text in "[0-9a-fA-F+ ]{0,40}") {
            let read: Result<JobId, _> = text.parse();
            prop_assert!(read.is_err() || read.map(|id| id.to_string()) == Ok(text));
        }
    }

    #[test]
    fn ids_differ_and_stay_out_of_debug_output() {
        let (one, other) = (JobId::random(), JobId::random());
        assert_ne!(one, other);
        assert!(!format!("{one:?}").contains(&one.to_string()));
    }

    #[test]
    fn keys_are_bounded() {
        assert!(IdempotencyKey::new("0f1e-2").is_ok() && IdempotencyKey::new(&"k".repeat(255)).is_ok());
        for text in ["", "two words", "é", "tab\t", &"k".repeat(256)] {
            assert_eq!(IdempotencyKey::new(text), Err(Malformed), "{text}");
        }
    }
}
