//! The real binary: start, readiness, shutdown, silent clients.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::binary::{Kibitz, read_answer};
use crate::support::raw::whole;

const QUICK: &[&str] = &["--yahtzee-rules", "plain"];
const QUESTION: &str =
    "GET /yahtzee/best-action?dice=1,2,3,4,5&rolls_left=0&rules=plain HTTP/1.1\r\nhost: x\r\n";

#[test]
fn it_answers_over_a_socket() {
    let kibitz = Kibitz::ready(QUICK);
    let (status, text) = kibitz.exchange(&format!("{QUESTION}connection: close\r\n\r\n"));
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("large_straight"), "{text}");
}

#[test]
fn it_stops_at_once_when_idle() {
    // A process inherits an ignored SIGHUP, and then ignores it on purpose.
    let survived = Command::new("sh").args(["-c", "kill -HUP $$; echo ignored"]).output().unwrap().stdout;
    let signals: &[_] = if survived.is_empty() { &["TERM", "INT", "HUP"] } else { &["TERM", "INT"] };
    if signals.len() < 3 {
        println!("skipped: SIGHUP, which this process was started to ignore");
    }
    for signal in signals {
        let mut kibitz = Kibitz::ready(QUICK);
        kibitz.signal(signal);
        let (code, took) = kibitz.wait();
        assert_eq!(code, Some(0), "{signal}");
        assert!(took < Duration::from_secs(4), "{took:?}");
        // What was logged last has been written.
        let deadline = Instant::now() + Duration::from_secs(10);
        while !kibitz.log.lock().unwrap().last().is_some_and(|line| line.contains("\"stopped\"")) {
            assert!(Instant::now() < deadline, "{:?}", kibitz.log);
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// The command, run by a shell after some words of its own.
fn through_shell(command: &mut Command, words: &str) {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{words}; exec \"$0\" \"$@\"")).arg(command.get_program());
    shell.args(command.get_args()).env("KIBITZ_LOG", "info").stderr(Stdio::piped());
    *command = shell;
}

#[test]
fn a_process_that_nohup_started_outlives_its_terminal() {
    let mut kibitz = Kibitz::start_with(QUICK, |command| through_shell(command, "trap '' HUP"));
    kibitz.signal("HUP");
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(kibitz.exchange("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").0, 200);
    kibitz.signal("TERM");
    assert_eq!(kibitz.wait().0, Some(0));
}

/// The lines on a terminal until one holds some words.
#[cfg(target_os = "linux")]
fn on_a_terminal(flags: &[&str], last: &str) -> Vec<String> {
    use std::os::unix::fs::OpenOptionsExt;
    let flag = rustix::pty::OpenptFlags::RDWR | rustix::pty::OpenptFlags::NOCTTY;
    let terminal = rustix::pty::openpt(flag).unwrap();
    rustix::pty::grantpt(&terminal).unwrap();
    rustix::pty::unlockpt(&terminal).unwrap();
    let name = rustix::pty::ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let no_controlling_terminal = rustix::pty::OpenptFlags::NOCTTY.bits() as i32;
    let slave =
        File::options().read(true).write(true).custom_flags(no_controlling_terminal).open(name).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_kibitz"))
        .args(["--port", "0", "--yahtzee-rules", "plain"])
        .args(flags)
        .env_remove("KIBITZ_LOG_FORMAT")
        .stderr(slave)
        .spawn()
        .unwrap();
    let mut lines = Vec::new();
    for line in BufReader::new(File::from(terminal)).lines() {
        lines.push(line.unwrap().trim_end().to_owned());
        if lines.last().is_some_and(|line| line.contains(last)) {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    lines
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_text_and_the_address_to_open() {
    let lines = on_a_terminal(&["--base-path", "/games", "--listen", "0.0.0.0:1"], "ready");
    let greeting = format!("Kibitz {}: open http://127.0.0.1:", env!("CARGO_PKG_VERSION"));
    assert!(lines.iter().any(|line| line.starts_with(&greeting) && line.ends_with("/games/")), "{lines:#?}");
    assert!(lines.iter().all(|line| !line.starts_with('{')), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("INFO listening address=0.0.0.0:")), "{lines:#?}");
    // `--log-format json` gives nothing else.
    let lines = on_a_terminal(&["--log-format", "json"], "\"ready\"");
    assert!(lines.iter().all(|line| line.starts_with('{')), "{lines:#?}");
}

#[test]
fn the_limit_on_open_files_is_raised_or_warned_about() {
    let few = |words: &str, connections: &str| {
        let flags = ["--yahtzee-rules", "plain", "--max-connections", connections];
        let kibitz = Kibitz::start_with(&flags, |command| through_shell(command, words));
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", kibitz.child.id())).unwrap();
        let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
        let limit = line.split_whitespace().nth(3).unwrap().to_owned();
        (limit, kibitz.start_up.join("\n"))
    };
    let (limit, log) = few("ulimit -S -n 100 && ulimit -H -n 300", "200");
    assert!(limit == "264" && !log.contains("nofile"), "{limit}: {log}");
    let (limit, log) = few("ulimit -S -n 100 && ulimit -H -n 300", "1000");
    let words = "the limit on open files (nofile) is 300, but 1000 connections need 1064";
    assert!(limit == "300" && log.contains(words) && log.contains("WARN"), "{limit}: {log}");
    let (limit, log) = few("ulimit -S -n 150 && ulimit -H -n 300", "64");
    assert!(limit == "150" && !log.contains("nofile"), "{limit}: {log}");
}

#[test]
fn an_empty_filter_of_the_log_counts_as_absent() {
    let kibitz = Kibitz::start_with(QUICK, |command| {
        command.env("KIBITZ_LOG", "").env("RUST_LOG", "");
    });
    assert!(kibitz.start_up.last().unwrap().contains("INFO"), "{:?}", kibitz.start_up);
}

#[test]
fn running_request_is_finished() {
    let mut kibitz = Kibitz::ready(QUICK);
    let body = r#"{"dice":[1,2,3,4,5],"rolls_left":0,"rules":"plain"}"#;
    let mut stream = kibitz.connect();
    let head = "POST /yahtzee/best-action HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    write!(stream, "{head}content-length: {}\r\n\r\n{}", body.len(), &body[..10]).unwrap();
    // The head has surely been read when another request has been answered.
    kibitz.exchange("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    std::thread::sleep(Duration::from_millis(100));
    kibitz.signal("TERM");
    std::thread::sleep(Duration::from_millis(600));
    stream.write_all(&body.as_bytes()[10..]).unwrap();
    let (status, text) = read_answer(&mut stream);
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("connection: close"), "{text}");
    assert_eq!(kibitz.wait().0, Some(0));
}

#[test]
fn a_large_answer_reaches_a_slow_reader_whole() {
    let mut kibitz = Kibitz::ready(QUICK);
    let element = r#"{"dice":[1,2,3,4,6],"rolls_left":2,"rules":"plain","limit":50}"#;
    let body = format!(r#"{{"requests":[{}]}}"#, [element; 1_000].join(","));
    let mut stream = kibitz.connect();
    let head = "POST /yahtzee/best-action/batch HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = vec![0; 100_000];
    stream.read_exact(&mut answer).unwrap();
    kibitz.signal("TERM");
    std::thread::sleep(Duration::from_millis(800));
    stream.read_to_end(&mut answer).unwrap();
    assert!(answer.len() > 5_000_000 && answer.ends_with(b"]}"), "{} bytes", answer.len());
    assert_eq!(kibitz.wait().0, Some(0));
}

#[test]
fn a_client_that_reads_nothing_is_dropped() {
    let kibitz = Kibitz::ready(&["--yahtzee-rules", "plain", "--write-timeout", "0.3"]);
    let element = r#"{"dice":[1,2,3,4,6],"rolls_left":2,"rules":"plain","limit":50}"#;
    let body = format!(r#"{{"requests":[{}]}}"#, [element; 1_000].join(","));
    let mut stream = kibitz.connect();
    let head = "POST /yahtzee/best-action/batch HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
    std::thread::sleep(Duration::from_millis(2_500));
    let mut answer = Vec::new();
    drop(stream.read_to_end(&mut answer));
    assert!(!answer.ends_with(b"]}"), "the whole answer was kept");
}

#[test]
fn a_request_that_has_arrived_is_answered() {
    let mut kibitz = Kibitz::ready(QUICK);
    let mut warm = kibitz.connect();
    warm.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    assert_ne!(warm.read(&mut [0; 1024]).unwrap(), 0);
    kibitz.signal("STOP");
    warm.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    kibitz.signal("TERM");
    kibitz.signal("CONT");
    assert_eq!(read_answer(&mut warm).0, 200);
    assert_eq!(kibitz.wait().0, Some(0));
}

/// Endless jobs and those who listen to them end with the service, long before the grace time.
#[test]
fn jobs_do_not_hold_up_the_shutdown() {
    let mut kibitz = Kibitz::ready(&["--yahtzee-rules", "plain", "--grace", "30"]);
    let body = r#"{"kind":"decisions","bet":"hard_8","decisions":1000000000000}"#;
    let length = body.len();
    let submit = format!(
        "POST /craps/simulations HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    );
    let mut listeners = Vec::new();
    for _ in 0..8 {
        let (status, answer) = kibitz.exchange(&submit);
        assert_eq!(status, 202, "{answer}");
        let job: serde_json::Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        let id = job["id"].as_str().unwrap();
        let mut listener = kibitz.connect();
        let head = format!("GET /craps/simulations/{id}/events HTTP/1.1\r\nhost: x\r\n\r\n");
        listener.write_all(head.as_bytes()).unwrap();
        listeners.push(listener);
    }
    // One goes away, the others hear the end.
    drop(listeners.pop());
    std::thread::sleep(Duration::from_millis(200));
    kibitz.signal("TERM");
    let (code, took) = kibitz.wait();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(15), "{took:?}");
    for mut listener in listeners {
        let (status, news) = read_answer(&mut listener);
        assert!(status == 200 && news.contains("event: cancelled"), "{news}");
    }
}

#[test]
fn half_a_head_does_not_hold_up_the_shutdown() {
    let mut kibitz = Kibitz::ready(&["--yahtzee-rules", "plain", "--grace", "30"]);
    let mut silent = kibitz.connect();
    silent.write_all(b"GET /healthz HTTP/1.1\r\nhost:").unwrap();
    let mut idle = kibitz.connect();
    idle.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    assert_ne!(idle.read(&mut [0; 1024]).unwrap(), 0);
    kibitz.signal("TERM");
    let (code, took) = kibitz.wait();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(15), "{took:?}");
}

#[test]
fn half_a_body_does_not_hold_up_the_shutdown() {
    let long = ["--grace", "60", "--body-timeout", "60", "--request-timeout", "60"];
    let mut kibitz = Kibitz::ready(&[&["--yahtzee-rules", "plain"], &long[..]].concat());
    let mut silent: Vec<_> = ["/yahtzee/score", "/doudizhu/min-plays/batch", "/craps/simulations"]
        .map(|path| {
            let mut stream = kibitz.connect();
            let head = "host: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{";
            write!(stream, "POST {path} HTTP/1.1\r\n{head}").unwrap();
            stream
        })
        .into();
    std::thread::sleep(Duration::from_millis(200));
    kibitz.signal("TERM");
    let (code, took) = kibitz.wait();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(20), "{took:?}");
    for stream in &mut silent {
        let (status, answer) = read_answer(stream);
        assert!(status == 503 && answer.contains("not_ready"), "{answer}");
    }
}

#[test]
fn the_grace_time_is_the_longest_wait() {
    let mut kibitz = Kibitz::ready(&["--yahtzee-rules", "plain", "--grace", "0.5", "--write-timeout", "60"]);
    // An answer that is far too large for any buffer, and is not taken.
    let element = r#"{"dice":[1,2,3,4,6],"rolls_left":2,"rules":"plain","limit":50}"#;
    let body = format!(r#"{{"requests":[{}]}}"#, [element; 1_000].join(","));
    let mut stuck = kibitz.connect();
    let head = "POST /yahtzee/best-action/batch HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    write!(stuck, "{head}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
    stuck.read_exact(&mut [0; 100]).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    kibitz.signal("TERM");
    let (code, took) = kibitz.wait();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn half_a_head_is_dropped_after_its_time() {
    let kibitz = Kibitz::ready(&["--yahtzee-rules", "plain", "--header-timeout", "0.3"]);
    let mut silent = kibitz.connect();
    silent.write_all(b"GET /healthz HTTP/1.1\r\nhost:").unwrap();
    let started = Instant::now();
    let mut rest = Vec::new();
    // Closed or reset, with or without a word, but closed.
    let closed =
        silent.read_to_end(&mut rest).map_or_else(|e| e.kind() != std::io::ErrorKind::WouldBlock, |_| true);
    assert!(closed && started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert!(!rest.starts_with(b"HTTP/1.1 200"));
    assert_eq!(kibitz.exchange("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").0, 200);
}

#[test]
fn the_healthcheck_asks_the_running_service() {
    let kibitz = Kibitz::ready(QUICK);
    let ask = |address: &str| {
        let command =
            Command::new(env!("CARGO_BIN_EXE_kibitz")).args(["healthcheck", "--listen", address]).output();
        command.unwrap().status.code()
    };
    assert_eq!(ask(&kibitz.address.to_string()), Some(0));
    let address = kibitz.address.to_string();
    drop(kibitz);
    assert_eq!(ask(&address), Some(1));
}

#[test]
fn bad_settings_are_rejected_with_a_reason() {
    let run = |flags: &[&str]| Command::new(env!("CARGO_BIN_EXE_kibitz")).args(flags).output().unwrap();
    for (flags, words) in [
        (&["--listen", "nowhere"][..], "localhost:8080"),
        (&["--port", "http"], "--port"),
        (&["--yahtzee-rules", "hasbro"], "known are official"),
        (&["--base-path", "kibitz"], "leading slash"),
        (&["--grace", "0"], "0.01 to 86400"),
        (&["--max-connections", "0"], "--max-connections"),
        (&["--cors-origins", "https://a.example/"], "without a path"),
        (&["--cors-origins", "*,https://a.example"], "* alone"),
        (&["--max-body", "0"], "between 1.0 KiB and 512.0 MiB"),
        (&["--log", "kibitz=loud"], "log filter"),
        (&["--list-jobs=2"], "must be true, on, yes or 1"),
    ] {
        let output = run(flags);
        assert!(!output.status.success(), "{flags:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(words), "{flags:?}: {text}");
    }
}

#[test]
fn help_has_groups_and_examples() {
    let output = Command::new(env!("CARGO_BIN_EXE_kibitz")).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let headings =
        ["Addresses", "Log", "Yahtzee", "Web pages", "Timeouts and limits", "Clients", "Jobs", "House rules"];
    for heading in headings {
        assert!(help.lines().any(|line| line == format!("{heading}:")), "{heading} is no group: {help}");
    }
    for words in ["KIBITZ_LISTEN", "127.0.0.1:8080", "Examples:", "--port <PORT>", "--grace <DURATION>"] {
        assert!(help.contains(words), "{words}: {help}");
    }
}

#[test]
fn unknown_variable_is_warned_about_with_the_nearest_setting() {
    let kibitz = Kibitz::start_with(QUICK, |command| {
        command.env("KIBITZ_LISTN", "0.0.0.0:1").env("KIBITZ_LIST_JOBS", "on");
    });
    let lines = kibitz.start_up.join("\n");
    let words = "unknown environment variable KIBITZ_LISTN is ignored; did you mean KIBITZ_LISTEN?";
    assert!(lines.contains(words) && lines.contains("WARN"), "{lines}");
    assert!(!lines.contains("KIBITZ_LIST_JOBS"), "{lines}");
}

#[test]
fn empty_variable_counts_as_not_set() {
    let mut flags = QUICK.to_vec();
    flags.push("--port=0");
    let kibitz = Kibitz::start_with(&flags, |command| {
        for name in ["KIBITZ_LISTEN", "KIBITZ_LIST_JOBS", "KIBITZ_ADMIN_LISTEN", "KIBITZ_MAX_BODY"] {
            command.env(name, "");
        }
    });
    assert_eq!(kibitz.status_of(&whole("/doudizhu/min-plays", br#"{"hand":"3"}"#)), 200);
}

#[test]
fn a_taken_address_is_said() {
    let kibitz = Kibitz::start(QUICK);
    let address = kibitz.address.to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_kibitz")).args(["--listen", &address]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains(&format!("cannot listen on {address}")), "{text}");
    assert!(text.contains("--port or --listen"), "{text}");
    let command = ["--listen", "127.0.0.1:0", "--admin-listen", &address];
    let output = Command::new(env!("CARGO_BIN_EXE_kibitz")).args(command).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("another address with --admin-listen"));
}
