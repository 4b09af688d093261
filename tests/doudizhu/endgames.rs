//! Endgames: the solver against a plain recursion and published positions, and what is easily got wrong.

use crate::fuzz::{fuzz, seeds};
use crate::judge::{Held, cards, held, to_counts};
use crate::plain_endgame::{Beat, Plain, shapes};
use kibitz::chinese::InChinese;
use kibitz::doudizhu::{Counts, Endgame, EndgameFault, Kind, Play, Preset, Rank, Solution, Solver, reading};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

fn solver(preset: Preset) -> Solver {
    Solver::new(preset.rules())
}

fn play(text: &str) -> Play {
    reading(cards(text), None, &Preset::Standard.rules()).expect("a play")
}

fn solve(hands: &[&str], to_move: usize, beat: Option<(usize, &str)>) -> Solution {
    let hands: Vec<Counts> = hands.iter().map(|hand| cards(hand)).collect();
    let beat = beat.map(|(by, text)| (by, play(text)));
    let endgame = Endgame::new(&hands, to_move, beat, &[]).expect("a legal endgame");
    endgame.solve(&solver(Preset::Standard), |_| true)
}

/// The moves as text (`pass` for a pass) that win.
fn winning(solution: &Solution) -> Vec<String> {
    let text = |play: Option<Play>| play.map_or("pass".to_owned(), |play| play.to_string());
    solution.moves().iter().filter(|one| one.wins == Some(true)).map(|one| text(one.play)).collect()
}

/// Moves by kind and cards, with their results.
type Results = BTreeMap<(String, Counts), Option<bool>>;

fn results(solution: &Solution) -> Results {
    let moves = solution.moves().iter();
    let all: Results = moves
        .map(|one| match one.play {
            Some(play) => ((play.kind().name().to_owned(), play.cards()), one.wins),
            None => (("pass".to_owned(), Counts::EMPTY), one.wins),
        })
        .collect();
    assert_eq!(all.len(), solution.moves().len(), "no move is listed twice");
    all
}

/// A random endgame of up to `most` cards a hand. Few different ranks make runs, planes and bombs.
fn random_hands(seats: usize, most: usize, random: &mut impl Rng) -> Vec<Counts> {
    let width = random.random_range(4..=13);
    let start = random.random_range(0..=13 - width);
    let ranks = |rank: &Rank| rank.is_joker() || (start..start + width).contains(&rank.index());
    let mut deck: Vec<Rank> = Counts::DECK.ranks().filter(ranks).collect();
    let mut hand = || {
        let size = random.random_range(1..=most).min(deck.len() / 2);
        (0..size).map(|_| deck.swap_remove(random.random_range(0..deck.len()))).collect()
    };
    (0..seats).map(|_| hand()).collect()
}

/// A play that some hand of the deck could have made, by any seat but the one to move.
fn random_beat(
    seats: usize,
    to_move: usize,
    solver: &Solver,
    random: &mut impl Rng,
) -> Option<(usize, Play)> {
    let other = random_hands(1, 8, random)[0];
    let plays = kibitz::doudizhu::legal_plays(other, solver.rules());
    let by = (to_move + random.random_range(1..seats)) % seats;
    random.random_bool(0.5).then(|| (by, plays[random.random_range(0..plays.len())]))
}

fn check_against_plain(seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let preset = Preset::ALL[random.random_range(0..6)];
    let solver = solver(preset);
    // A plain recursion over three hands of nine cards takes seconds.
    let three = if random.random_bool(0.04) { 9 } else { 6 };
    let (seats, most) = if random.random_bool(0.5) { (2, 9) } else { (3, three) };
    let hands = random_hands(seats, most, &mut random);
    let to_move = random.random_range(0..seats);
    let beat = random_beat(seats, to_move, &solver, &mut random);
    let mut forbidden = Vec::new();
    while random.random_bool(0.3) {
        let kind = Kind::ALL[random.random_range(1..14)];
        if beat.is_none_or(|(_, beat)| beat.kind() != kind) {
            forbidden.push(kind);
        }
    }
    let endgame = Endgame::new(&hands, to_move, beat, &forbidden).expect("a legal endgame");
    let solution = endgame.solve(&solver, |_| true);
    let about = || format!("{endgame:?} under {preset:?}, seed {seed}");

    let names: Vec<&str> = forbidden.iter().map(|kind| kind.name()).collect();
    let mut plain = Plain::new(solver.rules(), &names);
    let held: Vec<Held> = hands.iter().map(|&hand| held(hand)).collect();
    let beat: Beat =
        beat.map(|(by, play)| (by, (play.kind().name(), play.rank().index(), play.length().into())));
    let first_side_moves = to_move == 0;
    let mut right = Results::new();
    for (cards, shape) in plain.plays(&held[to_move], beat) {
        let wins = plain.first_side_wins_after(&held, to_move, (cards, shape)) == first_side_moves;
        let known = right.entry((shape.0.to_owned(), to_counts(&cards))).or_insert(Some(false));
        *known = Some(wins || *known == Some(true));
    }
    if beat.is_some() {
        let wins = plain.first_side_wins_after_pass(&held, to_move, beat) == first_side_moves;
        right.insert(("pass".to_owned(), Counts::EMPTY), Some(wins));
    }
    assert_eq!(results(&solution), right, "{}", about());
    let wins = plain.first_side_wins(&held, to_move, beat) == first_side_moves;
    assert_eq!(solution.wins(), Some(wins), "{}", about());
    check_line(&solution, held, to_move, beat, &mut plain, &about());
}

