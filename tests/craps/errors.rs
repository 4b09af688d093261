//! Bad requests to the craps endpoints: each fault with its pointer, and all of them at once.

use crate::support::App;
use axum::http::Method;
use serde_json::json;

async fn posted(path: &str, body: &str) -> Vec<(String, String)> {
    App::ready().post(path, body.to_owned()).await.faults()
}

async fn asked(path: &str) -> Vec<(String, String)> {
    App::ready().get(path).await.faults()
}

macro_rules! assert_faults {
    ($found:expr, [$($fault:expr),* $(,)?]) => {
        let expected: &[(&str, &str)] = &[$($fault),*];
        let found = $found;
        let found: Vec<_> = found.iter().map(|(pointer, code)| (&**pointer, &**code)).collect();
        assert_eq!(found, expected);
    };
}

#[tokio::test]
async fn a_path_without_a_bet_is_404() {
    let app = App::ready();
    for path in [
        "/craps/odds/pass",
        "/craps/odds/PASS_LINE",
        "/craps/odds/%ff",
        "/craps/odds/nonsense?odds=7x-9",
        "/craps/odds/pass/long-run",
        "/craps/odds/pass_line/short-run",
        "/craps",
    ] {
        app.get(path).await.problem(404, "not_found");
    }
    let chinese = app.get("/craps/odds/pass?lang=zh").await.problem(404, "not_found");
    assert_eq!(chinese["detail"], "没有这种投注；/craps/odds 列出所有投注。");
}

#[tokio::test]
async fn odds_are_one_of_their_forms() {
    for (odds, code) in [
        ("7x-9", "odds_unreadable"),
        ("", "odds_unreadable"),
        ("x", "odds_unreadable"),
        ("two", "odds_unreadable"),
        ("4:3,5:4", "odds_missing"),
        ("4:3,4:4", "odds_given_twice"),
        ("-1x", "odds_out_of_range"),
        ("101x", "odds_out_of_range"),
        ("346x", "odds_out_of_range"),
        ("1000000x", "odds_out_of_range"),
        ("1e999x", "odds_unreadable"),
    ] {
        assert_faults!(asked(&format!("/craps/odds/pass_line?odds={odds}")).await, [("/odds", code)]);
        assert_faults!(asked(&format!("/craps/odds?odds={odds}")).await, [("/odds", code)]);
    }
    assert_faults!(asked("/craps/odds/horn?odds=2x").await, [("/odds", "bet_takes_no_odds")]);
    assert_faults!(
        asked("/craps/odds/pass_line?odds=2x&come_odds=off").await,
        [("/come_odds", "come_odds_without_come")]
    );
    assert_faults!(
        asked("/craps/odds/pass_line?come_odds=off").await,
        [("/come_odds", "come_odds_without_come")]
    );
    assert_faults!(asked("/craps/odds/come?come_odds=off").await, [("/odds", "missing")]);
    assert_faults!(asked("/craps/odds?come_odds=off").await, [("/odds", "missing")]);
    assert_faults!(
        asked("/craps/odds/horn?odds=2x&come_odds=off").await,
        [("/odds", "bet_takes_no_odds"), ("/come_odds", "come_odds_without_come")]
    );
    assert_faults!(asked("/craps/odds/come?odds=2x&come_odds=on").await, [("/come_odds", "unknown_name")]);
}

#[tokio::test]
async fn fields_of_a_query_are_known_and_given_once() {
    assert_faults!(asked("/craps/odds?group=lines").await, [("/group", "unknown_name")]);
    assert_faults!(
        asked("/craps/odds?groop=line&odds=7x-9").await,
        [("/odds", "odds_unreadable"), ("/groop", "unknown_field")]
    );
    assert_faults!(asked("/craps/odds?group=line&group=line").await, [("/group", "duplicate_field")]);
    assert_faults!(asked("/craps/odds/horn?odd=2x").await, [("/odd", "unknown_field")]);
    assert_faults!(asked("/craps/rolls?row=1").await, [("/row", "unknown_field")]);
    for rows in ["0", "301", "-1"] {
        assert_faults!(asked(&format!("/craps/rolls?rows={rows}")).await, [("/rows", "out_of_range")]);
    }
    assert_faults!(asked("/craps/rolls?rows=all").await, [("/rows", "wrong_type")]);
    assert_faults!(asked("/craps/dice?lang=cn").await, [("/lang", "unknown_name")]);
}

