//! Good requests to the craps endpoints, against figures from independent programs (tests/vectors/craps).

use crate::figures::{id_of, rows, string, vectors};
use crate::support::App;
use kibitz::client::Client;
use serde_json::{Value, json};

async fn get(path: &str) -> Value {
    App::ready().get(path).await.ok()
}

async fn post(path: &str, body: Value) -> Value {
    App::ready().post(path, body.to_string()).await.ok()
}

/// A fraction as written, whose float is the nearest one.
fn is_exact(shown: &Value, fraction: &str) -> bool {
    let (n, d) = fraction.split_once('/').unwrap();
    let value = n.parse::<f64>().unwrap() / d.parse::<f64>().unwrap();
    shown["fraction"] == fraction && (shown["value"].as_f64().unwrap() - value).abs() <= 1e-15 * value.abs()
}

fn near(shown: &Value, decimal: &Value) -> bool {
    let wanted: f64 = decimal.as_str().unwrap().parse().unwrap();
    (shown["value"].as_f64().unwrap() - wanted).abs() <= 1e-12 * wanted.abs().max(1.0)
}

#[tokio::test]
async fn every_bet_is_exact() {
    let list = get("/craps/odds").await;
    let bets = rows(&list["bets"]);
    let ids: Vec<_> =
        vectors("bet_list").as_array().unwrap().iter().map(|b| id_of(string(&b["id"])).to_owned()).collect();
    assert_eq!(bets.iter().map(|bet| bet["id"].as_str().unwrap()).collect::<Vec<_>>(), ids);
    for want in rows(&vectors("bets")) {
        let id = id_of(string(&want["id"]));
        let bet = get(&format!("/craps/odds/{id}")).await;
        assert!(bets.contains(&bet), "{id}");
        for field in ["group", "pays"] {
            assert_eq!(bet[field], want[field], "{id}");
        }
        for (shown, wanted) in [
            (&bet["house_edge"]["per_bet_made"], "house_edge_per_bet_made"),
            (&bet["house_edge"]["per_bet_resolved"], "house_edge_per_bet_resolved"),
            (&bet["house_edge"]["per_roll"], "house_edge_per_roll"),
            (&bet["expected_rolls"], "expected_rolls"),
            (&bet["rolls_variance"], "variance_rolls"),
            (&bet["variance"], "variance_per_unit_stake"),
        ] {
            assert_eq!(shown["fraction"], want[wanted]["exact"], "{id} {wanted}");
            assert!(near(shown, &want[wanted]["decimal"]), "{id} {wanted}");
        }
        for base in ["per_bet_made", "per_bet_resolved"] {
            for (name, chance) in want[base].as_object().unwrap() {
                assert_eq!(bet[base][name]["fraction"], chance["exact"], "{id} {base} {name}");
            }
        }
        assert_eq!(rows(&bet["outcomes"]).len(), rows(&want["outcomes"]).len(), "{id}");
    }
}

#[tokio::test]
async fn a_group_is_a_part_of_the_list() {
    let all = get("/craps/odds").await;
    let lines = get("/craps/odds?group=line").await;
    let wanted: Vec<_> = rows(&all["bets"]).iter().filter(|bet| bet["group"] == "line").cloned().collect();
    assert!(!wanted.is_empty());
    assert_eq!(rows(&lines["bets"]), wanted);
    // Odds come with those that take them, and with no other.
    let with = get("/craps/odds?odds=2x&come_odds=working").await;
    let ids: Vec<_> = rows(&with["bets"])
        .iter()
        .filter(|bet| bet.get("with_odds").is_some())
        .map(|bet| &bet["id"])
        .collect();
    assert!(ids.contains(&&json!("pass_line")) && ids.contains(&&json!("dont_come")) && ids.len() < 12);
    let come = rows(&with["bets"]).iter().find(|bet| bet["id"] == "come").unwrap();
    assert_eq!(come["with_odds"]["come_odds"], "working");
    assert_eq!(*come, get("/craps/odds/come?odds=2x&come_odds=working").await);
}

