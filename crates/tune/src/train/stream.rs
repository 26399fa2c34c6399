//! The endless stream of training positions: every epoch all files in another random order.
//!
//! The order is a pure function of the seed, the epoch and the files' lengths, so that a resumed
//! run finds its place by the number of positions it has seen. An epoch is a random order of all
//! blocks of all files, taken in groups whose records are shuffled in memory. Files that were well
//! shuffled before are so mixed evenly, and memory stays bounded.

use std::{
    sync::mpsc::{Receiver, sync_channel},
    thread,
};

use sextant_board::Random;
use sextant_cli::failure::Failure;

use super::{
    record::Record,
    sources::{Block, Sources},
};

/// Blocks of a group: 32 MiB in memory, twice while the next group is made.
const GROUP: usize = 32;

/// The stream from some position on. An iterator over groups of shuffled records.
#[derive(Debug)]
pub(super) struct Stream {
    sources: Sources,
    seed: u64,
    epoch: u64,
    /// The blocks of this epoch that are still to come, last first.
    left: Vec<Block>,
    /// Number of the next group of this epoch.
    group: u64,
    /// Records of the next group that were seen before the run was interrupted.
    skip: u64,
}

impl Stream {
    /// The stream after `seen` positions.
    pub(super) fn after(sources: Sources, seed: u64, seen: u64) -> Stream {
        let mut stream = Stream {
            seed,
            epoch: seen / sources.records(),
            left: Vec::new(),
            group: 0,
            skip: seen % sources.records(),
            sources,
        };
        stream.begin_epoch();
        while stream.skip >= stream.next_group_records() {
            stream.skip -= stream.next_group_records();
            stream.take_group();
        }
        stream
    }

    fn begin_epoch(&mut self) {
        self.left = self.sources.blocks().to_vec();
        Random::of_item(self.seed, self.epoch).shuffle(&mut self.left);
        self.group = 0;
    }

    fn next_group_records(&self) -> u64 {
        let next = self.left.iter().rev().take(GROUP);
        next.map(|block| block.records as u64).sum()
    }

    /// The blocks of the next group and the random numbers to mix them with.
    fn take_group(&mut self) -> (Vec<Block>, Random) {
        let blocks = self.left.split_off(self.left.len().saturating_sub(GROUP));
        let epoch_seed = Random::of_item(self.seed, self.epoch).next_u64();
        let random = Random::of_item(!epoch_seed, self.group);
        self.group += 1;
        if self.left.is_empty() {
            self.epoch += 1;
            self.begin_epoch();
        }
        (blocks, random)
    }
}

impl Iterator for Stream {
    type Item = Result<Vec<Record>, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let (blocks, mut random) = self.take_group();
        let mut records = Vec::new();
        for block in blocks.iter().rev() {
            if let Err(error) = self.sources.read(block, &mut records) {
                return Some(Err(error));
            }
        }
        random.shuffle(&mut records);
        records.drain(..std::mem::take(&mut self.skip) as usize);
        Some(Ok(records))
    }
}

/// The stream as batches. The next group is read and mixed on a thread of its own while the last one
/// is learned from.
pub(super) struct Batches {
    receiver: Receiver<Result<Vec<Record>, Failure>>,
    group: Vec<Record>,
    /// Records of the group that were handed out.
    used: usize,
}

impl Batches {
    pub(super) fn of(stream: Stream) -> Batches {
        let (sender, receiver) = sync_channel(1);
        thread::spawn(move || {
            for group in stream {
                // The run is over.
                if sender.send(group).is_err() {
                    break;
                }
            }
        });
        Batches {
            receiver,
            group: Vec::new(),
            used: 0,
        }
    }

    /// Replaces the contents of `batch` by the next `size` records.
    pub(super) fn fill(&mut self, batch: &mut Vec<Record>, size: usize) -> Result<(), Failure> {
        batch.clear();
        while batch.len() < size {
            if self.used == self.group.len() {
                let group = self.receiver.recv();
                self.group = group.map_err(|_| {
                    Failure::work("the thread that reads the data has ended early")
                })??;
                self.used = 0;
            }
            let left = &self.group[self.used..];
            let taken = left.len().min(size - batch.len());
            batch.extend_from_slice(&left[..taken]);
            self.used += taken;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    /// Files whose record number `n` in all begins with `n`.
    fn numbered(folder: &Path, lengths: &[u64]) -> Vec<PathBuf> {
        let mut numbers = 0_u64..;
        let write = |(index, &length): (usize, &u64)| {
            let path = folder.join(format!("{index}.bin"));
            let numbers = numbers.by_ref().take(length as usize);
            let bytes = numbers.flat_map(|number| [number.to_le_bytes(), [0; 8], [0; 8], [0; 8]]);
            std::fs::write(&path, bytes.collect::<Vec<_>>().as_flattened()).unwrap();
            path
        };
        lengths.iter().enumerate().map(write).collect()
    }

    fn numbers(stream: Stream, count: usize) -> Vec<u64> {
        let records = stream.flat_map(Result::unwrap).take(count);
        records
            .map(|record| u64::from_le_bytes(record[..8].try_into().unwrap()))
            .collect()
    }

    #[test]
    fn an_epoch_has_every_record_once_in_an_order_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let sources = Sources::open(&numbered(folder.path(), &[5, 70_000, 0, 40_000])).unwrap();
        let all = 110_005;
        assert_eq!(sources.records(), all as u64);
        let two = numbers(Stream::after(sources, 3, 0), 2 * all);
        let (first, second) = two.split_at(all);
        assert_ne!(first, second);
        for epoch in [first, second] {
            let mut sorted = epoch.to_vec();
            sorted.sort_unstable();
            assert!(sorted.iter().enumerate().all(|(at, &n)| at as u64 == n));
        }
    }

    #[test]
    fn it_goes_on_wherever_it_was_left() {
        let folder = tempfile::tempdir().unwrap();
        // More than one group an epoch.
        let sources = Sources::open(&numbered(folder.path(), &[1_300_000])).unwrap();
        let whole = numbers(Stream::after(sources.clone(), 9, 0), 2_700_000);
        for seen in [0, 1, 32_768, 1_048_576, 1_299_999, 1_300_000, 2_400_001] {
            let rest = numbers(Stream::after(sources.clone(), 9, seen as u64), 1000);
            assert_eq!(rest, whole[seen..seen + 1000], "after {seen}");
        }
    }
}
