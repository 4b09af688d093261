//! `kibitz healthcheck`: asks the running service whether it is ready, for images that have no curl.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use crate::config::Config;

const TIMEOUT: Duration = Duration::from_secs(3);

/// Asks `/readyz` at the address for operators if one is configured, else at the main address.
///
/// # Errors
/// Says why the service is not ready or not there.
pub fn ask(config: &Config) -> Result<(), String> {
    let (address, base_path) = match config.admin_listen {
        Some(address) => (address, ""),
        None => (config.address(), &*config.base_path),
    };
    let address = reachable(address);
    let refused = |error: std::io::Error| format!("no answer from {address}: {error}");
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT).map_err(refused)?;
    stream.set_read_timeout(Some(TIMEOUT)).map_err(refused)?;
    stream.set_write_timeout(Some(TIMEOUT)).map_err(refused)?;
    let path = format!("{base_path}/readyz");
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").map_err(refused)?;
    let mut status_line = [0; 12];
    stream.read_exact(&mut status_line).map_err(refused)?;
    if status_line == *b"HTTP/1.1 200" {
        Ok(())
    } else {
        Err(format!("{address} is not ready: {}", String::from_utf8_lossy(&status_line)))
    }
}

/// The address at which this machine reaches a service: the loopback one if it listens on all addresses.
#[must_use]
pub fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}
