//! Heads that never end, or hold a thousand fields.

use std::io::Write;
use std::time::Duration;

use crate::MEBIBYTE;
use crate::support::raw::listen;

#[test]
fn too_large_a_head_is_431() {
    let kibitz = crate::start(&[]);
    let with =
        |fields: &str| format!("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{fields}\r\n");
    let long = with(&format!("x: {}\r\n", "y".repeat(64 * 1024)));
    let many: String = (0..200).map(|number| format!("x-{number}: y\r\n")).collect();
    for head in [long, with(&many), with(&many.repeat(50))] {
        assert_eq!(kibitz.status_of(head.as_bytes()), 431, "{} bytes", head.len());
    }
    let long_path = format!("GET /{} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", "a".repeat(70_000));
    assert!(matches!(kibitz.status_of(long_path.as_bytes()), 414 | 431));
    let usual: String = (0..60).map(|number| format!("x-{number}: {}\r\n", "y".repeat(100))).collect();
    assert_eq!(kibitz.status_of(with(&usual).as_bytes()), 200);
    kibitz.serves_others();
}

#[test]
fn floods_of_heads_cost_bounded_memory() {
    let kibitz = crate::start(&[]);
    let before = kibitz.resident();
    let mut floods: Vec<_> = (0..400).map(|_| kibitz.connect()).collect();
    let line = format!("x: {}\r\n", "y".repeat(1_000));
    for stream in &mut floods {
        drop(stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n"));
    }
    for _ in 0..15 {
        for stream in &mut floods {
            drop(stream.write_all(line.as_bytes()));
        }
    }
    kibitz.serves_others();
    let grown = kibitz.resident().saturating_sub(before);
    println!("400 floods of 15 kB: {} bytes each", grown / 400);
    assert!(grown < 400 * 48 * 1024 + 8 * MEBIBYTE, "grew by {grown} bytes");
    // A little more, and the head is too large.
    for stream in &mut floods {
        drop(stream.write_all(line.repeat(4).as_bytes()));
    }
    for mut stream in floods {
        let heard = listen(&mut stream, Duration::from_secs(15));
        assert!(heard.closed && heard.statuses().iter().all(|status| *status == 431), "{:?}", heard.text);
    }
}
