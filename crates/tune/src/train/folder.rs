//! The folder of a run: what lies in it, and that one run at a time works there.

use std::{fs, io, path::Path};

use sextant::whole_file::Claim;

use super::error::TrainError;

/// The file from which a run can go on.
pub(super) const CHECKPOINT: &str = "checkpoint.sxt";
pub(super) const NETWORK: &str = "net.nnue";
pub(super) const TABLE: &str = "log.csv";
pub(super) const PICTURE: &str = "loss.svg";

/// Makes the folder of a new run, or takes one that holds nothing a run would replace.
///
/// # Errors
/// Names what is in the way.
pub(super) fn take(out: &Path) -> Result<Claim, TrainError> {
    fs::create_dir_all(out).map_err(|cause| TrainError::Write {
        path: out.to_owned(),
        cause,
    })?;
    let claim = claim(out)?;
    if out.join(CHECKPOINT).exists() {
        return Err(TrainError::Taken {
            out: out.to_owned(),
        });
    }
    let mut own = [NETWORK, TABLE, PICTURE].into_iter();
    match own.find(|name| out.join(name).exists()) {
        Some(name) => Err(TrainError::InTheWay {
            path: out.join(name),
        }),
        None => Ok(claim),
    }
}

/// The right to write into the folder: two runs would replace each other's checkpoints.
///
/// # Errors
/// When another run has it, or the folder is not there or cannot be written.
pub(super) fn claim(out: &Path) -> Result<Claim, TrainError> {
    let path = out.join(CHECKPOINT);
    Claim::new(&path).map_err(|cause| match cause.kind() {
        io::ErrorKind::WouldBlock => TrainError::Busy {
            out: out.to_owned(),
        },
        io::ErrorKind::NotFound => TrainError::Read { path, cause },
        _ => TrainError::Write { path, cause },
    })
}
