//! openapi.yaml is true: its routes, methods and examples are the service's. (That every answer of every test fits
//! its schemas is checked by the test client.)

use std::collections::{BTreeMap, BTreeSet};

use crate::support::App;
use crate::support::contract::{CONTRACT, operations, resolve};
use axum::body::Body;
use axum::http::{Method, Request};
use kibitz::http::{operator_routes, page_routes, routes};
use serde_json::{Map, Value, json};

#[tokio::test]
async fn the_routes_are_those_of_the_file() {
    let app = App::with(&[]);
    let mut served = BTreeMap::new();
    for (path, _) in routes(&app.state).into_iter().chain(operator_routes(&app.state)).chain(page_routes()) {
        // A method that no route has is answered with those that this one has.
        let answer = app
            .method(
                Method::TRACE,
                &path
                    .replace("{code}", "not_found")
                    .replace("{id}", "0")
                    .replace("{bet}", "pass_line")
                    .replace("{*file}", "icon.svg")
                    .replace("{file}", "reference.css"),
            )
            .await;
        assert_eq!(answer.status, 405, "{path}");
        let methods: BTreeSet<_> =
            answer.header("allow").to_ascii_lowercase().split(',').map(str::to_owned).collect();
        served.insert(path.replace("{*", "{"), methods);
    }
    // HEAD comes with every GET.
    let mut written = operations();
    for methods in written.values_mut().filter(|methods| methods.contains("get")) {
        methods.insert("head".to_owned());
    }
    assert_eq!(served, written);
}

#[tokio::test]
async fn every_example_gets_the_answer_of_the_file() {
    let app = App::ready();
    let mut sent = 0;
    // Jobs are told apart by more than a request: `the_examples_of_jobs_are_answered`.
    let paths = CONTRACT["paths"].as_object().unwrap();
    for (path, methods) in
        paths.iter().filter(|(path, _)| !path.contains("/simulations") && !path.contains("/distributions"))
    {
        for (method, operation) in methods.as_object().unwrap() {
            let place = format!("{method} {path}");
            let examples = operation.pointer("/requestBody/content/application~1json/examples");
            let answers = operation.pointer("/responses/200/content/application~1json/examples");
            match (examples, answers) {
                (Some(examples), answers) => {
                    for (name, example) in examples.as_object().unwrap() {
                        if operation["responses"]["202"]
                            .pointer(&format!("/content/application~1json/examples/{name}"))
                            .is_some()
                        {
                            // It takes a job.
                            continue;
                        }
                        let body = serde_json::to_string(&example["value"]).unwrap();
                        let answer = app.post(path, body).await;
                        sent += 1;
                        match answers {
                            Some(answers) => {
                                let written = &answers[name]["value"];
                                assert_near(written, &answer.ok(), &format!("{place} {name}"));
                            }
                            None => panic!("{place}: no answer to {name}"),
                        }
                    }
                }
                (None, Some(answers)) => {
                    let answer = app.get(&with_examples(path, operation)).await.ok();
                    for (name, example) in answers.as_object().unwrap() {
                        assert_near(&example["value"], &answer, &format!("{place} {name}"));
                        sent += 1;
                    }
                }
                // What is no JSON, and what the example of another method shows.
                (None, None) => {
                    let answer = app.get(&with_examples(path, operation)).await;
                    assert_eq!(answer.status, 200, "{place}: {}", answer.text());
                }
            }
        }
    }
    assert!(sent >= 10, "only {sent} examples");
}

