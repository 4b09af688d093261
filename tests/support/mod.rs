//! The test client. It speaks only HTTP, and holds EVERY answer against openapi.yaml.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test file uses its own part; a test may panic"
)]

pub mod binary;
pub mod contract;
#[cfg(target_os = "linux")]
pub mod raw;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use clap::Parser;
use http_body_util::BodyExt;
use kibitz::config::{Cli, Config};
use kibitz::http::router;
use kibitz::state::AppState;
use serde_json::Value;
use tower::ServiceExt;

/// The router of the service, asked without a socket.
#[derive(Clone)]
pub struct App {
    pub state: Arc<AppState>,
    router: Router,
    base_path: String,
}

static READY: LazyLock<Arc<AppState>> = LazyLock::new(|| {
    // A machine that is busy with other tests takes its time to build a table.
    let state = AppState::new(config(&["--request-timeout", "120"])).unwrap();
    state.build_tables_blocking();
    state.build_later_blocking();
    state
});

/// The settings that these flags give.
pub fn config(flags: &[&str]) -> Config {
    Cli::parse_from([&["kibitz"], flags].concat()).config
}

impl App {
    /// A service with all its tables; they are shared by the tests of a file.
    pub fn ready() -> Self {
        Self::of(&READY)
    }

    /// A service with these flags and no table.
    pub fn with(flags: &[&str]) -> Self {
        Self::of(&AppState::new(config(flags)).unwrap())
    }

    fn of(state: &Arc<AppState>) -> Self {
        Self::of_router(Arc::clone(state), router(state))
    }

    /// A service with routes of the test's own.
    pub fn of_router(state: Arc<AppState>, router: Router) -> Self {
        Self { router, base_path: state.config.base_path.clone(), state }
    }

    /// Sends a request to a route that the contract does not know.
    pub async fn send_unchecked(&self, mut request: Request<Body>) -> Answer {
        // As every client does; a test may send its own.
        request.headers_mut().entry("host").or_insert(HeaderValue::from_static("kibitz.example"));
        let (head, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: head.status, headers: head.headers, body }
    }

    /// Sends a request; the answer has been held against the contract.
    pub async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let answer = self.send_unchecked(request).await;
        contract::check(&method, path.strip_prefix(&*self.base_path).unwrap_or(&path), &answer);
        answer
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(with_headers(Request::get(path), headers).body(Body::empty()).unwrap()).await
    }

    /// Posts a JSON text unchanged.
    pub async fn post(&self, path: &str, body: impl Into<Body>) -> Answer {
        self.post_with(path, &[("content-type", "application/json")], body).await
    }

    pub async fn post_with(&self, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Answer {
        self.send(with_headers(Request::post(path), headers).body(body.into()).unwrap()).await
    }

    pub async fn method(&self, method: Method, path: &str) -> Answer {
        self.send(Request::builder().method(method).uri(path).body(Body::empty()).unwrap()).await
    }
}

fn with_headers(
    builder: axum::http::request::Builder,
    headers: &[(&str, &str)],
) -> axum::http::request::Builder {
    headers.iter().fold(builder, |builder, (name, value)| builder.header(*name, *value))
}

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {:?}", self.body))
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The JSON of an answer that must be 200.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        self.json()
    }

    /// The pointers and codes of a 422.
    pub fn faults(&self) -> Vec<(String, String)> {
        let problem = self.problem(422, "invalid_request");
        let text = |fault: &Value, name: &str| fault[name].as_str().unwrap().to_owned();
        problem["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|fault| (text(fault, "pointer"), text(fault, "code")))
            .collect()
    }

    /// The body of a problem of this status and code.
    pub fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["code"], code);
        assert_eq!(problem["status"], status);
        assert_eq!(problem["instance"], self.header("x-request-id"));
        problem
    }
}
