//! Requests whose end two servers could read differently. Each must be rejected, or read in the one way that RFC
//! 9112 allows, and never may what follows be taken for a request of its own.

use std::time::Duration;

use crate::support::raw::QUESTION;

const HIDDEN: &str = "GET /version HTTP/1.1\r\nhost: x\r\n\r\n";

fn statuses(text: &str) -> (Vec<u16>, bool) {
    let kibitz = crate::start(&[]);
    let heard = kibitz.say(text.as_bytes(), Duration::from_millis(1_500));
    assert!(!heard.text.contains("\"version\":"), "the hidden request was answered: {:?}", heard.text);
    kibitz.serves_others();
    (heard.statuses(), heard.closed)
}

fn post(fields: &str, body: &str) -> String {
    format!(
        "POST /yahtzee/best-action HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{fields}\r\n{body}"
    )
}

fn chunked(body: &str) -> String {
    format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len())
}

#[test]
fn two_different_lengths_are_rejected() {
    let body = format!("{QUESTION}{HIDDEN}");
    let lengths = format!("content-length: {}\r\ncontent-length: {}\r\n", QUESTION.len(), body.len());
    assert_eq!(statuses(&post(&lengths, &body)), (vec![400], true));
    let list = format!("content-length: {}, {}\r\n", QUESTION.len(), body.len());
    assert_eq!(statuses(&post(&list, &body)), (vec![400], true));
}

#[test]
fn invalid_lengths_are_rejected() {
    for length in ["+51", "-1", "0x33", "5 1", "51;", "", "99999999999999999999"] {
        let text = post(&format!("content-length: {length}\r\n"), &format!("{QUESTION}{HIDDEN}"));
        assert_eq!(statuses(&text), (vec![400], true), "{length:?}");
    }
}

#[test]
fn chunks_and_a_length_are_one_request_and_the_last() {
    // RFC 9112, 6.3: the chunks decide, and the connection ends; or the request is rejected.
    let fields = "transfer-encoding: chunked\r\ncontent-length: 4\r\n";
    let swapped = "content-length: 4\r\ntransfer-encoding: chunked\r\n";
    for fields in [fields, swapped] {
        let (statuses, closed) = statuses(&post(fields, &format!("{}{HIDDEN}", chunked(QUESTION))));
        assert!(matches!(statuses[..], [200 | 400]) && closed, "{statuses:?}");
    }
}

#[test]
fn unknown_codings_are_rejected() {
    for coding in
        ["xchunked", "chunked, identity", "identity", "chunked;q=1", "gzip", "\u{b}chunked", "chunked, x"]
    {
        let text =
            post(&format!("transfer-encoding: {coding}\r\n"), &format!("{}{HIDDEN}", chunked(QUESTION)));
        let (statuses, closed) = statuses(&text);
        assert!(matches!(statuses[..], [400 | 501]) && closed, "{coding:?}: {statuses:?}");
    }
    let twice = post(
        "transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n",
        &format!("{}{HIDDEN}", chunked(QUESTION)),
    );
    assert_eq!(statuses(&twice), (vec![400], true));
}

#[test]
fn further_codings_before_chunked_end_no_earlier() {
    for fields in
        ["transfer-encoding: gzip, chunked\r\n", "transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n"]
    {
        // The chunks alone say where the body ends: what looks like a request inside them is part of it.
        let inside = format!("{QUESTION}{HIDDEN}");
        let (statuses, _) = statuses(&post(&format!("{fields}connection: close\r\n"), &chunked(&inside)));
        assert!(matches!(statuses[..], [400 | 415 | 501]), "{fields:?}: {statuses:?}");
    }
}

#[test]
fn folded_lines_and_invalid_names_are_rejected() {
    for fields in [
        "x: a\r\n b\r\n",
        "x: a\r\n\tcontent-length: 4\r\n",
        " content-length: 4\r\n",
        "content-length : 4\r\n",
        "content\u{0}length: 4\r\n",
        "x: a\rb\r\n",
        "x: \u{0}\r\n",
        "no colon\r\n",
    ] {
        let text = format!("GET /healthz HTTP/1.1\r\nhost: x\r\n{fields}\r\n");
        assert_eq!(statuses(&text), (vec![400], true), "{fields:?}");
    }
}

#[test]
fn bad_chunks_end_the_connection() {
    for body in [
        format!("zz\r\n{QUESTION}\r\n0\r\n\r\n{HIDDEN}"),
        format!("-1\r\n{QUESTION}\r\n0\r\n\r\n{HIDDEN}"),
        format!("fffffffffffffffff\r\n{QUESTION}\r\n0\r\n\r\n{HIDDEN}"),
        format!("{:x}\r\n{QUESTION}XX0\r\n\r\n{HIDDEN}", QUESTION.len()),
        format!("{:x}\n{QUESTION}\n0\n\n{HIDDEN}", QUESTION.len()),
    ] {
        let (statuses, closed) = statuses(&post("transfer-encoding: chunked\r\n", &body));
        assert!(matches!(statuses[..], [400]) && closed, "{body:?}: {statuses:?}");
    }
}

#[test]
fn bare_line_feeds_hide_nothing() {
    // hyper takes a bare LF for the end of a line, as RFC 9112, 2.2 allows; the length is then a length like any other.
    let text = format!(
        "POST /yahtzee/best-action HTTP/1.1\nhost: x\ncontent-type: application/json\ncontent-length: {}\nconnection: close\n\n{QUESTION}{HIDDEN}",
        QUESTION.len()
    );
    let (statuses, closed) = statuses(&text);
    assert!(matches!(statuses[..], [200 | 400]) && closed, "{statuses:?}");
}

#[test]
fn other_versions_and_other_protocols_are_rejected() {
    let kibitz = crate::start(&[]);
    for text in [
        "GET /healthz HTTP/9.9\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}",
        "hello\r\n\r\n",
    ] {
        let heard = kibitz.say(text.as_bytes(), Duration::from_secs(15));
        assert!(
            heard.closed && heard.statuses().iter().all(|status| matches!(status, 400 | 505)),
            "{text:?}: {heard:?}"
        );
    }
    kibitz.serves_others();
}
