//! The invariants of ARCHITECTURE.md: who may know whom, read off the imports.

use std::fs;
use std::path::{Path, PathBuf};

/// A room of the house, and what its files may name besides themselves and the crates of the domain.
struct Room {
    folder: &'static str,
    /// Modules of this crate that it may use.
    modules: &'static [&'static str],
    /// Crates that it must not use.
    forbidden_crates: &'static [&'static str],
}

/// What has to do with the web, with time, or with the process.
const OUTSIDE: &[&str] = &[
    "axum",
    "hyper",
    "hyper_util",
    "tokio",
    "tower",
    "tower_http",
    "tracing",
    "clap",
    "prometheus_client",
    "jiff",
];

const GAMES: &[&str] = &["yahtzee", "doudizhu", "craps"];

const ROOMS: &[Room] = &[
    Room { folder: "src/yahtzee", modules: &["yahtzee"], forbidden_crates: OUTSIDE },
    Room { folder: "src/doudizhu", modules: &["doudizhu"], forbidden_crates: OUTSIDE },
    Room { folder: "src/craps", modules: &["craps"], forbidden_crates: OUTSIDE },
];

/// `jobs` may wait and look at the clock, but knows no game and no HTTP.
const JOBS: Room = Room {
    folder: "src/jobs",
    modules: &["jobs"],
    forbidden_crates: &["axum", "hyper", "hyper_util", "tower", "tower_http", "clap", "prometheus_client"],
};

#[test]
fn the_rooms_know_only_whom_they_may() {
    for room in ROOMS.iter().chain([&JOBS]) {
        let files = rust_files(Path::new(room.folder));
        assert!(!files.is_empty(), "{} is empty", room.folder);
        for file in files {
            let text = code_of(&file);
            for module in names_after(&text, "crate::") {
                assert!(room.modules.contains(&module), "{} uses crate::{module}", file.display());
            }
            for name in room.forbidden_crates {
                assert!(
                    names_after(&text, "use ").all(|used| used != *name),
                    "{} uses {name}",
                    file.display()
                );
                assert!(!text.contains(&format!("{name}::")), "{} uses {name}", file.display());
            }
        }
    }
}

#[test]
fn the_domain_has_no_clock_and_no_thread_of_its_own() {
    for room in ROOMS {
        for file in rust_files(Path::new(room.folder)) {
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
            ] {
                assert!(!text.contains(name), "{} uses {name}", file.display());
            }
        }
    }
}

#[test]
fn only_the_http_room_and_the_settings_know_games() {
    for file in rust_files(Path::new("src")) {
        let inside = |folder: &str| file.starts_with(folder);
        if inside("src/http") || ROOMS.iter().any(|room| inside(room.folder)) {
            continue;
        }
        let name = file.file_name().unwrap().to_str().unwrap();
        let knows = names_after(&code_of(&file), "crate::").any(|module| GAMES.contains(&module));
        assert!(!knows || ["config.rs", "state.rs"].contains(&name), "{} knows a game", file.display());
    }
}

#[test]
fn files_have_one_subject() {
    for file in rust_files(Path::new("src")) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 420, "{} has {lines} lines", file.display());
    }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
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
