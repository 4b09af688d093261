//! Reviews of games: every figure from its parts, and histories that cannot have happened.

use crate::support::App;
use serde_json::{Value, json};

const PATH: &str = "/yahtzee/review";

fn example() -> Value {
    json!([
        {"rolls": [[1, 3, 3, 4, 6], [3, 3, 3, 2, 5], [3, 3, 3, 6, 6]], "keeps": [[3, 3], [3, 3, 3]], "category": "full_house"},
        {"rolls": [[2, 3, 4, 5, 6]], "category": "small_straight"},
        {"rolls": [[6, 6, 6, 6, 6]], "keeps": [], "category": "yahtzee"},
        {"rolls": [[6, 6, 6, 1, 2], [6, 6, 6, 6, 6]], "keeps": [[6, 6, 6]], "category": "sixes"},
    ])
}

async fn review(body: Value) -> Value {
    App::ready().post(PATH, body.to_string()).await.ok()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[tokio::test]
async fn luck_and_losses_explain_the_game() {
    let answer = review(json!({"turns": example()})).await;
    let totals = &answer["totals"];
    assert_eq!(totals["points_so_far"], 25 + 30 + 50 + 130);
    assert!((number(&totals["start_value"]) - 254.587_728_734_5).abs() < 1e-6);
    let moved = number(&totals["start_value"]) + number(&totals["luck"]) - number(&totals["loss"]);
    assert!((moved - 235.0 - number(&totals["remaining_value"])).abs() < 1e-9);
    assert!(number(&totals["difference"]).abs() < 1e-9);
    let turns = answer["turns"].as_array().unwrap();
    let luck: f64 = turns.iter().map(|turn| number(&turn["luck"])).sum();
    assert!((luck - number(&totals["luck"])).abs() < 1e-9);
    assert_eq!(turns[3]["yahtzee_bonus"], 100);
    assert_eq!(turns[1]["decisions"].as_array().unwrap().len(), 1);
    // A large straight was entered as a small one.
    let worst = answer["worst"].as_array().unwrap();
    assert_eq!((&worst[0]["turn"], &worst[0]["roll"]), (&json!(2), &json!(1)));
    assert_eq!(worst[0]["best"]["category"], "large_straight");
    assert_eq!(worst[0]["grade"], "blunder");
    assert!(
        worst.len() <= 3 && worst.windows(2).all(|pair| number(&pair[0]["loss"]) >= number(&pair[1]["loss"]))
    );
}

#[tokio::test]
async fn each_decision_is_as_best_action_judges_it() {
    let answer = review(json!({"turns": example()})).await;
    let decision = &answer["turns"][1]["decisions"][0];
    let card = json!({"full_house": 25});
    let asked = json!({"dice": [2, 3, 4, 5, 6], "rolls_left": 2, "scorecard": card,
        "chosen": {"action": "score", "category": "small_straight"}});
    let advice = App::ready().post("/yahtzee/best-action", asked.to_string()).await.ok();
    for field in ["rank", "grade", "loss"] {
        assert_eq!(decision[field], advice["chosen"][field], "{field}");
    }
    assert_eq!(decision["best"], advice["best"]);
    assert_eq!(decision["chosen"]["value"], advice["chosen"]["value"]);
    let luck = number(&advice["best"]["value"]) - number(&advice["turn_start_value"]);
    assert!((number(&decision["luck"]) - luck).abs() < 1e-9);
    assert_eq!(answer["turns"][0]["value_after"], advice["turn_start_value"]);
}

#[tokio::test]
async fn a_whole_game_leaves_nothing_to_come_and_house_rules_count() {
    let boxes = [
        "ones",
        "twos",
        "threes",
        "fours",
        "fives",
        "sixes",
        "three_of_a_kind",
        "four_of_a_kind",
        "full_house",
        "small_straight",
        "large_straight",
        "yahtzee",
        "chance",
    ];
    let turns: Vec<_> =
        boxes.iter().map(|name| json!({"rolls": [[1, 1, 2, 3, 4]], "category": name})).collect();
    let answer = review(json!({"turns": turns, "rules": {"rolls_per_turn": 1}})).await;
    assert_eq!(answer["totals"]["remaining_value"], 0.0);
    assert_eq!(answer["totals"]["points_so_far"], 2 + 2 + 3 + 4 + 30 + 11);
    assert_eq!(answer["house_rules"], json!({"base": "official", "rolls_per_turn": 1}));
    assert!(number(&answer["totals"]["difference"]).abs() < 1e-9);
    assert_eq!(answer["turns"][0]["decisions"][0]["rolls_left"], 0);
}

async fn faults(body: Value) -> Vec<(String, String)> {
    App::ready().post(PATH, body.to_string()).await.faults()
}

#[tokio::test]
async fn impossible_histories_are_all_listed() {
    let turns = json!([
        {"rolls": [[1, 3, 3, 4, 6], [3, 2, 2, 2, 5]], "keeps": [[3, 3]], "category": "yahtzee"},
        {"rolls": [[1, 1, 1, 1, 1], [1, 1, 1, 1, 2]], "keeps": [[2]], "category": "ones"},
        {"rolls": [[4, 4, 4, 4, 4]], "category": "chance"},
        {"rolls": [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]], "keeps": [[1, 2, 3, 4, 5]], "category": "ones"},
        {"rolls": [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]], "category": "twos"},
    ]);
    let expected = [
        ("/turns/0/rolls/1", "kept_dice_lost"),
        ("/turns/1/keeps/0", "keep_not_on_the_table"),
        ("/turns/2/category", "joker_own_upper_box_first"),
        ("/turns/3/keeps/0", "all_five_kept"),
        ("/turns/3/category", "box_filled"),
        ("/turns/4/keeps", "wrong_number_of_keeps"),
    ];
    let expected = expected.map(|(pointer, code)| (pointer.to_owned(), code.to_owned()));
    assert_eq!(faults(json!({"turns": turns})).await, expected);
    // Without a joker the box of the third turn is as good as any.
    let found = faults(json!({"turns": turns, "rules": "plain"})).await;
    assert!(!found.iter().any(|(pointer, _)| pointer == "/turns/2/category"), "{found:?}");
}

