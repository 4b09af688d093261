//! The distribution of the final score over HTTP: at once, or as a job.

use crate::support::App;
use axum::http::Method;
use serde_json::{Value, json};

const PATH: &str = "/yahtzee/distribution";
const JSON: (&str, &str) = ("content-type", "application/json");

fn late_card() -> Value {
    json!({"ones": 3, "twos": 6, "threes": 9, "fours": 12, "three_of_a_kind": 22, "four_of_a_kind": 0,
        "full_house": 25, "small_straight": 30, "yahtzee": 50})
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[tokio::test]
async fn few_open_boxes_are_answered_at_once() {
    let app = App::ready();
    let body =
        json!({"scorecard": late_card(), "yahtzee_bonuses": 1, "targets": [0, 300, 350, 5000], "full": true});
    let answer = app.post(PATH, body.to_string()).await.ok();
    let pmf: Vec<f64> = answer["pmf"].as_array().unwrap().iter().map(number).collect();
    let total: f64 = pmf.iter().sum();
    assert!((total - 1.0).abs() < 1e-12, "{total}");
    let asked =
        json!({"dice": [1, 1, 2, 3, 5], "rolls_left": 2, "scorecard": late_card(), "yahtzee_bonuses": 1});
    let advice = app.post("/yahtzee/best-action", asked.to_string()).await.ok();
    let mean = number(&advice["turn_start_value"]) + number(&advice["points_so_far"]);
    assert!((number(&answer["mean"]) - mean).abs() < 1e-9);
    assert_eq!(answer["points_so_far"], advice["points_so_far"]);
    let chances = answer["at_least"].as_array().unwrap();
    let at_least = |place: usize| number(&chances[place]["probability"]);
    assert!((at_least(0) - 1.0).abs() < 1e-12 && at_least(3) == 0.0);
    let tail: f64 = pmf[350..].iter().sum();
    assert!((at_least(2) - tail).abs() < 1e-12 && at_least(1) > at_least(2));
    let percentiles = answer["percentiles"].as_array().unwrap();
    assert_eq!(percentiles[4]["percent"], 50.0);
    assert!(percentiles.windows(2).all(|pair| number(&pair[0]["score"]) <= number(&pair[1]["score"])));
    let mode = answer["mode"].as_u64().unwrap() as usize;
    assert!(pmf.iter().all(|&chance| chance <= pmf[mode]));

    let brief =
        app.post(PATH, json!({"scorecard": late_card(), "yahtzee_bonuses": 1}).to_string()).await.ok();
    assert!(brief.get("pmf").is_none() && brief["at_least"] == json!([]) && brief["mean"] == answer["mean"]);
    let house = json!({"scorecard": late_card(), "rules": {"rolls_per_turn": 1}});
    assert!(number(&app.post(PATH, house.to_string()).await.ok()["mean"]) < number(&brief["mean"]));
}

#[tokio::test]
async fn a_whole_game_is_a_job() {
    let app = App::ready();
    let body = json!({"rules": "plain", "targets": [200, 250]}).to_string();
    let job = app.post_with(PATH, &[JSON, ("prefer", "wait=90")], body.clone()).await.ok();
    assert_eq!(job["status"], "succeeded", "{job}");
    assert_eq!(job["progress"]["done"], job["progress"]["total"]);
    let result = &job["result"];
    assert!((number(&result["mean"]) - 229.638_499_550).abs() < 1e-6);
    assert!((number(&result["standard_deviation"]) - 31.936_952_768).abs() < 1e-6);
    assert_eq!(result["mode"], 224);
    assert!((number(&result["at_least"][0]["probability"]) - 0.843_756_384_886).abs() < 1e-9);
    assert!((number(&result["at_least"][1]["probability"]) - 0.263_371_230_217).abs() < 1e-9);
    let path = format!("/yahtzee/distributions/{}", job["id"].as_str().unwrap());
    assert_eq!(app.get(&path).await.ok(), job);
    assert_eq!((&job["object"], &result["object"]), (&json!("distribution_job"), &json!("distribution")));
    let news = app.get(&format!("{path}/events")).await;
    assert!(news.text().contains("event: succeeded"), "{}", news.text());
    let last = news.text().lines().find_map(|line| line.strip_prefix("id: ")).unwrap();
    let over = app.get_with(&format!("{path}/events"), &[("last-event-id", last)]).await;
    over.problem(410, "stream_ended");
    // It is no simulation, and nobody may list it.
    app.get(&path.replace("yahtzee/distributions", "craps/simulations")).await.problem(404, "not_found");
    app.get("/yahtzee/distributions").await.problem(404, "not_found");
}

#[tokio::test]
async fn a_job_can_be_cancelled_and_forgotten() {
    let app = App::ready();
    let key = ("idempotency-key", "one-game");
    let started = app.post_with(PATH, &[JSON, key], "{}").await;
    assert_eq!(started.status, 202);
    assert_eq!(started.header("retry-after"), "1");
    let path = started.header("location").to_owned();
    assert!(path.starts_with("/yahtzee/distributions/"));
    assert_eq!(app.post_with(PATH, &[JSON, key], "{}").await.header("location"), path);
    let other = app.post_with(PATH, &[JSON, key], r#"{"full":true}"#).await;
    other.problem(422, "idempotency_key_reused");
    let rules = json!({"rules": {"base": "plain", "upper_bonus": {}, "yahtzee_bonus": {}, "joker": {}}});
    let same = app.post_with(PATH, &[JSON, key], rules.to_string()).await;
    assert_eq!(same.header("location"), path, "the official rules, written over plain");
    let ended = app.method(Method::POST, &format!("{path}/cancel")).await.ok();
    assert_eq!((&ended["status"], ended.get("result")), (&json!("cancelled"), None));
    assert_eq!(ended["reason"], "requested");
    assert_eq!(app.method(Method::DELETE, &path).await.status, 204);
    app.get(&path).await.problem(404, "not_found");
}

#[tokio::test]
async fn distributions_are_listed_if_allowed() {
    let app = App::with(&["--list-jobs", "--yahtzee-rules", "plain"]);
    app.state.build_tables_blocking();
    let body = json!({"rules": "plain"}).to_string();
    assert_eq!(app.post(PATH, body).await.status, 202);
    let list = app.get("/yahtzee/distributions?limit=1").await.ok();
    assert_eq!(list["distributions"].as_array().unwrap().len(), 1);
    assert_eq!(app.get("/craps/simulations").await.ok()["simulations"], json!([]));
    app.get("/yahtzee/distributions?limit=0").await.faults();
}

#[tokio::test]
async fn faults() {
    let app = App::ready();
    for (body, pointer, code) in [
        (json!({"targets": [-1]}), "/targets/0", "out_of_range"),
        (json!({"targets": 200}), "/targets", "wrong_type"),
        (json!({"targets": vec![1; 101]}), "/targets", "wrong_length"),
        (json!({"full": 1}), "/full", "wrong_type"),
        (json!({"target": [200]}), "/target", "unknown_field"),
        (json!({"rules": {"rolls_per_turn": 9}}), "/rules/rolls_per_turn", "out_of_range"),
        (json!({"scorecard": {"ones": 9}}), "/scorecard/ones", "impossible_points"),
    ] {
        assert_eq!(
            app.post(PATH, body.to_string()).await.faults(),
            [(pointer.to_owned(), code.to_owned())],
            "{body}"
        );
    }
    let bad_key = app.post_with(PATH, &[JSON, ("idempotency-key", "two words")], "{}").await.faults();
    assert_eq!(bad_key[0].1, "invalid_idempotency_key");
    App::with(&[]).post(PATH, "{}").await.problem(503, "not_ready");
    app.get(PATH).await.problem(405, "method_not_allowed");
}
