//! To reach a score and to beat opponents, over HTTP.

use crate::support::App;
use serde_json::{Value, json};

const PATH: &str = "/yahtzee/best-action";

/// Two boxes are open: small straight and Yahtzee.
fn two_open(objective: &Value) -> Value {
    json!({"dice": [1, 2, 3, 6, 6], "rolls_left": 1, "objective": objective, "scorecard": {
        "ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18, "three_of_a_kind": 20, "four_of_a_kind": 0,
        "full_house": 25, "large_straight": 0, "chance": 22}})
}

async fn ask(objective: Value) -> Value {
    App::ready().post(PATH, two_open(&objective).to_string()).await.ok()
}

fn key(action: &Value) -> String {
    match action["action"].as_str().unwrap() {
        "score" => action["category"].as_str().unwrap().to_owned(),
        _ => action["keep"].to_string(),
    }
}

#[tokio::test]
async fn every_action_has_the_probability_of_an_independent_program() {
    let app = App::ready();
    let mut cases = 0;
    for file in [
        "reach-official",
        "reach-plain",
        "reach-free-joker",
        "reach-yatzy",
        "beat-official",
        "beat-no-yahtzee-bonus",
    ] {
        let path = format!("{}/tests/vectors/yahtzee/goals/{file}.jsonl", env!("CARGO_MANIFEST_DIR"));
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let mut body = json!({"limit": 50});
            for field in ["rules", "dice", "rolls_left", "scorecard", "objective"] {
                body[field] = case[field].clone();
            }
            for opponent in body["objective"]["beat"].as_array_mut().into_iter().flatten() {
                opponent.as_object_mut().unwrap().remove("points_so_far");
            }
            let answer = app.post(PATH, body.to_string()).await.ok();
            let found = answer["actions"].as_array().unwrap();
            let wanted = case["actions"].as_array().unwrap();
            assert_eq!(found.len(), wanted.len(), "{}", case["id"]);
            for action in wanted {
                let same = found.iter().find(|found| key(found) == key(action)).unwrap();
                let (a, b) = (same["value"].as_f64().unwrap(), action["value"].as_f64().unwrap());
                assert!((a - b).abs() < 1e-9, "{} {}: {a} is not {b}", case["id"], key(action));
            }
            if let Some(upper) = case["upper_bound"].as_f64() {
                assert!((answer["bounds"]["upper"].as_f64().unwrap() - upper).abs() < 1e-9, "{}", case["id"]);
            }
            if let Some(start) = case["turn_start_probability"].as_f64() {
                assert!((answer["turn_start_probability"].as_f64().unwrap() - start).abs() < 1e-9);
            }
            cases += 1;
        }
    }
    assert_eq!(cases, 40);
}

#[tokio::test]
async fn answer_to_a_goal_compares_with_the_best_for_points() {
    let answer = ask(json!({"reach": 215})).await;
    assert_eq!((&answer["decided"], &answer["objective"]), (&json!("open"), &json!({"reach": 215})));
    assert_eq!(answer["probability"], answer["best"]["value"]);
    assert_eq!(
        answer["bounds"],
        json!({"lower": answer["probability"], "upper": answer["probability"], "exact": true})
    );
    // Only a Yahtzee reaches it.
    assert_eq!(
        (&answer["best"]["keep"], &answer["best_by_mean"]["keep"]),
        (&json!([6, 6]), &json!([1, 2, 3]))
    );
    assert!(answer["best_by_mean"]["mean_value"].as_f64() > answer["best"]["mean_value"].as_f64());
    let text = answer["explanation"].as_str().unwrap();
    assert!(
        text.starts_with("Keep 6 6 and reroll the other three dice: this reaches 215 points with "),
        "{text}"
    );
    assert!(text.contains("keeping 1 2 3, best for points, with "), "{text}");
    let chinese = App::ready()
        .post(&format!("{PATH}?lang=zh"), two_open(&json!({"reach": 215})).to_string())
        .await
        .ok();
    let text = chinese["explanation"].as_str().unwrap();
    assert!(text.starts_with("保留 6 6，重掷其余三枚骰子：达到 215 分的概率为 "), "{text}");
}

