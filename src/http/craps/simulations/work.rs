//! How a simulation runs as a job.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::request::Request;
use super::view;
use crate::craps::simulation::{Expected, Simulation, Tally};
use crate::http::extract::Faults;
use crate::http::json::Json;
use crate::http::language::Language;
use crate::jobs::{self, Failure, Runner, Work};

/// The runner of simulations.
pub(in crate::http) struct Simulate;

impl Runner for Simulate {
    fn prepare(&self, request: &jobs::Json, seed: u64) -> Result<Arc<dyn Work>, Failure> {
        let simulation = simulation_of(request, seed).ok_or_else(Failure::internal)?;
        let expected = simulation.expected_blocking();
        let tally = Mutex::new(simulation.tally());
        Ok(Arc::new(Running { simulation, expected, tally, rolls: AtomicU64::new(0) }))
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
    expected: Expected,
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
        // A tally is whole between two calls, also where a thread panicked in one.
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).add(chunk, counts);
        done
    }

    fn steps(&self) -> u64 {
        self.rolls.load(Ordering::Relaxed)
    }

    fn result_so_far(&self) -> Option<jobs::Json> {
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner).clone();
        view::result(&self.simulation.result(&tally, &self.expected)?)
    }
}
