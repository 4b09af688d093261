//! Jobs in the memory of one process.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::watch;

use super::class::QueueClass;
use super::id::{ClientKey, Cursor, JobId};
use super::record::{CancelReason, NewJob, Outcome, Record};
use super::store::{
    CancelToken, Claim, Counts, FindError, ListQuery, Page, Store, SubmitError, Submitted, Unavailable,
};

/// Jobs in the memory of one process, within [`Limits`].
pub struct MemoryStore {
    limits: Limits,
    clock: Clock,
    state: Mutex<State>,
}

/// The bounds of a store. One client gets at most half of the first four.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Jobs that wait, per class.
    pub queued: usize,
    /// Short jobs that run at a time.
    pub short: usize,
    /// Long jobs that run at a time. They share the threads, so this may be far more than there are threads: it bounds
    /// the memory of their work.
    pub long: usize,
    /// Finished jobs that are kept, unless more have ended within [`Self::KEPT_AT_LEAST`]. Beyond it no job is accepted
    /// as long as none of them may be dropped.
    pub finished: usize,
    /// How long a finished job is kept.
    pub keep: Duration,
    /// Ids of expired jobs that are remembered, to tell them from unknown ones.
    pub expired: usize,
    /// How long a job may run. Then it is cancelled and keeps what was counted.
    pub run_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            queued: 256,
            short: 16,
            long: 128,
            finished: 4_000,
            keep: Duration::from_secs(3_600),
            expired: 10_000,
            run_time: Duration::from_secs(3_600),
        }
    }
}

impl Limits {
    /// A finished job is kept for this long however many others finish, unless [`Self::keep`] is less.
    pub const KEPT_AT_LEAST: Duration = Duration::from_secs(60);

    const fn permits(&self, class: QueueClass) -> usize {
        match class {
            QueueClass::Short => self.short,
            QueueClass::Long => self.long,
            QueueClass::Alone => 1,
        }
    }

    fn kept_at_least(&self) -> Duration {
        self.keep.min(Self::KEPT_AT_LEAST)
    }
}

/// Tells the time, monotonically.
pub type Clock = Arc<dyn Fn() -> Instant + Send + Sync>;

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::with_clock(limits, Arc::new(Instant::now))
    }

    /// An empty store with another clock.
    #[must_use]
    pub fn with_clock(limits: Limits, clock: Clock) -> Self {
        Self { limits, clock, state: Mutex::default() }
    }

    /// The state without expired jobs, and the time.
    fn state(&self) -> (MutexGuard<'_, State>, Instant) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = (self.clock)();
        state.expire(&self.limits, now);
        (state, now)
    }
}

#[derive(Default)]
struct State {
    entries: HashMap<JobId, Entry>,
    by_number: BTreeMap<u64, JobId>,
    /// By class, the oldest first.
    queued: [VecDeque<Slot>; QueueClass::ALL.len()],
    /// By class the permits in use; a deleted job may still hold one.
    running: [Vec<Slot>; QueueClass::ALL.len()],
    /// The job that finished first comes first.
    finished: VecDeque<Slot>,
    /// The job that expired first comes first.
    expired: VecDeque<(JobId, &'static str)>,
    next_number: u64,
    is_closed: bool,
}

struct Entry {
    kind: &'static str,
    /// The record, in one place. Everybody else holds a receiver.
    record: watch::Sender<Arc<Record>>,
    token: CancelToken,
    created: Instant,
}

/// A job in a queue, with a permit, or among the finished ones.
struct Slot {
    id: JobId,
    client: Option<ClientKey>,
    since: Instant,
}

/// Whether one more job of a client fits beside these.
fn has_room<'a>(
    slots: impl ExactSizeIterator<Item = &'a Slot>,
    client: Option<ClientKey>,
    most: usize,
) -> bool {
    let own = |slots: &mut dyn Iterator<Item = &'a Slot>| slots.filter(|slot| slot.client == client).count();
    slots.len() < most && (client.is_none() || own(&mut { slots }) < most.div_ceil(2))
}

impl Entry {
    /// Changes the record. The system clock is read once, when the job arrives: setting it cannot change the order of a
    /// job's times.
    fn change(&self, now: Instant, change: impl FnOnce(&mut Record, Timestamp)) {
        self.record.send_modify(|record| {
            let record = Arc::make_mut(record);
            let at = record.created_at.saturating_add(now - self.created).unwrap_or(record.created_at);
            change(record, at);
        });
    }
}

