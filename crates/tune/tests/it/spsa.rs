//! `spsa`: runs that can be repeated, killed and resumed, the files that they write, what
//! they never replace, and mistakes that are explained.

use std::{
    fs,
    path::Path,
    process::Child,
    thread,
    time::{Duration, Instant},
};

use crate::util::{run_in, start_in, told};
use sextant_config::Config;

/// Far longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// A run of next to no games, whose values nevertheless move.
const QUICK: &str = "spsa --state run.toml --nodes 200 --hash 1 --pairs-per-iteration 2 --keys \
                     pruning.* --except pruning.*_depth --verify-pairs 3 --r-end \
                     0.9 --seed 5";
const RESUME: &str = "spsa --resume run.toml";

/// The arguments of a new run; an option among `more` takes the place of the usual one.
fn new_run(more: &str) -> String {
    let usual: Vec<_> = QUICK.split(" --").collect();
    let is_kept = |option: &&&str| {
        let name = option.split(' ').next().unwrap();
        ["keys", "except"].contains(&name) || !more.contains(&format!("--{name} "))
    };
    let kept: Vec<_> = usual.iter().filter(is_kept).copied().collect();
    format!("{} {more}", kept.join(" --"))
}

fn words(args: &str) -> Vec<&str> {
    args.split_whitespace().collect()
}

/// Exit code, standard output, standard error.
fn run(folder: &Path, args: &str) -> (Option<i32>, String, String) {
    run_in(folder, &words(args))
}

fn start(folder: &Path, args: &str) -> Child {
    start_in(folder, &words(args))
}

fn succeed(folder: &Path, args: &str) -> String {
    let (code, out, err) = run(folder, args);
    assert_eq!(code, Some(0), "{args}: {err}");
    out
}

