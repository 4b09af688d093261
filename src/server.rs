//! The accept loop: bounded connections, a time limit on request heads, and a shutdown that drains.
//!
//! `axum::serve` has none of these: one client that sends half a head would hold its graceful shutdown for ever.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use crate::config::Limits;
use crate::connections::ClientShares;
use crate::memory::SOCKET;

/// After shutdown has begun, every connection is served for this long still: enough for requests whose bytes have
/// already arrived, and not worth waiting for where a client sends half a head and falls silent.
const ARRIVED_GRACE: Duration = Duration::from_millis(250);

/// The most that is buffered of a request's head, and of an answer at a time: it counts once for each connection.
const MAX_BUFFER: usize = 16 * 1024;

/// Bytes of an answer that the kernel holds for a client that does not read it. With 16 KiB, less than a segment of a
/// loopback connection, each part of a large answer waits some 40 ms for its acknowledgement.
const SEND_BUFFER: u32 = 32 * 1024;

/// Bytes of requests that the kernel holds while the service does not read them. A body of 1 MiB still arrives within
/// the body timeout from a client that is 100 ms away.
const RECEIVE_BUFFER: u32 = 24 * 1024;

// Linux takes twice what is set, for its own records.
const _: () = assert!(2 * (SEND_BUFFER + RECEIVE_BUFFER) as usize <= SOCKET);

/// Connections that the kernel has established and the service has not accepted.
const BACKLOG: u32 = 1_024;

/// The other end of the connection that a request came through, among the request's extensions.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// A listener at this address whose connections have small buffers in the kernel. Without a limit the kernel holds
/// about 1 MB for each client that sends requests and reads no answer, and a container pays for it.
///
/// # Errors
/// If the system rejects the address.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    // Connections inherit both.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.set_recv_buffer_size(RECEIVE_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves `router` on `listener` until `shutdown` turns true, then stops accepting and lets the running requests
/// finish, for at most `limits.grace`. A client that has all its `shares` open is not served: its connection is closed.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    shares: Option<Arc<ClientShares>>,
    mut shutdown: watch::Receiver<bool>,
) {
    let permits = Arc::new(Semaphore::new(limits.max_connections as usize));
    loop {
        let accepted = tokio::select! {
            biased;
            () = begun(&mut shutdown) => break,
            accepted = accept(&listener, &permits) => accepted,
        };
        let (stream, peer, permit) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, for example: to go on at once would only spin.
                tracing::warn!(%error, "cannot accept a connection");
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let share = shares.as_ref().map(|shares| shares.take(peer.0.ip()));
        if matches!(share, Some(None)) {
            continue;
        }
        let connection = connection(stream, peer, router.clone(), limits, shutdown.clone());
        tokio::spawn(async move {
            connection.await;
            // In this order: whoever gets the permit must find the share free.
            drop(share);
            drop(permit);
        });
    }
    drop(listener);
    // Every connection holds a permit: all are back when the last one has closed.
    if timeout(limits.grace, permits.acquire_many(limits.max_connections)).await.is_err() {
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
) -> io::Result<(TcpStream, Peer, OwnedSemaphorePermit)> {
    let permit = Arc::clone(permits).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    // An answer is one small segment: it must not wait for the acknowledgement of the one before.
    // Where that fails the client has gone, which its connection will find out.
    drop(stream.set_nodelay(true));
    Ok((stream, Peer(peer), permit))
}

/// One connection from its first byte to its last.
async fn connection(
    stream: TcpStream,
    peer: Peer,
    router: Router,
    limits: Limits,
    mut shutdown: watch::Receiver<bool>,
) {
    let asked = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&asked);
    let service = tower::service_fn(move |mut request: Request<hyper::body::Incoming>| {
        flag.store(true, Ordering::Relaxed);
        request.extensions_mut().insert(peer);
        router.clone().oneshot(request.map(axum::body::Body::new))
    });
    // A client that does not read its answer must not hold it in memory for ever.
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.write_timeout));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        .max_buf_size(MAX_BUFFER)
        // A client that has sent a whole request may close its half and still gets the answer.
        .half_close(true)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(service));
    tokio::pin!(connection);

    let ended = tokio::select! {
        ended = &mut connection => ended,
        () = begun(&mut shutdown) => match timeout(ARRIVED_GRACE, &mut connection).await {
            Ok(ended) => ended,
            Err(_) => {
                // hyper closes a connection that is between requests, and ends the others after their answer; one that
                // has never sent a whole head it would wait for.
                connection.as_mut().graceful_shutdown();
                if !asked.load(Ordering::Relaxed) {
                    return;
                }
                connection.await
            }
        },
    };
    if let Err(error) = ended {
        // A client's doing: a reset, half a head, bytes that are no HTTP.
        tracing::debug!(%error, "a connection ended early");
    }
}
