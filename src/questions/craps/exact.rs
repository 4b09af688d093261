//! Exact numbers on the wire, both ways.

use serde::Serialize;

use crate::craps::fraction::{self, Fraction};
use crate::craps::net;
use crate::questions::Json;
use crate::questions::extract::Field;

/// An exact rational: `{"fraction": "7/495", "value": 0.014141414141414142}`.
#[derive(Serialize)]
pub(crate) struct Exact {
    fraction: String,
    value: f64,
}

impl From<&Fraction> for Exact {
    fn from(exact: &Fraction) -> Self {
        Self { fraction: fraction::text(exact), value: fraction::value(exact) }
    }
}

/// A number that is also shown as a fraction if that is known.
#[derive(Serialize)]
pub(super) struct Figure {
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<String>,
}

impl From<&net::Figure> for Figure {
    fn from(figure: &net::Figure) -> Self {
        Self { value: figure.value, fraction: figure.exact.as_ref().map(fraction::text) }
    }
}

/// Reads a rational as written: 0.05 is 1/20, and a string such as `1/20` is taken too.
pub(super) fn rational(field: &mut Field<'_, '_, '_>) -> Option<Fraction> {
    let text = match field.value {
        Json::Integer(number) => &number.to_string().into(),
        Json::Number(text) | Json::String(text) => text,
        _ => {
            field.note_wrong_type(("a number or a string such as \"1/20\"", "数字或 \"1/20\" 这样的字符串"));
            return None;
        }
    };
    fraction::parse(text).map_err(|error| field.note_fault(&error)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::questions::Language;
    use crate::questions::extract::Faults;

    fn read(text: &str) -> Result<String, &'static str> {
        let json = Json::parse(text.as_bytes(), Language::English).unwrap();
        let mut faults = Faults::new(Language::English);
        let read = rational(&mut Field::root(&json, &mut faults)).map(|exact| fraction::text(&exact));
        read.ok_or_else(|| faults.found[0].code)
    }

    #[test]
    fn decimals_are_read_as_written() {
        for (text, exact) in [
            ("0.05", "1/20"),
            ("5e-2", "1/20"),
            ("\"1/20\"", "1/20"),
            ("\"0.050\"", "1/20"),
            ("0.1", "1/10"),
            ("123456789.012345", "24691357802469/200000"),
            ("-0.0", "0/1"),
            ("0.12345678901234567890", "1234567890123456789/10000000000000000000"),
            ("1e30", "1000000000000000000000000000000/1"),
        ] {
            assert_eq!(read(text), Ok(exact.to_owned()), "{text}");
        }
    }

    #[test]
    fn other_values_are_none() {
        for (text, code) in [
            ("true", "wrong_type"),
            ("[1,20]", "wrong_type"),
            ("\"1/0\"", "zero_denominator"),
            ("\"half\"", "not_a_number"),
            ("1e999", "number_too_long"),
        ] {
            assert_eq!(read(text), Err(code), "{text}");
        }
    }
}
