//! Files of training positions, cut into blocks that are read at once.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use sextant_cli::{
    failure::Failure,
    files::{self, FileError},
};
use sextant_eval::nnue::Architecture;

use super::record::{RECORD_BYTES, Record, Sample};
use crate::hash::{fnv, hex};

/// Records of a block: 1 MiB.
const BLOCK: u64 = 1 << 15;

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

/// A part of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    source: usize,
    first: u64,
    pub(super) records: usize,
}

/// Some files as one.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    sources: Vec<Source>,
    blocks: Vec<Block>,
    records: u64,
}

impl Sources {
    /// Measures the files; refuses one that is no whole number of records, and files that are all empty.
    pub(super) fn open(paths: &[PathBuf]) -> Result<Sources, Failure> {
        let sources = paths.iter().map(|path| measure(path));
        let sources = sources.collect::<Result<Vec<Source>, Failure>>()?;
        let records = sources.iter().map(|source| source.records).sum();
        if records == 0 {
            let names = paths.iter().map(|path| path.display().to_string());
            return Err(Failure::usage(format!(
                "there are no positions in {}: `sextant-tune data convert` makes such files",
                names.collect::<Vec<_>>().join(", ")
            )));
        }
        let blocks = (0..).zip(&sources).flat_map(|(source, file)| {
            let firsts = (0..file.records).step_by(BLOCK as usize);
            firsts.map(move |first| Block {
                source,
                first,
                records: BLOCK.min(file.records - first) as usize,
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

    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub(super) fn files(&self) -> &[Source] {
        &self.sources
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
    pub(super) fn read(&self, block: &Block, records: &mut Vec<Record>) -> Result<(), Failure> {
        let path = &self.sources[block.source].path;
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
                    let path = self.sources[block.source].path.display();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torn_missing_and_empty_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name| folder.path().join(name);
        std::fs::write(path("torn.bin"), [0; 33]).unwrap();
        std::fs::write(path("empty.bin"), []).unwrap();
        for (name, message) in [
            ("torn.bin", "33 bytes are no whole number"),
            ("empty.bin", "no positions in"),
            ("none.bin", "cannot read"),
            (".", "cannot read"),
        ] {
            let error = Sources::open(&[path(name)]).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
