//! The states between turns, and where the table keeps them.
//!
//! A state is the set of filled boxes, the upper subtotal and whether the Yahtzee box holds a
//! Yahtzee. Subtotals that play alike share a place: all that matters is how many points the open
//! upper boxes must still bring, rounded up to a sum that they can bring at all. That number is the
//! class's *need*; 0 means both a bonus already paid and for one out of reach, which have the
//! same future. Only subtotals that the filled boxes can hold make classes.

use crate::rules::card_state::CardState;
use crate::rules::category::{Category, CategorySet};
use crate::rules::rule_set::Rules;

/// Sets of upper boxes.
const UPPER_SETS: usize = 64;
/// One more than the largest upper sum.
const SUMS: usize = 106;

/// The states of a game under some rules, as lanes of one long array.
///
/// Sets of filled boxes come from full to empty; the lanes of a set are its classes, once, or twice
/// (zeroed, scored) where the kind of Yahtzee entry matters.
#[derive(Clone)]
pub(crate) struct StateSpace {
    /// The boxes of the sheet.
    boxes: CategorySet,
    /// Whether they are filled from top to bottom.
    forced_order: bool,
    places: Places,
    /// Whether play depends on the Yahtzee box holding a Yahtzee or a zero.
    depends_on_yahtzee: bool,
    /// Where the classes of each set of filled upper boxes begin in `needs`.
    first_class: [u16; UPPER_SETS + 1],
    /// The need of each class.
    needs: Vec<u8>,
    /// What scoring each face and count does to each class.
    steps: Vec<[[Step; 6]; 6]>,
    /// Where the lanes of each set of filled boxes begin.
    first_lane: Vec<u32>,
}

/// What an entry in an upper box does to a class.
#[derive(Clone, Copy, Default)]
pub(crate) struct Step {
    /// The class afterwards, among those of the larger set.
    pub(crate) class: u16,
    /// What the entry earns, the upper bonus included.
    pub(crate) points: u16,
}

/// A set of filled boxes and its place in the table.
#[derive(Clone, Copy)]
pub(crate) struct LaneSet {
    /// The boxes.
    pub(crate) filled: CategorySet,
    /// The boxes that may be filled next.
    pub(crate) open: CategorySet,
    /// The first lane.
    pub(crate) start: usize,
    /// How many classes of upper subtotals.
    pub(crate) classes: usize,
    /// How many lanes: the classes once or twice.
    pub(crate) lanes: usize,
}

impl StateSpace {
    pub(crate) fn new(rules: &Rules) -> Self {
        let threshold = rules.upper_bonus.map(|bonus| bonus.threshold.get());
        let bonus = rules.upper_bonus.map_or(0, |bonus| bonus.points.get());
        let boxes = rules.sheet.boxes();
        let mut space = Self {
            boxes,
            forced_order: rules.forced_order,
            places: Places::new(boxes),
            depends_on_yahtzee: rules.yahtzee_bonus.is_some_and(|bonus| !bonus.after_zero)
                || rules.joker.is_some_and(|joker| !joker.after_zero),
            first_class: [0; UPPER_SETS + 1],
            needs: Vec::new(),
            steps: Vec::new(),
            first_lane: vec![0; 1 << boxes.len()],
        };
        for filled in 0..UPPER_SETS {
            let open_sums = space.open_sums(filled);
            let mut reached = [false; SUMS];
            // A set with boxes that the sheet does not have makes no classes.
            let on_sheet = filled & !upper_bits(boxes) == 0;
            for subtotal in bits(if on_sheet { upper_sums(filled) } else { 0 }) {
                let missing = threshold.map_or(0, |threshold| threshold.saturating_sub(subtotal));
                reached[need(open_sums, missing) as usize] = true;
            }
            space.needs.extend((0..).zip(reached).filter_map(|(need, reached)| reached.then_some(need)));
            space.first_class[filled + 1] = space.needs.len() as u16;
        }
        for filled in 0..UPPER_SETS {
            for class in 0..space.classes(filled) {
                let steps = space.steps_of(filled, class, bonus);
                space.steps.push(steps);
            }
        }
        let mut next = 0;
        for layer in (0..=boxes.len()).rev() {
            for filled in space.sets_of(layer) {
                let place = space.place(filled);
                space.first_lane[place] = next;
                next += space.set(filled).lanes as u32;
            }
        }
        space
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.set(CategorySet::EMPTY).start + self.set(CategorySet::EMPTY).lanes
    }

