//! Wild cards: the solver against a brute force over plays, and what is served.

use std::collections::HashMap;

use crate::fuzz::{fuzz, seeds};
use crate::support::App;
use kibitz::doudizhu::{Counts, Play, Preset, Rank, Solver, legal_plays};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

/// The ranks that the brute force knows: those of the hands, and enough others for wild cards.
const RANKS: [Rank; 9] = [
    Rank::Three,
    Rank::Four,
    Rank::Five,
    Rank::Six,
    Rank::Seven,
    Rank::Eight,
    Rank::Nine,
    Rank::Ten,
    Rank::Two,
];

/// The most cards of a hand, wild ones included.
const MOST: u8 = 8;

/// Tries every play, with as many wild cards as the hand lacks cards, over and over.
struct Brute {
    plays: Vec<Play>,
    known: HashMap<(Counts, u8), u8>,
}

impl Brute {
    fn new(preset: Preset) -> Self {
        let deck = RANKS.into_iter().fold(Counts::EMPTY, |deck, rank| deck.with(rank, 4).unwrap());
        let deck = deck.with(Rank::BlackJoker, 1).unwrap().with(Rank::RedJoker, 1).unwrap();
        let plays =
            legal_plays(deck, &preset.rules()).into_iter().filter(|play| play.cards().total() <= MOST);
        Self { plays: plays.collect(), known: HashMap::new() }
    }

    fn min_plays(&mut self, cards: Counts, wild: u8) -> u8 {
        if cards.is_empty() && wild == 0 {
            return 0;
        }
        if let Some(&known) = self.known.get(&(cards, wild)) {
            return known;
        }
        let mut best = u8::MAX;
        for index in 0..self.plays.len() {
            let play = self.plays[index].cards();
            let own: Counts =
                play.iter().flat_map(|(rank, count)| vec![rank; count.min(cards.of(rank)).into()]).collect();
            let lacking = play.without(own).unwrap();
            let has_joker = lacking.iter().any(|(rank, _)| rank.is_joker());
            if !has_joker && lacking.total() <= wild {
                let left = self.min_plays(cards.without(own).unwrap(), wild - lacking.total());
                best = best.min(1 + left);
            }
        }
        self.known.insert((cards, wild), best);
        best
    }
}

#[test]
fn fuzz_wild_hands_agree_with_a_brute_force() {
    let solvers = Preset::ALL.map(|preset| Solver::new(preset.rules()));
    let brutes = std::cell::RefCell::new(Preset::ALL.map(Brute::new));
    fuzz(60, &seeds(), |seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let wild = random.random_range(1..=4);
        // Few ranks, so that four of one and a wild card beside them are common.
        let mut deck: Vec<Rank> = RANKS[..5].iter().flat_map(|&rank| [rank; 4]).collect();
        deck.extend([Rank::BlackJoker, Rank::RedJoker]);
        let size = random.random_range(0..=MOST - wild);
        let cards: Counts = (0..size).map(|_| deck.swap_remove(random.random_range(0..deck.len()))).collect();
        for (index, solver) in solvers.iter().enumerate() {
            let plan = solver.solve_with_wild_blocking(cards, wild).unwrap();
            let wanted = brutes.borrow_mut()[index].min_plays(cards, wild);
            assert_eq!(
                plan.plan().plays().len(),
                usize::from(wanted),
                "{cards} and {wild}, {:?}",
                Preset::ALL[index]
            );
            let all: u8 = plan.plays().map(|(play, _)| play.cards().total()).sum();
            let stands: u8 = plan.plays().map(|(_, stands_for)| stands_for.total()).sum();
            assert_eq!((all, stands), (cards.total() + wild, wild), "{cards} and {wild}");
        }
    });
}

const PATH: &str = "/doudizhu/min-plays";

async fn ask(body: Value) -> Value {
    App::ready().post(PATH, body.to_string()).await.ok()
}

#[tokio::test]
async fn vectors_take_as_many_plays_as_an_independent_program_says() {
    let path = format!("{}/tests/vectors/doudizhu/wild.jsonl", env!("CARGO_MANIFEST_DIR"));
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let body = json!({"hand": case["hand"], "wild_cards": case["wild_cards"], "rules": case["rules"]});
        let answer = ask(body).await;
        assert_eq!(answer["min_plays"], case["min_plays"], "{line}");
        let cards: usize = answer["plays"]
            .as_array()
            .unwrap()
            .iter()
            .map(|play| play["cards"].as_array().unwrap().len())
            .sum();
        assert_eq!(cards as u64, answer["card_count"].as_u64().unwrap(), "{line}");
    }
}