#[tokio::test]
async fn line_bets_tell_their_points() {
    let pass = get("/craps/odds/pass_line").await;
    let points = rows(&pass["points"]);
    assert_eq!(points.iter().map(|point| &point["point"]).collect::<Vec<_>>(), [4, 5, 6, 8, 9, 10]);
    assert!(is_exact(&points[2]["established"], "5/36"));
    assert!(is_exact(&points[2]["win_given_point"], "5/11"));
    assert!(is_exact(&points[2]["established_and_won"], "25/396"));
    assert!(get("/craps/odds/horn").await.get("points").is_none());
}

#[tokio::test]
async fn line_bets_with_odds_are_exact() {
    for want in rows(&vectors("line_with_odds")) {
        let odds: Vec<_> = want["odds"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(point, multiple)| format!("{point}:{}", multiple.as_str().unwrap()))
            .collect();
        let bet = if want["kind"] == "pass" { "pass_line" } else { "dont_pass" };
        // The lays of the vectors are given by what is put up; those of the interface by what they win.
        let odds = match want["id"].as_str().unwrap().strip_prefix("dont_lay_") {
            Some("345x") => "3-4-5x".to_owned(),
            Some(lay) => lay.trim_start_matches("win_").to_owned(),
            None => odds.join(","),
        };
        let with = get(&format!("/craps/odds/{bet}?odds={odds}")).await["with_odds"].clone();
        for (shown, wanted) in [
            ("edge_on_action", "house_edge_combined_per_bet_made"),
            ("edge_on_action_resolved", "house_edge_combined_per_resolved"),
            ("edge_on_flat", "house_edge_on_flat_per_bet_made"),
            ("edge_per_roll", "house_edge_combined_per_roll"),
            ("expected_action", "expected_action_per_decision"),
            ("variance", "variance_per_decision_flat_units"),
        ] {
            assert_eq!(with[shown]["fraction"], want[wanted]["exact"], "{} {shown}", want["id"]);
        }
        let skewness: f64 = want["skewness"].as_str().unwrap().parse().unwrap();
        assert!((with["skewness"].as_f64().unwrap() - skewness).abs() < 1e-12, "{}", want["id"]);
    }
}

#[tokio::test]
async fn come_odds_are_off_on_a_come_out_unless_called_working() {
    for want in rows(&vectors("puck_context")["come"]) {
        let odds = want["odds"].as_str().unwrap().replace("345x", "3-4-5x");
        let come_odds = if want["odds_off_on_come_out"] == true { "off" } else { "working" };
        let bet = get(&format!("/craps/odds/come?odds={odds}&come_odds={come_odds}")).await;
        let with = &bet["with_odds"];
        assert_eq!(with["odds_put_up"]["fraction"], want["odds_put_up_per_bet"]["exact"]);
        assert_eq!(with["odds_decided"]["fraction"], want["odds_decided_per_bet"]["exact"]);
        assert_eq!(with["edge_on_decided"]["fraction"], want["house_edge_on_money_decided"]["exact"]);
        assert_eq!(with["variance"]["fraction"], want["variance"]["exact"]);
    }
    let usual = get("/craps/odds/come?odds=2x").await;
    assert_eq!(usual, get("/craps/odds/come?odds=2x&come_odds=off").await);
    assert_eq!(usual["with_odds"]["come_odds"], "off");
    assert!(get("/craps/odds/pass_line?odds=2x").await["with_odds"].get("come_odds").is_none());
}

