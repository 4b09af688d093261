//! Registers of 32-bit words: as wide as the machine has them, or two words in a plain integer.
//!
//! PERF: the wide ones go through `pulp` operation by operation. Arrays and plain loops were tried first; the compiler
//! made registers of them in some places and scalars in others, at a quarter of the speed.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use pulp::Simd;

/// Words side by side.
pub(super) const WORDS: usize = 16;

/// One value for each word.
pub(super) type Words = [u32; WORDS];

/// A few words side by side, one bit of each plane.
pub(super) trait Register:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// How many words it holds.
    const WORDS: usize;
    /// Some words of a plane.
    fn load(self, words: &Words, register: usize) -> Self;
    fn store(self, words: &mut Words, register: usize);
    fn plus(self, other: Self) -> Self;
    fn shift_left(self, by: u32) -> Self;
    fn rotate_left(self, by: u32) -> Self;

    #[inline(always)]
    fn count_ones(self) -> u64 {
        let mut words = [0; WORDS];
        self.store(&mut words, 0);
        words[..Self::WORDS].iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// A full adder: adds two planes to this digit and returns the carry.
    #[inline(always)]
    fn add(&mut self, first: Self, second: Self) -> Self {
        let half = *self ^ first;
        let carry = (*self & first) | (half & second);
        *self = half ^ second;
        carry
    }
}

/// A register of words.
#[derive(Clone, Copy)]
pub(super) struct Wide<S: Simd> {
    simd: S,
    words: S::u32s,
}

impl<S: Simd> Wide<S> {
    #[inline(always)]
    pub(super) fn zero(simd: S) -> Self {
        Self { simd, words: simd.splat_u32s(0) }
    }
}

impl<S: Simd> Register for Wide<S> {
    const WORDS: usize = S::U32_LANES;

    #[inline(always)]
    fn load(self, words: &Words, register: usize) -> Self {
        Self { words: S::as_simd_u32s(words).0[register], ..self }
    }

    #[inline(always)]
    fn store(self, words: &mut Words, register: usize) {
        S::as_mut_simd_u32s(words).0[register] = self.words;
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { words: self.simd.add_u32s(self.words, other.words), ..self }
    }

    #[inline(always)]
    fn shift_left(self, by: u32) -> Self {
        let by = self.simd.splat_u32s(by);
        Self { words: self.simd.wrapping_dyn_shl_u32s(self.words, by), ..self }
    }

    #[inline(always)]
    fn rotate_left(self, by: u32) -> Self {
        let back = self.simd.splat_u32s(32 - by);
        self.shift_left(by) | Self { words: self.simd.wrapping_dyn_shr_u32s(self.words, back), ..self }
    }
}

impl<S: Simd> BitAnd for Wide<S> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self { words: self.simd.and_u32s(self.words, other.words), ..self }
    }
}

impl<S: Simd> BitOr for Wide<S> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self { words: self.simd.or_u32s(self.words, other.words), ..self }
    }
}

impl<S: Simd> BitXor for Wide<S> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self { words: self.simd.xor_u32s(self.words, other.words), ..self }
    }
}

impl<S: Simd> Not for Wide<S> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self { words: self.simd.not_u32s(self.words), ..self }
    }
}

/// Two words in a plain integer, for machines without wide registers.
#[derive(Clone, Copy)]
pub(super) struct Plain(u64);

/// The bits of both words that a shift by `by` to the left keeps.
const fn kept(by: u32) -> u64 {
    let word = (u32::MAX << by) as u64;
    word << 32 | word
}

impl Plain {
    pub(super) const ZERO: Self = Self(0);
}

impl Register for Plain {
    const WORDS: usize = 2;

    #[inline(always)]
    fn load(self, words: &Words, register: usize) -> Self {
        Self(u64::from(words[2 * register]) | u64::from(words[2 * register + 1]) << 32)
    }

    #[inline(always)]
    fn store(self, words: &mut Words, register: usize) {
        words[2 * register] = self.0 as u32;
        words[2 * register + 1] = (self.0 >> 32) as u32;
    }

    /// The top bits are added apart, so that no carry crosses from word to word.
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        const TOP: u64 = 0x8000_0000_8000_0000;
        Self(((self.0 & !TOP) + (other.0 & !TOP)) ^ ((self.0 ^ other.0) & TOP))
    }

    #[inline(always)]
    fn shift_left(self, by: u32) -> Self {
        Self((self.0 << by) & kept(by))
    }

    #[inline(always)]
    fn rotate_left(self, by: u32) -> Self {
        self.shift_left(by) | Self((self.0 >> (32 - by)) & !kept(by))
    }
}

impl BitAnd for Plain {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Plain {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Plain {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Plain {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}
