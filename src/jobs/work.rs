//! What a game brings along so that its jobs can run.

use std::collections::HashMap;
use std::sync::Arc;

use super::job::Failure;
use super::json::Json;

/// Turns the requests of one kind of job into work.
pub trait Runner: Send + Sync {
    /// Prepares a job: reads the request and computes what its chunks and parts share. Other newcomers of its lane wait
    /// for it, so what takes long is better done in those.
    ///
    /// # Errors
    /// What the caller is told; the job has failed then.
    fn prepare(&self, request: &Json, seed: u64) -> Result<Arc<dyn Work>, Failure>;
}

/// A job cut into chunks. Several threads run chunks of one job at a time; they are handed out in the order of their
/// numbers, each once, and may end in any order.
///
/// Beside its chunks a job may have parts: what must be done in order, and is done while chunks go on.
///
/// A job ends between chunks and parts, never inside of one: when it is cancelled, those that have started still count. So
/// each should take about a millisecond, and never more than a few.
pub trait Work: Send + Sync {
    /// How many chunks there are.
    fn chunks(&self) -> u64;

    /// The chunks that wait until all chunks before them have ended, in rising order.
    fn barriers(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Runs one chunk, adds what came out to the work's own total, and says how many units of work that was.
    fn run_chunk(&self, chunk: u64) -> u64;

    /// How many parts there are. One thread alone does chunks and parts in turn.
    fn parts(&self) -> u64 {
        0
    }

    /// Runs the next part: each once, in order, and never two at a time.
    fn run_part(&self, _part: u64) {}

    /// The small steps of what has been run so far, such as rolls of dice, for a rate to be shown.
    fn steps(&self) -> u64 {
        0
    }

    /// The result of what has been run so far, where that means anything. It is called while chunks and parts run,
    /// when somebody looks (a copy is kept for a moment), and for a cancelled job once none runs.
    fn result_so_far(&self) -> Option<Json>;

    /// The result of all chunks and parts; called once, after the last.
    fn result(&self) -> Option<Json> {
        self.result_so_far()
    }
}

/// The runners by the kind of job that they run.
pub type Runners = HashMap<&'static str, Arc<dyn Runner>>;
