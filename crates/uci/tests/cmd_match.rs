//! `sextant match` from outside: results that can be repeated, and mistakes that are explained.

mod util;

use std::{fs, path::Path};

use serde_json::Value;
use util::run;

/// Openings that differ enough for both sides to win games.
const BOOK: &str = "\
rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
";

/// A book of the sixteen pawn moves from the initial position.
fn first_moves() -> String {
    let squares = |n: usize| if n == 0 { String::new() } else { n.to_string() };
    let mut lines = String::new();
    for file in 0..8 {
        let (left, right) = (squares(file), squares(7 - file));
        let (pawn, home) = (
            format!("{left}P{right}"),
            "P".repeat(file) + "1" + &"P".repeat(7 - file),
        );
        for (third, fourth) in [(pawn.as_str(), "8"), ("8", pawn.as_str())] {
            lines += &format!("rnbqkbnr/pppppppp/8/8/{fourth}/{third}/{home}/RNBQKBNR b KQkq -\n");
        }
    }
    lines
}

fn play(folder: &Path, more: &[&str]) -> (String, String) {
    let book = folder.join("book.epd");
    fs::write(&book, BOOK).unwrap();
    let book = book.to_str().unwrap();
    let mut args = vec![
        "match", "default", "default", "--nodes", "150", "--book", book,
    ];
    args.extend(more);
    let (status, out, err) = run(&args);
    assert!(status.success(), "{args:?}: {err}");
    (out, err)
}

/// The parts of a result that do not depend on the machine.
fn lasting(json: &str) -> Vec<Value> {
    let result: Value = serde_json::from_str(json).unwrap();
    let keys = [
        "games",
        "wins",
        "draws",
        "losses",
        "pentanomial",
        "endings",
        "elo",
        "end",
    ];
    keys.iter().map(|key| result[key].clone()).collect()
}

#[test]
fn the_same_seed_plays_the_same_games_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let played = |name: &str, concurrency, seed| {
        let path = |end: &str| folder.path().join(name).with_extension(end);
        let (pgn, data) = (path("pgn"), path("data"));
        let files = [
            "--pgn",
            pgn.to_str().unwrap(),
            "--data",
            data.to_str().unwrap(),
        ];
        let rest = [
            "--concurrency",
            concurrency,
            "--seed",
            seed,
            "--games",
            "6",
            "--json",
        ];
        let change = ["--set", "a:pruning.null_move=false", "--hash", "1"];
        let (out, _) = play(
            folder.path(),
            &[&files[..], &rest[..], &change[..]].concat(),
        );
        (
            lasting(&out),
            fs::read_to_string(pgn).unwrap(),
            fs::read_to_string(data).unwrap(),
        )
    };
    let first = played("first", "1", "5");
    assert_eq!(first, played("second", "3", "5"));
    assert_ne!(first.1, played("third", "1", "6").1);

    let (numbers, pgn, data) = first;
    assert_eq!(numbers[0], 6);
    assert_eq!(pgn.matches("[Result ").count(), 6);
    assert_eq!(
        pgn.matches("[White \"A:default(pruning.null_move=false)\"]")
            .count(),
        3
    );
    let results = ["1-0", "1/2-1/2", "0-1"];
    for line in data.lines() {
        let (fen, result) = line.split_once(';').unwrap();
        assert!(
            sextant_board::parse_fen(fen).is_ok() && results.contains(&result),
            "{line}"
        );
    }
    assert!(data.lines().count() > 20, "{data}");
}

#[test]
fn the_summary_says_all() {
    let folder = tempfile::tempdir().unwrap();
    let (out, err) = play(
        folder.path(),
        &["--games", "3", "--sprt", "-10", "10", "--seed", "9"],
    );
    assert!(err.contains("search alike"), "{err}");
    // Equal players: every pair is even, and symmetric hypotheses stay undecided.
    for part in [
        "command     sextant match default default --nodes 150",
        "A           A:default (config ",
        "150 nodes a move, Hash 8 MB, book ",
        "(4 openings), seed 9, concurrency 1, reproducible",
        "games       4 in ",
        "pairs       [0, 0, 2, 0, 0]",
        "Elo         +0.0 +- ? (95 %), normalized unknown, LOS ?",
        "in [-2.94, 2.94] for logistic Elo [-10, 10]",
        "end         all games played",
    ] {
        assert!(out.contains(part), "no {part:?} in\n{out}");
    }
    let (out, _) = play(folder.path(), &["--sprt", "-10", "10"]);
    assert!(
        out.contains("games       8 in ") && out.contains("no openings left"),
        "{out}"
    );
    let (out, _) = play(folder.path(), &["--games", "2", "--movetime", "1"]);
    assert!(out.contains("not reproducible"), "{out}");
}

