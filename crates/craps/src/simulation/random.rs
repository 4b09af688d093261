//! The generators of the simulation: xoshiro256++ (Blackman and Vigna, 2018), many small independent streams.
//!
//! A stream is a function of the seed, the chunk and its number within the chunk, so that neither threads nor the
//! width of registers can change a result.

/// Streams that a chunk may use.
pub(super) const STREAMS: u64 = 16;

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014): a bijection that scatters its input.
const fn scatter(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// One step of SplitMix64.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The state of a stream. Within a seed the keys of all streams differ, because every step here is a bijection.
pub(super) fn stream_state(seed: u64, chunk: u64, stream: u64) -> [u64; 4] {
    let number = chunk.wrapping_mul(STREAMS).wrapping_add(stream);
    let mut key = scatter(scatter(seed ^ GOLDEN).wrapping_add(number.wrapping_mul(0xd134_2543_de82_ef95)));
    std::array::from_fn(|_| {
        key = key.wrapping_add(GOLDEN);
        scatter(key)
    })
}

/// The same for the narrow generator, xoshiro128++.
pub(super) fn narrow_stream_state(seed: u64, chunk: u64, stream: u64) -> [u32; 4] {
    let [first, second, ..] = stream_state(seed, chunk, stream);
    [first as u32, (first >> 32) as u32, second as u32, (second >> 32) as u32]
}

/// One step of xoshiro256++ on plain words.
#[inline(always)]
pub(super) fn next_word(state: &mut [u64; 4]) -> u64 {
    let word = state[0].wrapping_add(state[3]).rotate_left(23).wrapping_add(state[0]);
    let shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = state[3].rotate_left(45);
    word
}

/// A stream handed out byte by byte.
pub(super) struct Bytes {
    state: [u64; 4],
    word: u64,
    left: u32,
}

impl Bytes {
    pub(super) fn new(seed: u64, chunk: u64, stream: u64) -> Self {
        Self { state: stream_state(seed, chunk, stream), word: 0, left: 0 }
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> u8 {
        if self.left == 0 {
            self.word = next_word(&mut self.state);
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

    /// The first outputs of the reference implementation from the state 1, 2, 3, 4.
    #[test]
    fn the_generator_is_xoshiro256_plus_plus() {
        let mut state = [1, 2, 3, 4];
        let words: Vec<_> = (0..5).map(|_| next_word(&mut state)).collect();
        assert_eq!(
            words,
            [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386, 9_228_616_714_210_784_205]
        );
    }

    #[test]
    fn streams_differ_by_seed_chunk_and_number() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..8 {
            for chunk in 0..64 {
                for stream in 0..STREAMS {
                    assert!(seen.insert(stream_state(seed, chunk, stream)));
                }
            }
        }
    }
}
