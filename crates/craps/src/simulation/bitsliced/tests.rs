//! The bit-sliced engine against games played one by one.

use super::*;
use crate::dice::Dice;
use crate::round::RoundState;
use proptest::prelude::*;

/// xoshiro128++ as its authors print it.
fn next_narrow(s: &mut [u32; 4]) -> u32 {
    let word = s[0].wrapping_add(s[3]).rotate_left(7).wrapping_add(s[0]);
    let t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3].rotate_left(11);
    word
}

/// The slow obvious way: the same random bits, game by game, with real dice and the state machine of a round.
fn one_game_at_a_time(seed: u64, chunk: u64, decisions: u64) -> PassLineCounts {
    let mut streams: Vec<_> = (0..WORDS as u64).map(|word| narrow_stream_state(seed, chunk, word)).collect();
    let mut games: Vec<Option<RoundState>> =
        (0..LANES).map(|lane| (lane < decisions).then_some(RoundState::ComeOut)).collect();
    let mut to_start = decisions.saturating_sub(LANES);
    let mut counts = PassLineCounts { outcomes: [0; OUTCOMES], rolls: 0 };
    while games.iter().any(Option::is_some) {
        for (word, stream) in streams.iter_mut().enumerate() {
            let planes: [u32; 8] = std::array::from_fn(|_| next_narrow(stream));
            for bit in 0..32 {
                let [c0, c1, c2, a0, a1, a2, p, q] = planes.map(|plane| (plane >> bit & 1) as u8);
                let Some(game) = &mut games[32 * word + bit] else { continue };
                let (c, a) = (c0 + 2 * c1 + 4 * c2, a0 + 2 * a1 + 4 * a2);
                if (c, a) == (7, 7) {
                    continue;
                }
                counts.rolls += 1;
                let t = (8 * a + c) % 9;
                let dice = Dice::new([2 * (t / 3) + p + 1, 2 * (t % 3) + q + 1]).unwrap();
                let before = *game;
                *game = before.roll(dice).unwrap().0;
                let made = match *game {
                    RoundState::Won => 0,
                    RoundState::Lost => 1,
                    _ => continue,
                };
                counts.outcomes[match before {
                    RoundState::Point(point) => 2 + 2 * point.index() + made,
                    _ => made,
                }] += 1;
            }
        }
        for game in games.iter_mut().filter(|game| game.is_some_and(RoundState::is_over)) {
            *game = (to_start > 0).then_some(RoundState::ComeOut);
            to_start = to_start.saturating_sub(1);
        }
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn planes_and_single_games_agree(seed: u64, chunk in 0u64..1 << 40, decisions in 1u64..20_000) {
        let slow = one_game_at_a_time(seed, chunk, decisions);
        prop_assert_eq!(slow.outcomes.iter().sum::<u64>(), decisions);
        prop_assert_eq!(run(Engine::Portable, seed, chunk, decisions), slow);
        prop_assert_eq!(run(Engine::Fastest, seed, chunk, decisions), slow);
    }
}

/// Every ordered pair comes from seven of the 252 patterns that are rolls.
#[test]
fn the_pattern_of_a_roll_is_fair() {
    let mut ways = [0; Dice::COUNT];
    for c in 0..8u8 {
        for a in (0..8u8).filter(|&a| (c, a) != (7, 7)) {
            for (p, q) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let t = (8 * a + c) % 9;
                ways[Dice::new([2 * (t / 3) + p + 1, 2 * (t % 3) + q + 1]).unwrap().index()] += 1;
            }
        }
    }
    assert_eq!(ways, [7; Dice::COUNT]);
}
