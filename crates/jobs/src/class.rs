//! The classes of jobs.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::run_queue::FRESH_FOR;

/// A queue of its own, with permits of its own: jobs wait only for others of their class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueueClass {
    /// Jobs that end within the time in which a new job goes before all others, so that a permit is soon free.
    Short,
    /// Jobs that take longer.
    Long,
    /// Jobs that need so much memory that one runs at a time, on a thread of its own.
    Alone,
}

impl QueueClass {
    /// All classes.
    pub const ALL: [Self; 3] = [Self::Short, Self::Long, Self::Alone];

    /// The class of a job that takes about this long on one thread, preparation included, and needs little memory.
    #[must_use]
    pub fn for_time(time: Duration) -> Self {
        if time < FRESH_FOR { Self::Short } else { Self::Long }
    }

    /// The name in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
            Self::Alone => "alone",
        }
    }
}
