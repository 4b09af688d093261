//! Questions on the command line, by the binary.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::support::App;
use serde_json::{Value, json};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kibitz")).args(arguments).output().unwrap()
}

fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn json_is_the_answer_of_the_service_byte_for_byte() {
    let app = App::ready();
    for (arguments, path, body) in [
        (
            &[
                "yahtzee",
                "1",
                "3",
                "3",
                "4",
                "6",
                "--rolls-left",
                "2",
                "--scorecard",
                "ones=3,yahtzee=50",
                "--json",
            ][..],
            "/yahtzee/best-action",
            json!({"dice": [1, 3, 3, 4, 6], "rolls_left": 2, "scorecard": {"ones": 3, "yahtzee": 50}}),
        ),
        (
            &[
                "yahtzee", "2", "2", "5", "5", "6", "--rules", "yatzy", "--limit", "3", "--risk", "--lang",
                "zh", "--json",
            ],
            "/yahtzee/best-action?lang=zh",
            json!({"dice": [2, 2, 5, 5, 6], "rolls_left": 0, "rules": "yatzy", "limit": 3, "risk": true}),
        ),
        (
            &["doudizhu", "7777QK34568", "--wild-cards", "1", "--json"],
            "/doudizhu/min-plays",
            json!({"hand": "7777QK34568", "wild_cards": 1}),
        ),
        (
            &["doudizhu", "3344557", "--beat", "33", "--rules", "pagat", "--json"],
            "/doudizhu/plays",
            json!({"hand": "3344557", "beat": "33", "rules": "pagat"}),
        ),
        (
            &["craps", "odds", "pass_line", "--odds", "3-4-5x", "--json"],
            "/craps/odds",
            json!({"bet": "pass_line", "odds": "3-4-5x"}),
        ),
        (
            &[
                "craps",
                "bankroll",
                "any_seven",
                "--bankroll",
                "20",
                "--target",
                "40",
                "--max-rounds",
                "100",
                "--json",
            ],
            "/craps/bankroll",
            json!({"bet": "any_seven", "bankroll": 20, "target": 40, "max_rounds": 100}),
        ),
        (&["ask", "/doudizhu/recognize", r#"{"hand": "33"}"#], "/doudizhu/recognize", json!({"hand": "33"})),
    ] {
        let served = app.post(path, body.to_string()).await;
        served.ok();
        assert_eq!(text(arguments).trim_end(), served.text(), "{arguments:?}");
    }
}

#[test]
fn tables_are_for_people() {
    let position =
        ["yahtzee", "1", "3", "3", "4", "6", "--rolls-left", "2", "--scorecard", "ones=3,yahtzee=50"];
    let shown = text(&position);
    assert!(shown.starts_with("Keep 3 3 and reroll the other three dice: "), "{shown}");
    assert!(
        shown.contains(
            "\n  action       value  loss\n  keep 3 3    252.21  0.00\n  keep 3 3 4  250.40  1.81\n"
        ),
        "{shown}"
    );
    let goal = text(&[
        "yahtzee",
        "6",
        "6",
        "6",
        "6",
        "1",
        "--rolls-left",
        "1",
        "--objective",
        "reach:60",
        "--scorecard",
        "ones=0,twos=0,threes=0,fours=0,fives=0,sixes=0,three_of_a_kind=0,four_of_a_kind=0,full_house=0,small_straight=0,\
         large_straight=0,chance=10",
    ]);
    assert!(goal.contains("keep 6 6 6 6       16.67%"), "{goal}");
    let fewest = text(&["doudizhu", "345678899TT"]);
    assert!(fewest.contains("\n  8899TT  consecutive pairs\n  34567   straight\n"), "{fewest}");
    let bet = text(&["craps", "odds", "place_6"]);
    assert!(bet.contains("house edge per bet made         1/66  0.015152"), "{bet}");
    let defined = r#"{"collect": {"items": [2, 3, 11, 12], "until": [7], "pays": {"4": 70}}}"#;
    assert!(text(&["craps", "odds", defined]).contains("857/4620"));
}

#[test]
fn bad_question_lists_its_faults_and_fails() {
    for (arguments, words) in [
        (&["yahtzee", "1", "3", "3", "4", "7", "--scorecard", "ones=7"][..], "dice/4: "),
        (&["yahtzee", "1", "3", "3", "4", "7", "--scorecard", "ones=7"], "scorecard/ones: "),
        (
            &["yahtzee", "1", "3", "3", "4", "4", "--scorecard", "ones"],
            "write a box and its points as ones=3",
        ),
        (&["yahtzee", "1", "3", "3", "4", "4", "--objective", "reach:x"], "objective/reach: "),
        (&["doudizhu", "33333"], "hand: "),
        (&["doudizhu", "33", "--wild-cards", "1", "--beat", "3"], "cannot be used with"),
        (&["craps", "odds", "nothing"], "bet: "),
        (&["ask", "/nothing", "{}"], "known are /yahtzee/best-action"),
        (&["ask", "/doudizhu/recognize", "{"], "not valid JSON"),
    ] {
        let output = run(arguments);
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}

#[test]
fn body_comes_from_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kibitz"))
        .args(["ask", "/doudizhu/min-plays"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(br#"{"hand": "33"}"#).unwrap();
    let answer: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(answer["min_plays"], 1);
}

#[test]
fn completions_are_a_script_of_the_shell() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(text(&["completions", shell]).contains("doudizhu"), "{shell}");
    }
    assert!(!run(&["completions", "csh"]).status.success());
}
