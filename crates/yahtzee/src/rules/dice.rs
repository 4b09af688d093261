//! Five dice as the caller holds them, and the multisets behind them: 252 rolls and 462 keeps.

pub use super::graph::DIE_COUNT;
use super::graph::{FIRST_ROLL, GRAPH, KEEP_COUNT};

/// Five dice in the caller's order.
///
/// ```
/// use kibitz_yahtzee::{Dice, Keep};
/// let dice = Dice::new([3, 1, 3, 6, 4])?;
/// assert_eq!(dice.roll().faces(), [1, 3, 3, 4, 6]);
/// let threes = Keep::new(&[3, 3]).unwrap();
/// assert_eq!(dice.keep_mask(threes), Some([true, false, true, false, false]));
/// # Ok::<(), Vec<kibitz_yahtzee::DiceFault>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dice {
    faces: [u8; DIE_COUNT],
    roll: Roll,
}

/// What is wrong with some dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiceFault {
    /// Not five dice.
    #[error("give exactly five dice, not {found}")]
    Count {
        /// How many were given.
        found: usize,
    },
    /// A face that no die has.
    #[error("a die shows 1 to 6, not {found}")]
    Face {
        /// Which die, from 0.
        index: usize,
        /// What it was said to show.
        found: i64,
    },
}

impl DiceFault {
    /// Which die is at fault, from 0; `None` for the dice as a whole.
    pub const fn index(&self) -> Option<usize> {
        match self {
            Self::Count { .. } => None,
            Self::Face { index, .. } => Some(*index),
        }
    }
}

impl Dice {
    /// Five dice, each 1 to 6.
    ///
    /// # Errors
    /// Every die that shows another face.
    pub fn new(faces: [u8; DIE_COUNT]) -> Result<Self, Vec<DiceFault>> {
        Self::from_numbers(&faces.map(i64::from))
    }

    /// The dice of any list of numbers, as a caller may send them.
    ///
    /// # Errors
    /// A wrong count, and every number that is no face.
    pub fn from_numbers(numbers: &[i64]) -> Result<Self, Vec<DiceFault>> {
        let mut faults = Vec::new();
        if numbers.len() != DIE_COUNT {
            faults.push(DiceFault::Count { found: numbers.len() });
        }
        let mut faces = [0; DIE_COUNT];
        for (index, &found) in numbers.iter().enumerate() {
            match u8::try_from(found) {
                Ok(face @ 1..=6) => {
                    if let Some(slot) = faces.get_mut(index) {
                        *slot = face;
                    }
                }
                _ => faults.push(DiceFault::Face { index, found }),
            }
        }
        if faults.is_empty() { Ok(Self::from_valid(faces)) } else { Err(faults) }
    }

    /// Five dice whose faces are known to be 1 to 6.
    fn from_valid(faces: [u8; DIE_COUNT]) -> Self {
        let keep = faces.iter().fold(Keep::NONE, |keep, &face| keep.plus_valid(face));
        Self { faces, roll: Roll(keep.0 - FIRST_ROLL as u16) }
    }

    /// The faces in the caller's order.
    pub const fn faces(self) -> [u8; DIE_COUNT] {
        self.faces
    }

    /// The dice without their order.
    pub const fn roll(self) -> Roll {
        self.roll
    }

    /// Which dice to leave on the table so that exactly `keep` stays: the first that match, in the
    /// caller's order. `None` where these dice do not hold the keep.
    pub fn keep_mask(self, keep: Keep) -> Option<[bool; DIE_COUNT]> {
        let mut wanted = keep.counts();
        let mask = self.faces.map(|face| {
            let want = &mut wanted[face as usize - 1];
            *want > 0 && {
                *want -= 1;
                true
            }
        });
        (wanted == [0; 6]).then_some(mask)
    }

    /// These dice with the ones outside the keep thrown again.
    ///
    /// Dice that do not match the keep are all thrown.
    pub fn reroll(self, keep: Keep, rng: &mut impl rand::Rng) -> Self {
        let mask = self.keep_mask(keep).unwrap_or_default();
        let mut faces = self.faces;
        for (face, kept) in faces.iter_mut().zip(mask) {
            if !kept {
                *face = throw(rng);
            }
        }
        Self::from_valid(faces)
    }

    /// Five fresh dice.
    pub fn throw(rng: &mut impl rand::Rng) -> Self {
        Self::from_valid(std::array::from_fn(|_| throw(rng)))
    }
}

fn throw(rng: &mut impl rand::Rng) -> u8 {
    use rand::RngExt;
    rng.random_range(1..=6)
}

/// Five dice without their order: one of 252, numbered in lexicographic order of the sorted faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Roll(u16);

impl Roll {
    /// How many rolls there are.
    pub const COUNT: usize = KEEP_COUNT - FIRST_ROLL;

    /// Five equal dice, ones first.
    pub(crate) const FIVES_OF_A_KIND: [Self; 6] =
        [Self(0), Self(126), Self(196), Self(231), Self(246), Self(251)];

