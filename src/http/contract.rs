//! The contract, `openapi.yaml`, as it is served: with the path that the service runs under, as YAML and as JSON.

use std::sync::{Arc, OnceLock};

use axum::Extension;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue};
use axum::routing::get;

use super::cache::{Document, REVALIDATE, cacheable};
use super::target::Prefix;
use super::{Route, reference};
use crate::OPENAPI;
use crate::questions::Problem;

/// Serves the contract below the given base path.
pub(super) fn routes(base_path: &str) -> [Route; 2] {
    let source = Bytes::from(OPENAPI.replacen(&server_in_yaml("/"), &server_in_yaml(address(base_path)), 1));
    let text = source.clone();
    [
        route("/openapi.yaml", "application/yaml; charset=utf-8", base_path, server_in_yaml, || Ok(text)),
        route("/openapi.json", "application/json", base_path, server_in_json, move || {
            reference::json_of(&source)
        }),
    ]
}

/// Serves one form of the contract. Behind a proxy that removed a prefix, the server's address has the prefix.
fn route(
    path: &'static str,
    media_type: &'static str,
    base_path: &str,
    server: fn(&str) -> String,
    make: impl FnOnce() -> Result<Bytes, Problem> + Clone + Send + Sync + 'static,
) -> Route {
    let document = Arc::new(OnceLock::new());
    let base_path = base_path.to_owned();
    let answer = async move |prefix: Option<Extension<Prefix>>, headers: HeaderMap| {
        let document = Document::of(&document, make).await?;
        let media_type = HeaderValue::from_static(media_type);
        Ok::<_, Problem>(match prefix {
            Some(Extension(Prefix(prefix))) => {
                let (own, full) = (server(address(&base_path)), server(&format!("{prefix}{base_path}")));
                cacheable(&headers, REVALIDATE, media_type, document.text().replacen(&own, &full, 1))
            }
            None => document.answer(&headers, REVALIDATE, media_type),
        })
    };
    (path, get(answer))
}

/// The server's address under a base path.
const fn address(base_path: &str) -> &str {
    if base_path.is_empty() { "/" } else { base_path }
}

fn server_in_yaml(address: &str) -> String {
    format!("\n  - url: {address}\n")
}

fn server_in_json(address: &str) -> String {
    format!(r#""servers": [{{"url": "{address}""#)
}
