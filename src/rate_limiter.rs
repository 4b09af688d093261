//! How often each client may ask.
//!
//! Addresses are hashed, with a secret of the process, into a fixed number of allowances: memory is bounded whoever
//! asks, nothing has to be swept, and nobody can aim at the allowance of another. Two clients share one by chance
//! (among a thousand active clients each does with probability 0.4 %).

use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter as Limiter};

use crate::client::Client;

/// Allowances at most: some 10 MB when all are in use.
const ALLOWANCES: u64 = 1 << 18;

/// The period of an allowance.
pub const WINDOW: Duration = Duration::from_secs(60);

/// Limits the requests per minute of each client, which may use them all at once (GCRA: the allowance refills evenly).
pub struct RateLimiter {
    per_minute: NonZeroU32,
    secret: RandomState,
    limiter: Limiter<u64, HashMapStateStore<u64>, DefaultClock, StateInformationMiddleware>,
}

/// What is left of a client's allowance after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Requests that it may make in a minute.
    pub quota: u32,
    /// Requests that it may make at once now.
    pub remaining: u32,
    /// The time until the whole allowance is back; for a rejected request, until the next one is accepted.
    pub reset: Duration,
}

impl RateLimiter {
    /// A limiter of `per_minute` requests a minute.
    #[must_use]
    pub fn per_minute(per_minute: NonZeroU32) -> Self {
        let limiter = Limiter::hashmap(Quota::per_minute(per_minute)).with_middleware();
        Self { per_minute, secret: RandomState::new(), limiter }
    }

    /// Counts a request of this client.
    ///
    /// # Errors
    /// Where it has used its allowance.
    pub fn check(&self, client: Client) -> Result<Allowance, Allowance> {
        let key = self.secret.hash_one(client) % ALLOWANCES;
        let quota = self.per_minute.get();
        match self.limiter.check_key(&key) {
            Ok(state) => {
                let remaining = state.remaining_burst_capacity();
                Ok(Allowance { quota, remaining, reset: WINDOW * quota.saturating_sub(remaining) / quota })
            }
            Err(refused) => {
                let reset = refused.wait_time_from(self.limiter.clock().now());
                Err(Allowance { quota, remaining: 0, reset })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn client(address: u32) -> Client {
        Client::of(IpAddr::V4(address.into()))
    }

    #[test]
    fn each_client_has_its_allowance() {
        let limiter = RateLimiter::per_minute(NonZeroU32::new(3).unwrap());
        let (one, two) = (client(1), client(2));
        for remaining in [2, 1, 0] {
            assert_eq!(limiter.check(one).map(|left| left.remaining), Ok(remaining));
        }
        let refused = limiter.check(one).unwrap_err();
        assert_eq!((refused.quota, refused.remaining), (3, 0));
        assert!(
            refused.reset > Duration::from_secs(15) && refused.reset <= Duration::from_secs(20),
            "{refused:?}"
        );
        assert!(limiter.check(two).is_ok());
    }

    #[test]
    fn memory_is_bounded_by_the_number_of_allowances() {
        let limiter = RateLimiter::per_minute(NonZeroU32::new(10).unwrap());
        for number in 0..600_000_u32 {
            limiter.check(client(number)).ok();
        }
        let allowances = limiter.limiter.len() as u64;
        assert!(allowances <= ALLOWANCES && allowances > ALLOWANCES / 2, "{allowances}");
    }
}
