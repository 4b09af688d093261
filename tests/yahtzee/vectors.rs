//! Every action of several hundred positions, against values from independent exact programs.

use std::collections::BTreeMap;
use std::path::Path;

use kibitz::yahtzee::{
    Action, Advice, ByCategory, Category, CategorySet, Dice, GameTable, Joker, JokerKind, Keep, Objective,
    OfAKindScores, Points, Position, RollsPerTurn, Rules, Scorecard, Threshold, UpperBonus, YahtzeeBonus,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vector {
    id: String,
    rules: Option<String>,
    dice: [u8; 5],
    rolls_left: i64,
    open: Vec<Category>,
    #[serde(default)]
    upper_subtotal: i64,
    #[serde(default)]
    yahtzee_bonus_eligible: bool,
    value: f64,
    best: Entry,
    scores: Vec<Entry>,
    keeps: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    keep: Option<Vec<u8>>,
    category: Option<Category>,
    #[serde(rename = "box")]
    box_points: Option<u16>,
    upper_bonus: Option<u16>,
    yahtzee_bonus: Option<u16>,
    ev: f64,
}

impl Entry {
    fn action(&self) -> Action {
        match (&self.keep, self.category) {
            (Some(keep), _) => Action::Reroll(Keep::new(keep).unwrap()),
            (None, Some(category)) => Action::Score(category),
            (None, None) => panic!("an action is a keep or a box"),
        }
    }
}

/// A card with the vector's open boxes, upper subtotal and Yahtzee box; other points are arbitrary.
fn card(rules: &Rules, vector: &Vector) -> Scorecard {
    let open: CategorySet = vector.open.iter().copied().collect();
    let mut points = ByCategory::default();
    let mut sums = BTreeMap::from([(0, points)]);
    for category in rules.sheet.boxes().minus(open).iter() {
        match category.face() {
            Some(face) => {
                let mut grown = BTreeMap::new();
                for (sum, card) in sums {
                    for count in 0..=5 {
                        let entry = count * i64::from(face);
                        let mut card = card;
                        card[category] = Some(entry);
                        grown.entry(sum + entry).or_insert(card);
                    }
                }
                sums = grown;
            }
            None => {
                points[category] = Some(match category {
                    Category::Chance => 20,
                    Category::Yahtzee if vector.yahtzee_bonus_eligible => {
                        rules.box_points.yahtzee.get().into()
                    }
                    _ => 0,
                });
            }
        }
    }
    // Some vectors write 63 for every subtotal that has reached the bonus.
    let wanted = vector.upper_subtotal;
    let fits = |sum: i64| sum == wanted || wanted == 63 && sum > 63;
    let (_, upper) = sums.into_iter().find(|(sum, _)| fits(*sum)).expect("the subtotal is within reach");
    for category in CategorySet::UPPER.iter() {
        points[category] = upper[category];
    }
    Scorecard::new(rules, &points, 0).unwrap()
}

fn rules(name: &str) -> Rules {
    let mut parts = name.split('+');
    let mut rules = match parts.next() {
        Some("seed") => Rules::PLAIN,
        Some("no-yahtzee-bonus") => Rules::NO_YAHTZEE_BONUS,
        Some("free-joker") => Rules::FREE_JOKER,
        Some("loose-joker") => {
            Rules { joker: Some(Joker { kind: JokerKind::Loose, after_zero: true }), ..Rules::OFFICIAL }
        }
        _ => Rules::OFFICIAL,
    };
    for flag in parts {
        match flag {
            "fh5" => rules.full_house_from_five_of_a_kind = true,
            "kindsum" => rules.of_a_kind_scores = OfAKindScores::MatchingDice,
            "one" => rules.rolls_per_turn = RollsPerTurn::Two,
            "ub50" => {
                rules.upper_bonus =
                    Some(UpperBonus { points: Points::new(50).unwrap(), ..UpperBonus::OFFICIAL });
            }
            "thr64" => {
                let threshold = Threshold::new(64).unwrap();
                rules.upper_bonus = Some(UpperBonus { threshold, ..UpperBonus::OFFICIAL });
            }
            "zb" => rules.yahtzee_bonus = Some(YahtzeeBonus { after_zero: true, ..YahtzeeBonus::OFFICIAL }),
            "zj" => rules.joker = Some(Joker { kind: JokerKind::Forced, after_zero: false }),
            "nojoker" => rules.joker = None,
            unknown => panic!("unknown flag {unknown}"),
        }
    }
    rules
}

fn check(vector: &Vector, objective: Objective, advice: &Advice) {
    let id = &vector.id;
    let wanted: Vec<&Entry> = vector
        .scores
        .iter()
        .chain(&vector.keeps)
        .filter(|e| e.keep.as_ref().is_none_or(|k| k.len() < 5))
        .collect();
    assert_eq!(advice.actions().len(), wanted.len(), "{id}: the actions");
    for entry in wanted {
        let (_, ranked) =
            advice.find(entry.action()).unwrap_or_else(|| panic!("{id}: {:?} is missing", entry.action()));
        assert!((ranked.value - entry.ev).abs() < 1e-6, "{id}: {:?} is {}", ranked.action, entry.ev);
        if let (Action::Score(category), Objective::Game) = (ranked.action, objective) {
            let score = advice.scores()[category];
            let got = (score.box_points, score.upper_bonus, score.yahtzee_bonus);
            assert_eq!(Some(got.0), entry.box_points, "{id}: {category}");
            assert_eq!(Some(got.1), entry.upper_bonus, "{id}: {category}");
            assert_eq!(Some(got.2), entry.yahtzee_bonus, "{id}: {category}");
        }
    }
    let best = advice.best();
    assert!((best.value - vector.value).abs() < 1e-6, "{id}: best {best:?}");
    assert_eq!(advice.find(vector.best.action()).unwrap().1.loss, 0.0, "{id}: best {best:?}");
    assert!(advice.actions().windows(2).all(|pair| pair[0].value >= pair[1].value - 1e-9), "{id}: ranking");
    assert!(advice.actions().iter().all(|ranked| ranked.loss >= 0.0), "{id}: losses");
    let ends: f64 = advice.ends().iter().map(|(_, ends)| ends.scored + ends.zeroed).sum();
    assert!((ends - 1.0).abs() < 1e-9, "{id}: the turn ends somewhere");
}

fn check_folder(folder: &str) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/yahtzee").join(folder);
    let mut tables: BTreeMap<Option<String>, GameTable> = BTreeMap::new();
    let mut count = 0;
    for file in std::fs::read_dir(path).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let vector: Vector = serde_json::from_str(line).unwrap();
            let (objective, rules) = match &vector.rules {
                Some(name) => (Objective::Game, rules(name)),
                None => (Objective::Turn, Rules::OFFICIAL),
            };
            let table =
                tables.entry(vector.rules.clone()).or_insert_with(|| GameTable::build_blocking(&rules));
            let dice = Dice::new(vector.dice).unwrap();
            let position = Position::new(&rules, dice, vector.rolls_left, card(&rules, &vector)).unwrap();
            check(&vector, objective, &table.advise(&position, objective));
            count += 1;
        }
    }
    count
}

#[test]
fn presets_and_the_one_turn_objective() {
    assert_eq!(check_folder("."), 470);
}

#[test]
fn house_rules() {
    assert_eq!(check_folder("house"), 397);
}
