//! Bad requests to the Dou Dizhu endpoints.

use crate::support::App;

async fn faults(path: &str, body: &str) -> Vec<(String, String)> {
    App::with(&[]).post(path, body.to_owned()).await.faults()
}

macro_rules! assert_faults {
    ($path:expr, $body:expr, [$($fault:expr),*]) => {
        let expected: &[(&str, &str)] = &[$($fault),*];
        let found = faults($path, $body).await;
        let found: Vec<_> = found.iter().map(|(pointer, code)| (&**pointer, &**code)).collect();
        assert_eq!(found, expected, "{}", $body);
    };
}

const MIN_PLAYS: &str = "/doudizhu/min-plays";
const PLAYS: &str = "/doudizhu/plays";

#[tokio::test]
async fn a_hand_is_cards_of_one_deck() {
    assert_faults!(MIN_PLAYS, r#"{"hand":"33333"}"#, [("/hand", "too_many_of_rank")]);
    assert_faults!(MIN_PLAYS, r#"{"hand":"BB"}"#, [("/hand", "second_joker")]);
    assert_faults!(MIN_PLAYS, r#"{"hand":"1"}"#, [("/hand", "unreadable_card")]);
    assert_faults!(MIN_PLAYS, r#"{"hand":""}"#, [("/hand", "empty_hand")]);
    assert_faults!(MIN_PLAYS, r#"{"hand":" , "}"#, [("/hand", "empty_hand")]);
    assert_faults!(MIN_PLAYS, r#"{"cards":[]}"#, [("/cards", "empty_hand")]);
    assert_faults!(MIN_PLAYS, r#"{"cards":["S3","H3","S3"]}"#, [("/cards/2", "same_card_twice")]);
    assert_faults!(MIN_PLAYS, r#"{"cards":["3","3","3","3","S3"]}"#, [("/cards/4", "too_many_of_rank")]);
    assert_faults!(
        MIN_PLAYS,
        r#"{"cards":["1","S3",7,"", "S","S3"]}"#,
        [
            ("/cards/0", "unreadable_card"),
            ("/cards/2", "wrong_type"),
            ("/cards/3", "unreadable_card"),
            ("/cards/4", "unreadable_card"),
            ("/cards/5", "same_card_twice")
        ]
    );
    assert_faults!(
        MIN_PLAYS,
        r#"{"cards":["1","S3","","小小"]}"#,
        [("/cards/0", "unreadable_card"), ("/cards/2", "unreadable_card"), ("/cards/3", "unreadable_card")]
    );
    let problem = App::with(&[]).post(MIN_PLAYS, r#"{"hand":"34 1"}"#).await.problem(422, "invalid_request");
    assert!(problem["detail"].as_str().unwrap().starts_with("At character 4:"), "{problem}");
}

#[tokio::test]
async fn fifty_five_cards_are_too_many() {
    let deck = "3333444455556666777788889999TTTTJJJJQQQQKKKKAAAA2222BR";
    let found = faults(MIN_PLAYS, &format!(r#"{{"hand":"{deck}3"}}"#)).await;
    assert!(found.contains(&("/hand".to_owned(), "too_many_cards".to_owned())), "{found:?}");
    // The list of faults is cut, but the one of the whole hand is in it.
    for (token, number) in [("\"3\"", 2), ("\"x\"", 2), ("\"z\"", 50), ("7", 50)] {
        let many = format!(r#"{{"cards":[{}"3"]}}"#, format!("{token},").repeat(100));
        let found = faults(MIN_PLAYS, &many).await;
        assert_eq!(found[0], ("/cards".to_owned(), "too_many_cards".to_owned()));
        // The same rank too often is one fault; each token that is not a card has its own pointer.
        assert_eq!(found.len(), number, "{token}");
    }
    let many = format!(r#"{{"cards":[{}"3"]}}"#, "\"3\",".repeat(300));
    assert_faults!(MIN_PLAYS, &many, [("/cards", "too_many_cards")]);
    let long = faults(MIN_PLAYS, &format!(r#"{{"hand":"{}"}}"#, "?".repeat(60_000))).await;
    assert_eq!(long, ["unreadable_card", "too_many_cards"].map(|code| ("/hand".to_owned(), code.to_owned())));
}

#[tokio::test]
async fn alike_faults_of_a_string_are_one() {
    let detail = |body: &str, language: &str| {
        let (path, body) = (format!("{MIN_PLAYS}?lang={language}"), body.to_owned());
        async move {
            let problem = App::with(&[]).post(&path, body).await.problem(422, "invalid_request");
            assert_eq!(problem["errors"].as_array().unwrap().len(), 1, "{problem}");
            problem["detail"].as_str().unwrap().to_owned()
        }
    };
    assert_eq!(
        detail(r#"{"hand":"S3H3D4"}"#, "en").await,
        "At character 1: `S` names a suit; a string of cards takes ranks alone (beside a rank the big joker is `R`, \
         not `D`); give cards with suits as `cards`. The same applies at characters 3, 5."
    );
    assert_eq!(
        detail(r#"{"hand":"D3"}"#, "zh").await,
        "第 1 个字符：“D3”带有花色；字符串里只写点数（紧挨点数的 D 视为方块，大王请写 R）；\
         有花色的牌请用 `cards` 给出。"
    );
    assert_eq!(
        detail(r#"{"hand":"3?4?5?"}"#, "zh").await,
        "第 2 个字符：“?”不是一张牌；请写点数（3 到 9、T 或 10、J Q K A 2，或三到十、二）\
         或王（小王：B X 小 小王 小鬼；大王：R D 大 大王 大鬼）。第 4、6 个字符同样有误。"
    );
    assert!(
        detail(r#"{"hand":"????????????"}"#, "en")
            .await
            .ends_with("The same applies at characters 2, 3, 4, 5, 6, 7, 8, 9 and more.")
    );
    assert_eq!(
        detail(r#"{"hand":"34BJ"}"#, "en").await,
        "At character 3: `BJ` can be read in two ways; write `B` for the small joker, `R` for the big joker, \
         and a space between a joker and a jack (`B J`)."
    );
}

#[tokio::test]
async fn suits_of_the_play_to_beat_belong_in_an_array() {
    let problem =
        App::with(&[]).post(PLAYS, r#"{"hand":"4","beat":"♠3"}"#).await.problem(422, "invalid_request");
    assert_eq!(
        problem["detail"],
        "At character 1: `♠3` names a suit; a string of cards takes ranks alone (beside a rank the big joker is `R`, \
         not `D`); give cards with suits as an array."
    );
}

#[tokio::test]
async fn a_hand_is_given_once_and_in_its_form() {
    assert_faults!(MIN_PLAYS, "{}", [("/hand", "missing")]);
    assert_faults!(MIN_PLAYS, r#"{"hand":null}"#, [("/hand", "missing")]);
    assert_faults!(MIN_PLAYS, r#"{"hand":345}"#, [("/hand", "wrong_type")]);
    assert_faults!(MIN_PLAYS, r#"{"hand":{"3":1}}"#, [("/hand", "wrong_type")]);
    assert_faults!(MIN_PLAYS, r#"{"cards":"345"}"#, [("/cards", "wrong_type")]);
    assert_faults!(MIN_PLAYS, r#"{"hand":"3","cards":["3"]}"#, [("/cards", "both_given")]);
    assert_faults!(
        MIN_PLAYS,
        r#"{"hand":"3","rules":"hearts","rule":1}"#,
        [("/rules", "unknown_name"), ("/rule", "unknown_field")]
    );
}

#[tokio::test]
async fn the_contest_s_numbers_are_for_the_contest() {
    assert_faults!(MIN_PLAYS, r#"{"noip_cards":[[3,1]]}"#, [("/noip_cards", "needs_noip_rules")]);
    let with = |cards: &str| format!(r#"{{"rules":"noip","noip_cards":{cards}}}"#);
    assert_faults!(
        MIN_PLAYS,
        &with("[[14,1],[3,5],[3]]"),
        [
            ("/noip_cards/0/0", "out_of_range"),
            ("/noip_cards/1/1", "out_of_range"),
            ("/noip_cards/2", "wrong_length")
        ]
    );
    assert_faults!(
        MIN_PLAYS,
        &with("[[0,3],[3,1],[3,1]]"),
        [("/noip_cards/0", "unreadable_card"), ("/noip_cards/2", "same_card_twice")]
    );
    assert_faults!(MIN_PLAYS, &with(r#"["3"]"#), [("/noip_cards/0", "wrong_type")]);
}

#[tokio::test]
async fn a_shape_is_for_simple_rules() {
    assert_faults!(MIN_PLAYS, r#"{"shape":{"singles":1}}"#, [("/shape", "shape_needs_simple_rules")]);
    let with = |shape: &str| format!(r#"{{"rules":"simple","shape":{shape}}}"#);
    assert_faults!(MIN_PLAYS, &with("{}"), [("/shape", "empty_hand")]);
    assert_faults!(MIN_PLAYS, &with(r#"{"singles":9,"pairs":6}"#), [("/shape", "too_many_ranks")]);
    assert_faults!(
        MIN_PLAYS,
        &with(r#"{"singles":-1,"rocket":1,"quads":2}"#),
        [
            ("/shape/singles", "out_of_range"),
            ("/shape/rocket", "wrong_type"),
            ("/shape/quads", "unknown_field")
        ]
    );
    // A joker counts among the singles, so that there may be one more than a suit has ranks.
    assert_faults!(
        MIN_PLAYS,
        &with(r#"{"singles":15,"pairs":14,"triples":14,"bombs":14}"#),
        [
            ("/shape/singles", "out_of_range"),
            ("/shape/pairs", "out_of_range"),
            ("/shape/triples", "out_of_range"),
            ("/shape/bombs", "out_of_range")
        ]
    );
    let most = App::with(&[]).post(MIN_PLAYS, with(r#"{"singles":14}"#)).await.ok();
    assert_eq!(most["min_plays"], 14);
    assert_faults!(
        PLAYS,
        r#"{"shape":{"singles":1},"rules":"simple"}"#,
        [("/hand", "missing"), ("/shape", "unknown_field")]
    );
}

#[tokio::test]
async fn a_play_to_beat_is_a_play() {
    let with = |rest: &str| format!(r#"{{"hand":"34567",{rest}}}"#);
    assert_faults!(PLAYS, &with(r#""beat":"345""#), [("/beat", "not_a_play")]);
    assert_faults!(PLAYS, &with(r#""beat":"33333""#), [("/beat", "too_many_of_rank")]);
    assert_faults!(PLAYS, &with(r#""beat":["S3","y"]"#), [("/beat/1", "unreadable_card")]);
    assert_faults!(PLAYS, &with(r#""beat":7"#), [("/beat", "wrong_type")]);
    for empty in [r#""beat":" ""#, r#""beat":[]"#] {
        let answer = App::ready().post(PLAYS, with(empty)).await.problem(422, "invalid_request");
        assert_eq!(answer["errors"][0]["code"], "empty_hand");
        assert!(answer["detail"].as_str().unwrap().contains("leave it out"), "{answer}");
    }
    assert_faults!(PLAYS, &with(r#""beat":[[3,1]]"#), [("/beat", "needs_noip_rules")]);
    assert_faults!(PLAYS, &with(r#""beat":"33","beat_kind":"triple""#), [("/beat", "play_of_another_kind")]);
    assert_faults!(PLAYS, &with(r#""beat":"33","beat_kind":"two""#), [("/beat_kind", "unknown_name")]);
    assert_faults!(PLAYS, &with(r#""beat_kind":"pair""#), [("/beat", "missing")]);
    assert_faults!(PLAYS, &with(r#""rules":"noip","beat":"AAAA2222""#), [("/beat", "ambiguous_play")]);
    assert_faults!(PLAYS, &with(r#""beat_rank":"3""#), [("/beat", "missing")]);
    assert_faults!(PLAYS, &with(r#""beat":"33","beat_rank":"4""#), [("/beat", "play_of_another_rank")]);
    assert_faults!(PLAYS, &with(r#""beat":"33","beat_rank":"10""#), [("/beat_rank", "unknown_name")]);
    assert_faults!(PLAYS, &with(r#""limit":1001"#), [("/limit", "out_of_range")]);
    assert_faults!(
        "/doudizhu/recognize",
        r#"{"hand":"3","beat":"34","limit":1}"#,
        [("/beat", "not_a_play"), ("/limit", "unknown_field")]
    );
}

#[tokio::test]
async fn an_ambiguous_play_names_the_field_that_decides() {
    for (body, english, chinese) in [
        (
            r#"{"hand":"3","rules":"noip","beat":"4444JJJJ"}"#,
            "4444JJJJ can be read as four with two pairs 4444+JJJJ, four with two pairs JJJJ+4444; \
             say which is meant in `beat_rank`: `4` or `J`.",
            "4444JJJJ 有多种读法：四带两对 4444+JJJJ、四带两对 JJJJ+4444；请指明是哪一种（`beat_rank`：`4` 或 `J`）。",
        ),
        (
            r#"{"hand":"3","rules":"loose","beat":"333444555666"}"#,
            "333444555666 can be read as airplane 333444555666, airplane with single wings 333444555+666, \
             airplane with single wings 444555666+333; say which is meant in `beat_kind`: `plane` or `plane_singles`.",
            "333444555666 有多种读法：飞机 333444555666、飞机带单翅 333444555+666、飞机带单翅 444555666+333；\
             请指明是哪一种（`beat_kind`：`plane` 或 `plane_singles`）。",
        ),
    ] {
        let app = App::with(&[]);
        assert_eq!(app.post(PLAYS, body).await.problem(422, "invalid_request")["detail"], english);
        let path = format!("{PLAYS}?lang=zh");
        assert_eq!(app.post(&path, body).await.problem(422, "invalid_request")["detail"], chinese);
    }
}

#[tokio::test]
async fn what_depends_on_faulty_rules_is_not_judged() {
    assert_faults!(MIN_PLAYS, r#"{"rules":"x","noip_cards":[[3,1]]}"#, [("/rules", "unknown_name")]);
    assert_faults!(PLAYS, r#"{"rules":"x","hand":"3","beat":"AAAA2222"}"#, [("/rules", "unknown_name")]);
}

#[tokio::test]
async fn hints_are_for_hands_of_the_game() {
    assert_faults!(PLAYS, r#"{"hand":"333344445555666677778"}"#, [("/hand", "too_many_cards")]);
}

#[tokio::test]
async fn texts_are_chinese_on_request() {
    let problem = App::with(&[])
        .post("/doudizhu/min-plays?lang=zh", r#"{"hand":"33333"}"#)
        .await
        .problem(422, "invalid_request");
    assert_eq!(problem["detail"], "第 5 个字符：点数 3 共有 5 张；一副牌只有 4 张。");
}

#[tokio::test]
async fn a_query_has_the_faults_of_a_body() {
    let app = App::with(&[]);
    let fault = |pointer: &str, code: &str| (pointer.to_owned(), code.to_owned());
    let nothing = app.get("/doudizhu/min-plays").await;
    assert_eq!(nothing.faults(), [fault("/hand", "missing")]);
    // Only what a query can hold is named.
    let problem = app.get("/doudizhu/min-plays").await.problem(422, "invalid_request");
    assert_eq!(problem["detail"], "Give the cards as one of `hand`, `cards`.");
    assert_eq!(
        app.get("/doudizhu/min-plays?noip_cards=1").await.faults(),
        [fault("/hand", "missing"), fault("/noip_cards", "unknown_field")]
    );
    assert_eq!(
        app.get("/doudizhu/min-plays?hand=&rules=x").await.faults(),
        [fault("/rules", "unknown_name"), fault("/hand", "empty_hand")]
    );
    assert_eq!(
        app.get("/doudizhu/min-plays?cards=S3,,S3").await.faults(),
        [fault("/cards/1", "unreadable_card"), fault("/cards/2", "same_card_twice")]
    );
}

#[tokio::test]
async fn a_batch_keeps_its_bad_elements_apart() {
    let body = r#"{"requests":[{"hand":"3"},{"hand":"33333"},null]}"#;
    let answer = App::with(&[]).post("/doudizhu/min-plays/batch", body).await.ok();
    assert_eq!(answer["results"][0]["result"]["min_plays"], 1);
    assert_eq!(answer["results"][1]["problem"]["errors"][0]["code"], "too_many_of_rank");
    assert_eq!(answer["results"][2]["problem"]["errors"][0]["code"], "wrong_type");
}
