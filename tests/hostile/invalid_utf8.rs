//! Bytes that are no UTF-8: in bodies, paths, queries and headers.

use crate::support::raw::{QUESTION, whole};

const INVALID: [&[u8]; 5] = [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe6\x96"];

#[test]
fn a_body_that_is_no_utf_8_is_no_json() {
    let kibitz = crate::start(&[]);
    for bytes in INVALID {
        let hand = [b"{\"hand\":\"3", bytes, b"\"}"].concat();
        assert_eq!(kibitz.status_of(&whole("/doudizhu/min-plays", &hand)), 400, "{bytes:?}");
        let name = [b"{\"", bytes, b"\":1}"].concat();
        assert_eq!(kibitz.status_of(&whole("/doudizhu/min-plays", &name)), 400, "{bytes:?}");
    }
    for text in [r#"{"hand":"\ud800"}"#, r#"{"hand":"\udc00\ud800"}"#] {
        assert_eq!(kibitz.status_of(&whole("/doudizhu/min-plays", text.as_bytes())), 400, "{text}");
    }
    kibitz.serves_others();
}

#[test]
fn paths_queries_and_headers_may_hold_anything() {
    let kibitz = crate::start(&[]);
    let get = |path: &[u8], header: &[u8]| {
        let head =
            [b"GET ", path, b" HTTP/1.1\r\nhost: x\r\nconnection: close\r\n", header, b"\r\n"].concat();
        kibitz.status_of(&head)
    };
    assert_eq!(get(b"/%ff%fe", b""), 404);
    for path in [b"/problems/%ff", &b"/craps/odds/%ff"[..], b"/craps/simulations/%ff"] {
        assert!(matches!(get(path, b""), 400 | 404), "{path:?}");
    }
    assert_eq!(get(b"/doudizhu/min-plays?hand=%ff", b""), 422);
    assert_eq!(get(b"/healthz", b"x-request-id: \xff\xfe\r\naccept-language: \xff\r\n"), 200);
    assert_eq!(get(b"/healthz", b"accept-encoding: \xff\r\nif-none-match: \xff\r\norigin: \xff\r\n"), 200);
    let typed = b"POST /yahtzee/score HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: \xff\r\ncontent-length: 2\r\n\r\n{}";
    assert_eq!(kibitz.status_of(typed), 415);
    assert_eq!(kibitz.status_of(&whole("/yahtzee/best-action", QUESTION.as_bytes())), 200);
}