#[tokio::test]
async fn answer_says_what_each_wild_card_stands_for() {
    let answer = ask(json!({"hand": "7777QK34568", "wild_cards": 1})).await;
    assert_eq!((&answer["min_plays"], &answer["card_count"]), (&json!(2), &json!(12)));
    assert_eq!(answer["plays"][0]["cards"], json!(["3", "4", "5", "6", "7", "8"]));
    assert!(answer["plays"][0].get("stands_for").is_none());
    assert_eq!(answer["plays"][1]["cards"], json!(["7", "7", "7", "Q", "K", "*"]));
    assert_eq!(answer["plays"][1]["stands_for"], json!(["7"]));
    assert_eq!(
        answer["explanation"],
        "The fewest plays are 2: the straight 345678 and the four with two singles 7777+QK; the wild card stands for 7."
    );
    assert!(answer.get("percentile").is_none());
    let chinese = App::ready()
        .post(&format!("{PATH}?lang=zh"), json!({"hand": "3456", "wild_cards": 1}).to_string())
        .await
        .ok();
    assert_eq!(chinese["explanation"], "一手就能出完：顺子 34567；癞子当作 7。");
}

#[tokio::test]
async fn wild_rank_keeps_the_tokens_of_the_hand() {
    let answer = ask(json!({"cards": ["S7", "H7", "3", "4", "5", "6"], "wild_rank": "7"})).await;
    assert_eq!(answer["plays"][0]["cards"], json!(["3", "4", "5", "6", "S7", "H7"]));
    assert_eq!(answer["plays"][0]["stands_for"], json!(["7", "8"]));
    // No card has the rank: the answer is that of the plain hand, but for what is not known of wild hands.
    let none = ask(json!({"hand": "3456", "wild_rank": "7"})).await;
    assert_eq!((&none["min_plays"], &none["card_count"]), (&json!(4), &json!(4)));
    assert_eq!(ask(json!({"hand": "3344", "wild_cards": 0})).await, ask(json!({"hand": "3344"})).await);
    assert_eq!(ask(json!({"hand": "", "wild_cards": 4})).await["min_plays"], 1);
    let app = App::ready();
    let link = app.get(&format!("{PATH}?hand=3456&wild_cards=1")).await.ok();
    assert_eq!(link, ask(json!({"hand": "3456", "wild_cards": 1})).await);
    let batch = json!({"requests": [{"hand": "3456", "wild_cards": 1}, {"hand": "77", "wild_rank": "7"}]});
    let batch = app.post(&format!("{PATH}/batch"), batch.to_string()).await.ok();
    assert_eq!(
        (&batch["results"][0]["result"], &batch["results"][1]["result"]["min_plays"]),
        (&link, &json!(1))
    );
}

#[tokio::test]
async fn bad_wild_cards_are_422() {
    for (body, wanted) in [
        (json!({"hand": "33", "wild_cards": 5}), "/wild_cards out_of_range"),
        (json!({"hand": "33", "wild_cards": "1"}), "/wild_cards wrong_type"),
        (json!({"hand": "33", "wild_rank": "B"}), "/wild_rank unknown_name"),
        (json!({"hand": "33", "wild_cards": 1, "wild_rank": "3"}), "/wild_rank both_given"),
        (json!({"hand": "", "wild_cards": 0}), "/hand empty_hand"),
        (json!({"hand": "", "wild_rank": "3"}), "/hand empty_hand"),
        (json!({"wild_cards": 1}), "/hand missing"),
        (
            json!({"shape": {"singles": 2}, "rules": "simple", "wild_cards": 1}),
            "/shape shape_without_wild_cards",
        ),
        (json!({"hand": "333344445555666677778", "wild_cards": 1}), " too_many_cards"),
    ] {
        let found = App::ready().post(PATH, body.to_string()).await.faults();
        let found: Vec<_> = found.iter().map(|(pointer, code)| format!("{pointer} {code}")).collect();
        assert_eq!(found, [wanted], "{body}");
    }
}
