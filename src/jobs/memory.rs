//! Jobs in the memory of one process.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::watch;

use super::id::{Cursor, IdempotencyKey, JobId};
use super::job::{CancelReason, Ending, Idempotency, Job, Live, NewJob, Outcome, State, Status};
use super::lane::Lane;
use super::store::{CancelToken, Claim, Counts, ListQuery, Missing, Page, Store, SubmitError, Submitted};

/// Jobs in the memory of one process. Everything in it is bounded by its [`Limits`].
pub struct MemoryStore {
    limits: Limits,
    clock: Clock,
    shelf: Mutex<Shelf>,
}

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Jobs of each lane that wait; further ones are refused.
    pub queued: usize,
    /// Short jobs that run at a time.
    pub short: usize,
    /// Long jobs that run at a time. All jobs share the worker threads, so this may well be far more than there are
    /// threads: it bounds the memory of their work.
    pub long: usize,
    /// Finished jobs that are kept; the one that finished first expires first.
    pub finished: usize,
    /// How long a finished job is kept.
    pub keep: Duration,
    /// Ids of expired jobs that are remembered, to be told from ids that never were.
    pub expired: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            queued: 256,
            short: 16,
            long: 128,
            finished: 1_000,
            keep: Duration::from_secs(3_600),
            expired: 10_000,
        }
    }
}

impl Limits {
    /// Jobs of a lane that run at a time.
    const fn places(&self, lane: Lane) -> usize {
        match lane {
            Lane::Short => self.short,
            Lane::Long => self.long,
            Lane::Alone => 1,
        }
    }
}

/// Tells the time.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::with_clock(limits, Arc::new(Timestamp::now))
    }

    /// An empty store with a clock of the caller's.
    #[must_use]
    pub fn with_clock(limits: Limits, clock: Clock) -> Self {
        Self { limits, clock, shelf: Mutex::default() }
    }

    /// The jobs, without those whose time is over, and the time.
    fn open(&self) -> (MutexGuard<'_, Shelf>, Timestamp) {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        let now = (self.clock)();
        shelf.expire(&self.limits, now);
        (shelf, now)
    }
}

/// The jobs, and the orders in which they are looked up.
#[derive(Default)]
struct Shelf {
    entries: HashMap<JobId, Entry>,
    by_number: BTreeMap<u64, JobId>,
    by_key: HashMap<(&'static str, IdempotencyKey), JobId>,
    /// For each lane by number, so that the oldest comes first.
    queues: [BTreeMap<u64, JobId>; Lane::ALL.len()],
    /// For each lane the places that are taken.
    running: [usize; Lane::ALL.len()],
    /// Deleted jobs whose work threads still hold, and with it their place.
    leaving: HashMap<JobId, Lane>,
    /// In the order in which they finished.
    finished: VecDeque<JobId>,
    expired: HashMap<JobId, &'static str>,
    /// In the order in which they expired.
    expired_order: VecDeque<JobId>,
    next_number: u64,
    is_closed: bool,
}

struct Entry {
    /// The one place where the job stands; whoever watches it has a receiver.
    job: watch::Sender<Job>,
    token: CancelToken,
    lane: Lane,
    idempotency: Option<Idempotency>,
}

impl Entry {
    /// Whether threads hold the work of the job. One that is still being prepared is held by the only thread that could
    /// claim another of its lane.
    fn is_held(&self) -> bool {
        matches!(self.job.borrow().state, State::Running { live: Some(_), .. })
    }
}

impl Shelf {
    fn entry(&self, kind: &'static str, id: JobId) -> Result<&Entry, Missing> {
        match self.entries.get(&id) {
            Some(entry) if entry.job.borrow().kind == kind => Ok(entry),
            None if self.expired.get(&id) == Some(&kind) => Err(Missing::Expired),
            _ => Err(Missing::Unknown),
        }
    }