#[tokio::test]
async fn a_long_run_has_a_bounded_number_of_rounds() {
    let long_run =
        |query: &'static str| async move { asked(&format!("/craps/odds/pass_line/long-run{query}")).await };
    assert_faults!(long_run("").await, [("/rounds", "missing")]);
    assert_faults!(long_run("?rounds=-5").await, [("/rounds", "out_of_range")]);
    assert_faults!(long_run("?rounds=0").await, [("/rounds", "out_of_range")]);
    assert_faults!(long_run("?rounds=1e30").await, [("/rounds", "out_of_range")]);
    assert_faults!(long_run("?rounds=1.5").await, [("/rounds", "not_an_integer")]);
    assert_faults!(
        long_run("?rounds=many&odds=7x-9").await,
        [("/rounds", "wrong_type"), ("/odds", "odds_unreadable")]
    );
    assert_faults!(long_run("?rounds=1000000000000").await, [("/rounds", "too_much_work")]);
    assert_faults!(
        long_run("?rounds=2&odds=4:1/7,5:1/11,6:1/13,8:1/17,9:1/19,10:1/23").await,
        [("/rounds", "step_too_small")]
    );
    let bound = App::ready().get("/craps/odds/fire_24_249_999/long-run?rounds=1000000000").await;
    let problem = bound.problem(422, "invalid_request");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.starts_with("Too much work: rounds must be at most "), "{detail}");
    // The named bound works.
    let most: u64 = detail.split_whitespace().find_map(|word| word.parse().ok()).unwrap();
    App::ready().get(&format!("/craps/odds/fire_24_249_999/long-run?rounds={most}")).await.ok();
}