#[tokio::test]
async fn decided_goal_is_ranked_by_the_mean() {
    let so_far = 3 + 6 + 9 + 12 + 15 + 18 + 35 + 20 + 25 + 22;
    let mean = ask(json!("game")).await;
    for (goal, decided, value, text) in [
        (json!({"reach": so_far}), "reached", 1.0, "165 points are certain"),
        (json!({"reach": so_far + 181}), "impossible", 0.0, "346 points are out of reach"),
        (json!({"beat": [{"final": so_far - 1}]}), "reached", 1.0, "the win is certain"),
        (json!({"beat": [{"final": 400}, {"final": 3}]}), "impossible", 0.0, "a win is out of reach"),
    ] {
        let answer = ask(goal).await;
        assert_eq!((&answer["decided"], &answer["probability"]), (&json!(decided), &json!(value)));
        assert_eq!(key(&answer["best"]), key(&mean["best"]));
        assert!(answer["explanation"].as_str().unwrap().contains(text), "{}", answer["explanation"]);
    }
}

#[tokio::test]
async fn tie_counts_as_given_or_is_shared() {
    let goal = |tie: Option<f64>| {
        let mut goal = json!({"beat": [{"final": 215}, {"final": 215}]});
        if let Some(tie) = tie {
            goal["tie"] = json!(tie);
        }
        goal
    };
    let win = |answer: Value| answer["probability"].as_f64().unwrap();
    // 165 + 50 points are a tie; more than that needs both boxes.
    let lost = win(ask(goal(Some(0.0))).await);
    let won = win(ask(goal(Some(1.0))).await);
    let shared = win(ask(goal(None)).await);
    assert_eq!(won, win(ask(json!({"reach": 215})).await));
    assert_eq!(lost, win(ask(json!({"reach": 216})).await));
    assert!(lost < shared && shared < won, "{lost} {shared} {won}");
}

#[tokio::test]
async fn playing_opponents_are_given_as_cards_or_as_a_number() {
    let app = App::ready();
    let card = json!({"ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18, "three_of_a_kind": 20,
        "four_of_a_kind": 0, "full_house": 25, "small_straight": 30, "large_straight": 0, "chance": 22});
    let answer = ask(json!({"beat": [{"scorecard": card}]})).await;
    assert_eq!(answer["objective"]["beat"][0]["scorecard"], card);
    let listed: Vec<_> = card
        .as_object()
        .unwrap()
        .iter()
        .map(|(category, points)| json!({"category": category, "points": points}))
        .collect();
    assert_eq!(ask(json!({"beat": [{"filled": listed}]})).await, answer);

    // Two opponents with an empty card, however they are given.
    let games = ask(json!({"beat": [{"games": 2}]})).await;
    let cards = ask(json!({"beat": [{"scorecard": {}}, {"filled": []}]})).await;
    assert_eq!(games["probability"], cards["probability"]);
    assert_eq!(games["bounds"]["exact"], false);
    assert!(games["explanation"].as_str().unwrap().contains("this wins with at least "));
    let batch = json!({"requests": [two_open(&json!({"beat": [{"games": 2}]}))]});
    let batch = app.post(&format!("{PATH}/batch"), batch.to_string()).await.ok();
    assert_eq!(batch["results"][0]["result"], games);
}

#[tokio::test]
async fn link_reaches_a_score() {
    let app = App::ready();
    let link = format!(
        "{PATH}?dice=1,2,3,6,6&rolls_left=1&objective=reach:215&ones=3&twos=6&threes=9&fours=12&fives=15&sixes=18\
         &three_of_a_kind=20&four_of_a_kind=0&full_house=25&large_straight=0&chance=22"
    );
    assert_eq!(app.get(&link).await.ok(), ask(json!({"reach": 215})).await);
    for (objective, code) in
        [("reach:x", "wrong_type"), ("reach", "unknown_name"), ("beat:3", "unknown_name")]
    {
        let answer = app.get(&link.replace("reach:215", objective)).await;
        assert_eq!(answer.faults()[0].1, code, "{objective}");
    }
}

