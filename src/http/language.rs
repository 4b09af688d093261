//! The language that a request asks for, by its query or its headers.

use std::borrow::Cow;

use axum::extract::Request;
use axum::http::header::{ACCEPT_LANGUAGE, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::questions::Language;

/// The language of `lang=` in the query, or of the header `Accept-Language` where the query has none that is known.
pub(super) fn of_request(query: Option<&str>, headers: &HeaderMap) -> Language {
    asked_for(query).and_then(|tag| Language::of_tag(&tag)).unwrap_or_else(|| {
        headers.get(ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok()).map_or_else(Language::default, preferred)
    })
}

/// The known language of highest weight in an `Accept-Language` header (RFC 9110, 12.5.4); the first of equals.
fn preferred(header: &str) -> Language {
    let mut best = (0.0, Language::default());
    for range in header.to_ascii_lowercase().split(',') {
        let (tag, parameter) = range.split_once(';').unwrap_or((range, "q=1"));
        let weight = parameter.trim().strip_prefix("q=").and_then(|q| q.parse().ok()).unwrap_or(0.0);
        if let Some(language) = Language::of_tag(tag.trim())
            && weight > best.0
        {
            best = (weight, language);
        }
    }
    best.1
}

/// Puts the request's language where handlers and problems find it, and says in `Vary` that it mattered.
pub(super) async fn layer(mut request: Request, next: Next) -> Response {
    let language = of_request(request.uri().query(), request.headers());
    request.extensions_mut().insert(language);
    let mut response = next.run(request).await;
    response.headers_mut().append(VARY, HeaderValue::from_static("accept-language"));
    response
}

fn asked_for(query: Option<&str>) -> Option<Cow<'_, str>> {
    form_urlencoded::parse(query?.as_bytes()).find(|(name, _)| name == "lang").map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_known_language_wins() {
        for (header, language) in [
            ("zh-CN,zh;q=0.9,en;q=0.8", Language::Chinese),
            ("en;q=0.8, zh;q=0.9", Language::Chinese),
            ("fr, en;q=0.1", Language::English),
            ("de", Language::English),
            ("zh;q=0", Language::English),
            ("en;q=0.2,zh;Q=0.3", Language::Chinese),
            ("zh;q=x,;;,", Language::English),
            ("ZH-Hant", Language::Chinese),
        ] {
            assert_eq!(preferred(header), language, "{header}");
        }
    }

    #[test]
    fn the_query_wins_over_the_header() {
        let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, HeaderValue::from_static("zh"))]);
        assert_eq!(of_request(Some("a=1&lang=en"), &headers), Language::English);
        assert_eq!(of_request(Some("a=1"), &headers), Language::Chinese);
        assert_eq!(of_request(Some("lang=fr"), &headers), Language::Chinese);
    }
}
