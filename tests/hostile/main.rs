//! Hostile clients, against the real binary: each gets its right status, the others are answered meanwhile, and memory
//! stays bounded. One file a kind of attack.
//!
//! Bytes that are no HTTP never reach the service's own layers: hyper rejects them with an empty 400 (a head that is too
//! large with 431) and closes the connection.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../support/mod.rs"]
mod support;

mod deep_nesting;
mod fairness;
mod half_closed;
mod header_floods;
mod hosts;
mod huge_numbers;
mod idle_connections;
mod invalid_utf8;
mod jobs;
mod lost_log;
mod memory;
mod one_client;
mod over_limit_bodies;
mod overload;
mod pipelining;
mod slow_answers;
mod slow_bodies;
mod slow_heads;
mod smuggling;

/// The flags of a service that is ready at once.
const QUICK: [&str; 2] = ["--yahtzee-rules", "plain"];

const MEBIBYTE: u64 = 1024 * 1024;

fn start(flags: &[&str]) -> support::binary::Kibitz {
    support::binary::Kibitz::ready(&[&QUICK, flags].concat())
}
