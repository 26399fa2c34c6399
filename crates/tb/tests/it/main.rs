//! The real binary, as a person or a program runs it.

mod cli;
mod schema;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub(crate) const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/testdata");

/// The shared data folder next to the workspace, if this checkout has one.
pub(crate) fn shared() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/syzygy");
    folder.is_dir().then_some(folder)
}

/// What a run of the program left behind.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The program without the environment's tables.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sextant-tb"));
    command.env_remove("SYZYGY_PATH").env_remove("TB_PATH");
    command
}

/// Runs with these arguments and this standard input.
pub(crate) fn run_with(arguments: &[&str], input: &str) -> Run {
    let mut child = command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // The program may stop reading early; that is its right.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs on the bundled tables.
pub(crate) fn run(arguments: &[&str]) -> Run {
    run_with(&[&["--path", TABLES], arguments].concat(), "")
}
