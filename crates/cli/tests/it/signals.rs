//! Signals, in a process of their own.
#![cfg(unix)]

use std::{
    os::unix::process::ExitStatusExt,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use sextant_cli::{output, signals};

use crate::{child, child_folder, wait_for_line};

const NAME: &str = "signals::a_signal_sets_the_flag";

#[test]
fn a_signal_sets_the_flag() {
    if child_folder().is_some() {
        return wait_for_the_flag();
    }
    for signal in ["INT", "TERM", "HUP"] {
        let mut waiting = begin("");
        send(&waiting, signal);
        wait_for_line(&mut waiting, "interrupted");
        assert!(waiting.wait().unwrap().success(), "{signal}");
    }
}

#[test]
fn an_ignored_signal_stays_ignored() {
    for (ignored, other) in [("HUP", "TERM"), ("INT", "HUP")] {
        let mut waiting = begin(&format!("trap '' {ignored}; "));
        // Were they not ignored, the second would end the process without its last line.
        send(&waiting, ignored);
        send(&waiting, ignored);
        send(&waiting, other);
        wait_for_line(&mut waiting, "interrupted");
        assert!(waiting.wait().unwrap().success(), "{ignored}");
    }
}

#[test]
fn a_second_signal_ends_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut busy = child("signals::busy_child", folder.path()).spawn().unwrap();
    wait_for_line(&mut busy, "begun");
    send(&busy, "INT");
    wait_for_line(&mut busy, "interrupted");
    send(&busy, "INT");
    let ended = busy.wait().unwrap();
    assert_eq!((ended.code(), ended.signal()), (Some(130), None));
}

/// Does not stop when it is asked to; ends by itself if nobody ends it.
#[test]
fn busy_child() {
    if child_folder().is_some() {
        wait_for_the_flag();
        thread::sleep(Duration::from_secs(60));
    }
}

#[test]
fn nobody_need_read_the_notes() {
    if child_folder().is_some() {
        (0..3).for_each(output::note);
        return println!("alive");
    }
    let folder = tempfile::tempdir().unwrap();
    let mut command = child("signals::nobody_need_read_the_notes", folder.path());
    let mut noting = command.stderr(Stdio::piped()).spawn().unwrap();
    drop(noting.stderr.take());
    wait_for_line(&mut noting, "alive");
    assert!(noting.wait().unwrap().success());
}

fn wait_for_the_flag() {
    signals::flag();
    println!("begun");
    // Ends by itself if nobody ends it.
    for _ in 0..6000 {
        if signals::is_interrupted() {
            return println!("interrupted");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Begins the child that waits for the flag, behind a piece of shell.
fn begin(before: &str) -> Child {
    let folder = tempfile::tempdir().unwrap();
    let test = child(NAME, folder.path());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("{before}exec \"$0\" \"$@\"")])
        .arg(test.get_program())
        .args(test.get_args())
        .envs(
            test.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .stdout(Stdio::piped());
    let mut child = shell.spawn().unwrap();
    wait_for_line(&mut child, "begun");
    child
}

fn send(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &pid]).status();
    assert!(sent.unwrap().success());
}
