//! What jobs should do, without threads, locks or indices.

use super::LIMITS;
use super::made_up::Script;
use crate::{CancelReason, ClientKey, Ending, Failure, FindError, JobId, Limits, QueueClass};

/// A job as the model sees it.
pub(super) struct Known {
    pub(super) id: JobId,
    pub(super) script: Script,
    pub(super) key: Option<u8>,
    pub(super) client: Option<ClientKey>,
    pub(super) place: Place,
    /// For the pool: handed out next, in the hands of threads, done.
    pub(super) next: u64,
    pub(super) in_flight: usize,
    pub(super) done: Vec<u64>,
    pub(super) has_panicked: bool,
    pub(super) stop: Option<CancelReason>,
    pub(super) in_pool: bool,
    /// It was deleted while threads held its work, and they still do.
    pub(super) is_leaving: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Place {
    Queued,
    Running,
    Finished { ending: Ending, done: Vec<u64>, at: u64 },
    Expired,
    Gone,
}

impl Known {
    pub(super) fn is_all_handed_out(&self) -> bool {
        self.next == self.script.chunks
    }

    pub(super) fn is_to_end(&self) -> bool {
        let no_more = self.is_all_handed_out() || self.has_panicked || self.stop.is_some();
        self.in_pool && self.in_flight == 0 && no_more
    }

    pub(super) fn may_run_chunk(&self) -> bool {
        self.in_pool && self.next < self.script.chunks && !self.has_panicked && self.stop.is_none()
    }

    /// Runs a chunk.
    pub(super) fn run(&mut self, chunk: u64) {
        if self.script.panics_at == Some(chunk) {
            self.has_panicked = true;
        } else {
            self.done.push(chunk);
            self.done.sort_unstable();
        }
    }

    pub(super) const fn is_running(&self) -> bool {
        matches!(self.place, Place::Running)
    }
}

/// A finished job stays this long however many others finish, in seconds.
const KEPT_AT_LEAST: u64 = Limits::KEPT_AT_LEAST.as_secs();

#[derive(Default)]
pub(super) struct Model {
    pub(super) jobs: Vec<Known>,
    /// In the order of finishing.
    pub(super) finished: Vec<usize>,
    pub(super) expired: Vec<usize>,
    pub(super) now: u64,
    pub(super) is_closed: bool,
}

impl Model {
    pub(super) fn expire(&mut self) {
        while let Some(&first) = self.finished.first() {
            let Place::Finished { at, .. } = self.jobs[first].place else {
                panic!("{first} has not finished")
            };
            let age = self.now - at;
            let is_too_many = self.finished.len() > LIMITS.finished && age >= KEPT_AT_LEAST;
            if !is_too_many && age < LIMITS.keep.as_secs() {
                break;
            }
            self.finished.remove(0);
            self.jobs[first].place = Place::Expired;
            self.expired.push(first);
            if self.expired.len() > LIMITS.expired {
                let forgotten = self.expired.remove(0);
                self.jobs[forgotten].place = Place::Gone;
            }
        }
    }

    const fn permits(class: QueueClass) -> usize {
        match class {
            QueueClass::Short => LIMITS.short,
            QueueClass::Long => LIMITS.long,
            QueueClass::Alone => 1,
        }
    }

    pub(super) fn waiting(&self, class: QueueClass) -> Vec<usize> {
        let waits = |job: &Known| job.place == Place::Queued && job.script.class == class;
        (0..self.jobs.len()).filter(|&job| waits(&self.jobs[job])).collect()
    }

    pub(super) fn running(&self, class: QueueClass) -> Vec<usize> {
        let has_permit = |job: &Known| (job.is_running() || job.is_leaving) && job.script.class == class;
        (0..self.jobs.len()).filter(|&job| has_permit(&self.jobs[job])).collect()
    }

    /// The finished jobs that no other may push out.
    pub(super) fn recent(&self) -> Vec<usize> {
        let is_recent = |&&job: &&usize| match self.jobs[job].place {
            Place::Finished { at, .. } => self.now - at < KEPT_AT_LEAST,
            _ => false,
        };
        self.finished.iter().filter(is_recent).copied().collect()
    }

    /// Whether one more job of a client fits.
    pub(super) fn has_room(&self, jobs: &[usize], client: Option<ClientKey>, most: usize) -> bool {
        let own = jobs.iter().filter(|&&job| self.jobs[job].client == client).count();
        jobs.len() < most && (client.is_none() || 2 * own < most)
    }

    /// The job that is claimed next.
    pub(super) fn next(&self, class: QueueClass) -> Option<usize> {
        let running = self.running(class);
        let may_run = |&job: &usize| self.has_room(&running, self.jobs[job].client, Self::permits(class));
        self.waiting(class).into_iter().find(may_run)
    }

    pub(super) fn finish(&mut self, number: usize, ending: Ending, done: Vec<u64>) {
        if self.jobs[number].is_running() || self.jobs[number].place == Place::Queued {
            self.jobs[number].place = Place::Finished { ending, done, at: self.now };
            self.finished.push(number);
        }
    }

    pub(super) fn cancel(&mut self, number: usize, reason: CancelReason) {
        self.jobs[number].stop.get_or_insert(reason);
        if self.jobs[number].place == Place::Queued {
            self.finish(number, Ending::Cancelled(reason), Vec::new());
        }
    }

    pub(super) fn is_there(&self, number: usize) -> Result<(), FindError> {
        match self.jobs[number].place {
            Place::Expired => Err(FindError::Expired),
            Place::Gone => Err(FindError::Unknown),
            _ => Ok(()),
        }
    }

    pub(super) fn end(&mut self, number: usize) {
        let job = &mut self.jobs[number];
        job.in_pool = false;
        job.is_leaving = false;
        let ending = match job.stop {
            _ if job.has_panicked => Ending::Failed(Failure::internal()),
            _ if job.is_all_handed_out() => Ending::Succeeded,
            Some(reason) => Ending::Cancelled(reason),
            None => panic!("{number} was ended without need"),
        };
        let done = job.done.clone();
        self.finish(number, ending, done);
    }
}
