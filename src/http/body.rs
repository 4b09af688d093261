//! A request's body: declared as JSON, not compressed, and without its byte order mark.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::IntoResponse;

use super::problem::Context;
use crate::questions::extract::shortened;
use crate::questions::{Kind, Language, Problem};

/// The bytes of a body that is declared as JSON and is not too large, without a byte order mark.
pub(crate) struct JsonBody(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for JsonBody {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        check_declared(request.headers(), Context::language_of(request.extensions()))?;
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection: BytesRejection| {
            let too_large = rejection.into_response().status() == StatusCode::PAYLOAD_TOO_LARGE;
            Problem::new(if too_large { Kind::BodyTooLarge } else { Kind::BadRequest })
        })?;
        // RFC 8259, 8.1: a reader may pass over a byte order mark.
        Ok(Self(if bytes.starts_with(b"\xef\xbb\xbf") { bytes.slice(3..) } else { bytes }))
    }
}

/// Checks that the headers declare a JSON body that is not compressed.
pub(crate) fn check_declared(headers: &HeaderMap, language: Language) -> Result<(), Problem> {
    let media_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !is_json(media_type) {
        return Err(Problem::new(Kind::UnsupportedMediaType));
    }
    let mut codings = headers.get_all(CONTENT_ENCODING).iter().map(HeaderValue::as_bytes);
    if let Some(coding) = codings.find(|coding| !coding.eq_ignore_ascii_case(b"identity")) {
        let coding = shortened(&String::from_utf8_lossy(coding));
        let detail = language.choose(
            format!("The body must not be compressed, got `Content-Encoding: {coding}`. Send it as it is."),
            format!("请求体不得压缩，收到的是 `Content-Encoding: {coding}`。请直接发送。"),
        );
        return Err(Problem::new(Kind::UnsupportedContentCoding).with_detail(detail));
    }
    Ok(())
}

/// Whether a media type is JSON: `application/json`, or one that is written in JSON, such as `application/vnd.api+json`.
fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let subtype = essence.strip_prefix("application/").unwrap_or_default();
    subtype == "json" || subtype.strip_suffix("+json").is_some_and(|name| !name.is_empty())
}
