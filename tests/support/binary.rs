//! The real binary, where sockets, signals or time matter.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A running `kibitz` on a port of its own; killed when dropped.
pub struct Kibitz {
    pub child: Child,
    pub address: SocketAddr,
    /// The lines of its log up to the one that names its address.
    pub start_up: Vec<String>,
    /// The lines of its log so far after that.
    pub log: Arc<Mutex<Vec<String>>>,
}

impl Kibitz {
    /// Starts it with these flags and waits until it listens.
    pub fn start(flags: &[&str]) -> Self {
        Self::start_with(flags, |_| {})
    }

    /// Starts it with these flags and a command that `change` has changed, and waits until it listens.
    pub fn start_with(flags: &[&str], change: impl FnOnce(&mut Command)) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kibitz"));
        command
            .args(["--listen", "127.0.0.1:0"])
            .args(flags)
            .env("KIBITZ_LOG", "info")
            .stderr(Stdio::piped());
        change(&mut command);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut start_up = Vec::new();
        let address = lines.find_map(|line| {
            start_up.push(line.unwrap());
            let line: serde_json::Value = serde_json::from_str(start_up.last()?).unwrap();
            line["address"].as_str().map(|address| address.parse().unwrap())
        });
        // The log must be read to its end, or the service would block on a full pipe.
        let log = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&log);
        std::thread::spawn(move || {
            lines.map_while(Result::ok).for_each(|line| written.lock().unwrap().push(line))
        });
        Self { child, address: address.unwrap(), start_up, log }
    }

    /// Starts it and waits until it is ready.
    pub fn ready(flags: &[&str]) -> Self {
        Self::ready_with(flags, |_| {})
    }

    /// Starts it with these flags and a command that `change` has changed, and waits until it is ready.
    pub fn ready_with(flags: &[&str], change: impl FnOnce(&mut Command)) -> Self {
        Self::start_with(flags, change).when_ready()
    }

    /// Starts it with a log that the test looks after, or nobody does, and waits until it is ready.
    pub fn unheard(flags: &[&str], stderr: Stdio) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kibitz"));
        let free = free_address();
        command.args(["--listen", &free.to_string()]).args(flags).env("KIBITZ_LOG", "info").stderr(stderr);
        let child = command.spawn().unwrap();
        Self { child, address: free, start_up: Vec::new(), log: Arc::default() }.when_ready()
    }

    fn when_ready(self) -> Self {
        let deadline = Instant::now() + Duration::from_secs(60);
        let ask = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect(self.address)?;
            stream.write_all(b"GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        while !ask().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200")) {
            assert!(Instant::now() < deadline, "not ready in time");
            std::thread::sleep(Duration::from_millis(20));
        }
        self
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// Sends bytes, reads to the end of the connection: the status and everything that came.
    pub fn exchange(&self, request: &str) -> (u16, String) {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        read_answer(&mut stream)
    }

    /// Sends a signal by name, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap().success());
    }

    /// The exit code, once it has ended, and how long that took.
    pub fn wait(&mut self) -> (Option<i32>, Duration) {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status.code(), started.elapsed());
            }
            assert!(started.elapsed() < Duration::from_secs(60), "the process has not ended within a minute");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// An address that nobody listens on.
pub fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Reads to the end of a connection: the status and everything that came.
pub fn read_answer(stream: &mut TcpStream) -> (u16, String) {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    (text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0), text)
}

impl Drop for Kibitz {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
