//! How many connections each client has open, and how many files the process may open for them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use prometheus_client::metrics::counter::Counter;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::client::Client;
use crate::config::{ClientSettings, Config};

/// Connections that the address for operators may have open.
pub const ADMIN_CONNECTIONS: u32 = 64;

/// Files that are no connections: listeners, standard streams, what the runtime needs.
const OTHER_FILES: u64 = 64;

/// Limits the connections of each client, so that none can take all that there are.
#[derive(Debug)]
pub struct ClientShares {
    most: u32,
    clients: ClientSettings,
    open: Mutex<HashMap<Client, u32>>,
    rejected: Counter,
}

impl ClientShares {
    /// At most `--max-connections-per-client` each, half of all if that is absent. Trusted proxies are exempt: the
    /// connections of all their clients come from one address. Rejected connections are counted.
    #[must_use]
    pub fn new(config: &Config, rejected: Counter) -> Arc<Self> {
        let most = config.limits.max_connections_per_client;
        let most = most.unwrap_or(config.limits.max_connections.div_ceil(2));
        Arc::new(Self { most, clients: config.clients.clone(), open: Mutex::default(), rejected })
    }

    /// A share for one more connection of this client, given back when it is dropped; none if it has all its shares.
    pub(crate) fn take(self: &Arc<Self>, client: IpAddr) -> Option<Share> {
        if self.clients.trusts(client) {
            return Some(Share(None));
        }
        let key = Client::of(client);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(key).or_default();
        if *count >= self.most {
            self.rejected.inc();
            return None;
        }
        *count += 1;
        Some(Share(Some((Arc::clone(self), key))))
    }
}

/// One connection's part of its client's share.
pub(crate) struct Share(Option<(Arc<ClientShares>, Client)>);

impl Drop for Share {
    fn drop(&mut self) {
        let Some((shares, key)) = &self.0 else { return };
        let mut open = shares.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Entry::Occupied(mut count) = open.entry(*key) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

/// Raises the process's soft limit on open files to what its connections need, as far as the hard limit allows. Warns
/// if that is not enough.
pub fn allow_open_files(config: &Config) {
    let admin = config.admin_listen.map_or(0, |_| ADMIN_CONNECTIONS);
    let needed = u64::from(config.limits.max_connections) + u64::from(admin) + OTHER_FILES;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|limit| limit >= needed) {
        return;
    }
    let wanted = maximum.map_or(needed, |maximum| maximum.min(needed));
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    let limit = if raised.is_ok() { Some(wanted) } else { current }.unwrap_or(needed);
    if limit < needed {
        let connections = config.limits.max_connections;
        tracing::warn!(
            "the limit on open files (nofile) is {limit}, but {connections} connections need {needed}: raise it, or \
             lower --max-connections"
        );
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::config::Cli;

    fn shares(flags: &[&str]) -> Arc<ClientShares> {
        let config = Cli::parse_from([&["kibitz"], flags].concat()).config;
        ClientShares::new(&config, Counter::default())
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_client_gets_half_of_all_connections_by_default() {
        let shares = shares(&["--max-connections", "5"]);
        let (one, other) = (address("192.0.2.1"), address("192.0.2.2"));
        let mut taken: Vec<_> = (0..3).map(|_| shares.take(one).unwrap()).collect();
        assert!(shares.take(one).is_none());
        assert!(shares.take(address("::ffff:192.0.2.1")).is_none());
        assert_eq!(shares.rejected.get(), 2);
        assert!(shares.take(other).is_some());
        drop(taken.pop());
        taken.push(shares.take(one).unwrap());
        assert!(shares.take(one).is_none());
        drop(taken);
        assert!(shares.open.lock().unwrap().is_empty(), "clients without a connection are forgotten");
    }

    #[test]
    fn the_addresses_of_an_ipv6_network_share() {
        let shares = shares(&["--max-connections-per-client", "1"]);
        let _one = shares.take(address("2001:db8::1")).unwrap();
        assert!(shares.take(address("2001:db8::2")).is_none());
        assert!(shares.take(address("2001:db8:0:1::1")).is_some());
    }

    #[test]
    fn a_trusted_proxy_is_exempt() {
        let shares = shares(&["--max-connections-per-client", "1", "--trusted-proxies", "10.0.0.0/8"]);
        let taken: Vec<_> =
            ["10.0.0.1", "10.0.0.1", "::ffff:10.0.0.1"].map(|a| shares.take(address(a))).into();
        assert!(taken.iter().all(Option::is_some));
    }
}
