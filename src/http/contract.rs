//! The contract, `openapi.yaml`, as it is served: with the path that the service runs under, as YAML and as JSON.

use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue};
use axum::routing::get;

use super::cache::{Document, REVALIDATE};
use super::problem::Problem;
use super::{Route, reference};

/// The file of the repository. It names the server `/`.
pub(super) const OPENAPI: &str = include_str!("../../openapi.yaml");

/// Serves the contract below the given base path.
pub(super) fn routes(base_path: &str) -> [Route; 2] {
    let source = Bytes::from(below(base_path));
    let text = source.clone();
    let (yaml, json) = (Arc::new(OnceLock::new()), Arc::new(OnceLock::new()));
    [
        (
            "/openapi.yaml",
            get(async move |headers: HeaderMap| {
                let document = Document::of(&yaml, || Ok(text)).await?;
                let media_type = HeaderValue::from_static("application/yaml; charset=utf-8");
                Ok::<_, Problem>(document.answer(&headers, REVALIDATE, media_type))
            }),
        ),
        (
            "/openapi.json",
            get(async move |headers: HeaderMap| {
                let document = Document::of(&json, move || reference::json_of(&source)).await?;
                let media_type = HeaderValue::from_static("application/json");
                Ok::<_, Problem>(document.answer(&headers, REVALIDATE, media_type))
            }),
        ),
    ]
}

/// The contract with the base path as the server's address.
fn below(base_path: &str) -> String {
    if base_path.is_empty() {
        return OPENAPI.to_owned();
    }
    let address = serde_json::Value::from(base_path);
    OPENAPI.replacen("\n  - url: /\n", &format!("\n  - url: {address}\n"), 1)
}
