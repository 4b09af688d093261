//! The service against its limits, in one run: `cargo bench --bench http`, or a part of it (`-- throughput`, `-- latency`,
//! `-- overload`, `-- growth`).
//!
//! * `throughput` (needs `wrk`): from the start of the process to `/readyz` 200 with all four presets, over one table built
//!   in process; requests per second of `POST /yahtzee/best-action` over those of a route behind the same layers that only
//!   takes a body of the same size and gives one of the same size; answers per second of batches through HTTP over those of
//!   the same questions asked in process on all cores.
//! * `latency`: percentiles at a fixed arrival rate, alone, under a job, while tables are built.
//! * `overload`: three times the batches that can be carried, at a fixed arrival rate.
//! * `growth`: the cost of an answer by the size of its batch, of a batch by cores, of a job by its decisions.

mod client;
mod growth;
mod latency;
mod overload;
#[path = "../support/mod.rs"]
mod support;

use std::net::SocketAddr;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::routing::post;
use clap::Parser;
use kibitz::config::Cli;
use kibitz::doudizhu::{self, Counts, Explanation, Hand};
use kibitz::state::AppState;
use kibitz::yahtzee::{Dice, GameTable, Objective, Position, Preset, Rules, Scorecard};
use kibitz::{http, server};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use support::Wanted::{AtLeast, Nothing};
use support::{Wanted, alternate, figure, ratio, rounds, skipped};

type Shared = Arc<AppState>;

const SECONDS: u32 = 2;
const BATCH: usize = 1_000;
const QUESTION: &str = r#"{"dice":[1,3,3,4,6],"rolls_left":2,"scorecard":{"ones":3,"yahtzee":50}}"#;

fn main() {
    let parts: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let runs = |part: &str| parts.is_empty() || parts.iter().any(|word| word == part);
    let has_wrk = Command::new("wrk").arg("-v").output().is_ok();
    if runs("throughput") {
        start_up();
    }

    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let state = AppState::new(Cli::parse_from(["kibitz"]).config).expect("a state");
    state.build_tables_blocking();
    let address = runtime.block_on(start(&state));
    if runs("throughput") && has_wrk {
        throughput(address, &state);
    } else if runs("throughput") {
        skipped("throughput", "wrk is not installed (Debian: apt-get install wrk)");
    }
    if runs("latency") {
        latency::print(address);
    }
    if runs("overload") {
        overload::print(address);
    }
    if runs("growth") {
        growth::print(address, &state);
    }
    state.shut_down();
}

fn start_up() {
    let mut memory = Vec::new();
    let to_ready = || {
        let (seconds, bytes) = to_ready();
        memory.extend(bytes);
        seconds
    };
    let ratios = alternate(rounds(5, 3), to_ready, seconds_of_a_table);
    ratio("process start to ready with all presets over one official table", &ratios, Nothing);
    if !memory.is_empty() {
        figure("memory when ready (VmRSS)", &memory, "B");
    }
}

fn throughput(address: SocketAddr, state: &Shared) {
    let mut rates = Vec::new();
    let single = || {
        rates.push(load(address, "/yahtzee/best-action", QUESTION, 32));
        rates[rates.len() - 1]
    };
    let echo = || load(address, "/echo", QUESTION, 32);
    report("requests/s of best-action over echo, 32 connections", AtLeast(0.7), single, echo);
    figure("requests/s of best-action, `wrk` on the same cores", &rates, "requests/s");

    let batch = random_batch();
    let over_http = || BATCH as f64 * load(address, "/yahtzee/best-action/batch", &batch.body, 2);
    let table = state.adviser.yahtzee.game(Preset::Official).expect("a table");
    // Every action ranked, and the sentence that explains the best.
    let answer = |position: &Position| table.advise(position, Objective::Game).in_english().len();
    let in_process = || rate_in_process(&batch.positions, answer);
    report("Yahtzee answers/s of batches of 1000 over in process", AtLeast(0.5), over_http, in_process);

    let (hands, body) = random_hands();
    let over_http = || BATCH as f64 * load(address, "/doudizhu/min-plays/batch", &body, 2);
    let solver = state.adviser.doudizhu.get(doudizhu::Preset::Standard);
    // The plays in the caller's own tokens, and the sentence that explains them.
    let answer = |hand: &Hand| {
        let plan = solver.solve(hand.counts());
        let sentence = Explanation::new(solver, hand.counts(), plan).in_english();
        hand.deal(plan.plays()).len() + sentence.len()
    };
    let in_process = || rate_in_process(&hands, answer);
    report("Dou Dizhu answers/s of batches of 1000 over in process", Nothing, over_http, in_process);
}

/// Starts the binary and asks until it is ready: the seconds that it took, and the bytes that it holds then.
fn to_ready() -> (f64, Option<f64>) {
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a port")
        .port();
    let listen = format!("127.0.0.1:{port}");
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_kibitz"))
        .args(["--listen", &listen, "--log", "off"])
        .spawn()
        .expect("the binary");
    let config = Cli::parse_from(["kibitz", "--listen", &listen]).config;
    while kibitz::healthcheck::ask(&config).is_err() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let seconds = started.elapsed().as_secs_f64();
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next());
    let bytes = resident.and_then(|kilobytes| kilobytes.parse::<f64>().ok()).map(|count| count * 1024.0);
    child.kill().and_then(|()| child.wait()).expect("an end");
    (seconds, bytes)
}

