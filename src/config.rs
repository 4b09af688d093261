//! Configuration: every setting is a flag, an environment variable and a line of `--help`, declared once.

mod command;
mod parse;
#[cfg(test)]
mod tests;
mod variables;

use std::ffi::OsStr;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::thread::available_parallelism;
use std::time::Duration;

use axum::http::HeaderValue;
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser};
use ipnet::IpNet;

use crate::build_cache::Bounds;
use crate::yahtzee::Preset;
use parse::{
    parse_address, parse_duration, parse_frame_ancestors, parse_network, parse_origin, parse_port,
    parse_rate, parse_switch, size,
};

pub use command::Command;
pub(crate) use parse::parse_base_path;
pub use variables::unknown_variables;

const ADDRESSES: &str = "Addresses";
const LOG: &str = "Log";
const PAGES: &str = "Web pages";
const YAHTZEE: &str = "Yahtzee";

const MEBIBYTE: u64 = 1024 * 1024;

/// The command line of the binary `kibitz`.
#[derive(Debug, Parser)]
#[command(name = "kibitz", version, about, max_term_width = 110, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The settings of the service.
    #[command(flatten)]
    pub config: Config,
}

impl Cli {
    /// The settings of this process. An empty variable counts as not set, as Compose files leave them.
    ///
    /// Prints the error, the help or the version and ends the process if there is nothing to start.
    #[must_use]
    pub fn from_process() -> Self {
        let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
        let command = Self::command().mut_args(|argument| {
            // clap cannot take a variable away from an argument, but no variable is named `=`.
            if argument.get_env().is_some_and(is_empty) { argument.env("=").hide_env(true) } else { argument }
        });
        Self::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit())
    }
}

const EXAMPLES: &str = "\
Examples:
  kibitz                                      serve on http://127.0.0.1:8080
  kibitz --port 9000 --log-format json        another port, one JSON object per log line
  kibitz --listen 0.0.0.0:8080 --rate-limit 60
                                              all interfaces, 60 requests a minute per client
  kibitz yahtzee 1 3 3 4 6 --rolls-left 2     an answer on the command line, without a service
  kibitz healthcheck                          exit code 0 if the running service is ready

A size is a number of bytes, or 64KB, 64KiB, 1MB, 1MiB. A duration is a number of seconds, or 500ms, 5s, 2m, 1h.";

