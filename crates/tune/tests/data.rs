//! `sextant-tune data` from outside, against the format's own crates.

mod util;

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::Path,
};

use bulletformat::ChessBoard;
use util::{games, play, run, run_in};
use viriformat::dataformat::{Game, WDL};

/// Runs a `data` command that must succeed, and gives what it printed.
fn data(args: &[&str]) -> String {
    let (code, out, err) = run(&[&["data"][..], args].concat());
    assert_eq!(code, Some(0), "{args:?}: {err}");
    out
}

fn bytes_of(game: &Game) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.serialise_into(&mut bytes).unwrap();
    bytes
}

#[test]
fn joined_files_hold_all_whole_games() {
    let folder = tempfile::tempdir().unwrap();
    let first = play(folder.path(), "first.vf", "5", &[]);
    let second = play(folder.path(), "second.vf", "4", &["--seed", "2"]);
    let mut all = fs::read(&first).unwrap();
    let whole = fs::read(&second).unwrap();
    let torn = whole.len() - 2;
    let last = bytes_of(games(&second).last().unwrap()).len();
    fs::write(&second, &whole[..torn]).unwrap();
    let out = folder.path().join("all.vf");
    let [first, second, out] = [&first, &second, &out].map(|path| path.to_str().unwrap());
    let (code, printed, err) = run(&["data", "merge", first, second, "--out", out]);
    assert_eq!(code, Some(0), "{err}");
    assert!(
        err.contains("ends inside game 4") && err.contains("left out"),
        "{err}"
    );
    assert!(printed.contains("8 games"), "{printed}");
    all.extend(&whole[..whole.len() - last]);
    assert!(fs::read(out).unwrap() == all);
}

#[test]
fn shuffling_keeps_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let from = play(folder.path(), "games.vf", "40", &[]);
    let shuffled = |name: &str, seed| {
        let out = folder.path().join(name);
        let files = [from.to_str().unwrap(), "--out", out.to_str().unwrap()];
        data(&[&["shuffle"], &files[..], &["--seed", seed]].concat());
        games(&out).iter().map(bytes_of).collect::<Vec<_>>()
    };
    let (first, second) = (shuffled("a.vf", "1"), shuffled("b.vf", "2"));
    assert!(first == shuffled("c.vf", "1") && first != second);
    let mut sorted = [first, second];
    sorted.iter_mut().for_each(|games| games.sort_unstable());
    let mut all: Vec<_> = games(&from).iter().map(bytes_of).collect();
    all.sort_unstable();
    assert!(sorted.iter().all(|games| *games == all));
}

/// What the format's own crate makes of the quiet positions of a game, with a name for each
/// position.
fn quiet(game: &Game) -> Vec<(String, [u8; 32])> {
    let mut moves = game.moves();
    let mut quiet = Vec::new();
    let wdl = match game.outcome() {
        WDL::Loss => 0,
        WDL::Draw => 1,
        WDL::Win => 2,
    };
    game.visit_positions(|board, score| {
        let mv = moves.next().unwrap();
        let noisy = board.is_capture(mv) || mv.is_ep() || mv.is_promo();
        if !noisy && !board.in_check() && score.abs() <= 3000 {
            let score = i16::try_from(score).unwrap();
            let record = board.to_bulletformat(wdl, score).unwrap();
            // Without the counters at its end a FEN names a position.
            let fen = board.to_string();
            let name = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
            quiet.push((name, raw(&record)));
        }
    });
    quiet
}

fn raw(record: &ChessBoard) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&record.occ.to_le_bytes());
    bytes[8..24].copy_from_slice(&record.pcs);
    bytes[24..26].copy_from_slice(&record.score.to_le_bytes());
    bytes[26..29].copy_from_slice(&[record.result, record.ksq, record.opp_ksq]);
    bytes
}

fn records(path: &Path) -> Vec<[u8; 32]> {
    let bytes = fs::read(path).unwrap();
    assert!(bytes.len().is_multiple_of(32));
    bytes
        .chunks_exact(32)
        .map(|record| record.try_into().unwrap())
        .collect()
}

