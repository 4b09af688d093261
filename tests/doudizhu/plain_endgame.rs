//! A slow, obvious solver of endgames with a recogniser of its own, written against the rules and not against the library.

use crate::judge::{Held, parts};
use kibitz::doudizhu::Rules;
use std::collections::HashMap;

/// A play as its kind on the wire, the index of the lowest rank of its body, and how many ranks in a row that has.
pub(crate) type Shape = (&'static str, usize, usize);

/// The play on the table and the seat that made it.
pub(crate) type Beat = Option<(usize, Shape)>;

const ACE: usize = 11;
const SMALL_JOKER: usize = 13;

/// Every play that these cards, all of them, can be read as.
pub(crate) fn shapes(cards: &Held, rules: &Rules) -> Vec<Shape> {
    let number: u8 = cards.iter().sum();
    let ranks: Vec<usize> = (0..15).filter(|&rank| cards[rank] > 0).collect();
    let mut shapes = Vec::new();
    if ranks.len() == 1 {
        let name = ["single", "pair", "triple", "bomb"][usize::from(number) - 1];
        shapes.push((name, ranks[0], 1));
    }
    if ranks == [13, 14] {
        shapes.push(("rocket", SMALL_JOKER, 1));
    }
    if ranks.len() == 2 {
        let triple = ranks.iter().find(|&&rank| cards[rank] == 3);
        let kicker = ranks.iter().map(|&rank| cards[rank]).min();
        match (triple, number, kicker) {
            (Some(&rank), 4, Some(1)) => shapes.push(("triple_single", rank, 1)),
            (Some(&rank), 5, Some(2)) => shapes.push(("triple_pair", rank, 1)),
            _ => {}
        }
    }
    if rules.runs {
        add_runs(cards, &ranks, &mut shapes);
        if rules.plane_wings {
            add_planes(cards, number, rules, &mut shapes);
        }
    }
    if rules.four_with_two {
        add_fours(cards, number, &ranks, rules, &mut shapes);
    }
    shapes
}

fn add_runs(cards: &Held, ranks: &[usize], shapes: &mut Vec<Shape>) {
    let (lowest, highest) = (ranks[0], ranks[ranks.len() - 1]);
    let level = ranks.iter().all(|&rank| cards[rank] == cards[lowest]);
    if !level || highest > ACE || highest - lowest + 1 != ranks.len() {
        return;
    }
    match (cards[lowest], ranks.len()) {
        (1, 5..) => shapes.push(("straight", lowest, ranks.len())),
        (2, 3..) => shapes.push(("pair_straight", lowest, ranks.len())),
        (3, 2..) => shapes.push(("plane", lowest, ranks.len())),
        _ => {}
    }
}

fn add_planes(cards: &Held, number: u8, rules: &Rules, shapes: &mut Vec<Shape>) {
    for first in 0..ACE {
        for length in 2..=ACE + 1 - first {
            let body = first..first + length;
            if cards[body.clone()].iter().any(|&count| count != 3) {
                break;
            }
            let wings: Vec<usize> = (0..15).filter(|rank| cards[*rank] > 0 && !body.contains(rank)).collect();
            let most = |most: u8| wings.iter().all(|&rank| cards[rank] <= most);
            let beside = [first.checked_sub(1), (body.end <= ACE).then_some(body.end)];
            let lengthens = beside.into_iter().flatten().any(|rank| cards[rank] >= 3);
            let number = usize::from(number);
            if number == 4 * length
                && (rules.equal_single_wings || most(1))
                && (rules.four_equal_wings || most(3))
                && (rules.both_jokers_as_wings || cards[13] + cards[14] < 2)
                && (rules.lengthening_wings || !lengthens)
            {
                shapes.push(("plane_singles", first, length));
            }
            if number == 5 * length
                && wings.iter().all(|&rank| cards[rank].is_multiple_of(2))
                && (rules.equal_pair_wings || most(2))
            {
                shapes.push(("plane_pairs", first, length));
            }
        }
    }
}

fn add_fours(cards: &Held, number: u8, ranks: &[usize], rules: &Rules, shapes: &mut Vec<Shape>) {
    for &four in ranks.iter().filter(|&&rank| cards[rank] == 4) {
        let others: Vec<usize> = ranks.iter().copied().filter(|&rank| rank != four).collect();
        let counts: Vec<u8> = others.iter().map(|&rank| cards[rank]).collect();
        match (number, &counts[..]) {
            (6, [2]) if rules.four_with_equal_singles => shapes.push(("four_two_singles", four, 1)),
            (6, [1, 1]) if rules.four_with_both_jokers || others != [13, 14] => {
                shapes.push(("four_two_singles", four, 1));
            }
            (8, [2, 2]) => shapes.push(("four_two_pairs", four, 1)),
            (8, [4]) if rules.four_with_equal_pairs => shapes.push(("four_two_pairs", four, 1)),
            _ => {}
        }
    }
}

/// Whether one play may be made on another.
pub(crate) fn beats(play: Shape, other: Shape) -> bool {
    match (play.0, other.0) {
        (_, "rocket") => false,
        ("rocket", _) => true,
        ("bomb", kind) if kind != "bomb" => true,
        _ => play.0 == other.0 && play.2 == other.2 && play.1 > other.1,
    }
}

/// A plain recursion over all plays, with a memory of positions.
pub(crate) struct Plain<'a> {
    rules: &'a Rules,
    forbidden: &'a [&'static str],
    plays: HashMap<Held, Vec<(Held, Shape)>>,
    known: HashMap<(Vec<Held>, usize, Beat), bool>,
}

