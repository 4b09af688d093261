//! Requests without a host, or with several (RFC 9112, 3.2).

use std::time::Duration;

#[test]
fn missing_or_repeated_host_is_400_and_the_connection_goes_on() {
    let kibitz = crate::start(&[]);
    let request = |version: &str, hosts: &str| format!("GET /version HTTP/{version}\r\n{hosts}\r\n");
    let good = request("1.1", "host: x\r\nconnection: close\r\n");
    for hosts in [
        "",
        "host: a\r\nhost: a\r\n",
        "host: a\r\nHost: b\r\n",
        "host:\r\n",
        "host: a/b\r\n",
        "host: caf\u{e9}\r\n",
    ] {
        let heard =
            kibitz.say(format!("{}{good}", request("1.1", hosts)).as_bytes(), Duration::from_secs(15));
        assert_eq!((heard.statuses(), heard.closed), (vec![400, 200], true), "{hosts:?}: {:?}", heard.text);
        assert!(
            heard.text.contains("application/problem+json") && heard.text.contains("`Host`"),
            "{:?}",
            heard.text
        );
    }
    assert_eq!(kibitz.exchange(&request("1.0", "")).0, 200);
    assert_eq!(kibitz.exchange(&request("1.0", "host: a\r\nhost: b\r\n")).0, 400);
    assert_eq!(kibitz.exchange("GET http://y/version HTTP/1.1\r\nconnection: close\r\n\r\n").0, 400);
    kibitz.serves_others();
}
