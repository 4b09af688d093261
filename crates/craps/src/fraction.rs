//! Exact fractions: how they are read, written and rounded.

use std::str::FromStr;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde::Serialize;

/// An exact fraction in lowest terms, with a positive denominator.
pub type Fraction = BigRational;

/// `numerator / denominator` of two small integers. The denominator must not be zero; callers pass constants.
pub(crate) fn fraction(numerator: impl Into<BigInt>, denominator: impl Into<BigInt>) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

/// The text of a fraction: always `n/d`, whole numbers too.
///
/// ```
/// use kibitz_craps::fraction;
/// let third = fraction::parse("2/6").unwrap();
/// assert_eq!(fraction::text(&third), "1/3");
/// assert_eq!(fraction::text(&fraction::parse("4").unwrap()), "4/1");
/// ```
pub fn text(value: &Fraction) -> String {
    format!("{}/{}", value.numer(), value.denom())
}

/// The nearest `f64`, rounded once.
///
/// The quotient is first cut to 64 or more significant bits with a sticky last bit, so that the one rounding to
/// 53 bits is the correct one. Beyond the range of `f64` the answer is infinite or zero.
pub fn value(exact: &Fraction) -> f64 {
    if exact.is_zero() {
        return 0.0;
    }
    let (numerator, denominator) = (exact.numer().magnitude(), exact.denom().magnitude());
    let shift = 66 + denominator.bits() as i64 - numerator.bits() as i64;
    let (scaled, divisor) = if shift >= 0 {
        (numerator << shift, denominator.clone())
    } else {
        (numerator.clone(), denominator << -shift)
    };
    let (quotient, rest) = (&scaled / &divisor, &scaled % &divisor);
    // 66 or 67 bits: drop three, keep whether anything was lost.
    let head: u64 = (&quotient >> 3u8).to_u64().unwrap_or(u64::MAX);
    let lost = !rest.is_zero() || quotient.trailing_zeros().unwrap_or(0) < 3;
    let rounded = (head | u64::from(lost)) as f64;
    let magnitude = scale_by_power_of_two(rounded, 3 - shift);
    if exact.is_negative() { -magnitude } else { magnitude }
}

/// `value * 2^exponent`, in steps that neither overflow nor vanish early.
fn scale_by_power_of_two(mut value: f64, mut exponent: i64) -> f64 {
    while exponent != 0 && value != 0.0 && value.is_finite() {
        let step = exponent.clamp(-900, 900);
        value *= 2f64.powi(step as i32);
        exponent -= step;
    }
    value
}

/// Reads a fraction as written: `0.05` is 1/20, `1/20` is taken too, and `5e-2` as JSON writers print it.
///
/// ```
/// use kibitz_craps::fraction::{self, parse};
/// assert_eq!(parse("0.05"), parse("1/20"));
/// assert_eq!(parse("5e-2"), parse("1/20"));
/// assert!(parse("1/0").is_err());
/// assert!(parse("7x").is_err());
/// ```
///
/// # Errors
/// Says what is wrong with the text; see [`ParseFractionError`].
pub fn parse(text: &str) -> Result<Fraction, ParseFractionError> {
    let text = text.trim();
    if text.len() > MAX_LENGTH {
        return Err(ParseFractionError::TooLong);
    }
    match text.split_once('/') {
        Some((numerator, denominator)) => {
            let (numerator, denominator) = (parse_integer(numerator)?, parse_integer(denominator)?);
            if denominator.is_zero() {
                return Err(ParseFractionError::ZeroDenominator);
            }
            Ok(Fraction::new(numerator, denominator))
        }
        None => parse_decimal(text),
    }
}

/// Longer texts are no figures that a caller means.
pub const MAX_LENGTH: usize = 100;
/// `1e-40` is a figure, `1e-400000000` an attack on memory.
pub const MAX_EXPONENT: i32 = 100;

fn parse_integer(digits: &str) -> Result<BigInt, ParseFractionError> {
    let unsigned = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    if unsigned.is_empty() || !unsigned.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ParseFractionError::NotANumber);
    }
    BigInt::from_str(digits).map_err(|_| ParseFractionError::NotANumber)
}

