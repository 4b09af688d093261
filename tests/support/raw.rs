//! A client that sends what it likes, and looks at the process from outside.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use tokio::net::TcpSocket;
use tokio::runtime::Runtime;

use super::binary::Kibitz;

pub const HEALTH: &str = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

/// A question that is always answered 200, with this body.
pub const QUESTION: &str = r#"{"dice":[1,2,3,4,5],"rolls_left":0,"rules":"plain"}"#;

/// The head of a request with a JSON body of this length.
pub fn post(path: &str, length: usize) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n"
    )
}

/// A whole request with a JSON body, the last on its connection.
pub fn whole(path: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{}connection: close\r\n\r\n", post(path, body.len())).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// The answers that came on one connection, and whether the other side closed it.
#[derive(Debug)]
pub struct Heard {
    pub text: String,
    pub closed: bool,
}

impl Heard {
    /// The statuses of all answers, in order.
    pub fn statuses(&self) -> Vec<u16> {
        let lines = self.text.split("HTTP/1.1 ").skip(1);
        lines.map(|rest| rest[..3].parse().unwrap()).collect()
    }
}

impl Kibitz {
    /// Sends bytes unchanged and listens until the other side closes, or nothing has come for the time given.
    pub fn say(&self, bytes: &[u8], patience: Duration) -> Heard {
        let mut stream = self.connect();
        // A rejection may arrive, and close the connection, before everything has been sent.
        drop(stream.write_all(bytes));
        listen(&mut stream, patience)
    }

    /// The status of the one answer to these bytes; the connection must end.
    pub fn status_of(&self, bytes: &[u8]) -> u16 {
        let heard = self.say(bytes, Duration::from_secs(20));
        assert!(heard.closed, "still open after {:?}", heard.text);
        let statuses = heard.statuses();
        assert_eq!(statuses.len(), 1, "{:?}", heard.text);
        statuses[0]
    }

    /// That others are answered: health and a question.
    pub fn serves_others(&self) {
        assert_eq!(self.exchange(HEALTH).0, 200);
        assert_eq!(self.status_of(&whole("/yahtzee/best-action", QUESTION.as_bytes())), 200);
    }

    /// Bytes of memory that are resident.
    pub fn resident(&self) -> u64 {
        self.memory("VmRSS:")
    }

    /// The most bytes of memory that have been resident at a time.
    pub fn peak(&self) -> u64 {
        self.memory("VmHWM:")
    }

    fn memory(&self, figure: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(figure)).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1024
    }
}

/// A connection from a loopback address of the client's choice, with a receive buffer as small as the system allows if
/// it is not going to read.
pub fn connect_from(source: [u8; 4], to: SocketAddr, reads: bool) -> TcpStream {
    static RUNTIME: LazyLock<Runtime> =
        LazyLock::new(|| tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap());
    let _entered = RUNTIME.enter();
    let socket = TcpSocket::new_v4().unwrap();
    if !reads {
        socket.set_recv_buffer_size(1).unwrap();
    }
    socket.bind((source, 0).into()).unwrap();
    let stream = RUNTIME.block_on(socket.connect(to)).unwrap().into_std().unwrap();
    stream.set_nonblocking(false).unwrap();
    stream
}

/// Reads until the other side closes, or nothing has come for the time given.
pub fn listen(stream: &mut TcpStream, patience: Duration) -> Heard {
    stream.set_read_timeout(Some(patience)).unwrap();
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 64 * 1024]);
    let closed = loop {
        match stream.read(&mut buffer) {
            Ok(0) => break true,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => break false,
            // Reset: what it had not read, it threw away.
            Err(_) => break true,
        }
    };
    Heard { text: String::from_utf8_lossy(&bytes).into_owned(), closed }
}

/// Says that nothing more will come.
pub fn half_close(stream: &TcpStream) {
    stream.shutdown(Shutdown::Write).unwrap();
}

/// Waits until something holds.
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < deadline, "not in time: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
