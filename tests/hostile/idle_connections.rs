//! Many connections that say nothing: 10,000, or as many as this machine's limit on open files allows.

use std::fs;
use std::io::Write;
use std::time::Duration;

use crate::MEBIBYTE;
use crate::support::raw::{eventually, listen};

/// Both ends are open files: one of this process, one of the service, which inherits the limit.
fn allowed() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let soft = line.split_whitespace().next().unwrap();
    soft.parse::<usize>().map_or(10_000, |files| files.saturating_sub(150).min(10_000))
}

#[test]
fn idle_connections_cost_little_and_delay_no_other_client() {
    let count = allowed();
    let limits = ["--max-connections", "11000", "--max-connections-per-client", "11000"];
    let kibitz = crate::start(&[&limits[..], &["--header-timeout", "60"]].concat());
    let before = kibitz.resident();
    let mut idle: Vec<_> = (0..count).map(|_| kibitz.connect()).collect();
    // Every second one has begun to speak, so that it holds a buffer.
    for stream in idle.iter_mut().step_by(2) {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost:").unwrap();
    }
    kibitz.serves_others();
    let grown = kibitz.resident().saturating_sub(before);
    println!("{count} idle connections (10000 wanted): {} bytes each", grown / count as u64);
    assert!(grown < count as u64 * 24 * 1024 + 16 * MEBIBYTE, "grew by {grown} bytes");
    drop(idle);
    kibitz.serves_others();
}

#[test]
fn connections_beyond_the_limit_wait_until_idle_ones_end() {
    let limits = ["--max-connections", "20", "--max-connections-per-client", "20"];
    let kibitz = crate::start(&[&limits[..], &["--header-timeout", "1"]].concat());
    let idle: Vec<_> = (0..60).map(|_| kibitz.connect()).collect();
    // Served when the idle ones have been closed, three rounds later.
    kibitz.serves_others();
    for mut stream in idle {
        assert!(listen(&mut stream, Duration::from_secs(15)).closed);
    }
    eventually("service as before", || kibitz.exchange(crate::support::raw::HEALTH).0 == 200);
}
