//! One operation: what it takes, what it answers, and an example request.

use serde::Serialize;

use super::html::markdown;
use super::node::Node;
use super::schema::{Field, Shown, kind, resolved};

/// Characters on a line of an example.
const WIDTH: usize = 88;
/// The address of the examples; the script puts the reader's own service in its place.
const HERE: &str = "http://127.0.0.1:8080";

/// An operation of the contract, as the template shows it. Texts that are HTML are marked as safe there.
#[derive(Serialize)]
pub(super) struct Operation<'a> {
    #[serde(skip)]
    pub(super) tag: &'a str,
    id: &'a str,
    method: String,
    /// The parts of the path: a long one may break after each slash.
    path: Vec<&'a str>,
    summary: &'a str,
    description: String,
    parameters: Vec<Field<'a>>,
    body: Option<Body<'a>>,
    /// The path with the examples of its parameters.
    target: String,
    examples: Vec<Example<'a>>,
    responses: Vec<Response<'a>>,
}

#[derive(Serialize)]
struct Body<'a> {
    /// A link to its schema, if it has a name.
    name: Option<String>,
    schema: Shown<'a>,
}

#[derive(Serialize)]
struct Example<'a> {
    summary: &'a str,
    body: Option<String>,
    command: String,
    answer: Option<String>,
}

#[derive(Serialize)]
struct Response<'a> {
    status: &'a str,
    description: String,
    forms: Vec<Form<'a>>,
    headers: Vec<&'a str>,
}

#[derive(Serialize)]
struct Form<'a> {
    media_type: &'a str,
    kind: String,
}

/// Every operation, in the order of the file.
pub(super) fn all(contract: &Node) -> Vec<Operation<'_>> {
    let paths = contract.get("paths").map_or(&[][..], Node::fields);
    let operations = paths.iter().flat_map(|(path, methods)| {
        methods.fields().iter().map(move |(method, node)| Operation::new(path, method, node, contract))
    });
    operations.collect()
}

impl<'a> Operation<'a> {
    fn new(path: &'a str, method: &str, node: &'a Node, contract: &'a Node) -> Self {
        let parameters: Vec<_> = node
            .get("parameters")
            .map_or(&[][..], Node::items)
            .iter()
            .map(|parameter| resolved(parameter, contract))
            .collect();
        let target = target(path, &parameters);
        let json_body = node.at("#/requestBody/content").and_then(|content| content.get("application/json"));
        let method = method.to_uppercase();
        Self {
            tag: node.get("tags").and_then(|tags| tags.items().first()?.as_str()).unwrap_or_default(),
            id: node.text("operationId").unwrap_or_default(),
            path: path.split('/').collect(),
            summary: node.text("summary").unwrap_or_default(),
            description: node.text("description").map_or_else(String::new, markdown),
            parameters: parameters.iter().map(|parameter| Field::of_parameter(parameter, contract)).collect(),
            body: json_body.and_then(|body| body.get("schema")).map(|schema| Body {
                name: schema.text("$ref").map(|_| kind(schema)),
                schema: Shown::new(schema, contract),
            }),
            examples: examples(&method, &target, node, json_body),
            responses: node
                .get("responses")
                .map_or(&[][..], Node::fields)
                .iter()
                .map(|(status, response)| Response::new(status, resolved(response, contract)))
                .collect(),
            method,
            target,
        }
    }
}

impl<'a> Response<'a> {
    fn new(status: &'a str, response: &'a Node) -> Self {
        let fields = |name| response.get(name).map_or(&[][..], Node::fields).iter();
        let form = |(media_type, content): &'a (String, Node)| {
            let schema = content.get("schema").filter(|schema| schema.text("$ref").is_some());
            Form { media_type, kind: schema.map_or_else(String::new, kind) }
        };
        Self {
            status,
            description: response.text("description").map_or_else(String::new, markdown),
            forms: fields("content").map(form).collect(),
            headers: fields("headers").map(|(name, _)| &**name).collect(),
        }
    }
}

/// A command for each example, which the script turns into a form.
fn examples<'a>(method: &str, target: &str, node: &'a Node, json_body: Option<&'a Node>) -> Vec<Example<'a>> {
    let answers = node.at("#/responses/200/content").and_then(|content| content.get("application/json"));
    let answers = answers.and_then(|answer| answer.get("examples"));
    let answer = |name: &str| Some(answers?.get(name)?.get("value")?.pretty(WIDTH));
    let bodies = json_body.and_then(|body| body.get("examples")).map_or(&[][..], Node::fields);
    if bodies.is_empty() {
        let first = answers.and_then(|answers| answers.fields().first());
        let verb = if method == "GET" { String::new() } else { format!("-X {method} ") };
        return vec![Example {
            summary: first.and_then(|(_, example)| example.text("summary")).unwrap_or("Example"),
            body: None,
            command: format!("curl -s {verb}'{HERE}{target}'"),
            answer: first.and_then(|(name, _)| answer(name)),
        }];
    }
    let example = |(name, example): &'a (String, Node)| {
        let body = example.get("value").map_or_else(String::new, |value| value.pretty(WIDTH));
        Example {
            summary: example.text("summary").unwrap_or(name),
            command: format!(
                "curl -s {HERE}{target} \\\n  -H 'content-type: application/json' \\\n  -d '{}'",
                body.replace('\'', "'\\''")
            ),
            body: Some(body),
            answer: answer(name),
        }
    };
    bodies.iter().map(example).collect()
}

/// A path with the examples of its parameters.
fn target(path: &str, parameters: &[&Node]) -> String {
    let (mut path, mut query) = (path.to_owned(), Vec::new());
    for parameter in parameters {
        let (Some(name), Some(example)) = (parameter.text("name"), parameter.get("example")) else {
            continue;
        };
        let text = example.as_str().map_or_else(|| example.compact(), str::to_owned);
        match parameter.text("in") {
            Some("path") => path = path.replace(&format!("{{{name}}}"), &text),
            Some("query") => query.push(format!("{name}={text}")),
            _ => {}
        }
    }
    if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
}
