//! openapi.yaml as a judge of answers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use axum::http::Method;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::Answer;

/// The file, as JSON.
pub static CONTRACT: LazyLock<Value> =
    LazyLock::new(|| serde_saphyr::from_str(include_str!("../../openapi.yaml")).unwrap());

/// The methods of each path template, in lower case.
pub fn operations() -> BTreeMap<String, BTreeSet<String>> {
    let paths = CONTRACT["paths"].as_object().unwrap();
    paths
        .iter()
        .map(|(path, methods)| (path.clone(), methods.as_object().unwrap().keys().cloned().collect()))
        .collect()
}

/// Panics where an answer is not as the file says.
pub fn check(method: &Method, path: &str, answer: &Answer) {
    let problem = json!({"$ref": "#/components/schemas/Problem"});
    assert!(!answer.header("x-request-id").is_empty(), "an answer without a request id");
    let Some((template, methods)) = find(path) else {
        let status = answer.status.as_u16();
        assert!([404, 429].contains(&status), "{method} {path} is not in openapi.yaml, but gets {status}");
        return validate(&problem, answer, &format!("{path}: {status}"));
    };
    let name = if *method == Method::HEAD { "get".to_owned() } else { method.as_str().to_ascii_lowercase() };
    let Some(operation) = methods.get(&name) else {
        if *method != Method::OPTIONS {
            assert_eq!(answer.status, 405, "{method} {template} is not in openapi.yaml");
            validate(&problem, answer, &format!("{template}: 405"));
        }
        return;
    };
    let status = answer.status.as_str();
    let place = format!("{method} {template} {status}");
    let response = resolve(&operation["responses"][status]);
    assert!(response.is_object(), "{place} is not in openapi.yaml: {}", answer.text());
    if let Some(headers) = response["headers"].as_object() {
        for header in headers.keys() {
            assert!(answer.headers.contains_key(header), "{place}: the header {header} is missing");
        }
    }
    let compressed = answer.headers.contains_key("content-encoding");
    match response.get("content").and_then(Value::as_object) {
        _ if *method == Method::HEAD => assert!(answer.body.is_empty(), "{place}: a body for HEAD"),
        None => assert!(answer.body.is_empty(), "{place}: a body that openapi.yaml does not know"),
        Some(content) => {
            let media_type = answer.header("content-type").split(';').next().unwrap();
            let schema =
                &content.get(media_type).unwrap_or_else(|| panic!("{place}: {media_type}"))["schema"];
            if !compressed && media_type.ends_with("json") {
                validate(schema, answer, &place);
            }
        }
    }
}

fn find(path: &str) -> Option<(&'static str, &'static Map<String, Value>)> {
    let paths = CONTRACT["paths"].as_object().unwrap();
    let fits = |template: &str| {
        let (wanted, given): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
        let mut segments = wanted.iter().zip(&given);
        // The name of a file of the page may hold a slash.
        let rest = wanted.last() == Some(&"{file}") && given.len() > wanted.len();
        (wanted.len() == given.len() || rest)
            && segments.all(|(wanted, given)| wanted.starts_with('{') || wanted == given)
    };
    paths
        .iter()
        .find(|(template, _)| fits(template))
        .map(|(template, item)| (template.as_str(), item.as_object().unwrap()))
}

/// The object that a `$ref` leads to, or the object itself.
pub fn resolve(value: &'static Value) -> &'static Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => CONTRACT.pointer(reference.strip_prefix('#').unwrap()).unwrap(),
        None => value,
    }
}

fn validate(schema: &Value, answer: &Answer, place: &str) {
    let body = answer.json();
    let validator = validator(schema);
    let faults: Vec<_> =
        validator.iter_errors(&body).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(faults.is_empty(), "{place} differs from openapi.yaml: {faults:#?}\n{body:#}");
    let known = &CONTRACT["components"]["schemas"]["Fault"]["properties"]["code"]["x-known-codes"];
    for fault in body["errors"].as_array().into_iter().flatten() {
        let code = &fault["code"];
        assert!(known.as_array().unwrap().contains(code), "{place}: {code} is not in x-known-codes");
    }
}

/// A validator in which no object may have fields that the file does not name: what is sent must be documented.
fn validator(schema: &Value) -> Validator {
    static CLOSED: LazyLock<Value> = LazyLock::new(|| {
        let mut schemas = CONTRACT["components"]["schemas"].clone();
        close(&mut schemas);
        schemas
    });
    let mut schema = schema.clone();
    close(&mut schema);
    let root = json!({"allOf": [schema], "components": {"schemas": *CLOSED}});
    jsonschema::draft202012::new(&root).unwrap()
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(close);
            if object.get("properties").is_some_and(Value::is_object)
                && object.get("type") == Some(&json!("object"))
            {
                object.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}
