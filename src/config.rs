//! Configuration: every setting is a flag, an environment variable and a line of `--help`, declared once.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use axum::http::HeaderValue;
use clap::{Args, Parser, Subcommand};
use ipnet::IpNet;

use crate::yahtzee::Preset;

/// The command line of the binary `kibitz`.
#[derive(Debug, Parser)]
#[command(name = "kibitz", version, about, max_term_width = 110)]
pub struct Cli {
    /// What to do; to serve where it is absent.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The settings of the service.
    #[command(flatten)]
    pub config: Config,
}

/// What the binary does instead of serving.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum Command {
    /// Ask the running service whether it is ready; exits 0 if it is, 1 if not.
    Healthcheck,
}

/// The settings of the service.
#[derive(Debug, Clone, Args)]
pub struct Config {
    /// Address and port to listen on.
    #[arg(
        long,
        env = "KIBITZ_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS",
        global = true
    )]
    pub listen: SocketAddr,

    /// Address and port of its own for /metrics, which then is absent from the main address.
    #[arg(long, env = "KIBITZ_ADMIN_LISTEN", value_name = "ADDRESS")]
    pub admin_listen: Option<SocketAddr>,

    /// Sub-path that the service is reached under, such as /kibitz, when it stands behind a proxy.
    #[arg(long, env = "KIBITZ_BASE_PATH", default_value = "", hide_default_value = true, value_name = "PATH",
          value_parser = parse_base_path, global = true)]
    pub base_path: String,

    /// Filter of the log, such as "info" or "kibitz=debug"; RUST_LOG is read where this is absent.
    #[arg(long, env = "KIBITZ_LOG", value_name = "FILTER")]
    pub log: Option<String>,

    /// Form of the log lines.
    #[arg(long, env = "KIBITZ_LOG_FORMAT", default_value = "json", value_enum)]
    pub log_format: LogFormat,

    /// Yahtzee rule presets whose whole-game tables are built at start-up; the service is ready once they stand.
    #[arg(long, env = "KIBITZ_YAHTZEE_RULES", value_delimiter = ',', value_name = "PRESETS", value_parser = parse_preset,
          default_value = "official,free_joker,no_yahtzee_bonus,plain")]
    pub yahtzee_rules: Vec<Preset>,

    /// Origins whose pages may call the service, separated by commas, or * for any.
    #[arg(long, env = "KIBITZ_CORS_ORIGINS", value_delimiter = ',', default_value = "*", value_name = "ORIGINS",
          value_parser = parse_origin)]
    pub cors_origins: Vec<HeaderValue>,

    /// Origins whose pages may show the page in a frame, separated by commas; self, none, or * for any.
    #[arg(long, env = "KIBITZ_FRAME_ANCESTORS", default_value = "*", value_name = "ORIGINS",
          value_parser = parse_frame_ancestors)]
    pub frame_ancestors: String,

    /// The limits of the service.
    #[command(flatten)]
    pub limits: Limits,

    /// The clients and their share.
    #[command(flatten)]
    pub clients: ClientSettings,

    /// The bounds of jobs.
    #[command(flatten)]
    pub jobs: JobSettings,

    /// The bounds of the tables of house rules.
    #[command(flatten)]
    pub house_tables: HouseTableSettings,
}

/// Bounds on the tables that are built when rules of a caller's own are first asked for.
#[derive(Debug, Clone, Copy, Args)]
pub struct HouseTableSettings {
    /// Tables of house rules that are kept, the least recently used going first; the presets' tables always stay.
    #[arg(long, env = "KIBITZ_HOUSE_TABLES", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    pub house_tables: u32,

    /// Memory for these tables, in bytes; a table takes up to 5 MB.
    #[arg(long, env = "KIBITZ_HOUSE_TABLE_BYTES", default_value_t = 64 * 1024 * 1024, value_name = "BYTES")]
    pub house_table_bytes: usize,

    /// Tables of house rules that wait to be built; rules for which there is no place are answered 503 with Retry-After.
    #[arg(long, env = "KIBITZ_HOUSE_TABLE_QUEUE", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    pub house_table_queue: u16,

    /// Threads that build them; half the cores where this is absent.
    #[arg(long, env = "KIBITZ_HOUSE_TABLE_THREADS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub house_table_threads: Option<u16>,
}

/// Bounds on jobs.
#[derive(Debug, Clone, Copy, Args)]
pub struct JobSettings {
    /// Threads that run jobs; one fewer than there are cores where this is absent. With 0 there are no jobs: their
    /// paths are answered 404.
    #[arg(long = "job-threads", env = "KIBITZ_JOB_THREADS", value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: Option<u16>,

    /// Jobs that wait, of the long ones, of the short ones, and of distributions; further ones are answered 503 with
    /// Retry-After.
    #[arg(long = "job-queue", env = "KIBITZ_JOB_QUEUE", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    pub queue: u32,

