//! Parsers of setting values. Each error says what is allowed; clap says what was received, and for which setting.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::time::Duration;

use axum::http::HeaderValue;
use bytesize::ByteSize;
use ipnet::IpNet;
use jiff::SignedDuration;

/// An address with its port. A port alone, also as `:9000`, means 127.0.0.1, so that nothing is exposed by accident.
pub(super) fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let text = text.trim();
    let port_alone = || {
        let port = text
            .strip_prefix("localhost")
            .map_or(Some(text), |rest| rest.starts_with(':').then_some(rest))?;
        let port = port.strip_prefix(':').unwrap_or(port).parse().ok()?;
        Some(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port))
    };
    text.parse().ok().or_else(port_alone).ok_or_else(|| {
        "must be an address and a port, such as 127.0.0.1:8080, 0.0.0.0:8080, [::1]:8080 or localhost:8080, \
         or a port alone, such as 8080"
            .to_owned()
    })
}

pub(super) fn parse_port(text: &str) -> Result<u16, String> {
    let hint = if text.starts_with("tcp://") {
        "; Kubernetes sets this variable for a service named kibitz: set `enableServiceLinks: false` in the pod"
    } else {
        ""
    };
    text.trim().parse().map_err(|_| format!("must be a port from 0 to 65535{hint}"))
}

pub(crate) fn parse_base_path(text: &str) -> Result<String, String> {
    let path = text.trim_end_matches('/');
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~/".contains(c);
    if path.split('/').any(|segment| segment == "." || segment == "..") {
        Err("must be a path such as /kibitz, without `.` or `..` as a segment".to_owned())
    } else if path.is_empty() || (path.starts_with('/') && !path.contains("//") && path.chars().all(plain)) {
        Ok(path.to_owned())
    } else {
        Err("must be a path such as /kibitz: a leading slash, then letters, digits, and - . _ ~ /".to_owned())
    }
}

/// A duration from 10 ms to a day: a number of seconds, or what jiff reads, such as `500ms`, `2m` or `1h 30m`.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    let seconds = match text.trim().parse::<f64>() {
        Ok(seconds) => seconds,
        Err(_) => text.trim().parse::<SignedDuration>().map_or(f64::NAN, |duration| duration.as_secs_f64()),
    };
    if (0.01..=86_400.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("must be a number of seconds from 0.01 to 86400, or a duration such as 500ms, 5s, 2m or 1h"
            .to_owned())
    }
}

/// A parser of sizes within a range: a number of bytes, or what bytesize reads, such as `64KB`, `64KiB` or `1.5MB`.
pub(super) fn size<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let bytes = text.trim().parse::<ByteSize>().ok().map(|size| size.0);
        let fits = bytes.filter(|bytes| range.contains(bytes)).and_then(|bytes| T::try_from(bytes).ok());
        fits.ok_or_else(|| {
            let [least, most] = [range.start(), range.end()].map(|bytes| ByteSize(*bytes).display().iec());
            format!(
                "must be a size between {least} and {most}: a number of bytes, or such as 64KB, 64KiB or 1MB"
            )
        })
    }
}

pub(super) fn parse_switch(text: &str) -> Result<bool, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "on" | "yes" | "1" | "t" | "y" => Ok(true),
        "false" | "off" | "no" | "0" | "f" | "n" => Ok(false),
        _ => Err("must be true, on, yes or 1, or else false, off, no or 0".to_owned()),
    }
}

pub(super) fn parse_rate(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| "must be a number of requests per minute, 1 or more".to_owned())
}

pub(super) fn parse_network(text: &str) -> Result<IpNet, String> {
    let text = text.trim();
    let network = text.parse().or_else(|_| text.parse().map(|address: IpAddr| address.into()));
    network.map_err(|_| "must be a network such as 10.0.0.0/8 or fd00::/8, or an address".to_owned())
}

pub(super) fn parse_origin(text: &str) -> Result<HeaderValue, String> {
    let text = text.trim();
    let host = text.split_once("://").filter(|(scheme, _)| !scheme.is_empty()).map_or("", |(_, host)| host);
    let plain = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
    let origin = text == "*" || (!host.is_empty() && host.chars().all(plain));
    HeaderValue::from_str(text).ok().filter(|_| origin).ok_or_else(|| {
        "must be an origin such as https://example.org, without a path or a final slash, or *".to_owned()
    })
}

