//! Scandinavian Yatzy over HTTP: the same endpoints with another card.

use crate::support::App;
use serde_json::{Value, json};

const PATH: &str = "/yahtzee/best-action";

fn near(found: &Value, wanted: &Value, at: &str) {
    let (a, b) = (found.as_f64().unwrap(), wanted.as_f64().unwrap());
    assert!((a - b).abs() < 1e-6, "{at}: {a} is not {b}");
}

fn key(action: &Value) -> (&str, String) {
    match action["action"].as_str().unwrap() {
        "score" => ("score", action["category"].as_str().unwrap().to_owned()),
        _ => ("reroll", action["keep"].to_string()),
    }
}

/// Rules as the vectors write them, such as `yatzy+fh5+tp4`.
fn rules(name: &str) -> Value {
    let mut switches = name.split('+');
    let base = switches.next().unwrap();
    let mut rules = json!({"base": base});
    for switch in switches {
        let switch = match switch {
            "fh5" => "full_house_from_five_of_a_kind",
            "tp4" => "two_pairs_from_four_of_a_kind",
            "forced" => "forced_order",
            other => panic!("no switch {other}"),
        };
        rules[switch] = json!(true);
    }
    rules
}

#[tokio::test]
async fn every_action_has_the_value_of_an_independent_program() {
    let app = App::ready();
    let mut cases = 0;
    for file in ["yatzy", "yatzy-fh5-tp4", "yatzy-forced"] {
        let path = format!("{}/tests/vectors/yahtzee/yatzy/{file}.jsonl", env!("CARGO_MANIFEST_DIR"));
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let mut body = json!({"limit": 50, "rules": rules(case["rules"].as_str().unwrap())});
            for field in ["dice", "rolls_left", "scorecard", "objective"] {
                body[field] = case[field].clone();
            }
            let answer = app.post(PATH, body.to_string()).await.ok();
            let at = case["id"].as_str().unwrap();
            assert_eq!(answer["points_so_far"], case["points_so_far"], "{at}");
            near(&answer["best"]["value"], &case["value"], at);
            let (found, wanted) =
                (answer["actions"].as_array().unwrap(), case["actions"].as_array().unwrap());
            assert_eq!(found.len(), wanted.len(), "{at}");
            for action in wanted {
                let same = found.iter().find(|found| key(found) == key(action)).unwrap();
                near(&same["value"], &action["value"], at);
            }
            cases += 1;
        }
    }
    assert_eq!(cases, 35);
}

#[tokio::test]
async fn rules_of_a_card_are_enough_to_draw_it() {
    let app = App::ready();
    let presets = app.get("/yahtzee/rules").await.ok();
    let yatzy =
        presets["presets"].as_array().unwrap().iter().find(|preset| preset["name"] == "yatzy").unwrap();
    assert_eq!((&yatzy["sheet"], &yatzy["dice"]), (&json!("yatzy"), &json!(5)));
    let boxes: Vec<_> =
        yatzy["boxes"].as_array().unwrap().iter().map(|one| one["category"].as_str().unwrap()).collect();
    assert_eq!(
        boxes.join(" "),
        "ones twos threes fours fives sixes one_pair two_pairs three_of_a_kind four_of_a_kind small_straight \
         large_straight full_house chance yatzy"
    );
    assert_eq!(yatzy["boxes"][6]["points"], json!([0, 2, 4, 6, 8, 10, 12]));
    assert_eq!(yatzy["boxes"][14]["points"], json!([0, 50]));
    near(&yatzy["expected_final"], &json!(248.4399893779), "yatzy");
    let official = &presets["presets"][0];
    assert_eq!((&official["sheet"], official["boxes"].as_array().unwrap().len()), (&json!("yahtzee"), 13));
}

#[tokio::test]
async fn house_rules_of_yatzy_have_the_published_values() {
    let app = App::ready();
    for (rules, mean) in [
        (json!({"base": "yatzy", "full_house_from_five_of_a_kind": true}), 248.4680909),
        (json!({"base": "yatzy", "two_pairs_from_four_of_a_kind": true}), 248.6440589),
        (json!({"base": "yatzy", "forced_order": true}), 122.5585274),
    ] {
        let answer = app.post("/yahtzee/rules", rules.to_string()).await.ok();
        near(&answer["expected_final"], &json!(mean), &rules.to_string());
    }
    let shown = json!({"base": "yatzy", "forced_order": true, "upper_bonus": {"points": 40}, "full_house_from_five_of_a_kind": true,
        "two_pairs_from_four_of_a_kind": true, "rolls_per_turn": 2, "box_points": {"small_straight": 10, "yatzy": 60}});
    let score = json!({"dice": [2, 2, 2, 2, 2], "rules": shown, "scorecard": {"ones": 3}});
    let answer = app.post("/yahtzee/score", score.to_string()).await.ok();
    assert_eq!(answer["house_rules"], shown);
    let legal: Vec<_> =
        answer["boxes"].as_array().unwrap().iter().filter(|one| one["legal"] == true).collect();
    assert_eq!((legal.len(), &legal[0]["category"]), (1, &json!("twos")));
    let last = &answer["boxes"][14];
    assert_eq!((&last["category"], &last["box_points"]), (&json!("yatzy"), &json!(60)));
}

