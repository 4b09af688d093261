//! Bets that a caller defines, as data.

use std::collections::BTreeMap;

use crate::support::App;
use kibitz::craps::automaton::{Settlement, Step};
use kibitz::craps::bet::Bet;
use kibitz::craps::definition::{BetDefinition, DefinedBet, Pattern, Payoff, Rule, State, Then};
use kibitz::craps::dice::Dice;
use kibitz::craps::fraction::Fraction;
use kibitz::craps::value::BetValue;
use serde_json::{Value, json};

const PATH: &str = "/craps/odds";

/// A bet of the table, written state by state.
fn written(bet: Bet) -> BetDefinition {
    let automaton = bet.automaton();
    let rule = |step: &Step<usize>, rolls: &[&Dice]| Rule {
        on: rolls.iter().map(|dice| Pattern::Pair(dice.faces())).collect(),
        then: match step {
            Step::Go(state) => Then::Go(state.to_string()),
            Step::Settle(outcome) => {
                let outcome = &automaton.outcomes()[*outcome];
                Then::Settle {
                    pays: Payoff::new(outcome.net.clone()).unwrap(),
                    is_push: outcome.settlement == Settlement::Push,
                    label: Some(outcome.label.clone()),
                }
            }
        },
    };
    let states = automaton.states().iter().enumerate().map(|(number, steps)| {
        let mut rolls: BTreeMap<_, Vec<&Dice>> = BTreeMap::new();
        for (step, dice) in steps.iter().zip(&Dice::ALL) {
            rolls.entry(step).or_default().push(dice);
        }
        let rules = rolls.iter().map(|(step, rolls)| rule(step, rolls)).collect();
        State { name: number.to_string(), rules }
    });
    BetDefinition::States { states: states.collect(), start: automaton.starts()[0].0 }
}

#[test]
fn every_bet_of_the_table_written_as_data_has_the_same_value() {
    let sorted = |value: &BetValue| {
        let outcomes =
            value.outcomes.iter().filter(|(_, probability)| *probability != Fraction::from_integer(0.into()));
        let mut outcomes: Vec<_> =
            outcomes.map(|(outcome, p)| (outcome.label.clone(), outcome.net.clone(), p.clone())).collect();
        outcomes.sort();
        outcomes
    };
    for bet in Bet::all() {
        let listed = BetValue::of(bet);
        let defined = DefinedBet::new(None, written(bet)).unwrap().value();
        assert_eq!(sorted(&defined), sorted(&listed), "{}", bet.id());
        let defined =
            BetValue { outcomes: listed.outcomes.clone(), points: listed.points.clone(), ..defined };
        assert_eq!(defined, listed, "{}", bet.id());
    }
}

#[tokio::test]
async fn vectors_have_the_value_or_the_fault_of_an_independent_program() {
    let app = App::ready();
    let path = format!("{}/tests/vectors/craps/defined_bets.jsonl", env!("CARGO_MANIFEST_DIR"));
    let mut cases = 0;
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let answer = app.post(PATH, json!({"bet": case["definition"]}).to_string()).await;
        cases += 1;
        if let Some(pointer) = case["pointer"].as_str() {
            let pointer = pointer.replace("/definition", "/bet");
            assert!(answer.faults().iter().any(|(found, _)| found.starts_with(&pointer)), "{line}");
            continue;
        }
        let (answer, wanted) = (answer.ok(), &case["result"]);
        for figure in ["expected_rolls", "rolls_variance", "variance"] {
            assert_eq!(answer[figure]["fraction"], wanted[figure]["fraction"], "{} {figure}", case["id"]);
        }
        assert_eq!(answer["states"], wanted["states"], "{}", case["id"]);
        assert_eq!(answer["house_edge"], wanted["house_edge"], "{}", case["id"]);
        for settlement in ["win", "push", "break_even", "lose"] {
            assert_eq!(answer["per_bet_made"][settlement]["fraction"], wanted[settlement]["fraction"]);
        }
    }
    assert_eq!(cases, 16);
}

#[tokio::test]
async fn defined_bet_serves_wherever_its_twin_of_the_table_does() {
    let app = App::ready();
    let any_seven = json!({"states": {"roll": [{"on": [7], "pays": 4}, {"on": ["any"], "pays": -1}]}});
    for (path, body) in [
        ("/craps/kelly", json!({"loss_cashback": "0.5"})),
        ("/craps/bankroll", json!({"bankroll": 20, "target": 40, "max_rounds": 100})),
        ("/craps/bankroll/inverse", json!({"rounds": 10, "survival": "0.95"})),
    ] {
        let ask = async |bet: Value| {
            let mut body = body.clone();
            body["bet"] = bet;
            app.post(path, body.to_string()).await.ok()
        };
        let mut named = any_seven.clone();
        named["name"] = json!("any_seven");
        assert_eq!(ask(named).await, ask(json!("any_seven")).await, "{path}");
        assert_eq!(ask(any_seven.clone()).await["bet"], "defined", "{path}");
    }
    let listed = app.post(PATH, json!({"bet": "pass_line", "odds": "2x"}).to_string()).await.ok();
    assert_eq!(listed, app.get("/craps/odds/pass_line?odds=2x").await.ok());
}

