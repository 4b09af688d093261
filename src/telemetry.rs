//! The log: one structured line per event, to the standard error stream.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::panic;
use std::sync::OnceLock;
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};
use crate::log_writer::LogWriter;

/// How long the end of the process waits for the log to be written.
const FLUSH_TIME: Duration = Duration::from_millis(500);

static LOG: OnceLock<LogWriter> = OnceLock::new();

/// Installs the process's log subscriber. The filter is `--log`, else `RUST_LOG`, else `info`; one that is empty counts
/// as absent. Lines that cannot be written are counted in `lost`.
///
/// # Errors
/// If the filter cannot be read, or the standard error stream cannot be used, in words.
pub fn install(config: &Config, lost: Counter) -> Result<(), String> {
    let given = |filter: &String| !filter.trim().is_empty();
    let variable = || std::env::var("RUST_LOG").ok().filter(given);
    let filter = config.log.clone().filter(given).or_else(variable).unwrap_or_else(|| "info".to_owned());
    let filter =
        EnvFilter::try_new(&filter).map_err(|e| format!("the log filter {filter:?} cannot be read: {e}"))?;
    let unusable = |error: io::Error| format!("cannot write a log: {error}");
    // Not through `io::stderr()`: a write that blocks would hold its lock against all others.
    let stream = File::from(io::stderr().as_fd().try_clone_to_owned().map_err(unusable)?);
    let writer = LogWriter::start(stream, lost).map_err(unusable)?;
    let writer = LOG.get_or_init(|| writer);
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| writer.clone())
        .log_internal_errors(false);
    if is_text(config) {
        builder.compact().with_target(false).init();
    } else {
        builder.json().flatten_event(true).with_span_list(false).init();
    }
    panic::set_hook(Box::new(|panic| {
        let message = panic.payload_as_str().unwrap_or("of another type");
        let location = panic.location().map(ToString::to_string);
        let backtrace = Backtrace::capture();
        let backtrace = (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string());
        tracing::error!(panic = message, location, backtrace, "a thread panicked");
    }));
    Ok(())
}

fn is_text(config: &Config) -> bool {
    match config.log_format {
        LogFormat::Auto => io::stderr().is_terminal(),
        LogFormat::Json => false,
        LogFormat::Text => true,
    }
}

/// Prints the address of the page on a terminal.
pub fn greet(config: &Config, url: &str) {
    if io::stderr().is_terminal() && is_text(config) {
        say(&format!("Kibitz {}: open {url}", env!("CARGO_PKG_VERSION")));
    }
}

/// Writes a line to the standard error stream. Never fails, and never blocks once the log is installed.
pub fn say(line: &str) {
    let line = format!("{line}\n");
    match LOG.get() {
        // Its writer takes every line.
        Some(writer) => drop(writer.clone().write_all(line.as_bytes())),
        // If this fails, there is nowhere to report it.
        None => drop(io::stderr().write_all(line.as_bytes())),
    }
}

/// Waits until the log has been written, or half a second has passed.
pub fn flush_blocking() {
    if let Some(writer) = LOG.get() {
        writer.flush_blocking(FLUSH_TIME);
    }
}