#[test]
fn converted_positions_are_quiet_shuffled_and_split_by_game() {
    let folder = tempfile::tempdir().unwrap();
    // Few random moves, so that games have positions in common.
    let plies = ["--random-plies-min", "1", "--random-plies-max", "1"];
    let from = play(folder.path(), "games.vf", "120", &plies);
    let convert = |name: &str, seed: &str| {
        let paths = ["train", "valid"].map(|kind| folder.path().join(format!("{name}.{kind}")));
        let [train, valid] = paths.each_ref().map(|path| path.to_str().unwrap());
        let files = [from.to_str().unwrap(), "--out", train, "--valid", valid];
        let how = ["--valid-share", "0.25", "--seed", seed];
        let printed = data(&[&["convert"], &files[..], &how].concat());
        (printed, paths.map(|path| records(&path)))
    };
    let (printed, [train, valid]) = convert("a", "1");
    assert!(convert("b", "1") == (printed.clone(), [train.clone(), valid.clone()]));
    assert!(convert("c", "2").1 != [train.clone(), valid.clone()]);

    // Nothing that should not be there, nothing missing, nothing twice.
    let games: Vec<_> = games(&from).iter().map(quiet).collect();
    let mut first: HashMap<&str, [u8; 32]> = HashMap::new();
    let mut sightings = 0;
    for (name, record) in games.iter().flatten() {
        first.entry(name).or_insert(*record);
        sightings += 1;
    }
    assert!(sightings > first.len(), "some positions are met twice");
    let mut expected: Vec<_> = first.values().copied().collect();
    let mut all = [&train[..], &valid].concat();
    assert!(all.windows(2).any(|pair| pair[0] > pair[1]), "shuffled");
    expected.sort_unstable();
    all.sort_unstable();
    assert_eq!(all.len(), expected.len());
    assert!(all == expected);
    let twice = format!("{}", sightings - first.len());
    let line = printed
        .lines()
        .find(|line| line.contains("seen before"))
        .unwrap();
    assert!(
        line.split_whitespace().any(|word| word == twice),
        "{printed}"
    );

    // Of each game all positions are in the same file, but for those that another game has too.
    let (train, valid): (HashSet<_>, HashSet<_>) =
        (train.into_iter().collect(), valid.into_iter().collect());
    let mut met: HashMap<&[u8; 32], u32> = HashMap::new();
    games
        .iter()
        .flatten()
        .for_each(|(_, record)| *met.entry(record).or_default() += 1);
    let mut validating = 0;
    for game in &games {
        let own: Vec<_> = game.iter().map(|(_, record)| record).collect();
        let own: Vec<_> = own.into_iter().filter(|record| met[record] == 1).collect();
        let inside = own.iter().filter(|record| valid.contains(**record)).count();
        let outside = own.iter().filter(|record| train.contains(**record)).count();
        assert!(inside == 0 || outside == 0);
        validating += usize::from(inside > 0);
    }
    assert!(
        (12..=50).contains(&validating),
        "{validating} of 120 games validate"
    );
}

#[test]
fn statistics_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let from = play(folder.path(), "games.vf", "30", &[]);
    let out = data(&["stats", from.to_str().unwrap()]);
    let number = |label: &str| -> usize {
        let line = out
            .lines()
            .find(|line| line.trim_start().starts_with(label))
            .unwrap();
        let rest = &line.trim_start()[label.len()..];
        rest.split_whitespace().next().unwrap().parse().unwrap()
    };
    let games = games(&from);
    assert_eq!(number("games"), games.len());
    assert_eq!(
        number("positions"),
        games.iter().map(Game::len).sum::<usize>()
    );
    assert_eq!(
        number("kept"),
        games.iter().map(|game| quiet(game).len()).sum::<usize>()
    );
    let results = number("White wins") + number("draws") + number("Black wins");
    assert_eq!(results, games.len());
}

