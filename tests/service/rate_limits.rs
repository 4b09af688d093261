//! The limit on requests of one client.

use std::net::SocketAddr;

use crate::support::{Answer, App};
use axum::body::Body;
use axum::http::Request;
use kibitz::server::Peer;

async fn ask(app: &App, path: &str, peer: &str, forwarded_for: Option<&str>) -> Answer {
    let mut request = Request::get(path).body(Body::empty()).unwrap();
    request.extensions_mut().insert(Peer(SocketAddr::new(peer.parse().unwrap(), 4711)));
    if let Some(text) = forwarded_for {
        request.headers_mut().insert("x-forwarded-for", text.parse().unwrap());
    }
    app.send(request).await
}

/// The number after `name=` in a header.
fn number(answer: &Answer, header: &str, name: &str) -> u64 {
    let value = answer.header(header);
    let part = value.split(';').find_map(|part| part.strip_prefix(&format!("{name}=")));
    part.unwrap_or_else(|| panic!("{header}: {value}")).parse().unwrap()
}

#[tokio::test]
async fn a_client_that_asks_too_often_is_429() {
    let app = App::with(&["--rate-limit", "6"]);
    for left in (0..6).rev() {
        let answer = ask(&app, "/version", "192.0.2.1", None).await;
        answer.ok();
        assert_eq!(answer.header("ratelimit-policy"), "\"client\";q=6;w=60");
        assert!(answer.header("ratelimit").starts_with("\"client\";"));
        assert_eq!(number(&answer, "ratelimit", "r"), left);
        assert!(number(&answer, "ratelimit", "t") <= 10 * (6 - left));
    }
    let refused = ask(&app, "/version", "192.0.2.1", None).await;
    let problem = refused.problem(429, "rate_limited");
    assert!(problem["detail"].as_str().unwrap().contains("Retry-After"));
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=10).contains(&wait), "{wait}");
    assert_eq!(number(&refused, "ratelimit", "r"), 0);
    assert_eq!(refused.header("ratelimit-policy"), "\"client\";q=6;w=60");
    ask(&app, "/version", "192.0.2.2", None).await.ok();
    // Operators do not count, and are not counted.
    for _ in 0..10 {
        assert_eq!(ask(&app, "/healthz", "192.0.2.1", None).await.header("ratelimit"), "");
    }
}

#[tokio::test]
async fn a_forwarded_address_counts_from_a_trusted_proxy_only() {
    let app = App::with(&["--rate-limit", "1", "--trusted-proxies", "10.0.0.0/8,fd00::/8"]);
    ask(&app, "/version", "10.0.0.1", Some("192.0.2.1")).await.ok();
    ask(&app, "/version", "10.0.0.2", Some("192.0.2.2")).await.ok();
    ask(&app, "/version", "10.0.0.2", Some("1.1.1.1, 192.0.2.1")).await.problem(429, "rate_limited");
    // A client cannot free itself by a header of its own.
    ask(&app, "/version", "198.51.100.1", Some("192.0.2.3")).await.ok();
    ask(&app, "/version", "198.51.100.1", Some("192.0.2.4")).await.problem(429, "rate_limited");
}

#[tokio::test]
async fn a_second_forwarding_header_does_not_raise_a_share() {
    for (flags, own, other) in [
        (&[][..], ("x-forwarded-for", "192.0.2.1"), ("forwarded", "for=7.7.7.7")),
        (
            &["--forwarded-header", "forwarded"],
            ("forwarded", "for=192.0.2.1"),
            ("x-forwarded-for", "7.7.7.7"),
        ),
    ] {
        let app = App::with(&[&["--rate-limit", "2", "--trusted-proxies", "10.0.0.0/8"], flags].concat());
        let ask = async |headers: &[(&'static str, &str)]| {
            let mut request = Request::get("/version").body(Body::empty()).unwrap();
            request.extensions_mut().insert(Peer(SocketAddr::new("10.0.0.1".parse().unwrap(), 4711)));
            for (name, value) in headers {
                request.headers_mut().insert(*name, value.parse().unwrap());
            }
            app.send(request).await.status.as_u16()
        };
        assert_eq!(ask(&[own]).await, 200);
        assert_eq!(ask(&[own, other]).await, 200);
        for headers in [&[own][..], &[own, other]] {
            assert_eq!(ask(headers).await, 429, "{headers:?}");
        }
        // Neither the proxy's own allowance nor that of the other address was used.
        assert_eq!((ask(&[]).await, ask(&[]).await), (200, 200));
        let others = (own.0, if own.0 == "forwarded" { "for=7.7.7.7" } else { "7.7.7.7" });
        assert_eq!((ask(&[others]).await, ask(&[others]).await), (200, 200));
    }
}

#[tokio::test]
async fn pages_unknown_paths_and_wrong_methods_count() {
    let app = App::with(&["--rate-limit", "6"]);
    for (path, status) in [
        ("/", 200),
        ("/docs", 200),
        ("/web/icon.svg", 200),
        ("/docs/reference.js", 200),
        ("/nothing", 404),
        ("/version", 200),
    ] {
        let answer = ask(&app, path, "192.0.2.1", None).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.header("ratelimit").starts_with("\"client\";"), "{path}");
    }
    for path in ["/", "/docs", "/web/icon.svg", "/nothing", "/version"] {
        ask(&app, path, "192.0.2.1", None).await.problem(429, "rate_limited");
    }
    for path in ["/healthz", "/metrics"] {
        let answer = ask(&app, path, "192.0.2.1", None).await;
        assert_eq!((answer.status.as_u16(), answer.header("ratelimit")), (200, ""), "{path}");
    }
}

#[tokio::test]
async fn there_is_no_limit_unless_one_is_set() {
    let app = App::with(&[]);
    for _ in 0..300 {
        let answer = ask(&app, "/version", "192.0.2.1", None).await;
        assert_eq!((answer.status.as_u16(), answer.header("ratelimit")), (200, ""));
    }
}
