//! What HTTP clients and links do that is not the service's own idea: media types, byte order marks, compressed bodies,
//! language tags, queries, final slashes, prefixes of proxies, hosts.

use std::net::SocketAddr;
use std::sync::Arc;

use crate::support::App;
use axum::body::Body;
use axum::http::{Method, Request};
use kibitz::server::Peer;

const SCORE: &str = r#"{"dice":[1,3,3,4,6]}"#;

async fn score(app: &App, headers: &[(&str, &str)], body: impl Into<Body>) -> u16 {
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

#[tokio::test]
async fn unknown_query_parameter_is_a_fault_on_every_route() {
    let app = App::ready();
    let mut checked = 0;
    for (path, methods) in crate::support::contract::operations() {
        let operates = ["/healthz", "/readyz", "/metrics"].contains(&&*path);
        if operates || path == "/" || path.starts_with("/docs") || path.starts_with("/web/") {
            continue;
        }
        let url = path.replace("{bet}", "come").replace("{code}", "gone").replace("{id}", &"0".repeat(32));
        for name in methods {
            let method: Method = name.to_uppercase().parse().unwrap();
            // Where the operator has turned lists off there is nothing to ask.
            if method == Method::GET && ["/craps/simulations", "/yahtzee/distributions"].contains(&&*path) {
                continue;
            }
            let answer = app.method(method.clone(), &format!("{url}?nosuch=1&lang=zh")).await;
            let fault = ("/nosuch".to_owned(), "unknown_field".to_owned());
            assert!(answer.faults().contains(&fault), "{method} {path}: {}", answer.text());
            checked += 1;
        }
    }
    assert!(checked >= 35, "{checked}");
    let lists = App::with(&["--list-jobs", "--job-threads", "1"]);
    for path in ["/craps/simulations?nosuch=1", "/yahtzee/distributions?nosuch=1"] {
        assert_eq!(lists.get(path).await.faults(), [("/nosuch".to_owned(), "unknown_field".to_owned())]);
    }
}

#[tokio::test]
async fn all_faults_of_a_query_are_listed_at_once() {
    let app = App::with(&[]);
    let answer = app.get("/version?a~/b=1&lang=fr&c").await;
    let faults = answer.faults();
    let pointers: Vec<_> = faults.iter().map(|(pointer, _)| &**pointer).collect();
    assert_eq!(pointers, ["/a~0~1b", "/lang", "/c"]);
    assert!(answer.text().contains("`c` is not a query parameter here; the only one is `lang`."));
    assert!(app.get("/version?c&lang=zh").await.text().contains("此处没有查询参数 `c`"));
}

#[tokio::test]
async fn tracking_parameters_are_ignored_on_links_only() {
    let app = App::ready();
    let tracking = "utm_source=mail&utm_campaign=x&fbclid=1&gclid=2";
    for path in ["/yahtzee/best-action?dice=1,3,3,4,6&rolls_left=2", "/doudizhu/min-plays?hand=334"] {
        let plain = app.get(path).await;
        plain.ok();
        assert_eq!(app.get(&format!("{path}&{tracking}")).await.body, plain.body, "{path}");
    }
    app.get(&format!("/version?{tracking}")).await.ok();
    assert_eq!(app.method(Method::HEAD, &format!("/version?{tracking}")).await.status, 200);
    assert_eq!(app.post(&format!("/yahtzee/score?{tracking}"), SCORE).await.faults().len(), 4);
    app.post("/yahtzee/score?lang=en-GB", SCORE).await.ok();
    assert_eq!(app.get("/version?utmsource=1").await.faults().len(), 1);
}

#[tokio::test]
async fn language_given_twice_is_a_fault() {
    let app = App::with(&[]);
    let faults = app.get("/version?lang=zh&lang=en&lang=en").await.faults();
    assert_eq!(faults, [("/lang".to_owned(), "duplicate_field".to_owned())]);
    app.post("/yahtzee/score?lang=zh&lang=zh", SCORE).await.problem(422, "invalid_request");
}

#[tokio::test]
async fn final_slash_redirects_to_the_path_without_it() {
    let redirect = async |app: &App, method: &str, path: &str| {
        let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
        let answer = app.send_unchecked(request).await;
        (answer.status.as_u16(), answer.header("location").to_owned())
    };
    let app = App::with(&[]);
    for (method, path, location) in [
        ("GET", "/version/", "../version"),
        ("GET", "/doudizhu/min-plays/?hand=3&lang=zh", "../min-plays?hand=3&lang=zh"),
        ("POST", "/yahtzee/best-action/batch/", "../batch"),
        ("GET", "/craps/odds/", "../odds"),
        ("GET", "/craps/odds/come%2F/long-run/?rounds=1", "../long-run?rounds=1"),
        ("DELETE", "/craps/simulations/0a/", "../0a"),
        ("GET", "/docs/", "../docs"),
        ("PUT", "/craps/odds/a%20b/", "../a%20b"),
        ("GET", "/healthz/", "../healthz"),
        ("GET", "/readyz/", "../readyz"),
        ("GET", "/metrics/?a=1", "../metrics?a=1"),
    ] {
        assert_eq!(redirect(&app, method, path).await, (308, location.to_owned()), "{method} {path}");
    }
    for path in ["/nothing/", "/version//", "//", "/web/icon.svg/", "//version/", "//evil.example/"] {
        assert_eq!(redirect(&app, "GET", path).await, (404, String::new()), "{path}");
    }
    let admin = App::of_router(Arc::clone(&app.state), kibitz::http::admin_router(&app.state));
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(redirect(&admin, "GET", &format!("{path}/")).await, (308, format!("..{path}")), "{path}");
    }
    let below = App::with(&["--base-path", "/games/kibitz"]);
    assert_eq!(redirect(&below, "GET", "/games/kibitz/healthz/").await, (308, "../healthz".to_owned()));
    assert_eq!(redirect(&below, "GET", "/games/kibitz/version/").await, (308, "../version".to_owned()));
    assert_eq!(redirect(&below, "GET", "/games/kibitz").await, (307, "kibitz/".to_owned()));
    assert_eq!(redirect(&below, "GET", "/version/").await.0, 404);
}

