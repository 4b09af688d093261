//! Tests of the reader of JSON.

use super::*;

#[test]
fn fields_given_twice_are_both_kept() {
    let json = Json::parse(br#"{"a":1,"a":[null,true,"x\n"]}"#, Language::English).unwrap();
    let Json::Object(fields) = json else { panic!("not an object") };
    assert_eq!(fields.iter().map(|(name, _)| &**name).collect::<Vec<_>>(), ["a", "a"]);
}

#[test]
fn what_was_read_is_written_again() {
    let text = r#"{"a":[1,-0.050,1e+999,"x\n",null,true],"b":{}}"#;
    let json = Json::parse(text.as_bytes(), Language::English).unwrap();
    assert_eq!(serde_json::to_string(&json).unwrap(), text);
}

#[test]
fn invalid_json_is_rejected() {
    let deep = "[".repeat(100_000);
    for text in ["", "{", "[1,]", "nul", "{\"a\":1} x", "\u{feff}{}", &deep] {
        assert!(Json::parse(text.as_bytes(), Language::English).is_err(), "{text:.20}");
    }
    assert!(Json::parse(b"\"\xff\"", Language::English).is_err());
}

#[test]
fn what_is_nested_too_deep_spoils_only_itself() {
    for depth in [DEEPEST + 1, 127, 128, 129, 20_000] {
        let text = format!("[1,{}0{},2]", "[".repeat(depth), "]".repeat(depth));
        let Json::Array(items) = Json::parse(text.as_bytes(), Language::English).unwrap() else { panic!() };
        assert_eq!((items.len(), &items[2]), (3, &Json::Integer(2)), "{depth}");
        let mut innermost = &items[1];
        while let Json::Array(items) = innermost {
            innermost = &items[0];
        }
        assert_eq!(*innermost, Json::TooDeep);
    }
    // Well formed it must be all the same.
    let text = format!("[{}0{},2]", "[".repeat(200), "]".repeat(199));
    assert!(Json::parse(text.as_bytes(), Language::English).is_err());
}

#[test]
fn too_many_values_are_one_fault_and_no_tree() {
    let numbers = |count: usize| format!("[{}]", vec!["0"; count].join(","));
    let fields = |count: usize| format!("{{{}}}", vec!["\"\":0"; count].join(","));
    let nested = format!("[{}]", vec!["[0,1.5]"; MOST_VALUES / 3].join(","));
    for text in [numbers(MOST_VALUES - 2), fields(MOST_VALUES - 2), nested.clone()] {
        assert!(Json::parse(text.as_bytes(), Language::English).is_ok(), "{text:.20}");
    }
    for text in [
        numbers(MOST_VALUES),
        fields(MOST_VALUES),
        numbers(100_000),
        format!("[{nested},{nested}]"),
        format!("{{\"a\":{},\"b\":1.5}}", numbers(5_000)),
    ] {
        let problem = Json::parse(text.as_bytes(), Language::English).unwrap_err();
        assert_eq!(problem.kind(), Kind::InvalidRequest, "{text:.20}");
        // What is not JSON at all is that first.
        let problem = Json::parse(&text.as_bytes()[..text.len() - 1], Language::English).unwrap_err();
        assert_eq!(problem.kind(), Kind::MalformedJson, "{text:.20}");
    }
}

#[test]
fn numbers_are_kept_as_written() {
    for text in ["-0", "0.05", "1e+999", "123456789012345678901234567890", "18446744073709551615"] {
        assert_eq!(Json::parse(text.as_bytes(), Language::English), Ok(Json::Number(text.into())));
    }
    assert_eq!(Json::parse(b"-7", Language::English), Ok(Json::Integer(-7)));
    let nested = Json::parse(br#"{"a":[1.50]}"#, Language::English).unwrap();
    assert_eq!(nested, Json::Object(vec![("a".into(), Json::Array(vec![Json::Number("1.50".into())]))]));
}

#[test]
fn object_that_looks_like_the_readers_own_number_stays_an_object() {
    let deep = format!("{}{}", "[".repeat(1_000), "]".repeat(1_000));
    for value in [
        "\"1\"",
        "\"1\\u0030\"",
        "\"abc\"",
        "[1]",
        &deep,
        "{\"a\":{}}",
        "1",
        "-1",
        "1.5",
        "1e99",
        "null",
        "true",
    ] {
        for key in [NUMBER, r"\u0024serde_json::private::Number"] {
            let text = format!(r#"{{"{key}":{value},"b":2}}"#);
            let read = Json::parse(text.as_bytes(), Language::English).unwrap();
            let fields = vec![(NUMBER.into(), Json::Null), ("b".into(), Json::Integer(2))];
            assert_eq!(read, Json::Object(fields), "{text:.80}");
        }
    }
    let text = format!(r#"[{{"{NUMBER}":"1"}}, 2.50]"#);
    let Json::Array(items) = Json::parse(text.as_bytes(), Language::English).unwrap() else { panic!() };
    assert_eq!(items[1], Json::Number("2.50".into()));
}
