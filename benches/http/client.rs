//! A client that keeps its connection, and a load of many of them at a fixed arrival rate.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// An answer to a request of a load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    /// When the request was due, in seconds since the load began.
    pub(crate) due: f64,
    /// From the time at which the request was due to the last byte of its answer.
    pub(crate) seconds: f64,
}

pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// The bytes of a POST request with a JSON body; `headers` is lines, each with its end.
pub(crate) fn post(path: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("an option");
        stream.set_read_timeout(Some(Duration::from_secs(100))).expect("an option");
        Self { stream, buffer: Vec::new() }
    }

    /// Sends a request and reads its whole answer: the status and the body.
    pub(crate) fn ask(&mut self, request: &[u8]) -> (u16, &[u8]) {
        self.stream.write_all(request).expect("a request sent");
        self.buffer.clear();
        let mut chunk = [0; 16 * 1024];
        let mut whole = None;
        while whole.is_none_or(|(_, end)| self.buffer.len() < end) {
            let count = self.stream.read(&mut chunk).expect("an answer");
            assert!(count > 0, "the connection was closed");
            self.buffer.extend_from_slice(&chunk[..count]);
            if whole.is_none() {
                whole = bounds(&self.buffer);
            }
        }
        let (head, end) = whole.expect("a whole answer");
        let status = std::str::from_utf8(&self.buffer[9..12]).ok().and_then(|digits| digits.parse().ok());
        (status.expect("a status"), &self.buffer[head..end])
    }
}

/// Where the body begins and ends, once the head is there.
fn bounds(answer: &[u8]) -> Option<(usize, usize)> {
    let head = answer.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&answer[..head]).expect("a head of ASCII");
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().expect("a length"))
    });
    Some((head, head + length.expect("a content-length")))
}

/// Sends a request at a fixed rate, whether or not earlier ones have been answered, for some seconds, and returns the
/// answers, the fastest first. Each latency counts from the time its request was due, so a stall counts against every
/// request that it delays. There must be more connections than can be busy, unless something stalls.
pub(crate) fn at_rate(
    address: SocketAddr,
    request: &[u8],
    rate: f64,
    seconds: f64,
    connections: usize,
) -> Vec<Answered> {
    let (total, next) = ((rate * seconds) as usize, AtomicUsize::new(0));
    let start = Instant::now() + Duration::from_millis(50);
    let connection = || {
        let mut connection = Connection::open(address);
        let mut answers = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= total {
                return answers;
            }
            let due = number as f64 / rate;
            let at = start + Duration::from_secs_f64(due);
            thread::sleep(at.saturating_duration_since(Instant::now()));
            let (status, _) = connection.ask(request);
            answers.push(Answered { status, due, seconds: at.elapsed().as_secs_f64() });
        }
    };
    let mut answers = thread::scope(|scope| {
        let all: Vec<_> = (0..connections).map(|_| scope.spawn(connection)).collect();
        all.into_iter().flat_map(|thread| thread.join().expect("a thread")).collect::<Vec<_>>()
    });
    answers.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
    answers
}

/// Requests per second when each connection asks again as soon as it is answered.
pub(crate) fn as_fast_as_it_goes(
    address: SocketAddr,
    request: &[u8],
    connections: usize,
    seconds: f64,
) -> f64 {
    let started = Instant::now();
    let connection = || {
        let mut connection = Connection::open(address);
        let mut count = 0;
        while started.elapsed().as_secs_f64() < seconds {
            assert_eq!(connection.ask(request).0, 200);
            count += 1;
        }
        count
    };
    let count: u64 = thread::scope(|scope| {
        let all: Vec<_> = (0..connections).map(|_| scope.spawn(connection)).collect();
        all.into_iter().map(|thread| thread.join().expect("a thread")).sum()
    });
    count as f64 / started.elapsed().as_secs_f64()
}