#[tokio::test]
async fn bad_goal_is_422_with_every_fault() {
    let faults = async |objective: Value| {
        let found = App::ready().post(PATH, two_open(&objective).to_string()).await.faults();
        found.into_iter().map(|(pointer, code)| format!("{pointer} {code}")).collect::<Vec<_>>()
    };
    for (objective, wanted) in [
        (json!(3), vec!["/objective wrong_type"]),
        (json!("win"), vec!["/objective unknown_name"]),
        (json!({}), vec!["/objective missing"]),
        (json!({"reach": -1}), vec!["/objective/reach out_of_range"]),
        (json!({"reach": 100_001}), vec!["/objective/reach out_of_range"]),
        (json!({"reach": 1.5}), vec!["/objective/reach not_an_integer"]),
        (json!({"reach": 1, "tie": 0.5}), vec!["/objective/tie tie_without_beat"]),
        (json!({"reach": 1, "beat": [{"final": 1}]}), vec!["/objective/beat both_given"]),
        (json!({"beat": []}), vec!["/objective/beat wrong_length"]),
        (json!({"beat": [{}]}), vec!["/objective/beat/0 missing"]),
        (json!({"beat": [{"final": 1, "games": 2}]}), vec!["/objective/beat/0 both_given"]),
        (json!({"beat": [{"games": 9}, {"games": 8}]}), vec!["/objective/beat too_many_opponents"]),
        (json!({"beat": [{"final": 1}], "tie": 1.5}), vec!["/objective/tie out_of_range"]),
        (
            json!({"beat": [{"final": 1, "yahtzee_bonuses": 1}]}),
            vec!["/objective/beat/0/yahtzee_bonuses unknown_field"],
        ),
        (json!({"beat": [{"scorecard": {"ones": 1}}]}), vec!["/objective/beat/0 too_many_open_boxes"]),
        (
            json!({"beat": [{"scorecard": {"ones": 7}}, {"games": 0}], "x": 1}),
            vec![
                "/objective/beat/0/scorecard/ones impossible_points",
                "/objective/beat/1/games out_of_range",
                "/objective/x unknown_field",
            ],
        ),
    ] {
        assert_eq!(faults(objective.clone()).await, wanted, "{objective}");
    }
    let mut risky = two_open(&json!({"reach": 200}));
    risky["risk"] = json!(true);
    let found = App::ready().post(PATH, risky.to_string()).await.faults();
    assert_eq!(found, [("/risk".to_owned(), "risk_needs_the_game".to_owned())]);
    let open = json!({"dice": [1, 2, 3, 4, 4], "rolls_left": 1, "objective": {"reach": 200}});
    let found = App::ready().post(PATH, open.to_string()).await.faults();
    assert_eq!(found, [("/objective".to_owned(), "too_many_open_boxes".to_owned())]);
}

#[tokio::test]
async fn service_without_job_threads_rejects_opponents_who_have_not_begun() {
    let app = App::with(&["--job-threads", "0"]);
    let found = app.post(PATH, two_open(&json!({"beat": [{"games": 1}]})).to_string()).await.faults();
    assert_eq!(found, [("/objective/beat/0".to_owned(), "needs_jobs".to_owned())]);
}

#[tokio::test]
async fn batch_limits_the_time_of_its_long_questions() {
    let mut long = two_open(&json!({"reach": 200}));
    for category in ["threes", "fours", "full_house", "large_straight"] {
        long["scorecard"].as_object_mut().unwrap().remove(category);
    }
    long["limit"] = json!(1);
    let requests = json!({"requests": vec![long; 80]});
    let answer = App::ready().post(&format!("{PATH}/batch"), requests.to_string()).await.ok();
    let results = answer["results"].as_array().unwrap();
    let rejected: Vec<_> = results.iter().filter_map(|result| result["problem"]["code"].as_str()).collect();
    assert_eq!(rejected, ["overloaded"; 18]);
}
