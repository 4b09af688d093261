//! What jobs should do, without threads, locks or indices.

use super::LIMITS;
use super::made_up::Script;
use crate::jobs::{CancelReason, Ending, Failure, JobId, Lane, Missing};

/// A job as the model sees it.
pub(super) struct Known {
    pub(super) id: JobId,
    pub(super) script: Script,
    pub(super) key: Option<u8>,
    pub(super) place: Place,
    /// For the pool: handed out next, in the hands of threads, done.
    pub(super) next: u64,
    pub(super) in_flight: usize,
    pub(super) next_part: u64,
    pub(super) part_in_flight: bool,
    pub(super) done: Vec<u64>,
    pub(super) has_panicked: bool,
    pub(super) stop: Option<CancelReason>,
    /// When the pool got it, in claims so far; nothing where the pool has it not.
    pub(super) in_pool: Option<usize>,
    /// It was deleted while threads held its work, and they still do.
    pub(super) is_leaving: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Place {
    Queued,
    Preparing,
    Running,
    Finished { ending: Ending, done: Vec<u64>, at: i64 },
    Expired,
    Gone,
}

impl Known {
    pub(super) fn is_all_handed_out(&self) -> bool {
        self.next == self.script.chunks && self.next_part == self.script.parts
    }

    pub(super) fn is_to_end(&self) -> bool {
        let no_more = self.is_all_handed_out() || self.has_panicked || self.stop.is_some();
        self.in_pool.is_some() && self.in_flight == 0 && !self.part_in_flight && no_more
    }

    pub(super) fn may_run_chunk(&self) -> bool {
        let held = self.in_flight > 0 && self.script.barrier == Some(self.next);
        self.goes_on() && self.next < self.script.chunks && !held
    }

    pub(super) fn may_run_part(&self) -> bool {
        self.goes_on() && self.next_part < self.script.parts && !self.part_in_flight
    }

    fn goes_on(&self) -> bool {
        self.in_pool.is_some() && !self.has_panicked && self.stop.is_none()
    }

    pub(super) const fn is_running(&self) -> bool {
        matches!(self.place, Place::Preparing | Place::Running)
    }
}

#[derive(Default)]
pub(super) struct Model {
    pub(super) jobs: Vec<Known>,
    /// In the order of finishing.
    pub(super) finished: Vec<usize>,
    pub(super) expired: Vec<usize>,
    pub(super) now: i64,
    pub(super) claims: usize,
    pub(super) is_closed: bool,
}

impl Model {
    pub(super) fn expire(&mut self) {
        while let Some(&first) = self.finished.first() {
            let Place::Finished { at, .. } = self.jobs[first].place else {
                panic!("{first} has not finished")
            };
            if self.finished.len() <= LIMITS.finished && self.now - at < LIMITS.keep.as_secs() as i64 {
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

    pub(super) const fn places(lane: Lane) -> usize {
        match lane {
            Lane::Short => LIMITS.short,
            Lane::Long => LIMITS.long,
            Lane::Alone => 1,
        }
    }

    pub(super) fn waiting(&self, lane: Lane) -> Vec<usize> {
        let waits = |job: &Known| job.place == Place::Queued && job.script.lane() == lane;
        (0..self.jobs.len()).filter(|&job| waits(&self.jobs[job])).collect()
    }

    pub(super) fn running(&self, lane: Lane) -> usize {
        let has_place = |job: &&Known| job.is_running() || job.is_leaving;
        self.jobs.iter().filter(has_place).filter(|job| job.script.lane() == lane).count()
    }

    pub(super) fn finish(&mut self, number: usize, ending: Ending, done: Vec<u64>) {
        if self.jobs[number].is_running() || self.jobs[number].place == Place::Queued {
            self.jobs[number].place = Place::Finished { ending, done, at: self.now };
            self.finished.push(number);
        }
    }

    pub(super) fn cancel(&mut self, number: usize, reason: CancelReason) {
        self.jobs[number].stop.get_or_insert(reason);
        if matches!(self.jobs[number].place, Place::Queued | Place::Preparing) {
            self.finish(number, Ending::Cancelled(reason), Vec::new());
        }
    }

    pub(super) fn is_there(&self, number: usize) -> Result<(), Missing> {
        match self.jobs[number].place {
            Place::Expired => Err(Missing::Expired),
            Place::Gone => Err(Missing::Unknown),
            _ => Ok(()),
        }
    }

    pub(super) fn end(&mut self, number: usize) {
        let job = &mut self.jobs[number];
        job.in_pool = None;
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
