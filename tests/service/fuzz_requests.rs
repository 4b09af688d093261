//! Every parser of requests against what nobody would send: the contract's own examples, bent and broken at random.
//!
//! Whatever comes, the answer must be one that openapi.yaml knows (the test client judges that), never a 500, and every
//! fault must point to something that the request holds, or to a field that an object of it lacks.

use crate::fuzz::{fuzz, seeds};
use crate::support::contract::CONTRACT;
use crate::support::{Answer, App};
use axum::body::Body;
use axum::http::{Method, Request};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

/// How many times each example is bent, and broken.
const CASES: u32 = 48;

/// Lets the service answer to `ask` for random seeds.
fn fuzz_service(ask: &impl AsyncFn(&App, &mut ChaCha8Rng)) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let app = App::ready();
    fuzz(CASES, &seeds(), |seed| {
        runtime.block_on(ask(&app, &mut ChaCha8Rng::seed_from_u64(seed)));
    });
}

/// Path, name and value of each example of a JSON body.
fn examples() -> Vec<(&'static str, &'static Value)> {
    let paths = CONTRACT["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, methods)| {
        let examples = methods.pointer("/post/requestBody/content/application~1json/examples");
        let examples = examples.and_then(Value::as_object).into_iter().flatten();
        examples.map(move |(_, example)| (path.as_str(), &example["value"]))
    });
    operations.collect()
}

/// Values of a wrong type.
fn odd(rng: &mut impl Rng) -> Value {
    let texts = [
        "",
        "0",
        "-1",
        "1/20",
        "0/0",
        "1/0",
        "7x-9",
        "3-4-5x",
        "none",
        "reroll",
        "BR",
        "♠3",
        "小王",
        "\u{0}",
        "\u{202e}x",
        "official",
        "pass_line",
        "yahtzee",
        "ones",
        "single",
    ];
    match rng.random_range(0..12) {
        0 => Value::Null,
        1 => json!(rng.random_bool(0.5)),
        2 => json!(rng.random_range(-3..15)),
        3 => json!([0, -1, i64::MAX, i64::MIN, 1 << 53, 1_000_000_000_000][rng.random_range(0..6)]),
        4 => json!([0.5, -0.0, 1e-308, 1e308, 3.0, 0.1][rng.random_range(0..6)]),
        5 => json!([]),
        6 => json!({}),
        7 => json!(vec![rng.random_range(0..8); rng.random_range(0..60)]),
        8 => json!({texts[rng.random_range(0..texts.len())]: 1}),
        9 => json!("9".repeat(rng.random_range(1..400))),
        _ => json!(texts.choose(rng).unwrap()),
    }
}

/// One random change somewhere in a value.
fn bend(value: &mut Value, rng: &mut impl Rng) {
    let stop = rng.random_bool(0.3);
    match value {
        Value::Object(fields) if !stop && !fields.is_empty() => {
            let names: Vec<String> = fields.keys().cloned().collect();
            let name = names.choose(rng).unwrap();
            match rng.random_range(0..8) {
                0 => drop(fields.remove(name)),
                1 => drop(fields.insert(format!("{name}s"), odd(rng))),
                2 => {
                    let taken = fields.remove(name).unwrap();
                    fields.insert(name.to_uppercase(), taken);
                }
                _ => bend(&mut fields[name], rng),
            }
        }
        Value::Array(items) if !stop && !items.is_empty() => {
            let at = rng.random_range(0..items.len());
            match rng.random_range(0..6) {
                0 => drop(items.remove(at)),
                1 => items.insert(at, odd(rng)),
                2 => items.push(items[at].clone()),
                _ => bend(&mut items[at], rng),
            }
        }
        other => *other = odd(rng),
    }
}

/// Some bytes of a text overwritten, left out, doubled or cut.
fn break_bytes(text: &mut Vec<u8>, rng: &mut impl Rng) {
    const SIGNS: &[u8] = b"{}[]\",:.-+eE0123456789 \\/\n\0\xff\xc3\xe5u";
    for _ in 0..rng.random_range(1..4) {
        if text.is_empty() {
            return;
        }
        let at = rng.random_range(0..text.len());
        match rng.random_range(0..4) {
            0 => text[at] = *SIGNS.choose(rng).unwrap(),
            1 => drop(text.remove(at)),
            2 => text.insert(at, *SIGNS.choose(rng).unwrap()),
            _ => text.truncate(at),
        }
    }
}

