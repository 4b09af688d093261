//! Hands that public solvers get wrong, with the right answers under each rule set that differs.

use crate::judge::cards;
use kibitz::doudizhu::{Preset, Solver};

/// Hand, the usual mistake, and the least number of plays under noip, standard, pagat and loose.
const PITFALLS: [(&str, &str, [u8; 4]); 27] = [
    ("AAAA2222", "a bomb never cut into two pairs for another four", [1, 2, 2, 1]),
    ("3333666999KK", "a triple never cut", [2, 2, 2, 2]),
    ("333BR", "both jokers taken as a pair", [2, 2, 2, 2]),
    ("333666BR", "the rocket never split", [2, 2, 2, 2]),
    ("7777BR", "both jokers as the two kickers", [1, 2, 2, 1]),
    ("333444BR", "both jokers as wings", [2, 2, 2, 1]),
    ("333355", "a pair as two single kickers", [1, 1, 2, 1]),
    ("33334", "a four with one kicker", [2, 2, 2, 2]),
    ("JQKA2", "a 2 in a straight", [5, 5, 5, 5]),
    ("345A2", "a straight around the corner", [5, 5, 5, 5]),
    ("3QKA2", "a straight around the corner", [5, 5, 5, 5]),
    ("TJQKB", "a joker in a straight", [5, 5, 5, 5]),
    ("TJQKA", "the ace left out of straights", [1, 1, 1, 1]),
    ("QQKKAA", "the ace left out of pair straights", [1, 1, 1, 1]),
    ("889TJQKAAA", "runs taken whole", [2, 2, 2, 2]),
    ("33334567", "a bomb never cut for a straight", [2, 2, 2, 2]),
    ("345678899TT", "the straight eats the pair straight", [2, 2, 2, 2]),
    ("3334445566", "pair wings forgotten", [2, 1, 1, 1]),
    ("33344455", "equal wings", [2, 1, 2, 1]),
    ("3334445556667777", "a bomb as four wings", [2, 2, 2, 1]),
    ("33334445", "a wing of the body's rank", [2, 2, 2, 2]),
    ("333444555777", "a triple as three wings", [2, 1, 2, 1]),
    ("3445677", "straights only from ranks held once", [3, 3, 3, 3]),
    ("444556789", "the longest straight first", [2, 2, 2, 2]),
    ("3344556677", "each rank counted alone as a bound", [1, 1, 1, 1]),
    ("333345", "fewer cards may need more plays", [1, 1, 1, 1]),
    ("333444556", "mixed wings", [2, 2, 2, 2]),
];

#[test]
fn none_of_the_usual_mistakes_is_made() {
    let presets = [Preset::Noip, Preset::Standard, Preset::Pagat, Preset::Loose];
    for (preset, column) in presets.into_iter().zip(0..) {
        let solver = Solver::new(preset.rules());
        for (hand, mistake, answers) in PITFALLS {
            assert_eq!(solver.min_plays(cards(hand)), answers[column], "{hand} under {preset:?}: {mistake}");
        }
    }
}
