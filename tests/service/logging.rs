//! What the log says of requests.

use serde_json::Value;

use crate::support::binary::Kibitz;
use crate::support::raw::eventually;

const QUICK: &[&str] = &["--yahtzee-rules", "plain"];
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// The log line of a request with these header lines, each with its line break.
fn line_of(kibitz: &Kibitz, path: &str, id: &str, headers: &str) -> Value {
    let text =
        format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-request-id: {id}\r\n{headers}\r\n");
    assert_eq!(kibitz.exchange(&text).0, 200);
    let find = || {
        let log = kibitz.log.lock().unwrap();
        log.iter()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .find(|line| line["span"]["id"] == id)
    };
    eventually("the line in the log", || find().is_some());
    find().unwrap()
}

#[test]
fn the_client_s_address_is_logged_only_when_asked_for() {
    let kibitz = Kibitz::ready(QUICK);
    let line = line_of(&kibitz, "/version", "one", "");
    assert_eq!(line["status"], 200, "{line}");
    assert!(!line.to_string().contains("127.0.0.1"), "{line}");
    let kibitz = Kibitz::ready(&["--yahtzee-rules", "plain", "--log-client"]);
    assert_eq!(line_of(&kibitz, "/version", "one", "")["span"]["client"], "127.0.0.1");
    let behind = "x-forwarded-for: 192.0.2.7\r\n";
    assert_eq!(line_of(&kibitz, "/version", "two", behind)["span"]["client"], "127.0.0.1");
    let kibitz =
        Kibitz::ready(&["--yahtzee-rules", "plain", "--log-client=yes", "--trusted-proxies", "127.0.0.1"]);
    assert_eq!(line_of(&kibitz, "/version", "two", behind)["span"]["client"], "192.0.2.7");
}

#[test]
fn the_trace_of_a_request_is_logged_if_it_is_valid() {
    let kibitz = Kibitz::ready(QUICK);
    let span = |id: &str, header: &str| line_of(&kibitz, "/version", id, header)["span"].clone();
    let traced = span("valid", &format!("traceparent: 00-{TRACE}-00f067aa0ba902b7-01\r\n"));
    assert_eq!((&traced["trace_id"], &traced["parent_id"]), (&TRACE.into(), &"00f067aa0ba902b7".into()));
    let plain = span("invalid", "traceparent: 00-secret-00f067aa0ba902b7-01\r\n");
    assert!(plain.get("trace_id").is_none() && plain.get("parent_id").is_none(), "{plain}");
}

#[test]
fn probes_are_logged_at_debug_level() {
    let kibitz = Kibitz::start_with(QUICK, |command| {
        command.env("KIBITZ_LOG", "kibitz=debug");
    });
    for (path, id) in [("/healthz", "health"), ("/metrics", "metrics")] {
        assert_eq!(line_of(&kibitz, path, id, "")["level"], "DEBUG", "{path}");
    }
    assert_eq!(line_of(&kibitz, "/version", "version", "")["level"], "INFO");
    let quiet = Kibitz::ready(QUICK);
    quiet.exchange("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-request-id: probe\r\n\r\n");
    line_of(&quiet, "/version", "after", "");
    let log = quiet.log.lock().unwrap();
    assert!(!log.iter().any(|line| line.contains("healthz") || line.contains("readyz")), "{log:#?}");
}
