//! The files of a tuning run from outside: what it writes, what it never replaces, and runs that are
//! gone on with from elsewhere.

mod util;

use std::fs;

use sextant_config::Config;
use util::{
    run_in as run,
    runs::{fails, new_run, succeed, text},
    start_in as start, told,
};

#[test]
fn comments_survive_and_the_base_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mine = "# mine\nversion = 1\n[pruning]\nrfp_margin = 81 # measured\n[extensions]\n# why\n\
                recapture = 5.25\n";
    fs::write(folder.path().join("mine.toml"), mine).unwrap();
    let more = [
        "--config",
        "mine.toml",
        "--keys",
        "extensions.recapture",
        "--out",
        "best.toml",
    ];
    let out = succeed(folder.path(), &new_run("3", &more));
    assert!(out.contains("written: best.toml"), "{out}");
    let best = text(folder.path(), "best.toml");
    for kept in ["# mine\n", " # measured\n", "# why\n"] {
        assert!(best.contains(kept), "{best}");
    }
    assert_eq!(text(folder.path(), "mine.toml"), mine);
    let path = folder.path().join("best.toml");
    assert!(Config::load(path.to_str().unwrap()).is_ok(), "{best}");
    // The values of a run can be had at any time.
    succeed(
        folder.path(),
        &["spsa", "--show", "run.toml", "--out", "again.toml"],
    );
    assert_eq!(text(folder.path(), "again.toml"), best);
}

#[test]
fn what_rounds_back_to_the_base_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let args: Vec<_> = new_run("2", &[])
        .into_iter()
        .map(|word| if word == "0.9" { "1e-9" } else { word })
        .collect();
    let out = succeed(folder.path(), &args);
    assert!(
        out.contains("nothing changed") && out.contains("run.tuned.toml is not"),
        "{out}"
    );
    assert!(!folder.path().join("run.tuned.toml").exists());
}

#[test]
fn nothing_of_the_users_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("mine.toml"), "version = 1\n").unwrap();
    let with = |more: &[&'static str], word: &str| {
        fails(here, &new_run("2", more), word);
        assert!(!here.join("run.toml").exists(), "{more:?}");
    };
    with(&["--out", "run.toml"], "the run itself is kept in run.toml");
    with(
        &["--out", "./run.svg"],
        "the run itself is kept in ./run.svg",
    );
    let base = ["--config", "mine.toml", "--out", "mine.toml"];
    with(&base, "mine.toml is there already");
    with(&["--out", "no/best.toml"], "cannot write no/best.toml");
    succeed(here, &new_run("2", &["--config", "mine.toml"]));
    for out in ["run.toml", "mine.toml"] {
        let show = ["spsa", "--show", "run.toml", "--out", out];
        let (code, _, err) = run(here, &show);
        assert!(code == Some(2) && err.contains("as it is"), "{err}");
    }
    // The end of the run again, after its result was worked on.
    let edited = text(here, "run.tuned.toml") + "# by hand\n";
    fs::write(here.join("run.tuned.toml"), &edited).unwrap();
    let out = succeed(here, &["spsa", "--resume", "run.toml"]);
    assert!(out.contains("stays as it is"), "{out}");
    assert_eq!(text(here, "run.tuned.toml"), edited);
}

#[test]
fn a_run_is_gone_on_with_from_anywhere() {
    let [unbroken, moved] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let here = unbroken.path();
    fs::write(here.join("mine.toml"), "version = 1\n").unwrap();
    let with = ["--config", "mine.toml"];
    succeed(here, &new_run("3", &with));
    let there = moved.path().join("runs");
    fs::create_dir(&there).unwrap();
    fs::copy(here.join("mine.toml"), there.join("mine.toml")).unwrap();
    let mut child = start(&there, &new_run("3", &with));
    while !there.join("run.toml").exists() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    told(child.wait_with_output().unwrap());
    succeed(moved.path(), &["spsa", "--resume", "runs/run.toml"]);
    for name in ["run.toml", "run.tuned.toml"] {
        assert_eq!(text(here, name), text(&there, name));
    }
}

#[test]
fn one_process_works_on_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(folder.path(), &new_run("1000", &[]));
    while !folder.path().join("run.toml").exists() {
        std::thread::yield_now();
    }
    let resume = ["spsa", "--resume", "run.toml"];
    fails(folder.path(), &resume, "another process is working on it");
    child.kill().unwrap();
    told(child.wait_with_output().unwrap());
}

#[test]
fn keys_without_effect_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--keys", "time.*", "--keys", "eval.tempo"];
    let (code, _, err) = run(folder.path(), &new_run("1", &more));
    assert_eq!(code, Some(0), "{err}");
    let (_, note) = err.split_once("whatever the value of ").unwrap();
    let (named, _) = note.split_once("; if what").unwrap();
    assert!(named.contains("time."), "{named}");
    assert!(!named.contains("reductions.base"), "{named}");
}

#[test]
fn a_test_at_the_end_may_take_all_openings() {
    let folder = tempfile::tempdir().unwrap();
    let test: Vec<_> = new_run("1", &["--verify-sprt", "-400", "400"]);
    let at = test.iter().position(|word| *word == "--verify-pairs");
    let test: Vec<_> = at
        .map(|at| [&test[..at], &test[at + 2..]].concat())
        .unwrap();
    let out = succeed(folder.path(), &test);
    assert!(!out.contains("undecided"), "{out}");
    assert!(text(folder.path(), "run.toml").contains("verify_pairs = 1000000"));
}
