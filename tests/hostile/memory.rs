//! Attacks on memory: each keeps the process within the formula of SECURITY.md, in the settings of the smallest
//! deployment, and is followed by a right answer.
//!
//! They run against the binary, or against the service whose address is in `KIBITZ_ATTACKED` (a container that is
//! limited to 128 MB).

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use kibitz::config::Cli;
use kibitz::memory;
use serde_json::Value;

use crate::MEBIBYTE;
use crate::support::binary::{Kibitz, read_answer};
use crate::support::raw::{QUESTION, connect_from, eventually, post, whole};

/// The settings of `deploy/kubernetes/advice.yaml`, except that one client may have all connections.
const SMALLEST: [&str; 13] = [
    "--job-threads",
    "0",
    "--max-connections",
    "256",
    "--max-connections-per-client",
    "256",
    "--max-buffered",
    "8388608",
    "--house-table-bytes",
    "16777216",
    "--yahtzee-rules",
    "official,free_joker,no_yahtzee_bonus,plain",
    "--list-jobs=off",
];

/// The allocator settings there.
const ALLOCATOR: [(&str, &str); 3] =
    [("MALLOC_ARENA_MAX", "1"), ("MALLOC_MMAP_THRESHOLD_", "32768"), ("MALLOC_TRIM_THRESHOLD_", "131072")];

/// Connections of clients that read nothing: the rest is for those that look on.
const UNREAD: usize = 230;

/// A service that is attacked.
struct Attacked {
    address: SocketAddr,
    kibitz: Option<Kibitz>,
}

impl Attacked {
    fn start() -> Self {
        if let Ok(address) = std::env::var("KIBITZ_ATTACKED") {
            return Self { address: address.parse().unwrap(), kibitz: None };
        }
        let kibitz = Kibitz::ready_with(&SMALLEST, |command| {
            command.envs(ALLOCATOR);
        });
        Self { address: kibitz.address, kibitz: Some(kibitz) }
    }

    fn ask(&self, request: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        // A rejection may arrive before everything has been sent.
        drop(stream.write_all(request));
        read_answer(&mut stream)
    }

    /// Looks at the peak of memory, and asks for a right answer.
    fn survives(&self) {
        let question = whole("/yahtzee/best-action", QUESTION.as_bytes());
        eventually("a right answer", || {
            let (status, text) = self.ask(&question);
            status == 200 && text.contains("\"category\":\"large_straight\",\"box_points\":40")
        });
        let Some(kibitz) = &self.kibitz else { return };
        let peak = kibitz.peak();
        let config = Cli::parse_from([&["kibitz"], &SMALLEST[..]].concat()).config;
        let most = memory::process_at_most(&config) as u64;
        println!("peak {} MB of {} MB", peak / 1_000_000, most / 1_000_000);
        assert!(peak <= most, "{peak} bytes of {most}");
        assert!(memory::at_most(&config) as u64 <= 128 * MEBIBYTE);
    }

    /// Runs a number of clients that repeat this request, and returns the statuses.
    fn flood(&self, clients: usize, times: usize, request: &[u8]) -> Vec<u16> {
        std::thread::scope(|scope| {
            let client = || (0..times).map(|_| self.ask(request).0).collect::<Vec<_>>();
            let clients: Vec<_> = (0..clients).map(|_| scope.spawn(client)).collect();
            clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
        })
    }

    /// Sends a request and reads its answer, whatever becomes of it.
    fn send(&self, request: &[u8]) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(12))).unwrap();
        drop(stream.write_all(request));
        drop(stream.read_to_end(&mut Vec::new()));
    }

    /// Runs a number of clients that send this request and never read the answer.
    fn unread(&self, clients: usize, request: &[u8]) -> Vec<TcpStream> {
        let clients = (0..clients).map(|_| {
            let mut stream = connect_from([127, 0, 0, 1], self.address, false);
            stream.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
            // It blocks if the service reads no more.
            drop(stream.write_all(request));
            stream
        });
        let clients = clients.collect();
        std::thread::sleep(Duration::from_millis(500));
        clients
    }
}

