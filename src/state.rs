//! What every request shares: the tables, the metrics, the configuration, and whether the service is shutting down.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::{Semaphore, watch};

use crate::adviser::{Adviser, Settings};
use crate::budget::Budget;
use crate::config::{Config, JobSettings};
use crate::http;
use crate::jobs::{Jobs, Limits, MemoryStore, default_threads};
use crate::memory;
use crate::metrics::{Metrics, RulesLabel};
use crate::permits::Permits;
use crate::rate_limiter::RateLimiter;
use crate::telemetry;

/// The state behind every handler.
pub struct AppState {
    /// The settings.
    pub config: Config,
    /// What is counted and timed.
    pub metrics: Metrics,
    /// What answers are made of.
    pub adviser: Arc<Adviser>,
    /// Permits for work of up to a second: batches and long calculations.
    pub heavy: Permits,
    /// Permits for work of some milliseconds, which does not wait behind heavy work.
    pub light: Permits,
    /// A permit for each request that waits for a job to end.
    pub waiters: Semaphore,
    /// A permit for each request that waits for a table of house rules: not for all requests that may run, so that
    /// those that need no such table are answered meanwhile.
    pub table_waiters: Arc<Semaphore>,
    /// Bytes of bodies that have arrived, or are arriving, and of large answers that have not been sent.
    pub budgets: Budgets,
    /// A permit for each answer that is being compressed.
    pub encoders: Arc<Semaphore>,
    /// How often each client may ask, if that is limited.
    pub rate_limiter: Option<RateLimiter>,
    /// The jobs and the threads that run them.
    pub jobs: Jobs,
    shutdown: watch::Sender<bool>,
}

/// Permits for light work for each permit for heavy work.
const LIGHT_PER_HEAVY: usize = 4;

/// Bytes that requests and answers hold.
pub struct Budgets {
    /// Of the bodies of single questions.
    pub bodies: Budget,
    /// Of the bodies of batches, of their answers, and of other large answers.
    pub batches: Budget,
}

impl AppState {
    /// A state with no table built.
    ///
    /// # Errors
    /// If the system denies the threads of the jobs.
    pub fn new(config: Config) -> io::Result<Arc<Self>> {
        let JobSettings { threads, queue, running, kept, retention, max_time, .. } = config.jobs;
        let limits = Limits {
            queued: queue as usize,
            long: running.into(),
            finished: kept as usize,
            keep: retention,
            run_time: max_time,
            ..Limits::default()
        };
        let threads = threads.map_or_else(default_threads, usize::from);
        let metrics = Metrics::new();
        let batches = Budget::new(config.limits.max_buffered);
        let adviser = Arc::new(Adviser::new(Settings {
            yahtzee_rules: config.yahtzee_rules.clone(),
            house_tables: config.house_tables.bounds(),
            house_table_metrics: metrics.house_tables.clone(),
            memory: batches.clone(),
            search_bytes: config.limits.max_buffered as usize / 2,
            // A fifth of the time of a request is left to read it and to send the answer.
            search_time: config.limits.request_timeout.mul_f64(0.8),
            // It takes as much memory as a distribution job.
            whole_games: threads > 0,
        })?);
        let runners = http::runners(&adviser, threads);
        let store = MemoryStore::new(limits);
        let max_requests = config.limits.max_requests as usize;
        let max_batches = config.limits.max_batches as usize;
        // A tenth of the time of a request is for waiting.
        let queue_timeout = config.limits.request_timeout / 10;
        Ok(Arc::new(Self {
            table_waiters: Arc::new(Semaphore::new((max_requests - max_requests.div_ceil(64)).max(1))),
            waiters: Semaphore::new((config.limits.max_requests / 4).max(1) as usize),
            jobs: Jobs::start(store, runners, threads)?,
            heavy: Permits::new(max_batches, queue_timeout),
            light: Permits::new(max_batches.saturating_mul(LIGHT_PER_HEAVY), queue_timeout),
            adviser,
            metrics,
            budgets: Budgets { bodies: Budget::new(config.limits.max_buffered), batches },
            encoders: Arc::new(Semaphore::new(memory::ENCODERS)),
            rate_limiter: config.clients.rate_limit.map(RateLimiter::per_minute),
            config,
            shutdown: watch::Sender::new(false),
        }))
    }

    /// Builds the tables beside the server, which answers from the first moment. A thread, not a task: the process may
    /// end without waiting for it.
    ///
    /// # Errors
    /// Where no thread can be started.
    pub fn build_in_background(self: &Arc<Self>) -> std::io::Result<()> {
        /// A service whose tables cannot be built would never turn ready: it ends, after the panic's own message.
        struct ExitOnPanic;
        impl Drop for ExitOnPanic {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    telemetry::flush_blocking();
                    std::process::exit(1);
                }
            }
        }
        let state = Arc::clone(self);
        let work = move || {
            let _guard = ExitOnPanic;
            state.build_tables_blocking();
            state.adviser.craps.build_blocking();
            state.build_later_blocking();
        };
        std::thread::Builder::new().name("tables".to_owned()).spawn(work).map(drop)
    }

    /// Builds what `/readyz` waits for, on all cores; what may come later is [`Self::build_later_blocking`].
    pub fn build_tables_blocking(&self) {
        self.build_presets_blocking(true);
        tracing::info!("ready");
    }

    /// Builds the other tables, and the second moments of the presets, which stay like their tables.
    pub fn build_later_blocking(&self) {
        self.build_presets_blocking(false);
        for &preset in &self.adviser.yahtzee_rules {
            self.adviser.yahtzee.build_moments_blocking(preset);
        }
    }

    fn build_presets_blocking(&self, awaited: bool) {
        let presets = self.adviser.yahtzee_rules.iter();
        for &preset in presets.filter(|preset| self.adviser.is_awaited(**preset) == awaited) {
            let started = Instant::now();
            self.adviser.yahtzee.build_blocking(preset);
            let seconds = started.elapsed().as_secs_f64();
            self.metrics.table_builds.get_or_create(&RulesLabel { rules: preset.name() }).set(seconds);
            tracing::info!(rules = preset.name(), seconds, "built a table");
        }
    }

    /// Whether every table that `/readyz` waits for is built and the service is not shutting down.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        !self.is_shutting_down() && self.adviser.is_ready()
    }

    /// Begins the shutdown; it cannot be taken back.
    pub fn shut_down(&self) {
        self.shutdown.send_replace(true);
        // Event streams end with their jobs, so that no listener holds up the shutdown.
        self.jobs.shut_down();
    }

    /// Whether the shutdown has begun.
    #[must_use]
    pub fn is_shutting_down(&self) -> bool {
        *self.shutdown.borrow()
    }

    /// A receiver that turns true when the shutdown begins.
    #[must_use]
    pub fn watch_shutdown(&self) -> watch::Receiver<bool> {
        self.shutdown.subscribe()
    }
}
