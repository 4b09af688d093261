//! The binary: parse the settings, bind, serve, drain.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use kibitz::config::{Cli, Command, Config, unknown_variables};
use kibitz::state::AppState;
use kibitz::{healthcheck, http, server, telemetry};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

fn main() -> ExitCode {
    let Cli { command, config } = Cli::parse();
    if let Err(message) = config.check() {
        Cli::command().error(ErrorKind::ValueValidation, message).exit();
    }
    let outcome = match command {
        Some(Command::Healthcheck) => healthcheck::ask(&config),
        None => run(config),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("kibitz: {message}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run(config: Config) -> Result<(), String> {
    telemetry::install(&config)?;
    for (name, nearest) in unknown_variables(std::env::vars_os()) {
        let hint = nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
        tracing::warn!("unknown environment variable {name} is ignored{hint}");
    }
    let listener = bind(config.address(), "--port or --listen").await?;
    let admin = match config.admin_listen {
        Some(address) => Some(bind(address, "--admin-listen").await?),
        None => None,
    };
    let limits = config.limits;
    let state = AppState::new(config).map_err(|error| error.to_string())?;
    state.build_in_background().map_err(|error| error.to_string())?;
    tokio::spawn(stop_on_signal(Arc::clone(&state))?);
    let main = server::serve(listener, http::router(&state), limits, state.watch_shutdown());
    let aside = async {
        if let Some(admin) = admin {
            server::serve(admin, http::admin_router(&state), limits, state.watch_shutdown()).await;
        }
    };
    tokio::join!(main, aside);
    state.jobs.join(limits.grace).await;
    tracing::info!("stopped");
    Ok(())
}

/// Binds an address that was set by `flags`.
async fn bind(address: SocketAddr, flags: &str) -> Result<TcpListener, String> {
    let listener = TcpListener::bind(address).await.map_err(|error| {
        format!("cannot listen on {address}: {error}; choose another address with {flags}")
    })?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    tracing::info!(%address, "listening");
    Ok(listener)
}

fn stop_on_signal(state: Arc<AppState>) -> Result<impl Future<Output = ()>, String> {
    let mut terminate = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(|error| error.to_string())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("shutting down");
        state.shut_down();
    })
}
