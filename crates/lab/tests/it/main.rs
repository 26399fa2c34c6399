//! The binary as people run it.

use std::{
    fs::{self, File},
    path::Path,
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sextant-lab"));
    command.args(arguments);
    command
}

/// Exit code, standard output and standard error.
fn run(mut command: Command) -> (Option<i32>, String, String) {
    let output = command.output().expect("the laboratory starts");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn lab(arguments: &[&str]) -> (Option<i32>, String, String) {
    run(command(arguments))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn list_names_every_experiment() {
    let (code, listed, _) = lab(&["list"]);
    assert_eq!(code, Some(0));
    let names = listed.lines().filter(|line| !line.starts_with(' '));
    let names: Vec<&str> = names
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let expected = "minimal-tree odd-even negamax sex-algorithm quiescence root-bonus bloom syzygy";
    assert_eq!(names.join(" "), expected);
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("taken");
    fs::write(&file, "").unwrap();
    let taken = file.to_str().unwrap();
    let suite = dir.path().join("bad.epd");
    fs::write(&suite, "nonsense\n").unwrap();
    let suite = suite.to_str().unwrap();
    for (option, value, code, parts) in [
        (
            "--suite",
            "/nowhere/at-all.epd",
            1,
            ["/nowhere/at-all.epd", "leave --suite out"],
        ),
        ("--out", taken, 1, ["cannot write", "taken"]),
        ("--config", "no-such-preset", 2, ["no-such-preset", ""]),
        (
            "--tables",
            "/nowhere/tables",
            1,
            ["/nowhere/tables", "leave --tables out"],
        ),
    ] {
        let (found, _, message) = lab(&["run", "negamax", "syzygy", "--quick", option, value]);
        assert_eq!(found, Some(code), "{message}");
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
        assert!(!message.contains("running"), "{message}");
    }
    let (code, printed, message) = lab(&["run", "minmaltree", "--quick"]);
    assert_eq!(code, Some(2));
    assert!(
        message.contains("did you mean \"minimal-tree\"?"),
        "{message}"
    );
    assert_eq!(printed, "");
    // One experiment's error is told once.
    let (code, _, message) = lab(&["run", "negamax", "negamax", "--quick", "--suite", suite]);
    assert_eq!(code, Some(1));
    assert_eq!(message.matches("running").count(), 1, "{message}");
    assert_eq!(message.matches("no legal position").count(), 1, "{message}");
}

#[test]
fn a_bad_line_of_a_suite_is_named_and_other_experiments_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let suite = dir.path().join("bad.epd");
    fs::write(&suite, "nonsense\n").unwrap();
    let suite = suite.to_str().unwrap();
    let settings = ["--suite", suite, "--quick", "--out", out];
    let (code, _, message) = lab(&[&["run", "negamax", "syzygy"][..], &settings].concat());
    assert_eq!(code, Some(1));
    assert!(message.contains("bad.epd, line 1"), "{message}");
    assert!(message.contains("1 of 2 experiments failed"), "{message}");
    let page = read(&dir.path().join("index.html"));
    assert!(page.contains("id=\"syzygy\"") && !page.contains("id=\"negamax\""));
}

#[test]
fn what_was_finished_before_a_kill_is_on_the_page_and_is_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let arguments = ["run", "minimal-tree", "negamax", "--quick", "--out", out];
    let mut child = command(&arguments).stdout(Stdio::null()).spawn().unwrap();
    let page = dir.path().join("index.html");
    let start = Instant::now();
    while !page.exists() {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "nothing came of it"
        );
        sleep(Duration::from_millis(5));
    }
    // The second experiment is under way, or on a fast machine done: both are fine.
    child.kill().unwrap();
    child.wait().unwrap();
    let html = read(&page);
    assert!(html.contains("id=\"minimal-tree\"") && html.ends_with("</html>\n"));
    assert!(dir.path().join("tables/minimal-tree-wiki.csv").exists());
    let resume = |more: &[&str]| lab(&[&arguments[..], &["--resume"], more].concat());
    let (code, _, message) = resume(&[]);
    assert_eq!(code, Some(0));
    assert!(
        message.contains("minimal-tree: kept from before"),
        "{message}"
    );
    let (code, _, message) = resume(&["--seed", "2"]);
    assert_eq!(code, Some(1));
    assert!(
        message.contains("seed was \"1\" and is now \"2\""),
        "{message}"
    );
    assert!(!message.contains("running"), "{message}");
    // Without --resume what is asked for runs again, and the rest stays on the page.
    let (_, _, message) = lab(&["run", "minimal-tree", "--quick", "--out", out]);
    assert!(message.contains("minimal-tree: running"), "{message}");
    let html = read(&page);
    let at = ["minimal-tree", "negamax"].map(|name| html.find(&format!("id=\"{name}\"")));
    assert!(at[0].is_some() && at[0] < at[1], "{at:?}");
    assert!(html.contains("seed 1, the built-in positions, config default ("));
}

#[test]
fn the_same_seed_gives_the_same_tables() {
    let orders = |seed: &str| {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().to_str().unwrap();
        let arguments = [
            "run",
            "minimal-tree",
            "--quick",
            "--seed",
            seed,
            "--out",
            out,
        ];
        assert_eq!(lab(&arguments).0, Some(0));
        read(&dir.path().join("tables/minimal-tree-orders.csv"))
    };
    assert_eq!(orders("1"), orders("1"));
    assert_ne!(orders("1"), orders("2"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_and_no_panic() {
    let full = || File::create("/dev/full").unwrap();
    let quick = ["run", "minimal-tree", "--quick"];
    for arguments in [&["list"][..], &quick] {
        let output = command(arguments).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            message.contains("cannot write to standard output"),
            "{message}"
        );
    }
    let unheard = command(&quick).stderr(full()).output().unwrap();
    assert!(unheard.status.success());
}
