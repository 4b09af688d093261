//! Fields that requests of several games have.

use super::extract::Field;

/// Seeds are the integers that every JSON reader holds exactly.
const LARGEST_SEED: i64 = (1 << 53) - 1;

/// One face of a die.
pub(crate) fn face(field: &mut Field<'_, '_, '_>) -> Option<u8> {
    field.integer(1..=6).map(|face| face as u8)
}

/// The seed of a random course.
pub(crate) fn seed(field: &mut Field<'_, '_, '_>) -> Option<u64> {
    field.integer(0..=LARGEST_SEED).map(i64::unsigned_abs)
}
