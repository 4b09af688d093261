//! End-games against a slow, obvious recursion: ordered dice, all 32 ways to keep them, exact
//! fractions, its own reading of the rules, no merging of states.

use std::collections::HashMap;

use crate::fuzz::fuzz;
use kibitz::yahtzee::{
    Action, BoxPoints, ByCategory, Category, Dice, GameTable, Joker, JokerKind, Keep, Objective,
    OfAKindScores, Points, Position, RollsPerTurn, Rules, Scorecard, Sheet, Threshold, UpperBonus,
    YahtzeeBonus,
};
use proptest::prelude::*;

/// All ordered throws of five dice.
const THROWS: usize = 7776;

fn throw(number: usize) -> [u8; 5] {
    [1, 6, 36, 216, 1296].map(|place| (number / place % 6) as u8 + 1)
}

fn number_of(faces: [u8; 5]) -> usize {
    faces.iter().rev().fold(0, |number, &face| number * 6 + usize::from(face) - 1)
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) open: Vec<Category>,
    pub(crate) subtotal: u32,
    pub(crate) yahtzee: Option<u32>,
}

/// The points of some dice in a box by themselves.
fn plain(rules: &Rules, category: Category, dice: [u8; 5]) -> u32 {
    let count = |face: u8| dice.iter().filter(|&&die| die == face).count();
    let sum: u32 = dice.iter().map(|&die| u32::from(die)).sum();
    let of_a_kind = |n: u8| match (1..=6).find(|&face| count(face) >= usize::from(n)) {
        Some(face) if rules.of_a_kind_scores == OfAKindScores::MatchingDice => u32::from(face * n),
        Some(_) => sum,
        None => 0,
    };
    let row = |first: u8, n: u8| (first..first + n).all(|face| count(face) > 0);
    let fixed = |made: bool, points: Points| if made { u32::from(points.get()) } else { 0 };
    let five = (1..=6).any(|face| count(face) == 5);
    match category {
        Category::ThreeOfAKind => of_a_kind(3),
        Category::FourOfAKind => of_a_kind(4),
        Category::FullHouse => {
            let made = (1..=6).any(|face| count(face) == 3) && (1..=6).any(|face| count(face) == 2);
            fixed(made || five && rules.full_house_from_five_of_a_kind, rules.box_points.full_house)
        }
        Category::SmallStraight => fixed((1..=3).any(|first| row(first, 4)), rules.box_points.small_straight),
        Category::LargeStraight => fixed((1..=2).any(|first| row(first, 5)), rules.box_points.large_straight),
        Category::Yahtzee => fixed(five, rules.box_points.yahtzee),
        Category::Chance => sum,
        upper => {
            let face = upper.index() as u8 + 1;
            u32::from(face) * count(face) as u32
        }
    }
}

/// The box points and the bonuses of some dice in an open box; `None` where a joker may not go there.
pub(crate) fn entry(rules: &Rules, state: &State, category: Category, dice: [u8; 5]) -> Option<(u32, u32)> {
    let mut points = plain(rules, category, dice);
    let mut bonus = 0;
    if let (Some(held), true) = (state.yahtzee, dice.iter().all(|&die| die == dice[0])) {
        if let Some(rule) = rules.yahtzee_bonus {
            bonus += if held > 0 || rule.after_zero { u32::from(rule.points.get()) } else { 0 };
        }
        if let Some(joker) = rules.joker.filter(|joker| held > 0 || joker.after_zero) {
            let own = Category::ALL[usize::from(dice[0]) - 1];
            let own_open = state.open.contains(&own);
            let full = match category {
                Category::FullHouse => u32::from(rules.box_points.full_house.get()),
                Category::SmallStraight => u32::from(rules.box_points.small_straight.get()),
                Category::LargeStraight => u32::from(rules.box_points.large_straight.get()),
                _ => points,
            };
            match joker.kind {
                JokerKind::Free if own_open => {}
                JokerKind::Free | JokerKind::Loose => points = full,
                JokerKind::Forced if own_open && category != own => return None,
                JokerKind::Forced if own_open => {}
                JokerKind::Forced => {
                    let lower_open = state.open.iter().any(|open| !open.is_upper());
                    if lower_open && category.is_upper() {
                        return None;
                    }
                    points = full;
                }
            }
        }
    }
    if let (Some(rule), true) = (rules.upper_bonus, category.is_upper()) {
        let threshold = u32::from(rule.threshold.get());
        if state.subtotal < threshold && state.subtotal + points >= threshold {
            bonus += u32::from(rule.points.get());
        }
    }
    Some((points, bonus))
}

pub(crate) fn after(state: &State, category: Category, points: u32) -> State {
    State {
        open: state.open.iter().copied().filter(|&open| open != category).collect(),
        subtotal: state.subtotal + if category.is_upper() { points } else { 0 },
        yahtzee: if category == Category::Yahtzee { Some(points) } else { state.yahtzee },
    }
}

