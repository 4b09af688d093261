//! What others see of a job in work.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::jobs::job::Live;
use crate::jobs::json::Json;
use crate::jobs::work::Work;

/// A rendered result is shown for so long.
const FRESH: Duration = Duration::from_millis(100);

/// What others see of a job in work.
pub(super) struct Running {
    pub(super) work: Arc<dyn Work>,
    pub(super) done: AtomicU64,
    copy: Mutex<Option<Copied>>,
}

/// A rendered result.
struct Copied {
    result: Json,
    at: Instant,
}

impl Running {
    pub(super) fn new(work: Arc<dyn Work>) -> Self {
        Self { work, done: AtomicU64::new(0), copy: Mutex::default() }
    }

    fn copy(&self) -> MutexGuard<'_, Option<Copied>> {
        self.copy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Copied {
    /// The copy, unless it is too old. What is run may change the result and count nothing as done, as parts do: age alone
    /// tells.
    fn fresh(copy: &Option<Self>) -> Option<Json> {
        copy.as_ref().filter(|copy| copy.at.elapsed() < FRESH).map(|copy| copy.result.clone())
    }
}

impl Live for Running {
    fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    fn steps(&self) -> u64 {
        self.work.steps()
    }

    fn result_so_far(&self) -> Option<Json> {
        let mut copy = self.copy();
        if let Some(fresh) = Copied::fresh(&copy) {
            return Some(fresh);
        }
        let at = Instant::now();
        let result = self.work.result_so_far()?;
        *copy = Some(Copied { result: result.clone(), at });
        Some(result)
    }

    fn is_fresh(&self) -> bool {
        // Where somebody renders just now, waiting for it is for a thread that may block.
        self.copy.try_lock().is_ok_and(|copy| Copied::fresh(&copy).is_some())
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Its only chunk changes the result and counts nothing as done.
    #[derive(Default)]
    struct Silent(AtomicU64);

    impl Work for Silent {
        fn chunks(&self) -> u64 {
            1
        }

        fn run_chunk(&self, _chunk: u64) -> u64 {
            self.0.fetch_add(1, Ordering::Relaxed);
            0
        }

        fn result_so_far(&self) -> Option<Json> {
            Json::of(&self.0).ok()
        }
    }

    #[test]
    fn a_result_so_far_shows_what_counts_as_nothing_done() {
        let work: Arc<dyn Work> = Arc::new(Silent::default());
        let running = Running::new(Arc::clone(&work));
        assert_eq!(running.result_so_far().unwrap().as_str(), "0");
        work.run_chunk(0);
        thread::sleep(FRESH);
        assert!(!running.is_fresh());
        assert_eq!(running.result_so_far().unwrap().as_str(), "1");
    }
}
