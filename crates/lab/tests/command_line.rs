//! The binary as people run it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sextant-lab"))
        .args(arguments)
        .output()
        .expect("the laboratory starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn list_names_every_experiment() {
    let output = lab(&["list"]);
    assert!(output.status.success());
    let listed = text(&output.stdout);
    for name in [
        "minimal-tree",
        "odd-even",
        "negamax",
        "sex-algorithm",
        "quiescence",
        "root-bonus",
        "bloom",
        "syzygy",
    ] {
        assert!(listed.contains(name), "{name} in {listed}");
    }
}

#[test]
fn an_unknown_experiment_is_answered_with_the_nearest_name() {
    let output = lab(&["run", "minmaltree", "--quick"]);
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    assert!(
        message.contains("did you mean \"minimal-tree\"?"),
        "{message}"
    );
    assert!(output.stdout.is_empty());
}

#[test]
fn a_missing_suite_is_named_before_anything_runs() {
    let suite = ["--suite", "/nowhere/at-all.epd", "--quick"];
    let output = lab(&[&["run", "negamax", "syzygy"][..], &suite].concat());
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.contains("/nowhere/at-all.epd"), "{message}");
    assert!(!message.contains("running"), "{message}");
}

#[test]
fn a_bad_line_of_a_suite_is_named_and_other_experiments_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let suite = dir.path().join("bad.epd");
    fs::write(&suite, "nonsense\n").unwrap();
    let suite = suite.to_str().unwrap();
    let settings = ["--suite", suite, "--quick", "--out", out];
    let output = lab(&[&["run", "negamax", "syzygy"][..], &settings].concat());
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.contains("bad.epd, line 1"), "{message}");
    assert!(message.contains("1 of 2 experiments failed"), "{message}");
    let page = fs::read_to_string(dir.path().join("index.html")).unwrap();
    assert!(page.contains("id=\"syzygy\"") && !page.contains("id=\"negamax\""));
}

#[test]
fn an_unwritable_folder_is_refused_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("taken");
    fs::write(&file, "").unwrap();
    let output = lab(&[
        "run",
        "minimal-tree",
        "--quick",
        "--out",
        file.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(
        message.contains("cannot write ") && message.contains("taken"),
        "{message}"
    );
    assert!(!message.contains("running"), "{message}");
}

#[test]
fn a_bad_config_and_missing_tables_are_named() {
    let refused = lab(&[
        "run",
        "minimal-tree",
        "--quick",
        "--config",
        "no-such-preset",
    ]);
    assert_eq!(refused.status.code(), Some(2));
    let message = text(&refused.stderr);
    assert!(message.contains("no-such-preset"), "{message}");
    let asked = ["run", "minimal-tree", "syzygy", "--quick"];
    let missing = lab(&[&asked[..], &["--tables", "/nowhere/tables"]].concat());
    assert_eq!(missing.status.code(), Some(1));
    assert!(!text(&missing.stderr).contains("running"));
    let message = text(&missing.stderr);
    assert!(
        message.contains("/nowhere/tables") && message.contains("--tables"),
        "{message}"
    );
}

#[test]
fn a_finished_experiment_is_kept_by_resume_and_only_then() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let arguments = ["run", "minimal-tree", "--quick", "--out", out];
    assert!(text(&lab(&arguments).stderr).contains("minimal-tree: running"));
    assert!(text(&lab(&arguments).stderr).contains("minimal-tree: running"));
    let resumed = lab(&[&arguments[..], &["--resume"]].concat());
    assert!(text(&resumed.stderr).contains("minimal-tree: kept from before"));
    let other_seed = lab(&[&arguments[..], &["--resume", "--seed", "2"]].concat());
    assert_eq!(other_seed.status.code(), Some(1));
    let message = text(&other_seed.stderr);
    assert!(message.contains("seed was 1 and is now 2"), "{message}");
    assert!(!message.contains("running"), "{message}");
}

#[test]
fn the_same_seed_gives_the_same_tables() {
    let run = |seed: &str| {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().to_str().unwrap();
        assert!(
            lab(&[
                "run",
                "minimal-tree",
                "--quick",
                "--seed",
                seed,
                "--out",
                out
            ])
            .status
            .success()
        );
        read(&dir.path().join("tables/minimal-tree-orders.csv"))
    };
    assert_eq!(run("1"), run("1"));
    assert_ne!(run("1"), run("2"));
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn hal_understands_the_paper() {
    let output = lab(&[
        "hal",
        "HAL, do not attempt quiescence optimization.",
        "skill level 2",
        "report game statistics",
        "e2-e4",
        "goodbye",
    ]);
    assert!(output.status.success());
    let said = text(&output.stdout);
    assert!(
        said.starts_with("I will not attempt quiescence optimization."),
        "{said}"
    );
    assert!(
        said.contains("Game statistics") && said.contains("e2-e4"),
        "{said}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_and_no_panic() {
    let full = || fs::File::create("/dev/full").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sextant-lab"));
        command.args(arguments);
        command
    };
    for arguments in [&["list"][..], &["run", "minimal-tree", "--quick"]] {
        let output = run(arguments).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let message = text(&output.stderr);
        assert!(message.contains("cannot print the results"), "{message}");
    }
    let unheard = run(&["run", "minimal-tree", "--quick"])
        .stderr(full())
        .output()
        .unwrap();
    assert!(unheard.status.success());
    let refused = run(&["run", "no-such-thing"]).stderr(full()).status();
    assert_eq!(refused.unwrap().code(), Some(2));
}

#[test]
fn an_experiment_named_twice_runs_once_and_its_error_is_told_once() {
    let output = lab(&["run", "minimal-tree", "minimal-tree", "--quick"]);
    assert_eq!(text(&output.stderr).matches("running").count(), 1);
    let dir = tempfile::tempdir().unwrap();
    let suite = dir.path().join("bad.epd");
    fs::write(&suite, "nonsense\n").unwrap();
    let suite = suite.to_str().unwrap();
    let output = lab(&["run", "negamax", "--quick", "--suite", suite]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert_eq!(message.matches("no legal position").count(), 1, "{message}");
}
