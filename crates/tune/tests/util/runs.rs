//! Tuning runs of next to no games.

use std::{fs, path::Path};

use super::run_in as run;

/// Runs of next to no games, whose values nevertheless move.
const QUICK: [&str; 12] = [
    "--nodes",
    "200",
    "--hash",
    "1",
    "--pairs-per-iteration",
    "2",
    "--verify-pairs",
    "3",
    "--r-end",
    "0.9",
    "--seed",
    "5",
];
const KEYS: [&str; 6] = [
    "--keys",
    "pruning.*",
    "--keys",
    "reductions.*",
    "--except",
    "pruning.*_depth",
];

/// The arguments of a run in the file `run.toml`.
pub(crate) fn new_run(iterations: &'static str, more: &[&'static str]) -> Vec<&'static str> {
    let begin = ["spsa", "--state", "run.toml", "--iterations", iterations];
    [&begin[..], &QUICK, &KEYS, more].concat()
}

/// Runs what must succeed.
pub(crate) fn succeed(folder: &Path, args: &[&str]) -> String {
    let (code, out, err) = run(folder, args);
    assert_eq!(code, Some(0), "{args:?}: {err}");
    out
}

pub(crate) fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Runs what must be refused, with a word.
pub(crate) fn fails(folder: &Path, args: &[&str], word: &str) {
    let (code, out, err) = run(folder, args);
    assert_eq!(code, Some(2), "{args:?}: {err}");
    assert!(
        out.is_empty() && err.contains(word),
        "no {word:?} for {args:?}: {err}"
    );
}
