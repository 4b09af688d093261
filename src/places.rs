//! Places for heavy work, and how long to wait for one.
//!
//! A queue takes up a burst, as long as it is empty again soon. One that is never empty only makes everybody wait. So who
//! finds no place free waits for one with patience while one has been free not long ago, and hardly at all once none has
//! been for as long: under lasting overload those who are served are served soon, the others told at once to come again.
//! (After the controlled delay in B. Maurer, "Fail at Scale", ACM Queue 13, 2015.)

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// Under lasting overload the patience is divided by this.
const LESS: u32 = 20;

/// Places of which each is taken by one piece of work at a time.
#[derive(Debug)]
pub struct Places {
    permits: Arc<Semaphore>,
    patience: Duration,
    /// When somebody last found a place free.
    last_free: Mutex<Instant>,
}

impl Places {
    /// So many places, for which one waits so long in a burst.
    #[must_use]
    pub fn new(number: usize, patience: Duration) -> Self {
        let last_free = Mutex::new(Instant::now());
        Self { permits: Arc::new(Semaphore::new(number)), patience, last_free }
    }

    /// Takes a place until the permit is dropped; `None` where none became free in time.
    pub async fn take(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            *self.last_free.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
            return Some(permit);
        }
        timeout(self.patience_now(), Arc::clone(&self.permits).acquire_owned()).await.ok()?.ok()
    }

    fn patience_now(&self) -> Duration {
        let last_free = *self.last_free.lock().unwrap_or_else(PoisonError::into_inner);
        if last_free.elapsed() < self.patience { self.patience } else { self.patience / LESS }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_millis(400);

    async fn refused_after(places: &Places) -> Duration {
        let started = Instant::now();
        assert!(places.take().await.is_none());
        started.elapsed()
    }

    #[tokio::test]
    async fn patience_ends_with_the_burst_and_comes_back_with_a_free_place() {
        let places = Places::new(1, PATIENCE);
        let taken = places.take().await.unwrap();
        assert!(refused_after(&places).await >= PATIENCE, "a burst is waited for");
        let refused = refused_after(&places).await;
        assert!(
            refused >= PATIENCE / LESS && refused < PATIENCE,
            "no place has been free for long: {refused:?}"
        );
        drop(taken);
        let taken = places.take().await.unwrap();
        let (waited, ()) = tokio::join!(places.take(), async {
            tokio::time::sleep(PATIENCE / 4).await;
            drop(taken);
        });
        assert!(waited.is_some(), "a place has been free just now, so one more is waited for");
    }
}
