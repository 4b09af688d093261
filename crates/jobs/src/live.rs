//! A running job as others see it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::json::Json;
use super::work::Work;

/// How long a rendered result is shown before it is rendered again.
const FRESH: Duration = Duration::from_millis(100);

/// The work of a job that this process runs. It is not part of the job's [`super::Record`].
pub struct Live {
    pub(super) work: Arc<dyn Work>,
    pub(super) started: Instant,
    done: AtomicU64,
    rendered: Mutex<Option<(Json, Instant)>>,
}

impl Live {
    /// Takes work that is about to run.
    #[must_use]
    pub fn new(work: Arc<dyn Work>) -> Self {
        Self { work, started: Instant::now(), done: AtomicU64::new(0), rendered: Mutex::default() }
    }

    /// The units of work done. It never falls.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Runs a chunk and counts what it did.
    pub(super) fn run_chunk(&self, chunk: u64) {
        self.done.fetch_add(self.work.run_chunk(chunk), Ordering::Relaxed);
    }

    /// The result so far, or one rendered a moment ago. It may render, so call it off the asynchronous workers unless
    /// [`Self::is_fresh`].
    #[must_use]
    pub fn result_so_far(&self) -> Option<Json> {
        let mut rendered = self.rendered();
        if let Some(result) = fresh(&rendered) {
            return Some(result);
        }
        let at = Instant::now();
        let result = self.work.result_so_far()?;
        *rendered = Some((result.clone(), at));
        Some(result)
    }

    /// Whether [`Self::result_so_far`] has a result at hand. Waiting for another thread that renders one blocks.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.rendered.try_lock().is_ok_and(|rendered| fresh(&rendered).is_some())
    }

    fn rendered(&self) -> MutexGuard<'_, Option<(Json, Instant)>> {
        self.rendered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The rendered result, unless it is too old. Chunks may change the result and count nothing as done, so only age tells.
fn fresh(rendered: &Option<(Json, Instant)>) -> Option<Json> {
    rendered.as_ref().filter(|(_, at)| at.elapsed() < FRESH).map(|(result, _)| result.clone())
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
    fn result_changes_also_when_nothing_counts_as_done() {
        let live = Live::new(Arc::new(Silent::default()));
        assert_eq!(live.result_so_far().unwrap().as_str(), "0");
        live.run_chunk(0);
        thread::sleep(FRESH);
        assert!(!live.is_fresh());
        assert_eq!(live.result_so_far().unwrap().as_str(), "1");
    }
}