/// Every request example is taken; the answers to one are those of the file, by whatever method the job is asked after.
#[tokio::test]
async fn the_examples_of_jobs_are_answered() {
    let app = App::with(&["--list-jobs", "--yahtzee-rules", "official", "--request-timeout", "120"]);
    app.state.build_tables_blocking();
    for (submitted, jobs, plural, waits, ends) in [
        ("/craps/simulations", "/craps/simulations", "simulations", "decisions", "any-seven"),
        ("/yahtzee/distribution", "/yahtzee/distributions", "distributions", "seven-boxes", "seven-boxes"),
    ] {
        let [one, cancel, events] =
            ["{id}", "{id}/cancel", "{id}/events"].map(|rest| format!("{jobs}/{rest}"));
        let posted = &CONTRACT["paths"][submitted]["post"];
        let examples = posted["requestBody"]["content"]["application/json"]["examples"].as_object().unwrap();
        let only_a_job = |name: &str| submitted == jobs || name == ends;
        for (name, example) in examples.iter().filter(|(name, _)| only_a_job(name)) {
            let answer = app.post(submitted, example["value"].to_string()).await;
            assert_eq!(answer.status, 202, "{name}: {}", answer.text());
        }
        let (_, queued) = one_example(submitted, "post", "202");
        assert_eq!((&queued["request"], &queued["status"]), (&examples[waits]["value"], &json!("queued")));

        let waiting = [("content-type", "application/json"), ("prefer", "wait=60")];
        let body = examples[ends]["value"].to_string();
        let job = app.post_with(submitted, &waiting, body).await.ok();
        let path = one.replace("{id}", job["id"].as_str().unwrap());
        let shown = [
            (submitted, "post", job),
            (&one, "get", app.get(&path).await.ok()),
            (&cancel, "post", app.post_with(&format!("{path}/cancel"), &[], "").await.ok()),
        ];
        for (template, method, shown) in &shown {
            let written = resolve(
                &CONTRACT["paths"][template][method]["responses"]["200"]["content"]["application/json"]["examples"]
                    [ends],
            );
            assert_near(&written["value"], shown, &format!("{method} {template}"));
        }
        let page = app.get(&format!("{jobs}?limit=1&status=succeeded")).await.ok();
        let (_, written) = one_example(jobs, "get", "200");
        for page in [&page, &written] {
            assert_eq!(page[plural].as_array().unwrap().len(), 1);
            assert!(page["next"].is_string(), "{page}");
        }
        assert_near(&written[plural][0]["result"], &shown[0].2["result"], jobs);
        let (name, written) = one_example(&events, "get", "200");
        assert_eq!((&*name, &written["status"]), ("progress", &json!("running")));
        let news = app.get(&format!("{path}/events")).await;
        assert!(news.text().contains("event: succeeded"), "{}", news.text());
    }
}

/// The only example of an answer, with its name.
fn one_example(path: &str, method: &str, status: &str) -> (String, Value) {
    let content = &CONTRACT["paths"][path][method]["responses"][status]["content"];
    let examples = content.as_object().unwrap().values().next().unwrap()["examples"].as_object().unwrap();
    let (name, example) = examples.iter().next().unwrap();
    (name.clone(), resolve(example)["value"].clone())
}

