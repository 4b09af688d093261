//! Made-up jobs for the tests: what one does is in its request.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::thread;
use std::time::{Duration, Instant};

use kibitz::jobs::{
    Failure, Idempotency, IdempotencyKey, Job, JobId, Jobs, Json, Limits, MemoryStore, NewJob, QueueClass,
    Runner, Runners, Work,
};
use serde::{Deserialize, Serialize};

/// The kind of these jobs.
pub(crate) const KIND: &str = "made_up";
/// Longer than anything here takes.
pub(crate) const LONG: Duration = Duration::from_secs(20);

/// What a job does.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Script {
    /// How many chunks there are.
    pub(crate) chunks: u64,
    /// How long each takes.
    pub(crate) micros: u64,
    /// The chunk that panics.
    pub(crate) panics_at: Option<u64>,
    /// How the preparation goes.
    pub(crate) preparation: Preparation,
    /// The chunk that waits for the gate.
    pub(crate) gate_at: Option<u64>,
}

/// How a preparation goes.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) enum Preparation {
    Works,
    Refuses,
    Panics,
    WaitsForTheGate,
}

impl Script {
    /// Chunks that take no time.
    pub(crate) const fn of(chunks: u64) -> Self {
        Self { chunks, micros: 0, panics_at: None, preparation: Preparation::Works, gate_at: None }
    }

    /// A job that nobody sees the end of.
    pub(crate) const fn endless() -> Self {
        Self { micros: 500, ..Self::of(u64::MAX) }
    }

    /// The submission of such a job.
    pub(crate) fn submission(self) -> NewJob {
        NewJob {
            kind: KIND,
            request: Json::of(&self).unwrap(),
            seed: 0,
            total: self.chunks,
            class: QueueClass::Long,
            client: None,
            idempotency: None,
        }
    }

    /// The same with a key.
    pub(crate) fn submission_with_key(self, key: &str) -> NewJob {
        let new = self.submission();
        let meaning = new.request.as_str().to_owned();
        NewJob { idempotency: Some(Idempotency { key: IdempotencyKey::new(key).unwrap(), meaning }), ..new }
    }
}

/// A gate that jobs wait at until it is opened.
#[derive(Default)]
pub(crate) struct Gate {
    is_open: Mutex<bool>,
    changed: Condvar,
}

impl Gate {
    pub(crate) fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.changed.notify_all();
    }

    fn pass(&self) {
        let is_open = self.is_open.lock().unwrap();
        drop(self.changed.wait_while(is_open, |is_open| !*is_open).unwrap());
    }
}

/// Jobs of a store, and what their tests look at.
pub(crate) struct Service {
    pub(crate) jobs: Jobs,
    pub(crate) gate: Arc<Gate>,
    works: Arc<Mutex<Vec<Weak<MadeUp>>>>,
    renderings: Arc<AtomicU64>,
}

impl Service {
    pub(crate) fn new(limits: Limits, threads: usize) -> Self {
        Self::with_store(MemoryStore::new(limits), threads)
    }

    pub(crate) fn with_store(store: MemoryStore, threads: usize) -> Self {
        let (gate, works, renderings) = (Arc::new(Gate::default()), Arc::default(), Arc::default());
        let runner = MadeUpRunner {
            gate: Arc::clone(&gate),
            works: Arc::clone(&works),
            renderings: Arc::clone(&renderings),
        };
        let runners = Runners::from([(KIND, Arc::new(runner) as Arc<dyn Runner>)]);
        Self { jobs: Jobs::start(store, runners, threads).unwrap(), gate, works, renderings }
    }

    /// Starts a job.
    pub(crate) async fn start(&self, script: Script) -> JobId {
        self.jobs.submit(script.submission()).await.unwrap().job.record.id
    }

    /// Starts a job of another class.
    pub(crate) async fn start_in(&self, class: QueueClass, script: Script) -> JobId {
        self.jobs.submit(NewJob { class, ..script.submission() }).await.unwrap().job.record.id
    }

    /// Waits until a job has ended.
    pub(crate) async fn end_of(&self, id: JobId) -> Job {
        let job = self.jobs.wait_finished(KIND, id, LONG).await.unwrap();
        assert!(job.is_finished(), "{job:?}");
        job
    }

    /// Waits until something is done of a job.
    pub(crate) async fn beginning_of(&self, id: JobId) {
        while self.jobs.find(KIND, id).await.unwrap().progress().done == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Waits until a job runs.
    pub(crate) async fn claim_of(&self, id: JobId) {
        while self.jobs.find(KIND, id).await.unwrap().record.started_at.is_none() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// How often any result was rendered.
    pub(crate) fn renderings(&self) -> u64 {
        self.renderings.load(Ordering::SeqCst)
    }

    /// Waits until nobody holds the work of any job.
    pub(crate) async fn work_is_let_go(&self) {
        let deadline = Instant::now() + LONG;
        while self.works.lock().unwrap().iter().any(|work| work.strong_count() > 0) {
            assert!(Instant::now() < deadline, "work is held after its job's end");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // A failed test must not leave threads at the gate.
        self.gate.open();
    }
}

struct MadeUpRunner {
    gate: Arc<Gate>,
    works: Arc<Mutex<Vec<Weak<MadeUp>>>>,
    renderings: Arc<AtomicU64>,
}

struct MadeUp {
    script: Script,
    gate: Arc<Gate>,
    done: AtomicU64,
    renderings: AtomicU64,
    all_renderings: Arc<AtomicU64>,
}

/// The result of a made-up job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// Chunks that were done.
    pub(crate) done: u64,
    /// How often a result was asked for, this time included.
    pub(crate) renderings: u64,
}

impl Runner for MadeUpRunner {
    fn prepare(&self, request: &Json, _seed: u64) -> Result<Arc<dyn Work>, Failure> {
        let script: Script = request.read().map_err(|_| Failure::internal())?;
        match script.preparation {
            Preparation::Works => {}
            Preparation::Refuses => {
                return Err(Failure { code: "too_odd".into(), detail: "This is too odd.".into() });
            }
            Preparation::Panics => resume_unwind(Box::new("a secret")),
            Preparation::WaitsForTheGate => self.gate.pass(),
        }
        let work = Arc::new(MadeUp {
            script,
            gate: Arc::clone(&self.gate),
            done: AtomicU64::new(0),
            renderings: AtomicU64::new(0),
            all_renderings: Arc::clone(&self.renderings),
        });
        self.works.lock().unwrap().push(Arc::downgrade(&work));
        Ok(work)
    }
}

impl Work for MadeUp {
    fn chunks(&self) -> u64 {
        self.script.chunks
    }

    fn run_chunk(&self, chunk: u64) -> u64 {
        if self.script.gate_at == Some(chunk) {
            self.gate.pass();
        }
        if self.script.panics_at == Some(chunk) {
            resume_unwind(Box::new("a secret"));
        }
        if self.script.micros > 0 {
            thread::sleep(Duration::from_micros(self.script.micros));
        }
        self.done.fetch_add(1, Ordering::SeqCst);
        1
    }

    fn result_so_far(&self) -> Option<Json> {
        self.all_renderings.fetch_add(1, Ordering::SeqCst);
        let renderings = self.renderings.fetch_add(1, Ordering::SeqCst) + 1;
        Json::of(&Outcome { done: self.done.load(Ordering::SeqCst), renderings }).ok()
    }
}