#[test]
fn a_stronger_player_passes() {
    let folder = tempfile::tempdir().unwrap();
    let more = [
        "--sprt",
        "-400",
        "0",
        "--set",
        "b:level.limit_strength=true",
    ];
    let weaker = [
        "--set",
        "b:level.elo=500",
        "--alpha",
        "0.3",
        "--beta",
        "0.3",
        "--json",
    ];
    let (out, _) = play(folder.path(), &[&more[..], &weaker[..]].concat());
    let result: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(result["sprt"]["verdict"], "H1", "{out}");
}

#[test]
fn killed_and_gone_on_with_is_unbroken() {
    use std::process::Stdio;

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let book = path("book.epd");
    fs::write(&book, first_moves()).unwrap();
    let args = |name: &str| {
        let (state, pgn) = (path(&format!("{name}.json")), path(&format!("{name}.pgn")));
        let words = [
            "match",
            "default",
            "default",
            "--nodes",
            "400",
            "--games",
            "400",
            "--set",
            "a:pruning.null_move=false",
            "--hash",
            "1",
            "--state",
            &state,
            "--pgn",
            &pgn,
            "--json",
        ];
        words.map(str::to_owned)
    };
    let refs = |args: &[String]| -> Vec<String> { args.to_vec() };
    let finish = |args: &[String]| {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let (status, out, err) = run(&args);
        assert!(status.success(), "{err}");
        lasting(&out)
    };
    let mut few = refs(&args("whole"));
    few[6] = "24".to_owned();
    let whole = finish(&few);

    // Killed in the middle of a longer match, and gone on with to the same end.
    let mut child = util::binary()
        .args(args("broken"))
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let start = std::time::Instant::now();
    let games = |name: &str| {
        let text = fs::read_to_string(path(name)).unwrap_or_default();
        let page: Value = serde_json::from_str(&text).unwrap_or_default();
        let results = page["results"].as_array().cloned().unwrap_or_default();
        results.iter().filter_map(Value::as_u64).sum::<u64>()
    };
    while games("broken.json") < 2 {
        assert!(start.elapsed() < util::PATIENCE, "no game is written down");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let done = games("broken.json");
    let mut rest = refs(&args("broken"));
    // Whole pairs, and at least one more than there are.
    let wanted = (done + 4).max(24);
    rest[6] = wanted.to_string();
    let broken = finish(&rest);
    let mut unbroken = refs(&args("unbroken"));
    unbroken[6] = wanted.to_string();
    assert_eq!(broken, finish(&unbroken));
    let games_of = |name: &str| fs::read_to_string(path(name)).unwrap();
    assert!(
        games_of("broken.pgn") == games_of("unbroken.pgn"),
        "games twice or never"
    );
    assert!(wanted > 24 || broken == whole);

    let again = |change: &str, value: &str, word: &str| {
        let mut args: Vec<String> = few.clone();
        args.extend([change.to_owned(), value.to_owned()]);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        fails(&args, word);
    };
    again("--seed", "2", "seed was 1 and is now 2; name another file");
    again("--book", &book, "book was \"random\"");
    fs::write(path("whole.json"), "{}").unwrap();
    again("--alpha", "0.05", "whole.json is no state of a match");
}

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

/// A runner that says what fastchess says, so that no clock decides this test.
#[cfg(target_os = "linux")]
#[test]
fn the_counts_of_the_runner_are_taken_over() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let runner = folder.path().join("runner");
    let script = "#!/bin/sh\n\
        case \"$*\" in *tc=1+0.01*-rounds\\ [0-9]*-resign*) ;; *) exit 1 ;; esac\n\
        grep -q '^version = 1' A.toml && grep -q 'iir = false' B.toml && test -s book.epd || exit 1\n\
        echo 'Games: 6, Wins: 3, Losses: 1, Draws: 2, Points: 4.0 (66.67 %)'\n\
        echo 'Ptnml(0-2): [0, 1, 0, 1, 1], WL/DD Ratio: 0.00'\n";
    fs::write(&runner, script).unwrap();
    fs::set_permissions(&runner, fs::Permissions::from_mode(0o755)).unwrap();
    let (runner, state) = (runner.to_str().unwrap(), folder.path().join("state.json"));
    let args = [
        "match",
        "default",
        "default",
        "--set",
        "b:search.iir=false",
        "--tc",
        "1+0.01",
        "--games",
        "6",
        "--fastchess",
        runner,
        "--state",
        state.to_str().unwrap(),
    ];
    let (status, out, err) = run(&args);
    assert!(status.success(), "{err}");
    for part in [
        "1+0.01 seconds a game, Hash 8 MB, random openings",
        "+3 =2 -1, score 66.7 %, draws 33.3 %",
        "pairs       [0, 1, 0, 1, 1]",
        "not reproducible",
        "end         all games played",
    ] {
        assert!(out.contains(part), "no {part:?} in\n{out}");
    }
    // It goes on after what was counted.
    let more: Vec<_> = args
        .iter()
        .map(|word| if *word == "6" { "12" } else { word })
        .collect();
    let (_, out, err) = run(&more);
    assert!(out.contains("pairs       [0, 2, 0, 2, 2]"), "{out} {err}");
}

