//! What a caller asks to be simulated.

use num_traits::One;
use serde::Serialize;

use super::bankroll;
use super::wager::{Terms, WagerView, stake, wager};
use crate::craps::fraction::{self, Fraction};
use crate::craps::session::{Session, WhenShort};
use crate::craps::simulation::{
    MAX_BETS, MAX_DECISIONS, MAX_SEED, MAX_SESSIONS, Simulation, SimulationError, StakedWager, is_stake,
};
use crate::questions::Json;
use crate::questions::extract::{Faults, Field, Object, Path};
use crate::questions::fields;

/// The most bets whose tables are small together.
const SMALL: usize = 3;

/// A simulation as asked for.
pub(crate) struct Request {
    seed: Option<u64>,
    plays: u64,
    /// Whether the request has one bet itself, not a list in `bets`.
    single: bool,
    subject: Subject,
}

enum Subject {
    Decisions(Vec<StakedWager>),
    Sessions(Box<Session>),
}

impl Request {
    /// Reads a request. One whose seed or number of plays is at fault is there all the same, so that the rest can be laid
    /// out and judged, too.
    pub(crate) fn decode(body: &mut Field<'_, '_, '_>) -> Option<Self> {
        let mut object = body.object()?;
        let kinds = ["decisions", "sessions"];
        let kind = object.required("kind", |field| field.name_of(&kinds, |name| name));
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
            // Without a kind there is no telling what is missing, but what is there can be judged.
            None => {
                object.excuse_missing();
                if object.present("bets").is_some() {
                    bets(&mut object);
                }
                bankroll::session(&mut object);
                plays(&mut object, "decisions", MAX_DECISIONS);
                plays(&mut object, "sessions", MAX_SESSIONS);
                (None, None)
            }
        };
        object.close();
        let single =
            !matches!(body.value, Json::Object(fields) if fields.iter().any(|(name, _)| name == "bets"));
        Some(Self { seed, plays: plays.unwrap_or(1), single, subject: subject? })
    }

    /// How many decisions or sessions.
    pub(crate) const fn plays(&self) -> u64 {
        self.plays
    }

    /// Whether its tables are laid out in milliseconds. Many bets together may take half a second.
    pub(crate) const fn is_small(&self) -> bool {
        match &self.subject {
            Subject::Decisions(bets) => bets.len() <= SMALL,
            Subject::Sessions(_) => true,
        }
    }

    /// The seed that was asked for, or one that is drawn now.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| rand::random::<u64>() & MAX_SEED)
    }

    /// What is asked for, however it was put: defaults are spelled out, amounts are in lowest terms.
    pub(crate) fn meaning(&self) -> Result<String, serde_json::Error> {
        #[derive(Serialize)]
        struct Meaning<'a> {
            seed: Option<u64>,
            plays: u64,
            #[serde(flatten)]
            subject: SubjectMeaning<'a>,
        }
        #[derive(Serialize)]
        #[serde(untagged)]
        enum SubjectMeaning<'a> {
            Decisions {
                bets: Vec<(WagerView, String)>,
            },
            Sessions {
                wager: WagerView,
                /// Bankroll, target and stake.
                money: [String; 3],
                max_rounds: u32,
                when_short: &'a WhenShort,
            },
        }
        let subject = match &self.subject {
            Subject::Decisions(bets) => SubjectMeaning::Decisions {
                bets: bets.iter().map(|bet| ((&bet.wager).into(), fraction::text(&bet.stake))).collect(),
            },
            Subject::Sessions(session) => {
                let plan = session.plan();
                SubjectMeaning::Sessions {
                    wager: (&plan.wager).into(),
                    money: [&plan.bankroll, &plan.target, &plan.stake].map(fraction::text),
                    max_rounds: plan.max_rounds,
                    when_short: &plan.when_short,
                }
            }
        };
        serde_json::to_string(&Meaning { seed: self.seed, plays: self.plays, subject })
    }

    /// The simulation, laid out; notes the faults that only this can find.
    pub(crate) fn simulation(self, seed: u64, faults: &mut Faults) -> Option<Simulation> {
        let single = self.single;
        let simulation = match self.subject {
            Subject::Decisions(bets) => Simulation::decisions(bets, self.plays, seed),
            Subject::Sessions(session) => Simulation::sessions(*session, self.plays, seed),
        };
        simulation.map_err(|found| found.iter().for_each(|fault| note(fault, single, faults))).ok()
    }
}

fn note(fault: &SimulationError, single: bool, faults: &mut Faults) {
    let (bets, root) = (Path::Field(&Path::Root, "bets"), Path::Root);
    let mut add = |at: &Path<'_>| faults.add_fault(at, fault);
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
    object.required(field, |field| field.integer(1..=most as i64)).map(i64::unsigned_abs)
}

/// One bet with its odds in the request itself, or several in `bets`, made together on the same dice.
fn bets(object: &mut Object<'_, '_, '_>) -> Option<Vec<StakedWager>> {
    let (english, chinese) =
        ("Give one bet as `bet`, or several in `bets`.", "请用 `bet` 给出一个投注，或用 `bets` 给出多个。");
    if !object.has_any(&["bet", "bets"], english, chinese) {
        Terms::take(object);
        return None;
    }
    if object.present("bets").is_none() {
        return wager(object).map(|wager| vec![StakedWager { wager, stake: Fraction::one() }]);
    }
    for field in ["bet", "odds", "come_odds"] {
        if object.present(field).is_some() {
            let (english, chinese) =
                ("Give `bets` or a single bet, not both.", "请只给出 `bets` 或单个投注之一。");
            object.note(field, "both_given", english, chinese);
        }
    }
    object.optional("bets", |field| field.array(1..=MAX_BETS, staked))
}

fn staked(field: &mut Field<'_, '_, '_>) -> Option<StakedWager> {
    let mut object = field.object()?;
    let wager = wager(&mut object);
    let stake = stake(&mut object).filter(|stake| {
        let is_stake = is_stake(stake);
        if !is_stake {
            // The place tells which bet.
            let fault = SimulationError::StakeOutOfRange { index: 0 };
            object.note_fault("stake", &fault);
        }
        is_stake
    });
    object.close();
    Some(StakedWager { wager: wager?, stake: stake? })
}
