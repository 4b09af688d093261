//! A log that is not read: lines are lost and counted, and nothing else is lost.

use std::fs::File;
use std::io::{Write, pipe};
use std::process::Stdio;
use std::time::Duration;

use crate::support::binary::Kibitz;
use crate::support::raw::listen;

/// More lines than the queue and a pipe hold.
const REQUESTS: usize = 4_000;

fn start(stderr: impl Into<Stdio>) -> Kibitz {
    Kibitz::unheard(&crate::QUICK, stderr.into())
}

/// That every request is answered, lost lines are counted, and SIGTERM ends it in order.
fn serves_and_stops(mut kibitz: Kibitz) {
    let mut stream = kibitz.connect();
    let last = "GET /version HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let requests = "GET /version HTTP/1.1\r\nhost: x\r\n\r\n".repeat(REQUESTS - 1) + last;
    let mut sender = stream.try_clone().unwrap();
    let sent = std::thread::spawn(move || sender.write_all(requests.as_bytes()).unwrap());
    let heard = listen(&mut stream, Duration::from_secs(20));
    sent.join().unwrap();
    let statuses = heard.statuses();
    assert!(statuses.len() == REQUESTS && statuses.iter().all(|status| *status == 200), "{}", statuses.len());
    kibitz.serves_others();
    let (_, metrics) = kibitz.exchange("GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    let lost = metrics.lines().find_map(|line| line.strip_prefix("kibitz_log_lines_lost_total ")).unwrap();
    assert!(lost.parse::<u64>().unwrap() > 1_000, "{lost} lines lost");
    kibitz.signal("TERM");
    let (code, took) = kibitz.wait();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(4), "{took:?}");
}

#[test]
fn a_pipe_closed_before_the_start_loses_only_the_log() {
    let (reader, writer) = pipe().unwrap();
    drop(reader);
    serves_and_stops(start(writer));
}

#[test]
fn a_pipe_closed_while_serving_loses_only_the_log() {
    let (reader, writer) = pipe().unwrap();
    let kibitz = start(writer);
    drop(reader);
    serves_and_stops(kibitz);
}

#[test]
fn a_full_disk_loses_only_the_log() {
    serves_and_stops(start(File::options().write(true).open("/dev/full").unwrap()));
}

#[test]
fn a_reader_that_stalls_loses_only_the_log() {
    let (reader, writer) = pipe().unwrap();
    serves_and_stops(start(writer));
    drop(reader);
}

#[test]
fn an_error_at_the_start_ends_the_process_though_its_message_is_lost() {
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for flags in [["--listen", &address], ["--grace", "0"], ["--log", "kibitz=loud"]] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kibitz"));
        let code = command.args(flags).stderr(full()).status().unwrap().code();
        assert!(matches!(code, Some(1 | 2)), "{flags:?}: {code:?}");
    }
}
