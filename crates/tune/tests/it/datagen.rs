//! `sextant-tune datagen`: the same games whatever happens, and mistakes explained.

use std::{fs, process::Command};

use crate::util::{Place, QUICK, told};

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let place = Place::new();
    let one = place.play("one.vf", "--games 30");
    assert_eq!(place.games("one.vf").len(), 30);
    assert!(one == place.play("three.vf", "--games 30 --threads 3"));
    assert!(one != place.play("other.vf", "--games 30 --seed 2"));
}

#[test]
fn a_file_cut_anywhere_goes_on_to_the_same_bytes() {
    let place = Place::new();
    let whole = place.play("games.vf", "--games 6");
    for length in [0, 1, 32, whole.len() / 2, whole.len() - 3, whole.len()] {
        place.write("games.vf", &whole[..length]);
        let again = place.play("games.vf", "--games 6 --threads 2");
        assert!(again == whole, "cut at {length}");
    }
    assert!(place.play("games.vf", "--games 9").starts_with(&whole));
    assert_eq!(place.games("games.vf").len(), 9);
}

#[cfg(unix)]
#[test]
fn stopped_killed_and_starved_runs_go_on_to_the_same_bytes() {
    let place = Place::new();
    let whole = place.play("whole.vf", "--games 200");
    let line = format!("datagen games.vf {QUICK} --games 200");
    for signal in ["-TERM", "-KILL"] {
        let (code, _, err) = told(place.signal(&line, "games.vf", signal));
        if signal == "-TERM" {
            let count = place.games("games.vf").len();
            assert_eq!(code, Some(130), "{err}");
            assert!(err.contains(&format!("stopped with {count} game")), "{err}");
            assert!(err.contains("the same command goes on"), "{err}");
        }
        assert!(place.read("games.vf").len() < whole.len(), "{signal}");
        assert!(place.play("games.vf", "--games 200") == whole, "{signal}");
        fs::remove_file(place.path("games.vf")).unwrap();
    }

    // A limit on the size of files stands for a full disk: the write fails in the middle of a game.
    let program = env!("CARGO_BIN_EXE_sextant-tune");
    let script = format!("trap '' XFSZ; ulimit -f 3; exec {program} {line}");
    let mut command = Command::new("bash");
    let starved = command.args(["-c", &script]).current_dir(place.path("."));
    let (code, _, err) = told(starved.output().unwrap());
    assert_eq!(code, Some(1), "{err}");
    for message in ["cannot write", "the same command goes on"] {
        assert!(err.contains(message), "{err}");
    }
    assert!(place.play("games.vf", "--games 200") == whole);
}

#[test]
fn a_file_goes_on_only_with_its_own_options() {
    let place = Place::new();
    let largest = u64::MAX;
    let large = format!("--seed {largest} --hard-nodes {largest}");
    place.play("games.vf", &format!("--games 1 {large}"));
    let before = place.play("games.vf", &format!("--games 2 {large}"));
    for (more, message) in [
        ("--seed 7", format!("seed was {largest} and is now 7")),
        (
            "--hard-nodes 99",
            format!("hard_nodes was {largest} and is now 99"),
        ),
        (
            "--no-adjudication",
            "adjudication was true and is now false".to_owned(),
        ),
        ("--config integer-ply", "config was \"".to_owned()),
    ] {
        let line = format!("datagen games.vf {QUICK} --games 3 {more}");
        place.refused(&line, &message);
    }
    assert!(place.read("games.vf") == before);
}

#[test]
fn foreign_files_are_left_alone() {
    let place = Place::new();
    place.play("games.vf", "--games 2");
    let line = format!("datagen games.vf {QUICK} --games 5");
    let text = b"[Event \"this is a PGN file and no file of games\"]\n";
    place.write("games.vf", text);
    place.refused(&line, "is no file of games");
    fs::remove_file(place.path("games.vf.toml")).unwrap();
    place.refused(&line, "nobody knows how it was made");
    assert_eq!(place.read("games.vf"), text);
}

#[test]
fn wrong_arguments_are_explained() {
    let place = Place::new();
    let book = "4k3/8/8/8/8/8/8/4K2R w K -\n4k3/8/8/8/8/8/8/8 w - -\n";
    place.write("book.epd", book);
    for (args, message) in [
        ("games.vf --book none.epd", "cannot read none.epd"),
        ("games.vf --book book.epd", "line 2: White has 0 kings"),
        ("games.vf --syzygy .", "no WDL table"),
        ("games.vf --chess960 2", "0 to 1"),
        ("games.vf --config defualt", "defualt"),
        ("games.vf --random-plies-min 20", "--random-plies-max 9"),
        ("missing/games.vf", "cannot write"),
    ] {
        place.refused(&format!("datagen --games 1 {args}"), message);
    }
    assert_eq!(place.names(), ["book.epd"]);
}
