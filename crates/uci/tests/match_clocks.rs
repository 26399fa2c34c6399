//! `sextant match --tc` from outside, with runners that only say what fastchess says, so that no clock
//! decides these tests.

mod util;

#[cfg(target_os = "linux")]
use std::{fs, path::Path};

#[cfg(target_os = "linux")]
use serde_json::Value;
use util::run;

#[test]
fn clocks_need_fastchess() {
    let timed = ["match", "default", "default", "--tc", "1+0.01"];
    let missing = [&timed[..], &["--fastchess", "no-such-program"]].concat();
    let (status, out, err) = run(&missing);
    assert_eq!(status.code(), Some(2));
    assert!(out.contains("end         failed"), "{out}");
    assert!(
        err.contains("games with a clock need fastchess") && err.contains("--nodes"),
        "{err}"
    );
    fails(
        &[&timed[..], &["--nodes", "50"]].concat(),
        "cannot be used with",
    );
    fails(
        &["match", "default", "default", "--tc", "fast"],
        "the form is 8+0.08",
    );
}

/// A runner that says what fastchess says, if the shell finds `checks` true.
#[cfg(target_os = "linux")]
fn runner(folder: &Path, checks: &str) -> String {
    use std::os::unix::fs::PermissionsExt;

    let script = format!(
        "#!/bin/sh\n\
         {checks} || {{ echo \"not: $*\"; cat A.toml book.epd; exit 1; }}\n\
         echo 'Games: 6, Wins: 3, Losses: 1, Draws: 2, Points: 4.0 (66.67 %)'\n\
         echo 'Ptnml(0-2): [0, 1, 0, 1, 1], WL/DD Ratio: 0.00'\n"
    );
    let runner = folder.join("runner");
    fs::write(&runner, script).unwrap();
    fs::set_permissions(&runner, fs::Permissions::from_mode(0o755)).unwrap();
    runner.to_str().unwrap().to_owned()
}

#[cfg(target_os = "linux")]
#[test]
fn the_counts_of_the_runner_are_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.json");
    let checks = "case \"$*\" in *variant*) false ;; *tc=1+0.01*-rounds\\ [0-9]*-resign*) ;; *) false ;; esac &&
        grep -q '^version = 1' A.toml && grep -q 'iir = false' B.toml && test -s book.epd &&
        ! grep -q 'move_overhead = 0' A.toml";
    let runner = runner(folder.path(), checks);
    let play = |games: &str, more: &[&str]| {
        let usual = ["match", "default", "default", "--set", "b:search.iir=false"];
        let rest = ["--tc", "1+0.01", "--games", games, "--fastchess", &runner];
        let state = ["--state", state.to_str().unwrap()];
        let (status, out, err) = run(&[&usual[..], &rest, &state, more].concat());
        assert!(status.success(), "{err}");
        out
    };
    let out = play("6", &[]);
    for part in [
        "1+0.01 seconds a game, Hash 8 MB, random openings",
        "+3 =2 -1, score 66.7 %, draws 33.3 %",
        "pairs       [0, 1, 0, 1, 1]",
        "not reproducible",
        "end         all games played",
    ] {
        assert!(out.contains(part), "no {part:?} in\n{out}");
    }
    assert!(!out.contains("White"), "nobody counted these:\n{out}");
    // It goes on after what was counted.
    let result: Value = serde_json::from_str(&play("12", &["--json"])).unwrap();
    assert_eq!(result["pentanomial"], serde_json::json!([0, 2, 0, 2, 2]));
    assert!(result["white_wins"].is_null() && result["a"]["nps"].is_null());
}

#[cfg(target_os = "linux")]
#[test]
fn the_runner_is_told_of_chess960() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    fs::write(
        &book,
        "rbbknqrn/pppppppp/8/8/8/8/PPPPPPPP/RBBKNQRN w GAga -\n",
    )
    .unwrap();
    let checks = "case \"$*\" in *'-variant fischerandom'*) ;; *) false ;; esac && grep -q ' GAga ' book.epd";
    runner(folder.path(), checks);
    // A path from where the command was given, not from where the runner works.
    let played = util::binary()
        .args([
            "match", "default", "default", "--tc", "1+0.01", "--games", "2",
        ])
        .args(["--fastchess", "./runner", "--book", "book.epd"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&played.stderr);
    assert!(played.status.success(), "{err}");
}

fn fails(args: &[&str], word: &str) {
    let (status, out, err) = run(args);
    assert_eq!(status.code(), Some(2), "{args:?}");
    assert!(out.is_empty() && err.contains(word), "{args:?}: {err}");
}