#[tokio::test]
async fn a_round_takes_a_roll_or_a_seed() {
    let round = |body: &'static str| posted("/craps/round", body);
    assert_faults!(round("{}").await, [("", "missing")]);
    let problem = App::ready().post("/craps/round", "{}").await.problem(422, "invalid_request");
    let detail = problem["detail"].to_string();
    assert!(["seed", "state", "dice"].iter().all(|field| detail.contains(field)), "{detail}");
    assert_faults!(round(r#"{"dice":[1,2]}"#).await, [("/state", "missing")]);
    assert_faults!(round("[]").await, [("", "wrong_type")]);
    assert_faults!(
        round(r#"{"state":{"phase":"come_out"},"dice":[0,7]}"#).await,
        [("/dice/0", "out_of_range"), ("/dice/1", "out_of_range")]
    );
    assert_faults!(round(r#"{"state":{"phase":"come_out"},"dice":[1]}"#).await, [("/dice", "wrong_length")]);
    assert_faults!(round(r#"{"state":{"phase":"come_out"},"dice":7}"#).await, [("/dice", "wrong_type")]);
    for phase in ["won", "lost"] {
        let body = json!({"state": {"phase": phase}, "dice": [3, 4]}).to_string();
        assert_faults!(posted("/craps/round", &body).await, [("/state/phase", "round_over")]);
    }
    assert_faults!(
        round(r#"{"state":{"phase":"won","point":4},"dice":[0,4],"die":1}"#).await,
        [
            ("/state/point", "both_given"),
            ("/state/phase", "round_over"),
            ("/dice/0", "out_of_range"),
            ("/die", "unknown_field")
        ]
    );
    assert_faults!(round(r#"{"state":{"phase":"point"},"dice":[3,4]}"#).await, [("/state/point", "missing")]);
    for point in ["7", "3", "11"] {
        let body = format!(r#"{{"state":{{"phase":"point","point":{point}}},"dice":[3,4]}}"#);
        assert_faults!(posted("/craps/round", &body).await, [("/state/point", "out_of_range")]);
    }
    assert_faults!(
        round(r#"{"state":{"phase":"off"},"dice":[3,4]}"#).await,
        [("/state/phase", "unknown_name")]
    );
    assert_faults!(round(r#"{"state":{},"dice":[3,4]}"#).await, [("/state/phase", "missing")]);
    assert_faults!(round(r#"{"state":"come_out","dice":[3,4]}"#).await, [("/state", "wrong_type")]);
    assert_faults!(
        round(r#"{"seed":-1,"state":{"phase":"come_out"},"dice":[3,4]}"#).await,
        [("/state", "both_given"), ("/dice", "both_given"), ("/seed", "out_of_range")]
    );
    assert_faults!(round(r#"{"seed":9007199254740992}"#).await, [("/seed", "out_of_range")]);
    assert_faults!(round(r#"{"seed":"x"}"#).await, [("/seed", "wrong_type")]);
}

#[tokio::test]
async fn a_bankroll_has_figures_that_make_sense() {
    let bankroll = |body: &'static str| posted("/craps/bankroll", body);
    assert_faults!(
        bankroll("{}").await,
        [("/bet", "missing"), ("/bankroll", "missing"), ("/target", "missing"), ("/max_rounds", "missing")]
    );
    assert_faults!(
        bankroll(r#"{"bet":"pass_line","bankroll":50,"target":40,"max_rounds":10}"#).await,
        [("/target", "target_not_above_bankroll")]
    );
    assert_faults!(
        bankroll(r#"{"bet":"pass_line","bankroll":50,"target":50,"max_rounds":-1}"#).await,
        [("/max_rounds", "out_of_range"), ("/target", "target_not_above_bankroll")]
    );
    assert_faults!(
        bankroll(r#"{"bet":"pass_line","bankroll":0,"target":10001,"stake":-0.5,"max_rounds":100001}"#).await,
        [
            ("/max_rounds", "out_of_range"),
            ("/bankroll", "money_out_of_range"),
            ("/target", "money_out_of_range"),
            ("/stake", "money_out_of_range")
        ]
    );
    assert_faults!(
        bankroll(r#"{"bet":"pass_line","bankroll":"1/0","target":"ten","stake":[1],"max_rounds":1.5}"#).await,
        [
            ("/bankroll", "zero_denominator"),
            ("/target", "not_a_number"),
            ("/stake", "wrong_type"),
            ("/max_rounds", "not_an_integer")
        ]
    );
    assert_faults!(
        bankroll(r#"{"bet":"pass_line","bankroll":1,"target":2,"max_rounds":1,"when_short":"borrow"}"#).await,
        [("/when_short", "unknown_name")]
    );
}

#[tokio::test]
async fn all_faults_of_a_request_come_together() {
    let body = r#"{"bet":"pass","odds":"7x-9","come_odds":"on","bankroll":50,"target":40,"stake":0,"max_rounds":0,
        "when_short":"x","extra":1,"extra":2}"#;
    assert_faults!(
        posted("/craps/bankroll", body).await,
        [
            ("/extra", "duplicate_field"),
            ("/bet", "unknown_bet"),
            ("/odds", "odds_unreadable"),
            ("/come_odds", "unknown_name"),
            ("/max_rounds", "out_of_range"),
            ("/when_short", "unknown_name"),
            ("/stake", "money_out_of_range"),
            ("/target", "target_not_above_bankroll"),
            ("/extra", "unknown_field")
        ]
    );
    assert_faults!(
        asked("/craps/bankroll?bet=place_6&odds=2x&bankroll=50&target=4O&max_rounds=ten&limit=1").await,
        [
            ("/odds", "bet_takes_no_odds"),
            ("/target", "not_a_number"),
            ("/max_rounds", "wrong_type"),
            ("/limit", "unknown_field")
        ]
    );
}

#[tokio::test]
async fn too_much_work_is_rejected_with_the_bound() {
    let app = App::ready();
    let body = r#"{"bet":"pass_line","odds":"3-4-5x","bankroll":5000,"target":10000,"max_rounds":100000}"#;
    let answer = app.post("/craps/bankroll", body).await;
    assert_faults!(answer.faults(), [("/max_rounds", "too_much_work")]);
    let detail = answer.json()["detail"].as_str().unwrap().to_owned();
    assert!(
        detail.starts_with("Too much work: ") && detail.contains("at most 2000000000 are done"),
        "{detail}"
    );
    let chinese = app.post("/craps/bankroll?lang=zh", body).await.json();
    assert!(chinese["detail"].as_str().unwrap().starts_with("计算量过大："));
    assert_faults!(
        asked("/craps/bankroll?bet=pass_line&bankroll=5000&target=10000&stake=0.0001&max_rounds=10").await,
        [("/target", "unit_too_small")]
    );
}

#[tokio::test]
async fn kelly_takes_one_promotion() {
    let kelly = |body: &'static str| posted("/craps/kelly", body);
    assert_faults!(kelly(r#"{"bet":"pass_line"}"#).await, [("", "promotion_missing")]);
    assert_faults!(kelly(r#"{"bet":"pass_line","win_bonus":null}"#).await, [("", "promotion_missing")]);
    assert_faults!(
        kelly(r#"{"bet":"pass_line","loss_cashback":0.1,"win_bonus":0.1}"#).await,
        [("/win_bonus", "both_given")]
    );
    assert_faults!(
        kelly(r#"{"bet":"pas","loss_cashback":1,"turnover_rebate":"x","win_bonus":1001,"bonus":1}"#).await,
        [
            ("/bet", "unknown_bet"),
            ("/loss_cashback", "share_out_of_range"),
            ("/turnover_rebate", "both_given"),
            ("/turnover_rebate", "not_a_number"),
            ("/win_bonus", "both_given"),
            ("/win_bonus", "bonus_out_of_range"),
            ("/bonus", "unknown_field")
        ]
    );
    assert_faults!(
        kelly(r#"{"bet":7,"loss_cashback":-0.1}"#).await,
        [("/bet", "wrong_type"), ("/loss_cashback", "share_out_of_range")]
    );
    assert_faults!(
        kelly(r#"{"bet":"horn","odds":2,"loss_cashback":{}}"#).await,
        [("/odds", "wrong_type"), ("/loss_cashback", "wrong_type")]
    );
    assert_faults!(asked("/craps/kelly").await, [("/bet", "missing"), ("", "promotion_missing")]);
    assert_faults!(
        asked("/craps/kelly?bet=pass_line&loss_cashback=5%25&loss_cashback=1").await,
        [("/loss_cashback", "duplicate_field"), ("/loss_cashback", "not_a_number")]
    );
}

#[tokio::test]
async fn the_wrong_envelope_has_its_own_status() {
    let app = App::ready();
    for path in ["/craps/round", "/craps/bankroll", "/craps/kelly"] {
        app.post(path, "{").await.problem(400, "malformed_json");
        app.post_with(path, &[], "{}").await.problem(415, "unsupported_media_type");
        app.post(path, " ".repeat(64 * 1024 + 1)).await.problem(413, "body_too_large");
        let wrong = app.method(Method::DELETE, path).await;
        wrong.problem(405, "method_not_allowed");
    }
    app.method(Method::POST, "/craps/dice").await.problem(405, "method_not_allowed");
}
