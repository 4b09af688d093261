//! `POST /doudizhu/kitty`: the answer, and what is wrong with bad requests.

use serde_json::{Value, json};

use crate::support::App;

const PATH: &str = "/doudizhu/kitty";

#[tokio::test]
async fn shares_of_all_kitties_add_up() {
    let app = App::with(&[]);
    for rules in ["standard", "pagat", "loose", "douzero", "noip", "simple"] {
        let body = json!({"hand": "33444556789TJQKA2", "rules": rules});
        let answer = app.post(PATH, body.to_string()).await.ok();
        let shares = answer["shares"].as_array().unwrap();
        let sum: u64 = shares.iter().map(|share| share["kitties"].as_u64().unwrap()).sum();
        assert_eq!(sum, 7_770, "{rules}");
        let sum: f64 = shares.iter().map(|share| share["probability"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        let number = |name: &str| answer[name].as_u64().unwrap();
        assert_eq!(number("fewer") + number("same") + number("more"), 7_770);
        assert_eq!(shares[0]["min_plays"], answer["best"]["min_plays"]);
        assert_eq!(shares[shares.len() - 1]["min_plays"], answer["worst"]["min_plays"]);
    }
}

#[tokio::test]
async fn best_kitty_leaves_what_min_plays_answers() {
    let app = App::with(&[]);
    let hand = "3344556789TJQKA2B";
    let answer = app.post(PATH, json!({"hand": hand}).to_string()).await.ok();
    for which in ["best", "worst"] {
        let cards: Vec<&str> =
            answer[which]["cards"].as_array().unwrap().iter().map(|card| card.as_str().unwrap()).collect();
        let whole = json!({"hand": format!("{hand}{}", cards.concat())});
        let plain = app.post("/doudizhu/min-plays", whole.to_string()).await.ok();
        assert_eq!(plain["min_plays"], answer[which]["min_plays"], "{which}");
    }
    let chinese = app.post(&format!("{PATH}?lang=zh"), json!({"hand": hand}).to_string()).await.ok();
    assert!(chinese["explanation"].as_str().unwrap().contains("底牌"));
}

#[tokio::test]
async fn hand_without_17_cards_is_a_fault_at_its_field() {
    let app = App::with(&[]);
    let faults = async |body: Value| app.post(PATH, body.to_string()).await.faults();
    let wrong = |pointer: &str, code: &str| vec![(pointer.to_owned(), code.to_owned())];
    assert_eq!(faults(json!({"hand": "3"})).await, wrong("/hand", "wrong_card_count"));
    assert_eq!(faults(json!({"cards": ["S3", "H3"]})).await, wrong("/cards", "wrong_card_count"));
    assert_eq!(faults(json!({})).await, wrong("/hand", "missing"));
}