    /// Long jobs that run at a time, sharing the threads. Beside them run up to 16 short ones and one distribution.
    #[arg(long = "jobs-running", env = "KIBITZ_JOBS_RUNNING", default_value_t = 128, value_parser = clap::value_parser!(u16).range(1..))]
    pub running: u16,

    /// Finished jobs that are kept.
    #[arg(long = "jobs-kept", env = "KIBITZ_JOBS_KEPT", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub kept: u32,

    /// Seconds that a finished job is kept.
    #[arg(long = "job-retention", env = "KIBITZ_JOB_RETENTION", default_value = "3600", value_name = "SECONDS",
          value_parser = parse_seconds)]
    pub retention: Duration,

    /// Let anybody list all jobs, and so read and end them.
    #[arg(long = "list-jobs", env = "KIBITZ_LIST_JOBS")]
    pub list: bool,
}

/// Bounds on what clients may ask of the service at a time.
#[derive(Debug, Clone, Copy, Args)]
pub struct Limits {
    /// Connections open at a time; further ones wait to be accepted.
    #[arg(long, env = "KIBITZ_MAX_CONNECTIONS", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections: u32,

    /// Requests in work at a time; further ones are answered 503 with Retry-After.
    #[arg(long, env = "KIBITZ_MAX_REQUESTS", default_value_t = 1_024, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_requests: u32,

    /// Batches and long calculations in work at a time; further ones wait their turn, a tenth of the request timeout at most,
    /// and are then answered 503 with Retry-After.
    #[arg(long, env = "KIBITZ_MAX_BATCHES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_batches: u32,

    /// Seconds that a client may take to send a request's head. It also ends idle keep-alive connections, so set it
    /// above the idle time of a proxy in front.
    #[arg(long, env = "KIBITZ_HEADER_TIMEOUT", default_value = "10", value_name = "SECONDS", value_parser = parse_seconds)]
    pub header_timeout: Duration,

    /// Seconds that a client may take to send a request's body.
    #[arg(long, env = "KIBITZ_BODY_TIMEOUT", default_value = "5", value_name = "SECONDS", value_parser = parse_seconds)]
    pub body_timeout: Duration,

    /// Seconds that a request may take from its head to its answer.
    #[arg(long, env = "KIBITZ_REQUEST_TIMEOUT", default_value = "10", value_name = "SECONDS", value_parser = parse_seconds)]
    pub request_timeout: Duration,

    /// Seconds that a client may take to accept any part of an answer.
    #[arg(long, env = "KIBITZ_WRITE_TIMEOUT", default_value = "10", value_name = "SECONDS", value_parser = parse_seconds)]
    pub write_timeout: Duration,

    /// Seconds that requests in work are given to finish after SIGTERM.
    #[arg(long, env = "KIBITZ_GRACE", default_value = "5", value_name = "SECONDS", value_parser = parse_seconds)]
    pub grace: Duration,

    /// Largest request body, in bytes.
    #[arg(long, env = "KIBITZ_MAX_BODY", default_value_t = 64 * 1024, value_name = "BYTES")]
    pub max_body: usize,

    /// Largest body of a batch, in bytes.
    #[arg(long, env = "KIBITZ_MAX_BATCH_BODY", default_value_t = 1024 * 1024, value_name = "BYTES")]
    pub max_batch_body: usize,

    /// Bytes of request bodies that are held at a time, and as many again of batches with their answers; what does not
    /// fit is answered 503 with Retry-After.
    #[arg(long, env = "KIBITZ_MAX_BUFFERED", default_value_t = 64 * 1024 * 1024, value_name = "BYTES",
          value_parser = clap::value_parser!(u32).range(1024..=536_870_912))]
    pub max_buffered: u32,
}

/// Who the clients are, and how often each may ask.
#[derive(Debug, Clone, Args)]
pub struct ClientSettings {
    /// Requests that one client (an IPv4 address, or the first 64 bits of an IPv6 address) may make in a minute; further
    /// ones are answered 429. Without limit where this is absent.
    #[arg(long, env = "KIBITZ_RATE_LIMIT", value_name = "REQUESTS", value_parser = parse_rate)]
    pub rate_limit: Option<NonZeroU32>,

    /// Networks of the proxies whose X-Forwarded-For or Forwarded tells the client's address, such as 10.0.0.0/8,
    /// separated by commas. From any other peer these headers mean nothing.
    #[arg(long, env = "KIBITZ_TRUSTED_PROXIES", value_delimiter = ',', value_name = "NETWORKS", value_parser = parse_network)]
    pub trusted_proxies: Vec<IpNet>,
}

/// The form of the log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// One JSON object a line.
    Json,
    /// One line of text for human eyes.
    Text,
}

fn parse_base_path(text: &str) -> Result<String, String> {
    let path = text.trim_end_matches('/');
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~/".contains(c);
    if path.is_empty() || (path.starts_with('/') && !path.contains("//") && path.chars().all(plain)) {
        Ok(path.to_owned())
    } else {
        Err("write it as /kibitz: a leading slash, then letters, digits, and - . _ ~ /".to_owned())
    }
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds @ 0.01..=86_400.0) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("give a number of seconds from 0.01 to 86400".to_owned()),
    }
}

