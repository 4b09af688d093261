//! The Model Context Protocol: every question that `POST` takes is a tool for assistants. This module knows no transport; HTTP
//! and standard input bring the messages.
//!
//! It speaks three revisions of the protocol, and offers only tools: <https://modelcontextprotocol.io/specification>.

mod schema;

use std::io::{self, BufRead, Write};
use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::adviser::Adviser;
use crate::questions::{Language, Method, Operation, Problem};

/// The revisions of the protocol, the newest first.
const REVISIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;

const INSTRUCTIONS: &str = "Exact advice for Yahtzee, Yatzy, Dou Dizhu and craps. Each tool takes a position and returns the best \
                            decision, what every alternative costs, and one sentence that says why.";

/// What a message asks for.
pub enum Message {
    /// Nothing: a notification, or a reply of the client.
    Nothing,
    /// This reply.
    Reply(Value),
    /// The list of tools, which takes some milliseconds to make the first time: see [`list_blocking`].
    List(Value),
    /// The answer to a question.
    Call(Call),
}

/// A call of a tool.
pub struct Call {
    id: Value,
    /// The question.
    pub operation: &'static Operation,
    /// Its body.
    pub body: Vec<u8>,
}

/// Reads a JSON-RPC message.
#[must_use]
pub fn read(text: &[u8]) -> Message {
    let Ok(message) = serde_json::from_slice::<Value>(text) else {
        return Message::Reply(error(&Value::Null, PARSE_ERROR, "The message is not valid JSON."));
    };
    let invalid = |detail| Message::Reply(error(&Value::Null, INVALID_REQUEST, detail));
    let Value::Object(fields) = &message else {
        return invalid("A message must be one JSON object.");
    };
    if message["jsonrpc"] != "2.0" {
        return invalid("`jsonrpc` must be \"2.0\".");
    }
    let Some(method) = message["method"].as_str() else {
        let is_reply = fields.contains_key("result") || fields.contains_key("error");
        return if is_reply { Message::Nothing } else { invalid("`method` must be a string.") };
    };
    let Some(id) = fields.get("id") else { return Message::Nothing };
    if !(id.is_string() || id.is_number()) {
        return invalid("`id` must be a string or a number.");
    }
    let params = &message["params"];
    match method {
        "initialize" => Message::Reply(result(id, &greeting(params))),
        "ping" => Message::Reply(result(id, &json!({}))),
        "tools/list" => Message::List(id.clone()),
        "tools/call" => match called(params) {
            Ok((operation, body)) => Message::Call(Call { id: id.clone(), operation, body }),
            Err(detail) => Message::Reply(error(id, INVALID_PARAMS, &detail)),
        },
        _ => Message::Reply(error(
            id,
            METHOD_NOT_FOUND,
            "Kibitz offers only tools: tools/list and tools/call.",
        )),
    }
}

fn greeting(params: &Value) -> Value {
    let asked = params["protocolVersion"].as_str();
    let revision = REVISIONS.into_iter().find(|known| Some(*known) == asked).unwrap_or(REVISIONS[0]);
    json!({
        "protocolVersion": revision,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "kibitz", "title": "Kibitz", "version": env!("CARGO_PKG_VERSION")},
        "instructions": INSTRUCTIONS,
    })
}

fn called(params: &Value) -> Result<(&'static Operation, Vec<u8>), String> {
    let name = params["name"].as_str().ok_or("`name` must be the name of a tool.")?;
    let operation = tools().find(|operation| name_of(operation) == name);
    let operation = operation.ok_or_else(|| format!("There is no tool `{name}`; tools/list lists all."))?;
    match &params["arguments"] {
        Value::Null => Ok((operation, b"{}".to_vec())),
        arguments @ Value::Object(_) => Ok((operation, arguments.to_string().into_bytes())),
        _ => Err("`arguments` must be an object.".to_owned()),
    }
}

impl Call {
    /// The reply with the answer, or with the problem in words.
    #[must_use]
    pub fn reply(&self, answer: Result<Vec<u8>, Problem>, language: Language) -> Value {
        let answer = answer.and_then(|bytes| Ok((serde_json::from_slice::<Value>(&bytes)?, bytes)));
        let outcome = match answer {
            Ok((answer, bytes)) => json!({
                "content": [{"type": "text", "text": String::from_utf8_lossy(&bytes)}],
                "structuredContent": answer,
            }),
            Err(problem) => json!({
                "content": [{"type": "text", "text": problem.in_words(language)}],
                "isError": true,
            }),
        };
        result(&self.id, &outcome)
    }
}

