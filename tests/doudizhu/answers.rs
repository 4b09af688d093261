//! Good requests to the Dou Dizhu endpoints.

use crate::support::App;
use serde_json::{Value, json};

async fn ask(path: &str, body: Value) -> Value {
    App::with(&[]).post(path, body.to_string()).await.ok()
}

#[tokio::test]
async fn the_witness_uses_the_caller_s_own_tokens() {
    let answer =
        ask("/doudizhu/min-plays", json!({"cards": ["9", "S3", "3♥", "D3", "10", "h4", "C4", "S4", "大王"]}))
            .await;
    assert_eq!((&answer["min_plays"], &answer["card_count"]), (&json!(2), &json!(9)));
    let plane = &answer["plays"][0];
    assert_eq!((&plane["kind"], &plane["name_zh"]), (&json!("plane_singles"), &json!("飞机带单翅")));
    assert_eq!(
        plane["cards"].as_array().unwrap()[..6],
        json!(["S3", "3♥", "D3", "h4", "C4", "S4"]).as_array().unwrap()[..]
    );
    let cards = answer["plays"].as_array().unwrap().iter().flat_map(|play| play["cards"].as_array().unwrap());
    assert_eq!(cards.count(), 9);
}

#[tokio::test]
async fn every_notation_is_read() {
    let expected = ask("/doudizhu/min-plays", json!({"hand": "TJQKABR", "rules": "noip"})).await;
    for hand in ["10 J，Q、K,A 小 大", "tjqka x d", "10JQKA小王大王", "十JQKA小鬼大鬼", "１０ＪＱＫＡ大小王"]
    {
        let answer = ask("/doudizhu/min-plays", json!({"hand": hand, "rules": "noip"})).await;
        assert_eq!(answer["min_plays"], expected["min_plays"], "{hand}");
        assert_eq!(answer["card_count"], 7, "{hand}");
    }
    let numbers = json!([[10, 1], [11, 2], [12, 3], [13, 4], [1, 1], [0, 1], [0, 2]]);
    let answer = ask("/doudizhu/min-plays", json!({"noip_cards": numbers, "rules": "noip"})).await;
    assert_eq!(answer["min_plays"], expected["min_plays"]);
    assert_eq!(answer["plays"][0]["cards"], json!([[10, 1], [11, 2], [12, 3], [13, 4], [1, 1]]));
}

#[tokio::test]
async fn a_query_asks_the_same_as_a_body() {
    let app = App::with(&[]);
    let hand = app.get("/doudizhu/min-plays?hand=3334445678&rules=pagat").await;
    assert_eq!(hand.ok(), ask("/doudizhu/min-plays", json!({"hand": "3334445678", "rules": "pagat"})).await);
    assert_eq!(hand.header("cache-control"), "public, max-age=86400");
    let again = app
        .get_with(
            "/doudizhu/min-plays?hand=3334445678&rules=pagat",
            &[("if-none-match", hand.header("etag"))],
        )
        .await;
    assert_eq!(again.status, 304);
    let cards = app.get("/doudizhu/min-plays?cards=S3,H3,10").await.ok();
    assert_eq!(cards, ask("/doudizhu/min-plays", json!({"cards": ["S3", "H3", "10"]})).await);
}

#[tokio::test]
async fn the_presets_differ_where_they_should() {
    for (hand, noip, standard, pagat, loose) in [
        ("AAAA2222", 1, 2, 2, 1),
        ("3334445566", 2, 1, 1, 1),
        ("33344455", 2, 1, 2, 1),
        ("333444BR", 2, 2, 2, 1),
    ] {
        for (rules, expected) in [("noip", noip), ("standard", standard), ("pagat", pagat), ("loose", loose)]
        {
            let answer = ask("/doudizhu/min-plays", json!({"hand": hand, "rules": rules})).await;
            assert_eq!(answer["min_plays"], expected, "{hand} {rules}");
        }
    }
}

#[tokio::test]
async fn the_exercise_s_own_state_has_no_witness() {
    let shape = json!({"singles": 3, "pairs": 2, "triples": 1, "bombs": 0, "rocket": true});
    let answer = ask("/doudizhu/min-plays", json!({"shape": shape, "rules": "simple"})).await;
    assert_eq!(answer, json!({"rules": "simple", "card_count": 12, "min_plays": 6}));
}

#[tokio::test]
async fn the_whole_deck_is_answered() {
    for rules in ["standard", "pagat", "loose", "douzero", "noip", "simple"] {
        let deck = "3333444455556666777788889999TTTTJJJJQQQQKKKKAAAA2222BR";
        let answer = ask("/doudizhu/min-plays", json!({"hand": deck, "rules": rules})).await;
        assert_eq!(answer["card_count"], 54);
        let plays = answer["plays"].as_array().unwrap();
        assert_eq!(plays.len() as u64, answer["min_plays"].as_u64().unwrap());
        assert_eq!(plays.iter().map(|play| play["cards"].as_array().unwrap().len()).sum::<usize>(), 54);
    }
}

#[tokio::test]
async fn percentiles_are_there_for_deals() {
    let deal = |rules: &str, hand: &str| ask("/doudizhu/min-plays", json!({"hand": hand, "rules": rules}));
    let landlord = deal("standard", "33344455667789TJQKA2").await;
    let shares: f64 =
        ["fewer", "same", "more"].iter().map(|share| landlord["percentile"][share].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-12);
    assert!(deal("noip", "33344455667789TJQ").await["percentile"].is_object());
    assert!(deal("loose", "33344455667789TJQ").await.get("percentile").is_none());
    assert!(deal("noip", "333").await.get("percentile").is_none());
}

