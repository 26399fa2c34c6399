//! Reproducible random numbers.

/// SplitMix64 (Steele, Lea and Flood 2014). Own code, because the same seed must give the same
/// openings forever, whatever a crate's next version does.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The generator that `seed` determines; near seeds give unrelated numbers.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// An independent generator for item `index` of a seed's sequence, so that items can be made
    /// in any order.
    pub fn of_item(seed: u64, index: u64) -> Random {
        let mut whole = Random::new(seed);
        Random(whole.next_u64() ^ index.wrapping_mul(Random::STEP).rotate_left(17))
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Random::STEP);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, which must not be 0; its bias is below `bound` / 2^64.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Puts a slice into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence() {
        // First outputs of the reference implementation for seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn below_is_even_and_shuffling_keeps_all() {
        let mut random = Random::new(7);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[random.below(6)] += 1;
        }
        let even = |count: &u32| count.abs_diff(10_000) < 500;
        assert!(counts.iter().all(even), "{counts:?}");
        let sorted: Vec<u32> = (0..1000).collect();
        let mut items = sorted.clone();
        random.shuffle(&mut items);
        assert_ne!(items, sorted);
        items.sort_unstable();
        assert_eq!(items, sorted);
    }

    #[test]
    fn neighboring_items_differ() {
        let item = |i: u64| Random::of_item(1 + i / 1000, i % 1000).next_u64();
        let different: std::collections::HashSet<u64> = (0..2000).map(item).collect();
        assert_eq!(different.len(), 2000);
    }
}
