//! The endless stream of training positions: every epoch all files in another random order.
//!
//! The order is a pure function of the seed, the epoch and the files' lengths, so that a resumed
//! run finds its place by the number of positions it has seen. Files are cut into blocks; an epoch
//! is a random order of all blocks of all files, taken in groups whose records are shuffled in
//! memory. Files that were well shuffled before are so mixed evenly, and memory stays bounded.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use sextant_board::Random;
use sextant_eval::nnue::Architecture;

use super::{
    error::TrainError,
    record::{RECORD_BYTES, Record, Sample},
};

/// Records of a block: 1 MiB, read at once.
const BLOCK: u64 = 1 << 15;
/// Blocks of a group: 32 MiB in memory, twice while the next group is made.
const GROUP: usize = 32;

/// A file of records whose length was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Source {
    path: PathBuf,
    records: u64,
}

/// Part of a file.
#[derive(Clone, Copy, Debug)]
struct Block {
    source: usize,
    first: u64,
    records: usize,
}

/// All files of a run.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    sources: Vec<Source>,
    blocks: Vec<Block>,
    records: u64,
}

impl Sources {
    /// Looks at the files.
    ///
    /// # Errors
    /// When one cannot be read or is no whole number of records, or when all are empty.
    pub(super) fn open(paths: &[PathBuf]) -> Result<Sources, TrainError> {
        let sources: Vec<Source> = paths
            .iter()
            .map(|path| look_at(path))
            .collect::<Result<_, _>>()?;
        let records = sources.iter().map(|source| source.records).sum();
        if records == 0 {
            let names = paths.iter().map(|path| path.display().to_string());
            return Err(TrainError::NoPositions {
                files: names.collect::<Vec<_>>().join(", "),
            });
        }
        let blocks = sources.iter().enumerate().flat_map(|(index, source)| {
            let firsts = (0..source.records).step_by(BLOCK as usize);
            firsts.map(move |first| Block {
                source: index,
                first,
                records: BLOCK.min(source.records - first) as usize,
            })
        });
        Ok(Sources {
            blocks: blocks.collect(),
            sources,
            records,
        })
    }

    /// Positions in all files.
    pub(super) fn records(&self) -> u64 {
        self.records
    }

    /// The lengths of the files, by which a checkpoint knows them again.
    pub(super) fn lengths(&self) -> Vec<u64> {
        self.sources.iter().map(|source| source.records).collect()
    }

    /// All records in the order of the files.
    pub(super) fn read_all(&self) -> Result<Vec<Record>, TrainError> {
        let mut records = Vec::with_capacity(self.records as usize);
        for block in &self.blocks {
            self.read(block, &mut records)?;
        }
        Ok(records)
    }

    /// The error that names the first record that is no position, if there is one.
    pub(super) fn first_fault(&self, architecture: &Architecture) -> Option<TrainError> {
        let mut records = Vec::new();
        for block in &self.blocks {
            records.clear();
            if let Err(error) = self.read(block, &mut records) {
                return Some(error);
            }
            for (index, record) in (block.first..).zip(&records) {
                if let Err(fault) = Sample::read(record, architecture) {
                    let path = self.sources[block.source].path.clone();
                    return Some(TrainError::BadRecord { path, index, fault });
                }
            }
        }
        None
    }

    fn read(&self, block: &Block, records: &mut Vec<Record>) -> Result<(), TrainError> {
        let path = &self.sources[block.source].path;
        let failed = |cause| TrainError::Read {
            path: path.clone(),
            cause,
        };
        let mut file = File::open(path).map_err(failed)?;
        file.seek(SeekFrom::Start(block.first * RECORD_BYTES as u64))
            .map_err(failed)?;
        let old = records.len();
        records.resize(old + block.records, [0; RECORD_BYTES]);
        file.read_exact(records[old..].as_flattened_mut())
            .map_err(failed)
    }
}

fn look_at(path: &Path) -> Result<Source, TrainError> {
    let failed = |cause| TrainError::Read {
        path: path.to_owned(),
        cause,
    };
    let found = std::fs::metadata(path).map_err(failed)?;
    if found.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let bytes = found.len();
    if bytes % RECORD_BYTES as u64 != 0 {
        return Err(TrainError::TornRecords {
            path: path.to_owned(),
            bytes,
        });
    }
    Ok(Source {
        path: path.to_owned(),
        records: bytes / RECORD_BYTES as u64,
    })
}

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
            epoch: seen / sources.records,
            left: Vec::new(),
            group: 0,
            skip: seen % sources.records,
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
        self.left.clone_from(&self.sources.blocks);
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
    type Item = Result<Vec<Record>, TrainError>;

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Files whose record number `n` in all begins with `n`.
    fn numbered(folder: &Path, lengths: &[u64]) -> Vec<PathBuf> {
        let mut next = 0_u64;
        let write = |(index, &length): (usize, &u64)| {
            let path = folder.join(format!("{index}.bin"));
            let mut bytes = Vec::new();
            for _ in 0..length {
                bytes.extend(next.to_le_bytes());
                bytes.extend([0; 24]);
                next += 1;
            }
            std::fs::write(&path, bytes).unwrap();
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

    #[test]
    fn torn_missing_and_empty_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("torn.bin");
        std::fs::write(&path, [0; 33]).unwrap();
        let error = Sources::open(std::slice::from_ref(&path)).unwrap_err();
        assert!(matches!(error, TrainError::TornRecords { bytes: 33, .. }));
        std::fs::write(&path, []).unwrap();
        let error = Sources::open(&[path]).unwrap_err();
        assert!(matches!(error, TrainError::NoPositions { .. }));
        let error = Sources::open(&[folder.path().join("none.bin")]).unwrap_err();
        assert!(matches!(error, TrainError::Read { .. }));
    }
}
