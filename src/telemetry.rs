//! The log: one structured line an event, to the standard error stream.

use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};

/// Installs the process's log subscriber. The filter is `--log`, else `RUST_LOG`, else `info`.
///
/// # Errors
/// A filter that cannot be read, with the reason in words.
pub fn install(config: &Config) -> Result<(), String> {
    let filter =
        config.log.clone().or_else(|| std::env::var("RUST_LOG").ok()).unwrap_or_else(|| "info".to_owned());
    let filter =
        EnvFilter::try_new(&filter).map_err(|e| format!("the log filter {filter:?} cannot be read: {e}"))?;
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match config.log_format {
        LogFormat::Auto | LogFormat::Json => builder.json().flatten_event(true).with_span_list(false).init(),
        LogFormat::Text => builder.init(),
    }
    Ok(())
}
