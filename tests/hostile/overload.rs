//! Three times the load that the service can carry: the excess is rejected at once, accepted requests stay fast, and the
//! end of the load is the end of the trouble.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::support::raw::whole;

/// Maximum number of concurrent requests.
const PLACES: usize = 4;
/// Clients that ask again as soon as they have been answered, or after the time of one answer if they were rejected.
const CLIENTS: usize = 3 * PLACES;

#[test]
fn excess_load_is_rejected_and_the_rest_stays_fast() {
    let kibitz = crate::start(&["--max-requests", "4", "--max-batches", "1"]);
    let element = r#"{"dice":[1,2,3,4,6],"rolls_left":2,"rules":"plain","limit":1}"#;
    let body = format!(r#"{{"requests":[{}]}}"#, [element; 1_000].join(","));
    let request = whole("/yahtzee/best-action/batch", body.as_bytes());
    let ask = || {
        let started = Instant::now();
        let heard = kibitz.say(&request, Duration::from_secs(20));
        (heard, started.elapsed())
    };
    let alone = || {
        let times = (0..9).map(|_| {
            let (heard, took) = ask();
            assert_eq!(heard.statuses(), [200]);
            took
        });
        median(times.collect())
    };
    let before = alone();

    let over = AtomicBool::new(false);
    let (mut accepted, mut shed, mut healthy) = (Vec::new(), Vec::new(), 0);
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(|| {
                    let (mut accepted, mut shed) = (Vec::new(), Vec::new());
                    while !over.load(Ordering::Relaxed) {
                        let (heard, took) = ask();
                        match heard.statuses()[..] {
                            [200] => accepted.push(took),
                            [503] => {
                                assert!(heard.text.contains("retry-after: 1\r\n"), "{}", heard.text);
                                assert!(heard.text.contains("\"code\":\"overloaded\""), "{}", heard.text);
                                shed.push(took);
                                std::thread::sleep(before);
                            }
                            _ => panic!("{:.300}", heard.text),
                        }
                    }
                    (accepted, shed)
                })
            })
            .collect();
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(3) {
            // Operators are answered however much there is to do.
            assert_eq!(kibitz.exchange(crate::support::raw::HEALTH).0, 200);
            healthy += 1;
            std::thread::sleep(Duration::from_millis(20));
        }
        over.store(true, Ordering::Relaxed);
        for client in clients {
            let (more_accepted, more_shed) = client.join().unwrap();
            accepted.extend(more_accepted);
            shed.extend(more_shed);
        }
    });
    let after = alone();
    let (served, refused) = (accepted.len(), shed.len());
    let (during, refusal) = (median(accepted), median(shed));
    println!(
        "alone {before:?}; with {CLIENTS} clients and {PLACES} places {served} served in {during:?}, {refused} shed in \
         {refusal:?}; afterwards {after:?}; {healthy} health checks"
    );
    assert!(served > 0 && refused > 0);
    // Each place is one turn; twice that for the clients' own share of the machine.
    assert!(during < 3 * PLACES as u32 * before, "{during:?} where {before:?} was usual");
    assert!(after < 4 * before, "{after:?} after the load, {before:?} before");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
