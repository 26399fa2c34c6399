//! The promises of `sextant-cli`, kept by real files and processes.

mod append_file;
mod chart;
mod files;
mod journal;
mod signals;

use std::{
    env,
    process::{Child, Command, Stdio},
};

/// Names the folder in which a test that runs as a child process works.
const FOLDER: &str = "SEXTANT_CLI_TEST_FOLDER";

/// The folder of the child process that this test is, or `None` if it is no child.
fn child_folder() -> Option<std::path::PathBuf> {
    env::var_os(FOLDER).map(Into::into)
}

/// The command that runs the test `name` of this program as a child.
fn child(name: &str, folder: &std::path::Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped());
    command
}

/// Reads the child's output up to a line that holds `text`.
fn wait_for_line(child: &mut Child, text: &str) {
    use std::io::{BufRead, BufReader};

    let out = child.stdout.as_mut().unwrap();
    let mut lines = BufReader::with_capacity(1, out).lines();
    assert!(lines.any(|line| line.unwrap().contains(text)), "no {text}");
}
