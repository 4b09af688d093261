//! The figures of simulation results: outcomes, quantiles and the ends of intervals.

use crate::support::App;
use serde_json::{Value, json};

/// The result of a simulation that takes no time.
async fn simulated(body: Value) -> Value {
    let headers = [("content-type", "application/json"), ("prefer", "wait=30")];
    let job = App::ready().post_with("/craps/simulations", &headers, body.to_string()).await.ok();
    assert_eq!(job["status"], "succeeded", "{job}");
    job["result"].clone()
}

/// The outcomes that `/craps/odds` lists for the same bet and odds.
async fn listed(bet: &str, odds: Option<&str>, come_odds: Option<&str>) -> Value {
    let Some(odds) = odds else {
        return App::ready().get(&format!("/craps/odds/{bet}")).await.ok()["outcomes"].clone();
    };
    let come_odds = come_odds.map_or(String::new(), |word| format!("&come_odds={word}"));
    let value = App::ready().get(&format!("/craps/odds/{bet}?odds={odds}{come_odds}")).await.ok();
    value["with_odds"]["outcomes"].clone()
}

fn assert_joined(simulated: &Value, listed: &Value) {
    let (simulated, listed) = (simulated.as_array().unwrap(), listed.as_array().unwrap());
    assert_eq!(simulated.len(), listed.len());
    for outcome in simulated {
        let same = listed.iter().find(|other| other["label"] == outcome["label"]).unwrap();
        assert_eq!(outcome["settlement"], same["settlement"], "{outcome} {same}");
        assert_eq!(outcome["net"], same["net"], "{outcome} {same}");
        assert_eq!(outcome["exact"], same["probability"]["value"], "{outcome} {same}");
    }
}

#[tokio::test]
async fn simulated_outcomes_join_those_of_the_odds() {
    for (bet, odds, come_odds) in [
        ("pass_line", Some("none"), None),
        ("pass_line", Some("3-4-5x"), None),
        ("dont_pass", Some("2x"), None),
        ("come", Some("2x"), None),
        ("come", Some("2x"), Some("working")),
        ("place_6", None, None),
        ("horn", None, None),
        ("buy_8_on_win", None, None),
        ("fire_24_249_999", None, None),
    ] {
        let body = json!({"kind": "decisions", "bet": bet, "odds": odds, "come_odds": come_odds,
            "decisions": 300, "seed": 1});
        let result = simulated(body).await;
        assert_eq!(result["bet"], bet);
        assert_joined(&result["outcomes"], &listed(bet, odds, come_odds).await);
    }
    let bets = json!([{"bet": "come", "odds": "1x", "stake": 5}, {"bet": "hard_8", "stake": "1/2"}]);
    let result = simulated(json!({"kind": "decisions", "bets": bets, "decisions": 300, "seed": 1})).await;
    let bets = &result["bets"];
    assert_joined(&bets[0]["outcomes"], &listed("come", Some("1x"), None).await);
    assert_joined(&bets[1]["outcomes"], &listed("hard_8", None, None).await);
    assert_eq!(bets[0]["stake"]["fraction"], "5/1");
    assert_eq!(bets[1]["stake"]["fraction"], "1/2");
    assert_eq!((&bets[0]["puck_when_made"], &bets[1]["puck_when_made"]), (&json!("on"), &Value::Null));
}

#[tokio::test]
async fn an_answer_says_how_the_puck_is_when_a_come_bet_is_made() {
    let session = |come_odds: Value| {
        json!({"kind": "sessions", "bet": "come", "odds": "1x", "come_odds": come_odds, "bankroll": 20,
            "target": 30, "max_rounds": 20, "sessions": 50, "seed": 1})
    };
    let result = simulated(session(Value::Null)).await;
    assert_eq!((&result["come_odds"], &result["puck_when_made"]), (&json!("off"), &json!("on")));
    let result = simulated(session(json!("working"))).await;
    assert_eq!((&result["come_odds"], &result["puck_when_made"]), (&json!("working"), &Value::Null));
    let odds = |bet: &str| format!("/craps/odds/{bet}?odds=2x");
    assert_eq!(App::ready().get(&odds("come")).await.ok()["with_odds"]["puck_when_made"], "on");
    assert_eq!(App::ready().get(&odds("pass_line")).await.ok()["with_odds"]["puck_when_made"], Value::Null);
}

