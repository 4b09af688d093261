//! An independent judge of plays and a slow, obvious solver, written against the rules and not against the library.

use kibitz::doudizhu::{Counts, Preset, Rank, Rules};
use rand::{Rng, RngExt};

/// How many cards of each rank, 3 to 2, then the small and the big joker.
pub(crate) type Held = [u8; 15];

/// The cards of a string of `3456789TJQKA2BR`.
pub(crate) fn cards(text: &str) -> Counts {
    text.chars()
        .map(|symbol| Rank::ALL.into_iter().find(|rank| rank.symbol() == symbol).expect("a rank"))
        .collect()
}

pub(crate) fn held(counts: Counts) -> Held {
    Rank::ALL.map(|rank| counts.of(rank))
}

/// `size` cards of a shuffled deck.
pub(crate) fn deal(size: usize, random: &mut impl Rng) -> Counts {
    let mut deck: Vec<Rank> = Counts::DECK.ranks().collect();
    (0..size).map(|_| deck.swap_remove(random.random_range(0..deck.len()))).collect()
}

/// The switches of a rule set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switches {
    runs: bool,
    wings: bool,
    four_two: bool,
    equal_singles: bool,
    equal_pairs: bool,
    both_jokers: bool,
    four_two_equal_singles: bool,
    four_two_equal_pairs: bool,
    four_two_jokers: bool,
    four_equal_wings: bool,
    lengthening: bool,
}

