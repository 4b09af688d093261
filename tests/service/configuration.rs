//! `docs/configuration.md` is made from the definition of the command line.

use std::fmt::Write;
use std::fs;

use clap::{Arg, CommandFactory};
use kibitz::config::Cli;

const PATH: &str = "docs/configuration.md";

const HEAD: &str = "\
# Configuration

<!-- Made from src/config.rs. Do not edit: run `KIBITZ_BLESS=1 cargo test --test service configuration`. -->

Every setting is a flag and an environment variable; a flag wins. `kibitz --help` prints the same list.

* A size is a number of bytes, or `64KB`, `64KiB`, `1MB`, `1MiB`.
* A duration is a number of seconds, or `500ms`, `5s`, `2m`, `1h`.
* A switch takes `on`, `yes`, `1`, `true`, or `off`, `no`, `0`, `false`.

Kibitz logs a warning for each variable that starts with `KIBITZ_` and is not a setting.
";

/// A setting's row: flag, variable, default and help.
fn row(arg: &Arg) -> String {
    let mut help = arg.get_help().unwrap().to_string();
    let mut default = if arg.is_hide_default_value_set() {
        String::new()
    } else {
        let values = arg.get_default_values().iter().map(|value| value.to_str().unwrap());
        values.map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ")
    };
    if let Some(start) = help.find(" [default: ") {
        let end = start + help[start..].find(']').unwrap();
        help[start + " [default: ".len()..end].clone_into(&mut default);
        help.replace_range(start..=end, "");
    }
    if !help.ends_with('.') {
        help.push('.');
    }
    // A switch has many spellings, which the page's head lists.
    let choices: Vec<_> =
        arg.get_possible_values().iter().map(|choice| format!("`{}`", choice.get_name())).collect();
    let is_switch = choices.iter().any(|choice| choice == "`true`");
    if !choices.is_empty() && !is_switch {
        write!(help, " One of {}.", choices.join(", ")).unwrap();
    }
    let variable = arg.get_env().unwrap().to_str().unwrap();
    format!("| `--{}` | `{variable}` | {default} | {help} |", arg.get_long().unwrap())
}

/// The whole page.
fn page() -> String {
    let mut page = HEAD.to_owned();
    let mut heading = "";
    let command = Cli::command();
    for arg in command.get_arguments().filter(|arg| arg.get_env().is_some()) {
        let next = arg.get_help_heading().unwrap();
        if next != heading {
            heading = next;
            write!(page, "\n## {heading}\n\n| flag | variable | default | |\n|---|---|---|---|\n").unwrap();
        }
        writeln!(page, "{}", row(arg)).unwrap();
    }
    page
}

#[test]
fn configuration_page_lists_every_setting_as_the_command_line_does() {
    let page = page();
    if std::env::var_os("KIBITZ_BLESS").is_some() {
        fs::write(PATH, &page).unwrap();
    }
    let written = fs::read_to_string(PATH).unwrap_or_default();
    assert!(
        written == page,
        "{PATH} differs from src/config.rs: run `KIBITZ_BLESS=1 cargo test --test service configuration`"
    );
}
