//! openapi.yaml is true: its routes, methods and examples are the service's. (That every answer of every test fits
//! its schemas is checked by the test client.)

use std::collections::{BTreeMap, BTreeSet};

use crate::support::App;
use crate::support::contract::{CONTRACT, operations, resolve};
use axum::body::Body;
use axum::http::{Method, Request};
use kibitz::http::{operator_routes, page_routes, routes};
use serde_json::{Value, json};

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
    for (path, methods) in paths.iter().filter(|(path, _)| !path.contains("/simulations")) {
        for (method, operation) in methods.as_object().unwrap() {
            let place = format!("{method} {path}");
            let examples = operation.pointer("/requestBody/content/application~1json/examples");
            let answers = operation.pointer("/responses/200/content/application~1json/examples");
            match (examples, answers) {
                (Some(examples), answers) => {
                    for (name, example) in examples.as_object().unwrap() {
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
                // A fresh service has no such job to show, or to end.
                (None, None) if path.contains("/distributions") => {}
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
    let app = App::with(&["--list-jobs"]);
    let operation = |path: &str, method: &str| &CONTRACT["paths"][path][method];
    let answer_of = |path: &str, method: &str, status: &str, name: &str| {
        let examples =
            &operation(path, method)["responses"][status]["content"]["application/json"]["examples"];
        resolve(&examples[name])["value"].clone()
    };
    let posted = operation("/craps/simulations", "post");
    let examples = posted["requestBody"]["content"]["application/json"]["examples"].as_object().unwrap();
    let waiting = [("content-type", "application/json"), ("prefer", "wait=5")];
    for (name, example) in examples {
        let answer = app.post("/craps/simulations", example["value"].to_string()).await;
        assert_eq!(answer.status, 202, "{name}: {}", answer.text());
    }
    let queued = answer_of("/craps/simulations", "post", "202", "pass-line");
    assert_eq!((&queued["request"], &queued["status"]), (&examples["decisions"]["value"], &json!("queued")));

    let body = examples["any-seven"]["value"].to_string();
    let job = app.post_with("/craps/simulations", &waiting, body).await.ok();
    let path = format!("/craps/simulations/{}", job["id"].as_str().unwrap());
    let page = app.get("/craps/simulations?limit=1&status=succeeded").await.ok();
    let shown = [
        ("/craps/simulations", "post", job),
        ("/craps/simulations/{id}", "get", app.get(&path).await.ok()),
        (
            "/craps/simulations/{id}/cancel",
            "post",
            app.post_with(&format!("{path}/cancel"), &[], "").await.ok(),
        ),
    ];
    for (template, method, shown) in &shown {
        let written = answer_of(template, method, "200", "any-seven");
        assert_near(&written, shown, &format!("{method} {template}"));
    }
    let written = answer_of("/craps/simulations", "get", "200", "one-page");
    assert_eq!(page["simulations"].as_array().unwrap().len(), 1);
    assert_eq!(
        written.as_object().unwrap().keys().collect::<BTreeSet<_>>(),
        page.as_object().unwrap().keys().collect()
    );
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
            assert_eq!(a.keys().collect::<BTreeSet<_>>(), b.keys().collect::<BTreeSet<_>>(), "{place}");
            // Ids and times are new each time.
            let new = ["instance", "id", "created_at", "started_at", "finished_at", "timing"];
            a.iter()
                .filter(|(k, _)| !new.contains(&&***k))
                .for_each(|(k, a)| assert_near(a, &b[k], &format!("{place}/{k}")));
        }
        (a, b) => assert_eq!(a, b, "{place}"),
    }
}

#[tokio::test]
async fn the_file_is_served_as_it_stands() {
    let answer = App::with(&[]).get("/openapi.yaml").await;
    assert_eq!(answer.text(), include_str!("../../openapi.yaml"));
}

#[tokio::test]
async fn every_kind_of_problem_is_described() {
    let app = App::with(&[]);
    for code in CONTRACT["components"]["schemas"]["ProblemCode"]["enum"].as_array().unwrap() {
        let description = app.get(&format!("/problems/{}", code.as_str().unwrap())).await.ok();
        assert_eq!(description["code"], *code);
    }
    assert_eq!(
        kibitz::http::Kind::ALL.len(),
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
