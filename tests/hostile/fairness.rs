//! Clients that ask for as much heavy work as they get: another client is served meanwhile.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::raw::{QUESTION, connect_from, listen, whole};

/// Half a second of work.
const HALF_A_SECOND: &str = "GET /craps/bankroll?bet=come&bankroll=5000&target=10000&max_rounds=100000 HTTP/1.1\r\nhost: x\r\n\
     connection: close\r\n\r\n";

/// The status of the answer to a request from this loopback address.
fn ask(address: SocketAddr, source: [u8; 4], request: &[u8]) -> u16 {
    let mut stream = connect_from(source, address, true);
    stream.write_all(request).unwrap();
    listen(&mut stream, Duration::from_secs(30)).statuses().first().copied().unwrap_or(0)
}

/// How many of ten rounds of a client's light questions are answered while six loops from these addresses ask for heavy
/// work.
fn answered_under(attackers: [[u8; 4]; 6]) -> [usize; 3] {
    let kibitz = crate::start(&[]);
    let kelly =
        b"GET /craps/kelly?bet=pass_line&loss_cashback=0.1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let simulation =
        whole("/craps/simulations", br#"{"kind":"decisions","bet":"pass_line","decisions":1000}"#);
    let batch = whole("/yahtzee/best-action/batch", format!("{{\"requests\":[{QUESTION}]}}").as_bytes());
    let (over, heavy) = (AtomicBool::new(false), AtomicBool::new(false));
    let mut answered = [0; 3];
    std::thread::scope(|scope| {
        for source in attackers {
            let (over, heavy, address) = (&over, &heavy, kibitz.address);
            scope.spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    if ask(address, source, HALF_A_SECOND.as_bytes()) == 200 {
                        heavy.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
        std::thread::sleep(Duration::from_millis(500));
        for _ in 0..10 {
            for (count, request) in answered.iter_mut().zip([&kelly[..], &simulation, &batch]) {
                *count += usize::from(matches!(ask(kibitz.address, [127, 0, 0, 2], request), 200..300));
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(heavy.into_inner(), "the attackers are served, too");
    println!(
        "of 10 answered: kelly {}, simulations {}, batches of one {}",
        answered[0], answered[1], answered[2]
    );
    answered
}

#[test]
fn light_work_is_served_while_one_client_loops_heavy_work() {
    assert!(answered_under([[127, 0, 0, 1]; 6]).iter().all(|&count| count >= 9));
}

#[test]
fn light_work_is_served_while_many_clients_loop_heavy_work() {
    let attackers = [1, 3, 4, 5, 6, 7].map(|last| [127, 0, 0, last]);
    assert!(answered_under(attackers).iter().all(|&count| count >= 9));
}

#[test]
fn one_client_leaves_half_of_the_heavy_work_to_others() {
    let kibitz = crate::start(&[]);
    let over = AtomicBool::new(false);
    let mut answered = 0;
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    ask(kibitz.address, [127, 0, 0, 1], HALF_A_SECOND.as_bytes());
                }
            });
        }
        std::thread::sleep(Duration::from_millis(1_500));
        for _ in 0..4 {
            answered += usize::from(ask(kibitz.address, [127, 0, 0, 2], HALF_A_SECOND.as_bytes()) == 200);
        }
        over.store(true, Ordering::Relaxed);
    });
    assert_eq!(answered, 4);
}
