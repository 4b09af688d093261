//! Good requests to the Yahtzee endpoints.

use crate::support::App;
use serde_json::{Value, json};

const PATH: &str = "/yahtzee/best-action";

async fn ask(body: Value) -> Value {
    App::ready().post(PATH, body.to_string()).await.ok()
}

fn near(value: &Value, expected: f64) -> bool {
    (value.as_f64().unwrap() - expected).abs() < 1e-6
}

#[tokio::test]
async fn the_worked_example() {
    let card = json!({"ones": 3, "yahtzee": 50});
    let chosen = json!({"action": "score", "category": "threes"});
    let answer =
        ask(json!({"dice": [1, 3, 3, 4, 6], "rolls_left": 2, "scorecard": card, "chosen": chosen})).await;
    assert_eq!(answer["points_so_far"], 53);
    assert!(near(&answer["expected_final"], 305.212_947_102_8));
    assert_eq!(answer["best"]["keep"], json!([3, 3]));
    assert_eq!(answer["best"]["keep_mask"], json!([false, true, true, false, false]));
    assert_eq!(answer["best"], answer["actions"][0]);
    assert_eq!(answer["actions"].as_array().unwrap().len(), 5);
    assert_eq!(answer["action_count"], 34);
    let graded = &answer["chosen"];
    assert_eq!((&graded["box_points"], &graded["grade"]), (&json!(6), &json!("blunder")));
    assert!(near(&graded["value"], 239.883_352_857_3) && near(&graded["loss"], 12.329_594_245_5));
    let luck = answer["best"]["value"].as_f64().unwrap() - answer["turn_start_value"].as_f64().unwrap();
    assert!((-8.0..0.0).contains(&luck), "{luck}");
}

#[tokio::test]
async fn a_query_asks_the_same_as_a_body() {
    let body = json!({"dice": [6, 3, 3, 4, 1], "rolls_left": 1, "scorecard": {"ones": 3, "yahtzee": 50}, "yahtzee_bonuses": 1,
        "rules": "free_joker", "objective": "game", "limit": 2, "chosen": {"action": "reroll", "keep": []}});
    let query = "dice=6,3,3,4,1&rolls_left=1&ones=3&yahtzee=50&yahtzee_bonuses=1&rules=free_joker&objective=game&limit=2&chosen=reroll:";
    assert_eq!(App::ready().get(&format!("{PATH}?{query}")).await.ok(), ask(body).await);
    let scored =
        App::ready().get(&format!("{PATH}?dice=6,3,3,4,1&rolls_left=0&chosen=score:chance")).await.ok();
    assert_eq!(scored["chosen"]["category"], "chance");
}

#[tokio::test]
async fn a_list_of_boxes_is_as_good_as_a_map() {
    let map = json!({"dice": [2, 2, 2, 5, 5], "rolls_left": 0, "scorecard": {"twos": 6, "chance": 20}});
    let list = json!({"dice": [2, 2, 2, 5, 5], "rolls_left": 0, "filled": [
        {"category": "chance", "points": 20}, {"category": "twos", "points": 6}]});
    assert_eq!(ask(map).await, ask(list).await);
}

#[tokio::test]
async fn null_is_absent_and_integers_may_have_a_point() {
    let plain = ask(json!({"dice": [1, 2, 3, 4, 5], "rolls_left": 1})).await;
    let nulls = r#"{"dice":[1.0,2,3,4,5.0],"rolls_left":1e0,"scorecard":null,"filled":null,"yahtzee_bonuses":null,"rules":null,
        "objective":null,"limit":null,"chosen":null}"#;
    assert_eq!(App::ready().post(PATH, nulls).await.ok(), plain);
    assert_eq!(
        ask(json!({"dice": [1, 2, 3, 4, 5], "rolls_left": 1, "scorecard": {"ones": null}})).await,
        plain
    );
}

#[tokio::test]
async fn bonuses_count_in_totals_only() {
    let position = |bonuses: u8, rules: &str| {
        json!({"dice": [1, 1, 2, 5, 6], "rolls_left": 2, "rules": rules, "yahtzee_bonuses": bonuses,
            "scorecard": {"fours": 20, "fives": 25, "sixes": 24, "yahtzee": 50}})
    };
    let (none, two) = (ask(position(0, "official")).await, ask(position(2, "official")).await);
    assert_eq!(none["points_so_far"], 20 + 25 + 24 + 50 + 35);
    assert_eq!(two["points_so_far"], 20 + 25 + 24 + 50 + 35 + 200);
    assert_eq!(none["best"], two["best"]);
    assert_eq!(ask(position(0, "plain")).await["points_so_far"], 20 + 25 + 24 + 50);
}

#[tokio::test]
async fn the_bonuses_are_shown_in_the_action_that_earns_them() {
    let card = json!({"ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "yahtzee": 50, "three_of_a_kind": 20,
        "four_of_a_kind": 0, "full_house": 25, "small_straight": 30, "large_straight": 0});
    let answer = ask(json!({"dice": [6, 6, 6, 6, 6], "rolls_left": 0, "scorecard": card})).await;
    assert_eq!(answer["action_count"], 1);
    let best = &answer["best"];
    assert_eq!((&best["category"], &best["box_points"]), (&json!("sixes"), &json!(30)));
    assert_eq!((&best["upper_bonus"], &best["yahtzee_bonus"]), (&json!(35), &json!(100)));
}