/// The line is legal, ends with an empty hand, and the side that should win never lets go of the win.
fn check_line(
    solution: &Solution,
    mut hands: Vec<Held>,
    mut to_move: usize,
    mut beat: Beat,
    plain: &mut Plain<'_>,
    about: &str,
) {
    let first_side = plain.first_side_wins(&hands, to_move, beat);
    for turn in solution.line() {
        assert_eq!(turn.seat, to_move, "{about}");
        assert!(hands.iter().all(|hand| *hand != [0; 15]), "{about}");
        let next = (to_move + 1) % hands.len();
        if let Some(play) = turn.play {
            let cards = held(play.cards());
            let shape = (play.kind().name(), play.rank().index(), usize::from(play.length()));
            assert!(plain.plays(&hands[to_move], beat).contains(&(cards, shape)), "{play} in {about}");
            assert_eq!(plain.first_side_wins_after(&hands, to_move, (cards, shape)), first_side, "{about}");
            hands[to_move] = std::array::from_fn(|rank| hands[to_move][rank] - cards[rank]);
            beat = Some((to_move, shape));
        } else {
            assert!(beat.is_some(), "a pass on a lead: {about}");
            beat = beat.filter(|(by, _)| *by != next);
        }
        to_move = next;
    }
    assert!(hands.contains(&[0; 15]), "the line does not end: {about}");
}

#[test]
fn fuzz_endgames_agree_with_a_plain_recursion() {
    fuzz(150, &seeds(), check_against_plain);
}

#[derive(serde::Deserialize)]
struct Vector {
    id: String,
    rules: Preset,
    hands: Option<[String; 2]>,
    landlord: Option<String>,
    next: Option<String>,
    previous: Option<String>,
    to_move: Option<String>,
    beat: Option<VectorBeat>,
    #[serde(default)]
    forbidden: BTreeSet<String>,
    moves: Vec<VectorMove>,
}

#[derive(serde::Deserialize)]
struct VectorBeat {
    cards: String,
}

#[derive(serde::Deserialize)]
struct VectorMove {
    kind: String,
    #[serde(default)]
    cards: String,
    wins: Option<bool>,
    landlord_wins: Option<bool>,
}

fn check_vectors(lines: &str) -> usize {
    for line in lines.lines() {
        let vector: Vector = serde_json::from_str(line).expect("a vector");
        let three = [vector.landlord, vector.next, vector.previous].into_iter().flatten();
        let hands: Vec<Counts> =
            vector.hands.into_iter().flatten().chain(three).map(|hand| cards(&hand)).collect();
        let seats = ["landlord", "next", "previous"];
        let to_move =
            vector.to_move.map_or(0, |name| seats.iter().position(|seat| *seat == name).expect("a seat"));
        let solver = solver(vector.rules);
        let beat =
            vector.beat.map(|beat| (1, reading(cards(&beat.cards), None, solver.rules()).expect("a play")));
        let forbidden: Vec<Kind> =
            Kind::ALL.into_iter().filter(|kind| vector.forbidden.contains(kind.name())).collect();
        let endgame = Endgame::new(&hands, to_move, beat, &forbidden).expect("a legal endgame");
        let solution = endgame.solve(&solver, |_| true);
        let right: Results = vector
            .moves
            .into_iter()
            .map(|one| {
                let landlord = one.landlord_wins.map(|wins| wins == (to_move == 0));
                ((one.kind, cards(&one.cards)), one.wins.or(landlord))
            })
            .collect();
        assert_eq!(results(&solution), right, "{}", vector.id);
        assert_eq!(solution.wins(), Some(right.values().any(|wins| *wins == Some(true))), "{}", vector.id);
    }
    lines.lines().count()
}

#[test]
fn two_hands_agree_with_independent_answers() {
    assert_eq!(check_vectors(include_str!("../vectors/doudizhu/endgames/two-hands.jsonl")), 18);
    assert_eq!(check_vectors(include_str!("../vectors/doudizhu/endgames/two-hands-larger.jsonl")), 6);
}

#[test]
fn three_hands_agree_with_independent_answers() {
    assert_eq!(check_vectors(include_str!("../vectors/doudizhu/endgames/three-hands.jsonl")), 10);
}

#[test]
fn published_positions_agree_with_independent_answers() {
    assert_eq!(check_vectors(include_str!("../vectors/doudizhu/endgames/published.jsonl")), 6);
}

#[test]
fn hand_that_is_one_play_wins_on_the_lead_and_on_a_lower_play() {
    for hand in ["3", "BR", "34567", "33344455", "333344", "33334455"] {
        let solution = solve(&[hand, "999TTJJQQKK2"], 0, None);
        assert_eq!(solution.wins(), Some(true), "{hand}");
        assert_eq!(solution.line().len(), 1, "{hand}");
    }
    assert_eq!(winning(&solve(&["44", "3"], 0, Some((1, "33")))), ["44"]);
    assert_eq!(winning(&solve(&["44", "35"], 0, Some((1, "55")))), Vec::<String>::new());
}

