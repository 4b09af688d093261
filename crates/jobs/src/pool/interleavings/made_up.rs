//! Jobs whose requests say what they do.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};

use crate::{Failure, Json, QueueClass, Runner, Work};

/// What a made-up job does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Script {
    pub(super) chunks: u64,
    pub(super) panics_at: Option<u64>,
    pub(super) refuses: bool,
    pub(super) class: QueueClass,
}

struct MadeUp(Script, Mutex<Vec<u64>>);

impl Work for MadeUp {
    fn chunks(&self) -> u64 {
        self.0.chunks
    }

    fn run_chunk(&self, chunk: u64) -> u64 {
        if self.0.panics_at == Some(chunk) {
            resume_unwind(Box::new("as the script says"));
        }
        let mut done = self.1.lock().unwrap();
        done.push(chunk);
        done.sort_unstable();
        1
    }

    fn result_so_far(&self) -> Option<Json> {
        Json::of(&*self.1.lock().unwrap()).ok()
    }
}

pub(super) struct MadeUpRunner;

impl Runner for MadeUpRunner {
    fn prepare(&self, request: &Json, _seed: u64) -> Result<Arc<dyn Work>, Failure> {
        let script: Script = request.read().unwrap();
        if script.refuses { Err(Failure::internal()) } else { Ok(Arc::new(MadeUp(script, Mutex::default()))) }
    }
}
