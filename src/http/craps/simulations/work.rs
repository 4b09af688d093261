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
        let parts = expected.parts();
        let tally = Mutex::new(simulation.tally());
        let expected = Mutex::new(expected);
        Ok(Arc::new(Running { simulation, parts, expected, tally, rolls: AtomicU64::new(0) }))
    }
}

/// The simulation of a stored request. It was checked when it was stored.
fn simulation_of(request: &jobs::Json, seed: u64) -> Option<Simulation> {
    let json = Json::parse(request.as_str().as_bytes(), Language::English).ok()?;
    let mut faults = Faults::new(Language::English);
    Request::decode(&json, &mut faults)?.simulation(seed, &mut faults)
}

/// The exact values are worked out in parts: they are known soon however long the job is, and hold up neither its beginning
/// nor its dice nor a cancel.
struct Running {
    simulation: Simulation,
    parts: u64,
    expected: Mutex<ExpectedInParts>,
    tally: Mutex<Tally>,
    rolls: AtomicU64,
}

impl Work for Running {
    fn chunks(&self) -> u64 {
        self.simulation.chunks()
    }

    fn run_chunk(&self, chunk: u64) -> u64 {
        let counts = self.simulation.run_chunk(chunk);
        let done = counts.finished;
        self.rolls.fetch_add(counts.rolls, Ordering::Relaxed);
        lock(&self.tally).add(chunk, counts);
        done
    }

    fn parts(&self) -> u64 {
        self.parts
    }

    fn run_part(&self, _part: u64) {
        lock(&self.expected).run_part();
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
    fn the_exact_values_are_there_after_the_last_part() {
        let request =
            jobs::Json::of(&serde_json::json!({"kind": "sessions", "bet": "pass_line", "odds": "3-4-5x",
            "bankroll": 1000, "target": 2000, "max_rounds": 2000, "sessions": 20}))
            .unwrap();
        let work = Simulate.prepare(&request, 1).unwrap();
        assert!(work.parts() > 3 && work.barriers().is_empty());
        let is_exact = || work.result_so_far().map(|result| result.as_str().contains("\"exact\":"));
        assert_eq!(is_exact(), None);
        work.run_chunk(0);
        assert_eq!(is_exact(), Some(false));
        (0..work.parts()).for_each(|part| work.run_part(part));
        assert_eq!(is_exact(), Some(true));
    }
}
