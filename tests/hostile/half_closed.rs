//! Clients that close their sending half: early, in the middle, or after a whole request.

use std::io::Write;
use std::time::Duration;

use crate::support::raw::{QUESTION, half_close, listen, post};

#[test]
fn a_whole_request_is_answered_also_when_nothing_more_can_come() {
    let kibitz = crate::start(&[]);
    let mut stream = kibitz.connect();
    write!(stream, "{}\r\n{QUESTION}", post("/yahtzee/best-action", QUESTION.len())).unwrap();
    half_close(&stream);
    let heard = listen(&mut stream, Duration::from_secs(15));
    assert_eq!((heard.statuses(), heard.closed), (vec![200], true), "{:?}", heard.text);
}

#[test]
fn a_part_of_a_request_ends_its_connection_at_once() {
    let kibitz =
        crate::start(&["--header-timeout", "600", "--body-timeout", "600", "--request-timeout", "600"]);
    for part in [
        String::new(),
        "GET /heal".to_owned(),
        "GET /healthz HTTP/1.1\r\nhost: x\r\n".to_owned(),
        format!("{}\r\n{{", post("/yahtzee/best-action", 100)),
        format!("{}\r\n{{", post("/yahtzee/best-action/batch", 100)),
    ] {
        let mut stream = kibitz.connect();
        stream.write_all(part.as_bytes()).unwrap();
        half_close(&stream);
        let heard = listen(&mut stream, Duration::from_secs(15));
        assert!(heard.closed, "{part:?} is still open");
        assert!(heard.statuses().iter().all(|status| *status == 400), "{part:?}: {:?}", heard.text);
    }
    kibitz.serves_others();
}
