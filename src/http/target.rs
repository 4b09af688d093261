//! Where a request is addressed: its `Host`, and the prefix that a proxy removed from its path.

use std::net::{Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Version};
use axum::middleware::Next;
use axum::response::Response;

use super::problem::{Context, answer};
use crate::config::{ClientSettings, parse_base_path};
use crate::questions::extract::shortened;
use crate::questions::{Kind, Language, Problem};
use crate::server::Peer;
use crate::state::AppState;

/// The most bytes that a prefix may have: it is repeated in every problem.
const LONGEST_PREFIX: usize = 256;

/// A prefix of paths that a trusted proxy removed, such as `/games`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prefix(pub(super) Arc<str>);

/// The middleware. It runs outside CORS, which answers preflights itself.
pub(super) async fn layer(State(state): State<Arc<AppState>>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get().map(|Peer(address)| *address);
    if let Some(prefix) = prefix_of(peer, request.headers(), &state.config.clients) {
        request.extensions_mut().insert(prefix);
    }
    let language = Context::language_of(request.extensions());
    match check_host(request.version(), request.headers(), language) {
        Ok(()) => next.run(request).await,
        Err(problem) => answer(&problem, &Context::new(request.extensions(), &state)),
    }
}

/// Checks that there is one `Host`, and that it is one (RFC 9112, 3.2). HTTP/1.0 does without.
fn check_host(version: Version, headers: &HeaderMap, language: Language) -> Result<(), Problem> {
    let mut hosts = headers.get_all(HOST).iter();
    let number = headers.get_all(HOST).iter().count();
    let detail = match (hosts.next(), number) {
        (None, _) if version < Version::HTTP_11 => return Ok(()),
        (Some(host), 1) if is_host(host) => return Ok(()),
        (Some(host), 1) => {
            let host = shortened(&String::from_utf8_lossy(host.as_bytes()));
            language.choose(
                format!("`Host` must be a host name or an address, with or without a port, got `{host}`."),
                format!("`Host` 须为主机名或地址，可带端口，收到的是 `{host}`。"),
            )
        }
        _ => language.choose(
            format!("A request must have exactly one `Host` header, got {number}."),
            format!("请求须有且只有一个 `Host` 请求头，收到 {number} 个。"),
        ),
    };
    Err(Problem::new(Kind::BadRequest).with_detail(detail))
}

/// Whether a value is `name`, `192.0.2.1` or `[2001:db8::1]`, each with or without a port.
fn is_host(value: &HeaderValue) -> bool {
    let Some(authority) = value.to_str().ok().and_then(|text| text.parse::<Authority>().ok()) else {
        return false;
    };
    let (host, text) = (authority.host(), authority.as_str());
    let port = text.strip_prefix(host).unwrap_or("@");
    let is_port = port.strip_prefix(':').map_or(port.is_empty(), |digits| {
        digits.is_empty()
            || (digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.parse::<u16>().is_ok())
    });
    let is_name = match host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => {
            !host.is_empty()
                && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
        }
    };
    is_port && is_name
}

/// The prefix that trusted proxies removed, the outermost first. A client can send the header too; it only gets links
/// below a path of its own choice, on this host.
fn prefix_of(peer: Option<SocketAddr>, headers: &HeaderMap, settings: &ClientSettings) -> Option<Prefix> {
    let mut values = headers.get_all("x-forwarded-prefix").iter().peekable();
    values.peek()?;
    if !settings.trusts(peer?.ip()) {
        return None;
    }
    let mut prefix = String::new();
    for value in values {
        for part in value.to_str().ok()?.split(',') {
            prefix += &parse_base_path(part.trim()).ok()?;
        }
    }
    (!prefix.is_empty() && prefix.len() <= LONGEST_PREFIX).then(|| Prefix(prefix.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_is_a_name_or_an_address_and_a_port() {
        for host in [
            "a",
            "localhost:8080",
            "my_service:80",
            "192.0.2.1",
            "[::1]:8080",
            "[2001:db8::1]",
            "a.example.:",
            "A-b.C",
        ] {
            assert!(is_host(&HeaderValue::from_static(host)), "{host}");
        }
        for host in [
            "", " ", "a b", "a/b", "http://a", "user@a", "a:b", "a:+1", "a:99999", ":80", "[::1", "[x]",
            "::1", "a,b", "a?b", "%41",
        ] {
            assert!(!is_host(&HeaderValue::from_static(host)), "{host}");
        }
        assert!(!is_host(&HeaderValue::from_bytes(b"caf\xe9").unwrap()));
    }

    #[test]
    fn prefix_comes_from_trusted_proxies_alone() {
        let settings = ClientSettings {
            rate_limit: None,
            trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()],
            forwarded_header: crate::config::ForwardedHeader::XForwardedFor,
        };
        let prefix = |peer: &str, values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append("x-forwarded-prefix", HeaderValue::from_str(value).unwrap());
            }
            let peer = SocketAddr::new(peer.parse().unwrap(), 4711);
            prefix_of(Some(peer), &headers, &settings).map(|Prefix(text)| text.to_string())
        };
        assert_eq!(prefix("10.0.0.1", &["/games/"]).as_deref(), Some("/games"));
        assert_eq!(prefix("10.0.0.1", &["/a", "/b, /c"]).as_deref(), Some("/a/b/c"));
        assert_eq!(prefix("192.0.2.1", &["/games"]), None);
        let long = format!("/{}", "x".repeat(LONGEST_PREFIX));
        for value in
            ["", "/", "games", "//evil.example", "/a//b", "https://evil.example", "/a b", "/..", &long]
        {
            assert_eq!(prefix("10.0.0.1", &[value]), None, "{value}");
        }
    }
}
