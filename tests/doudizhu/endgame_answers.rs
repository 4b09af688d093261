//! `POST /doudizhu/endgame`: answers, and what is wrong with bad requests.

use serde_json::{Value, json};

use crate::support::App;

const PATH: &str = "/doudizhu/endgame";

async fn ask(app: &App, body: &Value) -> Value {
    app.post(PATH, body.to_string()).await.ok()
}

async fn faults(body: Value) -> Vec<(String, String)> {
    App::with(&[]).post(PATH, body.to_string()).await.faults()
}

#[tokio::test]
async fn answers_agree_with_the_vectors_over_http() {
    let app = App::with(&[]);
    for line in include_str!("../vectors/doudizhu/endgames/published.jsonl").lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let mut body = json!({"hands": vector["hands"], "rules": vector["rules"]});
        if let Some(kinds) = vector.get("forbidden") {
            body["forbidden"] = kinds.clone();
        }
        let answer = ask(&app, &body).await;
        assert_eq!(answer["result"], vector["result"], "{}", vector["id"]);
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(moves.len(), vector["moves"].as_array().unwrap().len(), "{}", vector["id"]);
        assert!(answer["searched"]["complete"].as_bool().unwrap());
    }
}

#[tokio::test]
async fn line_uses_the_tokens_of_each_hand() {
    let app = App::with(&[]);
    let body = json!({"hands": [["H4", "S3"], ["D3", "C3"]], "beat": null});
    let answer = ask(&app, &body).await;
    assert_eq!(answer["result"], "win");
    let line: Vec<(Value, Value)> = answer["line"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| (turn["by"].clone(), turn["cards"].clone()))
        .collect();
    assert_eq!(line, [(json!(0), json!(["S3"])), (json!(1), Value::Null), (json!(0), json!(["H4"]))]);
    assert_eq!(answer["line"][1]["kind"], "pass");
}

#[tokio::test]
async fn partner_of_the_landlords_opponent_may_pass() {
    let app = App::with(&[]);
    let body = json!({"landlord": "5A", "next": "3K", "previous": "44", "to_move": "next",
        "beat": {"by": "previous", "cards": "44"}, "rules": "standard"});
    let answer = ask(&app, &body).await;
    assert_eq!(answer["to_move"], "next");
    assert_eq!(answer["moves"].as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(answer["moves"][0]["kind"], "pass");
}

#[tokio::test]
async fn explanation_is_in_the_language_of_the_request() {
    let app = App::with(&[]);
    let answer = app.post(&format!("{PATH}?lang=zh"), r#"{"hands":["34","3"]}"#).await.ok();
    assert!(answer["explanation"].as_str().unwrap().contains("必胜"), "{answer}");
}

#[tokio::test]
async fn search_that_is_cut_short_is_unknown_and_not_complete() {
    // Two whole hands of a game take far longer than a tenth of a second.
    let app = App::with(&["--request-timeout", "100ms"]);
    let body = json!({"hands": ["33445566778899TTJQK2", "3344556789TJQQKKAA22"]});
    let answer = app.post(PATH, body.to_string()).await;
    let answer = answer.ok();
    assert_eq!(answer["searched"]["complete"], false);
    if answer["result"] == "unknown" {
        assert_eq!(answer["line"], json!([]));
        assert!(answer["moves"].as_array().unwrap().iter().all(|one| one["wins"] != true));
    } else {
        assert_eq!(answer["result"], "win");
        assert_eq!(answer["moves"][0]["wins"], true);
    }
}

#[tokio::test]
async fn every_fault_of_an_endgame_is_found_at_once() {
    let fault = |pointer: &str, code: &str| (pointer.to_owned(), code.to_owned());
    assert_eq!(faults(json!({})).await, [fault("", "missing")]);
    let mixed = json!({"hands": ["3", "3"], "landlord": "4", "to_move": 2, "beat": {"cards": "35"},
        "forbidden": ["single", "x"], "odd": 1});
    assert_eq!(
        faults(mixed).await,
        [
            fault("/landlord", "both_given"),
            fault("/to_move", "out_of_range"),
            fault("/forbidden/1", "unknown_name"),
            fault("/beat/cards", "not_a_play"),
            fault("/odd", "unknown_field"),
        ]
    );
    let two =
        json!({"hands": [["S3", "S4"], ["S3"]], "beat": {"by": 0, "cards": ["S5"]}, "forbidden": ["single"]});
    assert_eq!(
        faults(two).await,
        [
            fault("/beat/by", "beat_by_seat_to_move"),
            fault("/beat", "forbidden_play_to_beat"),
            fault("/forbidden", "forbidden_single"),
            fault("/hands/1", "same_card_twice"),
        ]
    );
    let three = json!({"landlord": "3333", "previous": "3", "to_move": "nxt", "beat": {"cards": "4"}});
    assert_eq!(
        faults(three).await,
        [fault("/next", "missing"), fault("/to_move", "unknown_name"), fault("/beat/by", "missing")]
    );
    let deck = json!({"landlord": "3333", "next": "4", "previous": "3"});
    assert_eq!(faults(deck).await, [fault("/previous", "too_many_of_rank")]);
    assert_eq!(faults(json!({"hands": ["3"]})).await, [fault("/hands", "wrong_length")]);
    assert_eq!(faults(json!({"hands": ["3", ""]})).await, [fault("/hands/1", "empty_hand")]);
    let ambiguous = json!({"hands": ["3", "4"], "rules": "loose", "beat": {"cards": "4444JJJJ"}});
    assert_eq!(faults(ambiguous).await[0].0, "/beat/cards");
}
