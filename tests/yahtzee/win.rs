//! Play to reach a score or to beat opponents, against a slow recursion over states and points.

use std::collections::HashMap;
use std::sync::Arc;

use kibitz::yahtzee::{
    Action, ByCategory, Category, Decided, Dice, Distribution, DistributionWork, GameTable, Goal, Keep,
    Objective, Opponent, Opponents, Position, Roll, Rules, Scorecard,
};
use proptest::prelude::*;

use crate::fuzz::fuzz;
use crate::slow_recursion::{Case, State, after, any_case, any_rules, card, entry};

/// The best mean of a function of the final score, computed state by state without any merging.
struct Slow<'a> {
    rules: &'a Rules,
    payoff: &'a dyn Fn(u32) -> f64,
    known: HashMap<(State, u32), f64>,
}

impl<'a> Slow<'a> {
    fn new(rules: &'a Rules, payoff: &'a dyn Fn(u32) -> f64) -> Self {
        Self { rules, payoff, known: HashMap::new() }
    }

    /// The value of scoring a roll in a box; `None` if it may not go there.
    fn score(&mut self, state: &State, points: u32, category: Category, roll: Roll) -> Option<f64> {
        let (entered, bonus) = entry(self.rules, state, category, roll.faces())?;
        Some(self.value(&after(state, category, entered), points + entered + bonus))
    }

    /// The values of all keeps before a throw that leaves a number of rolls, those of five dice included.
    fn keeps(&mut self, state: &State, points: u32, rolls_left: u8) -> Vec<f64> {
        let now: Vec<f64> = Roll::all()
            .map(|roll| {
                let scores =
                    state.open.iter().filter_map(|&category| self.score(state, points, category, roll));
                scores.fold(f64::NEG_INFINITY, f64::max)
            })
            .collect();
        let mut keeps = means(&now);
        for _ in 0..rolls_left {
            let best = |roll: Roll| {
                let parts = roll.parts().map(|keep| keeps[keep.index()]);
                parts.fold(now[roll.index()], f64::max)
            };
            keeps = means(&Roll::all().map(best).collect::<Vec<_>>());
        }
        keeps
    }

    fn value(&mut self, state: &State, points: u32) -> f64 {
        if state.open.is_empty() {
            return (self.payoff)(points);
        }
        let key = (state.clone(), points);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let value = self.keeps(state, points, self.rules.rolls_per_turn.rerolls())[Keep::NONE.index()];
        self.known.insert(key, value);
        value
    }

    /// The value of each action of a position.
    fn actions(&mut self, position: &Position, state: &State) -> Vec<(Action, f64)> {
        let (roll, points) = (position.dice().roll(), position.card().points_so_far());
        let mut actions = Vec::new();
        for &category in &state.open {
            let value = self.score(state, points, category, roll);
            actions.extend(value.map(|value| (Action::Score(category), value)));
        }
        if position.rolls_left() > 0 {
            let keeps = self.keeps(state, points, position.rolls_left() - 1);
            actions.extend(roll.parts().map(|keep| (Action::Reroll(keep), keeps[keep.index()])));
        }
        actions
    }
}

fn means(rolls: &[f64]) -> Vec<f64> {
    let mut values = vec![0.0; Keep::COUNT];
    for keep in Keep::all().rev() {
        values[keep.index()] = if keep.len() == 5 {
            rolls[keep.index() - (Keep::COUNT - Roll::COUNT)]
        } else {
            (1..=6).map(|face| values[keep.plus(face).unwrap().index()]).sum::<f64>() / 6.0
        };
    }
    values
}

fn position(rules: &Rules, case: &Case) -> (Position, State) {
    let (card, state) = card(rules, case);
    let rolls_left = case.rolls_left.min(rules.rolls_per_turn.rerolls());
    (Position::new(rules, Dice::new(case.dice).unwrap(), rolls_left.into(), card).unwrap(), state)
}

/// Checks every action, their order and what is said of the whole; returns the best value.
fn check(
    table: &GameTable,
    position: &Position,
    state: &State,
    goal: &Goal,
    payoff: &dyn Fn(u32) -> f64,
) -> f64 {
    let mut slow = Slow::new(table.rules(), payoff);
    let exact = slow.actions(position, state);
    let advice = table.win_advice_blocking(position, goal);
    assert_eq!(advice.actions().len(), exact.len());
    for &(action, value) in &exact {
        let (_, ranked) = advice.find(action).unwrap();
        assert!((ranked.value - value).abs() < 1e-12, "{action:?}: {} is not {value}", ranked.value);
    }
    let start = slow.value(state, position.card().points_so_far());
    assert!((advice.turn_start_value() - start).abs() < 1e-12);
    let best = exact.iter().map(|&(_, value)| value).fold(0.0, f64::max);
    assert!((advice.best().value - best).abs() < 2e-12);
    for pair in advice.actions().windows(2) {
        let is_tie = (pair[0].value - pair[1].value).abs() <= 1e-12;
        assert!(pair[0].value > pair[1].value || is_tie && pair[0].mean_value >= pair[1].mean_value - 1e-9);
    }
    let least = exact.iter().map(|&(_, value)| value).fold(1.0, f64::min);
    match advice.decided() {
        Decided::Open => assert!(best > 0.0 && least < 1.0),
        Decided::Impossible => assert!(best <= 0.0),
        Decided::Reached => assert!(least > 1.0 - 1e-13),
    }
    if advice.decided() != Decided::Open {
        assert_eq!(advice.best().action, table.advise(position, Objective::Game).best().action);
    }
    best
}

