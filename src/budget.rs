//! Bytes that requests may hold together.
//!
//! ```
//! use kibitz::budget::Budget;
//!
//! let budget = Budget::new(100);
//! let mut charge = budget.charge(60).unwrap();
//! assert!(budget.charge(50).is_none());
//! assert!(charge.resize(20));
//! assert!(budget.charge(80).is_some());
//! ```

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A limit on bytes. Code that holds some takes a [`Charge`] first.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Semaphore>);

/// Bytes that are held, until it is dropped.
#[derive(Debug)]
pub struct Charge(OwnedSemaphorePermit);

impl Budget {
    /// A budget of `bytes`.
    #[must_use]
    pub fn new(bytes: u32) -> Self {
        Self(Arc::new(Semaphore::new(bytes as usize)))
    }

    /// Charges `bytes`. Returns `None` if fewer are left.
    #[must_use]
    pub fn charge(&self, bytes: usize) -> Option<Charge> {
        Arc::clone(&self.0).try_acquire_many_owned(u32::try_from(bytes).ok()?).ok().map(Charge)
    }

    /// Charges bytes until their last copy is dropped, without the spare capacity that a serializer leaves: its buffer
    /// doubles as it grows. Returns `None` if too few are left.
    #[must_use]
    pub fn hold(&self, mut bytes: Vec<u8>) -> Option<Bytes> {
        bytes.shrink_to_fit();
        Some(self.charge(bytes.capacity())?.hold(bytes))
    }
}

impl Charge {
    /// Changes the charge to `bytes`. Returns false, and changes nothing, if the budget has too few left.
    #[must_use]
    pub fn resize(&mut self, bytes: usize) -> bool {
        let held = self.0.num_permits();
        if bytes <= held {
            drop(self.0.split(held - bytes));
            return true;
        }
        let Ok(more) = u32::try_from(bytes - held) else { return false };
        let more = Arc::clone(self.0.semaphore()).try_acquire_many_owned(more);
        more.map(|more| self.0.merge(more)).is_ok()
    }

    /// Bytes that keep the charge until their last copy is dropped.
    #[must_use]
    pub fn hold(self, bytes: impl AsRef<[u8]> + Send + 'static) -> Bytes {
        Bytes::from_owner(Held { bytes, _charge: self })
    }
}

struct Held<T> {
    bytes: T,
    _charge: Charge,
}

impl<T: AsRef<[u8]>> AsRef<[u8]> for Held<T> {
    fn as_ref(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

/// A text that is charged by what it takes while it grows.
#[derive(Debug)]
pub struct ChargedBuffer {
    /// The bytes so far.
    pub bytes: Vec<u8>,
    charge: Charge,
}

impl ChargedBuffer {
    /// An empty buffer with this capacity; `None` if fewer bytes are left.
    #[must_use]
    pub fn with_capacity(budget: &Budget, bytes: usize) -> Option<Self> {
        let charge = budget.charge(bytes)?;
        Some(Self { bytes: Vec::with_capacity(bytes), charge })
    }

    /// Charges what the buffer has grown by. Returns false if the budget has too few bytes left.
    #[must_use]
    pub fn settle(&mut self) -> bool {
        self.charge.resize(self.bytes.capacity())
    }

    /// Charges more bytes, then reserves memory for them, and for some that may follow if there are at most `in_all` bytes.
    /// Returns false if the budget has too few left.
    #[must_use]
    pub fn reserve(&mut self, more: usize, in_all: usize) -> bool {
        let needed = self.bytes.len() + more;
        if needed <= self.bytes.capacity() {
            return true;
        }
        let capacity = needed.max((self.bytes.len() * 3 / 2).min(in_all));
        let charged = self.charge.resize(capacity);
        if charged {
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        charged
    }

    /// The bytes, which keep their charge.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.charge.hold(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_keep_their_charge_until_the_last_copy_is_dropped() {
        let budget = Budget::new(1_000);
        let mut buffer = ChargedBuffer::with_capacity(&budget, 100).unwrap();
        assert!(buffer.reserve(600, 600) && !buffer.reserve(1_001, 2_000));
        buffer.bytes.extend_from_slice(&[7; 600]);
        assert!(buffer.settle());
        let bytes = buffer.into_bytes();
        let part = bytes.slice(10..20);
        drop(bytes);
        assert!(budget.charge(401).is_none());
        drop(part);
        assert!(budget.charge(1_000).is_some());
    }

    #[test]
    fn held_bytes_have_no_spare_capacity() {
        let budget = Budget::new(100);
        let mut bytes = Vec::with_capacity(1_000);
        bytes.extend_from_slice(&[7; 60]);
        let held = budget.hold(bytes).unwrap();
        assert_eq!(Vec::from(held.clone()).capacity(), 60);
        assert!(budget.charge(41).is_none() && budget.charge(40).is_some());
        drop(held);
        assert!(budget.charge(100).is_some());
    }

    #[test]
    fn buffer_grows_no_further_than_to_the_bytes_that_may_come() {
        let budget = Budget::new(1_000);
        let mut buffer = ChargedBuffer::with_capacity(&budget, 0).unwrap();
        for _ in 0..10 {
            assert!(buffer.reserve(40, 410));
            buffer.bytes.extend_from_slice(&[7; 40]);
        }
        assert_eq!(buffer.bytes.capacity(), 410);
    }

    #[test]
    fn a_buffer_that_outgrows_the_budget_says_so() {
        let budget = Budget::new(100);
        let mut buffer = ChargedBuffer::with_capacity(&budget, 10).unwrap();
        buffer.bytes.extend_from_slice(&[7; 200]);
        assert!(!buffer.settle());
    }
}
