//! `spsa` from outside: runs that can be repeated, killed and gone on with, and mistakes that are
//! explained.

mod util;

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use sextant_config::Config;
use util::{
    run_in as run,
    runs::{fails, new_run, succeed, text},
    start_in as start, told,
};

/// Far longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Iterations in the state; 0 before there is one.
fn iterations(folder: &Path) -> u64 {
    let text = fs::read_to_string(folder.join("run.toml")).unwrap_or_default();
    let (_, progress) = text
        .split_once("[progress]\niterations = ")
        .unwrap_or_default();
    progress
        .lines()
        .next()
        .map_or(0, |number| number.parse().unwrap())
}

/// Waits until some iterations are done.
fn wait_for(folder: &Path, wanted: u64) {
    let start = Instant::now();
    while iterations(folder) < wanted {
        assert!(start.elapsed() < PATIENCE, "no {wanted} iterations");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_seed_decides_not_the_threads() {
    let [alone, three, other] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let out = succeed(alone.path(), &new_run("4", &[]));
    succeed(three.path(), &new_run("4", &["--concurrency", "3"]));
    let other_seed: Vec<_> = new_run("4", &[])
        .into_iter()
        .map(|word| if word == "5" { "6" } else { word })
        .collect();
    succeed(other.path(), &other_seed);
    let state = text(alone.path(), "run.toml");
    assert_eq!(state, text(three.path(), "run.toml"));
    assert_eq!(
        text(alone.path(), "run.tuned.toml"),
        text(three.path(), "run.tuned.toml")
    );
    assert_ne!(state, text(other.path(), "run.toml"));

    for part in [
        "iteration 4 of 4, 16 games",
        "pruning.rfp_margin ",
        "written: run.tuned.toml",
        "tuned against start: Elo ",
        " after 6 games",
    ] {
        assert!(out.contains(part), "no {part:?} in\n{out}");
    }
    assert!(text(alone.path(), "run.svg").contains("pruning.rfp_margin"));
    // The tuned file says what the table says.
    let tuned = alone.path().join("run.tuned.toml");
    let tuned = Config::load(tuned.to_str().unwrap()).unwrap();
    assert_ne!(tuned, Config::default());
    let row = out
        .lines()
        .find(|line| line.starts_with("pruning.rfp_margin "))
        .unwrap();
    let now = row.split_whitespace().nth(2).unwrap().trim_end_matches('*');
    assert_eq!(now, tuned.pruning.rfp_margin.to_string());
    assert_eq!(
        tuned.pruning.rfp_depth,
        Config::default().pruning.rfp_depth,
        "left out"
    );
}

#[test]
fn killed_and_gone_on_with_is_unbroken() {
    let [unbroken, killed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    succeed(unbroken.path(), &new_run("8", &[]));
    let mut child = start(killed.path(), &new_run("8", &[]));
    for done in [2, 4] {
        wait_for(killed.path(), done);
        // Child::kill is SIGKILL on Unix: nothing can be put in order.
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(
            iterations(killed.path()) < 8,
            "it was too quick to be killed"
        );
        let (code, out, _) = run(killed.path(), &["spsa", "--show", "run.toml"]);
        assert!(code == Some(0) && out.contains(" of 8, "), "{out}");
        child = start(
            killed.path(),
            &["spsa", "--resume", "run.toml", "--concurrency", "2"],
        );
    }
    let (code, out, err) = told(child.wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{out} {err}");
    for name in ["run.toml", "run.tuned.toml", "run.svg"] {
        assert_eq!(
            text(unbroken.path(), name),
            text(killed.path(), name),
            "{name}"
        );
    }
    // What is done can be asked for again.
    assert!(succeed(killed.path(), &["spsa", "--resume", "run.toml"]).contains("tuned against"));
}

#[test]
fn a_state_that_cannot_be_written_loses_nothing() {
    let [unbroken, broken] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    succeed(unbroken.path(), &new_run("6", &[]));
    let child = start(broken.path(), &new_run("6", &[]));
    wait_for(broken.path(), 2);
    // Stands where the next state would be written first.
    let part = broken.path().join("run.toml.part");
    while fs::create_dir(&part).is_err() {}
    let (code, _, err) = told(child.wait_with_output().unwrap());
    assert_eq!(code, Some(1), "{err}");
    let done = iterations(broken.path());
    assert!(done >= 2);
    let safe = "cannot write run.toml: Is a directory (os error 21); what it holds is good";
    assert!(err.contains(safe), "{err}");
    fs::remove_dir(&part).unwrap();
    succeed(broken.path(), &["spsa", "--resume", "run.toml"]);
    assert_eq!(
        text(unbroken.path(), "run.toml"),
        text(broken.path(), "run.toml")
    );
}

#[test]
fn a_picture_that_cannot_be_written_does_not_end_the_run() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("run.svg")).unwrap();
    let (code, _, err) = run(folder.path(), &new_run("4", &[]));
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("cannot write run.svg: "), "{err}");
    assert_eq!(iterations(folder.path()), 4);
}

#[cfg(unix)]
#[test]
fn an_interrupt_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let child = start(folder.path(), &new_run("1000", &[]));
    wait_for(folder.path(), 1);
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let (code, out, err) = told(child.wait_with_output().unwrap());
    assert_eq!(code, Some(130), "{err}");
    assert!(
        err.contains("go on with `sextant-tune spsa --resume run.toml`"),
        "{out} {err}"
    );
}

