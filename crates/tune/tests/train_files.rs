//! `sextant-tune train` and its files: what is not a run's own is left alone, and what has changed is
//! noticed.
#![cfg(unix)]

mod util;

use std::{
    fs::{self, File},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use util::{
    binary,
    training::{Place, records},
};

fn resume(place: &Place) -> Command {
    let mut command = binary();
    command.current_dir(&place.folder);
    command.args(["train", "--resume", "--out", "run"]);
    command
}

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

#[test]
fn two_runs_do_not_work_in_one_folder() {
    let place = Place::new();
    let mut endless = place.train("run", &["--superbatches", "1000000"]);
    let mut first = endless.stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while !place.path("run/checkpoint.sxt").exists() {
        assert!(start.elapsed() < Duration::from_secs(120), "no checkpoint");
        thread::sleep(Duration::from_millis(5));
    }
    let refused = [resume(&place), place.train("run", &[])].map(|second| place.refusal(second));
    first.kill().unwrap();
    first.wait().unwrap();
    for (code, err) in refused {
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains("is at work in run"), "{err}");
    }
}

#[test]
fn a_new_run_replaces_nothing() {
    let place = Place::new();
    fs::create_dir(place.path("run")).unwrap();
    for name in ["run/net.nnue", "run/log.csv", "run/loss.svg"] {
        let path = place.path(name);
        fs::write(&path, "precious").unwrap();
        let (code, err) = place.refusal(place.train("run", &["--superbatches", "1"]));
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains(&format!("{name} is there already")), "{err}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        fs::remove_file(path).unwrap();
    }
    assert_eq!(fs::read_dir(place.path("run")).unwrap().count(), 0);
}

#[test]
fn other_positions_are_noticed_though_as_many() {
    let place = Place::new();
    let (code, err) = place.refusal(place.train("run", &["--superbatches", "1"]));
    assert_eq!(code, Some(0), "{err}");
    for (name, count) in [("train.bin", 3000), ("valid.bin", 300)] {
        let before = fs::read(place.path(name)).unwrap();
        records(&place.path(name), count, 77);
        let (code, err) = place.refusal(resume(&place));
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains(&format!("{name} is not what it was")), "{err}");
        fs::write(place.path(name), before).unwrap();
    }
    let (code, err) = place.refusal(resume(&place));
    assert_eq!(code, Some(0), "{err}");
}
