//! JSON inside JSON inside JSON: no stack overflow, and an element of a batch spoils only itself.

use crate::support::raw::{QUESTION, whole};

#[test]
fn deeply_nested_body_is_rejected() {
    let kibitz = crate::start(&[]);
    for depth in [33, 127, 128, 1_000, 30_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            if depth * open.len() + depth > 60_000 {
                continue;
            }
            let deep = format!("{}0{}", open.repeat(depth), close.repeat(depth));
            for body in [deep.clone(), format!("{{\"dice\":{deep},\"rolls_left\":0}}")] {
                assert_eq!(kibitz.status_of(&whole("/yahtzee/best-action", body.as_bytes())), 422, "{depth}");
            }
        }
        assert_eq!(kibitz.status_of(&whole("/yahtzee/best-action", "[".repeat(depth).as_bytes())), 400);
    }
    kibitz.serves_others();
}

#[test]
fn a_deeply_nested_element_spoils_only_itself() {
    let kibitz = crate::start(&[]);
    for depth in [126, 200, 200_000] {
        let deep = format!("{}0{}", "[".repeat(depth), "]".repeat(depth));
        let body = format!("{{\"requests\":[{QUESTION},{deep},{{\"dice\":{deep}}},{QUESTION}]}}");
        if body.len() > 1024 * 1024 {
            continue;
        }
        let answer = kibitz
            .exchange(&String::from_utf8(whole("/yahtzee/best-action/batch", body.as_bytes())).unwrap());
        assert_eq!(answer.0, 200, "{:.300}", answer.1);
        let json: serde_json::Value =
            serde_json::from_str(answer.1.split("\r\n\r\n").nth(1).unwrap()).unwrap();
        let kinds: Vec<_> = json["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|result| result.as_object().unwrap().keys().next().unwrap().as_str())
            .collect();
        assert_eq!(kinds, ["result", "problem", "problem", "result"], "{depth}");
        let pointer = &json["results"][2]["problem"]["errors"][0]["pointer"];
        assert!(pointer.as_str().unwrap().starts_with("/dice"), "{pointer}");
    }
}
