//! Tables of small random sheets against a slow recursion that merges no states.

use std::collections::HashMap;

use proptest::prelude::*;

use super::game::GameTable;
use crate::rules::card_state::CardState;
use crate::rules::category::{Category, CategorySet};
use crate::rules::dice::{DIE_COUNT, Dice, Keep, Roll};
use crate::rules::score::score;
use crate::{Joker, OfAKindScores, Points, RollsPerTurn, Rules, Sheet, Threshold, UpperBonus, YahtzeeBonus};

/// The probability of each roll after each keep, every die thrown by itself.
fn throws() -> Vec<Vec<(Roll, f64)>> {
    let thrown = |keep: Keep| {
        let others = DIE_COUNT - keep.len();
        let mut chances = HashMap::new();
        for throw in 0..6_usize.pow(others as u32) {
            let faces = (0..others).map(|die| (throw / 6_usize.pow(die as u32) % 6) as u8 + 1);
            let faces: Vec<u8> = keep.faces().iter().copied().chain(faces).collect();
            let roll = Dice::new(faces.try_into().unwrap()).unwrap().roll();
            *chances.entry(roll).or_insert(0.0) += 6_f64.powi(-(others as i32));
        }
        chances.into_iter().collect()
    };
    Keep::all().map(thrown).collect()
}

struct Slow<'a> {
    rules: Rules,
    throws: &'a [Vec<(Roll, f64)>],
    known: HashMap<CardState, f64>,
}

impl Slow<'_> {
    fn value(&mut self, card: CardState) -> f64 {
        if card.open(self.rules.sheet).is_empty() {
            return 0.0;
        }
        if let Some(&value) = self.known.get(&card) {
            return value;
        }
        let mut rolls: Vec<f64> = Roll::all().map(|roll| self.scored(card, roll)).collect();
        for _ in 0..self.rules.rolls_per_turn.rerolls() {
            let keeps = self.means(&rolls);
            for roll in Roll::all() {
                let best = roll.parts().map(|keep| keeps[keep.index()]).fold(rolls[roll.index()], f64::max);
                rolls[roll.index()] = best;
            }
        }
        let value = self.means(&rolls)[Keep::NONE.index()];
        self.known.insert(card, value);
        value
    }

    fn means(&self, rolls: &[f64]) -> Vec<f64> {
        let mean = |throws: &Vec<(Roll, f64)>| throws.iter().map(|(roll, p)| rolls[roll.index()] * p).sum();
        self.throws.iter().map(mean).collect()
    }

    fn scored(&mut self, card: CardState, roll: Roll) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for category in card.open(self.rules.sheet).iter() {
            let earned = score(&self.rules, card, roll, category);
            if earned.is_legal() {
                let next = CardState {
                    filled: card.filled.with(category),
                    upper_subtotal: card.upper_subtotal
                        + if category.is_upper() { earned.box_points as u8 } else { 0 },
                    yahtzee_scored: card.yahtzee_scored
                        || category == Category::Yahtzee && earned.box_points > 0,
                };
                best = best.max(f64::from(earned.total()) + self.value(next));
            }
        }
        best
    }
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let boxes = |rules: Rules| {
        let boxes = rules.sheet.boxes().iter().collect::<Vec<_>>();
        prop::sample::subsequence(boxes, 1..=4).prop_map(move |boxes| {
            let boxes: CategorySet = boxes.into_iter().collect();
            let sheet: &'static Sheet = Box::leak(Box::new(rules.sheet.only(boxes)));
            Rules { sheet, ..rules }
        })
    };
    let rules = prop::sample::select(vec![Rules::YATZY, Rules::PLAIN, Rules::OFFICIAL, Rules::FREE_JOKER]);
    let upper = prop::option::of((1..=30i64, 1..=60i64)).prop_map(|upper| {
        upper.map(|(threshold, points)| UpperBonus {
            threshold: Threshold::new(threshold).unwrap(),
            points: Points::new(points).unwrap(),
        })
    });
    let switches = prop::array::uniform4(any::<bool>());
    (rules.prop_flat_map(boxes), upper, switches, 1..=3i64).prop_map(
        |(rules, upper_bonus, switches, rolls)| {
            let [forced_order, five, four, matching] = switches;
            Rules {
                upper_bonus,
                forced_order,
                full_house_from_five_of_a_kind: five,
                two_pairs_from_four_of_a_kind: four,
                of_a_kind_scores: if matching { OfAKindScores::MatchingDice } else { OfAKindScores::AllDice },
                rolls_per_turn: RollsPerTurn::new(rolls).unwrap(),
                joker: rules.joker.map(|joker| Joker { after_zero: five, ..joker }),
                yahtzee_bonus: rules
                    .yahtzee_bonus
                    .map(|bonus| YahtzeeBonus { after_zero: matching, ..bonus }),
                ..rules
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn small_sheets_are_worth_what_a_slow_recursion_says(rules in any_rules()) {
        use std::sync::LazyLock;
        static THROWS: LazyLock<Vec<Vec<(Roll, f64)>>> = LazyLock::new(throws);
        let table = GameTable::build_blocking(&rules);
        let mut slow = Slow { rules, throws: &THROWS, known: HashMap::new() };
        let start = slow.value(CardState::default());
        prop_assert!((table.expected_final() - start).abs() < 1e-9, "{} is not {start}", table.expected_final());
        for (&card, &value) in &slow.known {
            prop_assert!((table.value(card) - value).abs() < 1e-9, "{card:?}: {} is not {value}", table.value(card));
        }
    }
}
