//! Answers that links and CDNs may keep: `ETag`, `Cache-Control`, and 304 for a client that has the answer already.

use std::hash::{DefaultHasher, Hasher};

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// `Cache-Control` of answers that are pure functions of their URL.
pub(crate) const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");
/// `Cache-Control` of answers that may change with the next release or start: kept, but asked for again.
pub(crate) const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// The answer to a GET: `body`, or 304 where the client's `If-None-Match` names it.
pub(crate) fn cacheable(
    request: &HeaderMap,
    policy: HeaderValue,
    media_type: HeaderValue,
    body: impl Into<axum::body::Bytes>,
) -> Response {
    let body = body.into();
    let mut hasher = DefaultHasher::new();
    hasher.write(&body);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let mut response = if has(request, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(CONTENT_TYPE, media_type)], body).into_response()
    };
    response.headers_mut().insert(CACHE_CONTROL, policy);
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(ETAG, tag);
    }
    response
}

/// Whether `If-None-Match` names the tag, compared weakly (RFC 9110, 13.1.2).
fn has(request: &HeaderMap, tag: &str) -> bool {
    let named = request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    named
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .any(|one| one == "*" || one.trim_start_matches("W/") == tag)
}

/// Makes the tag of a compressed answer weak: its bytes are not those that the tag was made of.
pub(super) async fn weaken(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.headers().contains_key(CONTENT_ENCODING)
        && let Some(strong) = response.headers().get(ETAG).and_then(|tag| tag.to_str().ok())
        && let Ok(weak) = HeaderValue::from_str(&format!("W/{strong}"))
    {
        response.headers_mut().insert(ETAG, weak);
    }
    response
}
