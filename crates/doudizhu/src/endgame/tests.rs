use super::position::Position;
use super::search::Search;
use super::table::Table;
use super::{Endgame, Game};
use crate::{Counts, Hand, Play, Preset, Solver, reading};

fn cards(text: &str) -> Counts {
    Hand::from_text(text).expect("cards").counts()
}

fn play(text: &str) -> Play {
    reading(cards(text), None, &Preset::Standard.rules()).expect("a play")
}

fn key(hands: [&str; 2], to_move: usize, beat: Option<&str>) -> super::key::Key<2> {
    let beat = beat.map(|text| (1 - to_move, play(text)));
    let game = Game::new(Preset::Standard.rules(), &[]);
    Position { hands: hands.map(cards), to_move, beat }.key(&game)
}

#[test]
fn positions_that_differ_in_nothing_that_counts_have_one_key() {
    let same = [
        (["3568", "479"], None, ["4679", "58T"], None),
        (["3K", "4A"], None, ["4A", "52"], None),
        (["344", "5"], None, ["334", "5"], None),
        (["79", "58"], Some("3"), ["79", "58"], Some("6")),
        (["79", "58"], Some("34567"), ["79", "58"], Some("2222")),
        (["7A", "58B"], None, ["7A", "582"], None),
    ];
    for (hands, beat, others, other_beat) in same {
        assert_eq!(key(hands, 0, beat), key(others, 0, other_beat), "{hands:?} {beat:?}");
    }
    assert_eq!(key(["3568", "479"], 0, None), key(["479", "3568"], 1, None));
}

#[test]
fn positions_that_differ_in_what_counts_have_other_keys() {
    let other = [
        (["3568", "479"], None, ["3569", "478"], None, "the order of the ranks"),
        (["34567", "8"], None, ["34568", "9"], None, "a straight"),
        (["79", "58"], Some("6"), ["79", "58"], Some("8"), "a 7 beats a 6, not an 8"),
        (["355", "T"], Some("4"), ["335", "T"], Some("4"), "only a part of the hand beats a 4"),
        (["BR3", "4"], None, ["2R3", "4"], None, "the rocket"),
        (["79", "58"], None, ["79", "58"], Some("3"), "a lead"),
        (["777749", "58"], Some("34567"), ["777749", "58"], Some("8888"), "a bomb beats a straight"),
    ];
    for (hands, beat, others, other_beat, why) in other {
        assert_ne!(key(hands, 0, beat), key(others, 0, other_beat), "{why}");
    }
}

#[test]
fn table_stays_within_its_bound_and_never_gives_a_wrong_entry() {
    let game = Game::new(Preset::Standard.rules(), &[]);
    // Runs keep the keys apart.
    let run = cards("9TJQK").bits();
    let keys: Vec<_> = (0..100_000_u64)
        .map(|bits| {
            let low = |bits: u64| (0..6).map(|rank| (bits >> (2 * rank) & 3) << (4 * rank)).sum::<u64>();
            let hands = [low(bits) | run, low(bits >> 12) | run].map(Counts::from_bits);
            Position { hands, to_move: 0, beat: None }.key(&game)
        })
        .collect();
    for most_bytes in [1 << 16, 1 << 20, 1 << 21] {
        let mut table = Table::<2>::new(most_bytes);
        let mut moves = Vec::new();
        for (number, key) in keys.iter().enumerate() {
            let (before, held) = table.storage();
            table.insert(key, key.hash() & 1 == 0, number as u64 % 7);
            let (after, bytes) = table.storage();
            assert!(bytes <= most_bytes);
            if after != before {
                moves.push(held);
            }
        }
        // While it moves, the old table and the new one are there at once.
        assert!(moves.iter().all(|&held| held <= 1 << 19), "{moves:?}");
        let found: Vec<_> = keys.iter().filter_map(|key| table.get(key).map(|wins| (key, wins))).collect();
        assert!(found.len() > most_bytes / 100, "{} in {most_bytes} bytes", found.len());
        assert!(found.into_iter().all(|(key, wins)| wins == (key.hash() & 1 == 0)));
    }
}

#[test]
fn table_that_is_far_too_small_changes_no_result() {
    let endgame = Endgame::new(&[cards("46889JQKAA"), cards("35789TTQB")], 0, None, &[]).expect("legal");
    let solver = Solver::new(Preset::Standard.rules());
    let (large, small) = (endgame.solve(&solver, |_| true), endgame.solve_within(&solver, 1 << 10, |_| true));
    assert_eq!(large.moves(), small.moves());
    assert!(small.positions() > large.positions());
}

#[test]
fn seats_are_partners_unless_one_is_the_landlord() {
    let two = Endgame::new(&[cards("3"), cards("4")], 0, None, &[]).expect("legal");
    let three = Endgame::new(&[cards("3"), cards("4"), cards("5")], 0, None, &[]).expect("legal");
    assert!(!two.are_partners(0, 1) && !three.are_partners(0, 2) && three.are_partners(2, 1));
}

/// A player who can only pass is no position of its own.
#[test]
fn forced_pass_costs_no_position() {
    let (game, solver) = (Game::new(Preset::Standard.rules(), &[]), Solver::new(Preset::Standard.rules()));
    let mut go_on = |_| true;
    let mut search = Search::<2>::new(&game, &solver, 1 << 20, &mut go_on);
    let position = Position { hands: [cards("3"), cards("4")], to_move: 1, beat: Some((0, play("5"))) };
    assert_eq!(search.first_side_wins(position), Ok(true));
    assert_eq!(search.positions(), 1);
}
