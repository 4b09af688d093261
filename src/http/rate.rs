//! The client of a request, and the limit on its requests, if one is configured: 429 with Retry-After, and the
//! headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10) on every answer.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::client::Client;
use crate::config::{ClientSettings, ForwardedHeader};
use crate::questions::{Kind, Problem};
use crate::rate_limiter::{Allowance, WINDOW};
use crate::server::Peer;
use crate::state::AppState;

/// What is left.
pub(super) const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
/// What the limit is.
pub(super) const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The middleware.
pub(super) async fn layer(State(state): State<Arc<AppState>>, mut request: Request, next: Next) -> Response {
    let client = Client::of(asker(&request, &state));
    request.extensions_mut().insert(client);
    let Some(limiter) = &state.rate_limiter else { return next.run(request).await };
    match limiter.check(client) {
        Ok(allowance) => marked(next.run(request).await, allowance),
        Err(allowance) => {
            let mut response = Problem::new(Kind::RateLimited).into_response();
            response.headers_mut().insert(RETRY_AFTER, seconds(allowance).into());
            marked(response, allowance)
        }
    }
}

/// The address of the client that a request comes from.
pub(super) fn asker(request: &Request, state: &AppState) -> IpAddr {
    // Without a socket there is one client.
    let peer = request.extensions().get().map_or(Ipv4Addr::UNSPECIFIED.into(), |Peer(address)| address.ip());
    client_of(peer, request.headers(), &state.config.clients)
}

fn marked(mut response: Response, allowance: Allowance) -> Response {
    let Allowance { quota, remaining, .. } = allowance;
    let policy = format!("\"client\";q={quota};w={}", WINDOW.as_secs());
    let left = format!("\"client\";r={remaining};t={}", seconds(allowance));
    for (name, value) in [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, left)] {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// Whole seconds, rounded up, so a client that waits is never early.
fn seconds(allowance: Allowance) -> u64 {
    allowance.reset.as_millis().div_ceil(1_000) as u64
}

/// The client's address: the peer's, unless that is a trusted proxy. Then it is the last address in the proxy's header
/// that is not a trusted proxy's: a client may have made up what comes before it.
pub(super) fn client_of(peer: IpAddr, headers: &HeaderMap, settings: &ClientSettings) -> IpAddr {
    let (name, address_of): (_, fn(&str) -> Option<IpAddr>) = match settings.forwarded_header {
        ForwardedHeader::XForwardedFor => ("x-forwarded-for", address_of),
        ForwardedHeader::Forwarded => ("forwarded", forwarded_for),
    };
    let mut client = peer.to_canonical();
    let values: Vec<_> = headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("")).collect();
    for hop in values.iter().flat_map(|value| value.split(',')).rev() {
        if !settings.trusts(client) {
            break;
        }
        // An unreadable address says nothing; the proxy that wrote it is the last one known.
        let Some(address) = address_of(hop.trim()) else { break };
        client = address;
    }
    client
}

/// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:4711`.
fn address_of(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse().map(|socket: SocketAddr| socket.ip()));
    address.ok().map(|address: IpAddr| address.to_canonical())
}

/// The address of `for=192.0.2.1;proto=https`, `for="[2001:db8::1]:4711"` (RFC 7239).
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.eq_ignore_ascii_case("for"))?;
    address_of(value.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, headers: &[(&'static str, &'static str)]) -> String {
        client_by(ForwardedHeader::XForwardedFor, peer, headers)
    }

    fn client_by(
        forwarded_header: ForwardedHeader,
        peer: &str,
        headers: &[(&'static str, &'static str)],
    ) -> String {
        let trusted_proxies = ["10.0.0.0/8", "fd00::/8"].map(|network| network.parse().unwrap()).to_vec();
        let settings = ClientSettings { rate_limit: None, trusted_proxies, forwarded_header };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        client_of(peer.parse().unwrap(), &map, &settings).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let told = [("x-forwarded-for", "192.0.2.7")];
        assert_eq!(client("198.51.100.1", &told), "198.51.100.1");
        assert_eq!(client("10.1.2.3", &told), "192.0.2.7");
        assert_eq!(client("::ffff:10.1.2.3", &told), "192.0.2.7");
        assert_eq!(client("10.1.2.3", &[]), "10.1.2.3");
    }

    #[test]
    fn what_a_client_made_up_is_passed_over() {
        assert_eq!(client("10.0.0.1", &[("x-forwarded-for", "1.1.1.1, 192.0.2.7, 10.0.0.2")]), "192.0.2.7");
        assert_eq!(
            client("10.0.0.1", &[("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "192.0.2.7")]),
            "192.0.2.7"
        );
        assert_eq!(client("10.0.0.1", &[("x-forwarded-for", "1.1.1.1, nonsense")]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &[("x-forwarded-for", "1.1.1.1, nonsense, 10.9.9.9")]), "10.9.9.9");
        assert_eq!(client("10.0.0.1", &[("x-forwarded-for", "")]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &[("x-forwarded-for", "10.0.0.3, 10.0.0.2")]), "10.0.0.3");
    }

    #[test]
    fn only_the_configured_header_names_the_client() {
        let both = [("x-forwarded-for", "192.0.2.7"), ("forwarded", "for=192.0.2.8")];
        assert_eq!(client("10.0.0.1", &both), "192.0.2.7");
        assert_eq!(client_by(ForwardedHeader::Forwarded, "10.0.0.1", &both), "192.0.2.8");
        assert_eq!(client("10.0.0.1", &both[1..]), "10.0.0.1");
        assert_eq!(client_by(ForwardedHeader::Forwarded, "10.0.0.1", &both[..1]), "10.0.0.1");
    }

    #[test]
    fn forwarded_is_read_as_the_rfc_writes_it() {
        let client = |peer, value| client_by(ForwardedHeader::Forwarded, peer, &[("forwarded", value)]);
        assert_eq!(client("10.0.0.1", "for=192.0.2.7;proto=https;by=10.0.0.1"), "192.0.2.7");
        assert_eq!(client("fd00::1", "for=1.1.1.1, For=\"[2001:db8::1]:4711\""), "2001:db8::1");
        assert_eq!(client("10.0.0.1", "for=_hidden"), "10.0.0.1");
    }

    #[test]
    fn ports_and_brackets_are_left_out() {
        for text in ["192.0.2.7:80", "192.0.2.7"] {
            assert_eq!(address_of(text), "192.0.2.7".parse().ok());
        }
        for text in ["2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:80"] {
            assert_eq!(address_of(text), "2001:db8::1".parse().ok());
        }
        assert_eq!(address_of("unknown"), None);
    }
}
