//! Whose turn it is.
//!
//! A job that has just begun goes before all others until it has had its head start. After it, lanes share: each that has
//! something to do gets as much time as any other, and within a lane each job as much as any other. So a small job is
//! soon done however large and many the others are, no lane is the slower for the number of jobs in another, and a job
//! that is alone gets all threads. However many head starts there are, the others keep a third of the time, and a job
//! that newer ones keep from its own soon is one of the others.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use super::live::Running;
use crate::jobs::id::JobId;
use crate::jobs::lane::{HEAD_START, Lane};
use crate::jobs::store::CancelToken;

/// Once head starts have had so much time since a job came, it goes on without its own, or what is left of it: newer ones go
/// first, and they may come without end. It is as much as fifty take, so that a mere crowd of jobs loses none.
const LAPSES_AFTER: Duration = HEAD_START.saturating_mul(50);

/// The jobs in work, and the time that they have had.
#[derive(Default)]
pub(super) struct Turns {
    active: Vec<Active>,
    /// Time that head starts have had while others waited, less twice what those have had since.
    lead: Duration,
    /// All time that head starts have had.
    ahead: Duration,
    /// For each lane the time that its jobs have had after their head starts, and what it let pass while it had nothing
    /// to hand out: the least has its turn, and nobody saves up time.
    used: [Duration; Lane::ALL.len()],
    /// For each lane the most that a job of it had had when its turn came: newcomers start there. The least served job may
    /// be far below, where it can use one thread only and is left behind by those that use all.
    level: [Duration; Lane::ALL.len()],
}

/// A job in work.
pub(super) struct Active {
    pub(super) id: JobId,
    pub(super) number: u64,
    pub(super) kind: &'static str,
    pub(super) token: CancelToken,
    pub(super) running: Arc<Running>,
    lane: Lane,
    chunks: Sequence,
    barriers: Vec<u64>,
    parts: Sequence,
    /// Time of threads that it has had.
    own: Duration,
    /// Time that head starts had had when it came.
    ahead: Duration,
    /// The same and the level of its lane when it came.
    used: Duration,
    /// Time that its last piece took, as a guess at those in flight.
    last: Duration,
    has_panicked: bool,
}

/// Pieces that are handed out in order.
struct Sequence {
    /// The next to be handed out.
    next: u64,
    /// How many there are.
    all: u64,
    in_flight: u32,
}

/// What a thread does next.
pub(super) enum Task {
    /// Ends a job of which nothing runs or is to run.
    End(Active),
    /// Runs one piece.
    Piece { number: u64, running: Arc<Running>, piece: Piece, turn: Turn },
}

/// A piece of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    Chunk(u64),
    Part(u64),
}

/// By what right a piece was chosen.
#[derive(Clone, Copy)]
pub(super) enum Turn {
    /// Its job has just begun, and others waited.
    Ahead,
    /// Its job has just begun; nobody waited.
    First,
    /// The head start of its job is over, its lane has had the least time, and it the least in its lane.
    Later,
}

impl Sequence {
    const fn of(all: u64) -> Self {
        Self { next: 0, all, in_flight: 0 }
    }

    const fn has_more(&self) -> bool {
        self.next < self.all
    }

    const fn take(&mut self) -> u64 {
        let taken = self.next;
        self.next += 1;
        self.in_flight += 1;
        taken
    }
}

impl Active {
    pub(super) fn new(
        id: JobId,
        number: u64,
        kind: &'static str,
        lane: Lane,
        token: CancelToken,
        running: Arc<Running>,
    ) -> Self {
        Self {
            id,
            number,
            kind,
            token,
            lane,
            chunks: Sequence::of(running.work.chunks()),
            barriers: running.work.barriers(),
            parts: Sequence::of(running.work.parts()),
            running,
            own: Duration::ZERO,
            ahead: Duration::ZERO,
            used: Duration::ZERO,
            last: Duration::ZERO,
            has_panicked: false,
        }
    }

    pub(super) const fn has_panicked(&self) -> bool {
        self.has_panicked
    }

    /// Whether all of it was handed out, and nothing of it panicked.
    pub(super) const fn is_complete(&self) -> bool {
        !self.has_panicked && !self.chunks.has_more() && !self.parts.has_more()
    }

    fn is_stopped(&self) -> bool {
        self.has_panicked || self.token.get().is_some()
    }

    fn is_to_end(&self) -> bool {
        self.in_flight() == 0 && (self.is_complete() || self.is_stopped())
    }

    fn in_flight(&self) -> u32 {
        self.chunks.in_flight + self.parts.in_flight
    }

    fn has_chunk(&self) -> bool {
        self.chunks.has_more() && (self.chunks.in_flight == 0 || !self.is_at_barrier())
    }

    fn is_at_barrier(&self) -> bool {
        self.barriers.binary_search(&self.chunks.next).is_ok()
    }

    fn has_part(&self) -> bool {
        self.parts.has_more() && self.parts.in_flight == 0
    }

