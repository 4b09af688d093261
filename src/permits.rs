//! Permits for heavy work, shared out among clients, and how long to wait for one.
//!
//! No client holds or waits for more than half of the permits at a time, so that others are served meanwhile.
//!
//! A queue takes up a burst, as long as it is empty again soon. One that is never empty only makes everybody wait. So a
//! request waits for `queue_timeout` if a permit has been free within that time, and hardly at all otherwise: under
//! lasting overload, what is accepted is done soon, and the rest is rejected at once.
//! (After the controlled delay in B. Maurer, "Fail at Scale", ACM Queue 13, 2015.)

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::client::Client;

/// Under lasting overload the queue timeout is divided by this.
const LESS: u32 = 20;

/// The number of clients from which on those that hold nothing are forgotten.
const REMEMBERED: usize = 64;

/// Permits, each of which is held by one task at a time.
#[derive(Debug)]
pub struct Permits {
    all: Gate,
    share: usize,
    shares: Mutex<HashMap<Client, Arc<Gate>>>,
}

/// The right to run one task, until it is dropped.
#[derive(Debug)]
pub struct Permit {
    _of_client: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Permits {
    /// Creates `number` permits. In a burst, a request waits up to `queue_timeout` for one.
    #[must_use]
    pub fn new(number: usize, queue_timeout: Duration) -> Self {
        let share = (number / 2).max(1);
        Self { all: Gate::new(number, queue_timeout), share, shares: Mutex::default() }
    }

    /// Takes a permit for a client; `None` if none became free in time.
    pub async fn take(&self, client: Client) -> Option<Permit> {
        let share = self.share_of(client);
        let of_client = share.enter().await?;
        Some(Permit { _of_client: of_client, _of_all: self.all.enter().await? })
    }

    fn share_of(&self, client: Client) -> Arc<Gate> {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if shares.len() >= REMEMBERED {
            shares.retain(|_, gate| {
                Arc::strong_count(gate) > 1 || gate.permits.available_permits() < self.share
            });
        }
        let new = || Arc::new(Gate::new(self.share, self.all.queue_timeout));
        Arc::clone(shares.entry(client).or_insert_with(new))
    }
}

/// A semaphore that knows whether it is overloaded.
#[derive(Debug)]
struct Gate {
    permits: Arc<Semaphore>,
    queue_timeout: Duration,
    /// When a permit was last found free.
    last_free: Mutex<Instant>,
}

impl Gate {
    fn new(number: usize, queue_timeout: Duration) -> Self {
        let last_free = Mutex::new(Instant::now());
        Self { permits: Arc::new(Semaphore::new(number)), queue_timeout, last_free }
    }

    async fn enter(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            *self.last_free.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
            return Some(permit);
        }
        timeout(self.queue_timeout_now(), Arc::clone(&self.permits).acquire_owned()).await.ok()?.ok()
    }

    fn queue_timeout_now(&self) -> Duration {
        let last_free = *self.last_free.lock().unwrap_or_else(PoisonError::into_inner);
        if last_free.elapsed() < self.queue_timeout { self.queue_timeout } else { self.queue_timeout / LESS }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    const QUEUE_TIMEOUT: Duration = Duration::from_millis(400);

    fn client(number: u32) -> Client {
        Client::of(IpAddr::V4(Ipv4Addr::from_bits(number)))
    }

    async fn rejected_after(permits: &Permits) -> Duration {
        let started = Instant::now();
        assert!(permits.take(Client::UNKNOWN).await.is_none());
        started.elapsed()
    }

    #[tokio::test]
    async fn a_burst_waits_and_lasting_overload_is_rejected_soon() {
        let permits = Permits::new(1, QUEUE_TIMEOUT);
        let taken = permits.take(Client::UNKNOWN).await.unwrap();
        assert!(rejected_after(&permits).await >= QUEUE_TIMEOUT, "a burst waits");
        let rejected = rejected_after(&permits).await;
        assert!(
            rejected >= QUEUE_TIMEOUT / LESS && rejected < QUEUE_TIMEOUT,
            "no permit has been free for long: {rejected:?}"
        );
        drop(taken);
        let taken = permits.take(Client::UNKNOWN).await.unwrap();
        let (waited, ()) = tokio::join!(permits.take(Client::UNKNOWN), async {
            tokio::time::sleep(QUEUE_TIMEOUT / 4).await;
            drop(taken);
        });
        assert!(waited.is_some(), "a permit has been free just now, so the next request waits");
    }

    #[tokio::test]
    async fn one_client_holds_at_most_half() {
        let permits = Permits::new(4, QUEUE_TIMEOUT);
        let held = [permits.take(client(1)).await, permits.take(client(1)).await];
        assert!(held.iter().all(Option::is_some) && permits.take(client(1)).await.is_none());
        let others = [permits.take(client(2)).await, permits.take(client(3)).await];
        assert!(others.iter().all(Option::is_some));
        assert!(permits.take(client(4)).await.is_none(), "all four are taken");
        drop(held);
        assert!(permits.take(client(1)).await.is_some());
    }

    #[tokio::test]
    async fn clients_that_hold_nothing_are_forgotten() {
        let permits = Permits::new(4, QUEUE_TIMEOUT);
        let held = [permits.take(client(0)).await, permits.take(client(0)).await];
        for number in 1..1_000 {
            assert!(permits.take(client(number)).await.is_some());
        }
        assert!(permits.shares.lock().unwrap().len() <= REMEMBERED);
        assert!(permits.take(client(0)).await.is_none(), "a client that holds permits is not forgotten");
        drop(held);
    }
}
