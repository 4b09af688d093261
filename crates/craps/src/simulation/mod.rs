//! An honest simulation: every roll is rolled, exactly as many decisions are started as were asked for, and all are
//! played to their end.
//!
//! A [`Simulation`] is cut into chunks. The counts of a chunk are a function of the seed and the chunk's number, and
//! counts are integers, so threads, their order and the width of registers cannot change a result. The caller runs the
//! chunks where it likes, adds their [`Counts`] to a [`Tally`], and may stop after any chunk.

mod amounts;
mod bitsliced;
mod counts;
#[cfg(test)]
mod coverage;
mod expected;
mod random;
mod register;
mod result;
mod rolls_law;
mod schedule;
mod set;
mod set_law;
mod special;
mod statistics;
mod table;
mod table_driven;

pub use amounts::Amounts;
pub use bitsliced::Engine;
pub use counts::{Counts, Tally};
pub use expected::{Expected, ExpectedInParts};
pub use result::{
    BetResult, CurvePoint, DecisionsResult, FinalBankroll, HistogramBin, OutcomeCount, SessionsResult,
    SimulationResult,
};
pub use statistics::{ChiSquared, Estimate};

use num_bigint::BigInt;
use num_traits::Signed;

use super::automaton::Outcome;
use super::bankroll;
use super::bankroll::Grid;
use super::bet::Bet;
use super::fraction::{self, Fraction, fraction};
use super::line::ComeOdds;
use super::net::{common_denominator, to_units};
use super::session::{Session, SessionError};
use super::wager::Wager;
use schedule::Schedule;
use set::Set;
use table::Table;
use table_driven::Bins;

/// The most decisions of one simulation.
pub const MAX_DECISIONS: u64 = 1_000_000_000_000;
/// The most sessions of one simulation.
pub const MAX_SESSIONS: u64 = 1_000_000_000;
/// Seeds are at most this, so that every JSON reader keeps them whole.
pub const MAX_SEED: u64 = (1 << 53) - 1;
/// The most bets of a set.
pub const MAX_BETS: usize = 20;

/// A bet and its stake, as a part of a simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StakedWager {
    /// The bet and its odds.
    pub wager: Wager,
    /// The flat bet, in units.
    pub stake: Fraction,
}

/// A simulation that can run.
///
/// ```
/// use kibitz_craps::{bet::Bet, simulation::{Simulation, StakedWager}, wager::Wager, fraction::parse};
/// let bet = StakedWager { wager: Wager::flat(Bet::PASS_LINE), stake: parse("1").unwrap() };
/// let simulation = Simulation::decisions(vec![bet], 1000, 42).unwrap();
/// let mut tally = simulation.tally();
/// for chunk in (0..simulation.chunks()).rev() {
///     tally.add(chunk, simulation.run_chunk(chunk));
/// }
/// assert_eq!(tally.total().finished, 1000);
/// let result = simulation.result(&tally, &simulation.expected_blocking()).unwrap();
/// ```
pub struct Simulation {
    seed: u64,
    schedule: Schedule,
    kind: Kind,
}

enum Kind {
    Decisions(Box<Decisions>),
    Sessions(Box<Sessions>),
}

/// What a simulation of decisions needs.
struct Decisions {
    bets: Vec<StakedWager>,
    outcomes: Vec<Vec<Outcome>>,
    /// For each bet and outcome the net in units of 1 / scale.
    nets: Vec<Vec<i64>>,
    scale: BigInt,
    player: Player,
    /// States of all bets.
    states: usize,
}

/// Which engine plays decisions.
enum Player {
    PassLine,
    Single(Box<Table>),
    Set(Set),
}

/// What a simulation of sessions needs.
struct Sessions {
    session: Session,
    grid: Grid,
    /// States of the bet.
    states: usize,
    table: Table,
    bins: Bins,
    expected_rounds_at_most: f64,
}

/// 2^20 decisions of the bit-sliced engine take less than a millisecond; the others are cut so that a chunk stays under
/// some three: a cancelled job ends at once, and a small one beside a large one need not wait.
const PASS_LINE_LOG: u32 = 20;
const SINGLE_LOG: u32 = 15;
const SET_LOG: u32 = 12;
/// Rolls that a chunk of sessions takes on average, unless one session alone takes more: about a millisecond.
const SESSION_ROLLS: f64 = 2.5e5;