/// The settings of the service.
#[derive(Debug, Clone, Args)]
pub struct Config {
    /// Address to listen on, such as 127.0.0.1:8080 or localhost:8080, or a port alone, which means 127.0.0.1.
    #[arg(long, env = "KIBITZ_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT",
          value_parser = parse_address, global = true, help_heading = ADDRESSES)]
    pub listen: SocketAddr,

    /// Port to listen on, instead of the one in --listen.
    #[arg(long, env = "KIBITZ_PORT", value_name = "PORT", value_parser = parse_port, global = true,
          help_heading = ADDRESSES)]
    pub port: Option<u16>,

    /// Separate address for operators: /healthz, /readyz and /metrics. The main address then has no /metrics.
    #[arg(long, env = "KIBITZ_ADMIN_LISTEN", value_name = "ADDRESS:PORT", value_parser = parse_address,
          global = true, help_heading = ADDRESSES)]
    pub admin_listen: Option<SocketAddr>,

    /// Path that the service has behind a proxy, such as /kibitz.
    #[arg(long, env = "KIBITZ_BASE_PATH", default_value = "", hide_default_value = true, value_name = "PATH",
          value_parser = parse_base_path, global = true, help_heading = ADDRESSES)]
    pub base_path: String,

    /// What to log, such as "warn" or "kibitz=debug" [default: the variable RUST_LOG, else info].
    #[arg(long, env = "KIBITZ_LOG", value_name = "FILTER", help_heading = LOG)]
    pub log: Option<String>,

    /// Format of the log.
    #[arg(long, env = "KIBITZ_LOG_FORMAT", value_name = "FORMAT", default_value = "auto", value_enum,
          help_heading = LOG)]
    pub log_format: LogFormat,

    /// Log the client's address with each request.
    #[arg(long, env = "KIBITZ_LOG_CLIENT", value_name = "BOOL", action = ArgAction::Set, num_args = 0..=1,
          require_equals = true, default_value = "false", default_missing_value = "true",
          value_parser = parse_switch, help_heading = LOG)]
    pub log_client: bool,

    /// Serve assistants that speak the Model Context Protocol at /mcp.
    #[arg(long, env = "KIBITZ_MCP", value_name = "BOOL", action = ArgAction::Set, num_args = 0..=1,
          require_equals = true, default_value = "true", default_missing_value = "true",
          value_parser = parse_switch, help_heading = PAGES)]
    pub mcp: bool,

    /// Yahtzee rule presets to serve, separated by commas. The service is ready when the tables of those with the same card as
    /// the first are built; the others follow.
    #[arg(long, env = "KIBITZ_YAHTZEE_RULES", value_delimiter = ',', value_name = "PRESETS", value_parser = parse_preset,
          default_value = "official,free_joker,no_yahtzee_bonus,plain,yatzy", help_heading = YAHTZEE)]
    pub yahtzee_rules: Vec<Preset>,

    /// Origins whose pages may call the service, separated by commas, or * for any.
    #[arg(long, env = "KIBITZ_CORS_ORIGINS", value_delimiter = ',', default_value = "*", value_name = "ORIGINS",
          value_parser = parse_origin, help_heading = PAGES)]
    pub cors_origins: Vec<HeaderValue>,

    /// Origins whose pages may show the page in a frame, separated by commas, or self, none, or * for any.
    #[arg(long, env = "KIBITZ_FRAME_ANCESTORS", default_value = "*", value_name = "ORIGINS",
          value_parser = parse_frame_ancestors, help_heading = PAGES)]
    pub frame_ancestors: String,

    /// Timeouts and limits.
    #[command(flatten, next_help_heading = "Timeouts and limits")]
    pub limits: Limits,

    /// How clients are told apart, and how often each may ask.
    #[command(flatten, next_help_heading = "Clients")]
    pub clients: ClientSettings,

    /// Limits on jobs.
    #[command(flatten, next_help_heading = "Jobs")]
    pub jobs: JobSettings,

    /// Limits on the tables of house rules.
    #[command(flatten, next_help_heading = "House rules")]
    pub house_tables: HouseTableSettings,
}

impl Config {
    /// Whether the table of Yatzy is built at the start.
    #[must_use]
    pub fn serves_yatzy(&self) -> bool {
        self.yahtzee_rules.contains(&Preset::Yatzy)
    }

    /// The address to listen on: `--listen`, with the port of `--port` if there is one.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        SocketAddr::new(self.listen.ip(), self.port.unwrap_or(self.listen.port()))
    }

    /// Checks what no single setting shows.
    ///
    /// # Errors
    /// Names the setting that makes no sense, with its value and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        if self.cors_origins.len() > 1 && self.cors_origins.iter().any(|origin| origin == "*") {
            let given: Vec<_> = self.cors_origins.iter().filter_map(|origin| origin.to_str().ok()).collect();
            return Err(format!(
                "`--cors-origins` must be * alone or a list of origins without *, got '{}'",
                given.join(",")
            ));
        }
        Ok(())
    }
}

/// Limits on the tables that are built when house rules are first asked for.
#[derive(Debug, Clone, Copy, Args)]
pub struct HouseTableSettings {
    /// Maximum number of tables of house rules to keep. The least recently used one is dropped first.
    #[arg(long, env = "KIBITZ_HOUSE_TABLES", default_value_t = 64, value_name = "TABLES",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub house_tables: u32,

    /// Memory for these tables. A table of Yahtzee takes up to 5 MB, one of Yatzy 7 MB, and as much again for `risk`.
    #[arg(long, env = "KIBITZ_HOUSE_TABLE_BYTES", default_value = "64MiB", value_name = "SIZE",
          value_parser = size::<usize>(1_024..=MEBIBYTE * MEBIBYTE))]
    pub house_table_bytes: usize,

    /// Maximum number of tables waiting to be built. Further new rules get 503 with Retry-After.
    #[arg(long, env = "KIBITZ_HOUSE_TABLE_QUEUE", default_value_t = 64, value_name = "TABLES",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub house_table_queue: u16,

    /// Threads that build these tables [default: half the cores].
    #[arg(long, env = "KIBITZ_HOUSE_TABLE_THREADS", value_name = "THREADS",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub house_table_threads: Option<u16>,
}