#[test]
fn fuzz_reach_is_the_best_of_a_slow_recursion() {
    let values = (any_rules(), prop::collection::vec((any_case(), 0.0..1.1f64), 4));
    fuzz(6, &values, |(rules, cases)| {
        let table = GameTable::build_blocking(&rules);
        for (case, part) in cases {
            let (position, state) = position(&rules, &case);
            let so_far = position.card().points_so_far();
            // Most targets are near what can be expected.
            let target = so_far + (2.0 * part * table.value(position.card().state())) as u32;
            let payoff = |score| f64::from(u8::from(score >= target));
            check(&table, &position, &state, &Goal::Reach(target), &payoff);
        }
    });
}

fn distribution(table: &Arc<GameTable>, card: &Scorecard) -> Arc<Distribution> {
    Arc::new(DistributionWork::new(Arc::clone(table), card).run_blocking())
}

/// The probability of each score of a finished opponent or of one who plays on.
fn scores(opponent: &Opponent) -> Vec<(u32, f64)> {
    match opponent {
        Opponent::Finished(score) => vec![(*score, 1.0)],
        Opponent::Playing(distribution) => {
            let scores = (0..).zip(distribution.probabilities().iter().copied());
            scores.filter(|&(_, probability)| probability > 0.0).collect()
        }
    }
}

/// What a score is worth against known scores of all opponents.
fn against(score: u32, others: &[u32], tie: Option<f64>) -> f64 {
    let best = others.iter().copied().max().unwrap();
    let ties = others.iter().filter(|&&other| other == score).count();
    match score.cmp(&best) {
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => tie.unwrap_or(1.0 / (ties + 1) as f64),
    }
}

/// All combinations of the opponents' scores with their probabilities.
fn combinations(opponents: &[Opponent]) -> Vec<(Vec<u32>, f64)> {
    opponents.iter().fold(vec![(Vec::new(), 1.0)], |all, opponent| {
        let scores = scores(opponent);
        let grown = all.iter().flat_map(|(known, before)| {
            scores
                .iter()
                .map(move |&(score, probability)| ([&known[..], &[score]].concat(), before * probability))
        });
        grown.collect()
    })
}

#[test]
fn fuzz_beat_is_the_best_of_a_slow_recursion() {
    let opponent = (any_case(), any::<bool>());
    let tie = prop::option::of(prop_oneof![Just(0.0), Just(0.5), Just(1.0), 0.0..1.0f64]);
    let values = (any_rules(), any_case(), prop::collection::vec(opponent, 1..=2), tie);
    fuzz(12, &values, |(rules, case, others, tie)| {
        let table = Arc::new(GameTable::build_blocking(&rules));
        let (position, state) = position(&rules, &case);
        let opponents: Vec<Opponent> = others
            .iter()
            .map(|(other, is_finished)| {
                // One open box, so that the combinations of scores stay few.
                let (other, _) = card(&rules, &Case { open: other.open[..1].to_vec(), ..other.clone() });
                if *is_finished {
                    Opponent::Finished(
                        position.card().points_so_far() + table.value(position.card().state()) as u32,
                    )
                } else {
                    Opponent::Playing(distribution(&table, &other))
                }
            })
            .collect();
        let together = Opponents::new(&opponents, tie);
        let combinations = combinations(&opponents);
        let payoff = |score| {
            combinations
                .iter()
                .map(|(others, probability)| probability * against(score, others, tie))
                .sum::<f64>()
        };
        for score in 0..600 {
            assert!((together.win_probability(score) - payoff(score)).abs() < 1e-12, "{score}");
        }
        let goal = Goal::Beat(together);
        let best = check(&table, &position, &state, &goal, &payoff);
        let bounds = table.win_advice_blocking(&position, &goal).bounds();
        assert!((bounds.lower - best).abs() < 2e-12);
        if state.open.len() > 1 && combinations.len() > 40 {
            return assert!(bounds.upper >= bounds.lower);
        }
        let upper: f64 = combinations
            .iter()
            .map(|(others, probability)| {
                let known = |score| against(score, others, tie);
                let actions = Slow::new(&rules, &known).actions(&position, &state);
                probability * actions.iter().map(|&(_, value)| value).fold(0.0, f64::max)
            })
            .sum();
        assert!((bounds.upper - upper).abs() < 1e-9, "{} is not {upper}", bounds.upper);
    });
}

