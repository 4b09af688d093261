//! House rules in the call: read, answered under, built once, kept within bounds.

use crate::support::App;
use serde_json::{Value, json};

const PATH: &str = "/yahtzee/best-action";

/// A service without the presets' tables, and a long timeout for a busy machine.
fn service(flags: &[&str]) -> App {
    App::with(&[&["--request-timeout", "120"], flags].concat())
}

async fn value_of(app: &App, rules: Value) -> Value {
    app.post("/yahtzee/rules", rules.to_string()).await.ok()
}

/// The value of a metric.
async fn metric(app: &App, name: &str) -> u64 {
    let page = app.get("/metrics").await;
    let line =
        page.text().lines().find_map(|line| line.strip_prefix(&format!("kibitz_house_tables_{name} ")));
    line.unwrap_or_else(|| panic!("no metric {name}")).parse().unwrap()
}

fn position(rules: &Value) -> Value {
    json!({"dice": [3, 3, 3, 3, 3], "rolls_left": 1, "scorecard": {"yahtzee": 50}, "rules": rules, "limit": 50})
}

#[tokio::test]
async fn start_values_are_those_of_independent_programs() {
    let app = App::ready();
    for (rules, expected) in [
        (json!({"full_house_from_five_of_a_kind": true}), 254.587_728_734_5),
        (json!({"of_a_kind_scores": "matching_dice"}), 245.757_135_350_9),
        (json!({"base": "official", "upper_bonus": {"points": 50}}), 265.353_760_754_2),
        (json!({"rolls_per_turn": 2}), 190.129_664_473_4),
        (json!({"yahtzee_bonus": {"after_zero": true}}), 276.170_472_191_0),
        (json!({"joker": {"after_zero": false}}), 254.484_845_881_7),
        (json!({"joker": {"kind": "none"}}), 253.970_241_189_8),
        (json!({"base": "plain", "full_house_from_five_of_a_kind": true}), 229.661_524_519_3),
        (json!({"base": "no_yahtzee_bonus", "upper_bonus": {"threshold": 64}}), 243.989_733_338_4),
        (json!({"base": "official", "joker": {"kind": "loose"}}), 254.711_272_592),
    ] {
        let answer = value_of(&app, rules.clone()).await;
        let found = answer["expected_final"].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-6, "{rules}: {found}");
        let scatter = answer["standard_deviation"].as_f64().unwrap();
        assert!((25.0..90.0).contains(&scatter), "{rules}: {scatter}");
        assert_eq!(answer["rules"], rules.get("base").cloned().unwrap_or(json!("official")));
        assert!(answer.get("house_rules").is_none(), "each switch once: {answer}");
    }
}

#[tokio::test]
async fn a_preset_written_out_is_that_preset() {
    let app = App::ready();
    let free = value_of(&app, json!({"joker": {"kind": "free"}})).await;
    assert_eq!(free["rules"], "free_joker");
    let presets = app.get("/yahtzee/rules").await.ok();
    for field in ["expected_final", "standard_deviation", "joker", "upper_bonus"] {
        assert_eq!(free[field], presets["presets"][1][field]);
    }
    let written = app.post(PATH, position(&json!({"joker": {"kind": "free"}})).to_string()).await.ok();
    assert_eq!(written, app.post(PATH, position(&json!("free_joker")).to_string()).await.ok());
}

#[tokio::test]
async fn a_loose_joker_goes_into_any_open_box() {
    let loose = json!({"joker": {"kind": "loose"}, "box_points": {"large_straight": 44}});
    let answer = App::ready().post(PATH, position(&loose).to_string()).await.ok();
    let actions = answer["actions"].as_array().unwrap();
    let scored = |name: &str| actions.iter().find(|action| action["category"] == name).unwrap();
    assert_eq!(scored("large_straight")["box_points"], 44);
    assert_eq!(scored("large_straight")["yahtzee_bonus"], 100);
    assert_eq!(answer["rules"], "official");
    assert_eq!(answer["house_rules"]["box_points"], json!({"large_straight": 44}));
}