    fn add(&mut self, new: NewJob, now: Timestamp) -> Job {
        let job = Job {
            id: JobId::random(),
            number: self.next_number,
            kind: new.kind,
            request: new.request,
            seed: new.seed,
            total: new.total,
            created_at: now,
            state: State::Queued,
        };
        self.next_number += 1;
        if let Some(Idempotency { key, .. }) = &new.idempotency {
            self.by_key.insert((job.kind, key.clone()), job.id);
        }
        self.queues[new.lane as usize].insert(job.number, job.id);
        self.by_number.insert(job.number, job.id);
        let entry = Entry {
            job: watch::Sender::new(job.clone()),
            token: CancelToken::default(),
            lane: new.lane,
            idempotency: new.idempotency,
        };
        self.entries.insert(job.id, entry);
        job
    }

    /// Ends a job that has not ended yet, and frees its place.
    fn finish(&mut self, id: JobId, outcome: Outcome, now: Timestamp) {
        let place = self.leaving.remove(&id).or_else(|| self.conclude(id, outcome, now));
        if let Some(lane) = place {
            self.running[lane as usize] -= 1;
        }
    }

    /// Ends a job that has not ended yet; the lane in which it has a place.
    fn conclude(&mut self, id: JobId, outcome: Outcome, now: Timestamp) -> Option<Lane> {
        let entry = self.entries.get(&id)?;
        let mut place = None;
        let (number, status, started_at) = {
            let job = entry.job.borrow();
            (job.number, job.status(), job.started_at())
        };
        match status {
            Status::Queued => drop(self.queues[entry.lane as usize].remove(&number)),
            Status::Running => place = Some(entry.lane),
            Status::Succeeded | Status::Failed | Status::Cancelled => return None,
        }
        self.finished.push_back(id);
        entry.job.send_modify(|job| job.state = State::Finished { started_at, finished_at: now, outcome });
        place
    }

    /// Stops a job: at once where no thread counts for it, else by its token.
    fn cancel(&mut self, id: JobId, reason: CancelReason, now: Timestamp) {
        let Some(entry) = self.entries.get(&id) else { return };
        entry.token.set(reason);
        if !entry.is_held() {
            let outcome = Outcome { ending: Ending::Cancelled(reason), done: 0, steps: 0, result: None };
            self.finish(id, outcome, now);
        }
    }

    /// Takes a finished job out of every order but that of the finished ones.
    fn remove(&mut self, id: JobId) -> Option<&'static str> {
        let entry = self.entries.remove(&id)?;
        let job = entry.job.borrow();
        self.by_number.remove(&job.number);
        if let Some(Idempotency { key, .. }) = entry.idempotency {
            self.by_key.remove(&(job.kind, key));
        }
        Some(job.kind)
    }

    /// Lets finished jobs go that are too many or too old, the first finished first.
    fn expire(&mut self, limits: &Limits, now: Timestamp) {
        while let Some(&id) = self.finished.front() {
            let finished_at = self.entries.get(&id).and_then(|entry| entry.job.borrow().finished_at());
            let age = finished_at.and_then(|at| Duration::try_from(now.duration_since(at)).ok());
            if self.finished.len() <= limits.finished && age.is_none_or(|age| age < limits.keep) {
                break;
            }
            self.finished.pop_front();
            if let Some(kind) = self.remove(id) {
                self.expired.insert(id, kind);
                self.expired_order.push_back(id);
            }
        }
        while self.expired_order.len() > limits.expired {
            if let Some(id) = self.expired_order.pop_front() {
                self.expired.remove(&id);
            }
        }
    }
}

impl Store for MemoryStore {
    async fn submit(&self, new: NewJob) -> Result<Submitted, SubmitError> {
        let (mut shelf, now) = self.open();
        if let Some(Idempotency { key, .. }) = &new.idempotency
            && let Some(entry) =
                shelf.by_key.get(&(new.kind, key.clone())).and_then(|id| shelf.entries.get(id))
        {
            let job = entry.job.borrow().clone();
            return if entry.idempotency == new.idempotency {
                Ok(Submitted { job, is_new: false })
            } else {
                Err(SubmitError::IdempotencyKeyReused)
            };
        }
        if shelf.is_closed {
            return Err(SubmitError::ShuttingDown);
        }
        if shelf.queues[new.lane as usize].len() >= self.limits.queued {
            return Err(SubmitError::QueueFull);
        }
        Ok(Submitted { job: shelf.add(new, now), is_new: true })
    }