/// A list as `frame-ancestors` takes it.
pub(super) fn parse_frame_ancestors(text: &str) -> Result<String, String> {
    let parts: Vec<_> = text.split(',').map(str::trim).collect();
    if parts.len() > 1 && parts.iter().any(|part| ["none", "*"].contains(part)) {
        return Err("must be a list of origins and self, or none alone, or * alone".to_owned());
    }
    let source = |part: &&str| match *part {
        "self" => Ok("'self'".to_owned()),
        "none" => Ok("'none'".to_owned()),
        origin => parse_origin(origin).map(|_| origin.to_owned()).map_err(|e| format!("{e}, self or none")),
    };
    Ok(parts.iter().map(source).collect::<Result<Vec<_>, _>>()?.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_leave_out_what_is_usual() {
        for (text, address) in [
            ("0.0.0.0:80", "0.0.0.0:80"),
            ("[::]:80", "[::]:80"),
            ("9000", "127.0.0.1:9000"),
            (":9000", "127.0.0.1:9000"),
            ("localhost:9000", "127.0.0.1:9000"),
        ] {
            assert_eq!(parse_address(text), Ok(address.parse().unwrap()), "{text}");
        }
        for text in
            ["", ":", "localhost", "localhost9000", "127.0.0.1", "example.org:80", "65536", "http://a:80"]
        {
            assert!(parse_address(text).unwrap_err().contains("localhost:8080"), "{text}");
        }
    }

    #[test]
    fn a_port_that_kubernetes_set_is_explained() {
        assert_eq!(parse_port("9000"), Ok(9000));
        assert!(parse_port("65536").unwrap_err().ends_with("65535"));
        assert!(parse_port("tcp://10.0.0.1:80").unwrap_err().contains("enableServiceLinks"));
    }

    #[test]
    fn a_base_path_loses_its_final_slash_and_must_be_absolute() {
        assert_eq!(parse_base_path("/kibitz/"), Ok("/kibitz".to_owned()));
        assert_eq!(parse_base_path("/v1.2/..a"), Ok("/v1.2/..a".to_owned()));
        assert_eq!(parse_base_path("/"), Ok(String::new()));
        for text in ["kibitz", "/a//b", "/a{b}", "/a/../b", "..", "/a/."] {
            assert!(parse_base_path(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_duration_has_a_unit_or_is_in_seconds() {
        for (text, milliseconds) in [
            ("2.5", 2_500),
            ("5", 5_000),
            ("5s", 5_000),
            ("500ms", 500),
            ("2m", 120_000),
            ("1h", 3_600_000),
            ("1h 30m", 5_400_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "0", "-1", "-5s", "nan", "inf", "1e9", "25h", "soon", "5 parsecs"] {
            assert!(parse_duration(text).unwrap_err().contains("500ms"), "{text}");
        }
    }

    #[test]
    fn switch_takes_the_usual_words() {
        for text in ["true", "ON", " yes", "1", "T", "y"] {
            assert_eq!(parse_switch(text), Ok(true), "{text}");
        }
        for text in ["false", "Off", "no ", "0", "f", "N"] {
            assert_eq!(parse_switch(text), Ok(false), "{text}");
        }
        for text in ["", "2", "enabled"] {
            assert!(parse_switch(text).unwrap_err().contains("must be true, on, yes or 1"), "{text}");
        }
    }

    #[test]
    fn a_size_has_a_unit_or_is_in_bytes() {
        let parse = size::<u32>(1_024..=1 << 30);
        for (text, bytes) in [
            ("65536", 65_536),
            ("64KB", 64_000),
            ("64KiB", 65_536),
            ("64 kib", 65_536),
            ("1MB", 1_000_000),
            ("1.5MiB", 1_572_864),
            ("1GiB", 1 << 30),
        ] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for text in ["", "0", "1023", "-1", "-64KB", "64 apples", "1025MiB", "99999999999999999999", "nan"] {
            assert!(parse(text).unwrap_err().contains("between 1.0 KiB and 1.0 GiB"), "{text}");
        }
    }

    #[test]
    fn networks_are_networks_or_addresses() {
        assert_eq!(parse_network(" 10.1.2.3"), Ok("10.1.2.3/32".parse().unwrap()));
        assert_eq!(parse_network("fd00::/8"), Ok("fd00::/8".parse().unwrap()));
        for text in ["", "10.0.0.0/33", "proxy", "10.0.0.0/8/8", "10.0.0.1:80"] {
            assert!(parse_network(text).is_err(), "{text}");
        }
        assert!(parse_rate("0").is_err() && parse_rate("-1").is_err() && parse_rate("1.5").is_err());
    }

    #[test]
    fn origins_have_no_path() {
        assert!(parse_origin("*").is_ok() && parse_origin("https://example.org").is_ok());
        assert_eq!(parse_origin(" http://[::1]:3000"), Ok(HeaderValue::from_static("http://[::1]:3000")));
        for text in [
            "https://a.example/",
            "https://a.example/path",
            "example.org",
            "https://*.example",
            "http://a b",
            "",
        ] {
            assert!(parse_origin(text).is_err(), "{text}");
        }
    }

    #[test]
    fn frame_ancestors_become_a_list_of_sources() {
        for (text, sources) in [
            ("*", "*"),
            ("none", "'none'"),
            ("self, https://a.example", "'self' https://a.example"),
            ("http://localhost:3000,https://b.example", "http://localhost:3000 https://b.example"),
        ] {
            assert_eq!(parse_frame_ancestors(text), Ok(sources.to_owned()));
        }
        for text in
            ["", "none,self", "*,self", "a.example", "https://a.example; script-src *", "https://a.example,"]
        {
            assert!(parse_frame_ancestors(text).is_err(), "{text}");
        }
    }
}
