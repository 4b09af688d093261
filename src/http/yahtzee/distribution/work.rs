//! How a distribution runs as a job.

use std::sync::Arc;

use super::request::Request;
use crate::http::extract::Faults;
use crate::http::json::Json;
use crate::http::language::Language;
use crate::jobs::{self, Failure, Runner, Work};
use crate::state::YahtzeeTables;
use crate::yahtzee::{DistributionWork, GameTable, Preset};

/// The runner of distributions.
pub(in crate::http) struct Distribute {
    /// Where the tables are.
    pub(in crate::http) tables: Arc<YahtzeeTables>,
    /// The presets that are served.
    pub(in crate::http) served: Vec<Preset>,
}

impl Runner for Distribute {
    fn prepare(&self, request: &jobs::Json, _seed: u64) -> Result<Arc<dyn Work>, Failure> {
        let request = request_of(request, &self.served).ok_or_else(Failure::internal)?;
        let rules = request.rules.rules();
        // It stood when the job was taken in; house rules may have had to go since then.
        let table =
            self.tables.find_game(rules).unwrap_or_else(|| Arc::new(GameTable::build_blocking(rules)));
        let work = DistributionWork::new(table, &request.card);
        Ok(Arc::new(Running { request, work }))
    }
}

/// The stored request. It was checked when it was stored.
fn request_of(request: &jobs::Json, served: &[Preset]) -> Option<Request> {
    let json = Json::parse(request.as_str().as_bytes(), Language::English).ok()?;
    Request::decode(&json, &mut Faults::new(Language::English), served)
}

struct Running {
    request: Request,
    work: DistributionWork,
}

impl Work for Running {
    fn chunks(&self) -> u64 {
        self.work.chunks()
    }

    fn barriers(&self) -> Vec<u64> {
        self.work.barriers().to_vec()
    }

    fn run_chunk(&self, chunk: u64) -> u64 {
        self.work.run_chunk(chunk)
    }

    /// Nothing before the end: what has arrived half-way says nothing of final scores.
    fn result_so_far(&self) -> Option<jobs::Json> {
        jobs::Json::of(&self.request.view(&self.work.result()?)).ok()
    }
}