impl HouseTableSettings {
    /// The bounds of the cache that holds these tables.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let half = || available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1));
        Bounds {
            entries: self.house_tables as usize,
            bytes: self.house_table_bytes,
            waiting: self.house_table_queue.into(),
            threads: self.house_table_threads.map_or_else(half, usize::from),
        }
    }
}

/// Limits on jobs.
#[derive(Debug, Clone, Copy, Args)]
pub struct JobSettings {
    /// Threads that run jobs [default: one fewer than there are cores]; a Yahtzee distribution gets as many of its own.
    /// With 0 there are no jobs: their paths return 404.
    #[arg(long = "job-threads", env = "KIBITZ_JOB_THREADS", value_name = "THREADS",
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: Option<u16>,

    /// Maximum number of queued jobs per class (short jobs, long jobs, distributions). Further jobs get 503 with
    /// Retry-After. One client gets at most half of each job limit.
    #[arg(long = "job-queue", env = "KIBITZ_JOB_QUEUE", default_value_t = 256, value_name = "JOBS",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub queue: u32,

    /// Maximum number of long jobs that run at the same time and share the threads. Up to 16 short jobs and one
    /// distribution run beside them.
    #[arg(long = "jobs-running", env = "KIBITZ_JOBS_RUNNING", default_value_t = 128, value_name = "JOBS",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub running: u16,

    /// How long a job may run. Then it is cancelled and keeps what was counted.
    #[arg(long = "job-max-time", env = "KIBITZ_JOB_MAX_TIME", default_value = "1h", value_name = "DURATION",
          value_parser = parse_duration)]
    pub max_time: Duration,

    /// Maximum number of finished jobs to keep. Each is kept for at least a minute (or --job-retention, if that is
    /// shorter); if none may be dropped, further jobs get 503 with Retry-After.
    #[arg(long = "jobs-kept", env = "KIBITZ_JOBS_KEPT", default_value_t = 4_000, value_name = "JOBS",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub kept: u32,

    /// How long to keep a finished job.
    #[arg(long = "job-retention", env = "KIBITZ_JOB_RETENTION", default_value = "1h", value_name = "DURATION",
          value_parser = parse_duration)]
    pub retention: Duration,

    /// Let anybody list all jobs, and so read and cancel them.
    #[arg(long = "list-jobs", env = "KIBITZ_LIST_JOBS", value_name = "BOOL", action = ArgAction::Set,
          num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true",
          value_parser = parse_switch)]
    pub list: bool,
}

/// Timeouts, and limits on concurrent work.
#[derive(Debug, Clone, Copy, Args)]
pub struct Limits {
    /// Maximum number of open connections. Further ones wait to be accepted.
    #[arg(long, env = "KIBITZ_MAX_CONNECTIONS", default_value_t = 10_000, value_name = "CONNECTIONS",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections: u32,

    /// Maximum number of open connections per client; further ones are closed. Clients are told apart as for
    /// --rate-limit, and trusted proxies have no such limit [default: half of --max-connections].
    #[arg(long, env = "KIBITZ_MAX_CONNECTIONS_PER_CLIENT", value_name = "CONNECTIONS",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections_per_client: Option<u32>,

    /// Maximum number of concurrent requests. Further ones get 503 with Retry-After.
    #[arg(long, env = "KIBITZ_MAX_REQUESTS", default_value_t = 1_024, value_name = "REQUESTS",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_requests: u32,

    /// Maximum number of concurrent batches and long calculations, half of them of one client. Further ones wait for
    /// at most a tenth of the request timeout and then get 503 with Retry-After.
    #[arg(long, env = "KIBITZ_MAX_BATCHES", default_value_t = 4, value_name = "BATCHES",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_batches: u32,