    async fn find(&self, kind: &'static str, id: JobId) -> Result<watch::Receiver<Job>, Missing> {
        let (shelf, _) = self.open();
        Ok(shelf.entry(kind, id)?.job.subscribe())
    }

    async fn cancel(&self, kind: &'static str, id: JobId) -> Result<(), Missing> {
        let (mut shelf, now) = self.open();
        shelf.entry(kind, id)?;
        shelf.cancel(id, CancelReason::Requested, now);
        Ok(())
    }

    async fn delete(&self, kind: &'static str, id: JobId) -> Result<(), Missing> {
        let (mut shelf, now) = self.open();
        let entry = shelf.entry(kind, id)?;
        entry.token.set(CancelReason::Deleted);
        // Its threads may still be inside a piece; that no longer counts, but what they hold takes its place.
        let is_held = entry.is_held();
        let (done, steps) = {
            let job = entry.job.borrow();
            (job.progress().done, job.steps())
        };
        let outcome = Outcome { ending: Ending::Cancelled(CancelReason::Deleted), done, steps, result: None };
        match shelf.conclude(id, outcome, now) {
            Some(lane) if is_held => drop(shelf.leaving.insert(id, lane)),
            Some(lane) => shelf.running[lane as usize] -= 1,
            None => {}
        }
        shelf.remove(id);
        shelf.finished.retain(|&finished| finished != id);
        Ok(())
    }

    async fn list(&self, kind: &'static str, query: ListQuery) -> Page {
        let (shelf, _) = self.open();
        let end = query.after.map_or(u64::MAX, |Cursor(number)| number);
        let mut found = shelf
            .by_number
            .range(..end)
            .rev()
            .filter_map(|(_, id)| shelf.entries.get(id))
            .map(|entry| entry.job.borrow())
            .filter(|job| job.kind == kind && query.status.is_none_or(|status| job.status() == status))
            .map(|job| job.clone());
        let jobs: Vec<_> = found.by_ref().take(query.limit).collect();
        let next = jobs.last().map(|last| Cursor(last.number)).filter(|_| found.next().is_some());
        Page { jobs, next }
    }

    fn counts(&self) -> Counts {
        let (shelf, _) = self.open();
        Counts {
            queued: shelf.queues.each_ref().map(BTreeMap::len),
            running: shelf.running,
            finished: shelf.finished.len(),
        }
    }

    fn claim(&self, lane: Lane) -> Option<Claim> {
        let (mut shelf, now) = self.open();
        let shelf = &mut *shelf;
        let running = &mut shelf.running[lane as usize];
        if *running >= self.limits.places(lane) {
            return None;
        }
        let (number, id) = shelf.queues[lane as usize].pop_first()?;
        let entry = shelf.entries.get(&id)?;
        *running += 1;
        entry.job.send_modify(|job| job.state = State::Running { started_at: now, live: None });
        let job = entry.job.borrow();
        let (kind, request, seed) = (job.kind, job.request.clone(), job.seed);
        Some(Claim { id, number, kind, request, seed, token: entry.token.clone() })
    }

    fn attach(&self, id: JobId, live: Arc<dyn Live>) -> bool {
        let (shelf, _) = self.open();
        shelf.entries.get(&id).is_some_and(|entry| {
            entry.job.send_if_modified(|job| match &mut job.state {
                State::Running { live: place, .. } => {
                    *place = Some(live);
                    true
                }
                State::Queued | State::Finished { .. } => false,
            })
        })
    }

    fn finish(&self, id: JobId, outcome: Outcome) {
        let (mut shelf, now) = self.open();
        shelf.finish(id, outcome, now);
    }

    fn shut_down(&self) {
        let (mut shelf, now) = self.open();
        shelf.is_closed = true;
        let all: Vec<_> = shelf.by_number.values().copied().collect();
        for id in all {
            shelf.cancel(id, CancelReason::Shutdown, now);
        }
    }
}
