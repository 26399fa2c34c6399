//! The counting Bloom filter: one byte a counter, one hash function, the key's own low bits.

use std::ops::RangeInclusive;

/// The sizes that [`History::new`](crate::History::new) accepts: the table has `1 << bits` bytes.
pub const FILTER_BITS: RangeInclusive<u32> = 2..=16;

/// A filter size outside [`FILTER_BITS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "filter_bits is {found}, allowed are {} to {}: 12 to 14 suit chess",
    FILTER_BITS.start(),
    FILTER_BITS.end()
)]
pub struct FilterBitsError {
    /// The refused number of bits.
    pub found: u32,
}

/// A counter that reached this no longer knows how many keys it stands for. It stays there until
/// the filter is emptied: it may raise false alarms, but it can never fall to zero too early.
const STUCK: u8 = u8::MAX;

/// Counters for the keys that are on the line now.
#[derive(Clone, Debug)]
pub(crate) struct CountingFilter {
    counters: Box<[u8]>,
}

impl CountingFilter {
    pub(crate) fn new(bits: u32) -> Result<CountingFilter, FilterBitsError> {
        if !FILTER_BITS.contains(&bits) {
            return Err(FilterBitsError { found: bits });
        }
        Ok(CountingFilter {
            counters: vec![0; 1 << bits].into_boxed_slice(),
        })
    }

    pub(crate) fn clear(&mut self) {
        self.counters.fill(0);
    }

    #[inline]
    pub(crate) fn raise(&mut self, key: u64) {
        let slot = self.slot(key);
        self.counters[slot] = self.counters[slot].saturating_add(1);
    }

    /// Takes back one [`raise`](Self::raise) of the same key.
    #[inline]
    pub(crate) fn lower(&mut self, key: u64) {
        let slot = self.slot(key);
        let count = self.counters[slot];
        debug_assert!(count > 0, "lowered a counter that was never raised");
        self.counters[slot] = count - u8::from(count != STUCK);
    }

    /// At least the number of keys on the line that share this key's counter, up to the cap.
    #[inline]
    pub(crate) fn count(&self, key: u64) -> u8 {
        self.counters[self.slot(key)]
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        // The length is a power of two, so the mask keeps the low bits and stays in bounds. The
        // truncation of the cast is harmless for the same reason.
        key as usize & (self.counters.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(bits: u32) -> CountingFilter {
        CountingFilter::new(bits).expect("an allowed size")
    }

    #[test]
    fn sizes_outside_the_range_are_refused_with_the_reason() {
        for found in [0, 1, 17, 64, u32::MAX] {
            let error = CountingFilter::new(found).expect_err("refused");
            let text = format!("filter_bits is {found}, allowed are 2 to 16: ");
            assert!(error.to_string().starts_with(&text), "{error}");
        }
        for bits in FILTER_BITS {
            assert_eq!(filter(bits).counters.len(), 1 << bits);
        }
    }

    #[test]
    fn indexes_by_the_low_bits() {
        let mut filter = filter(4);
        filter.raise(0xFFFF_FFFF_FFFF_FF03);
        assert_eq!([0x3, 0x13, 0x4].map(|key| filter.count(key)), [1, 1, 0]);
    }

    #[test]
    fn a_counter_goes_up_and_down_unless_it_was_full() {
        for (keys, after) in [(1, 0), (2, 0), (254, 0), (255, STUCK), (300, STUCK)] {
            let mut filter = filter(2);
            for raised in 1..=keys {
                filter.raise(1);
                assert_eq!(u32::from(filter.count(1)), raised.min(255));
            }
            for left in (0..keys).rev() {
                filter.lower(1);
                let expected = if after == STUCK { 255 } else { left };
                assert_eq!(u32::from(filter.count(1)), expected);
            }
            assert_eq!(filter.count(1), after);
            filter.clear();
            assert_eq!(filter.count(1), 0);
        }
    }
}
