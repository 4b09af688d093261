//! Numbers as JSON writes them.

/// The integer that a number written with a point or an exponent is, if it is one.
pub(crate) fn integer_as_written(text: &str) -> Option<i64> {
    /// Beyond 2^53 not every integer is a double, so that 1e17 might not be what was meant.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    // Rounding to a double must not make an integer of 0.99999999999999999.
    let number: f64 = text.parse().ok().filter(|_| is_whole(text))?;
    (number.abs() < EXACT).then_some(number as i64)
}

/// Whether a number of JSON is an integer, by its digits alone.
pub(crate) fn is_whole(text: &str) -> bool {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    // How many decimals are left once the zeros at the end are gone.
    let decimals = if fraction.is_empty() {
        whole.trim_end_matches('0').len() as i64 - whole.len() as i64
    } else {
        fraction.len() as i64
    };
    let is_zero = fraction.is_empty() && whole.bytes().all(|byte| matches!(byte, b'-' | b'0'));
    // An exponent too long for 64 bits outweighs any number of digits.
    let exponent = exponent.parse().unwrap_or(if exponent.starts_with('-') { i64::MIN } else { i64::MAX });
    is_zero || exponent >= decimals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_is_an_integer_by_its_digits() {
        for (text, number) in [
            ("3.0", 3),
            ("-3.000", -3),
            ("1e1", 10),
            ("1.50E+1", 15),
            ("1200e-2", 12),
            ("-0.0", 0),
            ("0e-99", 0),
            ("0.0e99999999999999999999", 0),
        ] {
            assert_eq!(integer_as_written(text), Some(number), "{text}");
        }
        for text in [
            "0.99999999999999999",
            "2.00000000000000000001",
            "1e-1",
            "1200e-3",
            "1e-400",
            "1e-99999999999999999999",
            "-0.99999999999999999",
        ] {
            assert!(!is_whole(text) && integer_as_written(text).is_none(), "{text}");
        }
        for text in ["1e17", "9007199254740993.0", "1e99999999999999999999"] {
            assert!(is_whole(text) && integer_as_written(text).is_none(), "{text}");
        }
    }
}
