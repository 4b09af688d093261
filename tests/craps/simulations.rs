//! Simulation jobs over HTTP.

use std::time::{Duration, Instant};

use crate::support::{Answer, App};
use axum::http::Method;
use serde_json::{Value, json};

const PATH: &str = "/craps/simulations";
/// Too many decisions for any test to wait for.
const ENDLESS: u64 = 1_000_000_000_000;

async fn submit(app: &App, body: &Value, headers: &[(&str, &str)]) -> Answer {
    let headers = [&[("content-type", "application/json")], headers].concat();
    app.post_with(PATH, &headers, body.to_string()).await
}

/// The finished job of a request that takes no time.
async fn finished(app: &App, body: Value) -> Value {
    submit(app, &body, &[("prefer", "wait=5")]).await.ok()
}

fn endless() -> Value {
    json!({"kind": "decisions", "bet": "pass_line", "decisions": ENDLESS, "seed": 1})
}

fn small() -> Value {
    json!({"kind": "decisions", "bet": "pass_line", "decisions": 1_000, "seed": 1})
}

async fn started(app: &App, body: &Value) -> String {
    let answer = submit(app, body, &[]).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    assert_eq!(answer.header("retry-after"), "1");
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(answer.header("location"), format!("{PATH}/{id}"));
    id
}

#[tokio::test]
async fn a_small_job_is_answered_at_once_with_everything() {
    let body =
        json!({"kind": "decisions", "bet": "pass_line", "odds": "3-4-5x", "decisions": 100_000, "seed": 42});
    let job = finished(&App::with(&[]), body.clone()).await;
    assert_eq!((&job["status"], &job["request"], &job["seed"]), (&json!("succeeded"), &body, &json!(42)));
    assert_eq!(job["progress"], json!({"done": 100_000, "total": 100_000}));
    let result = &job["result"];
    let counted: u64 =
        result["outcomes"].as_array().unwrap().iter().map(|o| o["count"].as_u64().unwrap()).sum();
    assert_eq!(counted, 100_000);
    let win_rate = &result["win_rate"];
    assert!((win_rate["exact"].as_f64().unwrap() - 244.0 / 495.0).abs() < 1e-12);
    assert!(win_rate["z"].as_f64().unwrap().abs() < 5.0, "{win_rate}");
    let plain = win_rate["confidence_95"].as_array().unwrap();
    let anytime = win_rate["anytime_95"].as_array().unwrap();
    assert!(anytime[0].as_f64() < plain[0].as_f64() && plain[1].as_f64() < anytime[1].as_f64());
    assert!(result["convergence"].as_array().unwrap().len() > 10);
    assert!(result["chi_squared"]["p_value"].as_f64().unwrap() > 1e-6);
}

#[tokio::test]
async fn a_request_and_its_seed_are_one_result() {
    let body = json!({"kind": "decisions", "bet": "hard_8", "decisions": 200_000, "seed": 7});
    let (one, many) = (App::with(&["--job-threads", "1"]), App::with(&["--job-threads", "3"]));
    let results =
        [finished(&one, body.clone()).await, finished(&many, body).await].map(|job| job["result"].clone());
    assert_eq!(results[0], results[1]);
    let drawn = finished(&one, json!({"kind": "decisions", "bet": "any_seven", "decisions": 5_000})).await;
    let again = json!({"kind": "decisions", "bet": "any_seven", "decisions": 5_000, "seed": drawn["seed"]});
    assert_eq!(finished(&one, again).await["result"], drawn["result"]);
}

#[tokio::test]
async fn sets_of_bets_and_sessions_run_too() {
    let app = App::with(&[]);
    let bets = json!([{"bet": "pass_line", "odds": "2x"}, {"bet": "place_6", "stake": 6}]);
    let set =
        finished(&app, json!({"kind": "decisions", "bets": bets, "decisions": 10_000, "seed": 1})).await;
    assert_eq!(set["result"]["bets"][1]["bet"], "place_6");
    assert_eq!(set["result"]["decisions"], 10_000);
    let sessions = json!({"kind": "sessions", "bet": "pass_line", "odds": "none", "bankroll": 50, "target": 100,
        "max_rounds": 200, "sessions": 20_000, "seed": 7});
    let result = finished(&app, sessions).await["result"].clone();
    let shares = ["success", "ruin", "still_playing"].map(|end| result[end]["estimate"].as_f64().unwrap());
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(result["success"]["z"].as_f64().unwrap().abs() < 5.0, "{result}");
}

