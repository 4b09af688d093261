//! The scoring rules alone: what dice earn in each box of a card, and which boxes they may fill.

use super::card_state::CardState;
use super::category::{ByCategory, Category, CategorySet};
use super::dice::Roll;
use super::rule_set::{JokerKind, Rules};

/// What dice earn in one box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxScore {
    /// The points entered in the box; if it is not legal, what the dice are worth there by
    /// themselves.
    pub box_points: u16,
    /// The upper bonus, if this entry reaches it.
    pub upper_bonus: u16,
    /// The bonus for a further Yahtzee.
    pub yahtzee_bonus: u16,
    /// Why the box may not be filled; `None` where it may.
    pub illegal: Option<Illegal>,
}

/// Why a box may not be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// It holds points already.
    Filled,
    /// The sheet does not have it.
    NotOnSheet,
    /// The boxes are filled from top to bottom, and another one is the first that is open.
    NotInOrder {
        /// That box.
        next: Category,
    },
    /// A forced joker must go to its own upper box, which is open.
    OwnUpperBoxFirst {
        /// That box.
        own: Category,
    },
    /// A forced joker whose own upper box is filled must go to an open lower box.
    LowerBoxFirst,
}

impl Illegal {
    /// The stable slug of the reason.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Filled => "box_filled",
            Self::NotOnSheet => "box_not_on_sheet",
            Self::NotInOrder { .. } => "box_not_in_order",
            Self::OwnUpperBoxFirst { .. } => "joker_own_upper_box_first",
            Self::LowerBoxFirst => "joker_lower_box_first",
        }
    }

    /// The reason in English.
    pub fn in_english(self) -> String {
        match self {
            Self::Filled => "this box is filled already".to_owned(),
            Self::NotOnSheet => "this card does not have the box".to_owned(),
            Self::NotInOrder { next } => {
                format!("boxes are filled from top to bottom, and {next} is next")
            }
            Self::OwnUpperBoxFirst { own } => {
                format!("a joker must be scored in {own} while that box is open")
            }
            Self::LowerBoxFirst => "a joker must be scored in a lower box while one is open".to_owned(),
        }
    }
}

impl BoxScore {
    /// The score of a box that may not be filled.
    const fn none(reason: Illegal, box_points: u16) -> Self {
        Self { box_points, upper_bonus: 0, yahtzee_bonus: 0, illegal: Some(reason) }
    }

    /// The points of the move: box and bonuses.
    pub const fn total(self) -> u32 {
        self.box_points as u32 + self.upper_bonus as u32 + self.yahtzee_bonus as u32
    }

    /// Whether the box may be filled.
    pub const fn is_legal(self) -> bool {
        self.illegal.is_none()
    }
}

/// What a roll earns in every box of the sheet; nothing in those of other sheets.
///
/// ```
/// use kibitz_yahtzee::{Category, CardState, Dice, Rules, score_all};
/// let roll = Dice::new([4, 4, 1, 4, 4]).unwrap().roll();
/// let scores = score_all(&Rules::OFFICIAL, CardState::default(), roll);
/// assert_eq!(scores[Category::Fours].box_points, 16);
/// assert_eq!(scores[Category::FourOfAKind].box_points, 17);
/// ```
pub fn score_all(rules: &Rules, card: CardState, roll: Roll) -> ByCategory<BoxScore> {
    scores_of(rules, card, roll, |category| rules.plain_points(category, roll))
}

/// The same where the plain points are known.
pub(crate) fn scores_of(
    rules: &Rules,
    card: CardState,
    roll: Roll,
    plain_points: impl Fn(Category) -> u16,
) -> ByCategory<BoxScore> {
    let mut scores = ByCategory::from_fn(|_| BoxScore::none(Illegal::NotOnSheet, 0));
    for category in rules.sheet.boxes().iter() {
        scores[category] = score_of(rules, card, roll, category, plain_points(category));
    }
    scores
}

/// What a roll earns in one box.
pub fn score(rules: &Rules, card: CardState, roll: Roll, category: Category) -> BoxScore {
    score_of(rules, card, roll, category, rules.plain_points(category, roll))
}

/// The same where the plain points are known.
pub(crate) fn score_of(
    rules: &Rules,
    card: CardState,
    roll: Roll,
    category: Category,
    plain_points: u16,
) -> BoxScore {
    let open = card.open(rules.sheet);
    if !open.contains(category) {
        let on_sheet = rules.sheet.boxes().contains(category);
        let reason = if on_sheet { Illegal::Filled } else { Illegal::NotOnSheet };
        return BoxScore::none(reason, plain_points);
    }
    if rules.forced_order
        && let Some(next) = open.iter().next()
        && next != category
    {
        return BoxScore::none(Illegal::NotInOrder { next }, plain_points);
    }
    let further = roll.five_of_a_kind().filter(|_| card.filled.contains(Category::Yahtzee));
    let joker = rules.joker.filter(|joker| joker.after_zero || card.yahtzee_scored);
    let box_points = match (further.and_then(Category::upper), joker) {
        (Some(own), Some(joker)) => match bars(joker.kind, open, own, category) {
            None => rules.joker_value(joker.kind, open, own, category, plain_points),
            Some(reason) => return BoxScore::none(reason, plain_points),
        },
        _ => plain_points,
    };
    let upper_bonus = rules.upper_bonus.map_or(0, |bonus| {
        let (before, threshold) = (u16::from(card.upper_subtotal), u16::from(bonus.threshold.get()));
        let reached = category.is_upper() && before < threshold && before + box_points >= threshold;
        if reached { bonus.points.get() } else { 0 }
    });
    let yahtzee_bonus = rules.yahtzee_bonus.map_or(0, |bonus| {
        let paid = further.is_some() && (bonus.after_zero || card.yahtzee_scored);
        if paid { bonus.points.get() } else { 0 }
    });
    BoxScore { box_points, upper_bonus, yahtzee_bonus, illegal: None }
}

