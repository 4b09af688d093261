//! `GET /docs`: the contract as people read it, made from `openapi.yaml` when it is first asked for.
//!
//! It is a document like the page: nothing in it comes from elsewhere, and it can be read without scripts. The one
//! script that it has lets a reader send the examples.

mod html;
mod node;
mod operation;
mod schema;

use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use minijinja::Environment;
use minijinja::value::Serde;
use serde::Serialize;

use super::cache::Document;
use super::page::{self, File};
use crate::OPENAPI;
use crate::questions::{Kind, Problem};
use crate::state::AppState;

use html::markdown;
use node::Node;
use operation::Operation;
use schema::Shown;

/// What the reference asks for, below `docs/`.
static FILES: [File; 2] = [
    File::new("reference.css", include_str!("reference.css")),
    File::new("reference.js", include_str!("reference.js")),
];

static DOCUMENT: OnceLock<Document> = OnceLock::new();

/// The reference.
pub(super) async fn page(
    State(state): State<Arc<AppState>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let document = Document::of(&DOCUMENT, made_blocking).await?;
    Ok(page::document(&state, &headers, document))
}

/// One of the reference's files.
pub(super) async fn file(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    page::file_of(&FILES, &name, &headers)
}

fn made_blocking() -> Result<Bytes, Problem> {
    let document = document(&read(OPENAPI.as_bytes())?).map_err(|error| {
        tracing::error!(%error, "the reference cannot be written");
        Problem::new(Kind::Internal)
    })?;
    Ok(document.into())
}

/// A contract in YAML as JSON, its fields in the same order.
pub(super) fn json_of(contract: &[u8]) -> Result<Bytes, Problem> {
    Ok(read(contract)?.compact().into())
}

fn read(contract: &[u8]) -> Result<Node, Problem> {
    serde_saphyr::from_slice(contract).map_err(|error| {
        tracing::error!(%error, "openapi.yaml cannot be read");
        Problem::new(Kind::Internal)
    })
}

/// What the template is filled with.
#[derive(Serialize)]
struct Reference<'a> {
    version: &'a str,
    about: String,
    tags: Vec<Tag<'a>>,
    schemas: Vec<Schema<'a>>,
}

/// The operations of a game, or of the service.
#[derive(Serialize)]
struct Tag<'a> {
    id: String,
    name: &'a str,
    description: String,
    operations: Vec<&'a Operation<'a>>,
}

#[derive(Serialize)]
struct Schema<'a> {
    name: &'a str,
    description: String,
    schema: Shown<'a>,
}

/// The whole document.
fn document(contract: &Node) -> Result<String, minijinja::Error> {
    let operations = operation::all(contract);
    let description = |node: &Node| node.text("description").map_or_else(String::new, markdown);
    let tag = |tag| {
        let name = Node::text(tag, "name").unwrap_or_default();
        Tag {
            id: name.to_lowercase().replace(' ', "-"),
            name,
            description: description(tag),
            operations: operations.iter().filter(|operation| operation.tag == name).collect(),
        }
    };
    let schemas = contract.at("#/components/schemas").map_or(&[][..], Node::fields).iter();
    let reference = Reference {
        version: contract.at("#/info/version").and_then(Node::as_str).unwrap_or_default(),
        about: contract.get("info").map_or_else(String::new, description),
        tags: contract.get("tags").map_or(&[][..], Node::items).iter().map(tag).collect(),
        schemas: schemas
            .map(|(name, schema)| Schema {
                name,
                description: description(schema),
                schema: Shown::new(schema, contract),
            })
            .collect(),
    };
    // The name says that what is not marked as safe is escaped.
    Environment::new().render_named_str("reference.html", include_str!("reference.html"), Serde(reference))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract() -> Node {
        serde_saphyr::from_str(OPENAPI).expect("openapi.yaml is YAML")
    }

    #[test]
    fn every_operation_and_every_schema_has_its_place() {
        let contract = contract();
        let document = document(&contract).unwrap();
        let mut operations = 0;
        for (path, methods) in contract.get("paths").expect("paths").fields() {
            for (method, operation) in methods.fields() {
                let id = operation.text("operationId").expect("an operationId");
                assert_eq!(document.matches(&format!("<article id=\"{id}\">")).count(), 1, "{method} {path}");
                assert!(document.contains(&format!("<a href=\"#{id}\">")), "{id} is not in the contents");
                operations += 1;
            }
        }
        assert!(operations > 30, "{operations}");
        for (name, _) in contract.at("#/components/schemas").expect("schemas").fields() {
            assert!(document.contains(&format!("id=\"schema-{name}\"")), "{name}");
        }
    }

    #[test]
    fn every_link_within_the_document_leads_somewhere() {
        let document = document(&contract()).unwrap();
        let mut links = 0;
        for rest in document.split("href=\"#").skip(1) {
            let id = rest.split('"').next().unwrap_or_default();
            assert_eq!(document.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
            links += 1;
        }
        assert!(links > 300, "{links}");
    }

    #[test]
    fn what_is_shown_of_a_request_is_what_the_contract_says() {
        let document = document(&contract()).unwrap();
        let article = document.split("<article id=\"postBestAction\">").nth(1).expect("the article");
        let article = article.split("</article>").next().unwrap_or_default();
        for piece in [
            "<code>rolls_left</code><span class=\"required\">required</span></th><td>integer, 0 to 2</td>",
            "<code>limit</code></th><td>integer, 1 to 50</td>",
            "<a href=\"#schema-BestAction\">BestAction</a>",
            "Two rolls left, two boxes filled",
            "&quot;rolls_left&quot;: 2",
            "curl -s",
        ] {
            assert!(article.contains(piece), "{piece}\n{article}");
        }
    }
}
