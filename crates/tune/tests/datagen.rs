//! `sextant-tune datagen` from outside: the same games whatever happens, and mistakes explained.

mod util;

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use util::{QUICK, binary, games, play, recipe, run, told};

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = |name, more: &[&str]| fs::read(play(folder.path(), name, "30", more)).unwrap();
    let one = bytes("one.vf", &[]);
    assert_eq!(games(&folder.path().join("one.vf")).len(), 30);
    assert!(one == bytes("three.vf", &["--threads", "3"]));
    assert!(one != bytes("other.vf", &["--seed", "2"]));
}

#[test]
fn a_file_cut_anywhere_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = play(folder.path(), "games.vf", "6", &[]);
    let whole = fs::read(&path).unwrap();
    for length in [
        0,
        1,
        31,
        32,
        500,
        whole.len() / 2,
        whole.len() - 3,
        whole.len(),
    ] {
        fs::write(&path, &whole[..length]).unwrap();
        play(folder.path(), "games.vf", "6", &["--threads", "2"]);
        assert!(fs::read(&path).unwrap() == whole, "cut at {length}");
    }
    play(folder.path(), "games.vf", "9", &[]);
    assert!(fs::read(&path).unwrap().starts_with(&whole));
    assert_eq!(games(&path).len(), 9);
}

/// Starts a run without end and waits until it has written something.
fn endless(path: &Path) -> Child {
    let child = binary()
        .arg("datagen")
        .arg(path)
        .args(QUICK)
        .args(["--threads", "2"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while fs::metadata(path).map_or(0, |meta| meta.len()) == 0 {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "nothing is written"
        );
        thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn stopped_and_killed_runs_go_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    for signal in ["-INT", "-TERM", "-KILL"] {
        let child = endless(&path);
        let id = child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.unwrap().success());
        let (code, _, err) = told(child.wait_with_output().unwrap());
        if signal == "-KILL" {
            assert_eq!(code, None);
        } else {
            let count = games(&path).len();
            assert_eq!(code, Some(130), "{err}");
            let words = format!("stopped with {count} game");
            assert!(
                err.contains(&words) && err.contains("the same command goes on"),
                "{err}"
            );
        }
        // The next run must find something new to write.
        let kept = folder.path().join(signal);
        fs::rename(&path, kept).unwrap();
        fs::remove_file(recipe(&path)).unwrap();
    }
    let most = ["-INT", "-TERM"].map(|name| games(&folder.path().join(name)).len());
    let most = *most.iter().max().unwrap();
    let count = (most + 4).to_string();
    let unbroken = fs::read(play(folder.path(), "unbroken.vf", &count, &[])).unwrap();
    for signal in ["-INT", "-TERM", "-KILL"] {
        let begun = fs::read(folder.path().join(signal)).unwrap();
        let shared = begun.len().min(unbroken.len());
        assert!(begun[..shared] == unbroken[..shared], "{signal}");
        if begun.len() <= unbroken.len() {
            fs::write(&path, begun).unwrap();
            fs::copy(recipe(&folder.path().join("unbroken.vf")), recipe(&path)).unwrap();
            play(folder.path(), "games.vf", &count, &[]);
            assert!(fs::read(&path).unwrap() == unbroken, "{signal}");
        }
    }
}

#[test]
fn two_runs_do_not_write_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    let mut first = endless(&path);
    let mut args = vec!["datagen", path.to_str().unwrap()];
    args.extend(QUICK);
    let (code, _, err) = run(&args);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("another sextant-tune is writing"), "{err}");
}

/// A limit on the size of files stands for a full disk: the write fails in the middle of a game.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    let (binary, file) = (env!("CARGO_BIN_EXE_sextant-tune"), path.to_str().unwrap());
    let quick = QUICK.join(" ");
    let line =
        format!("trap '' XFSZ; ulimit -f 3; exec {binary} datagen {file} --games 40 {quick}");
    let (code, _, err) = told(Command::new("bash").args(["-c", &line]).output().unwrap());
    assert_eq!(code, Some(1), "{err}");
    assert!(
        err.contains("cannot write") && err.contains("goes on"),
        "{err}"
    );
    play(folder.path(), "games.vf", "40", &[]);
    let unbroken = play(folder.path(), "unbroken.vf", "40", &[]);
    assert!(fs::read(&path).unwrap() == fs::read(unbroken).unwrap());
}

