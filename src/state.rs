//! What every request shares: the tables, the metrics, the configuration, and whether the service is shutting down.

use std::io;
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;
use std::time::Instant;

use tokio::sync::{Semaphore, watch};

use crate::budget::Budget;
use crate::build_cache::{Bounds, BuildCache, Full, Pending};
use crate::config::{Config, HouseTableSettings, JobSettings};
use crate::craps::bet::Bet;
use crate::craps::rolls::{self, DecisionRolls, HandRolls};
use crate::craps::value::BetValue;
use crate::doudizhu::{self, Solver};
use crate::http;
use crate::jobs::{Jobs, Limits, MemoryStore, default_threads};
use crate::memory;
use crate::metrics::{Metrics, RulesLabel};
use crate::permits::Permits;
use crate::rate_limiter::RateLimiter;
use crate::telemetry;
use crate::yahtzee::{CardState, GameTable, Moments, Preset, Rules, TurnTable};

/// The state behind every handler.
pub struct AppState {
    /// The settings.
    pub config: Config,
    /// What is counted and timed.
    pub metrics: Metrics,
    /// The Yahtzee tables.
    pub yahtzee: Arc<YahtzeeTables>,
    /// The Dou Dizhu solvers.
    pub doudizhu: DoudizhuSolvers,
    /// What is worked out of craps once.
    pub craps: CrapsTables,
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

/// The tables of the presets, which always stay (those of the whole game are empty until they have been built), and what
/// is built on demand.
pub struct YahtzeeTables {
    turns: [TurnTable; Preset::ALL.len()],
    games: [OnceLock<Arc<GameTable>>; Preset::ALL.len()],
    moments: [OnceLock<Arc<Moments>>; Preset::ALL.len()],
    house: BuildCache<HouseKey, HouseTable>,
}

/// What is built on demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HouseKey {
    /// The table of house rules.
    Game(Rules),
    /// The second moments under any rules.
    Moments(Rules),
}

/// The value of a [`HouseKey`].
#[derive(Clone)]
pub enum HouseTable {
    /// That of [`HouseKey::Game`].
    Game(Arc<GameTable>),
    /// That of [`HouseKey::Moments`], with the table that they belong to.
    Moments(Arc<GameTable>, Arc<Moments>),
}

impl HouseTable {
    /// Whether anybody else holds it or a part of it.
    fn is_held(&self) -> bool {
        match self {
            Self::Game(table) => Arc::strong_count(table) > 1,
            Self::Moments(table, moments) => Arc::strong_count(table) > 1 || Arc::strong_count(moments) > 1,
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Game(table) => table.bytes(),
            Self::Moments(table, moments) => table.bytes() + moments.bytes(),
        }
    }
}

impl YahtzeeTables {
    fn new(settings: HouseTableSettings, metrics: &Metrics) -> io::Result<Self> {
        let turns = Preset::ALL.map(|preset| TurnTable::new(&preset.rules()));
        let HouseTableSettings { house_tables, house_table_bytes, house_table_queue, house_table_threads } =
            settings;
        let half = || available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1));
        let bounds = Bounds {
            entries: house_tables as usize,
            bytes: house_table_bytes,
            waiting: house_table_queue.into(),
            threads: house_table_threads.map_or_else(half, usize::from),
        };
        let house = BuildCache::start(bounds, HouseTable::is_held, metrics.house_tables.clone())?;
        Ok(Self { turns, games: Default::default(), moments: Default::default(), house })
    }

    /// The table of some rules, if it is built.
    #[must_use]
    pub fn find_game(&self, rules: &Rules) -> Option<Arc<GameTable>> {
        let preset = Preset::of(rules).and_then(|preset| self.games[preset.index()].get()).cloned();
        preset.or_else(|| match self.house.find(&HouseKey::Game(*rules)) {
            Some(HouseTable::Game(table)) => Some(table),
            _ => self.find_moments(rules).map(|(table, _)| table),
        })
    }

    /// The second moments under some rules with the table that they belong to, if they are built.
    #[must_use]
    pub fn find_moments(&self, rules: &Rules) -> Option<(Arc<GameTable>, Arc<Moments>)> {
        let of_preset = Preset::of(rules).map(Preset::index).and_then(|preset| {
            Some((Arc::clone(self.games[preset].get()?), Arc::clone(self.moments[preset].get()?)))
        });
        of_preset.or_else(|| match self.house.find(&HouseKey::Moments(*rules)) {
            Some(HouseTable::Moments(table, moments)) => Some((table, moments)),
            _ => None,
        })
    }

    /// What is built on demand: at once if it is built, else as soon as it is.
    ///
    /// # Errors
    /// Where too many builds wait.
    pub fn get_house(&self, key: HouseKey) -> Result<Pending<HouseTable>, Full> {
        match key {
            HouseKey::Game(rules) => {
                let build = move || HouseTable::Game(Arc::new(GameTable::build_blocking(&rules)));
                self.house.get(key, build, HouseTable::bytes)
            }
            HouseKey::Moments(rules) => {
                let table = self.find_game(&rules);
                let build = move || {
                    // A copy of its own, so that each value of the cache can be let go by itself.
                    let copy = |table: Arc<GameTable>| GameTable::clone(&table);
                    let table = table.map_or_else(|| GameTable::build_blocking(&rules), copy);
                    let moments = Moments::build_blocking(&table);
                    HouseTable::Moments(Arc::new(table), Arc::new(moments))
                };
                self.house.get(key, build, HouseTable::bytes)
            }
        }
    }

    /// What advice on a single turn needs; it is there from the start.
    #[must_use]
    pub const fn turn(&self, preset: Preset) -> &TurnTable {
        &self.turns[preset.index()]
    }

    /// The whole-game table of a preset, once it is built.
    #[must_use]
    pub fn game(&self, preset: Preset) -> Option<&GameTable> {
        self.games[preset.index()].get().map(|table| &**table)
    }

    /// The standard deviation of a whole game's score under a preset, once it is known.
    #[must_use]
    pub fn standard_deviation(&self, preset: Preset) -> Option<f64> {
        let moments = self.moments[preset.index()].get()?;
        Some(moments.standard_deviation(self.game(preset)?, CardState::default()))
    }
}

