//! What counts as one client, for everything that is shared out among clients.

use std::net::{IpAddr, Ipv4Addr};

use crate::jobs::ClientKey;

/// A client: an IPv4 address, or the first 64 bits of an IPv6 address, which is what a provider gives to one customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client(u128);

impl Client {
    /// The client of requests that came through no socket.
    pub const UNKNOWN: Self = Self::of(IpAddr::V4(Ipv4Addr::UNSPECIFIED));

    /// The client that an address belongs to.
    #[must_use]
    pub const fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self(address.to_bits() as u128),
            IpAddr::V6(address) => Self((address.to_bits() >> 64) << 64 | 1 << 63),
        }
    }

    /// The client as jobs know it; `None` if it is unknown.
    #[must_use]
    pub fn key(self) -> Option<ClientKey> {
        (self != Self::UNKNOWN).then_some(ClientKey(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> Client {
        Client::of(address.parse().unwrap())
    }

    #[test]
    fn an_ipv6_client_is_its_network() {
        assert_eq!(client("2001:db8:0:1::1"), client("2001:db8:0:1:ffff::2"));
        assert_ne!(client("2001:db8:0:1::1"), client("2001:db8:0:2::1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
        assert_eq!(client("192.0.2.1"), client("::ffff:192.0.2.1"));
        assert_ne!(client("::"), Client::UNKNOWN);
    }
}
