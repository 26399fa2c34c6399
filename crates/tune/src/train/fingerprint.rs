//! What files of positions are known by, so that a run does not go on with others.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use super::{error::TrainError, options::Options};
use crate::hash::{fnv, hex};

/// Bytes that are read at each end of a file. Positions are shuffled: other games, another seed or
/// another filter change both ends, and files of any size are known at once.
const END: u64 = 1 << 20;

/// The files of a run.
pub(super) fn files(options: &Options) -> impl Iterator<Item = &PathBuf> {
    options.data.iter().chain(&options.valid)
}

/// The fingerprints of a run's files.
///
/// # Errors
/// When one cannot be read.
pub(super) fn of_all(options: &Options) -> Result<Vec<String>, TrainError> {
    let of = |path: &PathBuf| {
        fingerprint(path).map_err(|cause| TrainError::Read {
            path: path.clone(),
            cause,
        })
    };
    files(options).map(of).collect()
}

/// A hash of a file's length, beginning and end.
fn fingerprint(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = length.to_le_bytes().to_vec();
    file.by_ref().take(END).read_to_end(&mut bytes)?;
    file.seek(SeekFrom::Start(length.saturating_sub(END)))?;
    file.take(END).read_to_end(&mut bytes)?;
    Ok(hex(fnv(&bytes)))
}
