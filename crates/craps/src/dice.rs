//! Two dice: the 36 ordered pairs, their totals, and an honest roll.

use rand::Rng;

/// An ordered pair of dice, each 1 to 6.
///
/// ```
/// use kibitz_craps::dice::Dice;
/// let dice = Dice::new([3, 4]).unwrap();
/// assert_eq!(dice.total(), 7);
/// assert_eq!(Dice::new([0, 7]).unwrap_err().len(), 2, "both dice are at fault");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dice {
    first: u8,
    second: u8,
}

impl Dice {
    /// How many ordered pairs there are, all equally likely.
    pub const COUNT: usize = 36;

    /// All pairs in the order of [`Dice::index`].
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self { first: 1, second: 1 }; Self::COUNT];
        let mut i = 0;
        while i < Self::COUNT {
            all[i] = Self { first: (i / 6) as u8 + 1, second: (i % 6) as u8 + 1 };
            i += 1;
        }
        all
    };

    /// Two faces as shown.
    ///
    /// # Errors
    /// One fault for each die that is not 1 to 6.
    pub fn new(faces: [u8; 2]) -> Result<Self, Vec<DieError>> {
        let faults: Vec<_> = (0..2)
            .filter(|&index| !(1..=6).contains(&faces[index]))
            .map(|index| DieError { index, face: faces[index] })
            .collect();
        if faults.is_empty() { Ok(Self { first: faces[0], second: faces[1] }) } else { Err(faults) }
    }

    /// Position in [`Dice::ALL`]: 0 for 1-1, 5 for 1-6, 35 for 6-6.
    pub const fn index(self) -> usize {
        (self.first as usize - 1) * 6 + self.second as usize - 1
    }

    /// The two faces in order.
    pub const fn faces(self) -> [u8; 2] {
        [self.first, self.second]
    }

    /// The sum of the faces, 2 to 12.
    pub const fn total(self) -> u8 {
        self.first + self.second
    }

    /// Whether both faces are equal: a "hard" total.
    pub const fn is_hard(self) -> bool {
        self.first == self.second
    }

    /// A fair roll: one random byte, drawn again while it is 252 or more, because 252 = 7 x 36 and a byte taken
    /// modulo 36 as it comes would favour the low pairs.
    ///
    /// The mapping is part of the contract: the same generator gives the same rolls in every version.
    pub fn roll(rng: &mut impl Rng) -> Self {
        loop {
            let byte = (rng.next_u32() >> 24) as usize;
            if byte < 7 * Self::COUNT {
                return Self::ALL[byte % Self::COUNT];
            }
        }
    }
}

/// In how many of the 36 pairs a total comes: 0 outside 2 to 12.
pub const fn ways(total: u8) -> u32 {
    match total {
        2..=7 => total as u32 - 1,
        8..=12 => 13 - total as u32,
        _ => 0,
    }
}

/// An invalid die face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a die shows 1 to 6, not {face}")]
pub struct DieError {
    /// Which of the two dice, 0 or 1.
    pub index: usize,
    /// What was given.
    pub face: u8,
}

/// One of the six numbers that a come-out can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Point {
    /// 4, in 3 of 36 rolls.
    Four,
    /// 5, in 4 of 36 rolls.
    Five,
    /// 6, in 5 of 36 rolls.
    Six,
    /// 8, in 5 of 36 rolls.
    Eight,
    /// 9, in 4 of 36 rolls.
    Nine,
    /// 10, in 3 of 36 rolls.
    Ten,
}

impl Point {
    /// The six points, lowest first.
    pub const ALL: [Self; 6] = [Self::Four, Self::Five, Self::Six, Self::Eight, Self::Nine, Self::Ten];

    /// The point that a total sets, if it sets one.
    pub const fn from_total(total: u8) -> Option<Self> {
        Some(match total {
            4 => Self::Four,
            5 => Self::Five,
            6 => Self::Six,
            8 => Self::Eight,
            9 => Self::Nine,
            10 => Self::Ten,
            _ => return None,
        })
    }

    /// Its total: 4, 5, 6, 8, 9 or 10.
    pub const fn number(self) -> u8 {
        [4, 5, 6, 8, 9, 10][self as usize]
    }

    /// Position in [`Point::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// In how many of the 36 pairs it comes.
    pub const fn ways(self) -> u32 {
        ways(self.number())
    }

    /// True odds against making it before a seven, `(win, stake)`: 2 to 1, 3 to 2 or 6 to 5.
    pub const fn true_odds(self) -> (u32, u32) {
        match self {
            Self::Four | Self::Ten => (2, 1),
            Self::Five | Self::Nine => (3, 2),
            Self::Six | Self::Eight => (6, 5),
        }
    }
}

/// The puck after a roll: set by a point number on a come-out, taken off when the point is made or missed.
pub(crate) fn move_puck(puck: Option<Point>, total: u8) -> Option<Point> {
    match puck {
        None => Point::from_total(total),
        Some(point) if total == point.number() || total == 7 => None,
        standing => standing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn pairs_totals_and_ways_agree() {
        for (i, dice) in Dice::ALL.into_iter().enumerate() {
            assert_eq!(dice.index(), i);
            assert_eq!(Dice::new(dice.faces()), Ok(dice));
        }
        for total in 0..=13 {
            let counted = Dice::ALL.iter().filter(|d| d.total() == total).count();
            assert_eq!(ways(total) as usize, counted, "{total}");
        }
    }

    #[test]
    fn every_bad_die_is_named() {
        let faults = Dice::new([0, 7]).unwrap_err();
        assert_eq!(faults, [DieError { index: 0, face: 0 }, DieError { index: 1, face: 7 }]);
        assert_eq!(Dice::new([6, 9]).unwrap_err(), [DieError { index: 1, face: 9 }]);
    }

    #[test]
    fn true_odds_are_the_ratio_of_sevens_to_ways() {
        for point in Point::ALL {
            let (win, stake) = point.true_odds();
            assert_eq!(win * point.ways(), stake * ways(7));
            assert_eq!(Point::from_total(point.number()), Some(point));
        }
        assert_eq!([2, 3, 7, 11, 12].map(Point::from_total), [None; 5]);
    }

    #[test]
    fn rolls_are_even_over_the_pairs() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut counts = [0u32; 36];
        let rolls = 360_000;
        for _ in 0..rolls {
            counts[Dice::roll(&mut rng).index()] += 1;
        }
        let expected = f64::from(rolls) / 36.0;
        let statistic: f64 = counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
        assert!(
            statistic < 66.6,
            "chi-squared {statistic}, 35 degrees of freedom, one in a thousand is 66.6"
        );
    }
}