#[tokio::test]
async fn a_quantile_is_an_amount_that_occurred() {
    let result =
        simulated(json!({"kind": "sessions", "bet": "buy_8_on_win", "bankroll": 5000, "target": 10000,
        "max_rounds": 1, "sessions": 1000, "seed": 1}))
        .await;
    let quantiles = result["final_bankroll"]["quantiles"].as_array().unwrap();
    let amounts: Vec<_> = quantiles.iter().map(|quantile| quantile["bankroll"].as_f64().unwrap()).collect();
    // Won with 5/11.
    assert_eq!(amounts, [4999.0, 4999.0, 4999.0, 4999.0, 5001.15, 5001.15, 5001.15]);
    // The ends of bins are multiples of the unit as well, a twentieth.
    for bin in result["final_bankroll"]["histogram"].as_array().unwrap() {
        for end in ["from", "to"].map(|end| bin[end].as_f64().unwrap()) {
            assert_eq!(end, (end * 20.0).round() / 20.0, "{bin}");
        }
    }
}

#[tokio::test]
async fn the_histogram_ends_with_the_greatest_amount() {
    let result = simulated(json!({"kind": "sessions", "bet": "put_8", "bankroll": 50, "target": 84,
        "max_rounds": 10, "sessions": 100, "seed": 1}))
    .await;
    let bins = result["final_bankroll"]["histogram"].as_array().unwrap();
    // The 86 amounts from 0 to 85: 28 bins of 3, and one of 2.
    assert_eq!((bins[0]["to"].as_f64(), bins.last().unwrap()["to"].as_f64()), (Some(3.0), Some(86.0)));
}

#[tokio::test]
async fn intervals_stay_within_what_is_possible() {
    let within = |estimate: &Value, low: f64, high: f64| {
        for interval in ["confidence_95", "anytime_95"] {
            let [from, to] = [0, 1].map(|end| estimate[interval][end].as_f64().unwrap());
            assert!(low <= from && from < to && to <= high, "{interval} of {estimate}");
        }
    };
    let result =
        simulated(json!({"kind": "sessions", "bet": "pass_line", "odds": "2x", "bankroll": 10, "target": 20,
        "max_rounds": 400, "sessions": 5, "seed": 1}))
        .await;
    // Bankrolls are multiples of 0.2, and a round that begins with 19.8 wins at most 1 + 2 x 2.
    within(&result["final_bankroll"]["mean"], 0.0, 24.8 + 1e-9);
    within(&result["rounds"], 1.0, 400.0);
    within(&result["success"], 0.0, 1.0);
    let result =
        simulated(json!({"kind": "decisions", "bets": [{"bet": "hop_hard"}, {"bet": "aces_2", "stake": 2}],
        "decisions": 3, "seed": 1}))
        .await;
    within(&result["mean_net"], -3.0, 90.0);
    assert!(result["rolls_per_decision"]["confidence_95"][0].as_f64() >= Some(1.0));
    let result = simulated(json!({"kind": "decisions", "bet": "place_6", "decisions": 2, "seed": 1})).await;
    within(&result["mean_net"], -1.0, 7.0 / 6.0 + 1e-12);
    within(&result["rolls_per_decision"], 1.0, f64::MAX);
    // What cannot be played has one result.
    let result =
        simulated(json!({"kind": "sessions", "bet": "pass_line", "odds": "2x", "bankroll": 2, "target": 20,
        "max_rounds": 400, "sessions": 5, "seed": 1}))
        .await;
    assert_eq!(result["rounds"]["anytime_95"], json!([0.0, 0.0]));
    assert_eq!(result["final_bankroll"]["mean"]["confidence_95"], json!([2.0, 2.0]));
}
