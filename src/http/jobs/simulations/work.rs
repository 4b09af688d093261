//! How a simulation runs as a job.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::view;
use crate::craps::simulation::{ExpectedInParts, Simulation, Tally};
use crate::jobs::{self, Failure, Runner, Work};
use crate::questions::extract::{Faults, Field};
use crate::questions::{Json, Language, SimulationRequest as Request};

/// The runner of simulations.
pub(in crate::http) struct Simulate;

impl Runner for Simulate {
    fn prepare(&self, request: &jobs::Json, seed: u64) -> Result<Arc<dyn Work>, Failure> {
        let simulation = simulation_of(request, seed).ok_or_else(Failure::internal)?;
        Ok(prepared_blocking(simulation))
    }
}

/// The simulation of a stored request. It was checked when it was stored.
fn simulation_of(request: &jobs::Json, seed: u64) -> Option<Simulation> {
    let json = Json::parse(request.as_str().as_bytes(), Language::English).ok()?;
    let mut faults = Faults::new(Language::English);
    Request::decode(&mut Field::root(&json, &mut faults))?.simulation(seed, &mut faults)
}

/// The work on a simulation.
pub(super) fn prepared_blocking(simulation: Simulation) -> Arc<dyn Work> {
    let expected = simulation.expected_in_parts_blocking();
    let (plays, parts) = (simulation.chunks(), expected.parts());
    let (tally, expected) = (Mutex::new(simulation.tally()), Mutex::new(expected));
    Arc::new(Running { simulation, plays, parts, expected, tally, rolls: AtomicU64::new(0) })
}

/// Chunks of dice and parts of the exact values take turns until one of them is done. So the exact values are known soon
/// however long the job is, and delay neither its beginning nor a cancel.
struct Running {
    simulation: Simulation,
    /// Chunks of dice.
    plays: u64,
    /// Parts of the exact values, which follow one another.
    parts: u64,
    expected: Mutex<ExpectedInParts>,
    tally: Mutex<Tally>,
    rolls: AtomicU64,
}

impl Running {
    /// The chunk of dice that a chunk of the job is; `None` if it is a part of the exact values.
    fn play(&self, chunk: u64) -> Option<u64> {
        let paired = self.plays.min(self.parts);
        if chunk / 2 < paired {
            return chunk.is_multiple_of(2).then_some(chunk / 2);
        }
        (self.plays > self.parts).then_some(chunk - paired)
    }
}

impl Work for Running {
    fn chunks(&self) -> u64 {
        self.plays + self.parts
    }

    fn run_chunk(&self, chunk: u64) -> u64 {
        let Some(play) = self.play(chunk) else {
            lock(&self.expected).run_part();
            return 0;
        };
        let counts = self.simulation.run_chunk(play);
        let done = counts.finished;
        self.rolls.fetch_add(counts.rolls, Ordering::Relaxed);
        lock(&self.tally).add(play, counts);
        done
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

/// What is locked here is whole between two calls, also after a panic in one.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(sessions: u64) -> (Arc<dyn Work>, u64) {
        let request =
            jobs::Json::of(&serde_json::json!({"kind": "sessions", "bet": "pass_line", "odds": "3-4-5x",
            "bankroll": 1000, "target": 2000, "max_rounds": 2000, "sessions": sessions}))
            .unwrap();
        let plays = simulation_of(&request, 1).unwrap().chunks();
        (Simulate.prepare(&request, 1).unwrap(), plays)
    }

    #[test]
    fn exact_values_are_known_after_the_last_chunk() {
        for sessions in [20, 2_000] {
            let (work, plays) = work(sessions);
            assert!(work.chunks() > plays + 3);
            let is_exact = || work.result_so_far().map(|result| result.as_str().contains("\"exact\":"));
            assert_eq!(is_exact(), None);
            let mut done = work.run_chunk(0);
            assert_eq!(is_exact(), Some(false));
            done += (1..work.chunks()).map(|chunk| work.run_chunk(chunk)).sum::<u64>();
            assert_eq!((is_exact(), done), (Some(true), sessions));
        }
    }
}
