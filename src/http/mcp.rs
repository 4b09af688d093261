//! `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions and without streams.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::body::JsonBody;
use super::problem::Context;
use super::question::{answer, json_response};
use super::work::off_the_workers;
use crate::mcp::{self, Call, Message};
use crate::questions::{Form, Json, Problem, Weight};

/// Replies to one message.
pub(super) async fn post(context: Context, body: JsonBody) -> Result<Response, Problem> {
    let reply = match mcp::read(&body.0) {
        Message::Nothing => return Ok(StatusCode::ACCEPTED.into_response()),
        Message::Reply(reply) => reply,
        Message::List(id) => {
            off_the_workers(&context, Weight::Light, move |_| Ok(mcp::list_blocking(&id))).await?
        }
        Message::Call(call) => {
            let answer = answer_call(&context, &call).await;
            call.reply(answer, context.language)
        }
    };
    Ok(json_response(Value::to_string(&reply)))
}

async fn answer_call(context: &Context, call: &Call) -> Result<Vec<u8>, Problem> {
    let question = {
        let json = Json::parse(&call.body, context.language)?;
        call.operation.read(&context.state.adviser, &json, Form::Body, context.language)?
    };
    answer(context, question).await
}
