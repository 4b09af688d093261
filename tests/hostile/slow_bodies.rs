//! A body that comes byte by byte, or not at all.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::support::raw::{listen, post};

#[test]
fn slow_bodies_take_no_permit_and_end_in_time() {
    // Far more slow clients than there are places.
    let kibitz = crate::start(&["--max-requests", "2", "--body-timeout", "2", "--request-timeout", "60"]);
    let paths = ["/yahtzee/best-action", "/doudizhu/min-plays/batch", "/craps/simulations"];
    let mut slow: Vec<_> = (0..60).map(|_| kibitz.connect()).collect();
    for (index, stream) in slow.iter_mut().enumerate() {
        write!(stream, "{}\r\n{{", post(paths[index % paths.len()], 100)).unwrap();
    }
    let started = Instant::now();
    while started.elapsed() < Duration::from_millis(1_200) {
        kibitz.serves_others();
        for stream in &mut slow {
            stream.write_all(b" ").unwrap();
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    for mut stream in slow {
        let heard = listen(&mut stream, Duration::from_secs(15));
        assert_eq!(heard.statuses(), [408], "{:?}", heard.text);
        assert!(heard.closed && heard.text.contains("\"code\":\"timeout\""), "{:?}", heard.text);
    }
}

#[test]
fn bodies_that_are_held_are_bounded_in_all() {
    let kibitz =
        crate::start(&["--max-buffered", "100000", "--body-timeout", "60", "--request-timeout", "60"]);
    // Three bodies of 40 kB do not fit: the third gets Retry-After, and small ones of others still fit.
    let mut held = Vec::new();
    let mut statuses = Vec::new();
    for _ in 0..3 {
        let mut stream = kibitz.connect();
        write!(stream, "{}\r\n", post("/yahtzee/best-action", 44_000)).unwrap();
        stream.write_all(&[b' '; 40_000]).unwrap();
        statuses.extend(listen(&mut stream, Duration::from_millis(500)).statuses());
        held.push(stream);
    }
    assert_eq!(statuses, [503]);
    kibitz.serves_others();
    drop(held);
    let body = format!("{QUESTION}{}", " ".repeat(60_000), QUESTION = crate::support::raw::QUESTION);
    crate::support::raw::eventually("room", || {
        kibitz.status_of(&crate::support::raw::whole("/yahtzee/best-action", body.as_bytes())) == 200
    });
}
