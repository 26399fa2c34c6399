//! What is left to chance: a seed fixes a run on every machine.

use sextant_board::Random;

pub(crate) fn scramble(seed: u64) -> u64 {
    Random::new(seed).next_u64()
}

/// The first numbers of [`Random`] at consecutive seeds. A stream of its own, because the published
/// reports were made with it.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(scramble(seed))
    }

    fn next(&mut self) -> Random {
        self.0 = self.0.wrapping_add(1);
        Random::new(self.0)
    }

    /// A number below `limit`, which must not be 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.next().below(limit)
    }

    /// Puts `items` into a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