#[tokio::test]
async fn boxes_and_switches_of_the_other_card_are_faults() {
    let app = App::ready();
    let faults = async |path: &str, body: Value| {
        let found = app.post(path, body.to_string()).await.faults();
        found.into_iter().map(|(pointer, code)| format!("{pointer} {code}")).collect::<Vec<_>>()
    };
    let turn = |rules: &str, field: &str, value: Value| {
        let mut body = json!({"dice": [1, 2, 3, 4, 4], "rolls_left": 1, "rules": rules});
        body[field] = value;
        body
    };
    let score = |category: &str| json!({"action": "score", "category": category});
    for (body, wanted) in [
        (turn("yatzy", "scorecard", json!({"yahtzee": 50})), "/scorecard/yahtzee unknown_category"),
        (turn("official", "scorecard", json!({"yatzy": 50})), "/scorecard/yatzy unknown_category"),
        (
            turn("yatzy", "filled", json!([{"category": "yahtzee", "points": 0}])),
            "/filled/0/category unknown_category",
        ),
        (turn("yatzy", "chosen", score("yahtzee")), "/chosen/category unknown_category"),
        (turn("plain", "chosen", score("one_pair")), "/chosen/category unknown_category"),
        (turn("yatzy", "chosen", score("pair")), "/chosen/category unknown_name"),
        (turn("yatzy", "scorecard", json!({"full_house": 25})), "/scorecard/full_house impossible_points"),
        (turn("yatzy", "scorecard", json!({"two_pairs": 24})), "/scorecard/two_pairs impossible_points"),
        (turn("yatzy", "yahtzee_bonuses", json!(1)), "/yahtzee_bonuses no_yahtzee_bonus_in_rules"),
    ] {
        assert_eq!(faults(PATH, body.clone()).await, [wanted], "{body}");
    }
    let link = format!("{PATH}?dice=1,2,3,4,4&rolls_left=1&one_pair=4");
    assert_eq!(app.get(&link).await.faults()[0].1, "unknown_category");
    assert_eq!(app.get(&format!("{link}&rules=yatzy")).await.ok()["points_so_far"], 4);
    for (rules, wanted) in [
        (json!({"base": "yatzy", "joker": {}}), "/joker switch_without_effect"),
        (json!({"base": "yatzy", "yahtzee_bonus": {}}), "/yahtzee_bonus switch_without_effect"),
        (json!({"base": "yatzy", "of_a_kind_scores": "all_dice"}), "/of_a_kind_scores switch_without_effect"),
        (
            json!({"two_pairs_from_four_of_a_kind": true}),
            "/two_pairs_from_four_of_a_kind switch_without_effect",
        ),
        (json!({"base": "yatzy", "box_points": {"yahtzee": 60}}), "/box_points/yahtzee unknown_field"),
        (json!({"box_points": {"yatzy": 60}}), "/box_points/yatzy unknown_field"),
        (json!({"forced_order": 1}), "/forced_order wrong_type"),
    ] {
        assert_eq!(faults("/yahtzee/rules", rules.clone()).await, [wanted], "{rules}");
    }
}

#[tokio::test]
async fn game_of_fifteen_turns_is_reviewed_and_adds_up() {
    let app = App::ready();
    let mut card = json!({});
    let mut turns = Vec::new();
    let boxes = [
        "ones",
        "twos",
        "threes",
        "fours",
        "fives",
        "sixes",
        "one_pair",
        "two_pairs",
        "three_of_a_kind",
        "four_of_a_kind",
        "small_straight",
        "large_straight",
        "full_house",
        "chance",
        "yatzy",
    ];
    for (seed, category) in boxes.into_iter().enumerate() {
        let turn = app
            .post("/yahtzee/turn", json!({"seed": seed, "rules": "yatzy", "scorecard": card}).to_string())
            .await
            .ok();
        let steps = turn["steps"].as_array().unwrap();
        let last = &steps.last().unwrap()["dice"];
        let keeps: Vec<_> = steps
            .iter()
            .filter(|step| step["best"]["action"] == "reroll")
            .map(|step| &step["best"]["keep"])
            .collect();
        let rolls: Vec<_> = steps.iter().map(|step| &step["dice"]).collect();
        turns.push(json!({"rolls": rolls, "keeps": keeps, "category": category}));
        let scores = app
            .post("/yahtzee/score", json!({"dice": last, "rules": "yatzy", "scorecard": card}).to_string())
            .await
            .ok();
        let one = scores["boxes"].as_array().unwrap().iter().find(|one| one["category"] == category).unwrap();
        card[category] = one["box_points"].clone();
    }
    let review =
        app.post("/yahtzee/review", json!({"rules": "yatzy", "turns": turns}).to_string()).await.ok();
    let totals = &review["totals"];
    let figure = |name: &str| totals[name].as_f64().unwrap();
    assert_eq!(review["turns"].as_array().unwrap().len(), 15);
    near(
        &json!(figure("start_value") + figure("luck") - figure("loss")),
        &totals["points_so_far"],
        "identity",
    );
    near(&totals["start_value"], &json!(248.4399893779), "start");
    card.as_object_mut().unwrap().remove("yatzy");
    let rest = app
        .post("/yahtzee/distribution", json!({"rules": "yatzy", "scorecard": card}).to_string())
        .await
        .ok();
    let so_far = rest["points_so_far"].as_f64().unwrap();
    // Yatzy with three rolls, 50 points with probability 0.04602864.
    near(&rest["mean"], &json!(so_far + 50.0 * 0.046_028_642_525_9), "mean");
}