#[tokio::test]
async fn links_carry_the_prefix_that_a_trusted_proxy_removed() {
    let app = App::with(&["--base-path", "/kibitz", "--trusted-proxies", "10.0.0.0/8"]);
    let ask = async |peer: &str, path: &str, body: &'static str| {
        let mut request = Request::post(path)
            .header("content-type", "application/json")
            .header("x-forwarded-prefix", "/games")
            .body(Body::from(body))
            .unwrap();
        request.extensions_mut().insert(Peer(SocketAddr::new(peer.parse().unwrap(), 4711)));
        app.send(request).await
    };
    let job = r#"{"kind":"decisions","bet":"any_seven","decisions":1}"#;
    let batch = r#"{"requests":[{}]}"#;
    for (peer, start) in [("10.0.0.1", "/games/kibitz/"), ("192.0.2.1", "/kibitz/")] {
        let problem = ask(peer, "/kibitz/nothing", "").await.problem(404, "not_found");
        assert_eq!(problem["type"], format!("{start}problems/not_found"));
        let answer = ask(peer, "/kibitz/doudizhu/min-plays/batch", batch).await.ok();
        assert_eq!(answer["results"][0]["problem"]["type"], format!("{start}problems/invalid_request"));
        let taken = ask(peer, "/kibitz/craps/simulations", job).await;
        let location = taken.header("location");
        assert_eq!(location, format!("{start}craps/simulations/{}", taken.json()["id"].as_str().unwrap()));
        let get = async |path: &str| {
            let mut request = Request::get(path).header("x-forwarded-prefix", "/games");
            let peer = Peer(SocketAddr::new(peer.parse().unwrap(), 4711));
            request.extensions_mut().unwrap().insert(peer);
            app.send(request.body(Body::empty()).unwrap()).await
        };
        let server = start.trim_end_matches('/');
        let yaml = get("/kibitz/openapi.yaml").await;
        assert!(yaml.text().contains(&format!("\nservers:\n  - url: {server}\n")), "{peer}");
        assert_eq!(get("/kibitz/openapi.json").await.ok()["servers"][0]["url"], server);
    }
}

#[tokio::test]
async fn request_without_exactly_one_valid_host_is_400() {
    let app = App::with(&[]);
    // The test client adds a host only if there is none; two and senseless ones it sends as they are.
    for hosts in [&["a", "a"][..], &["a", "b"], &["a b"], &[""], &["http://a"], &["a:b"]] {
        for (method, path) in
            [("GET", "/version"), ("GET", "/nothing"), ("GET", "/"), ("OPTIONS", "/version")]
        {
            let mut request = Request::builder().method(method).uri(path);
            for host in hosts {
                request = request.header("host", *host);
            }
            let answer = app.send_unchecked(request.body(Body::empty()).unwrap()).await;
            let problem = answer.problem(400, "bad_request");
            assert!(problem["detail"].as_str().unwrap().contains("`Host`"), "{problem}");
            assert_eq!(answer.header("x-content-type-options"), "nosniff");
        }
    }
    for host in ["kibitz.example:8080", "[::1]:80", "my_service"] {
        app.get_with("/version", &[("host", host)]).await.ok();
    }
}
