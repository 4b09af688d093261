//! The metrics `process_*` that every Prometheus client has, read from /proc when they are asked for. They are absent where
//! there is no /proc.

use std::fmt;
use std::fs;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

/// Clock ticks per second in /proc (`USER_HZ`, proc(5)): 100 on every platform that Rust's tier 1 and 2 know.
const TICKS: f64 = 100.0;

/// The metrics of this process.
#[derive(Debug)]
pub(super) struct Process;

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), fmt::Error> {
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let system = fs::read_to_string("/proc/stat").unwrap_or_default();
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
        if let Some(seconds) = cpu_seconds(&stat) {
            let counter = ConstCounter::new(seconds);
            let help = "User and system CPU time spent";
            counter.encode(encoder.encode_descriptor(
                "process_cpu",
                help,
                Some(&Unit::Seconds),
                counter.metric_type(),
            )?)?;
        }
        // The listing itself holds one open.
        let open_fds = fs::read_dir("/proc/self/fd").ok().map(|files| files.count().saturating_sub(1) as f64);
        for (name, unit, help, value) in [
            (
                "process_start_time",
                Some(Unit::Seconds),
                "Start time since the Unix epoch",
                start_time(&stat, &system),
            ),
            ("process_resident_memory", Some(Unit::Bytes), "Resident memory", bytes(&status, "VmRSS:")),
            ("process_virtual_memory", Some(Unit::Bytes), "Virtual memory", bytes(&status, "VmSize:")),
            ("process_open_fds", None, "Open file descriptors", open_fds),
            ("process_max_fds", None, "Most file descriptors that may be open", max_fds(&limits)),
        ] {
            if let Some(value) = value {
                let gauge = ConstGauge::new(value);
                gauge.encode(encoder.encode_descriptor(name, help, unit.as_ref(), gauge.metric_type())?)?;
            }
        }
        Ok(())
    }
}

/// A field of /proc/self/stat by its number in proc(5), from 3 on: the name before them may hold anything.
fn field(stat: &str, number: usize) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(number - 3)?.parse().ok()
}

/// User and system time.
fn cpu_seconds(stat: &str) -> Option<f64> {
    Some((field(stat, 14)? + field(stat, 15)?) / TICKS)
}

/// Seconds since the Unix epoch: those of the boot, and the ticks since then.
fn start_time(stat: &str, system: &str) -> Option<f64> {
    let boot: f64 = system.lines().find_map(|line| line.strip_prefix("btime "))?.parse().ok()?;
    Some(boot + field(stat, 22)? / TICKS)
}

/// A line of /proc/self/status such as `VmRSS:  1234 kB`.
fn bytes(status: &str, name: &str) -> Option<f64> {
    let kilobytes = status.lines().find_map(|line| line.strip_prefix(name))?.trim().strip_suffix(" kB")?;
    kilobytes.parse().ok().map(|kilobytes: f64| kilobytes * 1024.0)
}

/// The soft limit; absent if there is none.
fn max_fds(limits: &str) -> Option<f64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proc_is_read_as_its_manual_says() {
        let stat =
            "7 (a) b (c) S 1 7 7 0 -1 4194560 9 0 0 0 150 75 0 0 20 0 5 0 12345 1000 25 18446744073709551615";
        assert_eq!(cpu_seconds(stat), Some(2.25));
        assert_eq!(start_time(stat, "cpu 1 2\nbtime 1000\n"), Some(1123.45));
        assert_eq!(bytes("VmSize:\t   10 kB\nVmRSS:\t     4 kB\n", "VmRSS:"), Some(4096.0));
        assert_eq!(
            max_fds("Limit  Soft Hard\nMax open files            1024                 4096     files\n"),
            Some(1024.0)
        );
        assert_eq!(max_fds("Max open files            unlimited            unlimited   files\n"), None);
        for nothing in ["", "7 (a", "7 (a) S"] {
            assert_eq!((cpu_seconds(nothing), start_time(nothing, "btime x")), (None, None));
        }
    }
}
