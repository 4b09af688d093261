//! The generators of the simulation: xoshiro256++ (Blackman and Vigna, 2018), many small independent streams.
//!
//! A stream is a function of the seed, the chunk and its number within the chunk, so that neither threads nor the
//! width of registers can change a result.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

/// Streams that a chunk may use.
pub(super) const STREAMS: u64 = 16;

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014): a bijection that mixes its input.
const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// One step of SplitMix64.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The key of a stream. Within a seed the keys of all streams differ, because every step here is a bijection.
const fn key(seed: u64, chunk: u64, stream: u64) -> u64 {
    let number = chunk.wrapping_mul(STREAMS).wrapping_add(stream);
    mix(mix(seed ^ GOLDEN).wrapping_add(number.wrapping_mul(0xd134_2543_de82_ef95)))
}

/// A stream of words. Its state is the output of SplitMix64 from the stream's key.
pub(super) fn stream(seed: u64, chunk: u64, stream: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(key(seed, chunk, stream))
}

/// The state of the narrow generator, xoshiro128++: the first 128 bits of the same output.
pub(super) fn narrow_stream_state(seed: u64, chunk: u64, stream: u64) -> [u32; 4] {
    let key = key(seed, chunk, stream);
    let [first, second] = [1, 2].map(|step: u64| mix(key.wrapping_add(GOLDEN.wrapping_mul(step))));
    [first as u32, (first >> 32) as u32, second as u32, (second >> 32) as u32]
}

/// A stream handed out byte by byte.
pub(super) struct Bytes {
    words: Xoshiro256PlusPlus,
    word: u64,
    left: u32,
}

impl Bytes {
    pub(super) fn new(seed: u64, chunk: u64, number: u64) -> Self {
        Self { words: stream(seed, chunk, number), word: 0, left: 0 }
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> u8 {
        if self.left == 0 {
            self.word = self.words.next_u64();
            self.left = 8;
        }
        let byte = self.word as u8;
        self.word >>= 8;
        self.left -= 1;
        byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by an independent program from the papers' reference code. A change would change every result of a seed.
    #[test]
    fn a_stream_is_the_same_in_every_version() {
        let mut words = stream(7, 2, 3);
        assert_eq!(
            [(); 3].map(|()| words.next_u64()),
            [6_623_147_888_931_502_935, 9_276_028_565_380_515_713, 13_415_983_368_723_379_324]
        );
        assert_eq!(
            narrow_stream_state(7, 2, 3),
            [1_340_053_400, 1_386_042_258, 3_098_559_853, 2_803_427_393]
        );
    }

    #[test]
    fn streams_differ_by_seed_chunk_and_number() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..8 {
            for chunk in 0..64 {
                for number in 0..STREAMS {
                    assert!(seen.insert(key(seed, chunk, number)));
                }
            }
        }
    }
}
