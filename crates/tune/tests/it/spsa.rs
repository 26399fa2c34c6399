//! `spsa`: runs that can be repeated, killed and resumed, the files that they write, what
//! they never replace, and mistakes that are explained.

use std::fs;

use sextant_cli::files::Claim;
use sextant_config::Config;

use crate::util::{Place, told};

/// A run of next to no games, whose values nevertheless move.
const QUICK: &str = "spsa --state run.toml --nodes 200 --hash 1 --pairs-per-iteration 2 --keys \
                     pruning.rfp_* --except pruning.*_depth --seed 5";
const RESUME: &str = "spsa --resume run.toml";

/// A new run that moves far, with a short match at its end.
fn new_run(more: &str) -> String {
    format!("{QUICK} --verify-pairs 3 --r-end 0.9 {more}")
}

/// Iterations in a state; 0 before there is one.
fn iterations(place: &Place, state: &str) -> u64 {
    let text = fs::read_to_string(place.path(state)).unwrap_or_default();
    let progress = text.split_once("[progress]\niterations = ");
    let number = progress.and_then(|(_, rest)| rest.lines().next());
    number.map_or(0, |number| number.parse().unwrap())
}

#[test]
fn the_seed_decides_not_the_threads() {
    let [alone, three, other] = [(); 3].map(|()| Place::new());
    // So many that some value moves, whatever the network.
    let run = new_run("--iterations 8");
    let (out, _) = alone.succeed(&run);
    // A limit of no time at all: the run is begun, told of and resumed.
    let (told, _) = three.succeed(&format!("{run} --max-time 0s"));
    let resume = "time is up after 0 iterations; go on with `sextant-tune spsa --resume run.toml`";
    assert!(
        told.contains(resume) && told.contains("pruning.rfp_margin"),
        "{told}"
    );
    three.succeed(&format!("{RESUME} --concurrency 3"));
    other.succeed(&run.replace("--seed 5", "--seed 6"));
    for name in ["run.toml", "run.tuned.toml", "run.svg"] {
        assert_eq!(alone.text(name), three.text(name), "{name}");
    }
    assert_ne!(alone.text("run.toml"), other.text("run.toml"));

    for part in [
        "iteration 8 of 8, 32 games",
        "written: run.tuned.toml",
        "tuned against start: Elo ",
        " after 6 games",
    ] {
        assert!(out.contains(part), "no {part:?} in\n{out}");
    }
    assert!(alone.text("run.svg").contains("pruning.rfp_margin"));
    // The tuned file says what the table says.
    let (tuned, usual) = (alone.config("run.tuned.toml"), Config::default());
    assert_ne!(tuned, usual);
    let mut lines = out.lines();
    let row = lines.find(|line| line.starts_with("pruning.rfp_margin "));
    let now = row.unwrap().split_whitespace().nth(2).unwrap();
    let margin = tuned.pruning.rfp_margin.to_string();
    assert_eq!(now.trim_end_matches('*'), margin);
    assert_eq!(tuned.pruning.rfp_depth, usual.pruning.rfp_depth, "left out");
}

#[cfg(unix)]
#[test]
fn killed_or_interrupted_and_resumed_from_anywhere_is_unbroken() {
    let [unbroken, killed] = [(); 2].map(|()| Place::new());
    fs::create_dir(killed.path("runs")).unwrap();
    unbroken.write("mine.toml", "version = 1\n");
    killed.write("runs/mine.toml", "version = 1\n");
    let new = new_run("--iterations 24 --config mine.toml --viriformat games.vf");
    unbroken.succeed(&new);
    let mut line = new
        .replace("mine", "runs/mine")
        .replace("run.", "runs/run.")
        .replace("games", "runs/games");
    let resume = "spsa --resume runs/run.toml --concurrency 2";
    for (done, signal, expected) in [(2, "-KILL", None), (4, "-INT", Some(130))] {
        let is_time = || iterations(&killed, "runs/run.toml") >= done;
        let (code, _, err) = told(killed.signal_when(&line, is_time, signal));
        assert_eq!(code, expected, "it was too quick: {err}");
        let advice = "go on with `sextant-tune spsa --resume runs/run.toml`";
        assert_eq!(err.contains(advice), code.is_some(), "{err}");
        let (out, _) = killed.succeed("spsa --show runs/run.toml");
        assert!(out.contains(" of 24, "), "{out}");
        line = resume.to_owned();
    }
    // A second process would undo the work of the first.
    let claim = Claim::new(&killed.path("runs/run.toml")).unwrap();
    killed.refused(resume, "another process is working on it");
    drop(claim);
    killed.succeed(resume);
    for name in ["run.toml", "run.tuned.toml", "run.svg"] {
        let there = killed.text(&format!("runs/{name}"));
        assert_eq!(unbroken.text(name), there, "{name}");
    }
    // The games of the iterations and of the match at the end, each once.
    assert!(unbroken.read("games.vf") == killed.read("runs/games.vf"));
    assert_eq!(unbroken.games("games.vf").len(), 24 * 4 + 6);
    // What is done can be asked for again.
    let (out, _) = killed.succeed("spsa --resume runs/run.toml");
    assert!(out.contains("tuned against"), "{out}");
}