fn get(path: &str, coding: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: x\r\naccept-encoding: {coding}\r\n\r\n").into_bytes()
}

/// As many sockets as are wanted, if this process may open that many files.
fn allowed(wanted: usize) -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let files = line.split_whitespace().next().unwrap().parse::<usize>();
    wanted.min(files.map_or(wanted, |files| files.saturating_sub(100)))
}

/// A batch of half a million numbers.
fn numbers() -> Vec<u8> {
    let body = format!("{{\"requests\":[{}]}}", vec!["0"; 524_279].join(","));
    whole("/yahtzee/best-action/batch", body.as_bytes())
}

/// A batch of a thousand questions with 50 unknown fields each, and its length.
fn faults() -> (Vec<u8>, usize) {
    let fields: Vec<_> = (0..50).map(|n| format!("\"f{n}\":0")).collect();
    let element = format!("{{\"dice\":[1,1,1,1,1],\"rolls_left\":0,\"rules\":{{{}}}}}", fields.join(","));
    let body = format!("{{\"requests\":[{}]}}", vec![&*element; 1_000].join(","));
    (whole("/yahtzee/best-action/batch", body.as_bytes()), body.len())
}

/// A batch of 16 questions under rules that are new for each seed.
fn new_rules(seed: u32) -> Vec<u8> {
    let element = |n| {
        let points = (seed * 17 + n) % 900 + 1;
        format!(
            "{{\"dice\":[1,3,3,4,6],\"rolls_left\":2,\"limit\":1,\"risk\":true,\"rules\":{{\"upper_bonus\":\
             {{\"points\":{points},\"threshold\":{}}}}}}}",
            60 + seed % 40
        )
    };
    let elements: Vec<_> = (0..16).map(element).collect();
    whole("/yahtzee/best-action/batch", format!("{{\"requests\":[{}]}}", elements.join(",")).as_bytes())
}

