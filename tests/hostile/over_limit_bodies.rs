//! Bodies over the limit: declared, chunked, endless, or promised and never sent.

use std::io::Write;
use std::time::Duration;

use crate::MEBIBYTE;
use crate::support::raw::{listen, post, whole};

#[test]
fn declared_length_over_the_limit_is_rejected_before_the_body() {
    let kibitz = crate::start(&[]);
    for (path, length) in
        [("/yahtzee/best-action", 64 * 1024 + 1), ("/yahtzee/best-action/batch", 1024 * 1024 + 1)]
    {
        let mut stream = kibitz.connect();
        write!(stream, "{}\r\n", post(path, length)).unwrap();
        let heard = listen(&mut stream, Duration::from_secs(15));
        assert_eq!((heard.statuses(), heard.closed), (vec![413], true), "{:?}", heard.text);
        assert!(heard.text.contains("\"code\":\"body_too_large\""), "{:?}", heard.text);
    }
    let text = format!("{}expect: 100-continue\r\n\r\n", post("/yahtzee/score", 10_000_000));
    assert_eq!(kibitz.status_of(text.as_bytes()), 413);
    let huge = "POST /yahtzee/score HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 18446744073709551614\r\n\r\n{";
    let statuses = kibitz.say(huge.as_bytes(), Duration::from_secs(15)).statuses();
    assert!(matches!(statuses[..], [400 | 413 | 431]), "{statuses:?}");
}

#[test]
fn an_endless_body_is_cut_off_and_costs_no_memory() {
    let kibitz = crate::start(&[]);
    let before = kibitz.resident();
    let head = "POST /yahtzee/best-action/batch HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    let mut stream = kibitz.connect();
    stream.write_all(head.as_bytes()).unwrap();
    let mut sent = 0;
    while sent < 256 && stream.write_all(chunk.as_bytes()).is_ok() {
        sent += 1;
    }
    assert!(sent < 256, "16 MiB were taken");
    let heard = listen(&mut stream, Duration::from_secs(15));
    assert!(heard.statuses().iter().all(|status| *status == 413), "{:?}", heard.text);
    let grown = kibitz.resident().saturating_sub(before);
    assert!(grown < 16 * MEBIBYTE, "grew by {grown} bytes");
    kibitz.serves_others();
}

#[test]
fn a_body_of_the_limit_s_size_is_read() {
    let kibitz = crate::start(&[]);
    let question = crate::support::raw::QUESTION;
    let pad = |size: usize| format!("{question}{}", " ".repeat(size - question.len()));
    assert_eq!(kibitz.status_of(&whole("/yahtzee/best-action", pad(64 * 1024).as_bytes())), 200);
    assert_eq!(kibitz.status_of(&whole("/yahtzee/best-action", pad(64 * 1024 + 1).as_bytes())), 413);
}
