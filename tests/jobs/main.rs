//! The job store and its pool, with made-up jobs. One file a behaviour.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bounds;
mod events;
mod lifecycle;
mod made_up;
