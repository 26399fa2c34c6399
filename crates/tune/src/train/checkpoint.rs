//! All that a run needs to go on: saved whole, then moved over the last one, so that a full disk or
//! a lost machine never leaves less than there was.
//!
//! The file: [`MAGIC`]; the length of the header; the header in TOML; the weights, means and squares
//! as floats; the FNV-1a hash of all that. All numbers are little-endian.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sextant_cli::{failure::Failure, files};

use super::{log::Log, options::Options, trainer::State};
use crate::hash::fnv;

const MAGIC: &[u8; 8] = b"SXTRAIN1";

/// What a run has done so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Progress {
    pub(super) batches: u64,
    /// Sum of the losses of the unfinished superbatch.
    pub(super) running_loss: f64,
    /// Records of each data file.
    pub(super) data_records: Vec<u64>,
    /// What the files of `--data`, then of `--valid`, are known by.
    #[serde(default)]
    pub(super) fingerprints: Vec<String>,
    pub(super) log: Log,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Checkpoint {
    pub(super) options: Options,
    pub(super) progress: Progress,
    pub(super) state: State,
}

#[derive(Serialize, Deserialize)]
struct Header {
    parameters: usize,
    options: Options,
    progress: Progress,
}

/// What is wrong with a checkpoint.
#[derive(Debug, thiserror::Error)]
enum CheckpointFault {
    #[error(
        "no checkpoint of this version of `sextant-tune train` (and no network, which --init takes too)"
    )]
    Foreign,
    #[error("the file is cut short or damaged")]
    Damaged,
    #[error("its header cannot be read: {0}")]
    Header(#[from] toml::de::Error),
}

impl Checkpoint {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let header = Header {
            parameters: self.state.weights.len(),
            options: self.options.clone(),
            progress: self.progress.clone(),
        };
        let header = toml::to_string(&header).expect("plain numbers, texts and lists are TOML");
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header.as_bytes());
        for part in [&self.state.weights, &self.state.means, &self.state.squares] {
            bytes.extend(part.iter().flat_map(|value| value.to_le_bytes()));
        }
        bytes.extend(fnv(&bytes).to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, CheckpointFault> {
        if !bytes.starts_with(MAGIC) {
            return Err(CheckpointFault::Foreign);
        }
        let (header, floats) = parts(bytes).ok_or(CheckpointFault::Damaged)?;
        let header: Header = toml::from_str(&String::from_utf8_lossy(header))?;
        if floats.len() != header.parameters.saturating_mul(3 * size_of::<f32>()) {
            return Err(CheckpointFault::Damaged);
        }
        let (floats, _) = floats.as_chunks();
        let mut values = floats.iter().map(|&value| f32::from_le_bytes(value));
        let mut take = || values.by_ref().take(header.parameters).collect();
        Ok(Checkpoint {
            state: State {
                weights: take(),
                means: take(),
                squares: take(),
            },
            options: header.options,
            progress: header.progress,
        })
    }

    pub(super) fn load(path: &Path) -> Result<Checkpoint, Failure> {
        let bytes = files::read(path, u64::MAX)?;
        Checkpoint::from_bytes(&bytes).map_err(|fault| refused(path, &fault))
    }
}

/// A checkpoint that does not do.
pub(super) fn refused(path: &Path, fault: &dyn std::fmt::Display) -> Failure {
    Failure::usage(format!(
        "{}: {fault}; begin anew with another --out, or name another checkpoint",
        path.display()
    ))
}

/// Header and floats of a file whose checksum is right.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (content, hash) = bytes.split_last_chunk()?;
    let (length, rest) = content.get(MAGIC.len()..)?.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let parts = rest.split_at_checked(length)?;
    (fnv(content) == u64::from_le_bytes(*hash)).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{fixture, log::Row};

    fn checkpoint() -> Checkpoint {
        let row = Row {
            superbatch: 1,
            positions: 64,
            rate: 0.1,
            train: 1.0 / 3.0,
            valid: f64::MIN_POSITIVE,
        };
        Checkpoint {
            options: fixture::options(&["--data", "a b.bin", "c.bin", "--rate=0.3"]),
            progress: Progress {
                batches: 3,
                running_loss: 0.1 + 0.2,
                data_records: vec![1, 2],
                fingerprints: vec!["0f".to_owned()],
                log: Log {
                    constant: 0.1,
                    rows: vec![row],
                },
            },
            state: State {
                weights: vec![1.5, -0.1, f32::MIN_POSITIVE],
                means: vec![0.0, 1e-30, -3.0],
                squares: vec![0.25; 3],
            },
        }
    }

    #[test]
    fn it_comes_back_to_the_last_bit() {
        let saved = checkpoint();
        let loaded = Checkpoint::from_bytes(&saved.to_bytes()).unwrap();
        assert_eq!(loaded, saved);
    }

    #[test]
    fn older_checkpoints_have_no_fingerprints() {
        let old = "batches = 1\nrunning_loss = 0.5\ndata_records = [7]\n\
                   [log]\nconstant = 0.1\nrows = []\n";
        let progress: Progress = toml::from_str(old).unwrap();
        assert!(progress.fingerprints.is_empty());
    }

    #[test]
    fn every_truncation_and_every_changed_byte_is_noticed() {
        let bytes = checkpoint().to_bytes();
        for length in 0..bytes.len() {
            assert!(
                Checkpoint::from_bytes(&bytes[..length]).is_err(),
                "{length}"
            );
        }
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 0x10;
            assert!(Checkpoint::from_bytes(&bad).is_err(), "{at}");
        }
    }
}