#[tokio::test]
async fn house_rules_come_back_over_their_base_and_can_be_sent_again() {
    let app = service(&[]);
    for (sent, shown) in [
        (json!({"rolls_per_turn": 2}), json!({"base": "official", "rolls_per_turn": 2})),
        (
            json!({"base": "official", "joker": {"kind": "loose", "after_zero": true}, "rolls_per_turn": 2.0}),
            json!({"base": "official", "joker": {"kind": "loose"}, "rolls_per_turn": 2}),
        ),
        (
            json!({"base": "plain", "joker": {"kind": "loose"}, "yahtzee_bonus": {}, "upper_bonus": {}, "rolls_per_turn": 2}),
            json!({"base": "plain", "joker": {"kind": "loose", "after_zero": true}, "rolls_per_turn": 2,
                "upper_bonus": {"threshold": 63, "points": 35}, "yahtzee_bonus": {"points": 100, "after_zero": false}}),
        ),
    ] {
        let builds = metric(&app, "builds_total").await;
        let turns = json!([{"rolls": [[1, 1, 2, 3, 4]], "category": "ones"}]);
        let card = json!({"ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "three_of_a_kind": 22,
            "four_of_a_kind": 0, "full_house": 25, "small_straight": 30, "large_straight": 40});
        for (path, mut body) in [
            (PATH, json!({"dice": [3, 3, 3, 3, 3], "rolls_left": 1})),
            ("/yahtzee/score", json!({"dice": [3, 3, 3, 3, 3]})),
            ("/yahtzee/turn", json!({"seed": 1})),
            ("/yahtzee/review", json!({"turns": turns})),
            ("/yahtzee/distribution", json!({"scorecard": card})),
        ] {
            body["rules"] = sent.clone();
            let answer = app.post(path, body.to_string()).await.ok();
            assert_eq!((&answer["rules"], &answer["house_rules"]), (&shown["base"], &shown), "{path}");
            body["rules"] = answer["house_rules"].clone();
            assert_eq!(app.post(path, body.to_string()).await.ok(), answer, "{path}");
        }
        // The last two are the same rules over different presets.
        let built = metric(&app, "builds_total").await - builds;
        assert_eq!(built, u64::from(shown["base"] == "official"), "{shown}");
    }
}

#[tokio::test]
async fn every_endpoint_takes_them_and_the_query_too() {
    let app = App::ready();
    let rules = json!({"rolls_per_turn": 2, "box_points": {"full_house": 28}});
    let body = json!({"dice": [3, 3, 3, 6, 6], "rolls_left": 1, "scorecard": {"ones": 3}, "rules": rules});
    let asked = app.post(PATH, body.to_string()).await.ok();
    let query = "dice=3,3,3,6,6&rolls_left=1&ones=3&rules=%7B%22rolls_per_turn%22:2,%22box_points%22:%7B%22full_house%22:28%7D%7D";
    assert_eq!(app.get(&format!("{PATH}?{query}")).await.ok(), asked);
    let batch = json!({"requests": [body, {"dice": [1, 1, 1, 1, 1], "rolls_left": 0}]});
    let results = app.post(&format!("{PATH}/batch"), batch.to_string()).await.ok();
    assert_eq!(results["results"][0]["result"], asked);
    assert_eq!(results["results"][1]["result"]["rules"], "official");
    let score =
        app.post("/yahtzee/score", json!({"dice": [3, 3, 3, 6, 6], "rules": rules}).to_string()).await.ok();
    assert_eq!(score["best"]["box_points"], 28);
    let turn = app.post("/yahtzee/turn", json!({"seed": 1, "rules": rules}).to_string()).await.ok();
    assert_eq!(turn["steps"][0]["rolls_left"], 1);
    assert_eq!(turn["house_rules"], score["house_rules"]);
    assert_eq!(turn["rules"], "official");
}

