//! The binary: parse the settings, bind, serve, drain.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use clap::CommandFactory;
use clap::error::ErrorKind;
use kibitz::adviser::{Adviser, Settings};
use kibitz::config::{Cli, Command, Config, Limits, unknown_variables};
use kibitz::connections::{ADMIN_CONNECTIONS, ClientShares, allow_open_files};
use kibitz::state::AppState;
use kibitz::{command_line, healthcheck, http, mcp, server, telemetry};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

fn main() -> ExitCode {
    let Cli { command, config } = Cli::from_process();
    if let Err(message) = config.check() {
        Cli::command().error(ErrorKind::ValueValidation, message).exit();
    }
    let outcome = match command {
        Some(Command::Healthcheck) => healthcheck::ask(&config),
        Some(Command::Ask(ask)) => command_line::answer(&ask),
        Some(Command::Mcp) => serve_assistant(),
        Some(Command::Completions { shell }) => {
            clap_complete::generate(shell, &mut Cli::command(), "kibitz", &mut std::io::stdout());
            Ok(())
        }
        None => run(config),
    };
    let code = match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            telemetry::say(&format!("kibitz: {message}"));
            ExitCode::FAILURE
        }
    };
    telemetry::flush_blocking();
    code
}

fn serve_assistant() -> Result<(), String> {
    let adviser = Adviser::new(Settings::default()).map_err(|error| error.to_string())?;
    let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
    mcp::serve_blocking(&adviser, input, output).map_err(|error| error.to_string())
}

#[tokio::main]
async fn run(config: Config) -> Result<(), String> {
    let state = AppState::new(config).map_err(|error| error.to_string())?;
    let config = &state.config;
    let limits = config.limits;
    telemetry::install(config, state.metrics.log_lines_lost.clone())?;
    for (name, nearest) in unknown_variables(std::env::vars_os()) {
        let hint = nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
        tracing::warn!("unknown environment variable {name} is ignored{hint}");
    }
    allow_open_files(config);
    let listener = bind(config.address(), "--port or --listen")?;
    let admin = match config.admin_listen {
        Some(address) => Some(bind(address, "--admin-listen")?),
        None => None,
    };
    state.build_in_background().map_err(|error| error.to_string())?;
    tokio::spawn(stop_on_signal(Arc::clone(&state))?);
    let address = healthcheck::reachable(listener.local_addr().map_err(|error| error.to_string())?);
    telemetry::greet(config, &format!("http://{address}{}/", config.base_path));
    let shares = ClientShares::new(config, state.metrics.connections_rejected.clone());
    let main = server::serve(listener, http::router(&state), limits, Some(shares), state.watch_shutdown());
    let aside = async {
        if let Some(admin) = admin {
            let limits = Limits { max_connections: ADMIN_CONNECTIONS, ..limits };
            server::serve(admin, http::admin_router(&state), limits, None, state.watch_shutdown()).await;
        }
    };
    tokio::join!(main, aside);
    state.jobs.join(limits.grace).await;
    tracing::info!("stopped");
    Ok(())
}

/// Binds an address that was set by `flags`.
fn bind(address: SocketAddr, flags: &str) -> Result<TcpListener, String> {
    let listener = server::listen(address).map_err(|error| {
        format!("cannot listen on {address}: {error}; choose another address with {flags}")
    })?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    tracing::info!(%address, version = env!("CARGO_PKG_VERSION"), "listening");
    Ok(listener)
}

fn stop_on_signal(state: Arc<AppState>) -> Result<impl Future<Output = ()>, String> {
    let listen = |kind| signal(kind).map_err(|error| error.to_string());
    let mut terminate = listen(SignalKind::terminate())?;
    let mut interrupt = listen(SignalKind::interrupt())?;
    let mut hangup = if hangup_is_ignored() { None } else { Some(listen(SignalKind::hangup())?) };
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            Some(_) = async { hangup.as_mut()?.recv().await } => {}
        }
        tracing::info!("shutting down");
        state.shut_down();
    })
}

/// Whether the process was started to outlive its terminal, as by `nohup`.
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // Signal 1 is the lowest bit.
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}