fn fails(args: &[&str], word: &str) {
    let (status, out, err) = run(args);
    assert_eq!(status.code(), Some(2), "{args:?}");
    assert!(out.is_empty() && err.contains(word), "{args:?}: {err}");
}

#[test]
fn mistakes_are_named_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (book, bad, missing) = (path("book.epd"), path("bad.epd"), path("missing.epd"));
    fs::write(&book, BOOK).unwrap();
    fs::write(&bad, format!("# a comment\n{BOOK}rubbish\n")).unwrap();
    let with =
        |more: &[&str], word: &str| fails(&[&["match", "default", "default"], more].concat(), word);
    fails(
        &["match", "default", "defualt"],
        "did you mean \"default\"?",
    );
    fails(&["match", "default"], "<B>");
    fails(
        &["match", "default", "default", "--config", "default"],
        "leave --config away",
    );
    with(&["--book", &missing], "missing.epd");
    with(&["--book", &bad], "bad.epd: line 6: ");
    with(&["--book", &book, "--games", "10"], "at most 8 games");
    with(&["--sprt", "10", "0"], "the first must be below the second");
    with(&["--sprt", "0", "10", "--alpha", "0.7"], "error rate 0.7");
    with(&["--set", "a:search.irr=false"], "unknown key search.irr");
    with(&["--set", "a:pruning.null_move"], "the form is a:KEY=VALUE");
    with(&["--pgn", &path("no/such/folder")], "cannot write");
    with(&["--nodes", "0"], "0 is not in 1..");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_match_with_its_result() {
    let args = [
        "match",
        "default",
        "default",
        "--nodes",
        "50",
        "--data",
        "/dev/full",
    ];
    let (status, out, err) = run(&args);
    assert_eq!(status.code(), Some(2));
    assert!(
        out.contains("end         failed") && err.contains("cannot write /dev/full"),
        "{err}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_result_so_far() {
    use std::{
        io::{BufRead, BufReader, Read},
        process::{Command, Stdio},
    };

    let mut child = util::binary()
        .args([
            "match", "default", "default", "--nodes", "100", "--sprt", "-1", "1",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first result on standard error says that the match is under way.
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("games ")));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    let status = util::wait(&mut child).expect("the match ends soon");
    let mut out = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut out)
        .unwrap();
    assert!(
        status.success() && out.contains("end         interrupted"),
        "{out}"
    );
}
