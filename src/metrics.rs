//! What the service counts and times, in a registry of its own: no global state.

mod classic;
mod process;

use std::fmt;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::sync::atomic::AtomicU64;

use crate::release;
use process::Process;

/// The labels of an answered request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct RequestLabels {
    /// The method, or `other` for one that HTTP does not name.
    pub method: &'static str,
    /// The route's template, or `unmatched`; never the path itself, which a client could vary without end.
    pub route: String,
    /// The status of the answer.
    pub status: u16,
}

/// The label of a duration: the route's template.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct RouteLabel {
    /// As in [`RequestLabels`].
    pub route: String,
}

/// The label of a table: its rule preset.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct RulesLabel {
    /// The preset's name.
    pub rules: &'static str,
}

/// The label of jobs: their queue class. Its name is older than that term.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct QueueClassLabel {
    /// `short`, `long` or `alone`.
    pub lane: &'static str,
}

/// What a [`crate::build_cache::BuildCache`] counts.
#[derive(Debug, Clone, Default)]
pub struct BuildCacheMetrics {
    /// Values that are kept.
    pub entries: Gauge,
    /// Bytes that they take.
    pub bytes: Gauge,
    /// Builds that wait.
    pub waiting: Gauge,
    /// Builds that were done.
    pub builds: Counter,
    /// Values that were found.
    pub hits: Counter,
    /// Values that had to go.
    pub evictions: Counter,
    /// Builds that were rejected because too many waited.
    pub refusals: Counter,
}

impl BuildCacheMetrics {
    fn register(&self, registry: &mut Registry) {
        let Self { entries, bytes, waiting, builds, hits, evictions, refusals } = self;
        let registry = registry.sub_registry_with_prefix("house_tables");
        registry.register("kept", "Tables of house rules that are kept", entries.clone());
        registry.register_with_unit("kept", "Memory of these tables", Unit::Bytes, bytes.clone());
        registry.register("waiting", "Tables of house rules that wait to be built", waiting.clone());
        registry.register("builds", "Tables of house rules that were built", builds.clone());
        registry.register("hits", "Tables of house rules that were found", hits.clone());
        registry.register("evictions", "Tables of house rules that had to go", evictions.clone());
        registry.register(
            "refusals",
            "Tables of house rules for which there was no place in the queue",
            refusals.clone(),
        );
    }
}

/// Every metric of the service.
pub struct Metrics {
    registry: Registry,
    /// Requests answered.
    pub requests: Family<RequestLabels, Counter>,
    /// Seconds from a request's head to its answer's head.
    pub durations: Family<RouteLabel, Histogram>,
    /// Running requests.
    pub in_flight: Gauge,
    /// Seconds that a whole-game table took to build.
    pub table_builds: Family<RulesLabel, Gauge<f64, AtomicU64>>,
    /// Jobs that wait.
    pub jobs_queued: Family<QueueClassLabel, Gauge>,
    /// Jobs that run.
    pub jobs_running: Family<QueueClassLabel, Gauge>,
    /// Tables of house rules.
    pub house_tables: BuildCacheMetrics,
    /// Connections that were closed because their client had too many.
    pub connections_rejected: Counter,
    /// Log lines that could not be written.
    pub log_lines_lost: Counter,
}

impl Metrics {
    /// Registers every metric.
    #[must_use]
    pub fn new() -> Self {
        let mut root = Registry::default();
        root.register_collector(Box::new(Process));
        let registry = root.sub_registry_with_prefix("kibitz");
        let requests = Family::default();
        registry.register("http_requests", "Requests answered", requests.clone());
        // From 16 us to 17 s, a factor of 2 apart.
        let durations = Family::<RouteLabel, Histogram>::new_with_constructor(|| {
            Histogram::new(exponential_buckets(16e-6, 2.0, 21))
        });
        registry.register_with_unit(
            "http_request_duration",
            "Time to answer",
            Unit::Seconds,
            durations.clone(),
        );
        let in_flight = Gauge::default();
        registry.register("http_requests_in_flight", "Running requests", in_flight.clone());
        let table_builds = Family::default();
        registry.register_with_unit(
            "table_build",
            "Time to build a whole-game table",
            Unit::Seconds,
            table_builds.clone(),
        );
        let (jobs_queued, jobs_running) = (Family::default(), Family::default());
        registry.register("jobs_queued", "Jobs that wait, by queue class", jobs_queued.clone());
        registry.register("jobs_running", "Jobs that run, by queue class", jobs_running.clone());
        registry.register("build", "The running program", Info::new(release::labels()));
        let house_tables = BuildCacheMetrics::default();
        house_tables.register(registry);
        let connections_rejected = Counter::default();
        registry.register(
            "connections_rejected",
            "Connections closed because their client had too many",
            connections_rejected.clone(),
        );
        let log_lines_lost = Counter::default();
        registry.register("log_lines_lost", "Log lines that could not be written", log_lines_lost.clone());
        Self {
            registry: root,
            requests,
            durations,
            in_flight,
            table_builds,
            jobs_queued,
            jobs_running,
            house_tables,
            connections_rejected,
            log_lines_lost,
        }
    }

    /// All metrics in the OpenMetrics text format.
    ///
    /// # Errors
    /// None in practice: writing to a string does not fail.
    pub fn encode(&self) -> Result<String, fmt::Error> {
        let mut page = String::new();
        text::encode(&mut page, &self.registry)?;
        Ok(page)
    }

    /// All metrics in the classic Prometheus text format 0.0.4.
    ///
    /// # Errors
    /// None in practice: writing to a string does not fail.
    pub fn encode_classic(&self) -> Result<String, fmt::Error> {
        self.encode().map(|page| classic::of_open_metrics(&page))
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