#[tokio::test]
async fn what_needs_no_table_builds_none() {
    let app = service(&[]);
    let rules = json!({"rolls_per_turn": 1});
    for (path, body) in [
        (PATH, json!({"dice": [1, 4, 5, 1, 6], "rolls_left": 0, "objective": "turn", "rules": rules})),
        ("/yahtzee/score", json!({"dice": [1, 4, 5, 1, 6], "rules": rules})),
        ("/yahtzee/turn", json!({"seed": 3, "objective": "turn", "rules": rules})),
    ] {
        app.post(path, body.to_string()).await.ok();
    }
    // A request with a fault is answered before anything is built for it.
    app.post(PATH, json!({"dice": [7], "rolls_left": 0, "rules": rules}).to_string()).await.faults();
    assert_eq!(metric(&app, "builds_total").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_requests_at_once_build_each_table_once() {
    let app = service(&[]);
    let mut asked = Vec::new();
    for n in 0..1_000 {
        let app = app.clone();
        asked.push(tokio::spawn(async move {
            // Small tables: no upper bonus, nothing that depends on the Yahtzee box. Each is written in two ways.
            let points = 100 + n % 20;
            let rules = if n % 40 < 20 {
                json!({"base": "plain", "box_points": {"yahtzee": points}})
            } else {
                json!({"joker": {"kind": "none"}, "yahtzee_bonus": {"points": 0}, "upper_bonus": {"points": 0},
                    "box_points": {"yahtzee": points, "full_house": 25}})
            };
            let body = json!({"dice": [6, 6, 6, 6, 6], "rolls_left": 0, "rules": rules});
            let answer = app.post(PATH, body.to_string()).await.ok();
            assert_eq!(answer["best"]["box_points"], points);
        }));
    }
    for task in asked {
        task.await.unwrap();
    }
    assert_eq!(metric(&app, "builds_total").await, 20);
    assert_eq!(metric(&app, "kept").await, 20);
    assert!(metric(&app, "kept_bytes").await < 20 * 200_000);
    assert_eq!(metric(&app, "waiting").await, 0);
}

#[tokio::test]
async fn the_least_recently_used_tables_go_and_presets_stay() {
    let app = service(&["--house-tables", "2", "--yahtzee-rules", "plain"]);
    app.state.build_tables_blocking();
    let ask = async |points: u32| {
        let rules = json!({"base": "plain", "box_points": {"yahtzee": points}});
        let body = json!({"dice": [6, 6, 6, 6, 6], "rolls_left": 0, "rules": rules});
        app.post(PATH, body.to_string()).await.ok()
    };
    for points in [51, 52, 51, 53, 51] {
        ask(points).await;
    }
    assert_eq!(metric(&app, "builds_total").await, 3);
    assert_eq!(metric(&app, "kept").await, 2);
    assert_eq!(metric(&app, "evictions_total").await, 1);
    ask(52).await;
    assert_eq!(metric(&app, "builds_total").await, 4);
    assert_eq!(ask(50).await["rules"], "plain");
    assert_eq!(metric(&app, "builds_total").await, 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn too_many_new_rules_get_retry_after() {
    let app = service(&["--house-table-queue", "1", "--house-table-threads", "1"]);
    let requests: Vec<_> = (0..40)
        .map(|n| {
            let rules = json!({"upper_bonus": {"points": 36 + n}});
            json!({"dice": [6, 6, 6, 6, 6], "rolls_left": 0, "rules": rules, "limit": 1})
        })
        .collect();
    let batch = json!({"requests": requests});
    let answer = app.post(&format!("{PATH}/batch"), batch.to_string()).await.ok();
    let results = answer["results"].as_array().unwrap();
    assert!(results[0]["result"].is_object(), "{}", results[0]);
    let refused = results.iter().filter(|result| result["problem"]["code"] == "rules_queue_full").count();
    assert!(refused >= 35, "{refused}");
    assert_eq!(results.len(), 40);

    let tasks: Vec<_> = (0..10)
        .map(|n| {
            let app = app.clone();
            let body = json!({"dice": [6, 6, 6, 6, 6], "rolls_left": 0, "rules": {"upper_bonus": {"points": 200 + n}}});
            tokio::spawn(async move { app.post(PATH, body.to_string()).await })
        })
        .collect();
    let mut statuses = Vec::new();
    for task in tasks {
        let answer = task.await.unwrap();
        statuses.push(answer.status.as_u16());
        if answer.status == 503 {
            answer.problem(503, "rules_queue_full");
            assert_eq!(answer.header("retry-after"), "1");
        }
    }
    assert!(statuses.contains(&200) && statuses.contains(&503), "{statuses:?}");
    assert!(metric(&app, "refusals_total").await >= 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tables_that_take_longer_than_the_wait_are_asked_for_again() {
    // A large table takes a tenth of a second on one thread, and a request waits for half a second.
    let app = App::with(&["--request-timeout", "0.6", "--house-table-threads", "1"]);
    let rules: Vec<_> = (0..16).map(|n| json!({"upper_bonus": {"points": 36 + n}})).collect();
    let requests: Vec<_> = rules
        .iter()
        .map(|rules| json!({"dice": [6, 6, 6, 6, 6], "rolls_left": 0, "rules": rules, "limit": 1}))
        .collect();
    let batch = json!({"requests": requests}).to_string();
    let answer = app.post(&format!("{PATH}/batch"), batch).await.ok();
    let results = answer["results"].as_array().unwrap();
    let late: Vec<_> =
        results.iter().zip(&requests).filter(|(result, _)| result["result"].is_null()).collect();
    assert!(!late.is_empty(), "sixteen tables take longer than half a second");
    for (result, request) in [late[0], late[late.len() - 1]] {
        assert_eq!(result["problem"]["code"], "not_ready", "{result}");
        // A client that asks again finds the table that was begun meanwhile, or waits for it.
        let mut answer = app.post(PATH, request.to_string()).await;
        for _ in 0..50 {
            if answer.status == 200 {
                break;
            }
            answer.problem(503, "not_ready");
            assert_eq!(answer.header("retry-after"), "1");
            answer = app.post(PATH, request.to_string()).await;
        }
        answer.ok();
    }
}

#[tokio::test]
async fn faults_in_rules_are_listed_with_all_others() {
    let app = App::ready();
    let body = json!({"dice": [1, 2, 3, 4, 7], "rolls_left": 2, "scorecard": {"ones": 6, "full_house": 31},
        "rules": {"base": "plane", "upper_bonus": {"threshold": 0}, "box_points": {"full_house": 0}, "jokers": 1}});
    let faults = app.post(PATH, body.to_string()).await.faults();
    let faults: Vec<_> = faults.iter().map(|(pointer, code)| (&**pointer, &**code)).collect();
    let expected = [
        ("/dice/4", "out_of_range"),
        ("/rules/base", "unknown_name"),
        ("/rules/upper_bonus/threshold", "out_of_range"),
        ("/rules/box_points/full_house", "out_of_range"),
        ("/rules/jokers", "unknown_field"),
        ("/scorecard/ones", "impossible_points"),
    ];
    assert_eq!(faults, expected);
    for (rules, pointer, code) in [
        (json!(5), "/rules", "wrong_type"),
        (json!([]), "/rules", "wrong_type"),
        (json!("{"), "/rules", "malformed_json"),
        (json!("house"), "/rules", "unknown_name"),
        (json!({"rolls_per_turn": 0}), "/rules/rolls_per_turn", "out_of_range"),
        (json!({"upper_bonus": {"points": 1001}}), "/rules/upper_bonus/points", "out_of_range"),
        (json!({"yahtzee_bonus": {"points": 1.5}}), "/rules/yahtzee_bonus/points", "not_an_integer"),
    ] {
        let body = json!({"dice": [1, 2, 3, 4, 5], "rolls_left": 0, "rules": rules});
        assert_eq!(
            app.post(PATH, body.to_string()).await.faults(),
            [(pointer.to_owned(), code.to_owned())],
            "{rules}"
        );
    }
    let twice = r#"{"dice":[1,2,3,4,5],"rolls_left":0,"rules":{"rolls_per_turn":2,"rolls_per_turn":1}}"#;
    assert_eq!(app.post(PATH, twice).await.faults()[0].1, "duplicate_field");
    app.post("/yahtzee/rules", "[]").await.faults();
    app.post("/yahtzee/rules", "{").await.problem(400, "malformed_json");
    app.post("/yahtzee/rules", r#"{"rules":"plain"}"#).await.faults();
}

#[tokio::test]
async fn cards_and_turns_are_judged_by_house_rules() {
    let app = App::ready();
    let ask = async |rest: Value| {
        let mut body = json!({"dice": [1, 2, 3, 4, 5], "rolls_left": 0});
        body.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        app.post(PATH, body.to_string()).await
    };
    let thirty = json!({"box_points": {"full_house": 30}});
    ask(json!({"rules": thirty, "scorecard": {"full_house": 30}})).await.ok();
    let wrong = ask(json!({"rules": thirty, "scorecard": {"full_house": 25}})).await.faults();
    assert_eq!(wrong, [("/scorecard/full_house".to_owned(), "impossible_points".to_owned())]);
    let matching = json!({"of_a_kind_scores": "matching_dice"});
    let wrong = ask(json!({"rules": matching, "scorecard": {"three_of_a_kind": 20}})).await.faults();
    assert_eq!(wrong[0].0, "/scorecard/three_of_a_kind");
    let two = json!({"rolls_per_turn": 2});
    let wrong =
        ask(json!({"rules": two, "rolls_left": 2, "chosen": {"action": "reroll", "keep": [6]}})).await;
    let expected = [("/chosen/keep", "keep_not_on_the_table"), ("/rolls_left", "rolls_left")];
    assert_eq!(wrong.faults(), expected.map(|(pointer, code)| (pointer.to_owned(), code.to_owned())));
    let after_zero = json!({"yahtzee_bonus": {"after_zero": true}});
    let card = json!({"yahtzee": 0, "ones": 5});
    ask(json!({"rules": after_zero, "scorecard": card, "yahtzee_bonuses": 1})).await.ok();
    ask(json!({"scorecard": card, "yahtzee_bonuses": 1})).await.faults();
    let chinese = app
        .post_with(
            &format!("{PATH}?lang=zh"),
            &[("content-type", "application/json")],
            json!({"dice": [1, 2, 3, 4, 5], "rolls_left": 2, "rules": two}).to_string(),
        )
        .await;
    assert!(chinese.text().contains("按此规则"), "{}", chinese.text());
}
