//! Odds behind a line bet: how much may be put up behind each point.

use std::fmt;
use std::str::FromStr;

use num_traits::{Signed, Zero};

use super::dice::Point;
use super::fraction::{self, Fraction, fraction};
use super::line::{LineOutcome, Side};

/// A multiple of the flat bet for each point. On don't bets a multiple of m is a lay that *wins* m flat bets.
///
/// ```
/// use kibitz_craps::odds::OddsTable;
/// let table: OddsTable = "3-4-5x".parse().unwrap();
/// assert_eq!(table, "4:3,5:4,6:5,8:5,9:4,10:3".parse().unwrap());
/// assert_eq!(table.to_string(), "3-4-5x");
/// assert!("7x-9".parse::<OddsTable>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddsTable {
    multiples: [Fraction; 6],
}

impl OddsTable {
    /// The largest multiple. No casino offers more than 100x (J. Grochowski, *All about 100x odds*, Casino City Times, 2011), so
    /// that a larger one is a slip: `345x` without its hyphens, or an amount of money.
    pub const MAX_MULTIPLE: u32 = 100;

    /// No odds.
    pub fn none() -> Self {
        Self::uniform(&fraction::zero())
    }

    /// The common 3-4-5x table: 3 behind 4 and 10, 4 behind 5 and 9, 5 behind 6 and 8, so that every made point
    /// wins 7 flat bets in all.
    pub fn three_four_five() -> Self {
        Self { multiples: [3, 4, 5, 5, 4, 3].map(|multiple| fraction(multiple, 1)) }
    }

    fn uniform(multiple: &Fraction) -> Self {
        Self { multiples: std::array::from_fn(|_| multiple.clone()) }
    }

    /// Multiples in the order of [`Point::ALL`].
    ///
    /// # Errors
    /// One fault for each multiple that is negative or above [`OddsTable::MAX_MULTIPLE`].
    pub fn new(multiples: [Fraction; 6]) -> Result<Self, Vec<OddsError>> {
        let faults: Vec<_> = Point::ALL
            .into_iter()
            .filter(|point| {
                let multiple = &multiples[point.index()];
                multiple.is_negative() || *multiple > fraction(Self::MAX_MULTIPLE, 1)
            })
            .map(|point| OddsError::OutOfRange {
                number: point.number(),
                multiple: shown(&multiples[point.index()]),
            })
            .collect();
        if faults.is_empty() { Ok(Self { multiples }) } else { Err(faults) }
    }

    /// The multiple behind a point.
    pub fn multiple(&self, point: Point) -> &Fraction {
        &self.multiples[point.index()]
    }

    /// Whether no odds are put up at all.
    pub fn is_none(&self) -> bool {
        self.multiples.iter().all(Zero::is_zero)
    }

    /// What is put up behind each point per unit of flat bet: the multiple itself, or the lay that wins it.
    pub fn amounts(&self, side: Side) -> OddsAmounts {
        OddsAmounts(Point::ALL.map(|point| {
            let multiple = self.multiple(point).clone();
            match side {
                Side::Right => multiple,
                Side::Wrong => multiple * true_odds(point),
            }
        }))
    }
}

/// The money put up behind each point, per unit of flat bet, in the order of [`Point::ALL`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddsAmounts(pub(crate) [Fraction; 6]);

impl OddsAmounts {
    /// What is put up behind a point.
    pub fn behind(&self, point: Point) -> &Fraction {
        &self.0[point.index()]
    }

    /// The most that any point asks for.
    pub fn largest(&self) -> Fraction {
        self.0.iter().max().cloned().unwrap_or_else(fraction::zero)
    }

    /// What a line bet gains per unit of flat bet when it ends so.
    pub fn net(&self, side: Side, outcome: LineOutcome) -> Fraction {
        use super::automaton::Settlement::{BreakEven, Lose, Push, Win};
        let (point, odds_working) = match outcome {
            LineOutcome::Decided { point, odds_working, .. } => (Some(point), odds_working),
            _ => (None, false),
        };
        let at_risk = point.filter(|_| odds_working).map(|point| {
            let amount = self.behind(point);
            match side {
                Side::Right => (amount * true_odds(point), amount.clone()),
                Side::Wrong => (amount / true_odds(point), amount.clone()),
            }
        });
        let (gain, loss) = at_risk.unwrap_or_else(|| (fraction::zero(), fraction::zero()));
        match outcome.settlement(side) {
            Win => fraction::one() + gain,
            Lose => -(fraction::one() + loss),
            Push | BreakEven => fraction::zero(),
        }
    }
}

/// True odds against a point as a fraction: 2, 3/2 or 6/5.
fn true_odds(point: Point) -> Fraction {
    let (win, stake) = point.true_odds();
    fraction(win, stake)
}

/// A multiple for a message, cut to 60 characters.
fn shown(multiple: &Fraction) -> String {
    multiple.to_string().chars().take(60).collect()
}

impl FromStr for OddsTable {
    type Err = OddsError;

