//! What SECURITY.md promises of answers and logs, and that each of its promises names a test that exists.

use std::fs;
use std::path::Path;
use std::time::Duration;

use kibitz::memory;

use crate::support::binary::Kibitz;
use crate::support::raw::{eventually, whole};
use crate::support::{App, config};

const QUICK: &[&str] = &["--yahtzee-rules", "plain"];

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let app = App::with(&[]);
    for path in [
        "/healthz",
        "/version",
        "/nothing",
        "/doudizhu/min-plays?hand=3",
        "/doudizhu/min-plays?hand=Z",
        "/openapi.yaml",
    ] {
        let answer = app.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(
            answer.header("content-security-policy"),
            "default-src 'none'; frame-ancestors 'none'",
            "{path}"
        );
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("set-cookie"), "", "{path}");
    }
}

#[test]
fn the_memory_formula_is_that_of_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let promised = fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let row = |start: &str| {
        let line = promised.lines().find(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("no row {start}")).to_owned()
    };
    // The last figure of a row with its unit.
    let bytes = |row: &str| {
        let cell = row.rsplit(": ").next().unwrap();
        let mut words = cell.split_whitespace();
        let number: usize = words.next().unwrap().parse().unwrap();
        number
            * match words.next().unwrap() {
                "MB" => 1_000_000,
                "kB" => 1_000,
                unit => panic!("{unit}"),
            }
    };
    assert_eq!(bytes(&row("* the process")), memory::FIXED);
    assert_eq!(bytes(&row("* the tables of `yatzy`")), memory::YATZY);
    assert_eq!(bytes(&row("* each connection")), memory::CONNECTION);
    assert_eq!(bytes(&row("* the kernel")), memory::SOCKET);
    assert!(row("* each connection").contains(&format!("at most {} KiB", memory::FREE_ANSWER / 1024)));
    assert_eq!(bytes(&row(&format!("* {} answers", memory::ENCODERS))), memory::ENCODER);

    let deployed = fs::read_to_string(root.join("deploy/kubernetes/advice.yaml")).unwrap();
    let setting = |name: &str| {
        let line = deployed.lines().find(|line| line.contains(name)).unwrap();
        line.split('"').nth(1).unwrap().to_owned()
    };
    let flags = [
        "--max-connections".to_owned(),
        setting("KIBITZ_MAX_CONNECTIONS,"),
        "--max-buffered".to_owned(),
        setting("KIBITZ_MAX_BUFFERED,"),
        "--house-table-bytes".to_owned(),
        setting("KIBITZ_HOUSE_TABLE_BYTES,"),
        "--yahtzee-rules".to_owned(),
        setting("KIBITZ_YAHTZEE_RULES,"),
    ];
    let flags: Vec<_> = flags.iter().map(String::as_str).collect();
    let most = memory::at_most(&config(&flags));
    assert!(promised.contains(&format!("that is\n{} MB", most.div_ceil(1_000_000))), "{most}");
    assert!(deployed.contains("limits: {memory: 128Mi}") && most <= 128 * 1024 * 1024, "{most}");
}

#[tokio::test]
async fn errors_contain_no_internals() {
    async fn panics() {
        panic!("an internal secret");
    }
    let state = App::with(&[]).state;
    let router = kibitz::http::router_with(&state, vec![("/panics", axum::routing::get(panics))]);
    let app = App::of_router(state, router);
    let mut answers = vec![
        app.get("/nothing").await,
        app.post("/yahtzee/score", "{").await,
        app.post("/yahtzee/score", "{}").await,
        app.post_with("/yahtzee/score", &[("content-type", "text/plain")], "{}").await,
        app.post("/yahtzee/score", " ".repeat(70_000)).await,
        app.method(axum::http::Method::PUT, "/yahtzee/score").await,
        app.get("/readyz").await,
    ];
    let request = axum::http::Request::get("/panics").body(axum::body::Body::empty()).unwrap();
    answers.push(app.send_unchecked(request).await);
    for answer in answers {
        assert!(answer.status.is_client_error() || answer.status.is_server_error());
        let all = format!("{:?} {}", answer.headers, answer.text()).to_lowercase();
        assert!(!answer.headers.contains_key("server") && !answer.headers.contains_key("x-powered-by"));
        for word in [
            "secret",
            env!("CARGO_PKG_VERSION"),
            "axum",
            "hyper",
            "serde",
            "rust",
            "panicked",
            "src/",
            ".rs",
            "thread",
        ] {
            assert!(!all.contains(word), "{word}: {all}");
        }
    }
}