    /// About how many bytes of memory it takes.
    pub(crate) const fn bytes(&self) -> usize {
        size_of::<Places>()
            + self.needs.len()
            + size_of::<[[Step; 6]; 6]>() * self.steps.len()
            + size_of::<u32>() * self.first_lane.len()
    }

    /// How many boxes the sheet has.
    pub(crate) const fn box_count(&self) -> usize {
        self.boxes.len()
    }

    /// The sets with this number of filled boxes, in the table's order.
    pub(crate) fn sets_of(&self, filled: usize) -> impl Iterator<Item = CategorySet> + use<> {
        let (boxes, forced_order) = (self.boxes, self.forced_order);
        // The next larger subset: a subtraction carries through the boxes that are not on the sheet.
        let next = move |set: &CategorySet| {
            let bits = set.bits().wrapping_sub(boxes.bits()) & boxes.bits();
            (bits != 0).then(|| CategorySet::from_bits(bits))
        };
        let all = std::iter::successors(Some(CategorySet::EMPTY), next);
        let in_order = move |set: CategorySet| set.bits() < boxes.minus(set).first().bits() || set == boxes;
        all.filter(move |&set| set.len() == filled && (!forced_order || in_order(set)))
    }

    /// The number of a set of filled boxes among all subsets of the sheet.
    pub(crate) const fn place(&self, filled: CategorySet) -> usize {
        self.places.of(filled)
    }

    /// The place of a set of filled boxes.
    pub(crate) fn set(&self, filled: CategorySet) -> LaneSet {
        let classes = self.classes(upper_bits(filled));
        let twice = self.depends_on_yahtzee && filled.contains(Category::Yahtzee);
        let open = self.boxes.minus(filled);
        LaneSet {
            filled,
            open: if self.forced_order { open.first() } else { open },
            start: self.first_lane[self.place(filled)] as usize,
            classes,
            lanes: if twice { 2 * classes } else { classes },
        }
    }

    /// The lane of a state within its set.
    pub(crate) fn lane(&self, rules: &Rules, card: CardState) -> usize {
        let filled = upper_bits(card.filled);
        let missing =
            rules.upper_bonus.map_or(0, |bonus| bonus.threshold.get().saturating_sub(card.upper_subtotal));
        let class = self.class(filled, need(self.open_sums(filled), missing));
        let set = self.set(card.filled);
        if card.yahtzee_scored && set.lanes > set.classes { set.classes + class } else { class }
    }

    /// What entries in upper boxes do to a class, by face and count.
    pub(crate) fn steps(&self, filled: CategorySet, class: usize) -> &[[Step; 6]; 6] {
        &self.steps[self.first_class[upper_bits(filled)] as usize + class]
    }

    /// The sums that the open upper boxes can still bring.
    fn open_sums(&self, filled: usize) -> u128 {
        upper_sums(upper_bits(self.boxes) & !filled)
    }

    fn classes(&self, filled: usize) -> usize {
        (self.first_class[filled + 1] - self.first_class[filled]) as usize
    }

    fn class(&self, filled: usize, need: u8) -> usize {
        let range = self.first_class[filled] as usize..self.first_class[filled + 1] as usize;
        self.needs[range].iter().position(|&n| n == need).unwrap_or_default()
    }

    fn steps_of(&self, filled: usize, class: usize, bonus: u16) -> [[Step; 6]; 6] {
        let before = self.needs[self.first_class[filled] as usize + class];
        let mut steps = [[Step::default(); 6]; 6];
        for (face, steps) in (1u8..).zip(&mut steps) {
            let after = filled | 1 << (face - 1);
            if after == filled || after & !upper_bits(self.boxes) != 0 {
                continue;
            }
            for (count, step) in (0u8..).zip(steps) {
                let left = before.saturating_sub(face * count);
                step.points = u16::from(face * count) + if before > 0 && left == 0 { bonus } else { 0 };
                step.class = self.class(after, need(self.open_sums(after), left)) as u16;
            }
        }
        steps
    }
}

/// Numbers the subsets of some boxes without gaps, eight boxes at a time.
#[derive(Clone)]
struct Places([[u32; 256]; 3]);

impl Places {
    fn new(boxes: CategorySet) -> Self {
        let mut places = [[0; 256]; 3];
        for (eight, places) in places.iter_mut().enumerate() {
            for (byte, place) in places.iter_mut().enumerate() {
                let set = CategorySet::from_bits((byte as u32) << (8 * eight)).intersection(boxes);
                let below = |category| boxes.iter().take_while(|&other| other < category).count();
                *place = set.iter().map(|category| 1 << below(category)).sum();
            }
        }
        Self(places)
    }