impl State {
    fn entry(&self, kind: &'static str, id: JobId) -> Result<&Entry, FindError> {
        match self.entries.get(&id) {
            Some(entry) if entry.kind == kind => Ok(entry),
            None if self.expired.contains(&(id, kind)) => Err(FindError::Expired),
            _ => Err(FindError::Unknown),
        }
    }

    /// The job that this client started with this key.
    fn with_key(&self, new: &NewJob) -> Option<Arc<Record>> {
        let key = &new.idempotency.as_ref()?.key;
        self.entries.values().filter(|entry| entry.kind == new.kind).find_map(|entry| {
            let record = entry.record.borrow();
            let own = record.idempotency.as_ref().filter(|_| record.client == new.client)?;
            (own.key == *key).then(|| Arc::clone(&record))
        })
    }

    /// Whether a new job is accepted.
    fn admit(&self, new: &NewJob, limits: &Limits, now: Instant) -> Result<(), SubmitError> {
        if self.is_closed {
            return Err(SubmitError::ShuttingDown);
        }
        if !has_room(self.queued[new.class as usize].iter(), new.client, limits.queued) {
            return Err(SubmitError::QueueFull);
        }
        let kept_at_least = limits.kept_at_least();
        let old = self.finished.partition_point(|slot| now - slot.since >= kept_at_least);
        let recent = || self.finished.range(old..);
        if has_room(recent(), new.client, limits.finished) {
            return Ok(());
        }
        let is_full = recent().len() >= limits.finished;
        let oldest = recent().find(|slot| is_full || slot.client == new.client);
        let waited = oldest.map_or(Duration::ZERO, |slot| now - slot.since);
        Err(SubmitError::ResultsFull { retry_after: kept_at_least.saturating_sub(waited) })
    }

    fn add(&mut self, id: JobId, new: NewJob, now: Instant) -> Arc<Record> {
        let number = self.next_number;
        self.next_number += 1;
        self.queued[new.class as usize].push_back(Slot { id, client: new.client, since: now });
        self.by_number.insert(number, id);
        let record = Record {
            id,
            number,
            kind: new.kind.into(),
            request: new.request,
            seed: new.seed,
            total: new.total,
            class: new.class,
            client: new.client,
            idempotency: new.idempotency,
            created_at: Timestamp::now(),
            started_at: None,
            finished_at: None,
            outcome: None,
        };
        let record = Arc::new(record);
        let (sender, token) = (watch::Sender::new(Arc::clone(&record)), CancelToken::default());
        self.entries.insert(id, Entry { kind: new.kind, record: sender, token, created: now });
        record
    }

    /// Ends a job that has not ended. A permit stays in use.
    fn end(&mut self, id: JobId, outcome: Outcome, now: Instant) {
        let open = self.entries.get(&id).filter(|entry| entry.record.borrow().outcome.is_none());
        let Some(entry) = open else { return };
        let client = entry.record.borrow().client;
        entry.change(now, |record, at| {
            record.finished_at = Some(at);
            record.outcome = Some(outcome);
        });
        self.queued.iter_mut().for_each(|queue| queue.retain(|slot| slot.id != id));
        self.finished.push_back(Slot { id, client, since: now });
    }

    /// Stops a job: at once if it is queued, else by its token.
    fn cancel(&mut self, id: JobId, reason: CancelReason, now: Instant) {
        let Some(entry) = self.entries.get(&id) else { return };
        entry.token.set(reason);
        if entry.record.borrow().started_at.is_none() {
            self.end(id, Outcome::cancelled(reason), now);
        }
    }

    fn remove(&mut self, id: JobId) -> Option<Entry> {
        let entry = self.entries.remove(&id)?;
        self.by_number.remove(&entry.record.borrow().number);
        Some(entry)
    }

