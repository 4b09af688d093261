//! Many requests on one connection without waiting for an answer.

use std::io::Write;
use std::time::Duration;

use crate::MEBIBYTE;
use crate::support::raw::{HEALTH, QUESTION, listen, post};

#[test]
fn pipelined_requests_are_answered_in_their_order() {
    let kibitz = crate::start(&[]);
    let question = format!("{}\r\n{QUESTION}", post("/yahtzee/best-action", QUESTION.len()));
    let health = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    let missing = "GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n";
    let heard = kibitz
        .say([&question, missing, health, &question, HEALTH].concat().as_bytes(), Duration::from_secs(15));
    assert_eq!((heard.statuses(), heard.closed), (vec![200, 404, 200, 200, 200], true));
}

#[test]
fn who_pipelines_without_reading_is_not_read_on() {
    let kibitz = crate::start(&["--write-timeout", "1"]);
    let before = kibitz.resident();
    let request = "GET /openapi.yaml HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1_000);
    let mut stream = kibitz.connect();
    stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    let mut taken = 0;
    while taken < 200 && stream.write_all(request.as_bytes()).is_ok() {
        taken += 1;
    }
    assert!(taken < 200, "200,000 requests were taken without one answer read");
    let grown = kibitz.resident().saturating_sub(before);
    assert!(grown < 16 * MEBIBYTE, "grew by {grown} bytes");
    kibitz.serves_others();
    // Its time to read is over: nothing more is written to it.
    std::thread::sleep(Duration::from_secs(2));
    assert!(listen(&mut stream, Duration::from_secs(15)).closed);
}
