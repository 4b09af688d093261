//! One client that opens as many connections as it can and never finishes a head.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::support::binary::{Kibitz, free_address, read_answer};
use crate::support::raw::{HEALTH, eventually, listen};

/// Connections from another address of this machine, each with half a head.
fn half_heads(to: SocketAddr, count: usize) -> Vec<TcpStream> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let connect = || async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
        let stream = socket.connect(to).await.unwrap().into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        stream
    };
    let streams = (0..count).map(|_| runtime.block_on(connect()));
    streams
        .map(|mut stream| {
            // A connection that was rejected may be closed already.
            drop(stream.write_all(b"GET /healthz HTTP/1.1\r\nhost:"));
            stream
        })
        .collect()
}

fn ask(address: SocketAddr, path: &str) -> u16 {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    read_answer(&mut stream).0
}

#[test]
fn one_client_gets_half_of_all_connections_and_others_the_rest() {
    let kibitz = crate::start(&["--max-connections", "20", "--header-timeout", "60"]);
    let streams = half_heads(kibitz.address, 30);
    kibitz.serves_others();
    let (_, metrics) = kibitz.exchange("GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    assert!(metrics.contains("kibitz_connections_rejected_total 20\n"), "{metrics}");
    let (mut open, mut closed) = (0, 0);
    for mut stream in streams {
        match listen(&mut stream, Duration::from_millis(50)).closed {
            true => closed += 1,
            false => open += 1,
        }
    }
    assert_eq!((open, closed), (10, 20));
    // What it gives back, it may take again.
    eventually("a new connection", || {
        let mut stream = half_heads(kibitz.address, 1).remove(0);
        !listen(&mut stream, Duration::from_millis(50)).closed
    });
}

#[test]
fn probes_at_the_admin_address_are_answered_when_all_connections_are_taken() {
    let admin = free_address();
    let all = ["--max-connections", "20", "--max-connections-per-client", "20", "--header-timeout", "60"];
    let kibitz = crate::start(&[&all[..], &["--admin-listen", &admin.to_string()]].concat());
    let _streams = half_heads(kibitz.address, 60);
    let mut shut_out = kibitz.connect();
    shut_out.write_all(HEALTH.as_bytes()).unwrap();
    assert!(!listen(&mut shut_out, Duration::from_millis(500)).closed, "the main address has no permit left");
    for _ in 0..3 {
        for path in ["/healthz", "/readyz", "/metrics"] {
            assert_eq!(ask(admin, path), 200, "{path}");
        }
    }
    let healthcheck = |flags: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kibitz"));
        command.arg("healthcheck").args(flags).status().unwrap().code()
    };
    // It asks the admin address, wherever the service listens otherwise.
    assert_eq!(healthcheck(&["--admin-listen", &admin.to_string(), "--base-path", "/games"]), Some(0));
    drop::<Kibitz>(kibitz);
    assert_eq!(healthcheck(&["--admin-listen", &admin.to_string()]), Some(1));
}
