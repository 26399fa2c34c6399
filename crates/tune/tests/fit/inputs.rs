//! Where positions come from.

use std::fs;

use crate::{EPD, PGN, quick, run};

/// From how many games samples come, as the report has it.
fn games_of(report: &str) -> u32 {
    let games = report.split(" samples of ").nth(1);
    let games = games.and_then(|rest| rest.split(' ').next()?.parse().ok());
    games.unwrap_or_else(|| panic!("{report}"))
}

#[test]
fn a_position_given_twice_is_one_game() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let files = ["P7", "1P6", "2P5", "3P4", "4P3", "5P2", "6P1", "7P"];
    let lines: Vec<_> = (1..=5)
        .flat_map(|empty| {
            files.map(|pawn| {
                let above = "/8".repeat(empty);
                let below = "8/".repeat(5 - empty);
                format!("k7{above}/{pawn}/{below}7K w - - id \"{empty}{pawn}\";\n")
            })
        })
        .collect();
    fs::write(here.join("once.epd"), lines.concat()).unwrap();
    fs::write(here.join("again.epd"), lines.concat().replace("id", "c0")).unwrap();
    let args = ["once.epd", "again.epd", "--model", "prices"];
    let (code, out, err) = run(here, &quick(&args));
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("note: 80 positions gave "), "{err}");
    assert!((30..=40).contains(&games_of(&out)), "{out}");
}

#[test]
fn positions_come_from_epd_and_pgn_too() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let games: Vec<String> = (0..12).map(|i| PGN.replace('x', &i.to_string())).collect();
    let pgn = format!("; made by hand\n\n{}\u{1a}", games.join("\n"));
    fs::write(here.join("games.pgn"), pgn).unwrap();
    fs::write(here.join("some.epd"), format!("{EPD}\u{1a}")).unwrap();
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
    assert!((13..=15).contains(&games_of(&out)), "{out}");
}
