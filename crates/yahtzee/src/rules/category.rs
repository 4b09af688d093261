//! The boxes of all score sheets, sets of them, and a value for each.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// A box of a score sheet. The boxes are ordered so that every sheet lists its own in ascending order.
///
/// That is why Yatzy's full house, which has another place on the card and counts its dice, is a box of its own. Which
/// boxes a card has, and what they count, is said by its [`crate::Sheet`].
///
/// ```
/// use kibitz_yahtzee::Category;
/// assert_eq!(Category::Fours.face(), Some(4));
/// assert_eq!(Category::FullHouse.name(), "full_house");
/// assert!(Category::Ones < Category::Chance);
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
    /// Two equal dice.
    OnePair,
    /// Twice two equal dice.
    TwoPairs,
    /// At least three equal dice.
    ThreeOfAKind,
    /// At least four equal dice.
    FourOfAKind,
    /// Three equal dice and two others equal, for a fixed number of points.
    FullHouse,
    /// Four faces in a row; in Yatzy 1 to 5.
    SmallStraight,
    /// Five faces in a row; in Yatzy 2 to 6.
    LargeStraight,
    /// Three equal dice and two others equal, for the sum of the dice.
    #[serde(rename(serialize = "full_house"), skip_deserializing)]
    FullHouseSum,
    /// Five equal dice.
    Yahtzee,
    /// The sum of any dice.
    Chance,
    /// Five equal dice, on a card that knows no further Yahtzee.
    Yatzy,
}

/// How many boxes there are on all sheets together.
pub const CATEGORY_COUNT: usize = 17;

impl Category {
    /// The boxes of all sheets in their order.
    pub const ALL: [Self; CATEGORY_COUNT] = [
        Self::Ones,
        Self::Twos,
        Self::Threes,
        Self::Fours,
        Self::Fives,
        Self::Sixes,
        Self::OnePair,
        Self::TwoPairs,
        Self::ThreeOfAKind,
        Self::FourOfAKind,
        Self::FullHouse,
        Self::SmallStraight,
        Self::LargeStraight,
        Self::FullHouseSum,
        Self::Yahtzee,
        Self::Chance,
        Self::Yatzy,
    ];

    /// The place in [`Category::ALL`].
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
            Self::OnePair => "one_pair",
            Self::TwoPairs => "two_pairs",
            Self::ThreeOfAKind => "three_of_a_kind",
            Self::FourOfAKind => "four_of_a_kind",
            Self::FullHouse | Self::FullHouseSum => "full_house",
            Self::SmallStraight => "small_straight",
            Self::LargeStraight => "large_straight",
            Self::Yahtzee => "yahtzee",
            Self::Chance => "chance",
            Self::Yatzy => "yatzy",
        }
    }

    /// The name in an English sentence.
    pub const fn in_english(self) -> &'static str {
        match self {
            Self::OnePair => "one pair",
            Self::TwoPairs => "two pairs",
            Self::ThreeOfAKind => "three of a kind",
            Self::FourOfAKind => "four of a kind",
            Self::FullHouse | Self::FullHouseSum => "full house",
            Self::SmallStraight => "small straight",
            Self::LargeStraight => "large straight",
            Self::Yahtzee => "Yahtzee",
            Self::Yatzy => "Yatzy",
            _ => self.name(),
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.in_english())
    }
}

/// A set of boxes, one bit each (bit 0 is the ones).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CategorySet(u32);

impl CategorySet {
    /// No box.
    pub const EMPTY: Self = Self(0);
    /// The six upper boxes.
    pub const UPPER: Self = Self(0b11_1111);

    /// The set with these bits.
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The bits, one for each box of [`Category::ALL`].
    pub(crate) const fn bits(self) -> u32 {
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

    /// The boxes that are in this set but not in another.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The first box alone; none of an empty set.
    #[must_use]
    pub const fn first(self) -> Self {
        Self(self.0 & self.0.wrapping_neg())
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
    /// The value of each box of all sheets by a function.
    pub fn from_fn(mut value: impl FnMut(Category) -> T) -> Self {
        Self(Category::ALL.map(&mut value))
    }

    /// The boxes of all sheets and their values, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (Category, &T)> {
        Category::ALL.into_iter().zip(&self.0)
    }
}

impl<T> ByCategory<Option<T>> {
    /// The value of each box of a set by a function; no value for the others.
    pub fn of_boxes(boxes: CategorySet, mut value: impl FnMut(Category) -> Option<T>) -> Self {
        Self::from_fn(|category| if boxes.contains(category) { value(category) } else { None })
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
    fn every_box_has_its_place_and_its_name() {
        for category in Category::ALL {
            assert_eq!(serde_json::to_value(category).unwrap(), category.name());
            assert_eq!(Category::ALL[category.index()], category);
            assert_eq!(category.face().and_then(Category::upper), category.is_upper().then_some(category));
        }
    }

    #[test]
    fn sets_iterate_in_card_order() {
        let set: CategorySet = [Category::Chance, Category::Ones, Category::Yahtzee].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Category::Ones, Category::Yahtzee, Category::Chance]);
        assert!(!set.without(Category::Ones).contains(Category::Ones));
        assert_eq!(set.minus(CategorySet::UPPER).len(), 2);
        assert_eq!(set.first().iter().next(), Some(Category::Ones));
        assert!(CategorySet::EMPTY.first().is_empty());
    }
}
