//! The solver against answers of independent exact programs, 250 hands a rule set, each witness judged on its own.

use crate::judge::{held, is_play, to_counts};
use kibitz::doudizhu::{Hand, Preset, Rank, Solver};

#[derive(serde::Deserialize)]
struct Vector {
    rules: Preset,
    hand: String,
    min: u8,
}

fn check(vectors: &str) -> usize {
    let solvers = Preset::ALL.map(|preset| (preset, Solver::new(preset.rules())));
    let mut number = 0;
    for line in vectors.lines() {
        let Vector { rules, hand, min } = serde_json::from_str(line).expect("a vector");
        let (_, solver) = solvers.iter().find(|(preset, _)| *preset == rules).expect("a preset");
        let hand = Hand::from_text(&hand).expect("a hand");
        let plan = solver.solve(hand.counts());
        assert_eq!(plan.plays().len(), usize::from(min), "{hand} under {rules:?}");
        assert_eq!(solver.min_plays(hand.counts()), min, "{hand} under {rules:?}");
        let mut used = [0; 15];
        for (play, tokens) in plan.plays().iter().zip(hand.deal(plan.plays())) {
            assert!(is_play(&held(play.cards()), rules), "{play} in {hand} under {rules:?}");
            let ranks: Vec<Rank> = play.ranks().collect();
            assert_eq!(tokens.len(), ranks.len());
            for (token, rank) in tokens.iter().zip(ranks) {
                assert_eq!(token.to_string(), rank.to_string());
                used[rank.index()] += 1;
            }
        }
        assert_eq!(to_counts(&used), hand.counts(), "the plays use every card once");
        number += 1;
    }
    number
}

#[test]
fn simple() {
    assert_eq!(check(include_str!("../vectors/doudizhu/simple.jsonl")), 250);
}

#[test]
fn noip() {
    assert_eq!(check(include_str!("../vectors/doudizhu/noip.jsonl")), 250);
}

#[test]
fn standard() {
    assert_eq!(check(include_str!("../vectors/doudizhu/standard.jsonl")), 250);
}

#[test]
fn pagat() {
    assert_eq!(check(include_str!("../vectors/doudizhu/pagat.jsonl")), 250);
}

#[test]
fn loose() {
    assert_eq!(check(include_str!("../vectors/doudizhu/loose.jsonl")), 250);
}

#[test]
fn douzero() {
    assert_eq!(check(include_str!("../vectors/doudizhu/douzero.jsonl")), 250);
}
