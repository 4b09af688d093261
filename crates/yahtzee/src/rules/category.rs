//! The thirteen boxes of the card, sets of them, and a value for each.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// A box of the card, in card order.
///
/// ```
/// use kibitz_yahtzee::Category;
/// assert_eq!(Category::ALL.len(), 13);
/// assert_eq!(Category::Fours.face(), Some(4));
/// assert_eq!("full_house".parse(), Ok(Category::FullHouse));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Category {
    /// The sum of the ones.
    Ones,
    /// The sum of the twos.
    Twos,
    /// The sum of the threes.
    Threes,
    /// The sum of the fours.
    Fours,
    /// The sum of the fives.
    Fives,
    /// The sum of the sixes.
    Sixes,
    /// At least three equal dice.
    ThreeOfAKind,
    /// At least four equal dice.
    FourOfAKind,
    /// Three equal dice and two others equal.
    FullHouse,
    /// Four faces in a row.
    SmallStraight,
    /// Five faces in a row.
    LargeStraight,
    /// Five equal dice.
    Yahtzee,
    /// The sum of any dice.
    Chance,
}

/// How many boxes a card has.
pub const CATEGORY_COUNT: usize = 13;

impl Category {
    /// Every box in card order.
    pub const ALL: [Self; CATEGORY_COUNT] = [
        Self::Ones,
        Self::Twos,
        Self::Threes,
        Self::Fours,
        Self::Fives,
        Self::Sixes,
        Self::ThreeOfAKind,
        Self::FourOfAKind,
        Self::FullHouse,
        Self::SmallStraight,
        Self::LargeStraight,
        Self::Yahtzee,
        Self::Chance,
    ];

    /// The place on the card, 0 to 12.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The face that an upper box counts, 1 to 6; `None` for a lower box.
    pub const fn face(self) -> Option<u8> {
        let index = self as u8;
        if index < 6 { Some(index + 1) } else { None }
    }

    /// The upper box of a face, 1 to 6.
    pub const fn upper(face: u8) -> Option<Self> {
        if face >= 1 && face <= 6 { Some(Self::ALL[face as usize - 1]) } else { None }
    }

    /// Whether the box is in the upper section.
    pub const fn is_upper(self) -> bool {
        (self as u8) < 6
    }

    /// The machine name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ones => "ones",
            Self::Twos => "twos",
            Self::Threes => "threes",
            Self::Fours => "fours",
            Self::Fives => "fives",
            Self::Sixes => "sixes",
            Self::ThreeOfAKind => "three_of_a_kind",
            Self::FourOfAKind => "four_of_a_kind",
            Self::FullHouse => "full_house",
            Self::SmallStraight => "small_straight",
            Self::LargeStraight => "large_straight",
            Self::Yahtzee => "yahtzee",
            Self::Chance => "chance",
        }
    }

    /// The name in an English sentence.
    pub const fn in_english(self) -> &'static str {
        match self {
            Self::ThreeOfAKind => "three of a kind",
            Self::FourOfAKind => "four of a kind",
            Self::FullHouse => "full house",
            Self::SmallStraight => "small straight",
            Self::LargeStraight => "large straight",
            Self::Yahtzee => "Yahtzee",
            _ => self.name(),
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.in_english())
    }
}

/// A name that is no box.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is no box; the boxes are {}", Category::ALL.map(Category::name).join(", "))]
pub struct UnknownCategory {
    /// The name that was given.
    pub name: String,
}

impl std::str::FromStr for Category {
    type Err = UnknownCategory;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|c| c.name() == name)
            .ok_or_else(|| UnknownCategory { name: name.to_owned() })
    }
}

/// A set of boxes, one bit each (bit 0 is the ones).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CategorySet(u16);

impl CategorySet {
    /// No box.
    pub const EMPTY: Self = Self(0);
    /// All thirteen boxes.
    pub const FULL: Self = Self((1 << CATEGORY_COUNT) - 1);
    /// The six upper boxes.
    pub const UPPER: Self = Self(0b11_1111);
    /// The seven lower boxes.
    pub const LOWER: Self = Self(Self::FULL.0 & !Self::UPPER.0);

    /// The set with these thirteen bits; higher bits are ignored.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::FULL.0)
    }

    /// The thirteen bits.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether a box is in the set.
    pub const fn contains(self, category: Category) -> bool {
        self.0 >> category as u8 & 1 == 1
    }

    /// The set with one more box.
    #[must_use]
    pub const fn with(self, category: Category) -> Self {
        Self(self.0 | 1 << category as u8)
    }

    /// The set without a box.
    #[must_use]
    pub const fn without(self, category: Category) -> Self {
        Self(self.0 & !(1 << category as u8))
    }

    /// The boxes that are not in the set.
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(!self.0 & Self::FULL.0)
    }

    /// The boxes in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// How many boxes there are.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The boxes in card order.
    pub fn iter(self) -> impl Iterator<Item = Category> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let category = *Category::ALL.get(bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(category)
        })
    }
}

impl FromIterator<Category> for CategorySet {
    fn from_iter<I: IntoIterator<Item = Category>>(categories: I) -> Self {
        categories.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// A value for each box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByCategory<T>([T; CATEGORY_COUNT]);

impl<T> ByCategory<T> {
    /// The value of each box by a function.
    pub fn from_fn(mut value: impl FnMut(Category) -> T) -> Self {
        Self(Category::ALL.map(&mut value))
    }

    /// The boxes and their values in card order.
    pub fn iter(&self) -> impl Iterator<Item = (Category, &T)> {
        Category::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Category> for ByCategory<T> {
    type Output = T;

    fn index(&self, category: Category) -> &T {
        &self.0[category.index()]
    }
}

impl<T> IndexMut<Category> for ByCategory<T> {
    fn index_mut(&mut self, category: Category) -> &mut T {
        &mut self.0[category.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for category in Category::ALL {
            assert_eq!(category.name().parse(), Ok(category));
            assert_eq!(serde_json::to_value(category).unwrap(), category.name());
            assert_eq!(Category::ALL[category.index()], category);
            assert_eq!(category.face().and_then(Category::upper), category.is_upper().then_some(category));
        }
        assert!("Ones".parse::<Category>().is_err());
    }

    #[test]
    fn sets_iterate_in_card_order() {
        let set: CategorySet = [Category::Chance, Category::Ones, Category::Yahtzee].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Category::Ones, Category::Yahtzee, Category::Chance]);
        assert_eq!(set.complement().len(), 10);
        assert!(!set.without(Category::Ones).contains(Category::Ones));
        assert_eq!(CategorySet::UPPER.complement(), CategorySet::LOWER);
    }
}
