//! The memory that the process takes at most, by its settings. SECURITY.md states the same figures for operators.

use crate::config::Config;

/// Code, threads, the tables of the presets of Yahtzee with their second moments, the documents with their compressed forms, and
/// what is worked on by as many threads as there are: one value beyond the bounds of house tables, and the work that has
/// a permit, and what the allocator loses between them.
pub const FIXED: usize = 50_000_000;

/// The table of `yatzy` with its second moments, if it is served.
pub const YATZY: usize = 14_000_000;

/// A connection with its buffers and the futures of its request, and an answer that is too small to be charged.
pub const CONNECTION: usize = 56_000;

/// The kernel's buffers of a connection, which count for a container's limit (control groups, version 2).
pub const SOCKET: usize = 115_000;

/// The largest answer that is not charged to a budget while it is unsent.
pub const FREE_ANSWER: usize = 8 * 1024;

/// Answers that are compressed at a time; others are sent as they are.
pub const ENCODERS: usize = 8;

/// A gzip encoder with its buffers.
pub const ENCODER: usize = 400_000;

/// Bytes that the process and the kernel's buffers of its connections take at most, without jobs. This holds with the
/// allocator settings of `deploy/`; glibc's own keep up to 60 MB more of what has been let go.
#[must_use]
pub fn at_most(config: &Config) -> usize {
    process_at_most(config) + config.limits.max_connections as usize * SOCKET
}

/// Bytes of [`at_most`] that are the process's own.
#[must_use]
pub fn process_at_most(config: &Config) -> usize {
    FIXED
        + if config.serves_yatzy() { YATZY } else { 0 }
        + config.limits.max_connections as usize * CONNECTION
        + 2 * config.limits.max_buffered as usize
        + config.house_tables.house_table_bytes
        + ENCODERS * ENCODER
}
