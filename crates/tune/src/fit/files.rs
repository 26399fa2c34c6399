//! What a run writes must not be what it reads.

use std::path::{Path, PathBuf};

use super::args::Args;
use crate::{failure::Failure, same_file::is_same};

/// Refuses to write over positions or samples.
///
/// # Errors
/// [`Failure`] names both arguments of which one would be lost.
pub(super) fn check(args: &Args) -> Result<(), Failure> {
    let positions = || args.inputs.iter().map(|path| ("the positions", path));
    if let Some(samples) = &args.samples {
        apart("--samples", samples, positions())?;
    }
    if let Some(out) = &args.out {
        let samples = args.samples.iter().map(|path| ("--samples", path));
        apart("--out", out, positions().chain(samples))?;
    }
    Ok(())
}

fn apart<'a>(
    option: &str,
    path: &Path,
    others: impl Iterator<Item = (&'a str, &'a PathBuf)>,
) -> Result<(), Failure> {
    for (what, other) in others {
        if is_same(path, other) {
            return Err(Failure::usage(format!(
                "{option} {} is the same file as {what}, {}, which must not be lost; name another",
                path.display(),
                other.display()
            )));
        }
    }
    Ok(())
}