    const fn of(&self, set: CategorySet) -> usize {
        let [a, b, c, _] = set.bits().to_le_bytes();
        (self.0[0][a as usize] | self.0[1][b as usize] | self.0[2][c as usize]) as usize
    }
}

fn upper_bits(filled: CategorySet) -> usize {
    filled.intersection(CategorySet::UPPER).bits() as usize
}

/// The smallest sum that is at least `missing`; 0 where nothing is missing or none is.
fn need(sums: u128, missing: u8) -> u8 {
    let enough = sums >> missing << missing;
    if enough == 0 { 0 } else { enough.trailing_zeros() as u8 }
}

/// The sums that a set of upper boxes can hold, as bits.
fn upper_sums(set: usize) -> u128 {
    (1..=6)
        .filter(|face| set >> (face - 1) & 1 == 1)
        .fold(1, |sums, face| (0..=5).fold(0, |grown, count| grown | sums << (face * count)))
}

fn bits(set: u128) -> impl Iterator<Item = u8> {
    (0..SUMS as u8).filter(move |&bit| set >> bit & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Threshold, UpperBonus};

    #[test]
    fn official_rules_have_310656_states() {
        assert_eq!(StateSpace::new(&Rules::OFFICIAL).len(), 310_656);
        assert_eq!(StateSpace::new(&Rules::PLAIN).len(), 8192);
    }

    #[test]
    fn yatzy_has_828416_states_and_few_in_a_forced_order() {
        assert_eq!(StateSpace::new(&Rules::YATZY).len(), 828_416);
        let forced = StateSpace::new(&Rules { forced_order: true, ..Rules::YATZY });
        assert_eq!((0..=15).map(|layer| forced.sets_of(layer).count()).sum::<usize>(), 16);
        assert!(forced.len() < 1000);
    }

    #[test]
    fn subsets_of_a_sheet_are_numbered_without_gaps() {
        for rules in [Rules::OFFICIAL, Rules::YATZY] {
            let space = StateSpace::new(&rules);
            let sets = (0..=space.box_count()).flat_map(|layer| space.sets_of(layer));
            let mut places: Vec<_> = sets.map(|set| space.place(set)).collect();
            places.sort_unstable();
            assert!(places.into_iter().eq(0..1 << rules.sheet.boxes().len()));
        }
    }

    #[test]
    fn a_need_is_a_sum_that_the_open_boxes_can_bring() {
        let twos_alone = upper_sums(0b10);
        assert_eq!(bits(twos_alone).collect::<Vec<_>>(), [0, 2, 4, 6, 8, 10]);
        assert_eq!(need(twos_alone, 5), 6);
        assert_eq!(need(twos_alone, 11), 0);
        assert_eq!(need(twos_alone, 0), 0);
    }

    /// Every step of every class against the rule itself, for every subtotal: equal classes go to
    /// equal classes and earn the same, so merging them loses nothing.
    #[test]
    fn merged_subtotals_play_alike() {
        for threshold in [1, 50, 63, 64, 105] {
            let bonus = UpperBonus { threshold: Threshold::new(threshold).unwrap(), ..UpperBonus::OFFICIAL };
            let rules = Rules { upper_bonus: Some(bonus), ..Rules::PLAIN };
            let space = StateSpace::new(&rules);
            let class = |filled: usize, upper_subtotal| {
                let filled = CategorySet::from_bits(filled as u32);
                space.lane(&rules, CardState { filled, upper_subtotal, yahtzee_scored: false })
            };
            for filled in 0..UPPER_SETS {
                for subtotal in bits(upper_sums(filled)) {
                    let steps = space.steps(CategorySet::from_bits(filled as u32), class(filled, subtotal));
                    for face in (1..=6u8).filter(|face| filled >> (face - 1) & 1 == 0) {
                        for count in 0..=5 {
                            let step = steps[face as usize - 1][count as usize];
                            let after = subtotal + face * count;
                            let reached = i64::from(subtotal) < threshold && i64::from(after) >= threshold;
                            let earned = face * count + if reached { 35 } else { 0 };
                            assert_eq!(step.points, u16::from(earned));
                            assert_eq!(step.class as usize, class(filled | 1 << (face - 1), after));
                        }
                    }
                }
            }
        }
    }
}
