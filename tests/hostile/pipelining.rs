//! Many requests on one connection without waiting for an answer.

use std::io::{ErrorKind, Write};
use std::time::{Duration, Instant};

use crate::MEBIBYTE;
use crate::support::raw::{HEALTH, QUESTION, connect_from, listen, post};

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
fn stops_reading_from_a_client_that_never_reads_responses() {
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

#[test]
fn kernel_holds_little_of_requests_that_are_not_read() {
    let kibitz = crate::start(&[]);
    let request = "GET /openapi.yaml HTTP/1.1\r\nhost: x\r\n\r\n".repeat(100);
    let mut stream = connect_from([127, 0, 0, 1], kibitz.address, false);
    stream.set_nonblocking(true).unwrap();
    let (mut sent, mut last) = (0, Instant::now());
    // Until nothing more has been taken for half a second.
    while last.elapsed() < Duration::from_millis(500) {
        match stream.write(request.as_bytes()) {
            Ok(count) => (sent, last) = (sent + count, Instant::now()),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(5))
            }
            Err(error) => panic!("{error}"),
        }
    }
    println!("{sent} bytes were sent");
    let held = received(kibitz.address.port());
    assert!(held < 64 * 1024, "{held} bytes wait to be read");
}

/// Bytes that wait to be read at the service's side of the connections to this port.
fn received(port: u16) -> u64 {
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let rows = table.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
    let ours = rows.filter(|row| row[1].ends_with(&format!(":{port:04X}")) && row[3] == "01");
    ours.map(|row| u64::from_str_radix(row[4].split(':').nth(1).unwrap(), 16).unwrap()).sum()
}
