//! How a distribution runs as a job.

use std::ops::Range;
use std::sync::Arc;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::adviser::Adviser;
use crate::jobs::{self, Failure, Runner, Work};
use crate::questions::extract::{Faults, Field};
use crate::questions::{DistributionRequest as Request, Form, Json, Language, Read};
use crate::yahtzee::{DistributionWork, GameTable};

/// The runner of distributions.
pub(in crate::http) struct Distribute {
    /// Whose tables are used.
    pub(in crate::http) adviser: Arc<Adviser>,
    /// Threads that work on one distribution.
    pub(in crate::http) threads: usize,
}

/// Steps of a distribution that each thread takes in one chunk of the job: some milliseconds, so that a cancel takes
/// effect soon.
const STEPS: usize = 16;

impl Runner for Distribute {
    fn prepare(&self, request: &jobs::Json, _seed: u64) -> Result<Arc<dyn Work>, Failure> {
        let request = request_of(request, &self.adviser).ok_or_else(Failure::internal)?;
        let rules = request.rules.rules();
        // The table was there when the job was accepted; one of house rules may have been evicted since.
        let table = self
            .adviser
            .yahtzee
            .find_game(rules)
            .unwrap_or_else(|| Arc::new(GameTable::build_blocking(rules)));
        let work = DistributionWork::new(table, &request.card);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build().map_err(|error| {
            tracing::error!(%error, "cannot start the threads of a distribution");
            Failure::internal()
        })?;
        let ends = work.barriers().iter().skip(1).copied().chain([work.chunks()]);
        let layers = work.barriers().iter().copied().zip(ends);
        let width = STEPS * self.threads;
        let chunks = layers.flat_map(|(first, end)| {
            (first..end).step_by(width).map(move |at| at..(at + width as u64).min(end))
        });
        Ok(Arc::new(Running { request, chunks: chunks.collect(), work, threads }))
    }
}

/// The stored request. It was checked when it was stored.
fn request_of(request: &jobs::Json, adviser: &Adviser) -> Option<Request> {
    let json = Json::parse(request.as_str().as_bytes(), Language::English).ok()?;
    Request::read(&mut Field::root(&json, &mut Faults::new(Language::English)), Form::Body, adviser)
}

struct Running {
    request: Request,
    /// The chunks of the job: steps of the distribution that may run side by side.
    chunks: Vec<Range<u64>>,
    work: DistributionWork,
    threads: ThreadPool,
}

impl Work for Running {
    fn chunks(&self) -> u64 {
        self.chunks.len() as u64
    }

    fn run_chunk(&self, chunk: u64) -> u64 {
        let steps = self.chunks.get(chunk as usize).cloned().unwrap_or_default();
        self.threads.install(|| steps.into_par_iter().map(|step| self.work.run_chunk(step)).sum())
    }

    /// Nothing before the end: some of the layers say nothing about final scores.
    fn result_so_far(&self) -> Option<jobs::Json> {
        jobs::Json::of(&self.request.view(&self.work.result()?)).ok()
    }
}
