//! The figures of independent programs (tests/vectors/craps), and how to read them.

use serde_json::Value;

pub(crate) fn vectors(name: &str) -> Value {
    let path = format!("{}/tests/vectors/craps/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub(crate) fn rows(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

pub(crate) fn string(value: &Value) -> &str {
    value.as_str().unwrap()
}

pub(crate) fn decimal(value: &Value) -> f64 {
    string(value).parse().unwrap()
}

/// The API's id of a bet: the vectors' ids are the same but for three.
pub(crate) fn id_of(id: &str) -> &str {
    match id {
        "pass" => "pass_line",
        "dont_pass_bar12" => "dont_pass",
        "dont_come_bar12" => "dont_come",
        id => id,
    }
}