#[tokio::test]
async fn explanations_speak_the_language_asked_for() {
    let app = App::with(&[]);
    let body = r#"{"hand":"345678899TT"}"#;
    let english =
        app.post("/doudizhu/min-plays", body).await.ok()["explanation"].as_str().unwrap().to_owned();
    let chinese =
        app.post("/doudizhu/min-plays?lang=zh", body).await.ok()["explanation"].as_str().unwrap().to_owned();
    assert!(english.is_ascii() && english.ends_with('.'), "{english}");
    assert!(chinese.ends_with('。'), "{chinese}");
}

#[tokio::test]
async fn hints_rank_what_beats() {
    let answer = ask("/doudizhu/plays", json!({"hand": "7788999AAAA", "beat": "55"})).await;
    assert_eq!(answer["total"], 5);
    let shown: Vec<_> =
        answer["plays"].as_array().unwrap().iter().map(|play| play["cards"].clone()).collect();
    assert_eq!(shown[0], json!(["7", "7"]));
    assert!(answer["plays"].as_array().unwrap().iter().any(|play| play["splits_bomb"] == true));
    let nothing = ask("/doudizhu/plays", json!({"hand": "345", "beat": "BR"})).await;
    assert_eq!((&nothing["total"], &nothing["plays"]), (&json!(0), &json!([])));
    let bomb = ask("/doudizhu/plays", json!({"hand": "4444BR", "beat": ["S3", "H3", "C3", "D3"]})).await;
    assert_eq!(bomb["total"], 2);
}

#[tokio::test]
async fn hints_count_what_they_do_not_show() {
    let answer = ask("/doudizhu/plays", json!({"hand": "33344455667789TJQKA2", "limit": 3})).await;
    assert_eq!(answer["plays"].as_array().unwrap().len(), 3);
    assert!(answer["total"].as_u64().unwrap() > 50, "{}", answer["total"]);
    let best = &answer["plays"][0];
    assert_eq!(best["loss"], 0);
    assert_eq!(best["min_plays_left"].as_u64().unwrap() + 1, answer["min_plays"].as_u64().unwrap());
}

#[tokio::test]
async fn an_ambiguous_play_is_told_apart_by_its_kind() {
    let beat = json!({"hand": "4444", "rules": "douzero", "beat": "333444555777", "beat_kind": "plane"});
    let refused = App::with(&[]).post("/doudizhu/plays", beat.to_string()).await.faults();
    assert_eq!(refused, [("/beat".to_owned(), "play_of_another_kind".to_owned())]);
    let named = json!({"hand": "4444", "rules": "noip", "beat": "AAAA2222", "beat_kind": "four_two_pairs"});
    assert_eq!(ask("/doudizhu/plays", named).await["total"], 1);
    // 5555+6677 beats 4444+JJJJ, but not JJJJ+4444.
    for (rank, number) in [("4", 1), ("J", 0)] {
        let with_rank = json!({"hand": "55556677", "rules": "noip", "beat": "4444JJJJ", "beat_rank": rank});
        let answer = ask("/doudizhu/plays", with_rank).await;
        let fours =
            answer["plays"].as_array().unwrap().iter().filter(|play| play["kind"] == "four_two_pairs");
        assert_eq!(fours.count(), number, "{answer}");
    }
    let recognised = json!({"hand": "55556677", "rules": "noip", "beat": "4444JJJJ", "beat_rank": "4"});
    assert_eq!(ask("/doudizhu/recognize", recognised).await["readings"][0]["beats"], true);
}

#[tokio::test]
async fn cards_are_recognised() {
    let read = |body: Value| async move { ask("/doudizhu/recognize", body).await["readings"].clone() };
    assert_eq!(read(json!({"hand": "345"})).await, json!([]));
    let straight = read(json!({"hand": "TJQKA", "beat": "34567"})).await;
    assert_eq!(straight[0]["kind"], "straight");
    assert_eq!(
        (&straight[0]["rank"], &straight[0]["length"], &straight[0]["beats"]),
        (&json!("T"), &json!(5), &json!(true))
    );
    assert!(read(json!({"cards": ["B", "R"]})).await[0].get("beats").is_none());
    let twice = read(json!({"hand": "333444555666", "rules": "loose"})).await;
    assert!(twice.as_array().unwrap().len() > 1, "{twice}");
}

#[tokio::test]
async fn a_batch_answers_as_single_requests_do() {
    let hands = ["34567", "33334444", "B", "33344455667789TJQKA2"];
    let requests: Vec<_> = hands.iter().map(|hand| json!({"hand": hand})).collect();
    let answer = ask("/doudizhu/min-plays/batch", json!({"requests": requests})).await;
    for (request, result) in requests.iter().zip(answer["results"].as_array().unwrap()) {
        assert_eq!(result["result"], ask("/doudizhu/min-plays", request.clone()).await);
    }
}

#[tokio::test]
async fn the_rules_are_shown_as_data() {
    let answer = App::with(&[]).get("/doudizhu/rules").await.ok();
    assert_eq!(answer["switches"].as_array().unwrap().len(), 11);
    let standard =
        answer["presets"].as_array().unwrap().iter().find(|preset| preset["id"] == "standard").unwrap();
    assert_eq!((&standard["default"], &standard["switches"]["plane_wings"]), (&json!(true), &json!(true)));
    assert_eq!(standard["switches"]["both_jokers_as_wings"], false);
}