    /// How long a client may take to send the head of a request. Idle keep-alive connections are closed after
    /// this time too, so set it above the keep-alive time of a proxy in front.
    #[arg(long, env = "KIBITZ_HEADER_TIMEOUT", default_value = "10s", value_name = "DURATION",
          value_parser = parse_duration)]
    pub header_timeout: Duration,

    /// How long a client may take to send the body of a request.
    #[arg(long, env = "KIBITZ_BODY_TIMEOUT", default_value = "5s", value_name = "DURATION",
          value_parser = parse_duration)]
    pub body_timeout: Duration,

    /// How long a request may take from its head to the answer.
    #[arg(long, env = "KIBITZ_REQUEST_TIMEOUT", default_value = "10s", value_name = "DURATION",
          value_parser = parse_duration)]
    pub request_timeout: Duration,

    /// How long a client may take to read any part of an answer.
    #[arg(long, env = "KIBITZ_WRITE_TIMEOUT", default_value = "10s", value_name = "DURATION",
          value_parser = parse_duration)]
    pub write_timeout: Duration,

    /// How long running requests may take to finish after SIGTERM, SIGINT or SIGHUP.
    #[arg(long, env = "KIBITZ_GRACE", default_value = "5s", value_name = "DURATION",
          value_parser = parse_duration)]
    pub grace: Duration,

    /// Maximum size of a request body.
    #[arg(long, env = "KIBITZ_MAX_BODY", default_value = "64KiB", value_name = "SIZE",
          value_parser = size::<usize>(1_024..=512 * MEBIBYTE))]
    pub max_body: usize,

    /// Maximum size of the body of a batch.
    #[arg(long, env = "KIBITZ_MAX_BATCH_BODY", default_value = "1MiB", value_name = "SIZE",
          value_parser = size::<usize>(1_024..=512 * MEBIBYTE))]
    pub max_batch_body: usize,

    /// Memory for the bodies of single questions, and as much again for batches and large answers. What does not fit gets
    /// 503 with Retry-After.
    #[arg(long, env = "KIBITZ_MAX_BUFFERED", default_value = "64MiB", value_name = "SIZE",
          value_parser = size::<u32>(1_024..=512 * MEBIBYTE))]
    pub max_buffered: u32,
}

/// How clients are told apart, and how often each may ask.
#[derive(Debug, Clone, Args)]
pub struct ClientSettings {
    /// Requests per minute that one client (an IPv4 address, or the first 64 bits of an IPv6 address) may make.
    /// Further ones get 429 [default: no limit].
    #[arg(long, env = "KIBITZ_RATE_LIMIT", value_name = "REQUESTS", value_parser = parse_rate)]
    pub rate_limit: Option<NonZeroU32>,

    /// Networks of proxies whose headers name the client and the removed path prefix (X-Forwarded-Prefix), such as
    /// 10.0.0.0/8, separated by commas. These headers are ignored from all other peers.
    #[arg(long, env = "KIBITZ_TRUSTED_PROXIES", value_delimiter = ',', value_name = "NETWORKS", value_parser = parse_network)]
    pub trusted_proxies: Vec<IpNet>,

    /// Header in which these proxies name the client. The other one is ignored: a client may have sent it.
    #[arg(
        long,
        env = "KIBITZ_FORWARDED_HEADER",
        value_name = "HEADER",
        default_value = "x-forwarded-for",
        value_enum
    )]
    pub forwarded_header: ForwardedHeader,
}

impl ClientSettings {
    /// Whether this peer is a proxy whose headers are believed.
    #[must_use]
    pub fn trusts(&self, peer: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(&peer.to_canonical()))
    }
}

/// The header that names a proxy's client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ForwardedHeader {
    /// `X-Forwarded-For`.
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

/// The format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    Auto,
    /// One JSON object per line.
    Json,
    /// Lines of text for people.
    Text,
}

fn parse_preset(text: &str) -> Result<Preset, String> {
    Preset::ALL.into_iter().find(|preset| preset.name() == text.trim()).ok_or_else(|| {
        let names = Preset::ALL.map(Preset::name);
        format!("there is no such preset; known are {}", names.join(", "))
    })
}