fn parse_decimal(text: &str) -> Result<Fraction, ParseFractionError> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            (mantissa, exponent.parse::<i32>().map_err(|_| ParseFractionError::NotANumber)?)
        }
        None => (text, 0),
    };
    if exponent.abs() > MAX_EXPONENT {
        return Err(ParseFractionError::TooLong);
    }
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if mantissa.ends_with('.') || !decimals.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ParseFractionError::NotANumber);
    }
    let digits = parse_integer(&format!("{whole}{decimals}"))?;
    let power = exponent - decimals.len() as i32;
    let scale = BigInt::from(10).pow(power.unsigned_abs());
    Ok(if power >= 0 { Fraction::from(digits * scale) } else { Fraction::new(digits, scale) })
}

/// Why a text is no fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ParseFractionError {
    /// Neither a decimal nor a quotient of two integers.
    #[error("write a decimal like 0.05 or a fraction like 1/20")]
    NotANumber,
    /// The part below the line is zero.
    #[error("the denominator must not be zero")]
    ZeroDenominator,
    /// More digits than any figure of this game needs.
    #[error("write at most {MAX_LENGTH} characters and an exponent of at most {MAX_EXPONENT}")]
    TooLong,
}

impl ParseFractionError {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotANumber => "not_a_number",
            Self::ZeroDenominator => "zero_denominator",
            Self::TooLong => "number_too_long",
        }
    }
}

/// The sum of many fractions.
pub(crate) fn sum<'a>(terms: impl IntoIterator<Item = &'a Fraction>) -> Fraction {
    terms.into_iter().fold(Fraction::zero(), |total, term| total + term)
}

/// One.
pub(crate) fn one() -> Fraction {
    Fraction::one()
}

/// Zero.
pub(crate) fn zero() -> Fraction {
    Fraction::zero()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decimals_are_read_as_written() {
        for (text, want) in [
            ("0.05", (1, 20)),
            ("1/20", (1, 20)),
            ("-0.5", (-1, 2)),
            ("+3", (3, 1)),
            ("2e3", (2000, 1)),
            ("1.5E-1", (3, 20)),
            ("-4/6", (-2, 3)),
        ] {
            assert_eq!(parse(text), Ok(fraction(want.0, want.1)), "{text}");
        }
    }

    #[test]
    fn invalid_text_is_rejected() {
        for text in
            ["", ".", "1.", "-", "1/", "/2", "1/2/3", "0x5", "1e", "1e1.5", "NaN", "inf", "1_0", "--1", "1 2"]
        {
            assert_eq!(parse(text), Err(ParseFractionError::NotANumber), "{text:?}");
        }
        assert_eq!(parse("3/0"), Err(ParseFractionError::ZeroDenominator));
        assert_eq!(parse("1e101"), Err(ParseFractionError::TooLong));
        assert_eq!(parse(&"1".repeat(101)), Err(ParseFractionError::TooLong));
    }

    #[test]
    fn rounding_holds_at_the_edges() {
        assert_eq!(value(&fraction(7, 495)), 7.0 / 495.0);
        assert_eq!(value(&fraction(-1, 3)), -1.0 / 3.0);
        let huge = Fraction::from(BigInt::from(10).pow(400));
        assert_eq!(value(&huge), f64::INFINITY);
        assert_eq!(value(&huge.recip()), 0.0);
        assert_eq!(value(&Fraction::new(1.into(), BigInt::from(10).pow(300))), 1e-300);
    }

    proptest! {
        /// Both integers are exact as `f64`, so the hardware's quotient is the correctly rounded one.
        #[test]
        fn rounding_agrees_with_the_hardware(n in 1i64..1 << 53, d in 1i64..1 << 53) {
            prop_assert_eq!(value(&fraction(n, d)), n as f64 / d as f64);
        }

        #[test]
        fn every_float_is_read_back(x in prop::num::f64::NORMAL.prop_filter("exponent", |x| x.abs() < 1e50 && x.abs() > 1e-50)) {
            prop_assert_eq!(parse(&format!("{x:e}")).map(|f| value(&f)), Ok(x));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,12}") {
            let _ = parse(&text);
        }
    }
}
