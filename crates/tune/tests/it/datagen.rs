//! `sextant-tune datagen`: the same games whatever happens, and mistakes explained.

use std::{collections::HashSet, fs};

use crate::util::{FEW, Place, QUICK, TABLES, told};

#[test]
fn the_same_bytes_on_any_number_of_threads_and_in_any_parts() {
    let place = Place::new();
    let one = place.play("one.vf", "--games 30");
    assert_eq!(place.games("one.vf").len(), 30);
    assert!(one == place.play("three.vf", "--games 30 --threads 3"));
    assert!(one != place.play("other.vf", "--games 30 --seed 2"));
    // A file that was cut inside a game.
    place.write("three.vf", &one[..one.len() / 2]);
    assert!(one == place.play("three.vf", "--games 30 --threads 2"));
    assert!(place.play("one.vf", "--games 33").starts_with(&one));
    assert_eq!(place.games("one.vf").len(), 33);
}

#[cfg(unix)]
#[test]
fn stopped_and_killed_runs_go_on_to_the_same_bytes() {
    let place = Place::new();
    let whole = place.play("whole.vf", "--games 100");
    let line = format!("datagen games.vf {QUICK} --games 100");
    for signal in ["-TERM", "-KILL"] {
        let (code, _, err) = told(place.signal(&line, "games.vf", signal));
        if signal == "-TERM" {
            let count = place.games("games.vf").len();
            assert_eq!(code, Some(130), "{err}");
            assert!(err.contains(&format!("stopped with {count} game")), "{err}");
            assert!(err.contains("the same command goes on"), "{err}");
        }
        assert!(place.read("games.vf").len() < whole.len(), "{signal}");
        assert!(place.play("games.vf", "--games 100") == whole, "{signal}");
        fs::remove_file(place.path("games.vf")).unwrap();
    }
}

#[test]
fn a_file_goes_on_only_with_its_own_options() {
    let place = Place::new();
    let large = format!("--seed {0} --hard-nodes {0}", u64::MAX);
    place.play("games.vf", &format!("--games 1 {large}"));
    let before = place.play("games.vf", &format!("--games 2 {large}"));
    for (more, message) in [
        ("--seed 7", "seed was 18446744073709551615 and is now 7"),
        ("--hard-nodes 99", "51615 and is now 99"),
        (
            "--no-adjudication",
            "adjudication was true and is now false",
        ),
        ("--config integer-ply", "config was \""),
    ] {
        let line = format!("datagen games.vf {QUICK} --games 3 {more}");
        place.refused(&line, message);
    }
    assert!(place.read("games.vf") == before);
}

/// Few men on the board, whatever they are worth, and tables behind every capture.
#[test]
fn games_begin_with_few_men_as_the_book_has_them() {
    let place = Place::new();
    let games = place.play_few(&format!("--random-plies-max 0 --syzygy {TABLES}"));
    let starts = games.iter().map(|game| {
        let fen = game.initial_position().to_string();
        fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
    });
    let starts: HashSet<_> = starts.collect();
    // All come up, also what is mate in one.
    assert_eq!(starts, FEW.lines().map(str::to_owned).collect());
    assert!(games.iter().all(|game| !game.is_empty()));
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