impl From<Preset> for Switches {
    fn from(preset: Preset) -> Self {
        Self::from(match preset {
            Preset::Simple => [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
            Preset::Noip => [1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1],
            Preset::Standard => [1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0],
            Preset::Douzero => [1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1],
            Preset::Pagat => [1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1],
            Preset::Loose => [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
        })
    }
}

impl From<[u8; 11]> for Switches {
    fn from(table: [u8; 11]) -> Self {
        let on = |i: usize| table[i] == 1;
        Self {
            runs: on(0),
            wings: on(1),
            four_two: on(2),
            equal_singles: on(3),
            equal_pairs: on(4),
            both_jokers: on(5),
            four_two_equal_singles: on(6),
            four_two_equal_pairs: on(7),
            four_two_jokers: on(8),
            four_equal_wings: on(9),
            lengthening: on(10),
        }
    }
}

impl From<Switches> for Rules {
    fn from(switches: Switches) -> Self {
        Self {
            runs: switches.runs,
            plane_wings: switches.wings,
            equal_single_wings: switches.equal_singles,
            equal_pair_wings: switches.equal_pairs,
            both_jokers_as_wings: switches.both_jokers,
            four_equal_wings: switches.four_equal_wings,
            lengthening_wings: switches.lengthening,
            four_with_two: switches.four_two,
            four_with_equal_singles: switches.four_two_equal_singles,
            four_with_both_jokers: switches.four_two_jokers,
            four_with_equal_pairs: switches.four_two_equal_pairs,
        }
    }
}

/// Whether these cards, all of them, are one legal play.
pub(crate) fn is_play(held: &Held, rules: impl Into<Switches>) -> bool {
    let rules = rules.into();
    let number: u8 = held.iter().sum();
    let ranks: Vec<usize> = (0..15).filter(|&rank| held[rank] > 0).collect();
    let Some((&lowest, &highest)) = ranks.first().zip(ranks.last()) else { return false };
    let mut counts: Vec<u8> = ranks.iter().map(|&rank| held[rank]).collect();
    counts.sort_unstable();
    if ranks.len() == 1 || ranks == [13, 14] || counts == [1, 3] || counts == [2, 3] {
        return true;
    }
    let level = counts.first() == counts.last();
    if rules.runs && level && highest - lowest == ranks.len() - 1 && highest <= 11 {
        let shortest = [0, 5, 3, 2, 99][usize::from(counts[0])];
        if ranks.len() >= shortest {
            return true;
        }
    }
    if rules.four_two && (number == 6 || number == 8) {
        for &four in ranks.iter().filter(|&&rank| held[rank] == 4) {
            let rest: Vec<usize> = ranks.iter().copied().filter(|&rank| rank != four).collect();
            let legal = match (number, rest.len()) {
                (6, 1) => rules.four_two_equal_singles,
                (6, 2) => rules.four_two_jokers || rest != [13, 14],
                (8, 1) => rules.four_two_equal_pairs,
                (8, 2) => rest.iter().all(|&rank| held[rank] == 2),
                _ => false,
            };
            if legal {
                return true;
            }
        }
    }
    // Without runs there are no planes to carry wings.
    rules.runs && rules.wings && is_winged_plane(held, number, &rules)
}

fn is_winged_plane(held: &Held, number: u8, rules: &Switches) -> bool {
    for size in [4, 5] {
        if !number.is_multiple_of(size) || number / size < 2 {
            continue;
        }
        let length = usize::from(number / size);
        for start in 0..=12usize.saturating_sub(length) {
            let body = start..start + length;
            if body.end > 12 || held[body.clone()].iter().any(|&count| count != 3) {
                continue;
            }
            let wings: Vec<usize> = (0..15).filter(|rank| held[*rank] > 0 && !body.contains(rank)).collect();
            let longer = (start > 0 && held[start - 1] >= 3) || (body.end <= 11 && held[body.end] >= 3);
            let legal = if size == 4 {
                (rules.equal_singles || wings.iter().all(|&rank| held[rank] == 1))
                    && (rules.both_jokers || held[13] + held[14] < 2)
                    && (rules.four_equal_wings || wings.iter().all(|&rank| held[rank] < 4))
                    && (rules.lengthening || !longer)
            } else {
                wings
                    .iter()
                    .all(|&rank| held[rank].is_multiple_of(2) && (rules.equal_pairs || held[rank] < 4))
            };
            if legal {
                return true;
            }
        }
    }
    false
}

/// Every choice of some of these cards (none and all too). The place of a part in the list is a number with a digit a
/// rank, so taking cards away takes their own place away from it.
pub(crate) fn parts(whole: &Held) -> Vec<Held> {
    let mut parts = vec![[0; 15]];
    for (rank, &most) in whole.iter().enumerate() {
        let shorter = parts.clone();
        for count in 1..=most {
            parts.extend(shorter.iter().map(|part| {
                let mut part = *part;
                part[rank] = count;
                part
            }));
        }
    }
    parts
}

pub(crate) fn to_counts(held: &Held) -> Counts {
    Rank::ALL
        .into_iter()
        .flat_map(|rank| std::iter::repeat_n(rank, usize::from(held[rank.index()])))
        .collect()
}

/// The least number of plays of every part of a hand: all plays are listed, and some play uses the lowest card.
pub(crate) fn slow_min_plays(whole: &Held, rules: impl Into<Switches>) -> Vec<(Held, u8)> {
    let rules = rules.into();
    let parts = parts(whole);
    let lowest = |part: &Held| part.iter().position(|&count| count > 0);
    let mut plays: Vec<Vec<(usize, Held)>> = vec![Vec::new(); 15];
    for (place, part) in parts.iter().enumerate().filter(|(_, part)| is_play(part, rules)) {
        plays[lowest(part).expect("a play has cards")].push((place, *part));
    }
    let mut least: Vec<u8> = vec![0];
    for (place, part) in parts.iter().enumerate().skip(1) {
        let fitting = plays[lowest(part).expect("only the first part is empty")]
            .iter()
            .filter(|(_, play)| play.iter().zip(part).all(|(used, held)| used <= held));
        let best = fitting.map(|&(used, _)| least[place - used] + 1).min();
        least.push(best.expect("a single card is always a play"));
    }
    parts.into_iter().zip(least).collect()
}