#[test]
fn rescored_games_are_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    let from = play(folder.path(), "games.vf", "8", &[]);
    let rescored = |name: &str, threads: &str, nodes: &str| {
        let out = folder.path().join(name);
        let files = [from.to_str().unwrap(), "--out", out.to_str().unwrap()];
        let how = ["--threads", threads, "--soft-nodes", nodes, "--hash", "1"];
        data(&[&["rescore"], &files[..], &how].concat());
        games(&out)
    };
    let new = rescored("a.vf", "1", "300");
    assert!(new == rescored("b.vf", "3", "300"));
    let mut changed = 0;
    let old = games(&from);
    assert_eq!(old.len(), new.len());
    for (old, new) in old.iter().zip(&new) {
        assert!(old.initial_position == new.initial_position);
        assert!(old.moves().eq(new.moves()));
        let scores = old.moves.iter().zip(&new.moves);
        changed += scores.filter(|(old, new)| old.1 != new.1).count();
    }
    assert!(changed > 100, "{changed}");
}

#[test]
fn foreign_missing_and_existing_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let good = play(folder.path(), "games.vf", "3", &[]);
    let (good, foreign, missing) = (good.to_str().unwrap(), at("game.pgn"), at("none.vf"));
    fs::write(
        &foreign,
        "[Event \"a PGN file is no file of games in this format\"]",
    )
    .unwrap();
    let (out, there) = (at("out"), at("there"));
    fs::write(&there, "precious").unwrap();
    for command in ["stats", "merge", "shuffle", "convert", "rescore"] {
        let mut cases = vec![
            (&foreign, &out, "is no file of games"),
            (&missing, &out, "cannot read"),
        ];
        let owned = good.to_owned();
        if command != "stats" {
            cases.push((&owned, &there, "is there already"));
        }
        for (file, out, words) in cases {
            let mut args = vec!["data", command, file];
            if command != "stats" {
                args.extend(["--out", out]);
            }
            let (code, _, err) = run(&args);
            assert_eq!(code, Some(2), "{args:?}: {err}");
            assert!(err.contains(words), "{args:?}: {err}");
        }
    }
    assert_eq!(fs::read_to_string(&there).unwrap(), "precious");
    let left: HashSet<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let known = ["games.vf", "games.vf.toml", "game.pgn", "there"];
    assert_eq!(
        left,
        known.map(str::to_owned).into(),
        "nothing half-written is left"
    );
}

/// What is written first is named OUT.part; a file of that name belongs to somebody else.
#[test]
fn a_file_under_the_unfinished_name_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let part = play(folder.path(), "all.vf.part", "3", &[]);
    let before = fs::read(&part).unwrap();
    let out = folder.path().join("all.vf");
    let [from, to] = [&part, &out].map(|path| path.to_str().unwrap());
    for command in ["merge", "shuffle", "convert", "rescore"] {
        let (code, _, err) = run(&["data", command, from, "--out", to]);
        assert_eq!(code, Some(2), "{command}: {err}");
        assert!(err.contains("all.vf.part is there already"), "{err}");
        assert!(fs::read(&part).unwrap() == before && !out.exists());
    }
}

#[test]
fn a_share_for_no_validation_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "games.vf", "1", &[]);
    let args = ["data", "convert", "games.vf", "--out", "t.bin"];
    let (code, _, err) = run_in(
        folder.path(),
        &[&args[..], &["--valid-share", "0.1"]].concat(),
    );
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("--valid <FILE>"), "{err}");
    assert_eq!(run_in(folder.path(), &args).0, Some(0));
}

#[test]
fn one_game_and_none_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "games.vf", "1", &[]);
    let printed = run_in(
        folder.path(),
        &["data", "merge", "games.vf", "--out", "one.vf"],
    )
    .1;
    assert_eq!(printed, "1 game in one.vf\n");
    fs::write(folder.path().join("none.vf"), "").unwrap();
    let (code, _, err) = run_in(folder.path(), &["data", "wdl", "none.vf"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("nothing to fit to: 0 games"), "{err}");
}

#[test]
fn one_file_for_training_and_validation_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), "games.vf", "1", &[]);
    let args = ["data", "convert", "games.vf", "--out", "t.bin", "--valid"];
    for name in ["t.bin", "./t.bin"] {
        let (code, _, err) = run_in(folder.path(), &[&args[..], &[name]].concat());
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains("--out and --valid are the same file"), "{err}");
    }
    assert!(!folder.path().join("t.bin").exists());
}