    /// Every roll in order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..Self::COUNT as u16).map(Self)
    }

    /// The number of the roll, below [`Roll::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The sorted faces.
    pub fn faces(self) -> [u8; DIE_COUNT] {
        GRAPH.faces[self.keep().index()]
    }

    /// How often each face shows, ones first.
    pub fn counts(self) -> [u8; 6] {
        self.keep().counts()
    }

    /// The sum of the dice.
    pub fn sum(self) -> u8 {
        self.faces().iter().sum()
    }

    /// The face of five equal dice.
    pub fn five_of_a_kind(self) -> Option<u8> {
        let faces = self.faces();
        (faces[0] == faces[4]).then_some(faces[0])
    }

    /// In how many of the 7,776 ways five dice fall so.
    pub fn ways(self) -> u16 {
        GRAPH.ways[self.index()]
    }

    /// The distinct keeps of fewer than five of the dice: those with more dice first, then in
    /// lexicographic order.
    pub fn parts(self) -> impl ExactSizeIterator<Item = Keep> + Clone {
        GRAPH.parts_of(self.index()).iter().map(|&keep| Keep(u16::from(keep)))
    }

    /// All five dice as a keep.
    pub const fn keep(self) -> Keep {
        Keep(self.0 + FIRST_ROLL as u16)
    }
}

/// Dice left on the table: one of 462 multisets of up to five dice, numbered by size, then in
/// lexicographic order of the sorted faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Keep(u16);

impl Keep {
    /// How many keeps there are.
    pub const COUNT: usize = KEEP_COUNT;
    /// No die: everything is thrown again.
    pub const NONE: Self = Self(0);

    /// The keep of up to five faces in any order; `None` for more dice or a face outside 1 to 6.
    pub fn new(faces: &[u8]) -> Option<Self> {
        faces.iter().try_fold(Self::NONE, |keep, &face| keep.plus(face))
    }

    /// Every keep in order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator + Clone {
        (0..Self::COUNT as u16).map(Self)
    }

    /// The keeps with one die fewer.
    pub(crate) fn smaller(self) -> impl DoubleEndedIterator<Item = Self> {
        let distinct = GRAPH.distinct[self.index()] as usize;
        GRAPH.minus[self.index()][..distinct].iter().map(|&smaller| Self(u16::from(smaller)))
    }

    /// The number of the keep, below [`Keep::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The sorted faces, as many as are kept.
    pub fn faces(self) -> &'static [u8] {
        &GRAPH.faces[self.index()][..self.len()]
    }

    /// How many dice are kept, 0 to 5.
    pub const fn len(self) -> usize {
        GRAPH.size[self.0 as usize] as usize
    }

    /// Whether no die is kept.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How often each face is kept, ones first.
    pub fn counts(self) -> [u8; 6] {
        GRAPH.counts[self.index()]
    }

    /// The keep with one more die; `None` if it is full or there is no such face.
    pub fn plus(self, face: u8) -> Option<Self> {
        (matches!(face, 1..=6) && self.len() < DIE_COUNT).then(|| self.plus_valid(face))
    }

    fn plus_valid(self, face: u8) -> Self {
        Self(GRAPH.plus[self.index()][face as usize - 1])
    }

    /// Whether a roll holds these dice.
    pub fn is_within(self, roll: Roll) -> bool {
        self.counts().iter().zip(roll.counts()).all(|(&kept, rolled)| kept <= rolled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_reported() {
        let faults = Dice::from_numbers(&[1, 7, 0, 3, -4, 600]).unwrap_err();
        assert_eq!(faults.len(), 5);
        assert_eq!(faults[0], DiceFault::Count { found: 6 });
        assert_eq!(faults.iter().filter_map(DiceFault::index).collect::<Vec<_>>(), [1, 2, 4, 5]);
        assert_eq!(faults[1].to_string(), "a die shows 1 to 6, not 7");
    }

    #[test]
    fn every_order_of_the_dice_is_one_roll() {
        let mut ways = [0u16; Roll::COUNT];
        for n in 0..7776u16 {
            let faces = [1, 6, 36, 216, 1296].map(|d| (n / d % 6) as u8 + 1);
            let dice = Dice::new(faces).unwrap();
            let mut sorted = faces;
            sorted.sort_unstable();
            assert_eq!(dice.roll().faces(), sorted);
            ways[dice.roll().index()] += 1;
        }
        assert!(Roll::all().all(|roll| roll.ways() == ways[roll.index()]));
    }

    #[test]
    fn fives_of_a_kind_have_their_documented_indices() {
        let fives = Roll::all().filter(|roll| roll.five_of_a_kind().is_some());
        assert_eq!(fives.collect::<Vec<_>>(), Roll::FIVES_OF_A_KIND);
    }

    #[test]
    fn parts_are_the_distinct_proper_keeps_in_order_of_preference() {
        for roll in Roll::all() {
            let parts: Vec<_> = roll.parts().collect();
            let mut slow: Vec<_> =
                Keep::all().filter(|keep| keep.len() < 5 && keep.is_within(roll)).collect();
            slow.sort_by_key(|keep| (5 - keep.len(), keep.faces()));
            assert_eq!(parts, slow);
        }
        let count = |faces| Dice::new(faces).unwrap().roll().parts().len();
        assert_eq!([[3, 3, 3, 4, 4], [1, 2, 3, 4, 5], [1, 1, 1, 1, 1]].map(count), [11, 31, 5]);
    }

    #[test]
    fn keeps_are_multisets() {
        assert_eq!(Keep::new(&[6, 1, 6]).unwrap().faces(), [1, 6, 6]);
        assert_eq!(Keep::new(&[1, 2, 3, 4, 5, 6]), None);
        assert_eq!(Keep::new(&[7]), None);
    }

    #[test]
    fn a_mask_marks_the_first_dice_that_match() {
        let dice = Dice::new([3, 3, 1, 3, 6]).unwrap();
        assert_eq!(dice.keep_mask(Keep::new(&[3, 6, 3]).unwrap()), Some([true, true, false, false, true]));
        assert_eq!(dice.keep_mask(Keep::new(&[1, 1]).unwrap()), None);
    }
}
