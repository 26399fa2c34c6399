//! `sextant-tune train` and its files: what is not a run's own is left alone, and what has changed is
//! noticed.
#![cfg(unix)]

mod util;

use std::{fs::File, process::Stdio};

use util::training::Place;

/// Standard error may be a pipe whose reader has left, or a file on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_run_goes_on_when_nobody_can_hear_it() {
    let place = Place::new();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut command = place.train("run", &["--superbatches", "2"]);
    let status = command.stderr(Stdio::from(full)).status().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(place.path("run/net.nnue").exists());
}