#[tokio::test]
async fn the_long_run_is_exact() {
    for want in rows(&vectors("net_distribution")["rows"]) {
        let (bet, odds) = match want["game"].as_str().unwrap() {
            "pass_odds_345x" => ("pass_line", "3-4-5x"),
            _ => (id_of(string(&want["game"])), "none"),
        };
        let run = get(&format!("/craps/odds/{bet}/long-run?rounds={}&odds={odds}", want["rounds"])).await;
        assert_eq!((&run["bet"], &run["odds"], &run["rounds"]), (&json!(bet), &json!(odds), &want["rounds"]));
        assert_eq!(run["mean"]["fraction"], want["mean"]["exact"]);
        for (shown, wanted) in [("ahead", "p_ahead"), ("even", "p_even"), ("behind", "p_behind")] {
            assert!(near(&run[shown], &want[wanted]), "{want:#} {shown}");
            assert_eq!(run[shown].get("fraction").is_some(), want["rounds"].as_u64().unwrap() <= 20);
        }
        for quantile in rows(&run["quantiles"]) {
            let wanted = &want["quantiles"][format!("q{:02}", quantile["percent"].as_u64().unwrap())];
            assert_eq!(quantile["net"]["fraction"], format!("{wanted}/1"));
        }
    }
}

#[tokio::test]
async fn dice_and_their_totals() {
    let dice = get("/craps/dice").await;
    assert_eq!(rows(&dice["pairs"])[0]["dice"], json!([1, 1]));
    let hard: Vec<_> =
        rows(&dice["pairs"]).iter().filter(|pair| pair["hard"] == true).map(|pair| &pair["total"]).collect();
    assert_eq!(hard, [2, 4, 6, 8, 10, 12]);
    let ways: Vec<_> = rows(&dice["totals"]).iter().map(|total| total["ways"].as_u64().unwrap()).collect();
    assert_eq!(ways, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
    assert!(is_exact(&dice["totals"][5]["probability"], "1/6"));
}

#[tokio::test]
async fn decisions_and_hands_last_as_long_as_they_should() {
    let answer = get("/craps/rolls").await;
    let want = vectors("rolls");
    for (kind, rolls, exactly, at_least) in [
        ("decision", "rolls", "pmf_decimal", ""),
        ("hand", "n", "p_exactly_n_decimal", "p_at_least_n_decimal"),
    ] {
        let shown = &answer[kind];
        assert_eq!(shown["mean"]["fraction"], want[kind]["mean"]["exact"]);
        assert_eq!(shown["variance"]["fraction"], want[kind]["variance"]["exact"]);
        assert_eq!(shown["median"], want[kind]["median"]);
        assert_eq!(rows(&shown["table"]).len(), 200);
        for (row, want) in rows(&shown["table"]).iter().zip(rows(&want[kind]["table"])) {
            assert_eq!(row["rolls"], want[rolls]);
            assert!(near(&row["exactly"], &want[exactly]), "{kind} {want}");
            assert!(at_least.is_empty() || near(&row["at_least"], &want[at_least]), "{kind} {want}");
        }
    }
    assert!(is_exact(&answer["decision"]["mean_when_won"], "9858/3355"));
    assert!(is_exact(&answer["decision"]["mean_when_lost"], "52473/13805"));
    assert!(is_exact(&answer["hand"]["decisions_per_hand"], "495/196"));
    assert_eq!(answer["hand"]["table"][153]["at_least"]["fraction"], want["hand"]["p_at_least_154"]["exact"]);
    assert_eq!(rows(&get("/craps/rolls?rows=300").await["hand"]["table"]).len(), 300);
}

#[tokio::test]
async fn a_round_goes_from_state_to_state() {
    let mut state = json!({"phase": "come_out"});
    for (dice, total, event, next) in [
        ([2, 2], 4, "point_set", json!({"phase": "point", "point": 4})),
        ([5, 6], 11, "no_decision", json!({"phase": "point", "point": 4})),
        ([1, 3], 4, "point_made", json!({"phase": "won"})),
    ] {
        let roll = post("/craps/round", json!({"state": state, "dice": dice})).await;
        assert_eq!(roll, json!({"dice": dice, "total": total, "event": event, "state": next}));
        state = roll["state"].clone();
    }
    for (state, dice, event, phase) in [
        (json!({"phase": "come_out"}), [5, 6], "natural", "won"),
        (json!({"phase": "come_out", "point": null}), [6, 6], "craps", "lost"),
        (json!({"phase": "point", "point": 9}), [3, 4], "seven_out", "lost"),
    ] {
        let roll = post("/craps/round", json!({"state": state, "dice": dice})).await;
        assert_eq!((&roll["event"], &roll["state"]), (&json!(event), &json!({"phase": phase})));
    }
}

#[tokio::test]
async fn a_seed_plays_one_round_for_ever() {
    let round = post("/craps/round", json!({"seed": 42})).await;
    assert_eq!(round["rolls"][0]["dice"], json!([4, 4]));
    assert_eq!(round, post("/craps/round", json!({"seed": 42, "state": null, "dice": null})).await);
    for seed in 0..20 {
        let round = post("/craps/round", json!({"seed": seed})).await;
        let mut state = json!({"phase": "come_out"});
        for roll in rows(&round["rolls"]) {
            assert_eq!(*roll, post("/craps/round", json!({"state": state, "dice": roll["dice"]})).await);
            state = roll["state"].clone();
        }
        assert!(["won", "lost"].contains(&state["phase"].as_str().unwrap()), "{round}");
    }
}

#[tokio::test]
async fn bankrolls_are_exact() {
    for want in rows(&vectors("sessions")["with_round_limit"]) {
        let (bet, odds) = match want["game"].as_str().unwrap() {
            "pass_odds_345x" => ("pass_line", "3-4-5x"),
            _ => (id_of(string(&want["game"])), "none"),
        };
        let partial = want["policy"].as_str().unwrap().contains("as many whole units as are left");
        let body = json!({"bet": bet, "odds": odds, "bankroll": want["bankroll"], "target": want["target"],
            "max_rounds": want["max_rounds"], "when_short": if partial { "partial" } else { "stop" }});
        let answer = post("/craps/bankroll", body).await;
        for field in ["success", "ruin", "still_playing", "expected_rounds", "mean_final"] {
            assert!(near(&answer[field], &want[field]["decimal"]), "{want:#} {field}");
        }
    }
}

#[tokio::test]
async fn short_sessions_are_fractions() {
    let answer =
        post("/craps/bankroll", json!({"bet": "pass_line", "bankroll": 1, "target": 2, "max_rounds": 1}))
            .await;
    assert!(is_exact(&answer["success"], "244/495") && is_exact(&answer["ruin"], "251/495"));
    assert_eq!(answer["still_playing"], json!({"value": 0.0, "fraction": "0/1"}));
    let twenty = json!({"bet": "pass_line", "odds": "10x", "stake": 0.05, "bankroll": 5000, "target": 10000,
        "max_rounds": 20, "when_short": "partial"});
    assert!(post("/craps/bankroll", twenty).await["success"].get("fraction").is_some());
    let more = json!({"bet": "pass_line", "bankroll": 5, "target": 9, "max_rounds": 21});
    assert!(post("/craps/bankroll", more).await["success"].get("fraction").is_none());
}

#[tokio::test]
async fn decimals_are_taken_as_written() {
    let with = |stake: Value| json!({"bet": "pass_line", "bankroll": "1/2", "target": 0.6, "stake": stake, "max_rounds": 3});
    let answers = [
        post("/craps/bankroll", with(json!(0.05))).await,
        post("/craps/bankroll", with(json!("1/20"))).await,
        post("/craps/bankroll", with(json!("5e-2"))).await,
        get("/craps/bankroll?bet=pass_line&bankroll=0.5&target=3/5&stake=.05&max_rounds=3").await,
    ];
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
    // Three bets gain two stakes only by winning the first two.
    assert_eq!(answers[0]["ruin"]["value"], 0.0);
    assert!(is_exact(&answers[0]["success"], "59536/245025"));
}

#[tokio::test]
async fn kelly_under_each_promotion_is_exact() {
    for (section, letter, field) in [
        ("loss_cashback", "c", "loss_cashback"),
        ("turnover_rebate", "r", "turnover_rebate"),
        ("even_money_match", "m", "win_bonus"),
    ] {
        for want in rows(&vectors("kelly")[section]["rows"]) {
            let answer = post("/craps/kelly", json!({"bet": "pass_line", field: want[letter]})).await;
            assert_eq!(answer["promotion"]["kind"], field);
            assert_eq!(answer["promotion"]["share"]["fraction"], want[letter]);
            assert_eq!(answer["edge"]["fraction"], want["edge"]["exact"], "{field} {want}");
            assert_eq!(answer["kelly_fraction"]["fraction"], want["kelly"]["exact"], "{field} {want}");
        }
    }
    let number = post("/craps/kelly", json!({"bet": "pass_line", "loss_cashback": 0.05})).await;
    assert!(is_exact(&number["break_even"], "7/251") && is_exact(&number["kelly_fraction"], "37/3135"));
    assert_eq!(get("/craps/kelly?bet=pass_line&loss_cashback=0.05").await, number);
    assert_eq!(get("/craps/kelly?bet=pass_line&loss_cashback=1/20&odds=none").await, number);
    let odds = get("/craps/kelly?bet=pass_line&loss_cashback=0.05&odds=3-4-5x").await;
    assert!(
        odds["kelly_fraction"].get("fraction").is_none()
            && odds["kelly_fraction"]["value"].as_f64() > Some(0.0)
    );
}

#[tokio::test]
async fn a_query_asks_the_same_as_a_body() {
    let body = json!({"bet": "come", "odds": "4:1,5:1,6:2,8:2,9:1,10:1", "come_odds": "working", "bankroll": 20,
        "target": 30, "stake": 2, "max_rounds": 50, "when_short": "no_odds"});
    let query = "bet=come&odds=4:1,5:1,6:2,8:2,9:1,10:1&come_odds=working&bankroll=20&target=30&stake=2&max_rounds=50&when_short=no_odds";
    assert_eq!(get(&format!("/craps/bankroll?{query}")).await, post("/craps/bankroll", body).await);
}

#[tokio::test]
async fn answers_by_get_are_cached_and_revalidated() {
    let app = App::ready();
    for path in [
        "/craps/odds",
        "/craps/odds?group=field",
        "/craps/odds/pass_line",
        "/craps/odds/pass_line?odds=2x",
        "/craps/odds/horn/long-run?rounds=30",
        "/craps/dice",
        "/craps/rolls?rows=5",
        "/craps/bankroll?bet=pass_line&bankroll=5&target=10&max_rounds=9",
        "/craps/kelly?bet=horn&win_bonus=0.1",
    ] {
        let answer = app.get(path).await;
        answer.ok();
        assert_eq!(answer.header("cache-control"), "public, max-age=86400", "{path}");
        let again = app.get_with(path, &[("if-none-match", answer.header("etag"))]).await;
        assert_eq!(again.status, 304, "{path}");
    }
}

#[tokio::test]
async fn long_calculations_wait_their_turn_and_hold_up_nothing_else() {
    let app = App::with(&["--max-batches", "1", "--request-timeout", "0.2"]);
    app.state.adviser.craps.build_blocking();
    let busy = app.state.heavy.take(Client::UNKNOWN).await.unwrap();
    let refused = app.get("/craps/bankroll?bet=pass_line&bankroll=5&target=10&max_rounds=9").await;
    refused.problem(503, "overloaded");
    assert_eq!(refused.header("retry-after"), "1");
    app.get("/craps/odds/pass_line").await.ok();
    app.post("/craps/round", r#"{"seed":1}"#).await.ok();
    drop(busy);
    app.get("/craps/bankroll?bet=pass_line&bankroll=5&target=10&max_rounds=9").await.ok();
}

#[tokio::test]
async fn first_question_needs_no_preparation() {
    let app = App::with(&[]);
    assert!(app.state.adviser.craps.bet(kibitz::craps::bet::Bet::COME).is_none());
    let first = app.get("/craps/odds/come").await;
    assert!(app.state.adviser.craps.bet(kibitz::craps::bet::Bet::COME).is_some());
    assert_eq!(app.get("/craps/odds/come").await.body, first.body);
    assert_eq!(App::with(&["--max-batches", "1"]).get("/craps/odds").await.ok(), get("/craps/odds").await);
}