impl Simulation {
    /// Decisions of one bet, or of several bets made together on the same dice, where a decision ends when all of them
    /// are settled. Nets are in units of the stakes.
    ///
    /// A come bet whose odds are off on a come-out is made under a puck of its own, set by rolls that do not count.
    ///
    /// # Errors
    /// All faults of the request.
    pub fn decisions(
        bets: Vec<StakedWager>,
        decisions: u64,
        seed: u64,
    ) -> Result<Self, Vec<SimulationError>> {
        let mut faults = common_faults(decisions, MAX_DECISIONS, seed);
        if bets.is_empty() || bets.len() > MAX_BETS {
            faults.push(SimulationError::BetsOutOfRange);
        }
        for (index, bet) in bets.iter().enumerate() {
            if !is_stake(&bet.stake) {
                faults.push(SimulationError::StakeOutOfRange { index });
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let plan = Decisions::new(bets).map_err(|fault| vec![fault])?;
        let full_log = match plan.player {
            Player::PassLine => PASS_LINE_LOG,
            Player::Single(_) => SINGLE_LOG,
            Player::Set(_) => SET_LOG,
        };
        Ok(Self { seed, schedule: Schedule::new(decisions, full_log), kind: Kind::Decisions(Box::new(plan)) })
    }

    /// Bankroll sessions.
    ///
    /// # Errors
    /// All faults of the request.
    pub fn sessions(session: Session, sessions: u64, seed: u64) -> Result<Self, Vec<SimulationError>> {
        let faults = common_faults(sessions, MAX_SESSIONS, seed);
        if !faults.is_empty() {
            return Err(faults);
        }
        let solved = session.plan().wager.solve();
        let grid = Grid::new(&session, &solved).map_err(|fault| vec![SimulationError::Session(fault)])?;
        let expected_rounds_at_most = grid.expected_rounds_at_most(session.plan().max_rounds);
        let rolls = fraction::value(&solved.solution.expected_rolls) * expected_rounds_at_most;
        // No logarithm: its last bit is the platform's, and the plan of chunks must be a function of the request.
        let full_log = (1..=SINGLE_LOG)
            .take_while(|&log| rolls * f64::from(1u32 << log) <= SESSION_ROLLS)
            .last()
            .unwrap_or(0);
        // Last states are kept in 32 bits.
        if u32::try_from(grid.target + grid.highest_gain()).is_err() {
            return Err(vec![SimulationError::Session(SessionError::UnitTooSmall)]);
        }
        let table = Table::new(&solved.automaton);
        let states = solved.automaton.states().len();
        let bins = Bins::of(&grid);
        let plan = Sessions { session, grid, states, table, bins, expected_rounds_at_most };
        let kind = Kind::Sessions(Box::new(plan));
        Ok(Self { seed, schedule: Schedule::new(sessions, full_log), kind })
    }

    /// Decisions or sessions in all.
    pub fn total(&self) -> u64 {
        self.schedule.total()
    }

    /// About how many milliseconds the simulation takes on one thread, its layout and the exact values included: what is
    /// short is distinguished from what is long, not more.
    pub fn about_milliseconds(&self) -> u64 {
        /// States that are laid out and solved in a millisecond.
        const STATES: usize = 16;
        let (states, parts) = match &self.kind {
            Kind::Decisions(plan) => (plan.states, 0),
            Kind::Sessions(plan) => {
                let rounds = plan.session.plan().max_rounds;
                (plan.states, bankroll::course_parts_at_most(&plan.grid, rounds))
            }
        };
        self.schedule.full_chunks().saturating_add(parts).saturating_add((states / STATES) as u64)
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> u64 {
        self.schedule.chunks()
    }

    /// Decisions or sessions of one chunk.
    pub fn chunk_plays(&self, chunk: u64) -> u64 {
        self.schedule.plays(chunk)
    }

    /// An empty total.
    pub fn tally(&self) -> Tally {
        Tally::new(&self.schedule, matches!(self.kind, Kind::Sessions(_)))
    }

    /// Plays one chunk to its end: a pure function of the simulation and the number, of about a
    /// millisecond, and of a few where one session alone takes so long.
    pub fn run_chunk(&self, chunk: u64) -> Counts {
        self.run_chunk_with(Engine::Fastest, chunk)
    }

    /// The same with an engine of the caller's choice; the counts never differ.
    pub fn run_chunk_with(&self, engine: Engine, chunk: u64) -> Counts {
        let plays = self.chunk_plays(chunk);
        match &self.kind {
            Kind::Decisions(plan) => match &plan.player {
                Player::PassLine => {
                    let counts = bitsliced::run(engine, self.seed, chunk, plays);
                    Counts::of_outcomes(counts.outcomes.to_vec(), counts.rolls, &plan.nets[0])
                }
                Player::Single(table) => {
                    let (outcomes, rolls) = table_driven::run_single(table, self.seed, chunk, plays);
                    Counts::of_outcomes(outcomes, rolls, &plan.nets[0])
                }
                Player::Set(set) => set.run(self.seed, chunk, plays),
            },
            Kind::Sessions(plan) => {
                let rounds = plan.session.plan().max_rounds;
                table_driven::run_sessions(
                    &plan.grid,
                    &plan.table,
                    rounds,
                    &plan.bins,
                    self.seed,
                    chunk,
                    plays,
                )
            }
        }
    }
}

/// Whether an amount may be the stake of a bet of decisions: above zero and not too large.
pub fn is_stake(amount: &Fraction) -> bool {
    amount.is_positive() && *amount <= fraction(super::session::MAX_UNITS, 1)
}

fn common_faults(plays: u64, most: u64, seed: u64) -> Vec<SimulationError> {
    let mut faults = Vec::new();
    if plays == 0 || plays > most {
        faults.push(SimulationError::PlaysOutOfRange { most });
    }
    if seed > MAX_SEED {
        faults.push(SimulationError::SeedOutOfRange);
    }
    faults
}

impl Decisions {
    fn new(bets: Vec<StakedWager>) -> Result<Self, SimulationError> {
        let automata: Vec<_> = bets.iter().map(|bet| bet.wager.automaton()).collect();
        let worth: Vec<Vec<Fraction>> = automata
            .iter()
            .zip(&bets)
            .map(|(automaton, bet)| {
                automaton.outcomes().iter().map(|outcome| &outcome.net * &bet.stake).collect()
            })
            .collect();
        let scale = common_denominator(worth.iter().flatten());
        // The square of a net times the most decisions must stay far inside of an i128.
        let units = |net: &Fraction| to_units(net, &scale).filter(|units| units.unsigned_abs() < 1 << 40);
        let nets = worth
            .iter()
            .enumerate()
            .map(|(index, nets)| {
                nets.iter().map(units).collect::<Option<_>>().ok_or(SimulationError::StakeTooFine { index })
            })
            .collect::<Result<Vec<Vec<i64>>, _>>()?;
        let player = match (&bets[..], &automata[..]) {
            ([bet], _) if plays_like_the_pass_line(&bet.wager) => Player::PassLine,
            (_, [automaton]) => Player::Single(Box::new(Table::new(automaton))),
            _ => Player::Set(Set::new(&automata, &nets)),
        };
        let outcomes = automata.iter().map(|automaton| automaton.outcomes().to_vec()).collect();
        let states = automata.iter().map(|automaton| automaton.states().len()).sum();
        Ok(Self { bets, outcomes, nets, scale, player, states })
    }
}

/// The pass line, and a come bet whose odds are none or always work.
fn plays_like_the_pass_line(wager: &Wager) -> bool {
    let bet = wager.bet().listed();
    bet == Some(Bet::PASS_LINE) || (bet == Some(Bet::COME) && wager.come_odds() == ComeOdds::Working)
}

/// Why a simulation cannot run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SimulationError {
    /// No decision or session, or too many.
    #[error("ask for 1 to {most} of them")]
    PlaysOutOfRange {
        /// The most.
        most: u64,
    },
    /// The seed is too large.
    #[error("the seed must be from 0 to {MAX_SEED}")]
    SeedOutOfRange,
    /// No bet, or too many together.
    #[error("name 1 to {MAX_BETS} bets")]
    BetsOutOfRange,
    /// A stake is not positive or too large.
    #[error("a stake must be above 0 and at most {}", super::session::MAX_UNITS)]
    StakeOutOfRange {
        /// Which bet.
        index: usize,
    },
    /// The stakes have no common unit of a sensible size.
    #[error("stakes and odds need a larger common unit: use rounder amounts")]
    StakeTooFine {
        /// Which bet.
        index: usize,
    },
    /// The session cannot be laid out.
    #[error(transparent)]
    Session(SessionError),
}

impl SimulationError {
    /// A stable slug.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::PlaysOutOfRange { .. } => "count_out_of_range",
            Self::SeedOutOfRange => "seed_out_of_range",
            Self::BetsOutOfRange => "bets_out_of_range",
            Self::StakeOutOfRange { .. } => "stake_out_of_range",
            Self::StakeTooFine { .. } => "stake_too_fine",
            Self::Session(fault) => fault.code(),
        }
    }
}
