//! `match` from outside: results that can be repeated, and mistakes that are explained.

use std::{fs, path::Path};

use serde_json::Value;

use crate::util::{binary, run};

/// Openings that differ enough for both sides to win games.
const BOOK: &str = "\
rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
";

fn play(folder: &Path, more: &[&str]) -> (String, String) {
    let book = folder.join("book.epd");
    fs::write(&book, BOOK).unwrap();
    let book = book.to_str().unwrap();
    let mut args = vec![
        "match", "default", "default", "--nodes", "150", "--book", book,
    ];
    args.extend(more);
    let (code, out, err) = run(&args);
    assert_eq!(code, Some(0), "{args:?}: {err}");
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
        "command     sextant-tune match default default --nodes 150",
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

fn fails(args: &[&str], word: &str) {
    let (code, out, err) = run(args);
    assert_eq!(code, Some(2), "{args:?}");
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
    with(&["--book", &missing], "missing.epd");
    with(&["--book", &bad], "bad.epd: line 6: ");
    with(&["--book", &book, "--games", "10"], "at most 8 games");
    with(&["--sprt", "10", "0"], "the first must be below the second");
    with(&["--sprt", "0", "10", "--alpha", "0.7"], "error rate 0.7");
    with(&["--set", "a:search.irr=false"], "unknown key search.irr");
    with(&["--set", "a:pruning.null_move"], "the form is a:KEY=VALUE");
    with(&["--book", "/dev/zero"], "it is a pipe or a device");
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
    let (code, out, err) = run(&args);
    assert_eq!(code, Some(1));
    assert!(
        out.contains("end         failed") && err.contains("cannot write /dev/full"),
        "{err}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_result_so_far() {
    use std::{
        process::{Command, Stdio},
        thread,
        time::Duration,
    };

    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let child = binary()
        .args(["match", "default", "default", "--nodes", "100"])
        .args(["--sprt", "-1", "1", "--state", state.to_str().unwrap()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The first game in the state says that the match is under way.
    let is_under_way = || fs::read_to_string(&state).is_ok_and(|text| text.contains("moves\": 1"));
    while !is_under_way() {
        thread::sleep(Duration::from_millis(2));
    }
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let (code, out, _) = crate::util::told(child.wait_with_output().unwrap());
    assert!(
        code == Some(130) && out.contains("end         interrupted"),
        "{out}"
    );
}

#[test]
fn a_clock_is_the_work_of_fastchess() {
    let book = ["match", "my.toml", "default", "--book", "b.epd"];
    let rest = ["--tc", "8+0.08", "--games", "100", "--sprt", "0", "5"];
    fails(
        &[&book[..], &rest].concat(),
        "fastchess -engine name=A cmd=sextant args=\"--config my.toml\" -engine name=B cmd=sextant \
         args=\"--config default\" -each proto=uci tc=8+0.08 option.Hash=8 -openings file=b.epd \
         format=epd order=random -srand 1 -games 2 -repeat -rounds 50 -sprt elo0=0 elo1=5 \
         alpha=0.05 beta=0.05 -concurrency 1 -recover",
    );
}
