//! Queues that do not wait for each other.

use std::time::Duration;

/// Jobs wait for others of their own lane, never for those of another: each lane has its queue, its places among the jobs
/// that run, and a thread that prepares its jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lane {
    /// Done within the time that each job gets before all others go on, so that its place is soon free.
    Short,
    /// Takes longer, perhaps for ever.
    Long,
    /// Takes so much memory that no two run at a time.
    Alone,
}

/// The first time of threads that each job gets goes before that of all jobs that have had theirs, as long as those are
/// not behind by as much: beyond it head starts get two thirds of the time.
pub(super) const HEAD_START: Duration = Duration::from_millis(20);

impl Lane {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Short, Self::Long, Self::Alone];

    /// The lane of a job that takes about so long on one thread, its preparation included, and little memory.
    #[must_use]
    pub fn for_time(time: Duration) -> Self {
        if time < HEAD_START { Self::Short } else { Self::Long }
    }

    /// Its name, for whoever watches the service.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
            Self::Alone => "alone",
        }
    }
}
