//! Values that are built on first use, each once for any number of callers, and kept within bounds.
//!
//! Builds run one after the other on a pool of their own, so that they take no more of the machine than they were given;
//! a limited number may wait, and further ones are rejected. The least recently used value is dropped first, but never
//! one that a request still holds: it would take memory all the same. A build begins when what is kept is within bounds, so that at most one
//! value exceeds them. It knows no game and no HTTP.
//!
//! ```
//! use std::sync::Arc;
//!
//! use kibitz::build_cache::{BuildCache, Bounds};
//! use kibitz::metrics::BuildCacheMetrics;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let bounds = Bounds { entries: 2, bytes: 1_000, waiting: 8, threads: 1 };
//! let is_held = |square: &Arc<u32>| Arc::strong_count(square) > 1;
//! let squares = BuildCache::start(bounds, is_held, BuildCacheMetrics::default()).unwrap();
//! let square = squares.get(7, || Arc::new(49), |_| 8).unwrap().wait().await;
//! assert_eq!(square, Ok(Arc::new(49)));
//! assert_eq!(squares.find(&7), Some(Arc::new(49)));
//! # }
//! ```

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;
use std::{io, thread};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::watch;

use crate::metrics::BuildCacheMetrics;

/// How long to wait before looking again whether held values have been let go: an `Arc` tells nobody of that. A build
/// takes 20 times as long.
const HELD_PAUSE: Duration = Duration::from_millis(5);

/// How much a cache may hold and do.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Values that are kept.
    pub entries: usize,
    /// Bytes that the values take together which are kept or held.
    pub bytes: usize,
    /// Maximum number of queued builds beside the running one; further ones are rejected.
    pub waiting: usize,
    /// Threads that build.
    pub threads: usize,
}

/// Values by key. Dropping it ends its thread after the running build.
pub struct BuildCache<K, V> {
    shared: Arc<Shared<K, V>>,
    orders: mpsc::Sender<Order<K, V>>,
}

/// Too many builds wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many builds are waiting")]
pub struct Full;

/// The build panicked; the panic itself has been reported by the panic hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the build failed")]
pub struct Failed;

/// A value that is there or will be.
pub enum Pending<V> {
    /// It was kept.
    Ready(V),
    /// It is being built, or waits to be. A build without waiting callers is not begun.
    Building(watch::Receiver<Option<Result<V, Failed>>>),
}

struct Order<K, V> {
    key: K,
    build: Box<dyn FnOnce() -> V + Send>,
    size: fn(&V) -> usize,
}

struct Shared<K, V> {
    bounds: Bounds,
    is_held: fn(&V) -> bool,
    metrics: BuildCacheMetrics,
    state: Mutex<State<K, V>>,
}

struct State<K, V> {
    slots: HashMap<K, Slot<V>>,
    /// The kept keys by when they were last used.
    by_use: BTreeMap<u64, K>,
    uses: u64,
    bytes: usize,
    waiting: usize,
}

enum Slot<V> {
    Building(watch::Sender<Option<Result<V, Failed>>>),
    Kept { value: V, bytes: usize, last_use: u64 },
}

impl<V: Clone> Pending<V> {
    /// The value, once it is built.
    ///
    /// # Errors
    /// Where the build panicked.
    pub async fn wait(self) -> Result<V, Failed> {
        match self {
            Self::Ready(value) => Ok(value),
            Self::Building(mut receiver) => {
                let built = receiver.wait_for(Option::is_some).await.map_err(|_| Failed)?;
                built.clone().unwrap_or(Err(Failed))
            }
        }
    }
}

impl<V: Clone + Send + Sync> Pending<V> {
    /// The same for code that is not async.
    ///
    /// # Errors
    /// If the build panicked, or the system denies what waiting needs.
    pub fn wait_blocking(self) -> Result<V, Failed> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|_| Failed)?;
        runtime.block_on(self.wait())
    }
}