/// The reply with the list of tools.
#[must_use]
pub fn list_blocking(id: &Value) -> Value {
    static LIST: LazyLock<Value> = LazyLock::new(|| {
        let contract = schema::Contract::read();
        let tool = |operation: &Operation| {
            let (title, description) = contract.texts(operation.path);
            json!({
                "name": name_of(operation),
                "title": title,
                "description": description,
                "inputSchema": contract.input(operation.path),
                "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
            })
        };
        json!({"tools": tools().map(tool).collect::<Vec<_>>()})
    });
    result(id, &LIST)
}

fn tools() -> impl Iterator<Item = &'static Operation> {
    Operation::ALL.iter().filter(|operation| operation.method == Method::Post)
}

/// `/yahtzee/best-action` is the tool `yahtzee_best_action`.
fn name_of(operation: &Operation) -> String {
    operation.path.trim_start_matches('/').replace(['/', '-'], "_")
}

fn result(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn error(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// Serves assistants that write one message a line to standard input and read the replies from standard output, until the
/// input ends.
///
/// # Errors
/// Reading or writing fails.
pub fn serve_blocking(adviser: &Adviser, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let language = Language::English;
    for line in input.split(b'\n') {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let reply = match read(&line) {
            Message::Nothing => continue,
            Message::Reply(reply) => reply,
            Message::List(id) => list_blocking(&id),
            Message::Call(call) => call.reply(adviser.answer(call.operation, &call.body, language), language),
        };
        writeln!(output, "{reply}")?;
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adviser::Settings;

    fn replies(messages: &[Value]) -> Vec<Value> {
        let input = messages.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let (adviser, mut output) = (Adviser::new(Settings::default()).unwrap(), Vec::new());
        serve_blocking(&adviser, input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn request(method: &str, params: &Value) -> Value {
        json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
    }

    #[test]
    fn client_is_greeted_in_a_revision_that_it_knows() {
        for (asked, spoken) in [("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-06-18")] {
            let reply = &replies(&[request("initialize", &json!({"protocolVersion": asked}))])[0];
            assert_eq!((&reply["id"], &reply["result"]["protocolVersion"]), (&json!(7), &json!(spoken)));
        }
        assert!(replies(&[json!({"jsonrpc": "2.0", "method": "notifications/initialized"})]).is_empty());
        assert_eq!(replies(&[request("ping", &json!({}))])[0]["result"], json!({}));
    }

    #[test]
    fn every_tool_has_a_description_and_a_schema_without_references() {
        let reply = &replies(&[request("tools/list", &json!({}))])[0];
        let tools = reply["result"]["tools"].as_array().unwrap();
        assert_eq!(tools.len(), super::tools().count());
        for tool in tools {
            assert!(tool["description"].as_str().is_some_and(|text| text.len() > 20), "{tool}");
            assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
            assert!(!tool.to_string().contains("$ref"), "{}", tool["name"]);
        }
    }

    #[test]
    fn tool_answers_as_the_service_does() {
        let call = |arguments: &Value| {
            request("tools/call", &json!({"name": "doudizhu_min_plays", "arguments": arguments}))
        };
        let found = replies(&[call(&json!({"hand": "33"})), call(&json!({"hand": "3?", "y": 1}))]);
        assert_eq!(found[0]["result"]["structuredContent"]["min_plays"], 1);
        let text = found[0]["result"]["content"][0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), found[0]["result"]["structuredContent"]);
        assert_eq!(found[1]["result"]["isError"], true);
        let text = found[1]["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("\n  hand: ") && text.contains("\n  y: "), "{text}");
    }

    #[test]
    fn bad_message_gets_the_code_of_its_fault() {
        let code = |text: &str| match read(text.as_bytes()) {
            Message::Reply(reply) => reply["error"]["code"].as_i64().unwrap(),
            _ => 0,
        };
        let call = |params: &Value| request("tools/call", params).to_string();
        for (text, expected) in [
            ("{", PARSE_ERROR),
            ("[]", INVALID_REQUEST),
            ("{}", INVALID_REQUEST),
            (r#"{"jsonrpc": "2.0", "id": 1}"#, INVALID_REQUEST),
            (r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}"#, METHOD_NOT_FOUND),
            (&*call(&json!({"name": "nothing"})), INVALID_PARAMS),
            (&*call(&json!({})), INVALID_PARAMS),
            (&*call(&json!({"name": "craps_kelly", "arguments": 3})), INVALID_PARAMS),
            (r#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#, 0),
        ] {
            assert_eq!(code(text), i64::from(expected), "{text}");
        }
    }
}
