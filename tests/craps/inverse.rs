//! `POST /craps/bankroll/inverse`: the answer, and what is wrong with bad requests.

use serde_json::{Value, json};

use crate::support::App;

const PATH: &str = "/craps/bankroll/inverse";

#[tokio::test]
async fn bankrolls_agree_with_an_independent_program() {
    let app = App::with(&[]);
    for line in include_str!("../vectors/craps/inverse_bankroll.jsonl").lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let mut body = vector.clone();
        let known = ["bet", "odds", "when_short", "rounds", "survival"];
        body.as_object_mut().unwrap().retain(|name, _| known.contains(&&**name));
        let answer = app.post(PATH, body.to_string()).await.ok();
        assert_eq!(answer["least"], vector["least_bankroll"], "{vector}");
        if let Some(from) = vector.get("least_from_which_all_larger_do") {
            assert_eq!(answer["bankroll"], *from, "{vector}");
        }
    }
}

#[tokio::test]
async fn survival_is_what_the_bankroll_question_answers() {
    let app = App::with(&[]);
    let asked = json!({"bet": "place_6", "rounds": 12, "survival": 0.9, "stake": 6});
    let answer = app.post(PATH, asked.to_string()).await.ok();
    let bankroll = answer["bankroll"].as_u64().unwrap();
    for (money, name) in [(bankroll, "survival"), (bankroll - 1, "one_less")] {
        let forwards =
            json!({"bet": "place_6", "bankroll": money, "target": 10_000, "max_rounds": 12, "stake": 6});
        let forwards = app.post("/craps/bankroll", forwards.to_string()).await.ok();
        let survival = 1.0 - forwards["ruin"]["value"].as_f64().unwrap();
        assert!((answer[name]["value"].as_f64().unwrap() - survival).abs() < 1e-12, "{name}");
    }
    assert!(answer["survival"]["value"].as_f64().unwrap() >= 0.9);
    assert!(answer["one_less"]["value"].as_f64().unwrap() < 0.9);
}

#[tokio::test]
async fn every_fault_is_found_at_once() {
    let app = App::with(&[]);
    let faults = async |body: Value| app.post(PATH, body.to_string()).await.faults();
    let fault = |pointer: &str, code: &str| (pointer.to_owned(), code.to_owned());
    assert_eq!(
        faults(json!({})).await,
        [fault("/bet", "missing"), fault("/rounds", "missing"), fault("/survival", "missing")]
    );
    let odd = json!({"bet": "place_6", "odds": "2x", "rounds": 0, "survival": 1, "stake": 0, "when_short": "never", "target": 5});
    assert_eq!(
        faults(odd).await,
        [
            fault("/odds", "bet_takes_no_odds"),
            fault("/stake", "money_out_of_range"),
            fault("/rounds", "out_of_range"),
            fault("/survival", "out_of_range"),
            fault("/when_short", "unknown_name"),
            fault("/target", "unknown_field"),
        ]
    );
    let question = |rounds: u32, stake: &str| json!({"bet": "place_6", "rounds": rounds, "survival": "1/2", "stake": stake});
    assert_eq!(faults(question(100_000, "1")).await, [fault("/rounds", "bankroll_too_large")]);
    assert_eq!(faults(question(9_900, "1")).await, [fault("/rounds", "too_much_work")]);
    assert_eq!(faults(question(10, "0.0001234567")).await, [fault("/stake", "unit_too_small")]);
}
