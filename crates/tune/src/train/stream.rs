//! Files of training positions, and the endless stream of them: every epoch all files in another
//! random order.
//!
//! The order is a pure function of the seed, the epoch and the files' lengths, so that a resumed
//! run finds its place by the number of positions it has seen. An epoch is a random order of all
//! blocks of all files, taken in groups whose records are shuffled in memory. Files that were well
//! shuffled before are so mixed evenly, and memory stays bounded.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, SendError, sync_channel},
    thread,
};

use sextant_board::Random;
use sextant_cli::{
    failure::Failure,
    files::{self, FileError},
};
use sextant_eval::nnue::Architecture;

use super::record::{RECORD_BYTES, Record, Sample};
use crate::hash::{fnv, hex};

/// Records of a block: 1 MiB.
const BLOCK: u64 = 1 << 15;
/// Blocks of a group: 32 MiB in memory, twice while the next group is made.
const GROUP: usize = 32;
/// Bytes at each end of a file that go into its fingerprint. Positions are shuffled: other games,
/// another seed or another filter change both ends, and files of any size are known at once.
const END: u64 = 1 << 20;

/// A file, and what it is known by.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) records: u64,
    pub(super) fingerprint: String,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    file: usize,
    first: u64,
    records: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Sources {
    pub(super) files: Vec<Source>,
    blocks: Vec<Block>,
    pub(super) records: u64,
}

impl Sources {
    /// Measures the files; refuses one that is no whole number of records, and files that are all
    /// empty.
    pub(super) fn open(paths: &[PathBuf]) -> Result<Sources, Failure> {
        let files = paths.iter().map(|path| measure(path));
        let files = files.collect::<Result<Vec<Source>, Failure>>()?;
        let records = files.iter().map(|file| file.records).sum();
        if records == 0 {
            let names = paths.iter().map(|path| path.display().to_string());
            return Err(Failure::usage(format!(
                "there are no positions in {}: `sextant-tune data convert` makes such files",
                names.collect::<Vec<_>>().join(", ")
            )));
        }
        let blocks = (0..)
            .zip(&files)
            .flat_map(|(file, Source { records, .. })| {
                let firsts = (0..*records).step_by(BLOCK as usize);
                firsts.map(move |first| Block {
                    file,
                    first,
                    records: BLOCK.min(records - first) as usize,
                })
            });
        Ok(Sources {
            blocks: blocks.collect(),
            files,
            records,
        })
    }

    /// All records in the order of the files.
    pub(super) fn read_all(&self) -> Result<Vec<Record>, Failure> {
        let mut records = Vec::with_capacity(self.records as usize);
        for block in &self.blocks {
            self.read(block, &mut records)?;
        }
        Ok(records)
    }

    /// Appends the records of a block.
    fn read(&self, block: &Block, records: &mut Vec<Record>) -> Result<(), Failure> {
        let path = &self.files[block.file].path;
        let old = records.len();
        records.resize(old + block.records, [0; RECORD_BYTES]);
        let mut read = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(block.first * RECORD_BYTES as u64))?;
            file.read_exact(records[old..].as_flattened_mut())
        };
        Ok(read().map_err(FileError::of("read", path))?)
    }

    /// Checks all records; the error names the first that is no position.
    pub(super) fn check(&self, architecture: &Architecture) -> Result<(), Failure> {
        let mut records = Vec::new();
        for block in &self.blocks {
            records.clear();
            self.read(block, &mut records)?;
            for (index, record) in (block.first..).zip(&records) {
                Sample::read(record, architecture).map_err(|fault| {
                    let path = self.files[block.file].path.display();
                    Failure::work(format!(
                        "{path}, record {index}: {fault}; the file was not made by `sextant-tune \
                         data convert`, or is damaged"
                    ))
                })?;
            }
        }
        Ok(())
    }
}

fn measure(path: &Path) -> Result<Source, Failure> {
    let mut file = files::open(path)?;
    let measured = file.metadata().and_then(|found| {
        let bytes = found.len();
        Ok((bytes, fingerprint(&mut file, bytes)?))
    });
    let (bytes, fingerprint) = measured.map_err(FileError::of("read", path))?;
    if bytes % RECORD_BYTES as u64 != 0 {
        return Err(Failure::usage(format!(
            "{}: {bytes} bytes are no whole number of 32-byte records: the file is cut short, or \
             was not made by `sextant-tune data convert`",
            path.display()
        )));
    }
    Ok(Source {
        path: path.to_owned(),
        records: bytes / RECORD_BYTES as u64,
        fingerprint,
    })
}

/// A hash of a file's length, beginning and end.
fn fingerprint(file: &mut File, length: u64) -> io::Result<String> {
    let mut bytes = length.to_le_bytes().to_vec();
    file.take(END).read_to_end(&mut bytes)?;
    file.seek(SeekFrom::Start(length.saturating_sub(END)))?;
    file.take(END).read_to_end(&mut bytes)?;
    Ok(hex(fnv(&bytes)))
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
        self.left = self.sources.blocks.clone();
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

/// The stream as batches of `size` records. A thread of its own reads and mixes the next group
/// while batches of the last one are learned from.
pub(super) fn batches(stream: Stream, size: usize) -> Receiver<Result<Vec<Record>, Failure>> {
    let in_a_group = GROUP * BLOCK as usize / size;
    let (sender, receiver) = sync_channel(in_a_group + 1);
    let send_all = move || -> Result<(), SendError<_>> {
        let mut batch = Vec::with_capacity(size);
        for group in stream {
            let records = match group {
                Ok(records) => records,
                Err(failure) => return sender.send(Err(failure)),
            };
            for record in records {
                batch.push(record);
                if batch.len() == size {
                    sender.send(Ok(batch))?;
                    batch = Vec::with_capacity(size);
                }
            }
        }
        Ok(())
    };
    // An error says that the run is over.
    thread::spawn(|| drop(send_all()));
    receiver
}

#[cfg(test)]
mod tests {
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
        let number = |record: Record| u64::from_le_bytes(*record.first_chunk().unwrap());
        records.map(number).collect()
    }

    #[test]
    fn an_epoch_has_every_record_once_in_an_order_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let sources = Sources::open(&numbered(folder.path(), &[5, 70_000, 0, 40_000])).unwrap();
        let all = 110_005;
        assert_eq!(sources.records, all as u64);
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
