//! The service as a whole: contract, operations, page, process, security. One file a behaviour.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../support/fuzz.rs"]
mod fuzz;
#[path = "../support/mod.rs"]
mod support;

mod adviser;
mod architecture;
mod assistants;
mod client_generators;
mod command_line;
mod configuration;
mod contract;
mod fuzz_requests;
#[cfg(target_os = "linux")]
mod logging;
mod operations;
mod page;
#[cfg(unix)]
mod process;
mod rate_limits;
#[cfg(target_os = "linux")]
mod security;
mod web;