/// Standard error may be a pipe whose reader has left, or a file on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_run_goes_on_when_nobody_can_hear_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = binary();
    command.arg("datagen").arg(&path).args(["--games", "2"]);
    let status = command.args(QUICK).stderr(Stdio::from(full)).status();
    assert_eq!(status.unwrap().code(), Some(0));
    assert_eq!(games(&path).len(), 2);
}

#[test]
fn a_disk_that_is_full_at_once_leaves_nothing_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    let (binary, file) = (env!("CARGO_BIN_EXE_sextant-tune"), path.to_str().unwrap());
    let quick = QUICK.join(" ");
    let line = format!("trap '' XFSZ; ulimit -f 0; exec {binary} datagen {file} {quick}");
    let (code, _, err) = told(Command::new("bash").args(["-c", &line]).output().unwrap());
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("cannot write"), "{err}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    // What an earlier version left behind.
    fs::write(recipe(&path), "").unwrap();
    play(folder.path(), "games.vf", "1", &[]);
    assert_eq!(games(&path).len(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_no_files_of_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    std::os::unix::fs::symlink("/dev/full", &path).unwrap();
    let (code, _, err) = run(&["datagen", path.to_str().unwrap(), "--games", "1"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("is a folder or a device"), "{err}");
    assert!(!recipe(&path).exists());
}

#[test]
fn other_options_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = play(folder.path(), "games.vf", "3", &[]);
    let before = fs::read(&path).unwrap();
    for (more, words) in [
        (&["--seed", "7"][..], "seed was 1 and is now 7"),
        (&["--hard-nodes", "99"], "hard_nodes was 480 and is now 99"),
        (
            &["--no-adjudication"],
            "adjudication was true and is now false",
        ),
        (&["--config", "integer-ply"], "config was \""),
    ] {
        let mut args = vec!["datagen", path.to_str().unwrap(), "--games", "5"];
        args.extend(QUICK);
        args.extend(more);
        let (code, _, err) = run(&args);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains(words), "{err}");
    }
    assert!(fs::read(&path).unwrap() == before);
}

#[test]
fn the_largest_numbers_go_on_like_others() {
    let folder = tempfile::tempdir().unwrap();
    let largest = u64::MAX.to_string();
    let more = ["--seed", &largest, "--hard-nodes", &largest];
    let path = play(folder.path(), "games.vf", "1", &more);
    play(folder.path(), "games.vf", "2", &more);
    assert_eq!(games(&path).len(), 2);
    let mut args = vec!["datagen", path.to_str().unwrap(), "--games", "3"];
    args.extend(QUICK);
    args.extend(["--hard-nodes", &largest]);
    let (code, _, err) = run(&args);
    assert_eq!(code, Some(2), "{err}");
    let words = format!("seed was {largest} and is now 1");
    assert!(err.contains(&words), "{err}");
}

#[test]
fn foreign_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = play(folder.path(), "games.vf", "2", &[]);
    let mut args = vec!["datagen", path.to_str().unwrap(), "--games", "5"];
    args.extend(QUICK);
    let text = "[Event \"this is a PGN file and no file of games\"]\n";
    fs::write(&path, text).unwrap();
    let (code, _, err) = run(&args);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("is no file of games"), "{err}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    fs::remove_file(recipe(&path)).unwrap();
    let (code, _, err) = run(&args);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("nobody knows how it was made"), "{err}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn wrong_arguments_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (out, missing) = (at("games.vf"), at("missing/games.vf"));
    let (book, no_book) = (at("book.epd"), at("none.epd"));
    fs::write(
        &book,
        "4k3/8/8/8/8/8/8/4K2R w K -\n4k3/8/8/8/8/8/8/8 w - -\n",
    )
    .unwrap();
    let empty = at("tables");
    fs::create_dir(&empty).unwrap();
    for (args, words) in [
        (vec![&*out, "--book", &no_book], "cannot read the book"),
        (vec![&out, "--book", &book], "line 2: White has 0 kings"),
        (vec![&missing], "cannot write"),
        (vec![&out, "--syzygy", &empty], "no WDL table"),
        (vec![&out, "--chess960", "2"], "0 to 1"),
        (vec![&out, "--config", "defualt"], "defualt"),
        (
            vec![&out, "--random-plies-min", "20"],
            "--random-plies-max 9",
        ),
    ] {
        let (code, _, err) = run(&[&["datagen", "--games", "1"][..], &args].concat());
        assert_eq!(code, Some(2), "{args:?}: {err}");
        assert!(err.contains(words), "{args:?}: {err}");
        assert!(!Path::new(&out).exists(), "{args:?}");
    }
}
