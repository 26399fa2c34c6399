//! All that a run needs to go on, its losses so far among it: saved whole, then moved over the last
//! one, so that a full disk or a lost machine never leaves less than there was.
//!
//! The file: [`MAGIC`]; the length of the header; the header in TOML; the weights, means and
//! squares as floats, in tiles ([`super::tiles`]); the FNV-1a hash of all that. All numbers are
//! little-endian.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sextant_cli::{chart::Chart, failure::Failure, files};

use super::{
    options::Options,
    rows::{self, WIDTH},
    trainer::State,
};
use crate::hash::fnv;

/// What every version's checkpoints begin with; the digit behind it counts what changed.
const FAMILY: &[u8; 7] = b"SXTRAIN";
const MAGIC: &[u8; 8] = b"SXTRAIN2";

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Progress {
    pub(super) batches: u64,
    /// Sum of the losses of the unfinished superbatch.
    pub(super) running_loss: f64,
    /// What the files of `--data`, then of `--valid`, are known by.
    pub(super) fingerprints: Vec<String>,
    pub(super) log: Log,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    /// Number of the superbatch, from 1.
    pub(super) superbatch: u64,
    /// Positions seen so far, repetitions counted.
    pub(super) positions: u64,
    /// Learning rate of its last batch.
    pub(super) rate: f32,
    /// Mean loss of its batches, each before its step.
    pub(super) train: f64,
    /// Mean loss of the validation positions after it.
    pub(super) valid: f64,
}

/// The rows so far, and what to compare them with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Log {
    /// Validation loss of the best constant expectation.
    pub(super) constant: f64,
    pub(super) rows: Vec<Row>,
}

/// What the header of the file says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    pub(super) options: Options,
    pub(super) progress: Progress,
}

impl Run {
    /// The checkpoint of the run in this state.
    pub(super) fn to_bytes(&self, state: &State) -> Vec<u8> {
        let header = toml::to_string(self).expect("plain numbers, texts and lists are TOML");
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header.as_bytes());
        for part in [&state.weights, &state.means, &state.squares] {
            let floats = part.iter().flat_map(|row| row.0);
            bytes.extend(floats.flat_map(f32::to_le_bytes));
        }
        bytes.extend(fnv(&bytes).to_le_bytes());
        bytes
    }

    /// An error says what is wrong with the file.
    fn from_bytes(bytes: &[u8]) -> Result<(Run, State), String> {
        const FOREIGN: &str = "no checkpoint of `sextant-tune train`";
        const OTHER: &str = "a checkpoint of another version of `sextant-tune train`";
        const DAMAGED: &str = "the file is cut short or damaged";
        if !bytes.starts_with(MAGIC) {
            let fault = if bytes.starts_with(FAMILY) {
                OTHER
            } else {
                FOREIGN
            };
            return Err(fault.to_owned());
        }
        let (header, floats) = parts(bytes).ok_or(DAMAGED)?;
        let run = toml::from_str(&String::from_utf8_lossy(header));
        let run = run.map_err(|error| format!("its header cannot be read: {error}"))?;
        let (rows, _) = floats.as_chunks::<{ 4 * WIDTH }>();
        let mut rows = rows.iter().map(rows::Row::from_bytes);
        let count = rows.len() / 3;
        let mut take = || rows.by_ref().take(count).collect();
        let state = State {
            weights: take(),
            means: take(),
            squares: take(),
        };
        Ok((run, state))
    }

    pub(super) fn load(path: &Path) -> Result<(Run, State), Failure> {
        let bytes = files::read(path, u64::MAX)?;
        Run::from_bytes(&bytes).map_err(|fault| refused(path, fault))
    }
}

/// For fuzzing: the bytes as they are, then with a hash that fits.
#[cfg(fuzzing)]
pub(crate) fn fuzz_checkpoint(bytes: &[u8]) {
    let _ = Run::from_bytes(bytes);
    let mut sealed = bytes.to_vec();
    sealed.extend(fnv(bytes).to_le_bytes());
    if let Ok((run, state)) = Run::from_bytes(&sealed) {
        let written = run.to_bytes(&state);
        let (again, _) = Run::from_bytes(&written).expect("what was written is read");
        assert_eq!(again.to_bytes(&state), written);
    }
}

pub(super) fn refused(path: &Path, fault: String) -> Failure {
    Failure::usage(format!(
        "{}: {fault}; begin anew with another --out",
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

impl Log {
    /// The table as comma-separated values, the last column the same in each row.
    pub(super) fn csv(&self) -> String {
        let mut text = "superbatch,positions,rate,train_loss,valid_loss,constant_loss\n".to_owned();
        for row in &self.rows {
            text += &format!(
                "{},{},{:e},{:.6},{:.6},{:.6}\n",
                row.superbatch, row.positions, row.rate, row.train, row.valid, self.constant
            );
        }
        text
    }

    /// Training and validation loss over the positions seen, and the best constant's loss.
    pub(super) fn chart(&self) -> Chart {
        let losses = self.rows.iter().flat_map(|row| [row.train, row.valid]);
        let low = losses.fold(self.constant, f64::min);
        // Losses worse than a constant are cut off: they would hide all the others.
        let room = (self.constant - low).max(1e-4) * 0.08;
        let at = |row: &Row| row.positions as f64 / 1e6;
        Chart::new("", "million positions seen", "mean loss")
            .y_between(low - room, self.constant + room)
            .line("training", self.rows.iter().map(|row| (at(row), row.train)))
            .line(
                "validation",
                self.rows.iter().map(|row| (at(row), row.valid)),
            )
            .line(
                "best constant",
                self.rows.iter().map(|row| (at(row), self.constant)),
            )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::fixture;

    fn run() -> (Run, State) {
        let options = fixture::options(&["--data", "a b.bin", "c.bin", "--rate=0.3"]);
        let progress = Progress {
            batches: 3,
            running_loss: 0.1 + 0.2,
            fingerprints: vec!["0f".to_owned()],
            log: Log {
                constant: 0.1,
                rows: vec![Row {
                    superbatch: 1,
                    positions: 1_000_000,
                    rate: 0.1,
                    train: 1.0 / 3.0,
                    valid: f64::MIN_POSITIVE,
                }],
            },
        };
        let state = State {
            weights: vec![
                rows::Row([f32::MIN_POSITIVE; WIDTH]),
                rows::Row([-0.1; WIDTH]),
            ],
            means: vec![rows::Row([1e-30; WIDTH]), rows::Row::ZERO],
            squares: vec![rows::Row([0.25; WIDTH]); 2],
        };
        (Run { options, progress }, state)
    }

    #[test]
    fn it_comes_back_and_every_truncation_and_changed_byte_is_noticed() {
        let (run, state) = run();
        let bytes = run.to_bytes(&state);
        assert_eq!(Run::from_bytes(&bytes), Ok((run, state)));
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 0x10;
            for bad in [&bytes[..at], &bad] {
                assert!(Run::from_bytes(bad).is_err(), "{at}");
            }
        }
    }

    #[test]
    fn other_versions_are_told_from_other_files() {
        let (run, state) = run();
        let mut bytes = run.to_bytes(&state);
        bytes[FAMILY.len()] = b'1';
        let fault = |bytes| Run::from_bytes(bytes).unwrap_err();
        assert!(fault(&bytes).contains("of another version"));
        assert!(fault(b"a network").contains("no checkpoint"));
    }
}
