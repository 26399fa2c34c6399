//! The samples by what they are for.

use super::{
    sample::{Block, Sample},
    split::{self, Part},
};
use crate::{failure::Failure, say::counted};

/// The samples by what they are for.
#[derive(Default)]
pub(super) struct Parts<'a> {
    /// Fitted to.
    pub(super) train: Vec<&'a Sample>,
    /// Choose the ridge.
    pub(super) valid: Vec<&'a Sample>,
    /// Judge.
    pub(super) test: Vec<&'a Sample>,
    /// The games of those that judge.
    pub(super) test_games: Vec<u64>,
}

impl<'a> Parts<'a> {
    /// The samples of some searches; `seed` and game decide which part each goes to.
    ///
    /// # Errors
    /// [`Failure`] if there is none for one of the parts.
    pub(super) fn of(blocks: &'a [Block], seed: u64) -> Result<Parts<'a>, Failure> {
        let mut parts = Parts::default();
        for block in blocks {
            let part = split::part(seed, block.group);
            for sample in &block.samples {
                parts.push(part, block.group, sample);
            }
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

    fn push(&mut self, part: Part, game: u64, sample: &'a Sample) {
        match part {
            Part::Train => self.train.push(sample),
            Part::Valid => self.valid.push(sample),
            Part::Test => {
                self.test.push(sample);
                self.test_games.push(game);
            }
        }
    }

    /// How many there are of each.
    pub(super) fn counts(&self) -> [u64; 3] {
        [&self.train, &self.valid, &self.test].map(|part| part.len() as u64)
    }
}
