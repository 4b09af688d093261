//! What HTTP clients and links do that is not the service's own idea: media types, byte order marks, compressed bodies,
//! language tags.

use crate::support::App;

const SCORE: &str = r#"{"dice":[1,3,3,4,6]}"#;

async fn score(app: &App, headers: &[(&str, &str)], body: impl Into<axum::body::Body>) -> u16 {
    app.post_with("/yahtzee/score", headers, body).await.status.as_u16()
}

#[tokio::test]
async fn every_json_media_type_is_json() {
    let app = App::with(&[]);
    for media_type in [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/vnd.api+json",
        "application/problem+json;q=1",
        "application/ld+JSON",
    ] {
        assert_eq!(score(&app, &[("content-type", media_type)], SCORE).await, 200, "{media_type}");
    }
    for media_type in
        ["text/json", "application/+json", "application/jsonp", "application/json+xml", "text/plain", ""]
    {
        let answer = app.post_with("/yahtzee/score", &[("content-type", media_type)], SCORE).await;
        answer.problem(415, "unsupported_media_type");
    }
}

#[tokio::test]
async fn byte_order_mark_is_skipped() {
    let app = App::with(&[]);
    app.post("/yahtzee/score", format!("\u{feff}{SCORE}")).await.ok();
    let batch = "\u{feff}{\"requests\":[{\"hand\":\"3\"}]}";
    assert_eq!(
        app.post("/doudizhu/min-plays/batch", batch).await.ok()["results"][0]["result"]["min_plays"],
        1
    );
    for twice in ["\u{feff}\u{feff}{}", "\u{feff}"] {
        app.post("/yahtzee/score", twice).await.problem(400, "malformed_json");
    }
}

#[tokio::test]
async fn compressed_body_returns_415_that_names_the_coding() {
    let app = App::with(&[]);
    let typed = ("content-type", "application/json");
    for path in ["/yahtzee/score", "/yahtzee/best-action/batch", "/craps/simulations"] {
        for coding in ["gzip", "br", "gzip, identity", "zstd"] {
            let answer = app.post_with(path, &[typed, ("content-encoding", coding)], SCORE).await;
            let problem = answer.problem(415, "unsupported_content_coding");
            let detail = problem["detail"].as_str().unwrap();
            assert!(detail.contains(&format!("`Content-Encoding: {coding}`")), "{detail}");
            assert_eq!(answer.header("accept-encoding"), "identity");
        }
    }
    let chinese = [typed, ("content-encoding", "gzip"), ("accept-language", "zh")];
    let problem = app.post_with("/yahtzee/score", &chinese, SCORE).await.json();
    assert_eq!(problem["title"], "请求体不得压缩");
    assert_eq!(score(&app, &[typed, ("content-encoding", "Identity")], SCORE).await, 200);
    let wrong_type = app.post_with("/yahtzee/score", &[("content-type", "text/plain")], SCORE).await;
    assert_eq!(wrong_type.header("accept-encoding"), "");
}

#[tokio::test]
async fn language_tags_with_a_region_are_taken() {
    let app = App::with(&[]);
    for tag in ["zh", "ZH", "zh-CN", "zh-Hans", "zh_TW", "zh-hant-hk"] {
        let problem = app.get(&format!("/problems/not_found?lang={tag}")).await.ok();
        assert!(!problem["title"].as_str().unwrap().is_ascii(), "{tag}: {problem}");
    }
    for tag in ["en", "EN", "en-US", "en_GB", "En-us"] {
        let path = format!("/problems/not_found?lang={tag}");
        let problem = app.get_with(&path, &[("accept-language", "zh")]).await.ok();
        assert!(problem["title"].as_str().unwrap().is_ascii(), "{tag}: {problem}");
    }
    for tag in ["fr", "english", "", "-zh", "zhx-CN"] {
        let answer = app.get(&format!("/problems/not_found?lang={tag}")).await;
        assert_eq!(answer.faults(), [("/lang".to_owned(), "unknown_name".to_owned())], "{tag}");
        assert!(answer.text().contains(&format!("got `{tag}`")), "{}", answer.text());
    }
}

#[tokio::test]
async fn only_an_integer_is_taken_as_one() {
    let app = App::ready();
    let rolls_left = |value: &str| format!(r#"{{"dice":[1,3,3,4,6],"rolls_left":{value},"rules":"plain"}}"#);
    for (value, code) in [
        ("0.99999999999999999", "not_an_integer"),
        ("1e-400", "not_an_integer"),
        (r#"{"$serde_json::private::Number":"1"}"#, "wrong_type"),
        (r#"{"$serde_json::private::Number":1}"#, "wrong_type"),
    ] {
        let answer = app.post("/yahtzee/best-action", rolls_left(value)).await;
        assert_eq!(answer.faults(), [("/rolls_left".to_owned(), code.to_owned())], "{value}");
    }
    app.post("/yahtzee/best-action", rolls_left("0.1e1")).await.ok();
    let query = "/yahtzee/best-action?dice=1,3,3,4,6&rolls_left=0.99999999999999999";
    assert_eq!(app.get(query).await.faults(), [("/rolls_left".to_owned(), "not_an_integer".to_owned())]);
}
