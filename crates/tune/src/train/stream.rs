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

/// The groups of shuffled records that follow after `seen` positions, without end.
pub(super) fn groups_after(
    sources: Sources,
    seed: u64,
    seen: u64,
) -> impl Iterator<Item = Result<Vec<Record>, Failure>> {
    let blocks = sources.blocks.clone();
    let groups = (seen / sources.records..).flat_map(move |epoch| {
        let random = || Random::of_item(seed, epoch);
        let mut blocks = blocks.clone();
        random().shuffle(&mut blocks);
        blocks.reverse();
        let mixing = !random().next_u64();
        let groups = (0..).zip(blocks.chunks(GROUP));
        let groups = groups.map(|(n, blocks)| (blocks.to_vec(), Random::of_item(mixing, n)));
        groups.collect::<Vec<_>>()
    });
    let mut skip = seen % sources.records;
    groups.filter_map(move |(blocks, mut random)| {
        let length: u64 = blocks.iter().map(|block| block.records as u64).sum();
        if skip >= length {
            skip -= length;
            return None;
        }
        let mut records = Vec::new();
        let read = blocks
            .iter()
            .try_for_each(|block| sources.read(block, &mut records));
        random.shuffle(&mut records);
        let seen = std::mem::take(&mut skip) as usize;
        Some(read.map(|()| records.split_off(seen)))
    })
}

/// The positions after the `seen` first in batches of `size`. A thread of its own reads and mixes the
/// next group while batches of the last one are learned from.
pub(super) fn batches(
    sources: Sources,
    seed: u64,
    seen: u64,
    size: usize,
) -> Receiver<Result<Vec<Record>, Failure>> {
    let in_a_group = GROUP * BLOCK as usize / size;
    let (sender, receiver) = sync_channel(in_a_group + 1);
    let send_all = move || -> Result<(), SendError<_>> {
        let mut batch = Vec::with_capacity(size);
        for group in groups_after(sources, seed, seen) {
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

    fn numbers(sources: &Sources, seed: u64, seen: u64, count: usize) -> Vec<u64> {
        let groups = groups_after(sources.clone(), seed, seen);
        let records = groups.flat_map(Result::unwrap).take(count);
        let number = |record: Record| u64::from_le_bytes(*record.first_chunk().unwrap());
        records.map(number).collect()
    }

    #[test]
    fn an_epoch_has_every_record_once_in_an_order_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let sources = Sources::open(&numbered(folder.path(), &[5, 70_000, 0, 40_000])).unwrap();
        let all = 110_005;
        assert_eq!(sources.records, all as u64);
        let two = numbers(&sources, 3, 0, 2 * all);
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
        let whole = numbers(&sources, 9, 0, 2_700_000);
        for seen in [0, 1, 32_768, 1_048_576, 1_299_999, 1_300_000, 2_400_001] {
            let rest = numbers(&sources, 9, seen as u64, 1000);
            assert_eq!(rest, whole[seen..seen + 1000], "after {seen}");
        }
    }
}
