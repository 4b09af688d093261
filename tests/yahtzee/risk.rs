//! The standard deviation of the points still to come, action by action.

use crate::support::App;
use serde_json::{Value, json};

const PATH: &str = "/yahtzee/best-action";

async fn ask(body: Value) -> Value {
    App::ready().post(PATH, body.to_string()).await.ok()
}

#[tokio::test]
async fn every_action_has_its_deviation() {
    let mut body = json!({"dice": [6, 6, 6, 6, 1], "rolls_left": 1, "rules": "plain", "limit": 50, "scorecard": {
        "ones": 0, "twos": 0, "threes": 0, "fours": 0, "fives": 0, "sixes": 0, "three_of_a_kind": 0, "four_of_a_kind": 0,
        "full_house": 0, "small_straight": 0, "large_straight": 0, "chance": 5}, "risk": true,
        "chosen": {"action": "reroll", "keep": []}});
    let answer = ask(body.clone()).await;
    // The Yahtzee alone is open: 50 points with probability 1/6.
    let scatter = |chance: f64| 50.0 * (chance * (1.0 - chance)).sqrt();
    let near = |value: &Value, wanted: f64| {
        assert!((value.as_f64().unwrap() - wanted).abs() < 1e-9, "{value} is not {wanted}");
    };
    assert_eq!(answer["best"]["keep"], json!([6, 6, 6, 6]));
    near(&answer["best"]["standard_deviation"], scatter(1.0 / 6.0));
    near(&answer["chosen"]["standard_deviation"], scatter(1.0 / 1296.0));
    let actions = answer["actions"].as_array().unwrap();
    assert!(actions.iter().all(|action| action["standard_deviation"].is_number()));
    let scored = actions.iter().find(|action| action["action"] == "score").unwrap();
    assert_eq!(scored["standard_deviation"], 0.0);

    body["risk"] = json!(false);
    let without = ask(body.clone()).await;
    assert!(without["best"].get("standard_deviation").is_none());
    body.as_object_mut().unwrap().remove("risk");
    assert_eq!(ask(body).await, without);
}

#[tokio::test]
async fn the_query_the_batch_and_house_rules_have_it_too() {
    let app = App::ready();
    let body = json!({"dice": [1, 3, 3, 4, 6], "rolls_left": 2, "risk": true, "limit": 3});
    let answer = ask(body.clone()).await;
    assert!(answer["best"]["standard_deviation"].as_f64().unwrap() > 50.0);
    let query = "dice=1,3,3,4,6&rolls_left=2&risk=true&limit=3";
    assert_eq!(app.get(&format!("{PATH}?{query}")).await.ok(), answer);
    let batch = app.post(&format!("{PATH}/batch"), json!({"requests": [body]}).to_string()).await.ok();
    assert_eq!(batch["results"][0]["result"], answer);
    let house =
        json!({"dice": [1, 3, 3, 4, 6], "rolls_left": 1, "risk": true, "rules": {"rolls_per_turn": 2}});
    assert!(ask(house).await["best"]["standard_deviation"].as_f64().unwrap() > 30.0);
}

/// The variance of a turn's start is the mean of those after the first throw plus the variance of their means.
#[tokio::test]
async fn deviations_of_first_throws_add_up_to_that_of_the_game() {
    let mut requests = Vec::new();
    let mut ways = Vec::new();
    for a in 1..=6 {
        for b in a..=6 {
            for c in b..=6 {
                for d in c..=6 {
                    for e in d..=6 {
                        let dice = [a, b, c, d, e];
                        let mut orders = 120;
                        for face in 1..=6 {
                            let count = dice.iter().filter(|&&die| die == face).count();
                            orders /= [1, 1, 2, 6, 24, 120][count];
                        }
                        ways.push(f64::from(orders) / 7776.0);
                        requests.push(json!({"dice": dice, "rolls_left": 2, "risk": true, "limit": 1}));
                    }
                }
            }
        }
    }
    let answer =
        App::ready().post(&format!("{PATH}/batch"), json!({"requests": requests}).to_string()).await.ok();
    let (mut first, mut second) = (0.0, 0.0);
    for (result, chance) in answer["results"].as_array().unwrap().iter().zip(ways) {
        let best = &result["result"]["best"];
        let (mean, scatter) = (best["value"].as_f64().unwrap(), best["standard_deviation"].as_f64().unwrap());
        first += chance * mean;
        second += chance * (mean * mean + scatter * scatter);
    }
    assert!((first - 254.587_728_734).abs() < 1e-6);
    assert!(((second - first * first).sqrt() - 59.607_586_386).abs() < 1e-6);
}

#[tokio::test]
async fn faults() {
    let app = App::ready();
    for (risk, objective, pointer, code) in [
        (json!("yes"), "game", "/risk", "wrong_type"),
        (json!(1), "game", "/risk", "wrong_type"),
        (json!(true), "turn", "/risk", "risk_needs_the_game"),
    ] {
        let body = json!({"dice": [1, 3, 3, 4, 6], "rolls_left": 2, "risk": risk, "objective": objective});
        let found = app.post(PATH, body.to_string()).await.faults();
        assert_eq!(found, [(pointer.to_owned(), code.to_owned())]);
    }
    let found = app.get(&format!("{PATH}?dice=1,3,3,4,6&rolls_left=2&risk=1")).await.faults();
    assert_eq!(found, [("/risk".to_owned(), "wrong_type".to_owned())]);
}
