//! The adviser answers without a server, with the very bytes of the service.

use kibitz::adviser::{Adviser, Settings};
use kibitz::questions::{Kind, Language, Method, Operation};
use serde_json::json;

use crate::support::App;

#[tokio::test(flavor = "multi_thread")]
async fn adviser_answers_with_the_bytes_of_the_service() {
    let app = App::ready();
    let card = json!({"ones": 3, "chance": 20});
    let questions = [
        ("/yahtzee/best-action", json!({"dice": [1, 3, 3, 4, 6], "rolls_left": 1, "scorecard": card})),
        (
            "/yahtzee/best-action",
            json!({"dice": [1, 3, 3, 4, 6], "rolls_left": 1, "rules": {"rolls_per_turn": 2}}),
        ),
        ("/yahtzee/score", json!({"dice": [5, 5, 5, 5, 5], "scorecard": {"yahtzee": 50}})),
        ("/yahtzee/turn", json!({"seed": 7, "objective": "turn"})),
        ("/yahtzee/review", json!({"turns": [{"rolls": [[1, 2, 3, 4, 6]], "category": "chance"}]})),
        ("/yahtzee/rules", json!({"base": "plain"})),
        ("/doudizhu/min-plays", json!({"hand": "34567TTTJJ22R"})),
        ("/doudizhu/plays", json!({"hand": "34567TTT", "beat": "4"})),
        ("/doudizhu/recognize", json!({"hand": "333444"})),
        ("/doudizhu/endgame", json!({"hands": ["34", "5"]})),
        ("/doudizhu/kitty", json!({"hand": "334455667788TTJQK"})),
        ("/craps/round", json!({"seed": 7})),
        ("/craps/bankroll", json!({"bet": "field_2x_3x", "bankroll": 5, "target": 10, "max_rounds": 20})),
        ("/craps/bankroll/inverse", json!({"bet": "field_2x_3x", "rounds": 10, "survival": "0.9"})),
        ("/craps/kelly", json!({"bet": "pass_line", "loss_cashback": "1/20"})),
    ];
    for (path, body) in questions {
        let served = app.post(path, body.to_string()).await;
        served.ok();
        let adviser = std::sync::Arc::clone(&app.state.adviser);
        let answer = tokio::task::spawn_blocking(move || {
            let operation = Operation::find(Method::Post, path).unwrap();
            adviser.answer(operation, body.to_string().as_bytes(), Language::English).unwrap()
        });
        assert_eq!(answer.await.unwrap(), served.body, "{path}");
    }
}

#[test]
fn adviser_builds_what_a_question_needs_and_lists_its_faults() {
    let adviser = Adviser::new(Settings::default()).unwrap();
    let operation = Operation::find(Method::Post, "/yahtzee/best-action").unwrap();
    let ask = |body: &str| adviser.answer(operation, body.as_bytes(), Language::Chinese);
    assert!(
        String::from_utf8(ask(r#"{"dice":[1,1,1,1,1],"rolls_left":0}"#).unwrap()).unwrap().contains("best")
    );
    assert_eq!(ask("{").unwrap_err().kind(), Kind::MalformedJson);
    assert_eq!(ask(r#"{"dice":[7],"rolls_left":3}"#).unwrap_err().kind(), Kind::InvalidRequest);
    let distribution = Operation::find(Method::Post, "/yahtzee/distribution").unwrap();
    assert_eq!(adviser.answer(distribution, b"{}", Language::English).unwrap_err().kind(), Kind::NotFound);
}

#[test]
fn every_get_without_a_path_field_answers_an_empty_question_or_says_what_is_missing() {
    let adviser = Adviser::new(Settings::default()).unwrap();
    for operation in Operation::ALL.iter().filter(|operation| operation.method == Method::Get) {
        if let Err(problem) = adviser.answer(operation, b"{}", Language::English) {
            assert_eq!(problem.kind(), Kind::InvalidRequest, "{}", operation.path);
        }
    }
}
