//! What a caller asks to be simulated.

use num_traits::One;

use super::super::bankroll;
use super::super::wager::{stake, wager};
use crate::craps::fraction::Fraction;
use crate::craps::session::Session;
use crate::craps::simulation::{
    MAX_BETS, MAX_DECISIONS, MAX_SEED, MAX_SESSIONS, Simulation, SimulationError, StakedWager,
};
use crate::http::extract::{Faults, Object, Path, array, integer, name_of};
use crate::http::fields;
use crate::http::json::Json;
use crate::http::language::Language;
use crate::http::problem::Problem;

/// A simulation as asked for.
pub(super) struct Request {
    seed: Option<u64>,
    plays: u64,
    /// Whether one bet stands in the request itself, not in `bets`.
    single: bool,
    subject: Subject,
}

enum Subject {
    Decisions(Vec<StakedWager>),
    Sessions(Box<Session>),
}

impl Request {
    pub(super) fn decode(json: &Json<'_>, faults: &mut Faults) -> Option<Self> {
        let mut object = Object::open(json, &Path::Root, faults)?;
        let kinds = ["decisions", "sessions"];
        let kind =
            object.required("kind", |value, at, faults| name_of(value, at, faults, &kinds, |name| name));
        let seed = object.optional("seed", fields::seed);
        let (subject, plays) = match kind {
            Some("sessions") => {
                let session = bankroll::session(&mut object).map(Box::new).map(Subject::Sessions);
                (session, plays(&mut object, "sessions", MAX_SESSIONS))
            }
            Some(_) => {
                let bets = bets(&mut object).map(Subject::Decisions);
                (bets, plays(&mut object, "decisions", MAX_DECISIONS))
            }
            // Without a kind there is no telling which fields belong.
            None => return None,
        };
        object.close();
        let single = !matches!(json, Json::Object(fields) if fields.iter().any(|(name, _)| name == "bets"));
        Some(Self { seed, plays: plays?, single, subject: subject? })
    }

    /// How many decisions or sessions.
    pub(super) const fn plays(&self) -> u64 {
        self.plays
    }

    /// The seed that was asked for, or one that is drawn now.
    pub(super) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| rand::random::<u64>() & MAX_SEED)
    }

    /// The simulation, laid out.
    pub(super) fn simulation(self, seed: u64, language: Language) -> Result<Simulation, Problem> {
        let single = self.single;
        let simulation = match self.subject {
            Subject::Decisions(bets) => Simulation::decisions(bets, self.plays, seed),
            Subject::Sessions(session) => Simulation::sessions(*session, self.plays, seed),
        };
        simulation.map_err(|found| {
            let mut faults = Faults::new(language);
            for fault in found {
                note(&fault, single, &mut faults);
            }
            Problem::invalid(faults.found)
        })
    }
}

fn note(fault: &SimulationError, single: bool, faults: &mut Faults) {
    let (bets, root) = (Path::Field(&Path::Root, "bets"), Path::Root);
    let mut add =
        |at: &Path<'_>| faults.add_clause(at, fault.code(), &fault.to_string(), &fault.in_chinese());
    match fault {
        // A single bet has no stake of its own.
        SimulationError::StakeTooFine { .. } if single => add(&Path::Field(&root, "odds")),
        SimulationError::StakeOutOfRange { index } | SimulationError::StakeTooFine { index } => {
            add(&Path::Field(&Path::Index(&bets, *index), "stake"));
        }
        SimulationError::BetsOutOfRange => add(&bets),
        SimulationError::Session(fault) => add(&Path::Field(&root, fault.field().id())),
        SimulationError::PlaysOutOfRange { .. } => add(&root),
        SimulationError::SeedOutOfRange => add(&Path::Field(&root, "seed")),
    }
}

fn plays(object: &mut Object<'_, '_, '_>, field: &'static str, most: u64) -> Option<u64> {
    object.required(field, |v, at, faults| integer(v, at, faults, 1..=most as i64)).map(i64::unsigned_abs)
}

/// One bet with its odds in the request itself, or several in `bets`, made together on the same dice.
fn bets(object: &mut Object<'_, '_, '_>) -> Option<Vec<StakedWager>> {
    if object.present("bets").is_none() {
        return wager(object).map(|wager| vec![StakedWager { wager, stake: Fraction::one() }]);
    }
    for field in ["bet", "odds", "come_odds"] {
        if object.present(field).is_some() {
            let (english, chinese) =
                ("Give `bets` or a single bet, not both.", "请只给出 `bets` 或单个投注之一。");
            object.faults.add(&Path::Field(object.at(), field), "both_given", english, chinese);
        }
    }
    object.optional("bets", |value, at, faults| array(value, at, faults, 1..=MAX_BETS, staked))
}

fn staked(value: &Json<'_>, at: &Path<'_>, faults: &mut Faults) -> Option<StakedWager> {
    let mut object = Object::open(value, at, faults)?;
    let wager = wager(&mut object);
    let stake = stake(&mut object);
    object.close();
    Some(StakedWager { wager: wager?, stake: stake? })
}
