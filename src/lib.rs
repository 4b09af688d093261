//! Kibitz: the best next decision in games of dice and cards, exactly, in microseconds.
//!
//! The map of the house: the games ([`yahtzee`], [`craps`], [`doudizhu`]) are pure and know nothing of the rest; [`jobs`] stores and runs work of any kind;
//! [`build_cache`] keeps what is built on demand; [`http`] is the one place where games and the web meet; [`state`] is what requests share; [`server`] accepts connections and drains them.

pub mod budget;
pub mod build_cache;
pub mod client;
pub mod config;
pub mod connections;
pub mod craps;
pub mod doudizhu;
pub mod healthcheck;
pub mod http;
pub mod jobs;
pub mod log_writer;
pub mod memory;
pub mod metrics;
pub mod permits;
pub mod rate_limiter;
pub mod release;
pub mod server;
pub mod state;
pub mod telemetry;
pub mod yahtzee;
