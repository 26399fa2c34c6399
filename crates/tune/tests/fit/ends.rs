//! Runs that end before they are done, and go on.

use std::{
    fs::{self, OpenOptions},
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    EPD, PATIENCE, bytes, fails, quick, start, succeed,
    util::{binary, play, told},
};

#[test]
fn killed_and_gone_on_with_is_unbroken() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "games.vf", "60", &[]);
    let args = |name: &'static str| {
        quick(&[
            "games.vf",
            "--samples",
            name,
            "--count",
            "420",
            "--model",
            "prices",
        ])
    };
    let unbroken = succeed(here, &args("whole"));
    for least in [3_000, 30_000] {
        let mut child = start(here, &args("broken"));
        let begun = Instant::now();
        let length = || fs::metadata(here.join("broken")).map_or(0, |meta| meta.len());
        while length() < least {
            assert!(begun.elapsed() < PATIENCE, "no {least} bytes");
            thread::sleep(Duration::from_millis(2));
        }
        // Child::kill is SIGKILL on Unix: nothing can be put in order.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // As a lost machine leaves it.
    let torn = bytes(here, "broken");
    assert!(
        torn.len() < bytes(here, "whole").len(),
        "it was too quick to be killed"
    );
    fs::write(here.join("broken"), &torn[..torn.len() - 5]).unwrap();
    assert_eq!(succeed(here, &args("broken")), unbroken);
    assert_eq!(bytes(here, "whole"), bytes(here, "broken"));
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "games.vf", "60", &[]);
    let args = quick(&[
        "games.vf",
        "--samples",
        "all",
        "--count",
        "420",
        "--model",
        "prices",
    ]);
    // A limit of 20 blocks of 512 bytes; without the trap the signal would end the program unheard.
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 20; exec \"$0\" fit \"$@\""])
        .arg(env!("CARGO_BIN_EXE_sextant-tune"))
        .args(&args)
        .current_dir(here)
        .output();
    let (code, _, err) = told(limited.unwrap());
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("cannot write all: File too large"), "{err}");
    let kept = bytes(here, "all").len();
    assert!(kept > 1_000, "{kept}");
    succeed(here, &args);
    let mut fresh = args.clone();
    fresh[2] = "fresh";
    succeed(here, &fresh);
    assert_eq!(bytes(here, "all"), bytes(here, "fresh"));
}

#[test]
fn what_a_full_disk_left_of_the_first_lines_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("some.epd"), EPD).unwrap();
    let args = |samples: &'static str| quick(&["some.epd", "--samples", samples, "--count", "3"]);
    // Three samples are too few to fit to, but are kept.
    fails(here, &args("whole"), "are too few");
    let whole = bytes(here, "whole");
    for length in [0, 10, 40] {
        fs::write(here.join("begun"), &whole[..length]).unwrap();
        fails(here, &["--samples", "begun"], "begun holds no samples yet");
        fails(here, &args("begun"), "are too few");
        assert_eq!(bytes(here, "begun"), whole, "{length}");
    }
    // A length that is wrong must not cost the samples behind it.
    let mut damaged = whole.clone();
    damaged[26] = 1;
    fs::write(here.join("begun"), &damaged).unwrap();
    fails(here, &args("begun"), "its recipe is damaged");
    assert_eq!(bytes(here, "begun"), damaged);
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
}

#[cfg(unix)]
#[test]
fn an_interrupt_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "games.vf", "60", &[]);
    let child = start(folder.path(), &["games.vf", "--samples", "kept"]);
    let begun = Instant::now();
    while !folder.path().join("kept").exists() {
        assert!(begun.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(2));
    }
    interrupt(&child);
    let (code, out, err) = told(child.wait_with_output().unwrap());
    assert_eq!(code, Some(130), "{err}");
    assert!(
        out.is_empty() && err.contains("kept in kept; the same command goes on"),
        "{err}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_fit_too() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "games.vf", "60", &[]);
    let samples = ["--samples", "all", "--count", "420"];
    succeed(here, &quick(&[&["games.vf"], &samples[..]].concat()));
    // So many resampled sets take seconds.
    let slow = [
        "--bootstrap",
        "1000000",
        "--out",
        "out.toml",
        "--report",
        "report",
    ];
    let mut child = start(here, &[&samples[..], &slow].concat());
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "fitting to 420 samples");
    interrupt(&child);
    let told: Vec<_> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{told:?}");
    assert!(
        told[0].contains("stopped while fitting; neither"),
        "{told:?}"
    );
    assert!(!here.join("out.toml").exists());
    assert_eq!(fs::read_dir(here.join("report")).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_fitted_is_kept_though_nobody_reads() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    play(here, "games.vf", "60", &[]);
    let said = succeed(
        here,
        &quick(&["games.vf", "--samples", "all", "--count", "420"]),
    );
    let begin = |out: &str, sink: Stdio| {
        let mut command = binary();
        command.args(["fit", "--samples", "all", "--count", "420", "--out", out]);
        command.args(["--bootstrap", "100", "--report", "report"]);
        command.current_dir(here).stdout(sink);
        command.stderr(Stdio::piped()).spawn().unwrap()
    };
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (code, _, err) = told(begin("full.toml", full.into()).wait_with_output().unwrap());
    assert_eq!(code, Some(1), "{err}");
    assert!(
        err.contains("cannot write to standard output: No space left"),
        "{err}"
    );
    let mut child = begin("gone.toml", Stdio::piped());
    drop(child.stdout.take());
    let (code, _, err) = told(child.wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{err}");
    assert!(!err.contains("panicked"), "{err}");
    assert_eq!(bytes(here, "full.toml"), bytes(here, "gone.toml"));
    assert_eq!(bytes(here, "report/report.txt"), said.as_bytes());
    // Neither is anything lost if nobody hears the notes.
    let mut child = begin("deaf.toml", Stdio::piped());
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(bytes(here, "deaf.toml"), bytes(here, "gone.toml"));
}
