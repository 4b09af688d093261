//! openapi.yaml is written so that the common generators of clients make good types of it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::support::contract::{CONTRACT, operations, resolve};

/// Every schema of the document, those inside others too, with a pointer to it.
fn schemas() -> Vec<(String, &'static Map<String, Value>)> {
    let mut found = Vec::new();
    collect(&CONTRACT, "#", false, &mut found);
    assert!(found.len() > 500, "only {} schemas", found.len());
    found
}

/// Walks the document. Examples are data, and the names of properties are no keywords.
fn collect(
    node: &'static Value,
    at: &str,
    is_schema: bool,
    found: &mut Vec<(String, &'static Map<String, Value>)>,
) {
    match node {
        Value::Object(fields) => {
            if is_schema {
                found.push((at.to_owned(), fields));
            }
            for (name, value) in fields {
                let place = format!("{at}/{name}");
                match name.as_str() {
                    "example" | "examples" => {}
                    "properties" | "schemas" => {
                        for (name, schema) in value.as_object().unwrap() {
                            collect(schema, &format!("{place}/{name}"), true, found);
                        }
                    }
                    "schema" | "items" | "additionalProperties" | "oneOf" | "anyOf" | "allOf" => {
                        collect(value, &place, true, found);
                    }
                    _ => collect(value, &place, false, found),
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, &format!("{at}/{index}"), is_schema, found);
            }
        }
        _ => {}
    }
}

/// Without a format, generators choose 32 bits for integers and single precision for numbers.
#[test]
fn every_number_has_a_format_that_holds_it() {
    let mut numbers = 0;
    for (at, schema) in schemas() {
        let format = schema.get("format").and_then(Value::as_str);
        let bounds = ["minimum", "maximum"].map(|name| schema.get(name).and_then(Value::as_i64).unwrap_or(0));
        match schema.get("type").and_then(Value::as_str) {
            Some("number") => assert_eq!(format, Some("double"), "{at}"),
            Some("integer") if bounds.iter().any(|&bound| i32::try_from(bound).is_err()) => {
                assert_eq!(format, Some("int64"), "{at}");
            }
            Some("integer") => assert!(matches!(format, Some("int32" | "int64")), "{at}: {format:?}"),
            _ => continue,
        }
        numbers += 1;
    }
    assert!(numbers > 150, "only {numbers} numbers");
}

/// A seed can be any integer that a double holds, and a simulation counts past 32 bits.
#[test]
fn seeds_and_counts_of_simulations_have_64_bits() {
    let mut found = 0;
    for (at, schema) in schemas() {
        let name = at.rsplit('/').next().unwrap();
        if ["seed", "decisions", "sessions", "done"].contains(&name)
            && schema.get("type").is_some_and(|kind| kind == "integer")
        {
            assert_eq!(schema["format"], "int64", "{at}");
            found += 1;
        }
    }
    assert!(found >= 8, "only {found}");
}

/// A generator makes a property with a default required, or sets it in every request; of an integer enum it makes names
/// such as `VALUE_3`; of `anyOf` a type that takes anything.
#[test]
fn schemas_use_no_keyword_that_generators_read_differently() {
    for (at, schema) in schemas() {
        for keyword in ["default", "anyOf", "not", "nullable"] {
            assert!(schema.get(keyword).is_none(), "{at} has {keyword}");
        }
        assert!(!schema.get("type").is_some_and(Value::is_array), "{at}: OpenAPI 3.0 has no lists of types");
        if let Some(values) = schema.get("enum") {
            assert_eq!(schema["type"], "string", "{at}: an enum {values}");
        }
        for choice in schema.get("oneOf").and_then(Value::as_array).into_iter().flatten() {
            let is_named = choice.get("$ref").is_some();
            assert!(is_named || choice["type"] == "number", "{at}: a choice without a name");
        }
    }
}

#[test]
fn every_operation_has_a_name_a_summary_and_a_description() {
    let mut found = 0;
    for (path, methods) in operations() {
        for method in methods {
            let operation = &CONTRACT["paths"][&path][&method];
            for field in ["operationId", "summary", "description"] {
                let text = operation[field].as_str().unwrap_or_default();
                assert!(!text.is_empty(), "{method} {path} has no {field}");
            }
            found += 1;
        }
    }
    assert!(found > 35, "only {found} operations");
}

/// A generator makes one type of an operation's answer, whatever its status.
#[test]
fn every_operation_has_one_shape_of_success_and_one_of_failure() {
    for (path, methods) in operations() {
        for method in methods {
            let responses = CONTRACT["paths"][&path][&method]["responses"].as_object().unwrap();
            let (mut answers, mut problems) = (BTreeSet::new(), BTreeSet::new());
            for (status, response) in responses {
                // The schema alone: examples differ.
                let content = resolve(response)["content"].as_object();
                let shape = content.map(|content| {
                    content.iter().map(|(name, form)| (name, &form["schema"])).collect::<Vec<_>>()
                });
                match status.as_bytes()[0] {
                    b'2' => answers.insert(format!("{shape:?}")),
                    b'3' => continue,
                    _ => problems.insert(format!("{shape:?}")),
                };
            }
            assert!(answers.len() == 1 && problems.len() <= 1, "{method} {path}: {answers:?} {problems:?}");
        }
    }
}

/// The elements of a batch are requests, and the data of an event is the job.
#[test]
fn elements_and_events_have_the_type_of_what_arrives() {
    for (schema, element) in
        [("BestActionBatchRequest", "BestActionRequest"), ("MinPlaysBatchRequest", "MinPlaysRequest")]
    {
        let items = &CONTRACT["components"]["schemas"][schema]["properties"]["requests"]["items"];
        assert_eq!(items["$ref"], format!("#/components/schemas/{element}"));
    }
    for (jobs, job) in
        [("/craps/simulations", "SimulationJob"), ("/yahtzee/distributions", "DistributionJob")]
    {
        let news = &CONTRACT["paths"][format!("{jobs}/{{id}}/events")]["get"]["responses"]["200"];
        let schema = &news["content"]["text/event-stream"]["schema"];
        assert_eq!(schema["$ref"], format!("#/components/schemas/{job}"));
    }
}