fn card_with(rules: &Rules, points: &[(Category, i64)], open: &[Category]) -> Scorecard {
    let points = ByCategory::of_boxes(rules.sheet.boxes(), |category| {
        let known = points.iter().find(|(known, _)| *known == category).map(|&(_, points)| points);
        (!open.contains(&category))
            .then(|| known.unwrap_or(if category == Category::Chance { 20 } else { 0 }))
    });
    Scorecard::new(rules, &points, 0).unwrap()
}

#[test]
fn last_box_by_hand() {
    let rules = Rules::OFFICIAL;
    let table = GameTable::build_blocking(&rules);
    let card = card_with(&rules, &[], &[Category::Yahtzee]);
    let position = Position::new(&rules, Dice::new([6, 6, 6, 6, 1]).unwrap(), 2, card).unwrap();
    let advice = table.win_advice_blocking(&position, &Goal::Reach(70));
    let four = Action::Reroll(Keep::new(&[6, 6, 6, 6]).unwrap());
    assert_eq!(advice.best().action, four);
    assert!((advice.best().value - 11.0 / 36.0).abs() < 1e-12);
    let decided = |target| table.win_advice_blocking(&position, &Goal::Reach(target)).decided();
    assert_eq!(
        [20, 21, 70, 71].map(decided),
        [Decided::Reached, Decided::Open, Decided::Open, Decided::Impossible]
    );
}

#[test]
fn further_yahtzee_counts_its_bonus() {
    let rules = Rules::OFFICIAL;
    let table = GameTable::build_blocking(&rules);
    let card = card_with(&rules, &[(Category::Yahtzee, 50)], &[Category::LargeStraight]);
    let position = Position::new(&rules, Dice::new([3; 5]).unwrap(), 0, card).unwrap();
    let advice = |target| table.win_advice_blocking(&position, &Goal::Reach(target));
    assert_eq!(advice(70 + 140).decided(), Decided::Reached);
    assert_eq!(advice(70 + 141).decided(), Decided::Impossible);
}

/// Small straight alone is open.
fn small_straight(rules: &Rules, faces: [u8; 5], rolls_left: i64) -> Position {
    let card = card_with(rules, &[(Category::Sixes, 12)], &[Category::SmallStraight]);
    Position::new(rules, Dice::new(faces).unwrap(), rolls_left, card).unwrap()
}

#[test]
fn small_straight_in_one_turn_has_its_known_probability() {
    let rules = Rules { joker: None, ..Rules::OFFICIAL };
    let table = GameTable::build_blocking(&rules);
    let card = card_with(&rules, &[(Category::Sixes, 12)], &[Category::SmallStraight]);
    let position = Position::new(&rules, Dice::new([1, 4, 4, 4, 4]).unwrap(), 2, card).unwrap();
    let target = card.points_so_far() + 30;
    let advice = table.win_advice_blocking(&position, &Goal::Reach(target));
    assert!((advice.turn_start_value() - 753_572_225.0 / 1_224_440_064.0).abs() < 1e-12);
}

#[test]
fn reach_falls_with_the_target_and_is_at_least_what_play_for_the_mean_gets() {
    let rules = Rules::OFFICIAL;
    let table = Arc::new(GameTable::build_blocking(&rules));
    let open =
        [Category::Twos, Category::Fives, Category::FourOfAKind, Category::FullHouse, Category::Yahtzee];
    let card = card_with(&rules, &[(Category::Sixes, 18), (Category::Fours, 12)], &open);
    let by_mean = distribution(&table, &card);
    let position = Position::new(&rules, Dice::new([2, 2, 5, 5, 5]).unwrap(), 1, card).unwrap();
    let mut last = 1.0;
    for target in 0..700 {
        let advice = table.win_advice_blocking(&position, &Goal::Reach(target));
        let start = advice.turn_start_value();
        assert!(start <= last + 1e-15, "{target}");
        assert!(start >= by_mean.at_least(target) - 1e-12, "{target}");
        assert_eq!(advice.bounds().lower, advice.bounds().upper);
        last = start;
    }
    assert_eq!(last, 0.0);
}

#[test]
fn finished_opponents_give_equal_bounds() {
    let rules = Rules::OFFICIAL;
    let table = GameTable::build_blocking(&rules);
    let position = small_straight(&rules, [1, 2, 3, 3, 6], 1);
    let so_far = position.card().points_so_far();
    let value = |score, tie| {
        let opponents = Opponents::new(&[Opponent::Finished(score), Opponent::Finished(so_far)], tie);
        let bounds = table.win_advice_blocking(&position, &Goal::Beat(opponents)).bounds();
        assert_eq!(bounds.lower, bounds.upper);
        bounds.lower
    };
    let reach = |target| table.win_advice_blocking(&position, &Goal::Reach(target)).best().value;
    assert_eq!(value(so_far + 29, None), reach(so_far + 30));
    assert_eq!(value(so_far + 30, Some(1.0)), reach(so_far + 30));
    assert_eq!(value(so_far + 30, Some(0.0)), reach(so_far + 31));
}
