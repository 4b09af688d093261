//! Answers that links and CDNs may keep: `ETag`, `Cache-Control`, and 304 for a client that has the answer already.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

use super::unsent::{Charged, LEAST_COMPRESSED};
use crate::questions::{Kind, Problem};

/// `Cache-Control` of answers that are pure functions of their URL.
pub(crate) const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");
/// `Cache-Control` of answers that may change with the next release or start: kept, but asked for again.
pub(crate) const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// The answer to a GET: `body`, or 304 where the client's `If-None-Match` names it.
pub(crate) fn cacheable(
    request: &HeaderMap,
    policy: HeaderValue,
    media_type: HeaderValue,
    body: impl Into<Bytes>,
) -> Response {
    let body = body.into();
    tagged(request, policy, media_type, &tag_of(&body), body)
}

fn tagged(
    request: &HeaderMap,
    policy: HeaderValue,
    media_type: HeaderValue,
    tag: &str,
    body: Bytes,
) -> Response {
    let mut response = if has(request, tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(CONTENT_TYPE, media_type)], body).into_response()
    };
    response.headers_mut().insert(CACHE_CONTROL, policy);
    if let Ok(tag) = HeaderValue::from_str(tag) {
        response.headers_mut().insert(ETAG, tag);
    }
    response
}

fn tag_of(body: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(body);
    format!("\"{:016x}\"", hasher.finish())
}

/// Held while a document is made.
static MAKING: Mutex<()> = Mutex::const_new(());

/// A document that is the same for all clients, compressed once.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    identity: Bytes,
    gzip: Bytes,
    tag: String,
}

impl Document {
    /// Compresses a text, which takes some milliseconds for a large one.
    pub(crate) fn new_blocking(text: impl Into<Bytes>) -> Self {
        let identity = text.into();
        let tag = tag_of(&identity);
        if identity.len() as u64 <= LEAST_COMPRESSED {
            return Self { tag, gzip: identity.clone(), identity };
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        // Writing to a vector does not fail; if it did, the text would go out as it is.
        let gzip = encoder.write_all(&identity).and_then(|()| encoder.finish());
        let gzip = gzip.map_or_else(
            |_| identity.clone(),
            |mut gzip| {
                gzip.shrink_to_fit();
                Bytes::from(gzip)
            },
        );
        Self { tag, identity, gzip }
    }

    /// The document of a cell, made by `make` for the first request.
    pub(crate) async fn of(
        cell: &OnceLock<Self>,
        make: impl FnOnce() -> Result<Bytes, Problem> + Send + 'static,
    ) -> Result<&Self, Problem> {
        if let Some(document) = cell.get() {
            return Ok(document);
        }
        // One at a time: hundreds of first requests would otherwise make as many copies at once.
        let making = MAKING.lock().await;
        if let Some(document) = cell.get() {
            return Ok(document);
        }
        // The guard goes with the work, which does not end when its client leaves, and comes back with the document.
        let made = spawn_blocking(move || (make().map(Self::new_blocking), making)).await;
        let (made, _making) = made.map_err(|_| Problem::new(Kind::Internal))?;
        let made = made?;
        Ok(cell.get_or_init(|| made))
    }

    /// The document as it is before compression.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.identity)
    }

    /// The answer to a GET: the document as the client takes it, or 304.
    pub(crate) fn answer(
        &self,
        request: &HeaderMap,
        policy: HeaderValue,
        media_type: HeaderValue,
    ) -> Response {
        // `around_compression` leaves the header to clients that take gzip.
        let is_compressed = request.contains_key(ACCEPT_ENCODING) && self.gzip.len() < self.identity.len();
        let body = if is_compressed { &self.gzip } else { &self.identity };
        let mut response = tagged(request, policy, media_type, &self.tag, body.clone());
        response.extensions_mut().insert(Charged);
        if response.status() != StatusCode::NOT_MODIFIED {
            response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
            let coding = HeaderValue::from_static(if is_compressed { "gzip" } else { "identity" });
            response.headers_mut().insert(CONTENT_ENCODING, coding);
        }
        response
    }
}

/// Whether `If-None-Match` names the tag, compared weakly (RFC 9110, 13.1.2).
fn has(request: &HeaderMap, tag: &str) -> bool {
    let named = request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    named
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .any(|one| one == "*" || one.trim_start_matches("W/") == tag)
}

/// What surrounds compression. A client that takes gzip gets it; any other the identity form, also where it says that it
/// takes neither (an answer that it did not want is of more use than 406). The tag of a compressed answer is made weak:
/// its bytes are not those that the tag was made of.
pub(super) async fn around_compression(mut request: Request, next: Next) -> Response {
    let takes_gzip = request.headers().get_all(ACCEPT_ENCODING).iter().any(takes_gzip);
    if takes_gzip {
        request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    } else {
        request.headers_mut().remove(ACCEPT_ENCODING);
    }
    let mut response = next.run(request).await;
    let not_modified = response.status() == StatusCode::NOT_MODIFIED;
    if not_modified {
        response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
    }
    // A document that is there in both forms says so of its identity form, which is not compressed again.
    if response.headers().get(CONTENT_ENCODING).is_some_and(|coding| coding == "identity") {
        response.headers_mut().remove(CONTENT_ENCODING);
    }
    if ((not_modified && takes_gzip) || response.headers().contains_key(CONTENT_ENCODING))
        && let Some(strong) = response.headers().get(ETAG).and_then(|tag| tag.to_str().ok())
        && let Ok(weak) = HeaderValue::from_str(&format!("W/{strong}"))
    {
        response.headers_mut().insert(ETAG, weak);
    }
    response
}

/// Whether one `Accept-Encoding` header takes gzip, by name or by `*`, with a weight above zero (RFC 9110, 12.5.3).
fn takes_gzip(header: &HeaderValue) -> bool {
    let Ok(text) = header.to_str() else { return false };
    text.split(',').any(|coding| {
        let (name, parameter) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let refused =
            parameter.trim().to_ascii_lowercase().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        ["gzip", "x-gzip", "*"].contains(&name.trim().to_ascii_lowercase().as_str()) && !refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_taken_by_name_or_by_star() {
        for (header, taken) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("br, *;q=0", false),
            ("identity;q=0", false),
            ("", false),
        ] {
            assert_eq!(takes_gzip(&HeaderValue::from_static(header)), taken, "{header}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn concurrent_first_requests_make_a_document_once() {
        static CELL: OnceLock<Document> = OnceLock::new();
        static MADE: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let make = || {
            MADE.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            std::thread::sleep(std::time::Duration::from_millis(20));
            Ok(Bytes::from_static(b"text"))
        };
        let requests: Vec<_> =
            (0..16).map(|_| tokio::spawn(async move { Document::of(&CELL, make).await.is_ok() })).collect();
        for request in requests {
            assert!(request.await.unwrap());
        }
        assert_eq!(MADE.load(std::sync::atomic::Ordering::SeqCst), 1);
    }
}