#[tokio::test]
async fn unreadable_fields_are_listed_with_impossible_ones() {
    let turns = json!([
        {"rolls": [[1, 2, 3, 4, 7]], "category": "ones", "score": 1},
        {"rolls": [[1, 2, 3, 4, 5], "x"], "keeps": [[9]], "category": "ones"},
        {"rolls": [], "category": "threes"},
        {"rolls": [[1, 1, 1, 1, 1], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1]], "keeps": [[], [], []]},
        7,
    ]);
    let expected = [
        ("/turns/0/rolls/0/4", "out_of_range"),
        ("/turns/0/score", "unknown_field"),
        ("/turns/1/rolls/1", "wrong_type"),
        ("/turns/1/keeps/0/0", "out_of_range"),
        ("/turns/2/rolls", "wrong_length"),
        ("/turns/3/rolls", "wrong_length"),
        ("/turns/3/keeps", "wrong_length"),
        ("/turns/3/category", "missing"),
        ("/turns/4", "wrong_type"),
        ("/turns/1/category", "box_filled"),
    ];
    let expected = expected.map(|(pointer, code)| (pointer.to_owned(), code.to_owned()));
    assert_eq!(faults(json!({"turns": turns})).await, expected);
    assert_eq!(faults(json!({})).await, [("/turns".to_owned(), "missing".to_owned())]);
    // A list of keeps that cannot be read is at fault once, not for its length among the rolls, too.
    let keeps = json!([[3, 3], [3, 3, 3], [3]]);
    let turn = json!({"rolls": [[1, 3, 3, 4, 6], [3, 3, 3, 2, 5], [3, 3, 3, 6, 6]], "keeps": keeps, "category": "full_house"});
    let expected = [("/turns/0/keeps".to_owned(), "wrong_length".to_owned())];
    assert_eq!(faults(json!({"turns": [turn]})).await, expected);
    assert_eq!(faults(json!({"turns": []})).await, [("/turns".to_owned(), "wrong_length".to_owned())]);
    let two = json!({"turns": [{"rolls": [[1, 1, 2, 3, 4], [1, 1, 2, 3, 4], [1, 1, 2, 3, 4]], "keeps": [[], []],
        "category": "ones"}], "rules": {"rolls_per_turn": 2}});
    assert_eq!(faults(two).await, [("/turns/0/rolls".to_owned(), "too_many_rolls".to_owned())]);
    let chinese = App::ready()
        .post(
            &format!("{PATH}?lang=zh"),
            json!({"turns": [{"rolls": [[1, 1, 2, 3, 4], [2, 2, 2, 2, 2]],
        "keeps": [[1]], "category": "ones"}]})
            .to_string(),
        )
        .await;
    assert!(chinese.text().contains("保留的骰子"), "{}", chinese.text());
}