    /// Reads `none`, `3-4-5x` (or `345x`), a multiple like `2x`, or six multiples like `4:3,5:4,6:5,8:5,9:4,10:3`.
    fn from_str(text: &str) -> Result<Self, OddsError> {
        let unreadable = || OddsError::Unreadable { text: text.chars().take(60).collect() };
        let read = |digits: &str| fraction::parse(digits).map_err(|_| unreadable());
        let first_fault = |faults: Vec<OddsError>| faults.into_iter().next().unwrap_or_else(unreadable);
        match text {
            "none" => return Ok(Self::none()),
            "3-4-5x" | "345x" => return Ok(Self::three_four_five()),
            _ => {}
        }
        if let Some(multiple) = text.strip_suffix('x') {
            let multiple = read(multiple)?;
            return Self::new(Self::uniform(&multiple).multiples).map_err(first_fault);
        }
        let mut multiples: [Option<Fraction>; 6] = std::array::from_fn(|_| None);
        for part in text.split(',') {
            let (number, multiple) = part.split_once(':').ok_or_else(unreadable)?;
            let point = number.trim().parse().ok().and_then(Point::from_total).ok_or_else(unreadable)?;
            if multiples[point.index()].replace(read(multiple)?).is_some() {
                return Err(OddsError::GivenTwice { number: point.number() });
            }
        }
        if let Some(point) = Point::ALL.into_iter().find(|point| multiples[point.index()].is_none()) {
            return Err(OddsError::Missing { number: point.number() });
        }
        Self::new(multiples.map(Option::unwrap_or_default)).map_err(first_fault)
    }
}

impl fmt::Display for OddsTable {
    /// The shortest text that [`FromStr`] reads back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("none");
        }
        if *self == Self::three_four_five() {
            return f.write_str("3-4-5x");
        }
        if self.multiples.iter().all(|multiple| *multiple == self.multiples[0]) {
            return write!(f, "{}x", self.multiples[0]);
        }
        for (i, point) in Point::ALL.into_iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{}:{}", point.number(), self.multiple(point))?;
        }
        Ok(())
    }
}

/// Why an odds table cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OddsError {
    /// The text is none of the four forms.
    #[error("write odds as none, 2x, 3-4-5x or 4:3,5:4,6:5,8:5,9:4,10:3, not {text:?}")]
    Unreadable {
        /// What was given, cut to 60 characters.
        text: String,
    },
    /// A point has no multiple.
    #[error("name a multiple for each of 4, 5, 6, 8, 9 and 10; {number} has none")]
    Missing {
        /// The point.
        number: u8,
    },
    /// A point has two multiples.
    #[error("name one multiple for each point; {number} has two")]
    GivenTwice {
        /// The point.
        number: u8,
    },
    /// A multiple is negative or too large.
    #[error("the multiple behind {number} must be from 0 to {max}, got {multiple}", max = OddsTable::MAX_MULTIPLE)]
    OutOfRange {
        /// The point.
        number: u8,
        /// What was given, cut to 60 characters.
        multiple: String,
    },
}

impl OddsError {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "odds_unreadable",
            Self::Missing { .. } => "odds_missing",
            Self::GivenTwice { .. } => "odds_given_twice",
            Self::OutOfRange { .. } => "odds_out_of_range",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_form_is_read() {
        assert!("none".parse::<OddsTable>().unwrap().is_none());
        assert!("0x".parse::<OddsTable>().unwrap().is_none());
        let table: OddsTable = "4:1,5:0,6:1/2,8:0.5,9:2,10:100".parse().unwrap();
        assert_eq!(*table.multiple(Point::Eight), fraction(1, 2));
        assert_eq!(*table.multiple(Point::Ten), fraction(100, 1));
    }

    #[test]
    fn three_four_five_without_hyphens_is_no_multiple_of_345() {
        assert_eq!("345x".parse(), Ok(OddsTable::three_four_five()));
        assert_eq!("100x".parse(), Ok(OddsTable::uniform(&fraction(100, 1))));
        for text in ["346x", "234x", "1000000x", "1e3x", "101x", "4:3,5:4,6:5,8:5,9:4,10:345"] {
            let error = text.parse::<OddsTable>().unwrap_err();
            assert_eq!(error.code(), "odds_out_of_range", "{text}");
        }
        let error = "4:3,5:4,6:5,8:5,9:4,10:345".parse::<OddsTable>().unwrap_err();
        assert_eq!(error.to_string(), "the multiple behind 10 must be from 0 to 100, got 345");
    }

    #[test]
    fn each_fault_has_its_name() {
        let code = |text: &str| text.parse::<OddsTable>().unwrap_err().code();
        for text in ["", "x", "7x-9", "3-4-5", "4:3;5:4", "7:1,5:4", "nonex"] {
            assert_eq!(code(text), "odds_unreadable", "{text:?}");
        }
        assert_eq!(code("4:3,5:4"), "odds_missing");
        assert_eq!(code("4:3,4:4"), "odds_given_twice");
        assert_eq!(code("-1x"), "odds_out_of_range");
    }

    proptest! {
        #[test]
        fn text_reads_back(multiples in prop::array::uniform6((0i64..=100, 1i64..20))) {
            let table = OddsTable::new(multiples.map(|(n, d)| fraction(n, d))).unwrap();
            prop_assert_eq!(table.to_string().parse::<OddsTable>(), Ok(table));
        }

        #[test]
        fn no_text_panics(text in "[0-9x:,./ -]{0,20}") {
            let _ = text.parse::<OddsTable>();
        }

        /// Odds have no edge: the flat bet's expectation never moves.
        #[test]
        fn odds_are_fair(multiples in prop::array::uniform6(0i64..100)) {
            let table = OddsTable::new(multiples.map(|n| fraction(n, 1))).unwrap();
            for side in [Side::Right, Side::Wrong] {
                let amounts = table.amounts(side);
                for point in Point::ALL {
                    let net = |made| amounts.net(side, LineOutcome::Decided { point, made, odds_working: true });
                    let flat = if side == Side::Right { 1 } else { -1 } * (i64::from(point.ways()) - 6);
                    let mean = net(true) * fraction(point.ways(), 1) + net(false) * fraction(6, 1);
                    prop_assert_eq!(mean, fraction(flat, 1));
                }
            }
        }
    }
}
