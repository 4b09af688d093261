//! The accept loop: bounded connections, a time limit on request heads, and a shutdown that drains.
//!
//! `axum::serve` has none of these: one client that sends half a head would hold its graceful shutdown for ever.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use http_body_util::BodyExt;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{sleep, timeout};
use tower::ServiceExt;

use crate::config::Limits;

/// After shutdown has begun, a connection without a request in work is given this long: enough for a request whose
/// bytes have already arrived, and not worth waiting for where a client sends half a head and falls silent.
const IDLE_GRACE: Duration = Duration::from_millis(250);

/// Serves `router` on `listener` until `shutdown` turns true, then stops accepting and lets the requests in work
/// finish, for at most `limits.grace`.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    mut shutdown: watch::Receiver<bool>,
) {
    let permits = Arc::new(Semaphore::new(limits.max_connections as usize));
    // Every connection holds a sender; the receiver ends when the last one has closed.
    let (open, mut all_closed) = mpsc::channel::<Infallible>(1);
    loop {
        let accepted = tokio::select! {
            biased;
            () = begun(&mut shutdown) => break,
            accepted = accept(&listener, &permits) => accepted,
        };
        let (stream, permit) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, for example: to go on at once would only spin.
                tracing::warn!(%error, "cannot accept a connection");
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let connection = connection(stream, router.clone(), limits, shutdown.clone());
        let open = open.clone();
        tokio::spawn(async move {
            connection.await;
            drop((permit, open));
        });
    }
    drop((listener, open));
    if timeout(limits.grace, all_closed.recv()).await.is_err() {
        tracing::warn!("connections were still open when the grace time ended");
    }
}

/// Ends when the shutdown begins, or its sender is gone.
async fn begun(shutdown: &mut watch::Receiver<bool>) {
    // The value that is borrowed here must not live across an await.
    drop(shutdown.wait_for(|stop| *stop).await);
}

async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> io::Result<(TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let permit = Arc::clone(permits).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    // An answer is one small segment: it must not wait for the acknowledgement of the one before.
    stream.set_nodelay(true)?;
    Ok((stream, permit))
}

/// One connection from its first byte to its last.
async fn connection(stream: TcpStream, router: Router, limits: Limits, mut shutdown: watch::Receiver<bool>) {
    let in_work = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&in_work);
    let service = tower::service_fn(move |request: Request<hyper::body::Incoming>| {
        let guard = InWork::enter(&counter);
        let answer = router.clone().oneshot(request.map(axum::body::Body::new));
        // The guard rides in the body: a request is in work until its answer's last byte has been taken.
        async move {
            Ok::<_, Infallible>(answer.await?.map(|body| body.map_frame(move |frame| guard.pass(frame))))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        .half_close(true)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    tokio::pin!(connection);

    let ended = tokio::select! {
        ended = &mut connection => ended,
        () = begun(&mut shutdown) => {
            connection.as_mut().graceful_shutdown();
            if in_work.load(Ordering::Relaxed) == 0 {
                match timeout(IDLE_GRACE, &mut connection).await {
                    Err(_) if in_work.load(Ordering::Relaxed) == 0 => return,
                    Err(_) => connection.await,
                    Ok(ended) => ended,
                }
            } else {
                connection.await
            }
        }
    };
    if let Err(error) = ended {
        // A client's doing: a reset, half a head, bytes that are no HTTP.
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Counts a request as in work for as long as it lives, also where its future is dropped.
struct InWork(Arc<AtomicUsize>);

impl InWork {
    fn enter(counter: &Arc<AtomicUsize>) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(counter))
    }

    const fn pass<T>(&self, value: T) -> T {
        value
    }
}

impl Drop for InWork {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
