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

use super::cache::Document;
use super::contract::OPENAPI;
use super::page::{self, File};
use crate::state::AppState;

use crate::questions::{Kind, Problem};
use html::{Escaped, markdown};
use node::Node;

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
    Ok(document(&read(OPENAPI.as_bytes())?).into())
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

/// The whole document.
fn document(contract: &Node) -> String {
    let tags: Vec<_> = contract.get("tags").map_or(&[][..], Node::items).iter().collect();
    let operations = operation::all(contract);
    let (mut contents, mut sections) = (String::new(), String::new());
    for tag in tags {
        let name = tag.text("name").unwrap_or_default();
        let id = name.to_lowercase().replace(' ', "-");
        contents += &format!("<h2><a href=\"#{id}\">{}</a></h2><ul>", Escaped(name));
        sections += &format!("<section id=\"{id}\"><h2>{}</h2>", Escaped(name));
        sections += &tag.text("description").map_or_else(String::new, markdown);
        for operation in operations.iter().filter(|operation| operation.tag == name) {
            contents += &operation.link();
            sections += &operation.article(contract);
        }
        contents += "</ul>";
        sections += "</section>";
    }
    contents += "<h2><a href=\"#schemas\">Schemas</a></h2>";
    sections += "<section id=\"schemas\"><h2>Schemas</h2>";
    for (name, schema) in contract.at("#/components/schemas").map_or(&[][..], Node::fields) {
        let described = schema.text("description").map_or_else(String::new, markdown);
        let name = Escaped(name);
        let shown = schema::shown(schema, contract);
        sections += &format!(
            "<article class=\"schema\" id=\"schema-{name}\"><h3><a href=\"#schema-{name}\">{name}</a></h3>{described}{shown}</article>"
        );
    }
    sections += "</section>";
    let info = contract.get("info");
    let about = info.and_then(|info| info.text("description")).map_or_else(String::new, markdown);
    let version = info.and_then(|info| info.text("version")).unwrap_or_default();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Kibitz reference</title>\
         <link rel=\"icon\" href=\"web/icon.svg\"><link rel=\"stylesheet\" href=\"docs/reference.css\">\
         <script type=\"module\" src=\"docs/reference.js\"></script></head><body>\
         <a class=\"skip\" href=\"#content\">Skip to the content</a>\
         <header><a class=\"brand\" href=\"./\"><img src=\"web/icon.svg\" alt=\"\" width=\"24\" height=\"24\">Kibitz</a>\
         <span class=\"version\">{version}</span><a class=\"contract\" href=\"openapi.yaml\">openapi.yaml</a></header>\
         <div class=\"columns\"><nav aria-label=\"Contents\"><details open><summary>Contents</summary>{contents}</details></nav>\
         <main id=\"content\" tabindex=\"-1\"><h1>Reference</h1>{about}{sections}</main></div></body></html>\n"
    )
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
        let document = document(&contract);
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
        let document = document(&contract());
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
        let document = document(&contract());
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
