//! Bad requests to the Yahtzee endpoints: each fault with its pointer, and all of them at once.

use crate::support::App;
use axum::http::Method;
use serde_json::json;

const PATH: &str = "/yahtzee/best-action";

async fn faults(body: &str) -> Vec<(String, String)> {
    App::ready().post(PATH, body.to_owned()).await.faults()
}

macro_rules! assert_faults {
    ($body:expr, [$($fault:expr),*]) => {
        let expected: &[(&str, &str)] = &[$($fault),*];
        let found = faults($body).await;
        let found: Vec<_> = found.iter().map(|(pointer, code)| (&**pointer, &**code)).collect();
        assert_eq!(found, expected, "{}", $body);
    };
}

#[tokio::test]
async fn what_is_no_json_is_400() {
    for body in ["", "{", "[1,2", "nonsense", "{\"dice\":[1,2,3,4,5],}", "{} {}"] {
        App::ready().post(PATH, body).await.problem(400, "malformed_json");
    }
    let empty = App::ready().post(PATH, "").await.problem(400, "malformed_json");
    assert_eq!(empty["detail"], "The body is empty; send a JSON object.");
    App::ready().post(PATH, vec![b'"', 0xff, b'"']).await.problem(400, "malformed_json");
    App::ready().post(PATH, "[".repeat(10_000)).await.problem(400, "malformed_json");
}

#[tokio::test]
async fn a_body_that_is_no_object_is_422() {
    for body in ["[]", "1", "null", "\"x\"", "true"] {
        assert_faults!(body, [("", "wrong_type")]);
    }
}