/// Fails for a wrong argument or file, with `message` among its words.
fn fails(folder: &Path, args: &str, message: &str) {
    let (code, out, err) = run(folder, args);
    assert_eq!(code, Some(2), "{args}: {err}");
    assert!(
        out.is_empty() && err.contains(message),
        "no {message:?} for {args}: {err}"
    );
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Iterations in the state; 0 before there is one.
fn iterations(folder: &Path) -> u64 {
    let text = fs::read_to_string(folder.join("run.toml")).unwrap_or_default();
    let progress = text.split_once("[progress]\niterations = ");
    let number = progress.and_then(|(_, rest)| rest.lines().next());
    number.map_or(0, |number| number.parse().unwrap())
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
    let four = new_run("--iterations 4");
    let out = succeed(alone.path(), &four);
    succeed(three.path(), &format!("{four} --concurrency 3"));
    succeed(other.path(), &new_run("--iterations 4 --seed 6"));
    let state = text(alone.path(), "run.toml");
    for name in ["run.toml", "run.tuned.toml", "run.svg"] {
        assert_eq!(text(alone.path(), name), text(three.path(), name), "{name}");
    }
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
    let depth = Config::default().pruning.rfp_depth;
    assert_eq!(tuned.pruning.rfp_depth, depth, "left out");
}

#[test]
fn killed_and_resumed_from_anywhere_is_unbroken() {
    let [unbroken, killed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let there = killed.path().join("runs");
    fs::create_dir(&there).unwrap();
    let new = new_run("--iterations 8 --config mine.toml");
    for folder in [unbroken.path(), &there] {
        fs::write(folder.join("mine.toml"), "version = 1\n").unwrap();
    }
    succeed(unbroken.path(), &new);
    let mut child = start(&there, &new);
    for done in [2, 4] {
        wait_for(&there, done);
        // A second process would undo the work of the first.
        if done == 2 {
            fails(&there, RESUME, "another process is working on it");
        }
        // Child::kill is SIGKILL on Unix: nothing can be put in order.
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(iterations(&there) < 8, "it was too quick to be killed");
        let out = succeed(&there, "spsa --show run.toml");
        assert!(out.contains(" of 8, "), "{out}");
        child = start(killed.path(), "spsa --resume runs/run.toml --concurrency 2");
    }
    let (code, out, err) = told(child.wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{out} {err}");
    for name in ["run.toml", "run.tuned.toml", "run.svg"] {
        assert_eq!(text(unbroken.path(), name), text(&there, name), "{name}");
    }
    // What is done can be asked for again.
    assert!(succeed(&there, RESUME).contains("tuned against"));
}

#[test]
fn a_state_that_cannot_be_written_loses_nothing() {
    let [unbroken, broken] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let six = new_run("--iterations 6");
    succeed(unbroken.path(), &six);
    // Neither does a chart that cannot be written.
    fs::create_dir(broken.path().join("run.svg")).unwrap();
    let child = start(broken.path(), &six);
    wait_for(broken.path(), 2);
    // Stands where the next state would be written first.
    let part = broken.path().join("run.toml.part");
    while fs::create_dir(&part).is_err() {}
    let (code, _, err) = told(child.wait_with_output().unwrap());
    assert_eq!(code, Some(1), "{err}");
    assert!(iterations(broken.path()) >= 2);
    let (_, safe) = err.split_once("cannot write run.toml: ").expect(&err);
    assert!(safe.contains("what it holds is good"), "{err}");
    fs::remove_dir(&part).unwrap();
    let (code, _, err) = run(broken.path(), RESUME);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("cannot write run.svg: "), "{err}");
    let state = text(unbroken.path(), "run.toml");
    assert_eq!(state, text(broken.path(), "run.toml"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let child = start(folder.path(), &new_run("--iterations 1000"));
    wait_for(folder.path(), 1);
    let id = child.id().to_string();
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args(["-INT", &id]).status().unwrap().success());
    let (code, out, err) = told(child.wait_with_output().unwrap());
    assert_eq!(code, Some(130), "{err}");
    let message = "go on with `sextant-tune spsa --resume run.toml`";
    assert!(err.contains(message), "{out} {err}");
}

#[test]
fn comments_survive_and_the_base_stays() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = "# mine\nversion = 1\n[pruning]\nrfp_margin = 81 # measured\n[extensions]\n# why\n\
                recapture = 5.25\n";
    fs::write(here.join("mine.toml"), mine).unwrap();
    let more = "--config mine.toml --keys extensions.recapture --out best.toml --iterations 3";
    let out = succeed(here, &new_run(more));
    assert!(out.contains("written: best.toml"), "{out}");
    let best = text(here, "best.toml");
    for kept in ["# mine\n", " # measured\n", "# why\n"] {
        assert!(best.contains(kept), "{best}");
    }
    assert_eq!(text(here, "mine.toml"), mine);
    let path = here.join("best.toml");
    assert!(Config::load(path.to_str().unwrap()).is_ok(), "{best}");
    // The values of a run can be had at any time.
    succeed(here, "spsa --show run.toml --out again.toml");
    assert_eq!(text(here, "again.toml"), best);
    for out in ["run.toml", "mine.toml"] {
        let (code, _, err) = run(here, &format!("spsa --show run.toml --out {out}"));
        assert!(code == Some(2) && err.contains("as it is"), "{err}");
    }
    // The end of the run again, after its result was worked on.
    let edited = best + "# by hand\n";
    fs::write(&path, &edited).unwrap();
    let out = succeed(here, RESUME);
    assert!(out.contains("stays as it is"), "{out}");
    assert_eq!(text(here, "best.toml"), edited);
}

#[test]
fn what_rounds_back_to_the_base_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = succeed(folder.path(), &new_run("--iterations 2 --r-end 1e-9"));
    assert!(
        out.contains("nothing changed") && out.contains("run.tuned.toml is not"),
        "{out}"
    );
    assert!(!folder.path().join("run.tuned.toml").exists());
}

#[test]
fn keys_without_effect_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let more = "--keys time.* --keys reductions.base --iterations 1";
    let (code, _, err) = run(folder.path(), &new_run(more));
    assert_eq!(code, Some(0), "{err}");
    let (_, note) = err.split_once("whatever the value of ").unwrap();
    let (named, _) = note.split_once("; if what").unwrap();
    assert!(named.contains("time."), "{named}");
    assert!(!named.contains("reductions.base"), "{named}");
}

#[test]
fn a_test_at_the_end_may_take_all_openings() {
    let folder = tempfile::tempdir().unwrap();
    let args = new_run("--iterations 1 --verify-sprt -400 400");
    let out = succeed(folder.path(), &args.replace("--verify-pairs 3 ", ""));
    assert!(!out.contains("undecided"), "{out}");
    assert!(text(folder.path(), "run.toml").contains("verify_pairs = 1000000"));
}