/// A solver for each rule preset. They take less than a millisecond each, so they are there from the start.
pub struct DoudizhuSolvers([Solver; doudizhu::Preset::ALL.len()]);

impl DoudizhuSolvers {
    fn new() -> Self {
        Self(doudizhu::Preset::ALL.map(|preset| Solver::new(preset.rules())))
    }

    /// The solver of a preset.
    #[must_use]
    pub const fn get(&self, preset: doudizhu::Preset) -> &Solver {
        &self.0[preset as usize]
    }
}

/// What is worked out of craps once, in the background after start-up or when it is first asked for.
#[derive(Default)]
pub struct CrapsTables {
    bets: OnceLock<Vec<BetValue>>,
    rolls: OnceLock<(DecisionRolls, HandRolls)>,
}

impl CrapsTables {
    /// The values of all bets, in the order of the table.
    pub fn bets_blocking(&self) -> &[BetValue] {
        self.bets.get_or_init(|| Bet::all().map(BetValue::of).collect())
    }

    /// The value of a bet, once the values are known.
    #[must_use]
    pub fn bet(&self, bet: Bet) -> Option<&BetValue> {
        self.bets.get()?.get(bet.index())
    }

    /// How long decisions and hands last, each with all the rows that are ever shown.
    pub fn rolls_blocking(&self) -> &(DecisionRolls, HandRolls) {
        self.rolls.get_or_init(|| (rolls::decision(rolls::MAX_ROWS), rolls::hand(rolls::MAX_ROWS)))
    }

    /// Works out everything.
    pub fn build_blocking(&self) {
        self.bets_blocking();
        self.rolls_blocking();
    }
}

impl AppState {
    /// A state with no table built.
    ///
    /// # Errors
    /// If the system denies the threads of the jobs.
    pub fn new(mut config: Config) -> io::Result<Arc<Self>> {
        let mut seen = Vec::new();
        config.yahtzee_rules.retain(|preset| {
            !seen.contains(preset) && {
                seen.push(*preset);
                true
            }
        });
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
        let yahtzee = Arc::new(YahtzeeTables::new(config.house_tables, &metrics)?);
        let runners = http::runners(&yahtzee, &config.yahtzee_rules, threads);
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
            yahtzee,
            metrics,
            budgets: Budgets {
                bodies: Budget::new(config.limits.max_buffered),
                batches: Budget::new(config.limits.max_buffered),
            },
            encoders: Arc::new(Semaphore::new(memory::ENCODERS)),
            rate_limiter: config.clients.rate_limit.map(RateLimiter::per_minute),
            config,
            doudizhu: DoudizhuSolvers::new(),
            craps: CrapsTables::default(),
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
            state.craps.build_blocking();
            state.build_moments_blocking();
        };
        std::thread::Builder::new().name("tables".to_owned()).spawn(work).map(drop)
    }

    /// Builds what `/readyz` waits for, on all cores; what may come later is [`Self::build_moments_blocking`].
    pub fn build_tables_blocking(&self) {
        for &preset in &self.config.yahtzee_rules {
            let started = Instant::now();
            self.yahtzee.games[preset.index()]
                .get_or_init(|| Arc::new(GameTable::build_blocking(&preset.rules())));
            let seconds = started.elapsed().as_secs_f64();
            self.metrics.table_builds.get_or_create(&RulesLabel { rules: preset.name() }).set(seconds);
            tracing::info!(rules = preset.name(), seconds, "built a table");
        }
        tracing::info!("ready");
    }

    /// Builds the second moments of the presets, which stay like their tables.
    pub fn build_moments_blocking(&self) {
        for &preset in &self.config.yahtzee_rules {
            if let Some(table) = self.yahtzee.game(preset) {
                self.yahtzee.moments[preset.index()].get_or_init(|| Arc::new(Moments::build_blocking(table)));
            }
        }
    }

    /// Whether every configured table is built and the service is not shutting down.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        !self.is_shutting_down()
            && self.config.yahtzee_rules.iter().all(|&preset| self.yahtzee.game(preset).is_some())
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
