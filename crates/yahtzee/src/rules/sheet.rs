//! Score sheets as data: which boxes a card has, in which order, and what each counts.

use std::hash::{Hash, Hasher};

use super::category::{Category, CategorySet};

/// A kind of score card. Everything that differs between the games is here or in a switch of [`crate::Rules`].
///
/// ```
/// use kibitz_yahtzee::{Category, Sheet};
/// assert_eq!(Sheet::YAHTZEE.boxes().len(), 13);
/// assert_eq!(Sheet::YATZY.boxes().len(), 15);
/// assert_eq!(Sheet::YATZY.category("one_pair"), Some(Category::OnePair));
/// assert_eq!(Sheet::YAHTZEE.category("one_pair"), None);
/// ```
#[derive(Debug)]
pub struct Sheet {
    name: &'static str,
    boxes: CategorySet,
    lines: &'static [(Category, Scoring)],
    groups: &'static [&'static [Category]],
}

/// What a box counts. Fixed points are those of [`crate::BoxPoints`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// The dice that show this face, 1 to 6.
    Face(u8),
    /// This many equal dice; what they count is a switch of the rules.
    OfAKind(u8),
    /// The two highest equal dice.
    OnePair,
    /// Two pairs of different faces; by a switch also four equal dice.
    TwoPairs,
    /// Three equal dice and two others equal, for fixed points; by a switch also five equal dice.
    FullHouse,
    /// The same for the sum of the dice.
    FullHouseSum,
    /// At least this many faces in a row, for fixed points.
    Row(u8),
    /// Every face from this one on, five in all, for fixed points.
    From(u8),
    /// Five equal dice, for fixed points.
    AllEqual,
    /// The sum of any dice.
    Sum,
}

impl Sheet {
    /// The card of Yahtzee: six upper boxes and seven lower ones.
    pub const YAHTZEE: Self = Self::new(
        "yahtzee",
        &[
            (Category::Ones, Scoring::Face(1)),
            (Category::Twos, Scoring::Face(2)),
            (Category::Threes, Scoring::Face(3)),
            (Category::Fours, Scoring::Face(4)),
            (Category::Fives, Scoring::Face(5)),
            (Category::Sixes, Scoring::Face(6)),
            (Category::ThreeOfAKind, Scoring::OfAKind(3)),
            (Category::FourOfAKind, Scoring::OfAKind(4)),
            (Category::FullHouse, Scoring::FullHouse),
            (Category::SmallStraight, Scoring::Row(4)),
            (Category::LargeStraight, Scoring::Row(5)),
            (Category::Yahtzee, Scoring::AllEqual),
            (Category::Chance, Scoring::Sum),
        ],
        &[
            &[Category::ThreeOfAKind, Category::FourOfAKind, Category::Chance],
            &[Category::FullHouse, Category::SmallStraight, Category::LargeStraight, Category::Yahtzee],
        ],
    );
    /// The card of Scandinavian Yatzy: six upper boxes and nine lower ones.
    pub const YATZY: Self = Self::new(
        "yatzy",
        &[
            (Category::Ones, Scoring::Face(1)),
            (Category::Twos, Scoring::Face(2)),
            (Category::Threes, Scoring::Face(3)),
            (Category::Fours, Scoring::Face(4)),
            (Category::Fives, Scoring::Face(5)),
            (Category::Sixes, Scoring::Face(6)),
            (Category::OnePair, Scoring::OnePair),
            (Category::TwoPairs, Scoring::TwoPairs),
            (Category::ThreeOfAKind, Scoring::OfAKind(3)),
            (Category::FourOfAKind, Scoring::OfAKind(4)),
            (Category::SmallStraight, Scoring::From(1)),
            (Category::LargeStraight, Scoring::From(2)),
            (Category::FullHouseSum, Scoring::FullHouseSum),
            (Category::Chance, Scoring::Sum),
            (Category::Yatzy, Scoring::AllEqual),
        ],
        &[
            &[Category::OnePair, Category::ThreeOfAKind, Category::FourOfAKind, Category::Yatzy],
            &[Category::TwoPairs, Category::SmallStraight, Category::LargeStraight, Category::FullHouseSum],
            &[Category::Chance],
        ],
    );

    /// Every sheet.
    pub const ALL: [&'static Self; 2] = [&Self::YAHTZEE, &Self::YATZY];

    /// A sheet of these boxes in card order.
    ///
    /// `groups` lists the lower boxes, at most four in a group: boxes with few distinct outcomes together share one,
    /// which makes the table fast.
    const fn new(
        name: &'static str,
        lines: &'static [(Category, Scoring)],
        groups: &'static [&'static [Category]],
    ) -> Self {
        let (mut boxes, mut line) = (CategorySet::EMPTY, 0);
        while line < lines.len() {
            let category = lines[line].0;
            assert!(boxes.bits() < 1 << category as u8, "boxes are listed in ascending order");
            boxes = boxes.with(category);
            line += 1;
        }
        Self { name, boxes, lines, groups }
    }

    /// The same sheet with some of its boxes alone.
    #[cfg(test)]
    pub(crate) fn only(&self, boxes: CategorySet) -> Self {
        Self { boxes: self.boxes.intersection(boxes), ..*self }
    }

    /// The machine name, as in JSON.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Its boxes.
    pub const fn boxes(&self) -> CategorySet {
        self.boxes
    }

    /// What a box counts; `None` if the sheet does not have it.
    pub fn scoring(&self, category: Category) -> Option<Scoring> {
        let line = self.lines.iter().find(|(own, _)| *own == category)?;
        self.boxes.contains(category).then_some(line.1)
    }

    /// The box with this machine name; `None` if the sheet has none.
    pub fn category(&self, name: &str) -> Option<Category> {
        self.boxes.iter().find(|category| category.name() == name)
    }

    /// The lower boxes in groups of up to four, see [`Sheet::new`].
    pub(crate) fn groups(&self) -> impl Iterator<Item = Vec<Category>> {
        let own = |group: &&[Category]| -> Vec<_> {
            group.iter().copied().filter(|&category| self.boxes.contains(category)).collect()
        };
        self.groups.iter().map(own).filter(|group| !group.is_empty())
    }
}

/// Sheets are told apart by their names.
impl PartialEq for Sheet {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Sheet {}

impl Hash for Sheet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lower_box_is_in_one_group() {
        for sheet in Sheet::ALL {
            let mut grouped: Vec<_> = sheet.groups().flatten().collect();
            grouped.sort();
            let lower: Vec<_> = sheet.boxes().minus(CategorySet::UPPER).iter().collect();
            assert_eq!(grouped, lower);
            assert!(sheet.groups().all(|group| group.len() <= 4));
            assert_eq!(sheet.lines.len(), sheet.boxes().len());
            for category in sheet.boxes().iter() {
                assert_eq!(sheet.category(category.name()), Some(category), "names are distinct on a sheet");
            }
        }
    }
}
