//! The binary: parse the settings, bind, serve, drain.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use kibitz::config::{Cli, Command, Config};
use kibitz::state::AppState;
use kibitz::{healthcheck, http, server, telemetry};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

fn main() -> ExitCode {
    let Cli { command, config } = Cli::parse();
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
    let listener = bind(config.listen).await?;
    let admin = match config.admin_listen {
        Some(address) => Some(bind(address).await?),
        None => None,
    };
    let limits = config.limits;
    let state = AppState::new(config);
    let building = build(&state)?;
    tokio::spawn(stop_on_signal(Arc::clone(&state))?);
    let main = server::serve(listener, http::router(&state), limits, state.watch_shutdown());
    let aside = async {
        if let Some(admin) = admin {
            server::serve(admin, http::admin_router(&state), limits, state.watch_shutdown()).await;
        }
    };
    tokio::join!(main, aside);
    if building.is_finished() && building.join().is_err() {
        return Err("the tables could not be built; the log says why".to_owned());
    }
    tracing::info!("stopped");
    Ok(())
}

async fn bind(address: std::net::SocketAddr) -> Result<TcpListener, String> {
    let listener =
        TcpListener::bind(address).await.map_err(|error| format!("cannot listen on {address}: {error}"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    tracing::info!(%address, "listening");
    Ok(listener)
}

/// Builds the tables beside the server, which answers from the first moment. A thread, not a task: the process may
/// end without waiting for it.
fn build(state: &Arc<AppState>) -> Result<std::thread::JoinHandle<()>, String> {
    /// A service whose tables cannot be built would never turn ready: it stops.
    struct StopOnPanic(Arc<AppState>);
    impl Drop for StopOnPanic {
        fn drop(&mut self) {
            if std::thread::panicking() {
                self.0.shut_down();
            }
        }
    }
    let guard = StopOnPanic(Arc::clone(state));
    let work = move || {
        guard.0.build_tables_blocking();
        guard.0.build_moments_blocking();
    };
    std::thread::Builder::new().name("tables".to_owned()).spawn(work).map_err(|error| error.to_string())
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
