//! The adviser: everything that answers are made of. It knows no HTTP, so a server, a program or a test can ask it.
//!
//! ```
//! use kibitz::adviser::{Adviser, Settings};
//! use kibitz::questions::{Language, Method, Operation};
//!
//! let adviser = Adviser::new(Settings::default()).unwrap();
//! let operation = Operation::find(Method::Post, "/doudizhu/min-plays").unwrap();
//! let answer = adviser.answer(operation, br#"{"hand": "34567TTT"}"#, Language::English).unwrap();
//! assert!(String::from_utf8(answer).unwrap().contains(r#""min_plays":2"#));
//! ```

use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use crate::budget::Budget;
use crate::build_cache::{Bounds, BuildCache, Full, Pending};
use crate::craps::bet::Bet;
use crate::craps::rolls::{self, DecisionRolls, HandRolls};
use crate::craps::value::BetValue;
use crate::doudizhu::{self, Solver};
use crate::metrics::BuildCacheMetrics;
use crate::questions::{Asked, Form, Json, Kind, Language, Need, Operation, Problem, Table, Unready};
use crate::yahtzee::{
    CardState, Distribution, DistributionWork, GameTable, Moments, Preset, Rules, Scorecard, TurnTable,
};

/// What an adviser may hold and do.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The presets of Yahtzee that are served.
    pub yahtzee_rules: Vec<Preset>,
    /// How many tables of house rules are kept and built.
    pub house_tables: Bounds,
    /// What is counted of these tables.
    pub house_table_metrics: BuildCacheMetrics,
    /// Bytes that large answers and long calculations may take together.
    pub memory: Budget,
    /// The most bytes that one search may take.
    pub search_bytes: usize,
    /// The longest time that one search may take.
    pub search_time: Duration,
    /// Whether the final score of a whole game may be computed, for opponents who have not begun. It takes some 140 MB for
    /// some seconds.
    pub whole_games: bool,
}

impl Default for Settings {
    /// All presets, and bounds that suit one caller.
    fn default() -> Self {
        let threads = available_parallelism().map_or(1, usize::from);
        Self {
            yahtzee_rules: Preset::ALL.to_vec(),
            house_tables: Bounds { entries: 64, bytes: 64 << 20, waiting: 64, threads },
            house_table_metrics: BuildCacheMetrics::default(),
            memory: Budget::new(256 << 20),
            search_bytes: 64 << 20,
            search_time: Duration::from_secs(8),
            whole_games: true,
        }
    }
}

/// Answers questions about the games.
pub struct Adviser {
    /// The Yahtzee tables.
    pub yahtzee: Arc<YahtzeeTables>,
    /// The presets of Yahtzee that are served.
    pub yahtzee_rules: Vec<Preset>,
    /// The Dou Dizhu solvers.
    pub doudizhu: DoudizhuSolvers,
    /// What is worked out of craps once.
    pub craps: CrapsTables,
    /// Bytes that large answers and long calculations may take together.
    pub memory: Budget,
    /// The most bytes that one search may take.
    pub search_bytes: usize,
    /// The longest time that one search may take.
    pub search_time: Duration,
    /// Whether the final score of a whole game may be computed, for opponents who have not begun.
    pub whole_games: bool,
}

impl Adviser {
    /// An adviser with no table of a whole Yahtzee game yet.
    ///
    /// # Errors
    /// If the system denies the threads that build tables of house rules.
    pub fn new(settings: Settings) -> io::Result<Self> {
        let Settings { mut yahtzee_rules, house_tables, house_table_metrics, .. } = settings;
        let mut seen = Vec::new();
        yahtzee_rules.retain(|preset| {
            !seen.contains(preset) && {
                seen.push(*preset);
                true
            }
        });
        Ok(Self {
            yahtzee: Arc::new(YahtzeeTables::new(house_tables, house_table_metrics)?),
            yahtzee_rules,
            doudizhu: DoudizhuSolvers::new(),
            craps: CrapsTables::default(),
            memory: settings.memory,
            search_bytes: settings.search_bytes,
            search_time: settings.search_time,
            whole_games: settings.whole_games,
        })
    }

    /// Whether a preset that is served has the card of the first one. Yatzy takes several times as long as Yahtzee, so a
    /// service is ready before its table is built.
    #[must_use]
    pub fn is_awaited(&self, preset: Preset) -> bool {
        self.yahtzee_rules.first().is_none_or(|first| first.rules().sheet == preset.rules().sheet)
    }

    /// Whether the tables of all presets with the card of the first one are built.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        let mut awaited = self.yahtzee_rules.iter().filter(|preset| self.is_awaited(**preset));
        awaited.all(|preset| self.yahtzee.game(*preset).is_some())
    }

    /// Answers one question, given as the JSON body of its operation, on this thread. The first question about a set of
    /// rules waits until their table is built. Do not call it from async code.
    ///
    /// # Errors
    /// The body is not JSON, has faults, or asks for more than the adviser may do.
    pub fn answer(&self, operation: &Operation, body: &[u8], language: Language) -> Result<Vec<u8>, Problem> {
        let json = Json::parse(body, language)?;
        let question = operation.read(self, &json, Form::Body, language)?;
        let table = self.table_blocking(question.needs())?;
        let mut bytes = Vec::with_capacity(Operation::USUAL_ANSWER);
        question.answer(&Asked { adviser: self, table: &table, language }, &mut bytes)?;
        Ok(bytes)
    }

    fn table_blocking(&self, need: Need) -> Result<Table, Problem> {
        match self.find(need) {
            Ok(table) => Ok(table),
            Err(Unready::Preset(preset)) => {
                self.yahtzee.build_blocking(preset);
                self.table_blocking(need)
            }
            Err(Unready::House(key)) => {
                let pending =
                    self.yahtzee.get_or_build(key).map_err(|_| Problem::new(Kind::RulesQueueFull))?;
                Ok(pending.wait_blocking().map_err(|_| Problem::new(Kind::Internal))?.into())
            }
        }
    }
}

