//! What a kind of job provides so that its jobs can run.

use std::collections::HashMap;
use std::sync::Arc;

use super::json::Json;
use super::record::Failure;

/// Turns the requests of one kind of job into work.
pub trait Runner: Send + Sync {
    /// Prepares a job: reads the request and computes what its chunks share. Other jobs of its class wait meanwhile, so
    /// long computations belong in chunks.
    ///
    /// # Errors
    /// The failure that the caller sees; the job has failed then.
    fn prepare(&self, request: &Json, seed: u64) -> Result<Arc<dyn Work>, Failure>;
}

/// Work that is prepared already, up to what is better computed where the job runs.
pub type Prepared = Box<dyn FnOnce() -> Arc<dyn Work> + Send>;

/// A job cut into chunks. They start in the order of their numbers, each once. Several threads run chunks of one job at a
/// time, which may end in any order; a job of the class [`super::QueueClass::Alone`] runs one chunk after the other.
///
/// A job ends between chunks, never inside one: when it is cancelled, the chunks that have started still count. So a chunk
/// should take about a millisecond, and never more than a few.
pub trait Work: Send + Sync {
    /// The number of chunks.
    fn chunks(&self) -> u64;

    /// Runs one chunk, adds its outcome to the work's own total, and returns the units of work it did.
    fn run_chunk(&self, chunk: u64) -> u64;

    /// The small steps of all chunks so far, such as rolls of dice. Callers see them as a rate.
    fn steps(&self) -> u64 {
        0
    }

    /// The result of the chunks so far, if that means anything. It is called while chunks run, when somebody asks (at
    /// most ten times a second), and once after the last chunk.
    fn result_so_far(&self) -> Option<Json>;
}

/// The runners by kind of job.
pub type Runners = HashMap<&'static str, Arc<dyn Runner>>;