fn seconds_of_a_table() -> f64 {
    let started = Instant::now();
    let table = GameTable::build_blocking(&Rules::OFFICIAL);
    assert!(table.expected_final() > 254.0);
    started.elapsed().as_secs_f64()
}

async fn start(state: &Arc<AppState>) -> SocketAddr {
    let answer = Bytes::from(answer_to_question(state).await);
    support::note(&format!(
        "bodies of best-action and echo: {} bytes in, {} bytes out",
        QUESTION.len(),
        answer.len()
    ));
    let echo = post(move |_body: Bytes| async move { ([(CONTENT_TYPE, "application/json")], answer) });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = http::router_with(state, vec![("/echo", echo)]);
    tokio::spawn(server::serve(listener, router, state.config.limits, None, state.watch_shutdown()));
    address
}

async fn answer_to_question(state: &Arc<AppState>) -> Vec<u8> {
    use http_body_util::BodyExt;
    use tower::ServiceExt;
    let request = axum::http::Request::post("/yahtzee/best-action")
        .header(HOST, "localhost")
        .header(CONTENT_TYPE, "application/json");
    let request = request.body(axum::body::Body::from(QUESTION)).expect("a request");
    let answer = http::router(state).oneshot(request).await.expect("an answer");
    answer.into_body().collect().await.expect("a body").to_bytes().to_vec()
}

/// Requests per second that `wrk` gets answered with 200.
fn load(address: SocketAddr, path: &str, body: &str, connections: u32) -> f64 {
    let script = std::env::temp_dir().join(format!("kibitz-bench-{}.lua", std::process::id()));
    let text = format!(
        "wrk.method = 'POST'\nwrk.headers['Content-Type'] = 'application/json'\nwrk.body = [[{body}]]\n\
         function done(s) io.write(string.format('rate %f failed %d\\n', s.requests / s.duration * 1e6, s.errors.status)) end\n"
    );
    std::fs::write(&script, text).expect("a script");
    let output = Command::new("wrk")
        .args(["-t1", &format!("-c{connections}"), &format!("-d{SECONDS}s"), "-s"])
        .arg(&script)
        .arg(format!("http://{address}{path}"))
        .output()
        .expect("wrk");
    drop(std::fs::remove_file(script));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.starts_with("rate")).unwrap_or_else(|| panic!("{text}"));
    let words: Vec<_> = line.split(' ').collect();
    assert_eq!(words[3], "0", "some requests were rejected: {text}");
    words[1].parse().expect("a rate")
}

struct Batch {
    positions: Vec<Position>,
    requests: Vec<String>,
    body: String,
}

fn random_batch() -> Batch {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut positions = Vec::new();
    let mut requests = Vec::new();
    for i in 0..BATCH {
        let (dice, rolls_left) = (Dice::throw(&mut rng), i % 3);
        requests.push(format!(r#"{{"dice":{:?},"rolls_left":{rolls_left}}}"#, dice.faces()));
        let position =
            Position::new(&Rules::OFFICIAL, dice, rolls_left as i64, Scorecard::empty(&Rules::OFFICIAL));
        positions.push(position.expect("a position"));
    }
    let body = format!(r#"{{"requests":[{}]}}"#, requests.join(","));
    Batch { positions, requests, body }
}

fn random_hands() -> (Vec<Hand>, String) {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let deck: Vec<_> = Counts::DECK.ranks().collect();
    let deal = |_| {
        let mut hand: Vec<_> = deck.sample(&mut rng, 20).copied().collect();
        // In order, as `BJ` would be ambiguous.
        hand.sort_unstable();
        hand.iter().map(|rank| rank.symbol()).collect::<String>()
    };
    let texts: Vec<String> = (0..BATCH).map(deal).collect();
    let hands = texts.iter().map(|text| Hand::from_text(text).expect("a hand")).collect();
    let requests: Vec<_> = texts.iter().map(|text| format!(r#"{{"hand":"{text}"}}"#)).collect();
    (hands, format!(r#"{{"requests":[{}]}}"#, requests.join(",")))
}

/// Answers per second on all cores.
fn rate_in_process<Q: Sync>(questions: &[Q], answer: impl Fn(&Q) -> usize + Sync) -> f64 {
    let (started, mut answered) = (Instant::now(), 0);
    while started.elapsed().as_secs_f64() < f64::from(SECONDS) {
        let letters: usize = questions.par_iter().map(&answer).sum();
        assert!(letters > 0);
        answered += questions.len();
    }
    answered as f64 / started.elapsed().as_secs_f64()
}

fn report(what: &str, wanted: Wanted, one: impl FnMut() -> f64, other: impl FnMut() -> f64) {
    ratio(what, &alternate(rounds(5, 2), one, other), wanted);
}