fn parse_rate(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| "give a number of requests a minute, 1 or more".to_owned())
}

fn parse_network(text: &str) -> Result<IpNet, String> {
    let text = text.trim();
    let network = text.parse().or_else(|_| text.parse().map(|address: IpAddr| address.into()));
    network.map_err(|_| "write a network as 10.0.0.0/8 or fd00::/8, or an address".to_owned())
}

fn parse_preset(text: &str) -> Result<Preset, String> {
    Preset::ALL.into_iter().find(|preset| preset.name() == text).ok_or_else(|| {
        let names = Preset::ALL.map(Preset::name);
        format!("there is no such preset; known are {}", names.join(", "))
    })
}

fn parse_origin(text: &str) -> Result<HeaderValue, String> {
    let text = text.trim();
    let host = text.split_once("://").filter(|(scheme, _)| !scheme.is_empty()).map_or("", |(_, host)| host);
    let plain = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
    let origin = text == "*" || (!host.is_empty() && host.chars().all(plain));
    HeaderValue::from_str(text).ok().filter(|_| origin).ok_or_else(|| {
        "write an origin as https://example.org, without a path or a final slash, or *".to_owned()
    })
}

/// A list as `frame-ancestors` takes it.
fn parse_frame_ancestors(text: &str) -> Result<String, String> {
    let parts: Vec<_> = text.split(',').map(str::trim).collect();
    if parts.contains(&"none") && parts.len() > 1 {
        return Err("none stands alone".to_owned());
    }
    let source = |part: &&str| match *part {
        "self" => Ok("'self'".to_owned()),
        "none" => Ok("'none'".to_owned()),
        origin => parse_origin(origin).map(|_| origin.to_owned()).map_err(|e| format!("{e}, self or none")),
    };
    Ok(parts.iter().map(source).collect::<Result<Vec<_>, _>>()?.join(" "))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_setting_has_a_variable_of_the_house() {
        for argument in
            Cli::command().get_arguments().filter(|a| !["help", "version"].contains(&a.get_id().as_str()))
        {
            let variable = argument.get_env().and_then(|name| name.to_str()).unwrap_or("none");
            assert!(variable.starts_with("KIBITZ_"), "{}: {variable}", argument.get_id());
            assert!(argument.get_help().is_some(), "{} has no help", argument.get_id());
        }
    }

    #[test]
    fn a_base_path_loses_its_final_slash_and_must_be_absolute() {
        assert_eq!(parse_base_path("/kibitz/"), Ok("/kibitz".to_owned()));
        assert_eq!(parse_base_path("/"), Ok(String::new()));
        assert!(parse_base_path("kibitz").is_err());
        assert!(parse_base_path("/a//b").is_err());
        assert!(parse_base_path("/a{b}").is_err());
    }

    #[test]
    fn seconds_are_bounded() {
        assert_eq!(parse_seconds("2.5"), Ok(Duration::from_millis(2_500)));
        for text in ["0", "-1", "nan", "1e9", "soon"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn networks_are_networks_or_addresses() {
        assert_eq!(parse_network(" 10.1.2.3"), Ok("10.1.2.3/32".parse().unwrap()));
        assert_eq!(parse_network("fd00::/8"), Ok("fd00::/8".parse().unwrap()));
        for text in ["", "10.0.0.0/33", "proxy", "10.0.0.0/8/8", "10.0.0.1:80"] {
            assert!(parse_network(text).is_err(), "{text}");
        }
        assert!(parse_rate("0").is_err() && parse_rate("-1").is_err() && parse_rate("1.5").is_err());
    }

    #[test]
    fn origins_have_no_path() {
        assert!(parse_origin("*").is_ok() && parse_origin("https://example.org").is_ok());
        assert_eq!(parse_origin(" http://[::1]:3000"), Ok(HeaderValue::from_static("http://[::1]:3000")));
        for text in [
            "https://a.example/",
            "https://a.example/path",
            "example.org",
            "https://*.example",
            "http://a b",
            "",
        ] {
            assert!(parse_origin(text).is_err(), "{text}");
        }
    }

    #[test]
    fn frame_ancestors_become_a_list_of_sources() {
        for (text, sources) in [
            ("*", "*"),
            ("none", "'none'"),
            ("self, https://a.example", "'self' https://a.example"),
            ("http://localhost:3000,https://b.example", "http://localhost:3000 https://b.example"),
        ] {
            assert_eq!(parse_frame_ancestors(text), Ok(sources.to_owned()));
        }
        for text in ["", "none,self", "a.example", "https://a.example; script-src *", "https://a.example,"] {
            assert!(parse_frame_ancestors(text).is_err(), "{text}");
        }
    }
}
