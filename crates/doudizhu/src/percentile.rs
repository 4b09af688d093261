//! How a hand compares with all hands of its size.

use super::rules::Preset;

/// The exact shares of all hands of one size that need fewer plays than a given hand, as many, and more. They add up
/// to 1.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Percentile {
    /// The share that needs fewer plays.
    pub fewer: f64,
    /// The share that needs as many.
    pub same: f64,
    /// The share that needs more.
    pub more: f64,
}

/// The percentile of a hand of `card_count` cards that needs `min_plays` among all hands of that size; known for 17 and 20
/// cards under [`Preset::Noip`] and [`Preset::Standard`].
///
/// ```
/// use kibitz_doudizhu::{Preset, percentile};
/// let good = percentile(Preset::Standard, 20, 4).unwrap();
/// assert!(good.fewer < 0.02 && good.more > 0.9);
/// assert!(percentile(Preset::Loose, 20, 4).is_none());
/// ```
pub fn percentile(preset: Preset, card_count: u8, min_plays: u8) -> Option<Percentile> {
    let hands = hands_by_min_plays(preset, card_count)?;
    let at = usize::from(min_plays);
    let share = |part: &[u64]| part.iter().sum::<u64>() as f64 / hands.iter().sum::<u64>() as f64;
    let same = hands.get(at..=at)?;
    Some(Percentile { fewer: share(&hands[..at]), same: share(same), more: share(&hands[at + 1..]) })
}

/// The number of hands (of real cards, suits told apart) that need 0, 1, 2, ... plays: exact counts over all hands, made
/// by an independent program that solved every one of them.
const fn hands_by_min_plays(preset: Preset, card_count: u8) -> Option<&'static [u64; 13]> {
    match (preset, card_count) {
        (Preset::Noip, 17) => Some(&NOIP_17),
        (Preset::Noip, 20) => Some(&NOIP_20),
        (Preset::Standard, 17) => Some(&STANDARD_17),
        (Preset::Standard, 20) => Some(&STANDARD_20),
        _ => None,
    }
}

const NOIP_17: [u64; 13] = [
    0,
    0,
    9_439_694_656,
    416_281_586_082,
    1_714_174_851_072,
    4_379_753_944_832,
    7_670_481_409_152,
    10_465_093_341_440,
    10_234_813_845_504,
    7_343_775_427_072,
    3_774_413_168_640,
    964_348_084_224,
    180_783_415_296,
];
const NOIP_20: [u64; 13] = [
    0,
    181_398_528,
    15_036_209_228,
    1_569_788_300_405,
    13_215_813_411_136,
    32_018_761_350_656,
    57_857_405_002_496,
    77_105_354_303_232,
    69_452_810_172_416,
    46_481_450_276_864,
    18_933_741_804_032,
    4_533_756_899_328,
    203_267_211_264,
];
const STANDARD_17: [u64; 13] = [
    0,
    0,
    31_686_123_744,
    564_620_165_250,
    1_873_134_626_688,
    4_557_386_948_352,
    7_566_305_629_312,
    10_477_936_128_256,
    9_994_956_804_096,
    7_180_244_756_992,
    3_761_956_085_760,
    964_348_084_224,
    180_783_415_296,
];
const STANDARD_20: [u64; 13] = [
    0,
    2_769_619_968,
    164_331_691_372,
    3_750_033_877_269,
    16_411_214_535_040,
    34_010_633_155_584,
    59_153_928_548_096,
    75_419_015_211_776,
    65_328_725_964_800,
    44_564_643_387_392,
    17_876_453_186_048,
    4_502_349_950_976,
    203_267_211_264,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// 54 over k.
    fn hands_of(k: u64) -> u64 {
        (0..k).fold(1, |product, i| product * (54 - i) / (i + 1))
    }

    #[test]
    fn the_counts_are_all_hands_and_have_the_published_means() {
        for (preset, size, mean) in [
            (Preset::Noip, 17, 7.375839),
            (Preset::Noip, 20, 7.21927),
            (Preset::Standard, 17, 7.332643),
            (Preset::Standard, 20, 7.108485),
        ] {
            let hands = hands_by_min_plays(preset, size).expect("a known size");
            assert_eq!(hands.iter().sum::<u64>(), hands_of(u64::from(size)));
            let plays: u128 =
                hands.iter().zip(0u128..).map(|(&hands, plays)| u128::from(hands) * plays).sum();
            assert!((plays as f64 / hands_of(u64::from(size)) as f64 - mean).abs() < 5e-7);
        }
    }

    #[test]
    fn the_shares_add_up_and_the_ends_are_empty() {
        for min_plays in 0..=12 {
            let Percentile { fewer, same, more } = percentile(Preset::Noip, 20, min_plays).expect("known");
            assert!((fewer + same + more - 1.0).abs() < 1e-12);
            assert!(min_plays > 1 || fewer == 0.0);
            assert!(min_plays < 12 || more == 0.0);
        }
        assert_eq!(percentile(Preset::Noip, 20, 13), None);
        assert_eq!(percentile(Preset::Noip, 19, 5), None);
    }
}
