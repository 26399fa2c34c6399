//! The samples by what they are for: whole games, by a hash of seed and game.

use sextant_board::Random;
use sextant_cli::{failure::Failure, output::counted};

use super::sample::{Block, Sample};

/// Keeps the split apart from other draws of the seed.
const SPLIT: u64 = 0x0073_706c_6974;

#[derive(Default)]
pub(super) struct Parts<'a> {
    /// Prices are fitted to them: eight games of ten.
    pub(super) train: Vec<&'a Sample>,
    /// The ridge is chosen by them: one of ten.
    pub(super) valid: Vec<&'a Sample>,
    /// Nothing but judging: one of ten.
    pub(super) test: Vec<&'a Sample>,
    /// The games of those that judge.
    pub(super) test_games: Vec<u64>,
}

impl<'a> Parts<'a> {
    /// The samples of some searches.
    ///
    /// # Errors
    /// [`Failure`] if there is none for one of the parts.
    pub(super) fn of(blocks: &'a [Block], seed: u64) -> Result<Parts<'a>, Failure> {
        let mut parts = Parts::default();
        for block in blocks {
            let part = match Random::of_item(seed ^ SPLIT, block.group).below(10) {
                0..8 => &mut parts.train,
                8 => &mut parts.valid,
                _ => {
                    parts
                        .test_games
                        .extend(block.samples.iter().map(|_| block.group));
                    &mut parts.test
                }
            };
            part.extend(&block.samples);
        }
        let [train, valid, test] = parts.counts();
        if train == 0 || valid == 0 || test == 0 {
            return Err(Failure::usage(format!(
                "{} to learn from, {valid} to choose the ridge by and {test} to judge by are too few; \
                 whole games go to one of the three, so take more games or positions",
                counted(train, "sample")
            )));
        }
        Ok(parts)
    }

    /// How many there are to train, to validate, and to test.
    pub(super) fn counts(&self) -> [u64; 3] {
        [&self.train, &self.valid, &self.test].map(|part| part.len() as u64)
    }
}
