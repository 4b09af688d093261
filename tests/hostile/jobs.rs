//! One client that submits as many jobs as it can: others keep their results and get their share.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Method, Request};
use kibitz::server::Peer;
use serde_json::{Value, json};

use crate::support::{Answer, App};

const PATH: &str = "/craps/simulations";
const ATTACKER: &str = "192.0.2.66";
const VICTIM: &str = "192.0.2.1";

/// The service, asked by clients with addresses.
async fn ask(app: &App, client: &str, method: Method, path: &str, key: Option<&str>, body: String) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    let mut request = request.body(Body::from(body)).unwrap();
    let client: IpAddr = client.parse().unwrap();
    request.extensions_mut().insert(Peer(SocketAddr::new(client, 4711)));
    app.send(request).await
}

async fn submit(app: &App, client: &str, body: &Value) -> Answer {
    ask(app, client, Method::POST, PATH, None, body.to_string()).await
}

async fn find(app: &App, client: &str, id: &str) -> Answer {
    ask(app, client, Method::GET, &format!("{PATH}/{id}"), None, String::new()).await
}

/// The job as soon as it has ended.
async fn end_of(app: &App, client: &str, id: &str) -> Value {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let job = find(app, client, id).await.ok();
        if job.get("finished_at").is_some() {
            return job;
        }
        assert!(Instant::now() < deadline, "{job}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

fn id_of(answer: &Answer) -> String {
    answer.json()["id"].as_str().unwrap_or_else(|| panic!("{}", answer.text())).to_owned()
}

fn small() -> Value {
    json!({"kind": "decisions", "bet": "any_seven", "decisions": 1, "seed": 1})
}

fn endless() -> Value {
    json!({"kind": "decisions", "bet": "pass_line", "decisions": 1_000_000_000_000_u64, "seed": 1})
}

#[tokio::test]
async fn flood_of_small_jobs_evicts_no_result_of_another_client() {
    let app = App::with(&["--jobs-kept", "20"]);
    let victims = id_of(&submit(&app, VICTIM, &small()).await);
    end_of(&app, VICTIM, &victims).await;
    let (mut accepted, mut rejected) = (Vec::new(), 0);
    for _ in 0..200 {
        let answer = submit(&app, ATTACKER, &small()).await;
        if answer.status == 503 {
            answer.problem(503, "results_full");
            let seconds: u64 = answer.header("retry-after").parse().unwrap();
            assert!((1..=60).contains(&seconds), "{seconds}");
            rejected += 1;
        } else {
            let id = id_of(&answer);
            end_of(&app, ATTACKER, &id).await;
            accepted.push(id);
        }
    }
    // Half of the results that are kept.
    assert_eq!((accepted.len(), rejected), (10, 190));
    find(&app, VICTIM, &victims).await.ok();
    id_of(&submit(&app, VICTIM, &small()).await);
    // A client that deletes its results can go on.
    let path = format!("{PATH}/{}", accepted[0]);
    let deleted = ask(&app, ATTACKER, Method::DELETE, &path, None, String::new()).await;
    assert_eq!(deleted.status, 204);
    id_of(&submit(&app, ATTACKER, &small()).await);
}

#[tokio::test]
async fn endless_jobs_of_one_client_leave_half_of_the_queue_and_of_the_permits() {
    let app = App::with(&["--job-threads", "1", "--jobs-running", "4", "--job-queue", "6"]);
    let mut accepted = Vec::new();
    for _ in 0..50 {
        let answer = submit(&app, ATTACKER, &endless()).await;
        if answer.status != 503 {
            accepted.push(id_of(&answer));
        }
        // Let the job start, if it may.
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Two that run, three that wait.
    assert_eq!(accepted.len(), 5);
    for _ in 0..2 {
        let id = id_of(&submit(&app, VICTIM, &endless()).await);
        let deadline = Instant::now() + Duration::from_secs(20);
        while find(&app, VICTIM, &id).await.ok()["status"] != "running" {
            assert!(Instant::now() < deadline);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
    let metrics = app.get("/metrics").await;
    assert!(metrics.text().contains(r#"kibitz_jobs_running{lane="long"} 4"#), "{}", metrics.text());
}

#[tokio::test]
async fn endless_jobs_end_at_the_time_limit_and_free_their_permits() {
    let app = App::with(&["--job-threads", "1", "--jobs-running", "2", "--job-max-time", "0.3"]);
    let mut ids = Vec::new();
    for _ in 0..6 {
        ids.push(id_of(&submit(&app, ATTACKER, &endless()).await));
    }
    for id in ids {
        let job = end_of(&app, ATTACKER, &id).await;
        assert_eq!((&job["status"], &job["reason"]), (&json!("cancelled"), &json!("time_limit")));
        assert_eq!(job["result"]["decisions"], job["progress"]["done"]);
        assert!(job["timing"]["elapsed_ms"].as_f64().unwrap() >= 300.0, "{job}");
    }
}

#[tokio::test]
async fn job_keeps_its_request_not_64_kb_of_digits() {
    let app = App::with(&[]);
    let zeros = "0".repeat(60_000);
    let body = format!(r#"{{"kind":"decisions","bet":"any_seven","decisions":1.{zeros},"seed":1}}"#);
    let answer = ask(&app, ATTACKER, Method::POST, PATH, None, body).await;
    assert_eq!(answer.json()["request"], small());
    let spaces = " ".repeat(60_000);
    let body = format!(
        r#"{{"kind":"sessions","bet":"pass_line","bankroll":"{spaces}10{spaces}","target":20.0,"max_rounds":5,"sessions":1}}"#
    );
    let body = body.replace(&format!("{spaces}\""), "\"");
    let answer = ask(&app, ATTACKER, Method::POST, PATH, None, body).await;
    let job = end_of(&app, ATTACKER, &id_of(&answer)).await;
    // What is short stays as it was written.
    let request = json!({"kind": "sessions", "bet": "pass_line", "bankroll": "10", "target": 20.0, "max_rounds": 5, "sessions": 1});
    assert_eq!((&job["request"], &job["status"]), (&request, &json!("succeeded")));
}

#[tokio::test]
async fn guessed_idempotency_key_of_another_client_gives_a_job_of_its_own() {
    let app = App::with(&["--trusted-proxies", "10.0.0.0/8"]);
    let with_key = |client, body: Value| ask(&app, client, Method::POST, PATH, Some("1"), body.to_string());
    let victims = id_of(&with_key(VICTIM, small()).await);
    assert_eq!(id_of(&with_key(VICTIM, small()).await), victims);
    assert_ne!(id_of(&with_key(ATTACKER, small()).await), victims);
    // It cannot block the key either.
    with_key(ATTACKER, endless()).await.problem(422, "idempotency_key_reused");
    assert_eq!(id_of(&with_key(VICTIM, small()).await), victims);
    with_key(VICTIM, endless()).await.problem(422, "idempotency_key_reused");
}