impl<K, V> BuildCache<K, V>
where
    K: Copy + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Starts the threads that build. `is_held` says whether anybody but the cache holds a value.
    ///
    /// # Errors
    /// If the system denies a thread.
    pub fn start(bounds: Bounds, is_held: fn(&V) -> bool, metrics: BuildCacheMetrics) -> io::Result<Self> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(bounds.threads)
            .thread_name(|index| format!("build-{index}"))
            .build()
            .map_err(io::Error::other)?;
        let state = State { slots: HashMap::new(), by_use: BTreeMap::new(), uses: 0, bytes: 0, waiting: 0 };
        let shared = Arc::new(Shared { bounds, is_held, metrics, state: Mutex::new(state) });
        let (orders, incoming) = mpsc::channel();
        let own = Arc::clone(&shared);
        thread::Builder::new().name("builds".to_owned()).spawn(move || own.work(&incoming, &pool))?;
        Ok(Self { shared, orders })
    }

    /// A value that is kept already.
    #[must_use]
    pub fn find(&self, key: &K) -> Option<V> {
        self.shared.lock().touch(key).inspect(|_| {
            self.shared.metrics.hits.inc();
        })
    }

    /// A value that is kept, or is being built, or is built now by `build` and then said to take `size` bytes.
    ///
    /// # Errors
    /// Where too many builds wait.
    pub fn get(
        &self,
        key: K,
        build: impl FnOnce() -> V + Send + 'static,
        size: fn(&V) -> usize,
    ) -> Result<Pending<V>, Full> {
        let Shared { bounds, metrics, .. } = &*self.shared;
        let mut state = self.shared.lock();
        if let Some(value) = state.touch(&key) {
            metrics.hits.inc();
            return Ok(Pending::Ready(value));
        }
        if let Some(Slot::Building(sender)) = state.slots.get(&key) {
            return Ok(Pending::Building(sender.subscribe()));
        }
        if state.waiting >= bounds.waiting {
            metrics.refusals.inc();
            return Err(Full);
        }
        let (sender, receiver) = watch::channel(None);
        state.slots.insert(key, Slot::Building(sender));
        state.waiting += 1;
        metrics.waiting.inc();
        // The thread is there as long as the cache is: it does nothing that panics outside of a build.
        let _ = self.orders.send(Order { key, build: Box::new(build), size });
        Ok(Pending::Building(receiver))
    }
}

impl<K: Copy + Eq + Hash, V: Clone + Send> Shared<K, V> {
    fn lock(&self) -> MutexGuard<'_, State<K, V>> {
        // The state is whole between two calls, also where a thread panicked in one.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The life of the thread that builds.
    fn work(&self, incoming: &mpsc::Receiver<Order<K, V>>, pool: &ThreadPool) {
        for Order { key, build, size } in incoming {
            if !self.begin(&key) {
                continue;
            }
            let built = catch_unwind(AssertUnwindSafe(|| pool.install(build))).map_err(|_| Failed);
            self.metrics.builds.inc();
            self.finish(key, built, size);
        }
    }

    /// Takes an order out of the queue as soon as the values fit; false if no caller waits for it any more.
    fn begin(&self, key: &K) -> bool {
        loop {
            let mut state = self.lock();
            let wanted =
                matches!(state.slots.get(key), Some(Slot::Building(sender)) if sender.receiver_count() > 0);
            self.evict(&mut state);
            if !wanted || state.bytes <= self.bounds.bytes {
                state.waiting -= 1;
                self.metrics.waiting.dec();
                if !wanted {
                    state.slots.remove(key);
                }
                return wanted;
            }
            drop(state);
            // Requests hold more than fits. Each lets go before its deadline, and then wants nothing any more.
            thread::sleep(HELD_PAUSE);
        }
    }

    /// Lets the least recently used values go until the rest is within bounds, except for those that are held.
    fn evict(&self, state: &mut State<K, V>) {
        let evicted = state.evict(&self.bounds, self.is_held);
        self.metrics.evictions.inc_by(evicted);
        self.metrics.entries.set(state.by_use.len() as i64);
        self.metrics.bytes.set(state.bytes as i64);
    }

    fn finish(&self, key: K, built: Result<V, Failed>, size: fn(&V) -> usize) {
        let mut state = self.lock();
        let slot = state.slots.remove(&key);
        if let Ok(value) = &built {
            state.keep(key, value.clone(), size(value));
        }
        self.evict(&mut state);
        drop(state);
        if let Some(Slot::Building(sender)) = slot {
            sender.send_replace(Some(built));
        }
    }
}

impl<K: Copy + Eq + Hash, V: Clone> State<K, V> {
    /// A kept value, which has been used now.
    fn touch(&mut self, key: &K) -> Option<V> {
        let Some(Slot::Kept { value, last_use, .. }) = self.slots.get_mut(key) else { return None };
        self.uses += 1;
        self.by_use.remove(last_use);
        self.by_use.insert(self.uses, *key);
        *last_use = self.uses;
        Some(value.clone())
    }

    fn keep(&mut self, key: K, value: V, bytes: usize) {
        self.uses += 1;
        self.by_use.insert(self.uses, key);
        self.bytes += bytes;
        self.slots.insert(key, Slot::Kept { value, bytes, last_use: self.uses });
    }

    /// Lets the least recently used values that nobody holds go until the rest is within bounds; how many went.
    fn evict(&mut self, bounds: &Bounds, is_held: fn(&V) -> bool) -> u64 {
        let mut evicted = 0;
        let by_use: Vec<_> = self.by_use.iter().map(|(&last_use, &key)| (last_use, key)).collect();
        for (last_use, key) in by_use {
            if self.by_use.len() <= bounds.entries && self.bytes <= bounds.bytes {
                break;
            }
            let Some(Slot::Kept { value, bytes, .. }) = self.slots.get(&key) else { continue };
            if is_held(value) {
                continue;
            }
            self.bytes -= bytes;
            self.slots.remove(&key);
            self.by_use.remove(&last_use);
            evicted += 1;
        }
        evicted
    }
}

#[cfg(test)]
mod tests;
