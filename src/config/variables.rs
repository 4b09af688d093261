//! Environment variables that look like settings and are none.

use std::ffi::OsString;

use clap::CommandFactory;

use super::Cli;

const PREFIX: &str = "KIBITZ_";

/// How alike two names must be for one to be suggested for the other, from 0 to 1.
const ALIKE: f64 = 0.75;

/// The names of variables that begin with `KIBITZ_` and belong to no setting, each with the most similar setting.
#[must_use]
pub fn unknown_variables(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Vec<(String, Option<String>)> {
    let command = Cli::command();
    let known: Vec<&str> = command.get_arguments().filter_map(|a| a.get_env()?.to_str()).collect();
    let names = variables.into_iter().filter(|(name, value)| !is_service_link(name, value));
    let unknown = names
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| name.starts_with(PREFIX) && !known.contains(&name.as_str()));
    let with_nearest = |name: String| {
        let nearest = nearest(&name, &known);
        (name, nearest)
    };
    unknown.map(with_nearest).collect()
}

/// Whether Kubernetes set a variable to describe a service, such as `KIBITZ_ADVICE_SERVICE_HOST`.
fn is_service_link(name: &OsString, value: &OsString) -> bool {
    let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
    name.contains("_SERVICE_") || name.contains("_PORT_") || value.starts_with("tcp://")
}

fn nearest(name: &str, known: &[&str]) -> Option<String> {
    let likeness = |known: &str| strsim::jaro(&name[PREFIX.len()..], &known[PREFIX.len()..]);
    let scored = known.iter().map(|known| (likeness(known), *known));
    let best = scored.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (best.0 >= ALIKE).then(|| best.1.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown(variables: &[(&str, &str)]) -> Vec<(String, Option<String>)> {
        unknown_variables(variables.iter().map(|(name, value)| (name.into(), value.into())))
    }

    #[test]
    fn unknown_variable_comes_with_the_nearest_setting() {
        for (name, nearest) in [
            ("KIBITZ_LISTN", Some("KIBITZ_LISTEN")),
            ("KIBITZ_LOGFORMAT", Some("KIBITZ_LOG_FORMAT")),
            ("KIBITZ_MAX_CONNECTION", Some("KIBITZ_MAX_CONNECTIONS")),
            ("KIBITZ_", None),
            ("KIBITZ_ZZZ", None),
        ] {
            let nearest = nearest.map(str::to_owned);
            assert_eq!(unknown(&[(name, "1")]), [(name.to_owned(), nearest)], "{name}");
        }
    }

    #[test]
    fn settings_other_programs_and_service_links_are_no_unknown_variables() {
        let variables = [
            ("KIBITZ_LISTEN", "9000"),
            ("PATH", "/bin"),
            ("KIBITZ_ADVICE_SERVICE_HOST", "10.0.0.1"),
            ("KIBITZ_ADVICE_PORT", "tcp://10.0.0.1:80"),
            ("KIBITZ_ADVICE_PORT_80_TCP_PROTO", "tcp"),
        ];
        assert_eq!(unknown(&variables), []);
    }
}