#[test]
fn batches_of_half_a_million_numbers_cost_no_tree() {
    let attacked = Attacked::start();
    let statuses = attacked.flood(8, 30, &numbers());
    assert!(statuses.iter().all(|status| [422, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&422));
    // The same as a thousand elements, each of which is too large by itself.
    let element = format!("[{}]", vec!["0"; 500].join(","));
    let body = format!("{{\"requests\":[{}]}}", vec![&*element; 1_000].join(","));
    let statuses = attacked.flood(8, 5, &whole("/yahtzee/best-action/batch", body.as_bytes()));
    assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
    attacked.survives();
}

#[test]
fn questions_of_thousands_of_values_are_one_fault() {
    let attacked = Attacked::start();
    let body = format!("{{\"dice\":[{}]}}", vec!["0"; 30_000].join(","));
    let request = whole("/yahtzee/best-action", body.as_bytes());
    let (status, text) = attacked.ask(&request);
    assert!(status == 422 && text.contains("too_many_values"), "{text}");
    let statuses = attacked.flood(8, 30, &request);
    assert!(statuses.iter().all(|&status| status == 422), "{statuses:?}");
    attacked.survives();
}

#[test]
fn faults_of_a_batch_do_not_swell_its_answer() {
    let attacked = Attacked::start();
    let (request, length) = faults();
    let (status, text) = attacked.ask(&request);
    assert_eq!(status, 200, "{text:.300}");
    assert!(text.len() < 6 * length, "{} bytes for {length}", text.len());
    let statuses = attacked.flood(4, 5, &request);
    assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
    attacked.survives();
}

#[test]
fn unread_documents_are_shared() {
    let attacked = Attacked::start();
    for path in ["/docs", "/openapi.yaml", "/openapi.json", "/craps/odds", "/craps/rolls", "/"] {
        for coding in ["gzip", "identity"] {
            // Made for the first request.
            attacked.ask(format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes());
            let held = attacked.unread(allowed(UNREAD), &get(path, coding));
            attacked.survives();
            drop(held);
        }
    }
}

#[test]
fn unread_large_answers_are_bounded_in_total() {
    let attacked = Attacked::start();
    for coding in ["gzip", "identity"] {
        let held = attacked.unread(allowed(UNREAD), &get("/craps/rolls?rows=199", coding));
        attacked.survives();
        drop(held);
    }
    let element = r#"{"dice":[1,2,3,4,6],"rolls_left":2,"limit":50}"#;
    let body = format!(r#"{{"requests":[{}]}}"#, [element; 300].join(","));
    let mut request = whole("/yahtzee/best-action/batch", body.as_bytes());
    for coding in ["gzip", "identity"] {
        let with_coding = format!("accept-encoding: {coding}\r\nconnection: close");
        request = String::from_utf8(request).unwrap().replace("connection: close", &with_coding).into_bytes();
        let held = attacked.unread(40, &request);
        attacked.survives();
        drop(held);
    }
}

#[test]
fn one_batch_waits_for_at_most_16_new_rules() {
    let attacked = Attacked::start();
    let elements: Vec<_> = (0..64)
        .map(|n| {
            format!(
                "{{\"dice\":[6,6,6,6,6],\"rolls_left\":0,\"rules\":{{\"upper_bonus\":{{\"points\":{}}}}},\"limit\":1,\
                 \"risk\":{}}}",
                36 + n,
                n % 8 == 0
            )
        })
        .collect();
    let body = format!("{{\"requests\":[{}]}}", elements.join(","));
    let (status, text) = attacked.ask(&whole("/yahtzee/best-action/batch", body.as_bytes()));
    assert_eq!(status, 200, "{text:.300}");
    let json: Value = serde_json::from_str(text.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let results = json["results"].as_array().unwrap();
    let surplus = results.iter().filter(|result| {
        let problem = &result["problem"];
        problem["code"] == "rules_queue_full" && problem["detail"].as_str().unwrap().contains("at most 16")
    });
    assert_eq!(surplus.count(), 48);
    let others = results
        .iter()
        .filter(|result| result["result"].is_object() || result["problem"]["code"] == "not_ready");
    let codes: Vec<_> =
        results.iter().map(|result| result["problem"]["code"].as_str().unwrap_or("result")).collect();
    assert_eq!(others.count(), 16, "{codes:?}");
    attacked.survives();
}

#[test]
fn all_attacks_at_once_stay_within_the_limit() {
    let attacked = Attacked::start();
    let end = Instant::now() + Duration::from_secs(15);
    let lasts = || Instant::now() < end;
    let full = format!(
        r#"{{"requests":[{}]}}"#,
        [r#"{"dice":[1,2,3,4,5],"rolls_left":2,"limit":50}"#; 300].join(",")
    );
    let stalled =
        [post("/yahtzee/best-action", 65_000).into_bytes(), b"\r\n".to_vec(), vec![b' '; 64_900]].concat();
    let bankroll = br#"{"bet":"come","bankroll":5000,"target":10000,"max_rounds":100000}"#;
    let unread = [
        (40, get("/craps/odds?odds=3-4-5x", "gzip")),
        (40, get("/craps/rolls?rows=199", "identity")),
        (30, get("/docs", "gzip").repeat(200)),
        (8, whole("/yahtzee/best-action/batch", full.as_bytes())),
        (120, stalled),
    ];
    let (faults, _) = faults();
    let posts = [(4, numbers()), (2, faults), (2, whole("/craps/bankroll", bankroll))];
    let seed = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for (clients, request) in &unread {
            scope.spawn(|| {
                while lasts() {
                    let held = attacked.unread(*clients, request);
                    std::thread::sleep(Duration::from_secs(3));
                    drop(held);
                }
            });
        }
        for (clients, request) in &posts {
            for _ in 0..*clients {
                scope.spawn(|| {
                    while lasts() {
                        attacked.send(request);
                    }
                });
            }
        }
        for _ in 0..2 {
            scope.spawn(|| {
                while lasts() {
                    attacked.send(&new_rules(seed.fetch_add(1, Ordering::Relaxed)));
                }
            });
        }
    });
    attacked.survives();
}
