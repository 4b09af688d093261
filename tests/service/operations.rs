//! What operators, browsers and caches see.

use std::io::Read;

use crate::support::App;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, Request};
use flate2::read::GzDecoder;
use kibitz::client::Client;

const QUESTION: &str = "/yahtzee/best-action?dice=1,3,3,4,6&rolls_left=2&ones=3&yahtzee=50";

/// A batch that is too long to be light work.
fn heavy_batch() -> String {
    format!("{{\"requests\":[1{}]}}", " ".repeat(1_024))
}

#[tokio::test]
async fn readiness_follows_the_tables_and_the_shutdown() {
    let app = App::with(&["--yahtzee-rules", "plain"]);
    app.get("/healthz").await.ok();
    let early = app.get("/readyz").await;
    early.problem(503, "not_ready");
    assert_eq!(early.header("retry-after"), "1");
    app.state.build_tables_blocking();
    app.get("/readyz").await.ok();
    app.state.shut_down();
    app.get("/readyz").await.problem(503, "not_ready");
    app.get("/healthz").await.ok();
}

#[tokio::test]
async fn metrics_count_by_template() {
    let app = App::ready();
    app.get("/problems/not_found").await.ok();
    app.get("/some/secret/path").await.problem(404, "not_found");
    let answer = app.get_with("/metrics", &[("accept", "application/openmetrics-text;version=1.0.0")]).await;
    assert_eq!(answer.header("content-type"), "application/openmetrics-text; version=1.0.0; charset=utf-8");
    let text = answer.text();
    assert!(
        text.contains(r#"kibitz_http_requests_total{method="GET",route="/problems/{code}",status="200"}"#),
        "{text}"
    );
    assert!(text.contains(r#"route="unmatched",status="404""#) && !text.contains("secret"));
    assert!(text.contains(r#"kibitz_table_build_seconds{rules="official"}"#));
    assert!(text.contains("kibitz_build_info{version="));
    assert!(text.ends_with("# EOF\n"));
}

#[tokio::test]
async fn classic_metrics_pass_promtool_check() {
    let app = App::ready();
    app.get("/version").await.ok();
    let mut pages = Vec::new();
    for accept in ["text/plain", "*/*"] {
        let answer = app.get_with("/metrics", &[("accept", accept)]).await;
        assert_eq!(answer.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
        pages.push(answer.text().to_owned());
    }
    let page = &pages[0];
    for line in [
        "# TYPE kibitz_http_requests_total counter",
        "# TYPE kibitz_build_info gauge",
        "# TYPE kibitz_http_request_duration_seconds histogram",
    ] {
        assert!(page.contains(line), "{page}");
    }
    assert!(!page.contains("# EOF") && !page.contains("# UNIT"));
    // Every sample is described by the lines before it.
    let mut name = "";
    for line in page.lines() {
        if let Some(typed) = line.strip_prefix("# TYPE ") {
            name = typed.split(' ').next().unwrap();
        } else if !line.starts_with('#') {
            let sample = line.split(['{', ' ']).next().unwrap();
            let end = sample.strip_prefix(name).unwrap_or_else(|| panic!("{sample} under {name}"));
            assert!(["", "_bucket", "_sum", "_count"].contains(&end), "{sample} under {name}");
        }
    }
    promtool(page);
}

/// Runs Prometheus's own check if it is installed.
fn promtool(page: &str) {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let command = Command::new("promtool").args(["check", "metrics"]).stdin(Stdio::piped()).spawn();
    let Ok(mut check) = command else { return eprintln!("skipped: promtool is not installed") };
    check.stdin.take().unwrap().write_all(page.as_bytes()).unwrap();
    assert!(check.wait().unwrap().success());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn metrics_describe_the_process() {
    let app = App::ready();
    let page = app.get("/metrics").await.text().to_owned();
    let value = |name: &str| -> f64 {
        let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name}: {page}")).parse().unwrap()
    };
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64();
    let age = now - value("process_start_time_seconds");
    assert!((-2.0..86_400.0).contains(&age), "{age}");
    assert!(value("process_cpu_seconds_total") > 0.0);
    assert!(value("process_resident_memory_bytes") > 1e6);
    assert!(value("process_virtual_memory_bytes") >= value("process_resident_memory_bytes"));
    assert!(value("process_open_fds") >= 3.0 && value("process_open_fds") <= value("process_max_fds"));
}

#[tokio::test]
async fn duration_buckets_are_a_factor_of_2_apart() {
    let app = App::ready();
    app.get("/version").await.ok();
    let page = app.get("/metrics").await.text().to_owned();
    let start = "kibitz_http_request_duration_seconds_bucket{le=\"";
    let bounds = page.lines().filter(|line| line.contains("route=\"/version\""));
    let bounds: Vec<f64> = bounds
        .filter_map(|line| line.strip_prefix(start)?.split('"').next()?.parse().ok())
        .filter(|bound: &f64| bound.is_finite())
        .collect();
    assert_eq!(bounds.len(), 21, "{page}");
    for pair in bounds.windows(2) {
        assert!((pair[1] / pair[0] - 2.0).abs() < 1e-9, "{pair:?}");
    }
    assert!(bounds[0] < 2e-5 && bounds[20] > 15.0);
}

#[tokio::test]
async fn metrics_can_move_to_an_address_of_their_own() {
    let app = App::with(&["--admin-listen", "127.0.0.1:0"]);
    app.get("/metrics").await.problem(404, "not_found");
    app.get("/healthz").await.ok();
    let admin = App::of_router(Arc::clone(&app.state), kibitz::http::admin_router(&app.state));
    admin.get("/healthz").await.ok();
    admin.get("/readyz").await.problem(503, "not_ready");
    assert_eq!(admin.get("/metrics").await.status, 200);
}

#[tokio::test]
async fn a_sane_request_id_is_kept_and_another_is_replaced() {
    let app = App::with(&[]);
    let kept = app.get_with("/healthz", &[("x-request-id", "order-66/~x")]).await;
    assert_eq!(kept.header("x-request-id"), "order-66/~x");
    let longest = "x".repeat(128);
    assert_eq!(app.get_with("/healthz", &[("x-request-id", &longest)]).await.header("x-request-id"), longest);
    for unfit in ["", "two words", "tab\t", &"x".repeat(129), "caf\u{e9}"] {
        let made = app.get_with("/healthz", &[("x-request-id", unfit)]).await;
        assert_eq!(made.header("x-request-id").len(), 32, "{unfit}");
    }
    let twice = app.get_with("/healthz", &[("x-request-id", "a"), ("x-request-id", "b")]).await;
    assert_eq!(twice.header("x-request-id").len(), 32);
    let problem = app.get_with("/nothing", &[("x-request-id", "mine")]).await.problem(404, "not_found");
    assert_eq!(problem["instance"], "mine");
}

#[tokio::test]
async fn an_answer_by_get_is_cached_and_revalidated() {
    let app = App::ready();
    let first = app.get(QUESTION).await;
    first.ok();
    assert_eq!(first.header("cache-control"), "public, max-age=86400");
    let tag = first.header("etag");
    assert!(tag.starts_with('"'), "{tag}");
    for names in [tag.to_owned(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
        let again = app.get_with(QUESTION, &[("if-none-match", &names)]).await;
        assert_eq!((again.status.as_u16(), again.header("etag")), (304, tag), "{names}");
    }
    app.get_with(QUESTION, &[("if-none-match", "\"x\"")]).await.ok();
    let other = app.get(&format!("{QUESTION}&limit=1")).await;
    assert_ne!(other.header("etag"), tag);
    assert_eq!(app.get(QUESTION).await.body, first.body);
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let app = App::ready();
    let (get, head) = (app.get(QUESTION).await, app.method(Method::HEAD, QUESTION).await);
    assert_eq!(head.status, 200);
    assert!(head.body.is_empty());
    assert_eq!(head.header("etag"), get.header("etag"));
    assert_eq!(head.header("content-length"), get.body.len().to_string());
}

#[tokio::test]
async fn large_answers_are_compressed_on_request() {
    let app = App::ready();
    let url = format!("{QUESTION}&limit=50");
    let plain = app.get(&url).await;
    let packed = app.get_with(&url, &[("accept-encoding", "gzip")]).await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert!(packed.body.len() * 2 < plain.body.len());
    assert_eq!(packed.header("etag"), format!("W/{}", plain.header("etag")));
    let vary: Vec<_> =
        packed.headers.get_all("vary").iter().map(|v| v.to_str().unwrap().to_lowercase()).collect();
    assert!(
        vary.join(",").contains("accept-encoding") && vary.join(",").contains("accept-language"),
        "{vary:?}"
    );
    let weak = packed.header("etag");
    let again = app.get_with(&url, &[("accept-encoding", "gzip"), ("if-none-match", weak)]).await;
    assert_eq!((again.status.as_u16(), again.header("etag")), (304, weak));
    assert!(again.headers.get_all("vary").iter().any(|value| value == "accept-encoding"));
    let small = app.get_with("/healthz", &[("accept-encoding", "gzip")]).await;
    assert_eq!(small.header("content-encoding"), "");
}

#[tokio::test]
async fn any_page_may_call_by_default() {
    let app = App::with(&[]);
    let origin = ("origin", "https://game.example");
    let answer = app.get_with("/healthz", &[origin]).await;
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(answer.header("access-control-allow-credentials"), "");
    let exposed = answer.header("access-control-expose-headers").to_owned();
    for name in ["location", "retry-after", "etag", "x-request-id"] {
        assert!(exposed.contains(name), "{exposed}");
    }
    // Errors must be readable by a page too.
    assert_eq!(app.get_with("/nothing", &[origin]).await.header("access-control-allow-origin"), "*");
}

#[tokio::test]
async fn preflight_allows_any_header_that_it_asks_for() {
    let names = "content-type,traceparent,tracestate,last-event-id,cache-control,authorization,x-anything";
    for flags in [&[][..], &["--cors-origins", "https://game.example,https://other.example"]] {
        let preflight = Request::options("/yahtzee/best-action")
            .header("origin", "https://game.example")
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", names)
            .body(Body::empty())
            .unwrap();
        let answer = App::with(flags).send(preflight).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("access-control-max-age"), "7200");
        assert!(answer.header("access-control-allow-methods").contains("POST"));
        assert_eq!(answer.header("access-control-allow-headers"), names);
    }
}

#[tokio::test]
async fn pages_can_be_kept_to_a_list() {
    let app = App::with(&["--cors-origins", "https://a.example,https://b.example"]);
    let allowed = app.get_with("/healthz", &[("origin", "https://b.example")]).await;
    assert_eq!(allowed.header("access-control-allow-origin"), "https://b.example");
    let other = app.get_with("/healthz", &[("origin", "https://c.example")]).await;
    assert_eq!(other.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn requests_beyond_the_limit_are_rejected_but_operators_are_answered() {
    let app = App::with(&["--max-requests", "1", "--max-batches", "1"]);
    // A batch that waits for its turn holds the only place.
    let turn = app.state.heavy.take(Client::UNKNOWN).await.unwrap();
    let waiting = tokio::spawn({
        let app = app.clone();
        async move { app.post("/yahtzee/best-action/batch", heavy_batch()).await }
    });
    while app.get("/version").await.status != 503 {
        tokio::task::yield_now().await;
    }
    let shed = app.get("/version").await;
    shed.problem(503, "overloaded");
    assert_eq!(shed.header("retry-after"), "1");
    app.get("/healthz").await.ok();
    drop(turn);
    waiting.await.unwrap().ok();
    app.get("/version").await.ok();
}

#[tokio::test]
async fn a_body_that_does_not_arrive_is_408() {
    let app = App::with(&["--request-timeout", "0.05"]);
    app.post("/yahtzee/score", Body::new(NeverEnds)).await.problem(408, "timeout");
}

/// A body of which nothing ever comes.
struct NeverEnds;

impl axum::body::HttpBody for NeverEnds {
    type Data = axum::body::Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
        std::task::Poll::Pending
    }
}

#[tokio::test]
async fn batch_that_waits_too_long_gets_retry_after() {
    let app = App::with(&["--request-timeout", "0.2", "--max-batches", "1"]);
    let _turn = app.state.heavy.take(Client::UNKNOWN).await.unwrap();
    let answer = app.post("/yahtzee/best-action/batch", heavy_batch()).await;
    answer.problem(503, "overloaded");
    assert_eq!(answer.header("retry-after"), "1");
}

#[tokio::test]
async fn a_panic_is_a_problem_that_a_page_can_read() {
    async fn panics() {
        panic!("a test's own");
    }
    let state = App::with(&[]).state;
    let router = kibitz::http::router_with(&state, vec![("/panics", axum::routing::get(panics))]);
    let app = App::of_router(state, router);
    let answer = app.send_unchecked(Request::get("/panics").body(Body::empty()).unwrap()).await;
    answer.problem(500, "internal");
    assert!(!answer.text().contains("a test's own"));
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    app.get("/healthz").await.ok();
}

#[tokio::test]
async fn shared_documents_keep_their_tags_in_both_forms() {
    let app = App::ready();
    for path in [
        "/docs",
        "/docs/reference.css",
        "/openapi.yaml",
        "/openapi.json",
        "/craps/odds",
        "/craps/rolls",
        "/web/main.js",
    ] {
        let plain = app.get(path).await;
        let strong = plain.header("etag").to_owned();
        assert!(strong.starts_with('"') && plain.header("content-encoding").is_empty(), "{path}: {strong}");
        let gzip = app.get_with(path, &[("accept-encoding", "gzip")]).await;
        assert_eq!(gzip.header("content-encoding"), "gzip", "{path}");
        assert_eq!(gzip.header("etag"), format!("W/{strong}"), "{path}");
        let mut text = Vec::new();
        GzDecoder::new(&gzip.body[..]).read_to_end(&mut text).unwrap();
        assert!(text == plain.body, "{path}");
        for (answer, coding) in [(&plain, ""), (&gzip, "gzip")] {
            let varies = answer.headers.get_all("vary").iter();
            let varies = varies.filter(|value| value.to_str().unwrap().contains("accept-encoding"));
            assert_eq!(varies.count(), 1, "{path}");
            let tag = answer.header("etag");
            let headers = [("accept-encoding", coding), ("if-none-match", tag)];
            let known = app.get_with(path, &headers).await;
            assert_eq!((known.status.as_u16(), known.header("etag")), (304, tag), "{path}");
        }
        let head = app.method(Method::HEAD, path).await;
        assert_eq!(head.header("content-length"), plain.body.len().to_string(), "{path}");
    }
}

#[tokio::test]
async fn a_client_that_takes_nothing_gets_the_plain_form() {
    let app = App::ready();
    for encoding in ["identity;q=0", "br, *;q=0", "nonsense"] {
        let answer = app.get_with(QUESTION, &[("accept-encoding", encoding)]).await;
        answer.ok();
        assert_eq!(answer.header("content-encoding"), "", "{encoding}");
    }
}

#[tokio::test]
async fn the_version_is_the_package_s_with_its_commit_and_the_time_of_its_build() {
    let app = App::with(&[]);
    let version = app.get("/version").await.ok();
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["commit"].as_str(), kibitz::release::COMMIT);
    assert_eq!(version["built"].as_str(), kibitz::release::built().map(|time| time.to_string()).as_deref());
    let metrics = app.get("/metrics").await;
    let commit = format!("commit=\"{}\"", kibitz::release::COMMIT.unwrap_or_default());
    let info = metrics.text().lines().find(|line| line.starts_with("kibitz_build_info{")).unwrap().to_owned();
    assert!(info.contains(&commit) && info.contains("built=\""), "{info}");
}

#[tokio::test]
async fn jobs_can_be_turned_off() {
    let app = App::with(&["--job-threads", "0", "--list-jobs"]);
    let request = r#"{"kind":"decisions","bet":"pass_line","decisions":1}"#;
    let refused = app.post("/craps/simulations", request).await.problem(404, "not_found");
    assert!(refused["detail"].as_str().unwrap().contains("KIBITZ_JOB_THREADS=0"), "{refused}");
    let id = "0".repeat(32);
    app.state.build_tables_blocking();
    let refused = app.post("/yahtzee/distribution", "{}").await.problem(404, "not_found");
    assert!(refused["detail"].as_str().unwrap().contains("KIBITZ_JOB_THREADS=0"), "{refused}");
    for path in ["/craps/simulations".to_owned(), format!("/yahtzee/distributions/{id}/events")] {
        app.get(&path).await.problem(404, "not_found");
    }
    app.method(Method::DELETE, &format!("/craps/simulations/{id}")).await.problem(404, "not_found");
    app.method(Method::PUT, "/craps/simulations").await.problem(405, "method_not_allowed");
    app.get("/version").await.ok();
    app.state.shut_down();
    app.state.jobs.join(std::time::Duration::from_secs(5)).await;
}

#[tokio::test]
async fn slow_body_takes_no_permit() {
    let app = App::with(&["--max-requests", "1", "--body-timeout", "0.3"]);
    let slow = tokio::spawn({
        let app = app.clone();
        async move { app.post("/yahtzee/score", Body::new(NeverEnds)).await }
    });
    while !slow.is_finished() {
        app.get("/version").await.ok();
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    slow.await.unwrap().problem(408, "timeout");
}
