//! The promises of `sextant-cli`, kept by real files and processes.

mod files;
mod grow;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use sextant_cli::journal::Journal;

/// Names the folder in which a test that runs as a child process works.
const FOLDER: &str = "SEXTANT_CLI_TEST_FOLDER";

/// The folder of the child process that this test is, or `None` if it is no child.
fn child_folder() -> Option<PathBuf> {
    env::var_os(FOLDER).map(Into::into)
}

/// The command that runs the test `name` of this program as a child.
fn child(name: &str, folder: &Path) -> Command {
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

#[test]
fn what_is_killed_goes_on_without_a_gap() {
    if let Some(folder) = child_folder() {
        return count_for_ever(&folder.join("numbers"));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("numbers");
    let mut last = 0;
    for round in 0..4 {
        let name = "what_is_killed_goes_on_without_a_gap";
        let mut writer = child(name, folder.path()).spawn().unwrap();
        wait_for_line(&mut writer, "begun");
        thread::sleep(Duration::from_millis(20 + 13 * round));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let numbers = numbers(&fs::read(&path).unwrap()).0;
        assert!(numbers.len() >= last, "what was shown as written stays");
        assert!(numbers.iter().copied().eq(0..numbers.len()));
        last = numbers.len();
    }
    assert!(last > 0);
}

/// The numbers in the whole lines, and the length of these.
fn numbers(file: &[u8]) -> (Vec<usize>, u64) {
    let lines = file.split_inclusive(|&byte| byte == b'\n');
    let whole = lines.filter_map(|line| str::from_utf8(line).unwrap().strip_suffix(".\n"));
    let mut length = 0;
    let number = |line: &str| {
        length += line.len() as u64 + 2;
        line.split('.').next().unwrap().parse().unwrap()
    };
    (whole.map(number).collect(), length)
}

fn count_for_ever(path: &Path) {
    let mut journal = Journal::open(path).unwrap();
    let (numbers, whole) = numbers(&fs::read(path).unwrap());
    journal.cut_behind(whole).unwrap();
    println!("begun");
    for number in numbers.len().. {
        // Long records, so that a kill hits within one.
        let record = format!("{number}{}\n", ".".repeat(40_000));
        journal.append(record.as_bytes()).unwrap();
    }
}

#[cfg(unix)]
mod signals {
    use std::os::unix::process::ExitStatusExt;

    use sextant_cli::{output, signals};

    use super::*;

    #[test]
    fn a_signal_sets_the_flag_unless_it_was_ignored_and_a_second_ends_at_once() {
        if child_folder().is_some() {
            return wait_for_the_flag();
        }
        for (ignored, signal) in [("", "INT"), ("", "HUP"), ("HUP", "TERM"), ("INT", "HUP")] {
            let mut waiting = begin(ignored);
            if !ignored.is_empty() {
                // Were they not ignored, the second would end the process without its last line.
                send(&waiting, ignored);
                send(&waiting, ignored);
            }
            send(&waiting, signal);
            wait_for_line(&mut waiting, "interrupted");
            send(&waiting, signal);
            let ended = waiting.wait().unwrap();
            let found = (ended.code(), ended.signal());
            assert_eq!(found, (Some(130), None), "{ignored} {signal}");
        }
    }

    #[test]
    fn nobody_need_read_the_notes() {
        if child_folder().is_some() {
            (0..3).for_each(output::note);
            return println!("alive");
        }
        let mut command = child("signals::nobody_need_read_the_notes", Path::new("."));
        let mut noting = command.stderr(Stdio::piped()).spawn().unwrap();
        drop(noting.stderr.take());
        wait_for_line(&mut noting, "alive");
        assert!(noting.wait().unwrap().success());
    }

    /// Does not stop when it is asked to; ends by itself if nobody ends it.
    fn wait_for_the_flag() {
        signals::flag();
        println!("begun");
        for _ in 0..6000 {
            if signals::is_interrupted() {
                println!("interrupted");
                return thread::sleep(Duration::from_secs(60));
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Begins the child that waits for the flag, with a signal ignored.
    fn begin(ignored: &str) -> Child {
        let name =
            "signals::a_signal_sets_the_flag_unless_it_was_ignored_and_a_second_ends_at_once";
        let test = child(name, Path::new("."));
        let trap = format!("trap '' {ignored}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", trap.trim_start_matches("trap '' ; ")])
            .arg(test.get_program())
            .args(test.get_args())
            .env(FOLDER, ".")
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
}
