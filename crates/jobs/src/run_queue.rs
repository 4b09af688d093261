//! Which job runs next: a multilevel feedback queue with two levels.
//!
//! A job is fresh for its first 20 ms of thread time, and at most for a second. Fresh jobs go first, the least served one
//! before the others, so that a small job ends soon whatever else runs. The other jobs take turns, and get a third of
//! the time while fresh ones keep coming. One pick is one chunk, and the job stays in the queue, so that a job that is
//! alone gets all threads.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::live::Live;
use super::record::CancelReason;
use super::store::Claim;

/// The thread time for which a new job goes before all others.
pub(super) const FRESH_FOR: Duration = Duration::from_millis(20);
/// After this time a job is one of the others, even if newer ones have kept it from its first 20 ms.
const FRESH_AT_MOST: Duration = Duration::from_secs(1);
/// Fresh jobs may be ahead of their two thirds by this much.
const LEAD: i128 = 3_000_000;

/// The jobs that run.
#[derive(Default)]
pub(super) struct RunQueue {
    jobs: Vec<Active>,
    picks: u64,
    /// Nanoseconds that fresh jobs got while others waited, less twice what the others got while fresh ones waited.
    lead: i128,
}

/// A job that runs.
pub(super) struct Active {
    pub(super) claim: Claim,
    pub(super) live: Arc<Live>,
    since: Instant,
    chunks: u64,
    next: u64,
    in_flight: u32,
    /// Thread time so far.
    used: Duration,
    /// The number of its last pick.
    picked: u64,
    pub(super) has_panicked: bool,
}

/// What a thread does next.
pub(super) enum Task {
    /// End a job: no chunk of it runs, and none will.
    End(Active),
    /// Run one chunk.
    Chunk { number: u64, live: Arc<Live>, chunk: u64, turn: Turn },
}

/// Which jobs the time of a chunk is charged to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// A fresh job's, while another job waited.
    Fresh,
    /// Another job's, while a fresh one waited.
    Other,
    /// Nobody's: only one kind of job was there.
    Free,
}

impl Active {
    pub(super) fn new(claim: Claim, live: Arc<Live>, now: Instant) -> Self {
        Self {
            chunks: live.work.chunks(),
            claim,
            live,
            since: now,
            next: 0,
            in_flight: 0,
            used: Duration::ZERO,
            picked: 0,
            has_panicked: false,
        }
    }

    pub(super) const fn is_complete(&self) -> bool {
        !self.has_panicked && self.next >= self.chunks
    }

    /// Whether a chunk is left to run. A job past its time limit is cancelled here.
    fn has_chunk(&self, now: Instant) -> bool {
        if now.duration_since(self.since) >= self.claim.time_limit && !self.is_complete() {
            self.claim.token.set(CancelReason::TimeLimit);
        }
        !self.has_panicked && !self.is_complete() && self.claim.token.get().is_none()
    }

    /// Takes the next chunk, if one is left to run.
    pub(super) fn take(&mut self, now: Instant) -> Option<u64> {
        self.has_chunk(now).then(|| {
            self.next += 1;
            self.in_flight += 1;
            self.next - 1
        })
    }

    /// Takes back a chunk that has run.
    pub(super) fn returned(&mut self, took: Duration, has_panicked: bool) {
        self.in_flight -= 1;
        self.used += took;
        self.has_panicked |= has_panicked;
    }

    /// Among fresh jobs the least served goes first, to the millisecond, so that a job that needs less ends without a
    /// pause; then the newest.
    fn level(&self) -> (u128, Reverse<u64>) {
        (self.used.as_millis(), Reverse(self.claim.record.number))
    }

    fn is_fresh(&self, now: Instant) -> bool {
        self.used < FRESH_FOR && now.duration_since(self.since) < FRESH_AT_MOST
    }
}

impl RunQueue {
    pub(super) const fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    pub(super) fn push(&mut self, job: Active) {
        self.jobs.push(job);
    }

    /// Removes a job that is to end, if there is one.
    pub(super) fn take_ended(&mut self, now: Instant) -> Option<Active> {
        let place = self.jobs.iter().position(|job| job.in_flight == 0 && !job.has_chunk(now))?;
        Some(self.jobs.swap_remove(place))
    }

    /// What a free thread does next.
    pub(super) fn pick(&mut self, now: Instant) -> Option<Task> {
        if let Some(job) = self.take_ended(now) {
            return Some(Task::End(job));
        }
        let places = || (0..self.jobs.len()).filter(|&place| self.jobs[place].has_chunk(now));
        let fresh = places().filter(|&place| self.jobs[place].is_fresh(now));
        let fresh = fresh.min_by_key(|&place| self.jobs[place].level());
        let other = places().filter(|&place| !self.jobs[place].is_fresh(now));
        let other = other.min_by_key(|&place| self.jobs[place].picked);
        let (place, turn) = match (fresh, other) {
            (Some(fresh), Some(_)) if self.lead < LEAD => (fresh, Turn::Fresh),
            (Some(_), Some(other)) => (other, Turn::Other),
            (one, another) => (one.or(another)?, Turn::Free),
        };
        self.picks += 1;
        let job = &mut self.jobs[place];
        job.picked = self.picks;
        let chunk = job.take(now)?;
        Some(Task::Chunk { number: job.claim.record.number, live: Arc::clone(&job.live), chunk, turn })
    }

    /// Takes back a chunk that has run.
    pub(super) fn returned(&mut self, number: u64, turn: Turn, took: Duration, has_panicked: bool) {
        match turn {
            Turn::Fresh => self.lead += took.as_nanos() as i128,
            Turn::Other => self.lead -= 2 * took.as_nanos() as i128,
            Turn::Free => {}
        }
        if let Some(job) = self.jobs.iter_mut().find(|job| job.claim.record.number == number) {
            job.returned(took, has_panicked);
        }
    }
}

#[cfg(test)]
mod tests;