/// What keeps a joker out of an open box.
pub(crate) fn bars(kind: JokerKind, open: CategorySet, own: Category, category: Category) -> Option<Illegal> {
    if kind != JokerKind::Forced {
        None
    } else if open.contains(own) {
        (category != own).then_some(Illegal::OwnUpperBoxFirst { own })
    } else {
        let lower_open = !open.minus(CategorySet::UPPER).is_empty();
        (lower_open && category.is_upper()).then_some(Illegal::LowerBoxFirst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dice;

    const OPEN: fn(&[Category]) -> CategorySet =
        |open| crate::Sheet::YAHTZEE.boxes().minus(open.iter().copied().collect());

    fn totals(rules: &Rules, card: CardState, face: u8) -> Vec<(Category, u32)> {
        let roll = Dice::new([face; 5]).unwrap().roll();
        let scores = score_all(rules, card, roll);
        scores.iter().filter(|(_, s)| s.is_legal()).map(|(c, s)| (c, s.total())).collect()
    }

    #[test]
    fn a_forced_joker_goes_own_box_then_lower_then_upper() {
        use Category::*;
        let at = |open: &[Category], upper_subtotal, yahtzee_scored| CardState {
            filled: OPEN(open),
            upper_subtotal,
            yahtzee_scored,
        };
        let rules = Rules::OFFICIAL;
        assert_eq!(totals(&rules, at(&[Fours, FullHouse, Chance], 20, true), 4), [(Fours, 120)]);
        let lower = [Sixes, FullHouse, SmallStraight, LargeStraight];
        let jokers = |bonus: u32| {
            vec![(FullHouse, 25 + bonus), (SmallStraight, 30 + bonus), (LargeStraight, 40 + bonus)]
        };
        assert_eq!(totals(&rules, at(&lower, 30, true), 4), jokers(100));
        assert_eq!(totals(&rules, at(&lower, 30, false), 4), jokers(0));
        assert_eq!(totals(&rules, at(&[Ones, Sixes], 30, true), 4), [(Ones, 100), (Sixes, 100)]);
        assert_eq!(totals(&rules, at(&[Sixes, Chance], 45, true), 6), [(Sixes, 165)]);
    }

    #[test]
    fn a_free_or_loose_joker_goes_anywhere() {
        use Category::*;
        let card =
            CardState { filled: OPEN(&[Fours, Sixes, FullHouse]), upper_subtotal: 10, yahtzee_scored: true };
        assert_eq!(totals(&Rules::FREE_JOKER, card, 4), [(Fours, 120), (Sixes, 100), (FullHouse, 100)]);
        let own_filled = CardState { filled: card.filled.with(Fours), ..card };
        assert_eq!(totals(&Rules::FREE_JOKER, own_filled, 4), [(Sixes, 100), (FullHouse, 125)]);
        let loose = crate::Joker { kind: JokerKind::Loose, after_zero: false };
        let rules = Rules { joker: Some(loose), ..Rules::OFFICIAL };
        assert_eq!(totals(&rules, card, 4), [(Fours, 120), (Sixes, 100), (FullHouse, 125)]);
        let zeroed = CardState { yahtzee_scored: false, ..card };
        assert_eq!(totals(&rules, zeroed, 4), [(Fours, 20), (Sixes, 0), (FullHouse, 0)]);
    }

    #[test]
    fn no_joker_while_the_yahtzee_box_is_open() {
        use Category::*;
        let card =
            CardState { filled: OPEN(&[FullHouse, Yahtzee]), upper_subtotal: 63, yahtzee_scored: false };
        assert_eq!(totals(&Rules::OFFICIAL, card, 4), [(FullHouse, 0), (Yahtzee, 50)]);
    }

    #[test]
    fn the_upper_bonus_is_paid_in_the_move_that_reaches_it() {
        let roll = Dice::new([1, 1, 1, 1, 2]).unwrap().roll();
        let at = |upper_subtotal| CardState { upper_subtotal, ..CardState::default() };
        let bonus = |subtotal| score(&Rules::OFFICIAL, at(subtotal), roll, Category::Ones).upper_bonus;
        assert_eq!([58, 59, 62, 63, 80].map(bonus), [0, 35, 35, 0, 0]);
        assert_eq!(score(&Rules::OFFICIAL, at(59), roll, Category::Chance).upper_bonus, 0);
    }

    #[test]
    fn a_forced_order_offers_one_box() {
        use Category::*;
        let rules = Rules { forced_order: true, ..Rules::YATZY };
        let filled = CategorySet::UPPER.with(OnePair);
        let card = CardState { filled, upper_subtotal: 60, yahtzee_scored: false };
        assert_eq!(totals(&rules, card, 6), [(TwoPairs, 0)]);
        let roll = Dice::new([6; 5]).unwrap().roll();
        let illegal = |category| score(&rules, card, roll, category).illegal;
        assert_eq!(illegal(Yatzy), Some(Illegal::NotInOrder { next: TwoPairs }));
        assert_eq!(illegal(OnePair), Some(Illegal::Filled));
        assert_eq!(illegal(FullHouse), Some(Illegal::NotOnSheet));
    }
}
