//! Kibitz: the best next decision in games of dice and cards, exactly, in microseconds.
//!
//! The games ([`yahtzee`], [`craps`], [`doudizhu`]) and the [`jobs`] are crates of their own and know nothing of the rest.
//! [`build_cache`] keeps what is built on demand, [`questions`] reads questions and writes answers, [`adviser`] holds what
//! answers are made of, [`http`] serves them, [`state`] is what requests share, and [`server`] accepts connections and drains them.

pub use kibitz_craps as craps;
pub use kibitz_doudizhu as doudizhu;
pub use kibitz_jobs as jobs;
pub use kibitz_yahtzee as yahtzee;

pub mod adviser;
pub mod budget;
pub mod build_cache;
pub mod chinese;
pub mod client;
pub mod command_line;
pub mod config;
pub mod connections;
pub mod healthcheck;
pub mod http;
pub mod log_writer;
pub mod mcp;
pub mod memory;
pub mod metrics;
pub mod permits;
pub mod questions;
pub mod rate_limiter;
pub mod release;
pub mod server;
pub mod state;
pub mod telemetry;

/// The contract, `openapi.yaml`. It names the server `/`.
pub(crate) const OPENAPI: &str = include_str!("../openapi.yaml");