#[tokio::test]
async fn bad_definition_is_422_with_every_fault() {
    let app = App::ready();
    let one_state = |rules: Value| json!({"states": {"a": rules}});
    let lose = json!({"on": ["any"], "pays": -1});
    for (bet, wanted) in [
        (json!(3), vec!["/bet wrong_type"]),
        (json!("nothing"), vec!["/bet unknown_bet"]),
        (json!({}), vec!["/bet missing"]),
        (json!({"name": ""}), vec!["/bet/name wrong_length", "/bet missing"]),
        (json!({"states": {}}), vec!["/bet/states wrong_length"]),
        (json!({"states": []}), vec!["/bet/states wrong_type"]),
        (one_state(json!([])), vec!["/bet/states/a wrong_length"]),
        (
            one_state(
                json!([{"on": [13, "hard x", [], "7-1"], "pays": -2}, {"on": [7], "go": "b", "pays": 1}]),
            ),
            vec![
                "/bet/states/a/0/on/0 unknown_roll",
                "/bet/states/a/0/on/1 unknown_roll",
                "/bet/states/a/0/on/2 wrong_type",
                "/bet/states/a/0/on/3 unknown_roll",
                "/bet/states/a/0/pays loss_above_stake",
                "/bet/states/a/1/pays both_given",
            ],
        ),
        (one_state(json!([{"on": [7]}])), vec!["/bet/states/a/0 missing"]),
        (one_state(json!([{"on": [7], "pays": 1_000_000}])), vec!["/bet/states/a/0/pays payoff_too_large"]),
        (one_state(json!([{"on": [7], "pays": "1/0"}])), vec!["/bet/states/a/0/pays zero_denominator"]),
        (one_state(json!([{"on": [7], "go": "b"}, lose])), vec!["/bet/states/a/0/go unknown_state"]),
        (one_state(json!([lose, {"on": [7], "pays": 1}])), vec!["/bet/states/a/1 rule_never_matches"]),
        (one_state(json!([{"on": [7], "go": "a"}])), vec!["/bet/states never_settles"]),
        (one_state(json!([lose])), vec!["/bet one_sided"]),
        (
            one_state(json!([{"on": [7], "pays": 1}, {"on": [2], "pays": 0, "push": true}])),
            vec!["/bet one_sided"],
        ),
        (json!({"states": {"a": [lose]}, "start": "b"}), vec!["/bet/start unknown_state"]),
        (
            json!({"states": {"a": [lose]}, "collect": {"items": [2], "until": [7], "pays": {}}}),
            vec!["/bet/collect both_given"],
        ),
        (
            json!({"collect": {"items": [], "until": ["x"], "pays": {"1": 2}, "x": 1}}),
            vec![
                "/bet/collect/items wrong_length",
                "/bet/collect/until/0 unknown_roll",
                "/bet/collect/x unknown_field",
            ],
        ),
        (
            json!({"collect": {"items": {"2": 0, "14": 1}, "until": [7], "pays": {"1": 2}}}),
            vec!["/bet/collect/items/14 unknown_roll", "/bet/collect/items/2 out_of_range"],
        ),
        (
            json!({"collect": {"items": [2], "until": [7], "pays": {"2": 2}}}),
            vec!["/bet/collect/pays/2 out_of_range"],
        ),
        (
            json!({"collect": {"items": {"2": 99, "3": 99}, "until": [7], "pays": {"2": 2}}}),
            vec!["/bet too_many_states"],
        ),
        (
            json!({"collect": {"items": ["hard 5"], "until": ["hard 5"], "pays": {"1": 2}}}),
            vec!["/bet never_settles"],
        ),
    ] {
        let found = app.post(PATH, json!({"bet": bet}).to_string()).await.faults();
        let found: Vec<_> = found.iter().map(|(pointer, code)| format!("{pointer} {code}")).collect();
        assert_eq!(found, wanted, "{bet}");
    }
    let defined = one_state(json!([{"on": [7], "pays": 1}, lose]));
    let found = app.post(PATH, json!({"bet": defined, "odds": "2x"}).to_string()).await.faults();
    assert_eq!(found, [("/odds".to_owned(), "bet_takes_no_odds".to_owned())]);
    let job = json!({"kind": "decisions", "decisions": 10, "bet": defined});
    assert_eq!(app.post("/craps/simulations", job.to_string()).await.faults()[0].0, "/bet");
}