/// The mean over every way to throw the dice that are not kept, times 6^5. A pattern is five digits
/// in base 7: a face that is kept, or 0 for a die that is thrown.
fn patterns(values: &[i128]) -> Vec<i128> {
    let mut means = vec![0; 16_807];
    for pattern in (0..means.len()).rev() {
        let digits = [1, 7, 49, 343, 2401].map(|place| (place, pattern / place % 7));
        means[pattern] = match digits.into_iter().find(|&(_, digit)| digit == 0) {
            Some((place, _)) => (1..=6).map(|face| means[pattern + face * place]).sum::<i128>() / 6,
            None => values[number_of(digits.map(|(_, digit)| digit as u8))] * 7776,
        };
    }
    means
}

fn pattern(dice: [u8; 5], mask: u8) -> usize {
    (0..5).rev().fold(0, |pattern, i| pattern * 7 + if mask >> i & 1 == 1 { usize::from(dice[i]) } else { 0 })
}

struct Slow {
    rules: Rules,
    known: HashMap<State, i128>,
}

impl Slow {
    /// The denominator of the values of states with a number of open boxes.
    fn denominator(&self, open: usize) -> i128 {
        7776_i128.pow(u32::from(self.rules.rolls_per_turn.get()) * open as u32)
    }

    /// What scoring some dice in a box brings in all, over the denominator of the next state.
    fn entry_value(&mut self, state: &State, category: Category, dice: [u8; 5]) -> Option<i128> {
        let (points, bonus) = entry(&self.rules, state, category, dice)?;
        let next = after(state, category, points);
        Some(i128::from(points + bonus) * self.denominator(next.open.len()) + self.value(&next))
    }

    /// The best entry of every throw.
    fn best_entries(&mut self, state: &State) -> Vec<i128> {
        let best = |dice| {
            state.open.iter().filter_map(|&category| self.entry_value(state, category, dice)).max().unwrap()
        };
        (0..THROWS).map(throw).map(best).collect()
    }

    fn value(&mut self, state: &State) -> i128 {
        if state.open.is_empty() {
            return 0;
        }
        if let Some(&value) = self.known.get(state) {
            return value;
        }
        let now = self.best_entries(state);
        let values = stages(&now, self.rules.rolls_per_turn.rerolls());
        let value = patterns(&values)[0];
        self.known.insert(state.clone(), value);
        value
    }
}

/// The value of every throw with a number of rolls left, times 6^5 for each of them.
fn stages(now: &[i128], rolls_left: u8) -> Vec<i128> {
    let mut values = now.to_vec();
    let mut scale = 1;
    for _ in 0..rolls_left {
        let means = patterns(&values);
        scale *= 7776;
        let best =
            |n: usize| (0..31).map(|mask| means[pattern(throw(n), mask)]).max().unwrap().max(now[n] * scale);
        values = (0..THROWS).map(best).collect();
    }
    values
}

/// Checks every action of a position, and that the best of them is the maximum.
fn check(table: &GameTable, position: &Position, objective: Objective, slow: &mut Slow, state: &State) {
    let dice = position.dice().faces();
    let rolls_left = position.rolls_left();
    let advice = table.advise(position, objective);
    let mut seen = 0;
    let mut compare = |action: Action, exact: f64| {
        let (_, ranked) = advice.find(action).unwrap_or_else(|| panic!("{action:?} is missing"));
        assert!((ranked.value - exact).abs() < 1e-9, "{action:?}: {} is not {exact}", ranked.value);
        seen += 1;
        exact
    };
    let (now, unit) = match objective {
        Objective::Game => (slow.best_entries(state), slow.denominator(state.open.len() - 1)),
        Objective::Turn => {
            let best =
                |dice| state.open.iter().map(|&c| i128::from(plain(&slow.rules, c, dice))).max().unwrap();
            ((0..THROWS).map(throw).map(best).collect(), 1)
        }
    };
    let mut best = f64::NEG_INFINITY;
    for &category in &state.open {
        let value = match objective {
            Objective::Game => slow.entry_value(state, category, dice),
            Objective::Turn => Some(i128::from(plain(&slow.rules, category, dice))),
        };
        match value {
            Some(value) => best = best.max(compare(Action::Score(category), value as f64 / unit as f64)),
            None => assert!(advice.find(Action::Score(category)).is_none()),
        }
    }
    if rolls_left > 0 {
        let means = patterns(&stages(&now, rolls_left - 1));
        let scale = 7776_i128.pow(rolls_left.into()) * unit;
        let mut keeps = HashMap::new();
        for mask in 0..31u8 {
            let kept: Vec<u8> = (0..5).filter(|&i| mask >> i & 1 == 1).map(|i| dice[i]).collect();
            let value = means[pattern(dice, mask)];
            let same = *keeps.entry(Keep::new(&kept).unwrap()).or_insert(value);
            assert_eq!(same, value, "equal keeps have equal values");
        }
        for (keep, value) in keeps {
            best = best.max(compare(Action::Reroll(keep), value as f64 / scale as f64));
        }
    }
    assert_eq!(advice.actions().len(), seen);
    assert!((advice.best().value - best).abs() < 1e-9);
}

fn any_points() -> impl Strategy<Value = Points> {
    prop_oneof![3 => 1..=120i64, 1 => 121..=1000i64].prop_map(|points| Points::new(points).unwrap())
}

