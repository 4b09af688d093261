//! Clients that ask for large answers and do not take them.

use std::io::{Read, Write};
use std::time::Instant;

use serde_json::Value;

use crate::MEBIBYTE;
use crate::support::raw::{eventually, post, whole};

const ELEMENT: &str = r#"{"dice":[1,2,3,4,6],"rolls_left":2,"rules":"plain","limit":50}"#;

#[test]
fn unread_answers_are_bounded_in_total() {
    // Room for two answers of some 6 MB, and no more.
    let kibitz = crate::start(&["--max-buffered", "16777216"]);
    let before = kibitz.resident();
    let body = format!(r#"{{"requests":[{}]}}"#, [ELEMENT; 1_000].join(","));
    let path = "/yahtzee/best-action/batch";
    let mut statuses = Vec::new();
    let mut held = Vec::new();
    for _ in 0..12 {
        let mut stream = kibitz.connect();
        write!(stream, "{}\r\n{body}", post(path, body.len())).unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        statuses.push(String::from_utf8_lossy(&start[9..]).into_owned());
        held.push(stream);
    }
    assert!(statuses.contains(&"200".to_owned()) && statuses.contains(&"503".to_owned()), "{statuses:?}");
    let grown = kibitz.resident().saturating_sub(before);
    assert!(grown < 80 * MEBIBYTE, "grew by {grown} bytes");
    kibitz.serves_others();
    drop(held);
    eventually("room for batches", || kibitz.status_of(&whole(path, body.as_bytes())) == 200);
}

#[test]
fn a_batch_ends_in_time_with_what_has_been_answered() {
    let deck = r#"{"hand":"3333444455556666777788889999TTTTJJJJQQQQKKKKAAAA2222BR"}"#;
    let heavy = whole(
        "/doudizhu/min-plays/batch",
        format!(r#"{{"requests":[{}]}}"#, [deck; 300].join(",")).as_bytes(),
    );
    let patient = crate::start(&["--max-batches", "1", "--request-timeout", "120"]);
    let started = Instant::now();
    assert_eq!(patient.status_of(&heavy), 200);
    let whole_time = started.elapsed();
    drop(patient);

    // The only permit is taken by a batch whose time is over long before all of it could have been answered.
    let seconds = (whole_time / 4).as_secs_f64().to_string();
    let kibitz = crate::start(&["--max-batches", "1", "--request-timeout", &seconds]);
    let started = Instant::now();
    let (status, text) = kibitz.exchange(&String::from_utf8(heavy).unwrap());
    let took = started.elapsed();
    assert_eq!(status, 200, "{text:.300}");
    let json: Value = serde_json::from_str(text.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let results = json["results"].as_array().unwrap();
    let answered = results.iter().filter(|result| result["result"].is_object()).count();
    let late = results.iter().filter(|result| result["problem"]["code"] == "timeout").count();
    println!("a heavy batch takes {whole_time:?}; ended after {took:?} with {answered} of {}", results.len());
    assert!(answered > 0 && late > 0 && answered + late == 300, "{answered} answered, {late} late");
    assert!(took < whole_time / 2, "{took:?} of {whole_time:?}");
    let small = whole("/doudizhu/min-plays/batch", br#"{"requests":[{"hand":"3"}]}"#);
    assert_eq!(kibitz.status_of(&small), 200);
}