impl<'a> Plain<'a> {
    pub(crate) fn new(rules: &'a Rules, forbidden: &'a [&'static str]) -> Self {
        Self { rules, forbidden, plays: HashMap::new(), known: HashMap::new() }
    }

    /// How many positions have been searched.
    #[allow(dead_code, reason = "only the benchmark asks")]
    pub(crate) fn positions(&self) -> usize {
        self.known.len()
    }

    /// Every play of a hand on `beat`: the cards, and what they are read as.
    pub(crate) fn plays(&mut self, hand: &Held, beat: Beat) -> Vec<(Held, Shape)> {
        let all = self.plays.entry(*hand).or_insert_with(|| {
            let mut plays = Vec::new();
            for part in parts(hand).into_iter().filter(|part| part.iter().any(|&count| count > 0)) {
                let shapes = shapes(&part, self.rules);
                let allowed = shapes.into_iter().filter(|shape| !self.forbidden.contains(&shape.0));
                plays.extend(allowed.map(|shape| (part, shape)));
            }
            plays
        });
        all.iter().copied().filter(|(_, shape)| beat.is_none_or(|(_, other)| beats(*shape, other))).collect()
    }

    /// Whether the side of seat 0 wins after the seat to move plays those cards.
    pub(crate) fn first_side_wins_after(
        &mut self,
        hands: &[Held],
        to_move: usize,
        (cards, shape): (Held, Shape),
    ) -> bool {
        let mut hands = hands.to_vec();
        for (held, played) in hands[to_move].iter_mut().zip(cards) {
            *held -= played;
        }
        if hands[to_move] == [0; 15] {
            return to_move == 0;
        }
        let next = (to_move + 1) % hands.len();
        self.first_side_wins(&hands, next, Some((to_move, shape)))
    }

    /// Whether the side of seat 0 wins after the seat to move passes.
    pub(crate) fn first_side_wins_after_pass(&mut self, hands: &[Held], to_move: usize, beat: Beat) -> bool {
        let next = (to_move + 1) % hands.len();
        self.first_side_wins(hands, next, beat.filter(|(by, _)| *by != next))
    }

    /// Whether the side of seat 0 wins.
    pub(crate) fn first_side_wins(&mut self, hands: &[Held], to_move: usize, beat: Beat) -> bool {
        let position = (hands.to_vec(), to_move, beat);
        if let Some(&known) = self.known.get(&position) {
            return known;
        }
        let first_side_moves = to_move == 0;
        let mut found = self
            .plays(&hands[to_move], beat)
            .into_iter()
            .any(|play| self.first_side_wins_after(hands, to_move, play) == first_side_moves);
        if !found && beat.is_some() {
            found = self.first_side_wins_after_pass(hands, to_move, beat) == first_side_moves;
        }
        let wins = found == first_side_moves;
        self.known.insert(position, wins);
        wins
    }
}