/// The tables of the presets, which always stay (those of the whole game are empty until they have been built), and what
/// is built on demand.
pub struct YahtzeeTables {
    turns: [TurnTable; Preset::ALL.len()],
    games: [OnceLock<Arc<GameTable>>; Preset::ALL.len()],
    moments: [OnceLock<Arc<Moments>>; Preset::ALL.len()],
    house: BuildCache<HouseKey, HouseTable>,
    /// Held while the distribution of a whole game is computed: that takes some 140 MB.
    whole_game: Arc<Mutex<()>>,
}

/// What is built on demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HouseKey {
    /// The table of house rules.
    Game(Rules),
    /// The second moments under any rules.
    Moments(Rules),
    /// The distribution of the final score of a whole game under any rules.
    WholeGame(Rules),
}

/// The value of a [`HouseKey`].
#[derive(Clone)]
pub enum HouseTable {
    /// That of [`HouseKey::Game`].
    Game(Arc<GameTable>),
    /// That of [`HouseKey::Moments`], with the table that they belong to.
    Moments(Arc<GameTable>, Arc<Moments>),
    /// That of [`HouseKey::WholeGame`], with the table that it belongs to.
    WholeGame(Arc<GameTable>, Arc<Distribution>),
}

impl HouseTable {
    /// Whether anybody else holds it or a part of it.
    fn is_held(&self) -> bool {
        match self {
            Self::Game(table) => Arc::strong_count(table) > 1,
            Self::Moments(table, moments) => Arc::strong_count(table) > 1 || Arc::strong_count(moments) > 1,
            Self::WholeGame(table, whole) => Arc::strong_count(table) > 1 || Arc::strong_count(whole) > 1,
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Game(table) => table.bytes(),
            Self::Moments(table, moments) => table.bytes() + moments.bytes(),
            Self::WholeGame(table, whole) => table.bytes() + size_of_val(whole.probabilities()),
        }
    }
}

impl YahtzeeTables {
    fn new(bounds: Bounds, metrics: BuildCacheMetrics) -> io::Result<Self> {
        let turns = Preset::ALL.map(|preset| TurnTable::new(&preset.rules()));
        let house = BuildCache::start(bounds, HouseTable::is_held, metrics)?;
        Ok(Self {
            turns,
            games: Default::default(),
            moments: Default::default(),
            house,
            whole_game: Arc::default(),
        })
    }

    /// Builds the table of a preset, if it is not there.
    pub fn build_blocking(&self, preset: Preset) {
        self.games[preset.index()].get_or_init(|| Arc::new(GameTable::build_blocking(&preset.rules())));
    }

    /// Builds the second moments of a preset whose table is there.
    pub fn build_moments_blocking(&self, preset: Preset) {
        if let Some(table) = self.game(preset) {
            self.moments[preset.index()].get_or_init(|| Arc::new(Moments::build_blocking(table)));
        }
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

    /// What is built on demand, if it is built.
    #[must_use]
    pub fn find_built(&self, key: &HouseKey) -> Option<HouseTable> {
        self.house.find(key)
    }

    /// What is built on demand: at once if it is built, else as soon as it is.
    ///
    /// # Errors
    /// Where too many builds wait.
    pub fn get_or_build(&self, key: HouseKey) -> Result<Pending<HouseTable>, Full> {
        match key {
            HouseKey::Game(rules) => {
                let build = move || HouseTable::Game(Arc::new(GameTable::build_blocking(&rules)));
                self.house.get(key, build, HouseTable::bytes)
            }
            HouseKey::Moments(rules) => {
                let table = self.find_game(&rules);
                let build = move || {
                    let table = copy_or_build_blocking(table, &rules);
                    let moments = Moments::build_blocking(&table);
                    HouseTable::Moments(Arc::new(table), Arc::new(moments))
                };
                self.house.get(key, build, HouseTable::bytes)
            }
            HouseKey::WholeGame(rules) => {
                let table = self.find_game(&rules);
                let one_at_a_time = Arc::clone(&self.whole_game);
                let build = move || {
                    let _turn = one_at_a_time.lock().unwrap_or_else(PoisonError::into_inner);
                    let table = Arc::new(copy_or_build_blocking(table, &rules));
                    let work = DistributionWork::new(Arc::clone(&table), &Scorecard::empty(&rules));
                    let whole = Arc::new(work.run_blocking());
                    // The work holds the table, too.
                    drop(work);
                    HouseTable::WholeGame(table, whole)
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

/// A table of its own, so that each value of the cache can be let go by itself.
fn copy_or_build_blocking(table: Option<Arc<GameTable>>, rules: &Rules) -> GameTable {
    table.map_or_else(|| GameTable::build_blocking(rules), |table| GameTable::clone(&table))
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