#[tokio::test]
async fn a_running_job_shows_its_result_so_far_and_can_be_cancelled() {
    let app = App::with(&[]);
    let id = started(&app, &endless()).await;
    let job = loop {
        let job = app.get(&format!("{PATH}/{id}")).await.ok();
        if job["result"].is_object() {
            break job;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    };
    assert_eq!(job["status"], "running");
    assert!(job["result"]["win_rate"]["anytime_95"].is_array() && job.get("finished_at").is_none());
    let asked = Instant::now();
    let cancelled = app.post_with(&format!("{PATH}/{id}/cancel"), &[], "").await.ok();
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    assert_eq!((&cancelled["status"], &cancelled["reason"]), (&json!("cancelled"), &json!("requested")));
    assert!(cancelled["result"]["decisions"].as_u64().unwrap() > 0);
    let again = app.post_with(&format!("{PATH}/{id}/cancel"), &[], "").await.ok();
    assert_eq!(again["result"], cancelled["result"]);
}

#[tokio::test]
async fn a_deleted_job_is_unknown_and_an_expired_one_is_gone() {
    let app = App::with(&["--job-retention", "0.01"]);
    let id = started(&app, &endless()).await;
    let path = format!("{PATH}/{id}");
    assert_eq!(app.method(Method::DELETE, &path).await.status, 204);
    let unknown = app.get(&path).await.problem(404, "not_found");
    assert!(unknown["detail"].as_str().unwrap().ends_with("or start the job again."), "{unknown}");
    app.method(Method::DELETE, &path).await.problem(404, "not_found");
    app.get(&format!("{PATH}/nonsense")).await.problem(404, "not_found");
    let small = json!({"kind": "decisions", "bet": "any_seven", "decisions": 10, "seed": 1});
    let first = finished(&app, small).await["id"].as_str().unwrap().to_owned();
    tokio::time::sleep(Duration::from_millis(20)).await;
    for suffix in ["", "/events"] {
        app.get(&format!("{PATH}/{first}{suffix}")).await.problem(410, "gone");
    }
    app.post_with(&format!("{PATH}/{first}/cancel"), &[], "").await.problem(410, "gone");
}

#[tokio::test]
async fn an_idempotency_key_finds_its_job_again() {
    let app = App::with(&[]);
    let body = json!({"kind": "decisions", "bet": "any_seven", "decisions": 10});
    let key = [("idempotency-key", "order-66")];
    let first = submit(&app, &body, &key).await.json();
    let second = submit(&app, &body, &key).await.json();
    assert_eq!((&first["id"], &first["seed"]), (&second["id"], &second["seed"]));
    for put_otherwise in [
        r#"{ "decisions": 10, "bet": "any_seven", "kind": "decisions" }"#,
        r#"{"kind":"decisions","bet":"any_seven","decisions":1e1,"seed":null,"odds":"none","come_odds":null}"#,
        r#"{"kind":"decisions","bets":[{"bet":"any_seven","stake":"2/2"}],"decisions":10}"#,
    ] {
        let headers = [("content-type", "application/json"), key[0]];
        let again = app.post_with(PATH, &headers, put_otherwise).await.json();
        assert_eq!(again["id"], first["id"], "{put_otherwise}");
    }
    for (other_key, body, put_otherwise) in [
        (
            "sessions",
            json!({"kind": "sessions", "bet": "come", "odds": "2x", "bankroll": 10, "target": 20, "max_rounds": 5,
                "sessions": 10, "seed": 3}),
            json!({"seed": 3, "sessions": 10, "max_rounds": 5, "target": "20", "bankroll": 10.0, "bet": "come",
                "odds": "4:2,5:2,6:2,8:2,9:2,10:2", "come_odds": "off", "stake": 1, "when_short": "stop", "kind": "sessions"}),
        ),
        (
            "odds",
            json!({"kind": "decisions", "bet": "pass_line", "odds": "3-4-5x", "decisions": 10}),
            json!({"kind": "decisions", "bet": "pass_line", "odds": "4:3,5:4,6:5,8:5,9:4,10:3", "decisions": 10}),
        ),
    ] {
        let key = [("idempotency-key", other_key)];
        let first = submit(&app, &body, &key).await.json();
        assert_eq!(submit(&app, &put_otherwise, &key).await.json()["id"], first["id"], "{put_otherwise}");
    }
    // A seed that was drawn is not a seed that was asked for.
    let seeded = json!({"kind": "decisions", "bet": "any_seven", "decisions": 10, "seed": first["seed"]});
    submit(&app, &seeded, &key).await.problem(422, "idempotency_key_reused");
    let other = json!({"kind": "decisions", "bet": "any_seven", "decisions": 11});
    submit(&app, &other, &key).await.problem(422, "idempotency_key_reused");
    let bad = submit(&app, &body, &[("idempotency-key", "two words")]).await;
    assert_eq!(bad.faults()[0].1, "invalid_idempotency_key");
    // Faults of the body are listed with it, even those that only the layout finds.
    let fine = json!({"kind": "decisions", "bet": "pass_line", "odds": "0.00000000000001x", "decisions": -1});
    let bad = submit(&app, &fine, &[("idempotency-key", "two words")]).await;
    let mut pointers: Vec<_> = bad.faults().into_iter().map(|(pointer, _)| pointer).collect();
    pointers.sort();
    assert_eq!(pointers, ["/decisions", "/idempotency-key", "/odds"]);
}

#[tokio::test]
async fn a_full_queue_says_so_and_loses_nothing() {
    let app = App::with(&["--job-queue", "2", "--jobs-running", "1", "--job-threads", "1"]);
    let running = started(&app, &endless()).await;
    while app.get(&format!("{PATH}/{running}")).await.ok()["status"] == "queued" {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let mut taken = 0;
    for _ in 0..1_000 {
        let answer = submit(&app, &endless(), &[]).await;
        if answer.status == 202 {
            taken += 1;
        } else {
            answer.problem(503, "queue_full");
            assert_eq!(answer.header("retry-after"), "1");
        }
    }
    assert_eq!(taken, 2);
    let metrics = app.get("/metrics").await;
    for line in [
        r#"kibitz_jobs_queued{lane="long"} 2"#,
        r#"kibitz_jobs_running{lane="long"} 1"#,
        r#"kibitz_jobs_queued{lane="short"} 0"#,
        r#"kibitz_jobs_running{lane="alone"} 0"#,
    ] {
        assert!(metrics.text().lines().any(|found| found == line), "{line} in {}", metrics.text());
    }
}

#[tokio::test]
async fn events_end_with_the_job() {
    let app = App::with(&[]);
    let id = started(&app, &endless()).await;
    let listener = tokio::spawn({
        let (app, path) = (app.clone(), format!("{PATH}/{id}/events"));
        async move { app.get(&path).await }
    });
    // The listener, which runs while this task sleeps, gets the first state of the job before its end.
    loop {
        tokio::time::sleep(Duration::from_millis(5)).await;
        if !app.get(&format!("{PATH}/{id}")).await.ok()["result"].is_null() {
            break;
        }
    }
    app.post_with(&format!("{PATH}/{id}/cancel"), &[], "").await.ok();
    let events = listener.await.unwrap();
    assert_eq!(events.header("x-accel-buffering"), "no");
    let names: Vec<_> = events.text().lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    assert!(names.len() > 1 && names[..names.len() - 1].iter().all(|name| *name == "progress"), "{names:?}");
    assert_eq!(names.last(), Some(&"cancelled"));
    let last_id =
        events.text().lines().filter_map(|line| line.strip_prefix("id: ")).next_back().unwrap().to_owned();
    // A client that has seen the end need not reconnect; one that was away for long sees it.
    let over = app.get_with(&format!("{PATH}/{id}/events"), &[("last-event-id", &last_id)]).await;
    over.problem(410, "stream_ended");
    let late = app.get_with(&format!("{PATH}/{id}/events"), &[("last-event-id", "1")]).await;
    assert!(late.text().contains("event: cancelled"), "{}", late.text());
    // A finished job has one event for who comes to it first.
    let small = finished(&app, json!({"kind": "decisions", "bet": "any_seven", "decisions": 10})).await;
    let events = app.get(&format!("{PATH}/{}/events", small["id"].as_str().unwrap())).await;
    assert_eq!(events.text().matches("event: succeeded").count(), 1, "{}", events.text());
}

#[tokio::test]
async fn small_jobs_get_through_among_endless_ones() {
    let app = App::with(&["--job-threads", "1"]);
    let sessions = json!({"kind": "sessions", "bet": "fire_24_249_999", "bankroll": 5_000, "target": 10_000,
        "max_rounds": 100_000, "sessions": 1_000_000_000, "seed": 1});
    for number in 0..24 {
        let body = if number % 2 == 0 { sessions.clone() } else { endless() };
        started(&app, &body).await;
    }
    assert_eq!(finished(&app, small()).await["status"], "succeeded");
}

/// More endless jobs than the limits of running and then of queued jobs.
#[tokio::test]
async fn small_jobs_get_through_where_endless_ones_take_all_places() {
    let app = App::with(&["--job-threads", "1", "--jobs-running", "3", "--job-queue", "3"]);
    let mut refused = 0;
    for _ in 0..8 {
        let answer = submit(&app, &endless(), &[]).await;
        refused += u32::from(answer.status == 503);
    }
    assert!((1..=2).contains(&refused), "{refused}");
    assert_eq!(finished(&app, small()).await["status"], "succeeded");
    // Few plays, but many milliseconds before them.
    let long = json!({"kind": "sessions", "bet": "pass_line", "odds": "3-4-5x", "bankroll": 5_000, "target": 10_000,
        "max_rounds": 14_000, "sessions": 1, "seed": 1});
    submit(&app, &long, &[]).await.problem(503, "queue_full");
}

/// The exact chain of a long session takes a second: neither the job itself nor those behind it wait for it.
#[tokio::test]
async fn a_job_begins_before_its_exact_values_are_known() {
    let app = App::with(&["--job-threads", "1"]);
    let heavy = json!({"kind": "sessions", "bet": "pass_line", "odds": "3-4-5x", "bankroll": 5_000, "target": 10_000,
        "max_rounds": 14_000, "sessions": 1_000_000_000, "seed": 1});
    let mut last = String::new();
    for _ in 0..24 {
        last = started(&app, &heavy).await;
    }
    assert_eq!(finished(&app, small()).await["status"], "succeeded");
    let path = format!("{PATH}/{last}");
    let job = loop {
        let job = app.get(&path).await.ok();
        if job["result"].is_object() {
            break job;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    };
    let success = &job["result"]["success"];
    assert!(success["anytime_95"].is_array() && success.get("exact").is_none(), "{success}");
    let asked = Instant::now();
    let cancelled = app.post_with(&format!("{path}/cancel"), &[], "").await.ok();
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    assert_eq!(cancelled["status"], "cancelled");
}

/// Odds that may be cut to ten thousand sizes: a layout that lists each of them takes seconds.
#[tokio::test]
async fn the_largest_sessions_are_laid_out_in_a_moment() {
    let app = App::with(&["--job-threads", "1"]);
    let body = json!({"kind": "sessions", "bet": "come", "odds": "100x", "stake": 98, "bankroll": 5_000,
        "target": 10_000, "max_rounds": 100_000, "when_short": "partial", "sessions": 1_000_000_000, "seed": 1});
    let asked = Instant::now();
    for _ in 0..10 {
        started(&app, &body).await;
    }
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
}

/// However few sessions there are, and however many threads.
#[tokio::test]
async fn a_finished_job_has_all_its_exact_values() {
    let body = json!({"kind": "sessions", "bet": "pass_line", "odds": "3-4-5x", "bankroll": 500, "target": 1_000,
        "max_rounds": 3_000, "sessions": 20, "seed": 1});
    for threads in ["1", "4"] {
        let app = App::with(&["--job-threads", threads]);
        let job = finished(&app, body.clone()).await;
        assert_eq!(job["status"], "succeeded");
        let result = &job["result"];
        let shares = ["success", "ruin", "still_playing"].map(|end| result[end]["exact"].as_f64().unwrap());
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{shares:?}");
        assert!(result["rounds"]["exact"].is_f64() && result["final_bankroll"]["mean"]["exact"].is_f64());
    }
}

/// Chunks are bounded by rolls, so that a cancel of whatever job takes effect soon.
#[tokio::test]
async fn a_cancel_of_the_long_sessions_takes_effect() {
    let app = App::with(&["--job-threads", "1"]);
    let body = json!({"kind": "sessions", "bet": "pass_line", "bankroll": 3_000, "target": 6_000,
        "max_rounds": 20_000, "sessions": 1_000_000_000, "seed": 1});
    let id = started(&app, &body).await;
    let path = format!("{PATH}/{id}");
    while app.get(&path).await.ok()["result"].is_null() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let cancelled = app.post_with(&format!("{path}/cancel"), &[], "").await.ok();
    assert_eq!(cancelled["status"], "cancelled");
    let [done, sessions] = [&cancelled["progress"]["done"], &cancelled["result"]["sessions"]];
    assert_eq!(done, sessions);
}

#[tokio::test]
async fn a_shutdown_cancels_jobs_and_ends_their_events() {
    let app = App::with(&[]);
    let id = started(&app, &endless()).await;
    let listener = tokio::spawn({
        let (app, path) = (app.clone(), format!("{PATH}/{id}/events"));
        async move { app.get(&path).await }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    app.state.shut_down();
    let events = listener.await.unwrap();
    assert!(events.text().contains("event: cancelled"), "{}", events.text());
    let job = app.get(&format!("{PATH}/{id}")).await.ok();
    assert_eq!((&job["status"], &job["reason"]), (&json!("cancelled"), &json!("shutdown")));
    submit(&app, &endless(), &[]).await.problem(503, "not_ready");
    assert!(app.state.jobs.join(Duration::from_secs(10)).await);
}

#[tokio::test]
async fn request_without_a_bet_names_both_ways_to_give_one() {
    let answer = App::ready().post(PATH, r#"{"kind":"decisions","odd":"2x"}"#).await;
    let places = [("", "missing"), ("/decisions", "missing"), ("/odd", "unknown_field")];
    assert_eq!(answer.faults(), places.map(|(at, code)| (at.to_owned(), code.to_owned())));
    let detail = answer.json()["errors"][0]["detail"].to_string();
    assert!(detail.contains("`bet`") && detail.contains("`bets`"), "{detail}");
}

#[tokio::test]
async fn jobs_are_listed_only_if_allowed() {
    let off = App::with(&[]).get(PATH).await.problem(404, "not_found");
    assert!(off["detail"].as_str().unwrap().contains("KIBITZ_LIST_JOBS"), "{off}");
    let app = App::with(&["--list-jobs"]);
    for seed in 0..3 {
        finished(&app, json!({"kind": "decisions", "bet": "any_seven", "decisions": 10, "seed": seed})).await;
    }
    let page = app.get(&format!("{PATH}?limit=2&status=succeeded")).await.ok();
    let seeds = |page: &Value| {
        page["simulations"].as_array().unwrap().iter().map(|j| j["seed"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(seeds(&page), [2, 1]);
    let next = app.get(&format!("{PATH}?limit=2&cursor={}", page["next"].as_str().unwrap())).await.ok();
    assert_eq!(seeds(&next), [0]);
    assert!(next.get("next").is_none());
    let faults = app.get(&format!("{PATH}?limit=0&status=lost&cursor=x&page=2")).await.faults();
    let pointers: Vec<_> = faults.iter().map(|(pointer, _)| pointer.as_str()).collect();
    assert_eq!(pointers, ["/status", "/limit", "/cursor", "/page"]);
}

#[tokio::test]
async fn faults_are_listed_before_a_job_is_made() {
    let app = App::with(&[]);
    let ask = async |body: &str| app.post(PATH, body.to_owned()).await.faults();
    for (body, expected) in [
        ("{}", vec![("/kind", "missing")]),
        (r#"{"kind":"hands"}"#, vec![("/kind", "unknown_name")]),
        (
            r#"{"kind":7,"bet":"pass","sed":1,"seed":-1,"decisions":0,"sessions":"x","target":-3,"when_short":"cry"}"#,
            vec![
                ("/kind", "wrong_type"),
                ("/seed", "out_of_range"),
                ("/bet", "unknown_bet"),
                ("/when_short", "unknown_name"),
                ("/target", "money_out_of_range"),
                ("/decisions", "out_of_range"),
                ("/sessions", "wrong_type"),
                ("/sed", "unknown_field"),
            ],
        ),
        (
            r#"{"bets":[{"bet":"horn","stake":-1}],"bet":"horn"}"#,
            vec![("/kind", "missing"), ("/bet", "both_given"), ("/bets/0/stake", "stake_out_of_range")],
        ),
        (
            r#"{"kind":"decisions","bet":"come","come_odds":"working","decisions":1}"#,
            vec![("/odds", "missing")],
        ),
        (
            r#"{"kind":"decisions","bets":[{"bet":"horn","stake":0},{"bet":"nix","stake":20000}],"decisions":0}"#,
            vec![
                ("/bets/0/stake", "stake_out_of_range"),
                ("/bets/1/bet", "unknown_bet"),
                ("/bets/1/stake", "stake_out_of_range"),
                ("/decisions", "out_of_range"),
            ],
        ),
        (
            r#"{"kind":"decisions","bet":"pass","decisions":-1}"#,
            vec![("/bet", "unknown_bet"), ("/decisions", "out_of_range")],
        ),
        (r#"{"kind":"decisions","bet":"any_seven","decisions":1e30}"#, vec![("/decisions", "out_of_range")]),
        (
            r#"{"kind":"decisions","bet":"any_seven","decisions":1,"seed":1.5}"#,
            vec![("/seed", "not_an_integer")],
        ),
        (r#"{"kind":"decisions","bets":[],"decisions":1}"#, vec![("/bets", "wrong_length")]),
        (
            r#"{"kind":"decisions","bets":[{"bet":"any_seven","stake":0}],"decisions":1}"#,
            vec![("/bets/0/stake", "stake_out_of_range")],
        ),
        (
            r#"{"kind":"decisions","bet":"any_seven","bets":[{"bet":"any_seven"}],"decisions":1}"#,
            vec![("/bet", "both_given")],
        ),
        (
            r#"{"kind":"decisions","bet":"any_seven","decisions":1,"sessions":1}"#,
            vec![("/sessions", "unknown_field")],
        ),
    ] {
        let found = ask(body).await;
        let found: Vec<_> = found.iter().map(|(pointer, code)| (&**pointer, &**code)).collect();
        assert_eq!(found, expected, "{body}");
    }
    let fine =
        ask(r#"{"kind":"decisions","bet":"pass_line","odds":"0.00000000000001x","decisions":1}"#).await;
    assert_eq!(fine, [("/odds".to_owned(), "stake_too_fine".to_owned())]);
    let disguised = app.post(PATH, r#"{"$serde_json::private::Number":"abc"}"#).await;
    disguised.problem(422, "invalid_request");
    let odds = ask(r#"{"kind":"decisions","bet":"pass_line","odds":"7x-9","decisions":1}"#).await;
    assert_eq!(odds[0].0, "/odds");
    let session =
        ask(r#"{"kind":"sessions","bet":"pass_line","bankroll":50,"target":40,"max_rounds":0,"sessions":0}"#)
            .await;
    let pointers: Vec<_> = session.iter().map(|(pointer, _)| pointer.as_str()).collect();
    assert!(
        ["/target", "/max_rounds", "/sessions"].iter().all(|pointer| pointers.contains(pointer)),
        "{session:?}"
    );
}

#[tokio::test]
async fn a_client_may_wait_for_as_long_as_it_likes() {
    let app = App::with(&["--request-timeout", "0.5"]);
    let asked = Instant::now();
    let answer = submit(&app, &endless(), &[("prefer", "respond-async, wait=100")]).await;
    assert_eq!(answer.status, 202);
    assert!(asked.elapsed() >= Duration::from_millis(300), "{:?}", asked.elapsed());
}
