//! How a simulation runs as a job.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::request::Request;
use super::view;
use crate::craps::simulation::{Expected, Simulation, Tally};
use crate::http::extract::Faults;
use crate::http::json::Json;
use crate::http::language::Language;
use crate::jobs::{self, Failure, Runner, Work};

/// All that a simulation is a function of.
#[derive(Serialize)]
pub(super) struct Specification {
    pub(super) seed: u64,
    /// The caller's own body.
    pub(super) request: jobs::Json,
}

#[derive(Deserialize)]
struct Stored {
    seed: u64,
    request: Box<serde_json::value::RawValue>,
}

/// The runner of simulations.
pub(super) struct Simulate;

impl Runner for Simulate {
    fn prepare(&self, specification: &jobs::Json) -> Result<Arc<dyn Work>, Failure> {
        let simulation = simulation_of(specification).ok_or_else(Failure::internal)?;
        let expected = simulation.expected_blocking();
        let tally = Mutex::new(simulation.tally());
        Ok(Arc::new(Running { simulation, expected, tally }))
    }
}

/// The simulation of a stored specification. It was checked when it was stored.
fn simulation_of(specification: &jobs::Json) -> Option<Simulation> {
    let Stored { seed, request } = specification.read().ok()?;
    let json = Json::parse(request.get().as_bytes(), Language::English).ok()?;
    let mut faults = Faults::new(Language::English);
    Request::decode(&json, &mut faults)?.simulation(seed, Language::English).ok()
}

struct Running {
    simulation: Simulation,
    expected: Expected,
    tally: Mutex<Tally>,
}

impl Work for Running {
    fn chunks(&self) -> u64 {
        self.simulation.chunks()
    }

    fn run_chunk(&self, chunk: u64) -> u64 {
        let counts = self.simulation.run_chunk(chunk);
        let done = counts.finished;
        // A tally is whole between two calls, also where a thread panicked in one.
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).add(chunk, counts);
        done
    }

    fn result_so_far(&self) -> Option<jobs::Json> {
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner).clone();
        view::result(&self.simulation.result(&tally, &self.expected)?)
    }
}