#[test]
fn comments_survive_and_the_base_stays() {
    let place = Place::new();
    let mine = "# mine\nversion = 1\n[pruning]\nrfp_margin = 81 # measured\n[extensions]\n# why\n\
                recapture = 5.25\n";
    place.write("mine.toml", mine);
    let more = "--config mine.toml --keys extensions.recapture --out best.toml --iterations 3";
    let (out, _) = place.succeed(&new_run(more));
    assert!(out.contains("written: best.toml"), "{out}");
    let best = place.text("best.toml");
    for kept in ["# mine\n", " # measured\n", "# why\n"] {
        assert!(best.contains(kept), "{best}");
    }
    assert_eq!(place.text("mine.toml"), mine);
    // The values of a run can be had at any time.
    place.succeed("spsa --show run.toml --out again.toml");
    assert_eq!(place.text("again.toml"), best);
    assert_ne!(place.config("again.toml"), place.config("mine.toml"));
    for out in ["run.toml", "mine.toml"] {
        let (code, _, err) = place.run(&format!("spsa --show run.toml --out {out}"));
        assert!(code == Some(2) && err.contains("as it is"), "{err}");
    }
    // The end of the run again, after its result was worked on.
    let edited = best + "# by hand\n";
    place.write("best.toml", &edited);
    let (out, _) = place.succeed(RESUME);
    assert!(out.contains("stays as it is"), "{out}");
    assert_eq!(place.text("best.toml"), edited);
}

#[test]
fn what_rounds_back_is_not_written_and_keys_without_effect_are_named() {
    let place = Place::new();
    // A chart that cannot be written ends no run.
    fs::create_dir(place.path("run.svg")).unwrap();
    let more = "--keys time.* --iterations 2 --r-end 1e-9";
    let (out, err) = place.succeed(&format!("{QUICK} {more}"));
    assert!(out.contains("nothing changed"), "{out}");
    assert!(out.contains("run.tuned.toml is not"), "{out}");
    assert!(!place.path("run.tuned.toml").exists());
    assert!(err.contains("cannot write run.svg: "), "{err}");
    let (_, note) = err.split_once("whatever the value of ").unwrap();
    let (named, _) = note.split_once("; if what").unwrap();
    assert!(named.contains("time."), "{named}");
    assert!(!named.contains("pruning.rfp_margin"), "{named}");
}

#[test]
fn a_test_at_the_end_may_take_all_openings() {
    let place = Place::new();
    let more = "--r-end 0.9 --iterations 1 --verify-sprt -400 400";
    let (out, _) = place.succeed(&format!("{QUICK} {more}"));
    assert!(!out.contains("undecided"), "{out}");
}

#[test]
fn mistakes_are_named_before_the_first_game() {
    let place = Place::new();
    fs::create_dir(place.path("sub")).unwrap();
    for (name, text) in [
        ("bad.epd", "# a comment\nrubbish\n"),
        ("mine.toml", "version = 1\n"),
        ("sub/base.toml", "version = 1\n"),
        ("sub/mine.toml", "extends = \"base.toml\"\n"),
    ] {
        place.write(name, text);
    }
    for (more, message) in [
        ("--book bad.epd", "bad.epd: line 2: "),
        (
            "--config sub/mine.toml",
            "name a file in the same folder with --out",
        ),
        ("--verify-sprt 5 0", "the first must be below the second"),
        ("--out run.toml", "the run itself is kept in run.toml"),
        ("--out ./run.svg", "the run itself is kept in ./run.svg"),
        ("--viriformat run.toml", "another file with --viriformat"),
        ("--viriformat no/games.vf", "cannot write "),
        (
            "--config mine.toml --out mine.toml",
            "mine.toml is there already",
        ),
        ("--out no/best.toml", "cannot write no/best.toml"),
    ] {
        place.refused(&new_run(more), message);
        assert!(!place.path("run.toml").exists(), "{more}");
    }
    for (line, message) in [
        (
            "spsa --state no/run.toml --keys pruning.*",
            "cannot write no/run.toml: ",
        ),
        ("spsa --keys pruning.*", "--state <FILE>"),
        ("spsa --state run.toml", "--keys"),
        ("spsa --resume run.toml --nodes 5", "cannot be used with"),
    ] {
        place.refused(line, message);
    }
}

#[test]
fn another_run_or_no_run_is_not_resumed() {
    let place = Place::new();
    let book = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -\n";
    place.write("book.epd", book);
    place.write("mine.toml", "version = 1\n");
    let new = new_run("--book book.epd --config mine.toml --iterations 1");
    place.succeed(&new);
    place.refused(&new_run(""), "holds a run already");
    place.write("book.epd", format!("# new\n{book}"));
    place.refused(RESUME, "run.toml began otherwise: book_hash was ");
    place.write("book.epd", book);
    place.write("mine.toml", "version = 1\nsearch.iir = false\n");
    place.refused(RESUME, "run.toml began otherwise: config_hash was ");
    place.write("mine.toml", "version = 1\n");

    let state = place.text("run.toml");
    let forged = state.replacen("iterations = 1\n", "iterations = 2\n", 1);
    place.write("run.toml", forged);
    place.refused(RESUME, "was changed");
    place.write("run.toml", &state);
    place.succeed(RESUME);
}
