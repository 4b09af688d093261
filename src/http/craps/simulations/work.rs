//! How a simulation runs as a job.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::request::Request;
use super::view;
use crate::craps::simulation::{ExpectedInParts, Simulation, Tally};
use crate::http::extract::Faults;
use crate::http::json::Json;
use crate::http::language::Language;
use crate::jobs::{self, Failure, Runner, Work};

/// The runner of simulations.
pub(in crate::http) struct Simulate;

impl Runner for Simulate {
    fn prepare(&self, request: &jobs::Json, seed: u64) -> Result<Arc<dyn Work>, Failure> {
        let simulation = simulation_of(request, seed).ok_or_else(Failure::internal)?;
        let expected = simulation.expected_in_parts_blocking();
        let turns = Turns { plays: simulation.chunks(), parts: expected.parts() };
        let tally = Mutex::new(simulation.tally());
        let expected = Mutex::new(expected);
        Ok(Arc::new(Running { simulation, turns, expected, tally, rolls: AtomicU64::new(0) }))
    }
}

/// The simulation of a stored request. It was checked when it was stored.
fn simulation_of(request: &jobs::Json, seed: u64) -> Option<Simulation> {
    let json = Json::parse(request.as_str().as_bytes(), Language::English).ok()?;
    let mut faults = Faults::new(Language::English);
    Request::decode(&json, &mut faults)?.simulation(seed, &mut faults)
}

struct Running {
    simulation: Simulation,
    turns: Turns,
    expected: Mutex<ExpectedInParts>,
    tally: Mutex<Tally>,
    rolls: AtomicU64,
}

/// Chunks of plays and parts of the exact values in turn, and then what is left of either: the exact values are known soon
/// however long the job is, and hold up neither its beginning nor a cancel.
#[derive(Clone, Copy)]
struct Turns {
    plays: u64,
    parts: u64,
}

#[derive(Debug, PartialEq)]
enum Turn {
    Plays(u64),
    Part,
}

impl Turns {
    fn turn(self, chunk: u64) -> Turn {
        let Self { plays, parts } = self;
        if chunk >= 2 * parts.min(plays) {
            if plays > parts { Turn::Plays(chunk - parts) } else { Turn::Part }
        } else if chunk.is_multiple_of(2) {
            Turn::Plays(chunk / 2)
        } else {
            Turn::Part
        }
    }
}

impl Work for Running {
    fn chunks(&self) -> u64 {
        self.turns.plays + self.turns.parts
    }

    /// Parts follow one after the other: each waits for the one before.
    fn barriers(&self) -> Vec<u64> {
        let Turns { plays, parts } = self.turns;
        (0..parts).map(|part| if part < plays { 2 * part + 1 } else { plays + part }).collect()
    }

    fn run_chunk(&self, chunk: u64) -> u64 {
        match self.turns.turn(chunk) {
            Turn::Part => {
                lock(&self.expected).run_part();
                0
            }
            Turn::Plays(chunk) => {
                let counts = self.simulation.run_chunk(chunk);
                let done = counts.finished;
                self.rolls.fetch_add(counts.rolls, Ordering::Relaxed);
                lock(&self.tally).add(chunk, counts);
                done
            }
        }
    }

    fn steps(&self) -> u64 {
        self.rolls.load(Ordering::Relaxed)
    }

    fn result_so_far(&self) -> Option<jobs::Json> {
        let tally = lock(&self.tally).clone();
        let result = self.simulation.result(&tally, lock(&self.expected).known())?;
        view::result(&result)
    }
}

/// What is locked here is whole between two calls, also where a thread panicked in one.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chunk_and_part_has_its_turn_once() {
        for (plays, parts) in [(1, 0), (5, 0), (1, 1), (3, 2), (2, 3), (2, 7), (9, 1)] {
            let turns = Turns { plays, parts };
            let all: Vec<_> = (0..plays + parts).map(|chunk| turns.turn(chunk)).collect();
            let played: Vec<_> = all.iter().filter(|turn| **turn != Turn::Part).collect();
            assert_eq!(played, (0..plays).map(Turn::Plays).collect::<Vec<_>>().iter().collect::<Vec<_>>());
            assert_eq!(all[0], Turn::Plays(0), "a job begins with its dice");
        }
    }

    #[test]
    fn each_part_waits_for_the_one_before() {
        let request = |sessions: u64| {
            jobs::Json::of(&serde_json::json!({"kind": "sessions", "bet": "pass_line", "odds": "3-4-5x",
                "bankroll": 1000, "target": 2000, "max_rounds": 2000, "sessions": sessions}))
            .unwrap()
        };
        for sessions in [20, 1_000_000] {
            let work = Simulate.prepare(&request(sessions), 1).unwrap();
            let barriers = work.barriers();
            assert!(barriers.len() > 3 && barriers.is_sorted());
            let done: u64 = barriers.iter().map(|&chunk| work.run_chunk(chunk)).sum();
            assert_eq!(done, 0, "a barrier stands before each part and nothing else");
            assert!(work.result_so_far().is_none());
            work.run_chunk(0);
            let result = work.result_so_far().unwrap();
            assert!(result.as_str().contains("\"exact\":"), "{}", result.as_str());
        }
    }
}