/// Which operations can be answered 429 and 503. A rate limit spares the operator alone; the limit on concurrent requests
/// is for the operations that answer questions.
#[tokio::test]
async fn rejections_by_layers_are_documented_for_each_operation() {
    let limited = App::with(&["--rate-limit", "1"]);
    limited.get("/version").await.ok();
    let full = App::with(&["--max-requests", "1", "--request-timeout", "600"]);
    let endless = r#"{"kind":"decisions","bet":"any_seven","decisions":1000000000000}"#;
    let waiting = [("content-type", "application/json"), ("prefer", "wait=400")];
    let holder = {
        let full = full.clone();
        tokio::spawn(async move { full.post_with("/craps/simulations", &waiting, endless).await })
    };
    // The only place is taken for as long as the holder waits.
    while full.state.jobs.counts().running == [0; 3] {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    for (path, methods) in CONTRACT["paths"].as_object().unwrap() {
        let asks = routes(&full.state).iter().any(|(route, _)| route == path);
        for (method, operation) in methods.as_object().unwrap() {
            let place = format!("{method} {path}");
            let lists = |status: &str| operation["responses"].get(status).is_some();
            let url = with_examples(path, operation).replace("{id}", &"0".repeat(32));
            let method: Method = method.to_ascii_uppercase().parse().unwrap();
            let [often, much] = [limited.method(method.clone(), &url).await, full.method(method, &url).await];
            let counts = !["/healthz", "/readyz", "/metrics"].contains(&&**path);
            assert_eq!((often.status == 429, lists("429")), (counts, counts), "{place}");
            // Readiness has a 503 of its own.
            let expected = if path == "/readyz" { (true, true) } else { (asks, asks) };
            assert_eq!((much.status == 503, lists("503")), expected, "{place}");
        }
    }
    holder.abort();
}

/// The path with the examples of its parameters.
fn with_examples(path: &str, operation: &'static Value) -> String {
    let (mut path, mut query) = (path.to_owned(), Vec::new());
    for parameter in operation["parameters"].as_array().into_iter().flatten().map(resolve) {
        let name = parameter["name"].as_str().unwrap();
        let Some(example) = parameter.get("example") else { continue };
        let text = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
        match parameter["in"].as_str() {
            Some("path") => path = path.replace(&format!("{{{name}}}"), &text),
            _ => query.push(format!("{name}={text}")),
        }
    }
    if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
}

/// Equal but for the last digits of numbers, for ids and for times.
fn assert_near(written: &Value, sent: &Value, place: &str) {
    match (written, sent) {
        (Value::Number(a), Value::Number(b)) => {
            assert!((a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-9, "{place}: {a} is not {b}");
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{place}");
            a.iter().zip(b).enumerate().for_each(|(i, (a, b))| assert_near(a, b, &format!("{place}/{i}")));
        }
        (Value::Object(a), Value::Object(b)) => {
            // A build in development knows neither its commit nor its time.
            let names = |object: &Map<String, Value>| -> BTreeSet<_> {
                object.keys().filter(|name| !["commit", "built"].contains(&&***name)).cloned().collect()
            };
            assert_eq!(names(a), names(b), "{place}");
            // Ids and times are new each time, and the build's details are not those of the example.
            let new =
                ["commit", "built", "instance", "id", "created_at", "started_at", "finished_at", "timing"];
            a.iter()
                .filter(|(k, _)| !new.contains(&&***k))
                .for_each(|(k, a)| assert_near(a, &b[k], &format!("{place}/{k}")));
        }
        (a, b) => assert_eq!(a, b, "{place}"),
    }
}

#[tokio::test]
async fn contract_is_served_unchanged() {
    let answer = App::with(&[]).get("/openapi.yaml").await;
    assert_eq!(answer.text(), include_str!("../../openapi.yaml"));
}

#[tokio::test]
async fn json_document_equals_the_yaml_document() {
    for (base_path, server) in [("", "/"), ("/kibitz", "/kibitz")] {
        let app = App::with(&["--base-path", base_path]);
        let yaml = app.get(&format!("{base_path}/openapi.yaml")).await;
        let yaml: Value = serde_saphyr::from_str(yaml.text()).unwrap();
        let answer = app.get(&format!("{base_path}/openapi.json")).await;
        assert_eq!(answer.header("content-type"), "application/json");
        assert!(answer.text().starts_with(r#"{"openapi": "3.0.3", "info""#), "fields keep their order");
        assert_eq!(answer.ok(), yaml);
        assert_eq!(yaml["servers"][0]["url"], server);
        let known = [("if-none-match", answer.header("etag"))];
        assert_eq!(app.get_with(&format!("{base_path}/openapi.json"), &known).await.status, 304);
    }
}

#[tokio::test]
async fn every_kind_of_problem_is_described() {
    let app = App::with(&[]);
    for code in CONTRACT["components"]["schemas"]["ProblemCode"]["enum"].as_array().unwrap() {
        let description = app.get(&format!("/problems/{}", code.as_str().unwrap())).await.ok();
        assert_eq!(description["code"], *code);
    }
    assert_eq!(
        kibitz::questions::Kind::ALL.len(),
        CONTRACT["components"]["schemas"]["ProblemCode"]["enum"].as_array().unwrap().len()
    );
    app.get("/problems/nonsense").await.problem(404, "not_found");
}

#[tokio::test]
async fn a_problem_leads_to_its_description() {
    let app = App::with(&["--base-path", "/kibitz/"]);
    let problem = app.get("/kibitz/nothing").await.problem(404, "not_found");
    let description = app.get(problem["type"].as_str().unwrap()).await.ok();
    assert_eq!(description["title"], problem["title"]);
    app.send(Request::get("/nothing").body(Body::empty()).unwrap()).await.problem(404, "not_found");
}