#[tokio::test]
async fn dice_are_five_faces() {
    assert_faults!(r#"{"rolls_left":0}"#, [("/dice", "missing")]);
    assert_faults!(r#"{"dice":null,"rolls_left":0}"#, [("/dice", "missing")]);
    assert_faults!(r#"{"dice":"12345","rolls_left":0}"#, [("/dice", "wrong_type")]);
    assert_faults!(r#"{"dice":[1,2,3,4,5,6],"rolls_left":0}"#, [("/dice", "wrong_length")]);
    assert_faults!(r#"{"dice":[],"rolls_left":0}"#, [("/dice", "wrong_length")]);
    assert_faults!(r#"{"dice":[1,2,3,4,7],"rolls_left":0}"#, [("/dice/4", "out_of_range")]);
    assert_faults!(
        r#"{"dice":[0,2,3.5,"4",1e30],"rolls_left":0}"#,
        [
            ("/dice/0", "out_of_range"),
            ("/dice/2", "not_an_integer"),
            ("/dice/3", "wrong_type"),
            ("/dice/4", "out_of_range")
        ]
    );
    assert_faults!(
        r#"{"dice":[1,2,3,4,1e999],"rolls_left":12345678901234567890123,"foo":1}"#,
        [("/dice/4", "out_of_range"), ("/rolls_left", "out_of_range"), ("/foo", "unknown_field")]
    );
}

#[tokio::test]
async fn rolls_left_is_0_1_or_2() {
    assert_faults!(r#"{"dice":[1,2,3,4,5]}"#, [("/rolls_left", "missing")]);
    assert_faults!(r#"{"dice":[1,2,3,4,5],"rolls_left":3}"#, [("/rolls_left", "out_of_range")]);
    assert_faults!(r#"{"dice":[1,2,3,4,5],"rolls_left":-1}"#, [("/rolls_left", "out_of_range")]);
    assert_faults!(r#"{"dice":[1,2,3,4,5],"rolls_left":"1"}"#, [("/rolls_left", "wrong_type")]);
}

#[tokio::test]
async fn fields_are_known_and_given_once() {
    assert_faults!(r#"{"dice":[1,2,3,4,5],"rolls_left":0,"roll_left":1}"#, [("/roll_left", "unknown_field")]);
    assert_faults!(
        r#"{"dice":[1,2,3,4,5],"rolls_left":0,"rolls_left":1}"#,
        [("/rolls_left", "duplicate_field")]
    );
    assert_faults!(r#"{"dice":[1,2,3,4,5],"rolls_left":0,"a/~b":1}"#, [("/a~1~0b", "unknown_field")]);
    assert_faults!(
        r#"{"dice":[1,2,3,4,5],"rolls_left":0,"scorecard":{"ones":1,"ones":1}}"#,
        [("/scorecard/ones", "duplicate_field")]
    );
}

#[tokio::test]
async fn boxes_hold_possible_points() {
    let with = |card: &str| format!(r#"{{"dice":[1,2,3,4,5],"rolls_left":0,"scorecard":{card}}}"#);
    for (card, pointer, code) in [
        (r#"{"ones":6}"#, "/scorecard/ones", "impossible_points"),
        (r#"{"sixes":13}"#, "/scorecard/sixes", "impossible_points"),
        (r#"{"full_house":24}"#, "/scorecard/full_house", "impossible_points"),
        (r#"{"yahtzee":100}"#, "/scorecard/yahtzee", "impossible_points"),
        (r#"{"chance":0}"#, "/scorecard/chance", "impossible_points"),
        (r#"{"three_of_a_kind":4}"#, "/scorecard/three_of_a_kind", "impossible_points"),
        (r#"{"twos":-2}"#, "/scorecard/twos", "impossible_points"),
        (r#"{"twos":1e15}"#, "/scorecard/twos", "impossible_points"),
        (r#"{"twos":true}"#, "/scorecard/twos", "wrong_type"),
        (r#"{"pairs":2}"#, "/scorecard/pairs", "unknown_field"),
        ("[]", "/scorecard", "wrong_type"),
    ] {
        assert_faults!(&with(card), [(pointer, code)]);
    }
}

#[tokio::test]
async fn a_card_with_nothing_open_is_no_question() {
    let full = r#"{"ones":0,"twos":0,"threes":0,"fours":0,"fives":0,"sixes":0,"three_of_a_kind":0,"four_of_a_kind":0,
        "full_house":0,"small_straight":0,"large_straight":0,"yahtzee":0,"chance":5}"#;
    assert_faults!(
        &format!(r#"{{"dice":[1,2,3,4,5],"rolls_left":0,"scorecard":{full}}}"#),
        [("/scorecard", "game_over")]
    );
}

#[tokio::test]
async fn bonuses_need_a_yahtzee_and_boxes() {
    let with = |rest: &str| format!(r#"{{"dice":[1,2,3,4,5],"rolls_left":0,{rest}}}"#);
    assert_faults!(&with(r#""yahtzee_bonuses":1"#), [("/yahtzee_bonuses", "yahtzee_box_does_not_qualify")]);
    assert_faults!(
        &with(r#""yahtzee_bonuses":1,"scorecard":{"yahtzee":0,"ones":1}"#),
        [("/yahtzee_bonuses", "yahtzee_box_does_not_qualify")]
    );
    assert_faults!(
        &with(r#""yahtzee_bonuses":2,"scorecard":{"yahtzee":50,"ones":5}"#),
        [("/yahtzee_bonuses", "too_many_yahtzee_bonuses")]
    );
    assert_faults!(&with(r#""yahtzee_bonuses":13"#), [("/yahtzee_bonuses", "out_of_range")]);
    assert_faults!(
        &with(r#""rules":"plain","yahtzee_bonuses":1,"scorecard":{"yahtzee":50,"ones":5}"#),
        [("/yahtzee_bonuses", "no_yahtzee_bonus_in_rules")]
    );
}

#[tokio::test]
async fn the_list_form_is_checked_like_the_map() {
    let with = |rest: &str| format!(r#"{{"dice":[1,2,3,4,5],"rolls_left":0,"filled":{rest}}}"#);
    assert_faults!(&with(r#"[{"category":"ones","points":6}]"#), [("/filled/0/points", "impossible_points")]);
    assert_faults!(
        &with(r#"[{"category":"ones","points":1},{"category":"ones","points":1}]"#),
        [("/filled/1/category", "duplicate_box")]
    );
    assert_faults!(
        &with(r#"[{"category":"one","points":1},{"points":1},{"category":"twos"},7]"#),
        [
            ("/filled/0/category", "unknown_name"),
            ("/filled/1/category", "missing"),
            ("/filled/2/points", "missing"),
            ("/filled/3", "wrong_type")
        ]
    );
    assert_faults!(&with(r#"[],"scorecard":{},"yahtzee_bonuses":0"#), [("/filled", "both_given")]);
}

#[tokio::test]
async fn names_come_from_their_lists() {
    let with = |rest: &str| format!(r#"{{"dice":[1,2,3,4,5],"rolls_left":0,{rest}}}"#);
    assert_faults!(&with(r#""rules":"hasbro""#), [("/rules", "unknown_name")]);
    assert_faults!(&with(r#""rules":7"#), [("/rules", "wrong_type")]);
    assert_faults!(&with(r#""objective":"win""#), [("/objective", "unknown_name")]);
    assert_faults!(&with(r#""limit":0"#), [("/limit", "out_of_range")]);
    assert_faults!(&with(r#""limit":51"#), [("/limit", "out_of_range")]);
}

#[tokio::test]
async fn a_chosen_action_must_be_possible() {
    let with = |rolls: u8, chosen: &str| {
        format!(r#"{{"dice":[1,3,3,4,6],"rolls_left":{rolls},"scorecard":{{"ones":3}},"chosen":{chosen}}}"#)
    };
    for (rolls, chosen, pointer, code) in [
        (2, r#"{"action":"reroll","keep":[3,3,3]}"#, "/chosen/keep", "keep_not_on_the_table"),
        (2, r#"{"action":"reroll","keep":[1,3,3,4,6]}"#, "/chosen/keep", "all_five_kept"),
        (0, r#"{"action":"reroll","keep":[3]}"#, "/chosen/keep", "no_roll_left"),
        (0, r#"{"action":"score","category":"ones"}"#, "/chosen/category", "box_filled"),
        (0, r#"{"action":"score","category":"pairs"}"#, "/chosen/category", "unknown_name"),
        (0, r#"{"action":"score"}"#, "/chosen/category", "missing"),
        (2, r#"{"action":"reroll","keep":[9]}"#, "/chosen/keep/0", "out_of_range"),
        (2, r#"{"action":"score","category":"twos","keep":[]}"#, "/chosen/keep", "unknown_field"),
        (2, r#"{"action":"fold"}"#, "/chosen/action", "unknown_name"),
        (2, r#"{}"#, "/chosen/action", "missing"),
        (2, r#""reroll""#, "/chosen", "wrong_type"),
    ] {
        assert_faults!(&with(rolls, chosen), [(pointer, code)]);
    }
    let joker = r#"{"dice":[4,4,4,4,4],"rolls_left":0,"scorecard":{"yahtzee":50},"chosen":{"action":"score","category":"chance"}}"#;
    assert_faults!(joker, [("/chosen/category", "joker_own_upper_box_first")]);
}

#[tokio::test]
async fn all_faults_of_a_request_come_together() {
    let body = r#"{"dice":[1,2,3,4,7],"rolls_left":3,"rules":"x","scorecard":{"ones":6,"x":1},"yahtzee_bonuses":1,
        "limit":99,"objective":"y","chosen":{"action":"score","category":"z"},"extra":1,"extra":2}"#;
    assert_faults!(
        body,
        [
            ("/extra", "duplicate_field"),
            ("/dice/4", "out_of_range"),
            ("/rolls_left", "out_of_range"),
            ("/rules", "unknown_name"),
            ("/scorecard/x", "unknown_field"),
            ("/scorecard/ones", "impossible_points"),
            ("/objective", "unknown_name"),
            ("/limit", "out_of_range"),
            ("/chosen/category", "unknown_name"),
            ("/extra", "unknown_field")
        ]
    );
    let impossible =
        r#"{"dice":[1,2,3,4,5],"rolls_left":1,"limit":0,"chosen":{"action":"reroll","keep":[6]}}"#;
    assert_faults!(impossible, [("/limit", "out_of_range"), ("/chosen/keep", "keep_not_on_the_table")]);
}

#[tokio::test]
async fn one_fault_does_not_hide_another() {
    let twice = r#"{"dice":[1,2,3,4,5],"rolls_left":0,"filled":[{"category":"ones","points":9},{"category":"ones","points":3}]}"#;
    assert_faults!(
        twice,
        [("/filled/1/category", "duplicate_box"), ("/filled/0/points", "impossible_points")]
    );
    let both = r#"{"dice":[1,2,3,4,5],"rolls_left":0,"scorecard":{"ones":"x"},"filled":[{"category":"oness","points":1}]}"#;
    assert_faults!(
        both,
        [
            ("/filled", "both_given"),
            ("/scorecard/ones", "wrong_type"),
            ("/filled/0/category", "unknown_name")
        ]
    );
    let keep = r#"{"dice":[1,3,3,4,6],"scorecard":{"ones":9},"chosen":{"action":"reroll","keep":[2]}}"#;
    assert_faults!(
        keep,
        [
            ("/rolls_left", "missing"),
            ("/scorecard/ones", "impossible_points"),
            ("/chosen/keep", "keep_not_on_the_table")
        ]
    );
    let no_kind = r#"{"dice":[1,3,3,4,6],"rolls_left":0,"chosen":{"category":"ones","foo":1}}"#;
    assert_faults!(no_kind, [("/chosen/action", "missing"), ("/chosen/foo", "unknown_field")]);
}

#[tokio::test]
async fn a_flood_of_faults_is_cut_off() {
    let fields: Vec<_> = (0..1_500).map(|i| format!("\"f{i}\":{i}")).collect();
    assert_eq!(faults(&format!("{{{}}}", fields.join(","))).await.len(), 50);
    let fields: Vec<_> = (0..5_000).map(|i| format!("\"f{i}\":{i}")).collect();
    let too_many = faults(&format!("{{{}}}", fields.join(","))).await;
    assert_eq!(too_many, [(String::new(), "too_many_values".to_owned())]);
}

#[tokio::test]
async fn the_wrong_envelope_has_its_own_status() {
    let app = App::ready();
    let good = r#"{"dice":[1,2,3,4,5],"rolls_left":0}"#;
    app.post_with(PATH, &[("content-type", "text/plain")], good).await.problem(415, "unsupported_media_type");
    app.post_with(PATH, &[], good).await.problem(415, "unsupported_media_type");
    app.post_with(PATH, &[("content-type", "application/json; charset=utf-8")], good).await.ok();
    let large = app.post(PATH, " ".repeat(64 * 1024 + 1)).await.problem(413, "body_too_large");
    assert!(large["detail"].as_str().unwrap().contains("65536"), "{large}");
    app.post(&format!("{PATH}/batch"), " ".repeat(1024 * 1024 + 1)).await.problem(413, "body_too_large");
    let wrong = app.method(Method::DELETE, PATH).await;
    wrong.problem(405, "method_not_allowed");
    assert_eq!(wrong.header("allow"), "GET,HEAD,POST");
    app.get("/yahtzee/best-actions").await.problem(404, "not_found");
}

#[tokio::test]
async fn a_table_that_is_not_built_yet_is_503() {
    let app = App::with(&[]);
    let answer = app.post(PATH, r#"{"dice":[1,2,3,4,5],"rolls_left":0}"#).await;
    answer.problem(503, "not_ready");
    assert_eq!(answer.header("retry-after"), "1");
    // Faults of the request are still listed, and what needs no table is answered.
    assert_eq!(app.post(PATH, r#"{"dice":[1,2,3,4,5]}"#).await.faults().len(), 1);
    app.post(PATH, r#"{"dice":[1,2,3,4,5],"rolls_left":0,"objective":"turn"}"#).await.ok();
    app.post("/yahtzee/turn", r#"{"seed":1}"#).await.problem(503, "not_ready");
    app.post("/yahtzee/score", r#"{"dice":[1,2,3,4,5]}"#).await.ok();
}

#[tokio::test]
async fn rules_that_are_not_served_are_unknown() {
    let app = App::with(&["--yahtzee-rules", "plain"]);
    let answer = app
        .post(PATH, r#"{"dice":[1,2,3,4,5],"rolls_left":0,"objective":"turn","rules":"free_joker"}"#)
        .await;
    assert_eq!(answer.faults(), [("/rules".to_owned(), "unknown_name".to_owned())]);
}

#[tokio::test]
async fn rules_must_be_named_where_the_default_is_not_served() {
    let app = App::with(&["--yahtzee-rules", "plain,plain"]);
    app.state.build_tables_blocking();
    let missing = [("/rules".to_owned(), "missing".to_owned())];
    assert_eq!(app.post(PATH, r#"{"dice":[1,2,3,4,5],"rolls_left":0}"#).await.faults(), missing);
    assert_eq!(app.post("/yahtzee/score", r#"{"dice":[1,2,3,4,5]}"#).await.faults(), missing);
    app.post(PATH, r#"{"dice":[1,2,3,4,5],"rolls_left":0,"rules":"plain"}"#).await.ok();
    assert_eq!(app.get("/yahtzee/rules").await.ok()["presets"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn texts_are_chinese_on_request() {
    let app = App::ready();
    let headers = [("content-type", "application/json"), ("accept-language", "zh-CN")];
    let problem = app
        .post_with(PATH, &headers, r#"{"dice":[1,2,3,4,7],"rolls_left":0}"#)
        .await
        .problem(422, "invalid_request");
    assert_eq!(problem["title"], "请求无效");
    assert_eq!(problem["errors"][0]["detail"], "此处应在 1 到 6 之间，而不是 7。");
    let english =
        app.post_with(&format!("{PATH}?lang=en"), &headers, "[]").await.problem(422, "invalid_request");
    assert_eq!(english["detail"], "This must be an object, not an array.");
    let typo = app.get("/yahtzee/rules?lang=cn").await;
    assert_eq!(typo.faults(), [("/lang".to_owned(), "unknown_name".to_owned())]);
    let broken = app.post(&format!("{PATH}?lang=zh"), "{\n1").await.problem(400, "malformed_json");
    assert_eq!(broken["detail"], "第 2 行第 1 列不符合 JSON 语法。");
    let known = app.get("/nothing?lang=zh").await.problem(404, "not_found");
    assert_eq!(known["title"], "未找到");
}

#[tokio::test]
async fn a_query_has_the_faults_of_a_body() {
    let faults =
        |query: &'static str| async move { App::ready().get(&format!("{PATH}?{query}")).await.faults() };
    let fault = |pointer: &str, code: &str| (pointer.to_owned(), code.to_owned());
    assert_eq!(faults("").await, [fault("/dice", "missing"), fault("/rolls_left", "missing")]);
    assert_eq!(
        faults("dice=1,2,x,4,5&rolls_left=two&ones=6&colour=red").await,
        [
            fault("/dice/2", "wrong_type"),
            fault("/rolls_left", "wrong_type"),
            fault("/ones", "impossible_points"),
            fault("/colour", "unknown_field"),
        ]
    );
    assert_eq!(
        faults("dice=1,2,3,4,5&dice=1,2,3,4,5&rolls_left=0").await,
        [fault("/dice", "duplicate_field")]
    );
    assert_eq!(
        faults("dice=1,2,3,4,5&rolls_left=1&chosen=fold").await,
        [fault("/chosen/action", "unknown_name")]
    );
    assert_eq!(
        faults("dice=1,2,3,4,5&rolls_left=1&chosen=score:threes&threes=3").await,
        [fault("/chosen/category", "box_filled")]
    );
}

#[tokio::test]
async fn a_query_needs_its_own_form() {
    let fault = |pointer: &str, code: &str| vec![(pointer.to_owned(), code.to_owned())];
    let ask = |rest: &str| {
        let path = format!("{PATH}?rolls_left=1&{rest}");
        async move { App::ready().get(&path).await.faults() }
    };
    assert_eq!(ask("dice=1,,3,4,5").await, fault("/dice/1", "wrong_type"));
    assert_eq!(ask("dice=1,2,3,4,5&chosen=reroll").await, fault("/chosen/keep", "missing"));
    assert_eq!(ask("dice=1,2,3,4,5&scorecard=x").await, fault("/scorecard", "unknown_field"));
    assert_eq!(ask("dice=1,2,3,4,5&rolls_left=1").await, fault("/rolls_left", "duplicate_field"));
    assert_eq!(ask("dice=1,2,3,4,5&ones=").await, fault("/ones", "wrong_type"));
}

#[tokio::test]
async fn a_batch_keeps_its_bad_elements_apart() {
    let body =
        json!({"requests": [{"dice": [1, 2, 3, 4, 5], "rolls_left": 0}, {"dice": [1], "rolls_left": 0}, 7]});
    let answer = App::ready().post(&format!("{PATH}/batch"), body.to_string()).await.ok();
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results[0]["result"]["best"]["category"], "large_straight");
    assert_eq!(results[1]["problem"]["errors"][0]["pointer"], "/dice");
    assert_eq!(results[2]["problem"]["errors"][0]["pointer"], "");
}

#[tokio::test]
async fn a_batch_has_1_to_1000_requests() {
    let path = format!("{PATH}/batch");
    let fault = |pointer: &str, code: &str| vec![(pointer.to_owned(), code.to_owned())];
    let app = App::ready();
    assert_eq!(app.post(&path, "{}").await.faults(), fault("/requests", "missing"));
    assert_eq!(app.post(&path, r#"{"requests":[]}"#).await.faults(), fault("/requests", "wrong_length"));
    assert_eq!(app.post(&path, r#"{"requests":{}}"#).await.faults(), fault("/requests", "wrong_type"));
    assert_eq!(
        app.post(&path, format!(r#"{{"requests":[{}0]}}"#, "0,".repeat(1000))).await.faults(),
        fault("/requests", "wrong_length")
    );
    app.post(&path, "[1,").await.problem(400, "malformed_json");
}

#[tokio::test]
async fn the_other_endpoints_find_their_faults_too() {
    let app = App::ready();
    let fault = |pointer: &str, code: &str| (pointer.to_owned(), code.to_owned());
    assert_eq!(
        app.post("/yahtzee/score", r#"{"dice":[1,2,3,4,9],"rolls_left":1}"#).await.faults(),
        [fault("/dice/4", "out_of_range"), fault("/rolls_left", "unknown_field"),]
    );
    assert_eq!(
        app.post("/yahtzee/turn", r#"{"seed":-1,"objective":"x"}"#).await.faults(),
        [fault("/seed", "out_of_range"), fault("/objective", "unknown_name"),]
    );
    assert_eq!(
        app.post("/yahtzee/turn", r#"{"seed":9007199254740992}"#).await.faults(),
        [fault("/seed", "out_of_range")]
    );
    assert_eq!(app.post("/yahtzee/turn", "{}").await.faults(), [fault("/seed", "missing")]);
    let full = json!({"seed": 1, "filled": kibitz::yahtzee::Sheet::YAHTZEE.boxes().iter().map(|category| {
        json!({"category": category.name(), "points": if category.name() == "chance" { 5 } else { 0 }})
    }).collect::<Vec<_>>()});
    assert_eq!(app.post("/yahtzee/turn", full.to_string()).await.faults(), [fault("/filled", "game_over")]);
}