    fn has_piece(&self) -> bool {
        (self.has_chunk() || self.has_part()) && !self.is_stopped()
    }

    /// Hands out a piece. One thread alone does chunks and parts in turn, a chunk first.
    fn take(&mut self) -> Piece {
        if self.has_part() && (self.parts.next < self.chunks.next || !self.has_chunk()) {
            Piece::Part(self.parts.take())
        } else {
            Piece::Chunk(self.chunks.take())
        }
    }

    /// What its pieces in work may take.
    fn pending(&self) -> Duration {
        self.last * self.in_flight()
    }

    /// Whether its head start is over, where head starts have had so much time.
    fn has_had_head_start(&self, ahead: Duration) -> bool {
        self.own + self.pending() >= HEAD_START || ahead - self.ahead >= LAPSES_AFTER
    }
}

impl Turns {
    pub(super) const fn is_empty(&self) -> bool {
        self.active.is_empty()
    }

    /// Lets a job have its turns from now on.
    pub(super) fn admit(&mut self, job: Active) {
        let others = self.active.iter().filter(|other| other.lane == job.lane);
        let least = others.map(|other| other.used).min().unwrap_or_default();
        let used = least.max(self.level[job.lane as usize]);
        self.active.push(Active { used, ahead: self.ahead, ..job });
    }

    /// A job that is through, if there is one.
    pub(super) fn take_ended(&mut self) -> Option<Active> {
        let place = self.active.iter().position(Active::is_to_end)?;
        Some(self.active.remove(place))
    }

    /// What a free thread does next.
    pub(super) fn pick(&mut self) -> Option<Task> {
        if let Some(job) = self.take_ended() {
            return Some(Task::End(job));
        }
        let clocks = Lane::ALL.map(|lane| self.clock(lane));
        let in_turn = Lane::ALL.into_iter().filter(|&lane| clocks[lane as usize].waits);
        let in_turn = in_turn.min_by_key(|&lane| clocks[lane as usize].used);
        let others_turn = in_turn.is_some() && self.lead >= HEAD_START;
        let ahead = self.ahead;
        let newcomers =
            self.active.iter_mut().filter(|job| job.has_piece() && !job.has_had_head_start(ahead));
        let newcomer = newcomers
            .min_by_key(|job| (job.own + job.pending(), Reverse(job.number)))
            .filter(|_| !others_turn);
        let (job, turn) = match (newcomer, in_turn) {
            (Some(job), Some(_)) => (job, Turn::Ahead),
            (Some(job), None) => (job, Turn::First),
            (None, lane) => {
                let lane = lane?;
                for (used, clock) in self.used.iter_mut().zip(&clocks).filter(|(_, clock)| !clock.waits) {
                    *used += clocks[lane as usize].used.saturating_sub(clock.used);
                }
                let jobs = self.active.iter_mut().filter(|job| job.lane == lane);
                let jobs = jobs.filter(|job| job.has_piece() && job.has_had_head_start(ahead));
                let job = jobs.min_by_key(|job| (job.used + job.pending(), Reverse(job.number)))?;
                let level = &mut self.level[lane as usize];
                *level = job.used.max(*level);
                (job, Turn::Later)
            }
        };
        let piece = job.take();
        Some(Task::Piece { number: job.number, running: Arc::clone(&job.running), piece, turn })
    }

    fn clock(&self, lane: Lane) -> Clock {
        let mut clock = Clock { used: self.used[lane as usize], waits: false };
        let jobs = self.active.iter().filter(|job| job.lane == lane);
        for job in jobs.filter(|job| job.has_had_head_start(self.ahead)) {
            clock.used += job.pending();
            clock.waits |= job.has_piece();
        }
        clock
    }

    /// Takes note of a piece that has been run; whether that lets go what other threads may wait for.
    pub(super) fn returned(
        &mut self,
        number: u64,
        piece: Piece,
        turn: Turn,
        took: Duration,
        panicked: bool,
    ) -> bool {
        match turn {
            Turn::Ahead => {
                self.ahead += took;
                self.lead += took;
            }
            Turn::First => self.ahead += took,
            Turn::Later => self.lead = self.lead.saturating_sub(2 * took),
        }
        let Some(job) = self.active.iter_mut().find(|job| job.number == number) else { return false };
        if let Turn::Later = turn {
            self.used[job.lane as usize] += took;
        }
        job.own += took;
        job.used += took;
        job.last = took;
        job.has_panicked |= panicked;
        match piece {
            // The next part, if there is one, is a task for the thread that brings this one back.
            Piece::Part(_) => {
                job.parts.in_flight -= 1;
                false
            }
            Piece::Chunk(_) => {
                job.chunks.in_flight -= 1;
                job.chunks.in_flight == 0 && job.is_at_barrier()
            }
        }
    }
}

/// How a lane stands.
struct Clock {
    /// The time that its jobs have had after their head starts, with what those in work may take.
    used: Duration,
    /// Whether it has a piece to hand out.
    waits: bool,
}
