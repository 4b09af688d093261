//! The service against its limits, in one run: `cargo bench --bench http` (needs `wrk`).
//!
//! * Start-up: from the start of the process to `/readyz` 200 with all four presets, over one table built in process.
//! * Single answers: requests per second of `POST /yahtzee/best-action` over those of a route behind the same layers
//!   that only takes a body of the same size and gives one of the same size.
//! * Batches: answers per second through HTTP over those of the same questions asked in process on all cores.
//!
//! Rounds alternate, and the median of the ratios is printed: the machine's drift falls on both sides alike.

use std::net::SocketAddr;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
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

const ROUNDS: usize = 5;
const SECONDS: u32 = 3;
const BATCH: usize = 1_000;
const QUESTION: &str = r#"{"dice":[1,3,3,4,6],"rolls_left":2,"scorecard":{"ones":3,"yahtzee":50}}"#;

fn main() {
    if Command::new("wrk").arg("-v").output().is_err() {
        println!("skipped: wrk is not installed (Debian: apt-get install wrk)");
        return;
    }
    println!("start-up, {ROUNDS} rounds");
    report("process start to ready over one official table", seconds_to_ready, seconds_of_a_table);

    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let state = AppState::new(Cli::parse_from(["kibitz"]).config).expect("a state");
    state.build_tables_blocking();
    let address = runtime.block_on(start(&state));

    println!("single answers, 32 connections, {ROUNDS} rounds of {SECONDS} s");
    let single = || load(address, "/yahtzee/best-action", QUESTION, 32);
    let echo = || load(address, "/echo", QUESTION, 32);
    report("requests/s of best-action over echo", single, echo);

    println!("batches of {BATCH}, 2 connections");
    let batch = random_batch();
    let over_http = || BATCH as f64 * load(address, "/yahtzee/best-action/batch", &batch.body, 2);
    let table = state.yahtzee.game(Preset::Official).expect("a table");
    // Every action ranked, and the sentence that explains the best.
    let answer = |position: &Position| table.advise(position, Objective::Game).in_english().len();
    let in_process = || rate_in_process(&batch.positions, answer);
    report("Yahtzee answers/s of batches over in process", over_http, in_process);

    let (hands, body) = random_hands();
    let over_http = || BATCH as f64 * load(address, "/doudizhu/min-plays/batch", &body, 2);
    let solver = state.doudizhu.get(doudizhu::Preset::Standard);
    // The plays in the caller's own tokens, and the sentence that explains them.
    let answer = |hand: &Hand| {
        let plan = solver.solve(hand.counts());
        let sentence = Explanation::new(solver, hand.counts(), plan).in_english();
        hand.deal(plan.plays()).len() + sentence.len()
    };
    let in_process = || rate_in_process(&hands, answer);
    report("Dou Dizhu answers/s of batches over in process", over_http, in_process);
    state.shut_down();
}

/// Starts the binary, asks until it is ready, and prints the memory that it holds then.
fn seconds_to_ready() -> f64 {
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
    if let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", child.id())) {
        let resident = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
        println!("  {resident}");
    }
    child.kill().and_then(|()| child.wait()).expect("an end");
    seconds
}

fn seconds_of_a_table() -> f64 {
    let started = Instant::now();
    let table = GameTable::build_blocking(&Rules::OFFICIAL);
    assert!(table.expected_final() > 254.0);
    started.elapsed().as_secs_f64()
}

async fn start(state: &Arc<AppState>) -> SocketAddr {
    let answer = Bytes::from(answer_to_question(state).await);
    println!("bodies: {} bytes in, {} bytes out", QUESTION.len(), answer.len());
    let echo = post(move |_body: Bytes| async move { ([(CONTENT_TYPE, "application/json")], answer) });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = http::router_with(state, vec![("/echo", echo)]);
    tokio::spawn(server::serve(listener, router, state.config.limits, state.watch_shutdown()));
    address
}

async fn answer_to_question(state: &Arc<AppState>) -> Vec<u8> {
    use http_body_util::BodyExt;
    use tower::ServiceExt;
    let request = axum::http::Request::post("/yahtzee/best-action").header(CONTENT_TYPE, "application/json");
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
    assert_eq!(words[3], "0", "some requests were refused: {text}");
    words[1].parse().expect("a rate")
}

struct Batch {
    positions: Vec<Position>,
    body: String,
}

fn random_batch() -> Batch {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut positions = Vec::new();
    let mut requests = Vec::new();
    for i in 0..BATCH {
        let (dice, rolls_left) = (Dice::throw(&mut rng), i % 3);
        requests.push(format!(r#"{{"dice":{:?},"rolls_left":{rolls_left}}}"#, dice.faces()));
        let position = Position::new(&Rules::OFFICIAL, dice, rolls_left as i64, Scorecard::empty());
        positions.push(position.expect("a position"));
    }
    Batch { positions, body: format!(r#"{{"requests":[{}]}}"#, requests.join(",")) }
}

fn random_hands() -> (Vec<Hand>, String) {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let deck: Vec<String> = Counts::DECK.ranks().map(|rank| rank.symbol().to_string()).collect();
    let deal = |_| deck.sample(&mut rng, 20).cloned().collect::<String>();
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

fn report(what: &str, a: impl Fn() -> f64, b: impl Fn() -> f64) {
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let (a, b) = (a(), b());
        println!("  {a:>12.4} over {b:>12.4} = {:.3}", a / b);
        ratios.push(a / b);
    }
    ratios.sort_by(f64::total_cmp);
    println!("{what}: median {:.3}", ratios[ROUNDS / 2]);
}
