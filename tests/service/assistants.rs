//! The Model Context Protocol over HTTP. The official SDK's client is run by tests/clients/assistant.

use crate::support::{Answer, App};
use axum::http::Request;
use serde_json::{Value, json};

const PATH: &str = "/mcp";

/// Sends a message. The protocol describes itself, so that openapi.yaml cannot judge the answer.
async fn send(app: &App, message: String) -> Answer {
    let request =
        Request::post(PATH).header("content-type", "application/json").body(message.into()).unwrap();
    app.send_unchecked(request).await
}

async fn ask(app: &App, method: &str, params: &Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": "a", "method": method, "params": params});
    send(app, message.to_string()).await.ok()
}

#[tokio::test]
async fn assistant_lists_the_tools_and_gets_the_answer_of_the_service() {
    let app = App::ready();
    let greeting = ask(&app, "initialize", &json!({"protocolVersion": "2025-06-18"})).await;
    assert_eq!(greeting["result"]["serverInfo"]["name"], "kibitz");
    let listed = ask(&app, "tools/list", &json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let tool = tools.iter().find(|tool| tool["name"] == "yahtzee_best_action").unwrap();
    assert_eq!(tool["inputSchema"]["properties"]["dice"]["minItems"], 5);
    let body = json!({"dice": [1, 3, 3, 4, 6], "rolls_left": 2, "limit": 2});
    let called = ask(&app, "tools/call", &json!({"name": "yahtzee_best_action", "arguments": body})).await;
    let served = app.post("/yahtzee/best-action", body.to_string()).await;
    assert_eq!(called["result"]["structuredContent"], served.ok());
    assert_eq!(called["result"]["content"][0]["text"], served.text());
}

#[tokio::test]
async fn bad_call_is_an_error_of_the_tool_with_every_fault() {
    let app = App::ready();
    let body = json!({"dice": [1, 3, 3, 4, 7], "rolls_left": 3});
    let called = ask(&app, "tools/call", &json!({"name": "yahtzee_best_action", "arguments": body})).await;
    assert_eq!(called["result"]["isError"], true);
    let text = called["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("dice/4: ") && text.contains("rolls_left: "), "{text}");
    let unknown = ask(&app, "tools/call", &json!({"name": "chess"})).await;
    assert_eq!(unknown["error"]["code"], -32602);
}

#[tokio::test]
async fn notification_gets_no_reply() {
    let app = App::ready();
    let answer = send(&app, r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#.to_owned()).await;
    assert_eq!((answer.status.as_u16(), answer.text()), (202, ""));
    assert_eq!(send(&app, "{".to_owned()).await.ok()["error"]["code"], -32700);
    let read = app.send_unchecked(Request::get(PATH).body("".into()).unwrap()).await;
    assert_eq!(read.status, 405);
    let undeclared = app.send_unchecked(Request::post(PATH).body("{}".into()).unwrap()).await;
    assert_eq!(undeclared.status, 415);
}

#[tokio::test]
async fn protocol_can_be_turned_off() {
    assert_eq!(send(&App::with(&["--mcp=off"]), "{}".to_owned()).await.status, 404);
}
