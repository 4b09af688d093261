//! Fields that requests of several games have.

use super::extract::{Faults, Path, integer};
use super::json::Json;

/// Seeds are the integers that every JSON reader holds exactly.
const LARGEST_SEED: i64 = (1 << 53) - 1;

/// One face of a die.
pub(crate) fn face(value: &Json<'_>, at: &Path<'_>, faults: &mut Faults) -> Option<u8> {
    integer(value, at, faults, 1..=6).map(|face| face as u8)
}

/// The seed of a random course.
pub(crate) fn seed(value: &Json<'_>, at: &Path<'_>, faults: &mut Faults) -> Option<u64> {
    integer(value, at, faults, 0..=LARGEST_SEED).map(i64::unsigned_abs)
}
