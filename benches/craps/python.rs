//! The simulators of Python in a process of their own, asked a line and answering a line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::support;

pub(crate) struct Python {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    installed: String,
    seed: u64,
}

/// Starts the Python that the command line names, if it names one.
pub(crate) fn start() -> Option<Python> {
    let mut child = Command::new(support::argument("--python")?)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/simulators.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let (to, from) = (child.stdin.take()?, child.stdout.take()?);
    let mut python = Python { child, to, from: BufReader::new(from), installed: String::new(), seed: 0 };
    python.installed = python.line();
    Some(python)
}

impl Python {
    /// The name and version of a simulator that is installed.
    pub(crate) fn version(&self, name: &str) -> Option<String> {
        self.installed.split(", ").find(|version| version.split(' ').next() == Some(name)).map(str::to_string)
    }

    /// Lets a simulator roll for some tenths of a second.
    pub(crate) fn rolls_per_second(&mut self, name: &str) -> f64 {
        self.seed += 1;
        writeln!(self.to, "{name} {}", self.seed).and_then(|()| self.to.flush()).expect("a question");
        let line = self.line();
        line.parse().unwrap_or_else(|_| panic!("{name} answered {line:?}"))
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("a line of the simulators");
        line.trim_end().to_string()
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