#[test]
fn mistakes_are_named_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("bad.epd"), "# a comment\nrubbish\n").unwrap();
    fs::write(here.join("wrong.toml"), "[pruning]\nrfp_margn = 80\n").unwrap();
    fs::create_dir(here.join("sub")).unwrap();
    fs::write(here.join("sub/base.toml"), "version = 1\n").unwrap();
    fs::write(here.join("sub/mine.toml"), "extends = \"base.toml\"\n").unwrap();
    let with = |more: &[&'static str], word: &str| {
        fails(here, &new_run("2", more), word);
        assert!(!here.join("run.toml").exists(), "{more:?}");
    };
    with(&["--keys", "prunning.*"], "did you mean \"pruning\"?");
    with(&["--keys", "engine.hash"], "no SPSA step");
    with(
        &["--book", "missing.epd"],
        "cannot read the book missing.epd",
    );
    with(&["--book", "bad.epd"], "bad.epd: line 2: ");
    with(&["--config", "defualt"], "did you mean \"default\"?");
    with(
        &["--config", "wrong.toml"],
        "wrong.toml:2:1: unknown key pruning.rfp_margn",
    );
    with(
        &["--config", "sub/mine.toml"],
        "name a file in the same folder with --out",
    );
    with(
        &["--verify-sprt", "5", "0"],
        "the first must be below the second",
    );
    fails(
        here,
        &["spsa", "--state", "no/run.toml", "--keys", "pruning.*"],
        "cannot keep a run in no/run.toml: ",
    );
    fails(here, &["spsa", "--keys", "pruning.*"], "--state <FILE>");
    fails(here, &["spsa", "--state", "run.toml"], "--keys");
    fails(
        here,
        &["spsa", "--resume", "run.toml", "--nodes", "5"],
        "cannot be used with",
    );
}

#[test]
fn another_run_or_no_run_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let book = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -\n";
    fs::write(here.join("book.epd"), book).unwrap();
    fs::write(here.join("mine.toml"), "version = 1\n").unwrap();
    succeed(
        here,
        &new_run("1", &["--book", "book.epd", "--config", "mine.toml"]),
    );
    fails(here, &new_run("1", &[]), "holds a run already");
    let resume = ["spsa", "--resume", "run.toml"];
    fs::write(here.join("book.epd"), format!("# new\n{book}")).unwrap();
    fails(here, &resume, "the book book.epd is not what it was");
    fs::write(here.join("book.epd"), book).unwrap();
    fs::write(here.join("mine.toml"), "version = 1\nsearch.iir = false\n").unwrap();
    fails(here, &resume, "the config mine.toml is not what it was");
    fs::write(here.join("mine.toml"), "version = 1\n").unwrap();

    let state = text(here, "run.toml");
    let edited = |from: &str, to: &str, word: &str| {
        assert!(state.contains(from), "{from} is not in {state}");
        fs::write(here.join("run.toml"), state.replacen(from, to, 1)).unwrap();
        fails(here, &resume, word);
    };
    edited(
        "signature = ",
        "signature = 1",
        "the engine is not what it was",
    );
    edited("version = 1", "version = 9", "this program reads version 1");
    edited("[progress]", "[progres]", "run.toml is no tuning run");
    edited("value = ", "value = 99999", "run.toml is damaged: ");
    edited("r_end = 0.9", "r_end = nan", "run.toml is damaged: ");
    fs::write(here.join("run.toml"), &state[..state.len() / 2]).unwrap();
    fails(here, &resume, "run.toml is no tuning run");
    fails(
        here,
        &["spsa", "--show", "none.toml"],
        "cannot read none.toml",
    );
}