#[test]
fn logs_hold_no_bodies_queries_paths_or_forged_lines() {
    let kibitz = Kibitz::ready(QUICK);
    let body = r#"{"hand":"3","secretfield":"secretvalue"}"#;
    assert_eq!(kibitz.status_of(&whole("/doudizhu/min-plays", body.as_bytes())), 422);
    assert_eq!(kibitz.status_of(&whole("/doudizhu/min-plays", b"{\"secretbroken")), 400);
    let get = |path: &str, id: &str| {
        kibitz.status_of(format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: secrettoken\r\ncookie: secretcookie\r\nuser-agent: secretagent\r\nx-request-id: {id}\r\n\r\n").as_bytes())
    };
    assert_eq!(get("/doudizhu/min-plays?hand=3&secretquery=secret", "visible-id"), 422);
    assert_eq!(get("/secretpath/%0a%7b%22level%22", "secret id with spaces"), 404);
    assert_eq!(get("/version", "secret\",\"level\":\"ERROR"), 200);
    assert_eq!(get("/version", "last-line"), 200);
    eventually("the last line of the log", || {
        kibitz.log.lock().unwrap().iter().any(|line| line.contains("last-line"))
    });
    let log = kibitz.log.lock().unwrap().clone();
    assert!(log.iter().any(|line| line.contains("visible-id")), "{log:#?}");
    for line in &log {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        // A quote in a request id is visible ASCII, so the id is kept; it must stay inside its own string.
        assert_ne!(json["level"], "ERROR", "{line}");
        let text = line.replace(r#"secret\",\"level\":\"ERROR"#, "");
        assert!(!text.contains("secret"), "{line}");
    }
}

#[test]
fn a_request_id_cannot_split_a_header_or_a_log_line() {
    let kibitz = Kibitz::ready(QUICK);
    for id in ["a\u{b}b", "a\u{1b}[31mb", "caf\u{e9}", "a b", &"x".repeat(129)] {
        let text =
            format!("GET /nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-request-id: {id}\r\n\r\n");
        let heard = kibitz.say(text.as_bytes(), Duration::from_secs(15));
        assert!(!heard.text.contains(id), "{id:?}: {:?}", heard.text);
    }
    // A line break ends the field; what follows is a field of its own, never part of an answer.
    let text =
        "GET /nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-request-id: a\r\nset-cookie: b=1\r\n\r\n";
    let heard = kibitz.say(text.as_bytes(), Duration::from_secs(15));
    assert!(
        heard.text.contains("x-request-id: a\r\n") && !heard.text.contains("set-cookie"),
        "{:?}",
        heard.text
    );
}

/// A promise is held by a file, or by a test in it: `file::test`.
#[test]
fn every_promise_names_a_test_that_exists() {
    let text = fs::read_to_string("SECURITY.md").unwrap();
    let promises: Vec<_> =
        text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| promise")).collect();
    assert!(promises.len() >= 15, "only {} promises", promises.len());
    let mut named = 0;
    for promise in promises {
        let proofs = promise.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let mut parts = proofs.split('`').skip(1).step_by(2).peekable();
        assert!(parts.peek().is_some(), "no proof: {promise}");
        for part in parts {
            let (file, test) = part.split_once("::").unwrap_or((part, ""));
            assert!(Path::new(file).is_file(), "{file} is not there: {promise}");
            let code = fs::read_to_string(file).unwrap();
            assert!(
                test.is_empty() || code.contains(&format!("fn {test}(")),
                "{file} has no {test}: {promise}"
            );
            named += 1;
        }
    }
    assert!(named >= 20, "only {named} proofs");
}
