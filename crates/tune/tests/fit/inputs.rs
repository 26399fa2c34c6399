//! Where positions come from.

use std::fs;

use crate::{EPD, PGN, quick, run};

#[test]
fn positions_come_from_epd_and_pgn_too() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let games: Vec<String> = (0..12).map(|i| PGN.replace('x', &i.to_string())).collect();
    fs::write(here.join("games.pgn"), games.join("\n")).unwrap();
    fs::write(here.join("some.epd"), EPD).unwrap();
    let args = [
        "games.pgn",
        "some.epd",
        "--model",
        "prices",
        "--per-game",
        "3",
        "--samples",
        "all",
    ];
    let (code, out, err) = run(here, &quick(&args));
    assert_eq!(code, Some(0), "{err}");
    // Twelve games with three positions each, and three lines.
    assert!(err.contains("note: 39 positions gave "), "{err}");
    let advice = "not 200000; more come of more positions or of larger --per-game and --per-search, \
                  into a new file of --samples\n";
    assert!(err.contains(advice), "{err}");
    // A line may have no node that is worth a sample.
    let games = out.split(" samples of ").nth(1);
    let games = games.and_then(|rest| rest.split(' ').next()?.parse().ok());
    assert!(
        games.is_some_and(|games: u32| (13..=15).contains(&games)),
        "{out}"
    );
}