pub(crate) fn any_rules() -> impl Strategy<Value = Rules> {
    let upper = (1..=105i64, any_points())
        .prop_map(|(n, points)| UpperBonus { threshold: Threshold::new(n).unwrap(), points });
    let yahtzee =
        (any_points(), any::<bool>()).prop_map(|(points, after_zero)| YahtzeeBonus { points, after_zero });
    let kind = prop_oneof![Just(JokerKind::Forced), Just(JokerKind::Free), Just(JokerKind::Loose)];
    let joker = (kind, any::<bool>()).prop_map(|(kind, after_zero)| Joker { kind, after_zero });
    let kinds = prop_oneof![Just(OfAKindScores::AllDice), Just(OfAKindScores::MatchingDice)];
    let rolls = (1..=3i64).prop_map(|rolls| RollsPerTurn::new(rolls).unwrap());
    let boxes = [any_points(), any_points(), any_points(), any_points()].prop_map(|[a, b, c, d]| BoxPoints {
        full_house: a,
        small_straight: b,
        large_straight: c,
        yahtzee: d,
    });
    let optional = (prop::option::of(upper), prop::option::of(yahtzee), prop::option::of(joker));
    (optional, any::<bool>(), kinds, rolls, boxes).prop_map(
        |((upper_bonus, yahtzee_bonus, joker), five, of_a_kind_scores, rolls_per_turn, box_points)| Rules {
            upper_bonus,
            yahtzee_bonus,
            joker,
            full_house_from_five_of_a_kind: five,
            of_a_kind_scores,
            rolls_per_turn,
            box_points,
            ..Rules::OFFICIAL
        },
    )
}

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) open: Vec<Category>,
    pub(crate) counts: [i64; 6],
    pub(crate) yahtzee_zeroed: bool,
    pub(crate) dice: [u8; 5],
    pub(crate) rolls_left: u8,
}

pub(crate) fn any_case() -> impl Strategy<Value = Case> {
    let dice = prop_oneof![2 => [1..=6u8, 1..=6u8, 1..=6u8, 1..=6u8, 1..=6u8], 1 => (1..=6u8).prop_map(|face| [face; 5])];
    let open = prop::sample::subsequence(Sheet::YAHTZEE.boxes().iter().collect::<Vec<_>>(), 1..=2);
    (open, prop::array::uniform6(0..=5i64), any::<bool>(), dice, 0..=2u8).prop_map(
        |(open, counts, yahtzee_zeroed, dice, rolls_left)| Case {
            open,
            counts,
            yahtzee_zeroed,
            dice,
            rolls_left,
        },
    )
}

/// The card of a case, and the same as this test reads it.
pub(crate) fn card(rules: &Rules, case: &Case) -> (Scorecard, State) {
    let mut points = ByCategory::default();
    let mut state = State { open: Vec::new(), subtotal: 0, yahtzee: None };
    for category in Sheet::YAHTZEE.boxes().iter() {
        if case.open.contains(&category) {
            state.open.push(category);
            continue;
        }
        let entered = match category {
            Category::Chance => 17,
            Category::Yahtzee if case.yahtzee_zeroed => 0,
            Category::Yahtzee => i64::from(rules.box_points.yahtzee.get()),
            upper if upper.is_upper() => case.counts[upper.index()] * (upper.index() as i64 + 1),
            _ => 0,
        };
        if category.is_upper() {
            state.subtotal += entered as u32;
        }
        if category == Category::Yahtzee {
            state.yahtzee = Some(entered as u32);
        }
        points[category] = Some(entered);
    }
    let card = Scorecard::new(rules, &points, 0).unwrap();
    (card, state)
}

fn check_case(rules: &Rules, table: &GameTable, slow: &mut Slow, case: &Case) {
    let (card, state) = card(rules, case);
    let exact = slow.value(&state) as f64 / slow.denominator(state.open.len()) as f64;
    assert!((table.value(card.state()) - exact).abs() < 1e-9);
    let rolls_left = case.rolls_left.min(rules.rolls_per_turn.rerolls());
    let dice = Dice::new(case.dice).unwrap();
    let position = Position::new(rules, dice, rolls_left.into(), card).unwrap();
    check(table, &position, Objective::Game, slow, &state);
    check(table, &position, Objective::Turn, slow, &state);
}

fn check_rules(table: &GameTable, cases: &[Case]) {
    let rules = *table.rules();
    let mut slow = Slow { rules, known: HashMap::new() };
    for case in cases {
        check_case(&rules, table, &mut slow, case);
    }
}

#[test]
fn fuzz_house_rules() {
    let values = (any_rules(), prop::collection::vec(any_case(), 8));
    fuzz(8, &values, |(rules, cases)| check_rules(&GameTable::build_blocking(&rules), &cases));
}

#[test]
fn fuzz_presets() {
    let values = (0..4usize, prop::collection::vec(any_case(), 4));
    let tables = kibitz::yahtzee::Preset::ALL.map(|preset| GameTable::build_blocking(&preset.rules()));
    fuzz(16, &values, |(preset, cases)| check_rules(&tables[preset], &cases));
}