#[tokio::test]
async fn the_turn_objective_is_the_seed_s() {
    let answer =
        ask(json!({"dice": [5, 5, 5, 2, 2], "rolls_left": 2, "objective": "turn", "limit": 50})).await;
    assert_eq!(answer["best"]["keep"], json!([5, 5, 5]));
    assert_eq!(answer["best"]["keep_mask"], json!([true, true, true, false, false]));
    assert!(answer.get("expected_final").is_none() && answer.get("turn_start_value").is_none());
    let alone = ask(json!({"dice": [1, 2, 3, 4, 6], "rolls_left": 1, "objective": "turn", "limit": 50, "scorecard": {
        "ones": 0, "twos": 0, "threes": 0, "fours": 0, "fives": 0, "sixes": 0, "three_of_a_kind": 0, "four_of_a_kind": 0,
        "full_house": 0, "small_straight": 0, "large_straight": 0, "chance": 10}})).await;
    // Rerolling all and keeping any one die tie: more dice kept come first, then the smaller face.
    let keeps: Vec<_> =
        alone["actions"].as_array().unwrap()[..6].iter().map(|action| action["keep"].clone()).collect();
    assert_eq!(keeps, [json!([1]), json!([2]), json!([3]), json!([4]), json!([6]), json!([])]);
    assert!(alone["actions"].as_array().unwrap()[..6].iter().all(|action| action["loss"] == 0.0));
}

#[tokio::test]
async fn advice_is_the_same_bytes_each_time() {
    let body = json!({"dice": [1, 2, 2, 5, 6], "rolls_left": 2, "limit": 50}).to_string();
    let app = App::ready();
    assert_eq!(app.post(PATH, body.clone()).await.body, app.post(PATH, body).await.body);
}

#[tokio::test]
async fn explanations_speak_the_language_asked_for() {
    let app = App::ready();
    let body = json!({"dice": [1, 3, 3, 4, 6], "rolls_left": 2}).to_string();
    let english = app.post(PATH, body.clone()).await.ok();
    let chinese = app.post(&format!("{PATH}?lang=zh"), body).await.ok();
    assert!(english["explanation"].as_str().unwrap().starts_with("Keep 3 3 and reroll the other three dice"));
    assert!(chinese["explanation"].as_str().unwrap().starts_with("保留 3 3"));
    assert_eq!(english["actions"], chinese["actions"]);
}

#[tokio::test]
async fn a_full_batch_answers_as_single_requests_do() {
    let app = App::ready();
    let requests: Vec<_> = (0..1000_usize)
        .map(|i| json!({"dice": [1 + i % 6, 1 + i / 6 % 6, 1 + i / 36 % 6, 3, 5], "rolls_left": i % 3, "limit": 1}))
        .collect();
    let answer = app.post(&format!("{PATH}/batch"), json!({"requests": requests}).to_string()).await.ok();
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results.len(), 1000);
    for i in (0..1000).step_by(97) {
        assert_eq!(results[i]["result"], ask(requests[i].clone()).await);
    }
}

#[tokio::test]
async fn scores_show_why_a_box_is_barred() {
    let body = json!({"dice": [4, 4, 4, 4, 4], "scorecard": {"yahtzee": 50}});
    let answer = App::ready().post("/yahtzee/score", body.to_string()).await.ok();
    let boxes = answer["boxes"].as_array().unwrap();
    let legal: Vec<_> =
        boxes.iter().filter(|entry| entry["legal"] == true).map(|entry| entry["category"].clone()).collect();
    assert_eq!(legal, ["fours"]);
    assert_eq!(answer["best"]["yahtzee_bonus"], 100);
    assert_eq!(boxes[12]["reason"], "a joker must be scored in fours while that box is open");
    assert_eq!(boxes[12]["box_points"], 20);
    let equal = App::ready()
        .post("/yahtzee/score", r#"{"dice":[1,1,1,6,6],"scorecard":{"full_house":0}}"#)
        .await
        .ok();
    // Three of a kind and chance are both worth 15: the first in card order is named.
    assert_eq!(equal["best"]["category"], "three_of_a_kind");
}

#[tokio::test]
async fn a_seed_plays_one_turn_for_ever() {
    let app = App::ready();
    let turn = app.post("/yahtzee/turn", r#"{"seed":7}"#).await;
    let played = turn.ok();
    assert_eq!(app.post("/yahtzee/turn", r#"{"seed":7}"#).await.body, turn.body);
    let steps = played["steps"].as_array().unwrap();
    for (index, step) in steps.iter().enumerate() {
        let advised = ask(json!({"dice": step["dice"], "rolls_left": step["rolls_left"]})).await;
        assert_eq!(step["rolls_left"], 2 - index);
        assert_eq!(step["best"], advised["best"]);
    }
    assert_eq!(steps.last().unwrap()["best"]["action"], "score");
    let by_turn = app
        .post("/yahtzee/turn", r#"{"seed":7,"objective":"turn","rules":"plain","scorecard":{"chance":9}}"#)
        .await
        .ok();
    assert_eq!(by_turn["steps"][0]["dice"], steps[0]["dice"]);
}

#[tokio::test]
async fn the_presets_are_shown_with_their_exact_values() {
    let answer = App::ready().get("/yahtzee/rules").await.ok();
    for (name, expected, deviation) in [
        ("official", 254.587_728_734, 59.607_586_386),
        ("free_joker", 254.589_609_482, 59.611_435_878),
        ("no_yahtzee_bonus", 245.870_774_514, 39.820_093_053),
        ("plain", 229.638_499_550, 31.936_952_768),
    ] {
        let preset =
            answer["presets"].as_array().unwrap().iter().find(|preset| preset["name"] == name).unwrap();
        assert!(
            near(&preset["expected_final"], expected) && near(&preset["standard_deviation"], deviation),
            "{preset}"
        );
    }
    let early = App::with(&[]).get("/yahtzee/rules").await.ok();
    assert!(early["presets"][0].get("expected_final").is_none());
}
