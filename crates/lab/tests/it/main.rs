//! The binary as people run it.

use std::{
    fs::{self, File},
    path::Path,
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

fn command(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sextant-lab"));
    command.args(arguments.split(' '));
    command
}

/// Exit code, standard output and standard error.
fn lab(arguments: &str) -> (Option<i32>, String, String) {
    let output = command(arguments).output().expect("the laboratory starts");
    let [printed, notes] = [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
    (output.status.code(), printed, notes)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn list_names_every_experiment() {
    let (code, listed, _) = lab("list");
    assert_eq!(code, Some(0));
    let titles = listed.lines().filter(|line| !line.starts_with(' '));
    let names = titles.filter_map(|line| line.split_whitespace().next());
    let expected = "ladder minimal-tree odd-even negamax sex-algorithm paths quiescence root-bonus bloom syzygy";
    assert!(names.eq(expected.split(' ')), "{listed}");
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("taken");
    fs::write(&file, "").unwrap();
    let taken = file.to_str().unwrap();
    let out = format!("syzygy --out {taken}");
    for (arguments, code, part) in [
        ("syzygy --suite /nowhere.epd", 1, "leave --suite out"),
        (&out, 1, "cannot write"),
        ("syzygy --config no-such-preset", 2, "no-such-preset"),
        ("syzygy --tables /nowhere", 1, "leave --tables out"),
        ("syzygy minmaltree bloom", 2, "'minimal-tree'"),
    ] {
        let (found, printed, message) = lab(&format!("run --quick {arguments}"));
        assert_eq!(found, Some(code), "{message}");
        assert!(message.contains(part), "{message}");
        assert!(!message.contains("running"), "{message}");
        assert_eq!(printed, "");
    }
}

#[test]
fn a_bad_line_of_a_suite_is_named_and_other_experiments_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let suite = dir.path().join("bad.epd");
    fs::write(&suite, "nonsense\n").unwrap();
    let suite = suite.to_str().unwrap();
    let run = |names| lab(&format!("run {names} --suite {suite} --quick --out {out}"));
    // One experiment's error is told once.
    let (code, _, message) = run("negamax negamax");
    assert_eq!(code, Some(1));
    assert_eq!(message.matches("running").count(), 1, "{message}");
    assert_eq!(message.matches("bad.epd, line 1").count(), 1, "{message}");
    let (code, _, message) = run("negamax syzygy");
    assert_eq!(code, Some(1));
    assert!(message.contains("1 of 2 experiments failed"), "{message}");
    let page = read(&dir.path().join("index.html"));
    assert!(page.contains("id=\"syzygy\"") && !page.contains("id=\"negamax\""));
}

#[test]
fn what_was_finished_before_a_kill_is_on_the_page_and_is_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let arguments = format!("run minimal-tree negamax --quick --out {out}");
    let mut child = command(&arguments).stdout(Stdio::null()).spawn().unwrap();
    let page = dir.path().join("index.html");
    let start = Instant::now();
    while !page.exists() {
        assert!(start.elapsed().as_secs() < 120, "nothing came of it");
        sleep(Duration::from_millis(5));
    }
    // The second experiment is under way, or on a fast machine done: both are fine.
    child.kill().unwrap();
    child.wait().unwrap();
    let html = read(&page);
    assert!(html.contains("id=\"minimal-tree\"") && html.ends_with("</html>\n"));
    let orders = dir.path().join("tables/minimal-tree-orders.csv");
    let before = read(&orders);
    for (more, code, part) in [
        ("--resume", 0, "minimal-tree: kept from before"),
        ("--resume --seed 2", 1, "seed was \"1\" and is now \"2\""),
    ] {
        let (found, printed, message) = lab(&format!("{arguments} {more}"));
        assert_eq!(found, Some(code), "{message}");
        assert!(message.contains(part), "{message}");
        assert!(!message.contains("minimal-tree: running"), "{message}");
        assert_eq!(printed.is_empty(), code == 1, "{message}");
    }
    // Without --resume what is asked for runs again, and the rest stays on the page.
    let (_, _, message) = lab(&format!("run minimal-tree --quick --out {out}"));
    assert!(message.contains("minimal-tree: running"), "{message}");
    let html = read(&page);
    let at = ["minimal-tree", "negamax"].map(|name| html.find(&format!("id=\"{name}\"")));
    assert!(at[0].is_some() && at[0] < at[1], "{at:?}");
    assert!(html.contains("seed 1, the built-in positions, config default ("));
    // The seed alone decides what is left to chance.
    assert_eq!(read(&orders), before);
    let other = tempfile::tempdir().unwrap();
    let out = other.path().to_str().unwrap();
    lab(&format!("run minimal-tree --quick --seed 2 --out {out}"));
    let others = read(&other.path().join("tables/minimal-tree-orders.csv"));
    assert_ne!(others, before);
}

/// Of a run of hours no finished part is made again.
#[test]
fn parts_of_an_experiment_are_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let arguments = format!("run ladder --quick --out {}", dir.path().display());
    let (code, first, message) = lab(&arguments);
    assert_eq!(code, Some(0), "{message}");
    // As if the run had been killed: one game is there that was never played, the last part is not.
    for name in ["finished.jsonl", "index.html"] {
        fs::remove_file(dir.path().join(name)).unwrap();
    }
    let parts = dir.path().join("parts.jsonl");
    let mut lines: Vec<String> = read(&parts).lines().map(str::to_owned).collect();
    lines.pop();
    let games = "{\"name\":\"ladder/the program of 1989/games/two\",";
    let place = lines.iter().position(|line| line.starts_with(games));
    lines[place.unwrap()] = format!("{games}\"value\":[0,0,300,0,200]}}");
    fs::write(&parts, lines.join("\n") + "\n").unwrap();
    let (code, resumed, message) = lab(&format!("{arguments} --resume"));
    assert_eq!(code, Some(0), "{message}");
    let won = "On the rung \"the program of 1989\" two budgets score +147.2 +- ";
    assert!(!first.contains(won) && resumed.contains(won), "{resumed}");
    // Without --resume everything is made again.
    assert_eq!(lab(&arguments).1, first);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_and_no_panic() {
    let full = File::create("/dev/full").unwrap();
    let run = command("run minimal-tree --quick").stdout(full).output();
    let output = run.unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    let expected = "cannot write to standard output";
    assert!(message.contains(expected), "{message}");
}