    /// Drops finished jobs that are too old, or too many and old enough.
    fn expire(&mut self, limits: &Limits, now: Instant) {
        while let Some(slot) = self.finished.front() {
            let (id, age) = (slot.id, now - slot.since);
            let is_too_many = self.finished.len() > limits.finished;
            if age < limits.keep && !(is_too_many && age >= limits.kept_at_least()) {
                break;
            }
            self.finished.pop_front();
            let removed = self.remove(id);
            self.expired.extend(removed.map(|entry| (id, entry.kind)));
        }
        self.expired.drain(..self.expired.len().saturating_sub(limits.expired));
    }
}

impl Store for MemoryStore {
    const POLL: Option<Duration> = None;

    async fn submit(&self, id: JobId, new: NewJob) -> Result<Submitted<Arc<Record>>, SubmitError> {
        let (mut state, now) = self.state();
        if let Some(job) = state.with_key(&new) {
            let is_same = job.idempotency == new.idempotency;
            let found = Submitted { job, is_new: false };
            return if is_same { Ok(found) } else { Err(SubmitError::IdempotencyKeyReused) };
        }
        state.admit(&new, &self.limits, now)?;
        Ok(Submitted { job: state.add(id, new, now), is_new: true })
    }

    async fn find(&self, kind: &'static str, id: JobId) -> Result<watch::Receiver<Arc<Record>>, FindError> {
        let (state, _) = self.state();
        Ok(state.entry(kind, id)?.record.subscribe())
    }

    async fn cancel(&self, kind: &'static str, id: JobId) -> Result<(), FindError> {
        let (mut state, now) = self.state();
        state.entry(kind, id)?;
        state.cancel(id, CancelReason::Requested, now);
        Ok(())
    }

    async fn delete(&self, kind: &'static str, id: JobId) -> Result<(), FindError> {
        let (mut state, now) = self.state();
        state.entry(kind, id)?;
        state.cancel(id, CancelReason::Deleted, now);
        // Threads may still run it. What they do no longer counts.
        state.end(id, Outcome::cancelled(CancelReason::Deleted), now);
        state.finished.retain(|slot| slot.id != id);
        state.remove(id);
        Ok(())
    }

    async fn list(&self, kind: &'static str, query: ListQuery) -> Result<Page<Arc<Record>>, Unavailable> {
        let (state, _) = self.state();
        let end = query.after.map_or(u64::MAX, |Cursor(number)| number);
        let mut found = state
            .by_number
            .range(..end)
            .rev()
            .filter_map(|(_, id)| state.entries.get(id))
            .filter(|entry| entry.kind == kind)
            .map(|entry| Arc::clone(&entry.record.borrow()))
            .filter(|record| query.status.is_none_or(|status| record.status() == status));
        let jobs: Vec<_> = found.by_ref().take(query.limit).collect();
        let next = jobs.last().map(|last| Cursor(last.number)).filter(|_| found.next().is_some());
        Ok(Page { jobs, next })
    }

    fn counts(&self) -> Counts {
        let (state, _) = self.state();
        Counts {
            queued: state.queued.each_ref().map(VecDeque::len),
            running: state.running.each_ref().map(Vec::len),
            finished: state.finished.len(),
        }
    }

    fn claim(&self, class: QueueClass) -> Option<Claim> {
        let (mut state, now) = self.state();
        let (running, permits) = (&state.running[class as usize], self.limits.permits(class));
        let may_run = |slot: &Slot| has_room(running.iter(), slot.client, permits);
        let place = state.queued[class as usize].iter().position(may_run)?;
        let slot = state.queued[class as usize].remove(place)?;
        let id = slot.id;
        state.running[class as usize].push(slot);
        let entry = state.entries.get(&id)?;
        entry.change(now, |record, at| record.started_at = Some(at));
        let record = Arc::clone(&entry.record.borrow());
        Some(Claim { record, time_limit: self.limits.run_time, token: entry.token.clone() })
    }

    fn finish(&self, id: JobId, outcome: &Outcome) -> Result<(), Unavailable> {
        let (mut state, now) = self.state();
        state.running.iter_mut().for_each(|running| running.retain(|slot| slot.id != id));
        state.end(id, outcome.clone(), now);
        Ok(())
    }

    fn shut_down(&self) {
        let (mut state, now) = self.state();
        state.is_closed = true;
        let all: Vec<_> = state.by_number.values().copied().collect();
        for id in all {
            state.cancel(id, CancelReason::Shutdown, now);
        }
    }
}
