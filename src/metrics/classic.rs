//! The classic Prometheus text format 0.0.4, made from OpenMetrics text.

/// Rewrites the lines that describe a metric: in the classic format they carry the name of its samples, there is no type
/// `info`, and neither units nor an end.
pub(super) fn of_open_metrics(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    let mut help = "";
    for line in text.lines() {
        if let Some(described) = line.strip_prefix("# HELP ") {
            help = described.split_once(' ').map_or("", |(_, help)| help);
        } else if let Some((name, kind)) =
            line.strip_prefix("# TYPE ").and_then(|typed| typed.split_once(' '))
        {
            let (end, kind) = match kind {
                "counter" => ("_total", "counter"),
                "info" => ("_info", "gauge"),
                "unknown" => ("", "untyped"),
                kind => ("", kind),
            };
            page += &format!("# HELP {name}{end} {help}\n# TYPE {name}{end} {kind}\n");
        } else if !line.starts_with('#') {
            page += line;
            page.push('\n');
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_carry_the_names_of_the_samples() {
        let text = "# HELP a_seconds Time.\n# TYPE a_seconds counter\n# UNIT a_seconds seconds\na_seconds_total{x=\"# y\"} 1\n\
                    # HELP b About.\n# TYPE b info\nb_info{v=\"1\"} 1\n# HELP c C.\n# TYPE c gauge\nc 2\n# EOF\n";
        let classic = "# HELP a_seconds_total Time.\n# TYPE a_seconds_total counter\na_seconds_total{x=\"# y\"} 1\n\
                       # HELP b_info About.\n# TYPE b_info gauge\nb_info{v=\"1\"} 1\n# HELP c C.\n# TYPE c gauge\nc 2\n";
        assert_eq!(of_open_metrics(text), classic);
    }
}
