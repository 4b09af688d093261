//! The invariants of ARCHITECTURE.md that Cargo does not hold, read from the source.

use std::fs;
use std::path::{Path, PathBuf};

const GAMES: &[&str] = &["craps", "doudizhu", "yahtzee"];

#[test]
fn games_use_no_clock_thread_environment_or_translation() {
    for file in GAMES.iter().flat_map(|game| rust_files(Path::new("crates").join(game).join("src"))) {
        let text = code_of(&file);
        for name in [
            "Instant",
            "SystemTime",
            "async fn",
            ".await",
            "static mut",
            "std::env",
            "std::fs",
            "std::net",
            "std::thread",
            "in_chinese",
        ] {
            assert!(!text.contains(name), "{} uses {name}", file.display());
        }
    }
}

#[test]
fn only_questions_translations_settings_and_jobs_know_games() {
    for file in rust_files("src") {
        let folders = ["src/questions", "src/chinese", "src/http/jobs"];
        let files = ["src/adviser.rs", "src/config.rs"];
        if folders.iter().any(|folder| file.starts_with(folder))
            || files.iter().any(|one| file.ends_with(one))
        {
            continue;
        }
        let knows = names_after(&code_of(&file), "crate::").any(|module| GAMES.contains(&module));
        assert!(!knows, "{} knows a game", file.display());
    }
}

#[test]
fn questions_know_no_http() {
    for file in rust_files("src/questions").into_iter().chain(["src/adviser.rs".into()]) {
        let text = code_of(&file);
        for name in ["axum", "hyper", "tower", "crate::http", "crate::state", "async fn"] {
            assert!(!text.contains(name), "{} uses {name}", file.display());
        }
    }
}

#[test]
fn files_have_one_subject() {
    for file in rust_files("src").into_iter().chain(rust_files("crates")) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 400, "{} has {lines} lines", file.display());
    }
}

fn rust_files(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// A file without its comments (whose examples may name the crate as a user would).
fn code_of(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn names_after<'a>(text: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(prefix).skip(1).map(|rest| {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        &rest[..end]
    })
}