#[test]
fn mistakes_are_named_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let write = |name: &str, text: &str| fs::write(here.join(name), text).unwrap();
    write("bad.epd", "# a comment\nrubbish\n");
    write("wrong.toml", "[pruning]\nrfp_margn = 80\n");
    write("mine.toml", "version = 1\n");
    fs::create_dir(here.join("sub")).unwrap();
    write("sub/base.toml", "version = 1\n");
    write("sub/mine.toml", "extends = \"base.toml\"\n");
    for (more, message) in [
        ("--keys prunning.*", "did you mean \"pruning\"?"),
        ("--keys engine.hash", "no SPSA step"),
        ("--book missing.epd", "cannot read missing.epd"),
        ("--book bad.epd", "bad.epd: line 2: "),
        ("--config defualt", "did you mean \"default\"?"),
        (
            "--config wrong.toml",
            "wrong.toml:2:1: unknown key pruning.rfp_margn",
        ),
        (
            "--config sub/mine.toml",
            "name a file in the same folder with --out",
        ),
        ("--verify-sprt 5 0", "the first must be below the second"),
        ("--out run.toml", "the run itself is kept in run.toml"),
        ("--out ./run.svg", "the run itself is kept in ./run.svg"),
        (
            "--config mine.toml --out mine.toml",
            "mine.toml is there already",
        ),
        ("--out no/best.toml", "cannot write no/best.toml"),
    ] {
        fails(here, &new_run(more), message);
        assert!(!here.join("run.toml").exists(), "{more}");
    }
    let elsewhere = "spsa --state no/run.toml --keys pruning.*";
    fails(here, elsewhere, "cannot write no/run.toml: ");
    fails(here, "spsa --keys pruning.*", "--state <FILE>");
    fails(here, "spsa --state run.toml", "--keys");
    fails(
        here,
        "spsa --resume run.toml --nodes 5",
        "cannot be used with",
    );
    fails(here, "spsa --show none.toml", "cannot read none.toml");
}

#[test]
fn another_run_or_no_run_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let write = |name: &str, text: &str| fs::write(here.join(name), text).unwrap();
    let book = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -\n";
    write("book.epd", book);
    write("mine.toml", "version = 1\n");
    succeed(
        here,
        &new_run("--book book.epd --config mine.toml --iterations 1"),
    );
    fails(here, &new_run(""), "holds a run already");
    write("book.epd", &format!("# new\n{book}"));
    fails(here, RESUME, "the book book.epd is not what it was");
    write("book.epd", book);
    write("mine.toml", "version = 1\nsearch.iir = false\n");
    fails(here, RESUME, "the config mine.toml is not what it was");
    write("mine.toml", "version = 1\n");

    let state = text(here, "run.toml");
    let line = |start: &str| {
        let found = state.lines().find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("{start} is not in {state}"))
    };
    let verification = line("verification = ");
    for (from, to, message) in [
        ("version = 2", "version = 1", "this program reads version 2"),
        ("[progress]", "[progres]", "run.toml is no tuning run"),
        ("value = ", "value = 99999", " are not from "),
        ("r_end = 0.9", "r_end = nan", "NaN is no learning rate"),
        (
            "iterations = 1\n",
            "iterations = 0\n",
            "of 0 iterations are done",
        ),
        (
            "[progress]\niterations = 1",
            "[progress]\niterations = 2",
            "2 of 1 iterations",
        ),
        (
            "pairs_per_iteration = 2",
            "pairs_per_iteration = 3",
            "cannot give the results",
        ),
        (
            line("results = "),
            "results = [4, 1, 0]",
            "cannot give the results [4, 1, 0]",
        ),
        (
            verification,
            "verification = [0, 0, 0, 0, 12]",
            "has more than 3 pairs",
        ),
        (
            verification,
            "verification = [0, 0, 0, 0, 3]",
            "its hash is ",
        ),
        (
            line("every = "),
            "every = 7",
            "the trajectory is not that of",
        ),
        (
            "points = [[",
            "points = [[1",
            "does not lead from the start",
        ),
        ("seed = 5", "seed = 6", "its hash is "),
        (line("signature = "), "signature = 1", "its hash is "),
    ] {
        assert!(state.contains(from), "{from} is not in {state}");
        write("run.toml", &state.replacen(from, to, 1));
        fails(here, RESUME, message);
    }
    write("run.toml", &state[..state.len() / 2]);
    fails(here, RESUME, "run.toml is no tuning run");
    write("run.toml", &state);
    succeed(here, RESUME);
}
