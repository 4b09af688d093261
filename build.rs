//! Gives the program its commit and the time of its build (`src/release.rs`).
//!
//! The commit is `KIBITZ_COMMIT`, else what git says; the time is `SOURCE_DATE_EPOCH`, else now. What has to be looked up
//! is looked up for release builds alone: a development build would have to be made again after each commit.

use std::env;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut commit = variable("KIBITZ_COMMIT");
    let mut time = variable("SOURCE_DATE_EPOCH");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        // A change of these builds the program again anyway.
        for path in ["src", "crates", "openapi.yaml", "Cargo.toml", "Cargo.lock"] {
            println!("cargo::rerun-if-changed={path}");
        }
        commit = commit.or_else(commit_of_git);
        time = time.or_else(|| Some(SystemTime::UNIX_EPOCH.elapsed().ok()?.as_secs().to_string()));
    }
    if let Some(commit) = commit {
        assert!(
            commit.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._+".contains(&byte)),
            "KIBITZ_COMMIT must be letters, digits and - . _ +, got {commit:?}"
        );
        println!("cargo::rustc-env=KIBITZ_BUILD_COMMIT={commit}");
    }
    if let Some(time) = time {
        assert!(time.parse::<i64>().is_ok(), "SOURCE_DATE_EPOCH must be a number of seconds, got {time:?}");
        println!("cargo::rustc-env=KIBITZ_BUILD_TIME={time}");
    }
}

fn variable(name: &str) -> Option<String> {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn commit_of_git() -> Option<String> {
    // A source archive inside a repository of something else has the commit of neither.
    if !Path::new(".git").exists() {
        return None;
    }
    // Written at every commit and every switch of branches.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}
