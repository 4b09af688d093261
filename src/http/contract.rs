//! The contract, `openapi.yaml`, as it is served: with the path that the service runs under, as YAML and as JSON.

use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use axum::routing::get;
use tokio::task::spawn_blocking;

use super::cache::{REVALIDATE, cacheable};
use super::problem::{Kind, Problem};
use super::{Route, reference};

/// The file of the repository. It names the server `/`.
pub(super) const OPENAPI: &str = include_str!("../../openapi.yaml");

/// Serves the contract below the given base path.
pub(super) fn routes(base_path: &str) -> [Route; 2] {
    let yaml = Bytes::from(below(base_path));
    let source = yaml.clone();
    let json = Arc::new(OnceLock::new());
    [
        (
            "/openapi.yaml",
            get(async move |headers: HeaderMap| {
                let media_type = HeaderValue::from_static("application/yaml; charset=utf-8");
                cacheable(&headers, REVALIDATE, media_type, yaml.clone())
            }),
        ),
        ("/openapi.json", get(async move |headers: HeaderMap| as_json(&headers, &source, &json).await)),
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

/// The contract as JSON, which is made for the first request.
async fn as_json(
    headers: &HeaderMap,
    yaml: &Bytes,
    made: &Arc<OnceLock<Bytes>>,
) -> Result<Response, Problem> {
    if made.get().is_none() {
        let (yaml, made) = (yaml.clone(), Arc::clone(made));
        let work = move || reference::json_of(&yaml).map(|json| made.get_or_init(|| json).len());
        spawn_blocking(work).await.map_err(|_| Problem::new(Kind::Internal))??;
    }
    let json = made.get().cloned().ok_or(Problem::new(Kind::Internal))?;
    Ok(cacheable(headers, REVALIDATE, HeaderValue::from_static("application/json"), json))
}