#[test]
fn pass_can_be_the_only_move_that_wins() {
    let solution = solve(&["69AA2", "388Q2"], 0, Some((1, "J")));
    assert_eq!(winning(&solution), ["pass"]);
    assert_eq!(solution.line()[0].play, None);
    assert_eq!(solution.in_english(), "The side to move wins by a pass; 1 of 3 moves wins.");
    assert_eq!(solution.in_chinese(), "轮到的一方必胜，例如不出；3 种选择中有 1 种获胜。");
}

#[test]
fn play_of_a_partner_can_be_better_not_beaten() {
    let solution = solve(&["68T", "35J", "379"], 2, Some((1, "6")));
    assert_eq!(solution.moves().len(), 3);
    assert_eq!(winning(&solution), ["pass"]);
}

#[test]
fn four_with_two_is_no_bomb() {
    // The pair beats nothing, and 333344 cannot be made on a single.
    let solution = solve(&["333344", "55"], 0, Some((1, "5")));
    let moves: Vec<String> =
        solution.moves().iter().filter_map(|one| one.play).map(|play| play.to_string()).collect();
    assert_eq!(moves, ["3333"]);
}

#[test]
fn forbidden_kickers_change_the_result() {
    let hands = [cards("33344"), cards("5555")];
    let solver = solver(Preset::Standard);
    let wins = |forbidden: &[Kind]| {
        Endgame::new(&hands, 0, None, forbidden).expect("legal").solve(&solver, |_| true).wins()
    };
    assert_eq!(wins(&[]), Some(true));
    assert_eq!(wins(&[Kind::TriplePair]), Some(false));
    assert_eq!(wins(&[Kind::TriplePair, Kind::Bomb]), Some(true));
}

#[test]
fn search_that_is_stopped_answers_unknown() {
    let hands = [cards("44689TQKAA22"), cards("5689JQQKK2BR")];
    let endgame = Endgame::new(&hands, 0, None, &[]).expect("legal");
    let solver = solver(Preset::Standard);
    let whole = endgame.solve(&solver, |_| true);
    assert!(whole.is_complete() && whole.wins().is_some());
    let mut least = u64::MAX;
    for limit in [0, 5_000, 20_000] {
        let part = endgame.solve(&solver, |positions| positions < limit);
        assert!(!part.is_complete() && part.line().is_empty());
        assert!(part.positions() <= limit + 1024);
        let known = results(&part);
        for (one, wins) in results(&whole) {
            assert!(known[&one].is_none() || known[&one] == wins, "{one:?} is a guess");
        }
        least = least.min(known.values().filter(|wins| wins.is_none()).count() as u64);
        if limit == 0 {
            assert_eq!(part.wins(), None);
            assert_eq!(part.in_english(), "The result is not known: the search was stopped before it ended.");
        }
    }
    assert!(least > 0);
}

#[test]
fn every_fault_of_an_endgame_is_listed() {
    let faults = |hands: &[&str], to_move, beat: Option<(usize, &str)>, forbidden: &[Kind]| {
        let hands: Vec<Counts> = hands.iter().map(|hand| cards(hand)).collect();
        Endgame::new(&hands, to_move, beat.map(|(by, text)| (by, play(text))), forbidden).expect_err("faults")
    };
    assert_eq!(faults(&["3"], 0, None, &[]), [EndgameFault::NumberOfHands { number: 1 }]);
    assert_eq!(
        faults(&["", "3333R", "34R"], 3, Some((3, "44")), &[Kind::Pair, Kind::Single]),
        [
            EndgameFault::EmptyHand { seat: 0 },
            EndgameFault::TooManyOfRank { seat: 2, rank: Rank::Three, number: 5 },
            EndgameFault::TooManyOfRank { seat: 2, rank: Rank::RedJoker, number: 2 },
            EndgameFault::NoSeatToMove { seat: 3, seats: 3 },
            EndgameFault::NoSeatToBeat { seat: 3, seats: 3 },
            EndgameFault::ForbiddenBeat { kind: Kind::Pair },
            EndgameFault::ForbiddenSingle,
        ]
    );
    assert_eq!(faults(&["3", "4"], 1, Some((1, "5")), &[]), [EndgameFault::BeatsItself { seat: 1 }]);
}

#[test]
fn own_recogniser_of_the_plain_recursion_agrees_with_the_library() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for number in 0..600 {
        let rules = Preset::ALL[number % 6].rules();
        let hand = random_hands(1, 10, &mut random)[0];
        let ours: BTreeSet<(&str, usize, usize)> = kibitz::doudizhu::readings(hand, &rules)
            .into_iter()
            .map(|play| (play.kind().name(), play.rank().index(), usize::from(play.length())))
            .collect();
        assert_eq!(shapes(&held(hand), &rules).into_iter().collect::<BTreeSet<_>>(), ours, "{hand}");
    }
}
