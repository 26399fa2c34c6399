//! What a run writes must not be what it reads.

use std::path::{Path, PathBuf};

use super::args::Args;
use crate::failure::Failure;

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
        if place(path) == place(other) {
            return Err(Failure::usage(format!(
                "{option} {} is the same file as {what}, {}, which must not be lost; name another",
                path.display(),
                other.display()
            )));
        }
    }
    Ok(())
}

/// The one path of a file, or of one that is not there yet.
fn place(path: &Path) -> PathBuf {
    let beside = || {
        let folder = match path.parent()? {
            none if none.as_os_str().is_empty() => Path::new("."),
            folder => folder,
        };
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    let known = path.canonicalize().ok().or_else(beside);
    known.unwrap_or_else(|| path.to_owned())
}