/// Whether a pointer names something that is there, or a field that an object lacks.
fn leads_somewhere(body: &Value, pointer: &str) -> bool {
    let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
    body.pointer(pointer).is_some() || body.pointer(parent).is_some_and(Value::is_object)
}

fn judge(answer: &Answer, body: Option<&Value>, place: &str) {
    let status = answer.status.as_u16();
    assert!([200, 202, 400, 422].contains(&status), "{place}: {status} {}", answer.text());
    if let (422, Some(body)) = (status, body) {
        for fault in answer.json()["errors"].as_array().into_iter().flatten() {
            let pointer = fault["pointer"].as_str().unwrap();
            assert!(leads_somewhere(body, pointer), "{place}: {pointer} leads nowhere");
            assert!(!fault["detail"].as_str().unwrap().is_empty(), "{place}: a fault without words");
        }
    }
}

/// Sends a body; a job that it starts is forgotten at once.
async fn post(app: &App, path: &str, body: Vec<u8>) -> Answer {
    let answer = app.post(path, body).await;
    if answer.status == 202 {
        let job = answer.header("location").to_owned();
        assert_eq!(app.method(Method::DELETE, &job).await.status, 204);
    }
    answer
}

#[test]
fn fuzz_bent_bodies_are_answered_in_words() {
    let examples = examples();
    assert!(examples.len() > 10, "only {} examples", examples.len());
    fuzz_service(&async |app: &App, rng: &mut ChaCha8Rng| {
        for (path, example) in &examples {
            let mut body = (*example).clone();
            for _ in 0..rng.random_range(1..4) {
                bend(&mut body, rng);
            }
            let answer = post(app, path, serde_json::to_vec(&body).unwrap()).await;
            judge(&answer, Some(&body), &format!("{path} {body}"));
        }
    });
}

#[test]
fn fuzz_broken_bytes_are_answered_in_words() {
    let examples = examples();
    fuzz_service(&async |app: &App, rng: &mut ChaCha8Rng| {
        for (path, example) in &examples {
            let mut bytes = serde_json::to_vec(example).unwrap();
            break_bytes(&mut bytes, rng);
            let place = format!("{path} {:?}", String::from_utf8_lossy(&bytes));
            judge(&post(app, path, bytes).await, None, &place);
        }
    });
}

#[test]
fn fuzz_broken_queries_are_answered_in_words() {
    let links = [
        "/yahtzee/best-action?dice=1,3,3,4,6&rolls_left=2&ones=3&yahtzee=50&chosen=reroll:3,3&limit=2",
        "/yahtzee/best-action?dice=6,6,6,6,6&rolls_left=0&yahtzee=50&yahtzee_bonuses=1&rules=free_joker&objective=game",
        "/doudizhu/min-plays?hand=3334445678TJQKA2BR&rules=pagat",
        "/craps/odds?group=line",
        "/craps/odds/pass_line?odds=3-4-5x&come_odds=off",
        "/craps/odds/pass_line/long-run?rounds=100",
        "/craps/rolls?rows=10",
        "/craps/bankroll?bet=pass_line&odds=4:3,5:4,6:5,8:5,9:4,10:3&bankroll=5&target=9&max_rounds=10&stake=1",
        "/craps/kelly?bet=pass_line&loss_cashback=0.05",
    ];
    let signs: Vec<&str> = "0 1 9 - . / : , = & + %20 %00 %ff %E5%B0%8F %2 x e".split(' ').collect();
    fuzz_service(&async |app: &App, rng: &mut ChaCha8Rng| {
        for link in links {
            let (path, query) = link.split_once('?').unwrap();
            let mut query = query.to_owned();
            for _ in 0..rng.random_range(1..4) {
                let at = rng.random_range(0..=query.len());
                let end = (at + rng.random_range(0..3)).min(query.len());
                if query.is_char_boundary(at) && query.is_char_boundary(end) {
                    query.replace_range(at..end, signs.choose(rng).unwrap());
                }
            }
            let request = Request::get(format!("{path}?{query}")).body(Body::empty());
            judge(&app.send(request.unwrap()).await, None, &format!("{path}?{query}"));
        }
    });
}
