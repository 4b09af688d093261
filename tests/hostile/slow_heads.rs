//! A head that comes byte by byte (Slowloris).

use std::io::Write;
use std::time::{Duration, Instant};

use crate::support::raw::listen;

#[test]
fn slow_heads_delay_no_other_client_and_end_in_time() {
    let kibitz = crate::start(&["--header-timeout", "1.5", "--max-requests", "4"]);
    let mut slow: Vec<_> = (0..200).map(|_| kibitz.connect()).collect();
    let started = Instant::now();
    // Each byte comes well in time; the whole head does not.
    for byte in b"GET / H" {
        for stream in &mut slow {
            drop(stream.write_all(&[*byte]));
        }
        kibitz.serves_others();
        std::thread::sleep(Duration::from_millis(300));
    }
    for mut stream in slow {
        let heard = listen(&mut stream, Duration::from_secs(15));
        assert!(heard.closed, "open after {:?}", started.elapsed());
        assert!(heard.statuses().iter().all(|status| *status == 408), "{:?}", heard.text);
    }
    kibitz.serves_others();
}
