//! The header `Prefer` (RFC 7240), as far as this service honours it.

use std::time::Duration;

use axum::http::HeaderMap;

/// How long a client would wait for its answer: the preference `wait`, of which the first instance counts. A number of
/// seconds too large for the type is the longest time there is.
pub(super) fn wait(headers: &HeaderMap) -> Option<Duration> {
    let lines = headers.get_all("prefer").iter().filter_map(|line| line.to_str().ok());
    let mut preferences = lines.flat_map(|line| split(line, ','));
    let value = preferences.find_map(|preference| {
        // Parameters after a semicolon say nothing about `wait`.
        let (name, value) = split(preference, ';').next()?.split_once('=')?;
        name.trim().eq_ignore_ascii_case("wait").then(|| unquoted(value.trim()))
    })?;
    let is_number = !value.is_empty() && value.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| value.parse().map_or(Duration::MAX, Duration::from_secs))
}

/// The parts of a text between separators that are not inside quotes.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |character| {
        let is_escaped = std::mem::take(&mut escaped);
        match character {
            '\\' => escaped = quoted && !is_escaped,
            '"' if !is_escaped => quoted = !quoted,
            _ => {}
        }
        character == separator && !quoted
    })
}

/// A word without its quotes. Escapes stay: no number needs one.
fn unquoted(word: &str) -> &str {
    word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_preference_is_read_as_the_rfc_writes_it() {
        let five = Some(Duration::from_secs(5));
        for (lines, expected) in [
            (&["wait=5"][..], five),
            (&["Wait=5"], five),
            (&["WAIT = 5"], five),
            (&["wait=\"5\""], five),
            (&["wait\t=\t\"5\" "], five),
            (&["respond-async, wait=5"], five),
            (&["respond-async;wait=9", "return=minimal", "wait=5"], five),
            (&["wait=5, wait=9"], five),
            (&["wait=5", "wait=9"], five),
            (&["wait=5; foo=\"a,b\""], five),
            (&["foo=\"a, wait=9, \\\" b\", wait=5"], five),
            (&[",, wait=5,"], five),
            (&["wait=0"], Some(Duration::ZERO)),
            (&["wait=99999999999999999999999999"], Some(Duration::MAX)),
            (&["wait=-5"], None),
            (&["wait=+5"], None),
            (&["wait=1.5"], None),
            (&["wait=soon"], None),
            (&["wait="], None),
            (&["wait=\"\""], None),
            (&["wait"], None),
            (&["waiting=5"], None),
            (&[], None),
        ] {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append("prefer", HeaderValue::from_static(line));
            }
            assert_eq!(wait(&headers), expected, "{lines:?}");
        }
    }
}
