//! The command line as a whole.

use clap::CommandFactory;

use super::*;

const METAVARS: [&str; 18] = [
    "ADDRESS:PORT",
    "PORT",
    "PATH",
    "FILTER",
    "FORMAT",
    "BOOL",
    "PRESETS",
    "ORIGINS",
    "SIZE",
    "DURATION",
    "CONNECTIONS",
    "REQUESTS",
    "BATCHES",
    "TABLES",
    "THREADS",
    "JOBS",
    "NETWORKS",
    "HEADER",
];

fn config(flags: &[&str]) -> Result<Config, String> {
    let cli = Cli::try_parse_from([&["kibitz"], flags].concat());
    cli.map(|cli| cli.config).map_err(|error| error.to_string())
}

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn every_setting_has_a_variable_a_group_and_a_telling_metavar() {
    for argument in
        Cli::command().get_arguments().filter(|a| !["help", "version"].contains(&a.get_id().as_str()))
    {
        let id = argument.get_id();
        let variable = argument.get_env().and_then(|name| name.to_str()).unwrap_or("none");
        assert!(variable.starts_with("KIBITZ_"), "{id}: {variable}");
        assert!(argument.get_help().is_some(), "{id} has no help");
        assert!(argument.get_help_heading().is_some(), "{id} is in no group");
        let metavar = argument.get_value_names().unwrap()[0].as_str();
        assert!(METAVARS.contains(&metavar), "{id}: {metavar} does not say what to give");
    }
}

#[test]
fn port_replaces_the_port_of_listen() {
    let address = |flags: &[&str]| config(flags).unwrap().address().to_string();
    assert_eq!(address(&[]), "127.0.0.1:8080");
    assert_eq!(address(&["--port", "9000"]), "127.0.0.1:9000");
    assert_eq!(address(&["--listen", "0.0.0.0:1", "--port", "9000"]), "0.0.0.0:9000");
    assert_eq!(address(&["--listen", "[::1]:1"]), "[::1]:1");
}

#[test]
fn a_switch_is_set_by_its_name_alone_or_by_a_usual_boolean() {
    assert!(!config(&[]).unwrap().jobs.list);
    assert!(config(&["--list-jobs"]).unwrap().jobs.list);
    for (value, expected) in [("on", true), ("1", true), ("yes", true), ("true", true)].into_iter().chain([
        ("off", false),
        ("0", false),
        ("no", false),
        ("false", false),
    ]) {
        assert_eq!(config(&[&format!("--list-jobs={value}")]).unwrap().jobs.list, expected, "{value}");
    }
    let refused = config(&["--list-jobs=perhaps"]).unwrap_err();
    assert!(refused.contains("perhaps") && refused.contains("--list-jobs"), "{refused}");
}

#[test]
fn settings_that_make_no_sense_are_rejected() {
    for (flag, value, words) in [
        ("--max-body", "0", "between 1.0 KiB and 512.0 MiB"),
        ("--max-batch-body", "0", "between 1.0 KiB and 512.0 MiB"),
        ("--max-buffered", "1", "between 1.0 KiB and 512.0 MiB"),
        ("--house-table-bytes", "0", "1.0 KiB"),
        ("--base-path", "/a/../b", "`.` or `..`"),
        ("--base-path", "/./b", "`.` or `..`"),
        ("--frame-ancestors", "*,https://a.example", "alone"),
    ] {
        let refused = config(&[flag, value]).unwrap_err();
        assert!(refused.contains(flag) && refused.contains(words), "{flag} {value}: {refused}");
    }
    let both = config(&["--cors-origins", "*,https://a.example"]).unwrap().check().unwrap_err();
    assert!(both.contains("'*,https://a.example'"), "{both}");
    config(&["--cors-origins", "https://a.example,https://b.example"]).unwrap().check().unwrap();
}
