//! Latencies at a fixed arrival rate, a quarter of what is carried at most: of an answer beside an echo, and of the same
//! answer while a job runs and while tables of house rules are built, all in turns.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use kibitz::yahtzee::{GameTable, Rules};

use crate::QUESTION;
use crate::client::{Connection, as_fast_as_it_goes, at_rate, post};
use crate::support::Wanted::{self, AtMost, Nothing};
use crate::support::{alternate, figure, note, percentile, ratio, rounds, seconds};

const SHARES: [(&str, f64); 3] = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)];
/// More than can be busy at this rate, unless something stalls.
const CONNECTIONS: usize = 32;
/// How many new rule sets are asked for at a time.
const NEW_RULES: usize = 20;
/// The work of a job that outlasts a round.
const HUGE: &str = r#"{"kind":"decisions","bet":"pass_line","odds":"3-4-5x","decisions":100000000000}"#;

pub(crate) fn print(address: SocketAddr) {
    let answer = post("/yahtzee/best-action", "", QUESTION);
    let echo = post("/echo", "", QUESTION);
    // This generator is dearer than wrk, on the same cores: what it finds is less than wrk would, and a quarter of it a
    // rate that is surely carried.
    let capacity: Vec<f64> = (0..3).map(|_| as_fast_as_it_goes(address, &answer, CONNECTIONS, 1.0)).collect();
    figure(
        "capacity as this load generator finds it, beside itself on the same cores",
        &capacity,
        "requests/s",
    );
    let rate = crate::support::median(&capacity) / 4.0;
    note(&format!(
        "latencies at {rate:.0} requests/s, a quarter of that, from the time each request was due"
    ));

    let length = if crate::support::quick() { 1.0 } else { 2.0 };
    let load = |request: &[u8]| {
        let answers = at_rate(address, request, rate, length, CONNECTIONS);
        assert!(answers.iter().all(|answer| answer.status == 200), "all are answered");
        answers.into_iter().map(|answer| answer.seconds).collect::<Vec<_>>()
    };
    let (mut alone, mut echoed, mut under_job, mut echoed_under_job, mut under_builds) =
        (Latencies::new(), Latencies::new(), Latencies::new(), Latencies::new(), Latencies::new());
    let mut building = Vec::new();
    load(&answer);
    for _ in 0..rounds(5, 2) {
        echoed.push(&load(&echo));
        alone.push(&load(&answer));
        let job = Job::start(address);
        under_job.push(&load(&answer));
        echoed_under_job.push(&load(&echo));
        job.cancel();
        thread::scope(|scope| {
            let builds = scope.spawn(|| build_new_rules(address));
            under_builds.push(&load(&answer));
            building.push(builds.join().expect("a thread"));
        });
    }
    alone.over(&echoed, "best-action over echo, alone", [Nothing; 3]);
    under_job.over(
        &alone,
        "best-action under a job of 1e11 decisions over alone",
        [Nothing, AtMost(5.0), Nothing],
    );
    echoed_under_job.over(&echoed, "echo under that job over alone, for what the machine does", [Nothing; 3]);
    let name = format!("best-action while {NEW_RULES} new rule sets are built over alone");
    under_builds.over(&alone, &name, [Nothing, AtMost(5.0), Nothing]);
    alone.print("best-action alone");
    figure(
        &format!("{NEW_RULES} new rule sets asked for at once, all answered under that load"),
        &building,
        "s",
    );

    let first = alternate(
        rounds(15, 3),
        || seconds(|| ask_under_new_rules(address)),
        || seconds(|| GameTable::build_blocking(&Rules::OFFICIAL)),
    );
    ratio("first answer under new rules over the build of a preset's table", &first, AtMost(4.0));
}

/// The percentiles of each round.
struct Latencies([Vec<f64>; 3]);

impl Latencies {
    fn new() -> Self {
        Self(Default::default())
    }

    fn push(&mut self, sorted: &[f64]) {
        for (values, (_, share)) in self.0.iter_mut().zip(SHARES) {
            values.push(percentile(sorted, share));
        }
    }

    fn over(&self, other: &Self, name: &str, wanted: [Wanted; 3]) {
        for (index, (share, _)) in SHARES.iter().enumerate() {
            let ratios: Vec<f64> = self.0[index].iter().zip(&other.0[index]).map(|(a, b)| a / b).collect();
            ratio(&format!("{name}: {share}"), &ratios, wanted[index]);
        }
    }

    fn print(&self, name: &str) {
        for (values, (share, _)) in self.0.iter().zip(SHARES) {
            figure(&format!("{name}: {share}"), values, "s");
        }
    }
}

/// A job that runs until it is cancelled.
struct Job {
    address: SocketAddr,
    path: String,
}

impl Job {
    fn start(address: SocketAddr) -> Self {
        let mut connection = Connection::open(address);
        let (status, body) = connection.ask(&post("/craps/simulations", "", HUGE));
        let body: serde_json::Value = serde_json::from_slice(body).expect("JSON");
        assert_eq!(status, 202, "{body}");
        let id = body["id"].as_str().expect("an id");
        Self { address, path: format!("/craps/simulations/{id}/cancel") }
    }

    /// Ends it, and makes sure that it had run all the time.
    fn cancel(self) {
        let mut connection = Connection::open(self.address);
        let (_, body) = connection.ask(&post(&self.path, "", ""));
        let body: serde_json::Value = serde_json::from_slice(body).expect("JSON");
        assert_eq!(body["status"], "cancelled", "{body}");
    }
}

/// The same rules are never asked for twice.
fn new_rules() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let (threshold, points) = (50 + number % 10, 36 + number / 10);
    format!(
        r#"{{"dice":[1,3,3,4,6],"rolls_left":2,"limit":1,"rules":{{"base":"official","upper_bonus":{{"threshold":{threshold},"points":{points}}}}}}}"#
    )
}

/// Asks until there is an answer: on a slow machine the tables before this one may take longer than a request may last.
fn ask_under_new_rules(address: SocketAddr) {
    let mut connection = Connection::open(address);
    let request = post("/yahtzee/best-action", "", &new_rules());
    loop {
        let (status, body) = connection.ask(&request);
        match status {
            200 => return,
            503 => thread::sleep(Duration::from_millis(100)),
            _ => panic!("{status}: {}", String::from_utf8_lossy(body)),
        }
    }
}

/// Asks for new rules, all at once, and waits for all answers; gives the seconds that it took.
fn build_new_rules(address: SocketAddr) -> f64 {
    seconds(|| {
        thread::scope(|scope| {
            for _ in 0..NEW_RULES {
                scope.spawn(|| ask_under_new_rules(address));
            }
        });
    })
}
