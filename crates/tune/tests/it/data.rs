//! `sextant-tune data` against the format's own crates.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use bulletformat::{BulletFormat, ChessBoard};
use sextant_board::{parse_fen, to_fen};
use sextant_config::Config;
use sextant_search::Quiescence;
use sextant_syzygy::{Backend, Tablebase, Wdl};
use viriformat::{
    chess::{board::Board, chessmove::Move},
    dataformat::{Game, WDL},
};

use crate::util::{Place, TABLES};

fn bytes_of(game: &Game) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.serialise_into(&mut bytes).unwrap();
    bytes
}

#[test]
fn joined_files_hold_all_whole_games() {
    let place = Place::new();
    let mut all = place.play("first.vf", "--games 5");
    let whole = place.play("second.vf", "--games 4 --seed 2");
    let last = bytes_of(place.games("second.vf").last().unwrap()).len();
    place.write("second.vf", &whole[..whole.len() - 2]);
    let (printed, err) = place.succeed("data merge first.vf second.vf --out all.vf");
    assert_eq!(printed, "8 games in all.vf\n");
    assert!(err.contains("ends inside game 4"), "{err}");
    all.extend(&whole[..whole.len() - last]);
    assert!(place.read("all.vf") == all);
}

#[test]
fn shuffling_keeps_every_game() {
    let place = Place::new();
    place.play("games.vf", "--games 40");
    let games = |name: &str| -> Vec<_> { place.games(name).iter().map(bytes_of).collect() };
    let shuffled = |name: &str, seed: u32| {
        place.succeed(&format!("data shuffle games.vf --out {name} --seed {seed}"));
        games(name)
    };
    let (first, second) = (shuffled("a.vf", 1), shuffled("b.vf", 2));
    assert!(first == shuffled("c.vf", 1) && first != second);
    let [first, second, all] = [first, second, games("games.vf")].map(|mut games| {
        games.sort_unstable();
        games
    });
    assert!(first == all && second == all);
}

/// What the format's own crate makes of the quiet positions of a game within a score, with a name
/// for each position.
fn quiet(game: &Game, most: i32) -> Vec<Named> {
    let mut moves = game.moves();
    let mut quiet = Vec::new();
    game.visit_positions(|board, score| {
        let mv = moves.next().unwrap();
        if !is_noisy(board, mv) && !board.in_check() && score.abs() <= most {
            quiet.push(named(board, game, score));
        }
    });
    quiet
}

/// A name of a position, and its record.
type Named = (String, [u8; 32]);

fn is_noisy(board: &Board, mv: Move) -> bool {
    board.is_capture(mv) || mv.is_ep() || mv.is_promo()
}

fn named(board: &Board, game: &Game, score: i32) -> Named {
    let wdl = match game.outcome() {
        WDL::Loss => 0,
        WDL::Draw => 1,
        WDL::Win => 2,
    };
    let score = i16::try_from(score).unwrap();
    let record = board.to_bulletformat(wdl, score).unwrap();
    let bytes = ChessBoard::as_bytes_slice(&[record]).try_into().unwrap();
    // Without the counters at its end a FEN names a position.
    let fen = board.to_string();
    let name = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
    (name, bytes)
}

/// The position in which a game ended, if it has moves and none of them takes.
fn quiet_end(game: &Game) -> Option<Named> {
    let mut board = game.initial_position();
    for mv in game.moves() {
        assert!(board.make_move_simple(mv));
    }
    let moves = board.legal_moves();
    let noisy = moves.iter().any(|&mv| is_noisy(&board, mv));
    let is_quiet = !board.in_check() && !moves.is_empty() && !noisy;
    is_quiet.then(|| named(&board, game, 0))
}

/// The records for training and for validation, and what was printed.
fn convert(place: &Place, seed: u32) -> ([Vec<[u8; 32]>; 2], String) {
    let names = ["train", "valid"].map(|kind| format!("{kind}.{}", place.names().len()));
    let [train, valid] = &names;
    let (printed, _) = place.succeed(&format!(
        "data convert games.vf --out {train} --valid {valid} --valid-share 0.25 --seed {seed}"
    ));
    let records = names.map(|name| {
        let bytes = place.read(&name);
        let (records, rest) = bytes.as_chunks();
        assert!(rest.is_empty());
        records.to_vec()
    });
    (records, printed)
}

#[test]
fn converted_positions_are_quiet_shuffled_and_split_by_game() {
    let place = Place::new();
    // Few random moves, so that games have positions in common.
    place.play(
        "games.vf",
        "--games 120 --random-plies-min 2 --random-plies-max 2",
    );
    let (records, printed) = convert(&place, 1);
    assert!(convert(&place, 1) == (records.clone(), printed.clone()));
    assert!(convert(&place, 2).0 != records);
    let [train, valid] = records;

    // Nothing that should not be there, nothing missing, nothing twice.
    let games = place.games("games.vf");
    let games: Vec<_> = games.iter().map(|game| quiet(game, 3_000)).collect();
    let mut first: HashMap<&str, [u8; 32]> = HashMap::new();
    for (name, record) in games.iter().flatten() {
        first.entry(name).or_insert(*record);
    }
    let twice = games.iter().flatten().count() - first.len();
    assert!(twice > 0, "some positions are met twice");
    let mut lines = printed.lines();
    let line = lines.find(|line| line.contains("seen before")).unwrap();
    let numbers: Vec<&str> = line.split_whitespace().collect();
    assert!(numbers.contains(&&*twice.to_string()), "{printed}");
    let mut expected: Vec<_> = first.into_values().collect();
    let mut all = [&train[..], &valid].concat();
    assert!(all.windows(2).any(|pair| pair[0] > pair[1]), "shuffled");
    expected.sort_unstable();
    all.sort_unstable();
    assert!(all == expected);

    // Of each game all positions are in the same file, but for those that another game has too.
    let [train, valid] = [train, valid].map(HashSet::<_>::from_iter);
    let mut met: HashMap<&[u8; 32], u32> = HashMap::new();
    for (_, record) in games.iter().flatten() {
        *met.entry(record).or_default() += 1;
    }
    let mut validating = 0;
    for game in &games {
        let own = || game.iter().filter(|(_, record)| met[record] == 1);
        let inside = own().any(|(_, record)| valid.contains(record));
        let outside = own().any(|(_, record)| train.contains(record));
        assert!(!inside || !outside);
        validating += u32::from(inside);
    }
    assert!((12..=50).contains(&validating), "{validating} of 120 games");
}

/// What validates with some games validates with more of them too.
#[test]
fn a_game_stays_on_its_side_in_every_set() {
    let place = Place::new();
    place.play("games.vf", "--games 40");
    place.play("more.vf", "--games 40 --seed 2");
    let split = |inputs: &str, name: &str| {
        place.succeed(&format!(
            "data convert {inputs} --out {name}.train --valid {name}.valid --valid-share 0.3"
        ));
        ["train", "valid"].map(|kind| {
            let bytes = place.read(&format!("{name}.{kind}"));
            let (records, _) = bytes.as_chunks::<32>();
            HashSet::<[u8; 32]>::from_iter(records.iter().copied())
        })
    };
    let [train, valid] = split("games.vf", "few");
    let [train_of_both, valid_of_both] = split("more.vf games.vf", "both");
    assert!(!valid.is_empty());
    assert!(train.is_disjoint(&valid_of_both));
    assert!(valid.is_disjoint(&train_of_both));
}

/// The records of a file that `data convert games.vf` makes, and what it prints.
fn records(place: &Place, more: &str) -> (Vec<[u8; 32]>, String) {
    let name = format!("records.{}", place.names().len());
    let (printed, _) = place.succeed(&format!("data convert games.vf --out {name} {more}"));
    (place.read(&name).as_chunks().0.to_vec(), printed)
}

/// The same positions with other scores: a level one stays level, no side loses its lead, and of two
/// scores with the same material the higher one is not below the other.
#[test]
fn curves_of_games_give_scores_another_unit() {
    let place = Place::new();
    place.play("games.vf", "--games 150");
    let scores = |more: &str| -> HashMap<[u8; 24], i16> {
        let named = |record: [u8; 32]| {
            let score = i16::from_le_bytes([record[24], record[25]]);
            (record[..24].try_into().unwrap(), score)
        };
        records(&place, more).0.into_iter().map(named).collect()
    };
    let (plain, curved) = (scores(""), scores("--curves games.vf"));
    assert_eq!(plain.len(), curved.len());
    let mut by_material = HashMap::<u64, Vec<(i16, i16)>>::new();
    for (board, before) in plain {
        let kinds = u128::from_le_bytes(board[8..].try_into().unwrap());
        let occupied = u64::from_le_bytes(board[..8].try_into().unwrap());
        let worth = |place| [1, 3, 3, 5, 9, 0][(kinds >> (4 * place)) as usize & 7];
        let material = (0..occupied.count_ones()).map(worth).sum();
        by_material
            .entry(material)
            .or_default()
            .push((before, curved[&board]));
    }
    let mut moved = 0;
    for scores in by_material.values_mut() {
        scores.sort_unstable();
        assert!(scores.is_sorted_by_key(|(_, after)| *after), "{scores:?}");
        moved += scores
            .iter()
            .filter(|(before, after)| before != after)
            .count();
        assert!(
            scores
                .iter()
                .all(|(before, after)| before.signum() * after.signum() >= 0)
        );
    }
    assert!(moved > 1_000, "{moved}");
    place.write("empty.vf", "");
    place.refused(
        "data convert games.vf --out o --curves empty.vf",
        "nothing to fit to: 0 games",
    );
}

/// Byte 29 says that the result is the value, and result and score are those of the tables.
#[test]
fn tables_have_the_last_word() {
    let place = Place::new();
    let games = place.play_few("--random-plies-max 3");
    let (plain, _) = records(&place, "--max-score 300");
    let (mut exact, printed) = records(&place, &format!("--max-score 300 --syzygy {TABLES}"));
    let tables = Tablebase::open(TABLES, Backend::Native).unwrap();
    let mut expected = HashMap::new();
    let (mut tabled, mut corrected) = (0, 0);
    let met = games.iter().flat_map(|game| {
        let inside = quiet(game, 300).into_iter().map(|one| (one, false));
        let beyond = quiet(game, 32_000).into_iter().map(|one| (one, true));
        let end = quiet_end(game).map(|one| (one, true));
        inside.chain(beyond).chain(end)
    });
    for ((name, record), is_for_tables) in met {
        let position = parse_fen(&format!("{name} 0 1")).unwrap();
        let mut known = record;
        let wdl = tables.wdl(position.board());
        if is_for_tables && wdl.is_none() {
            continue;
        }
        if let Some(wdl) = wdl {
            let points = match wdl {
                Wdl::Win => 2,
                Wdl::Loss => 0,
                _ => 1,
            };
            let score = (i16::from(points) - 1) * 10_000;
            known[24..26].copy_from_slice(&score.to_le_bytes());
            known[26] = points;
            known[29] = 3;
        }
        if let Entry::Vacant(entry) = expected.entry(name) {
            tabled += u32::from(known[29] == 3);
            corrected += u32::from(known[26] != record[26]);
            entry.insert(known);
        }
    }
    let mut expected: Vec<_> = expected.into_values().collect();
    expected.sort_unstable();
    exact.sort_unstable();
    // What tables know is not left out for its score, and ends of games come with it.
    assert!(exact == expected && plain.len() < exact.len());
    assert!(tabled > 20 && expected.len() as u32 > tabled, "{tabled}");
    assert!(corrected > 0, "the games end as they should");
    let mut lines = printed.lines();
    let line = lines.find(|line| line.trim_start().starts_with("exact"));
    let count = line.and_then(|line| line.split_whitespace().nth(1));
    assert_eq!(count, Some(&*tabled.to_string()), "{printed}");
    // And the training takes them.
    place.write("exact.data", exact.as_flattened());
    place.succeed(
        "train --data exact.data --valid exact.data --out run --hidden 32 --superbatches 1 --batch 8 \
         --match-mean-abs 10",
    );
    place.refused("data convert games.vf --out o --syzygy .", "no WDL table");
}

#[test]
fn leaves_stand_for_what_is_not_quiet() {
    let place = Place::new();
    place.play("games.vf", "--games 20");
    place.write("classical.toml", "[eval]\nkind = \"classical\"\n");
    let mut quiescence = Quiescence::new(&Config::default(), None).unwrap();
    let (mut expected, mut moved) = (HashMap::new(), 0);
    for game in place.games("games.vf") {
        let points = ["1.0", "0.0", "0.5"][game.outcome() as usize];
        game.visit_positions(|board, score| {
            if board.in_check() || score.abs() > 3_000 {
                return;
            }
            let position = parse_fen(&board.to_string()).unwrap();
            if let Some(leaf) = quiescence.leaf(&position) {
                let fen = to_fen(&leaf, false);
                let record: ChessBoard = format!("{fen} | {score} | {points}").parse().unwrap();
                let bytes: [u8; 32] = ChessBoard::as_bytes_slice(&[record]).try_into().unwrap();
                moved += u32::from(leaf.key() != position.key());
                expected.entry(leaf.key()).or_insert(bytes);
            }
        });
    }
    let mut expected: Vec<_> = expected.into_values().collect();
    let (mut leaves, printed) = records(&place, "--leaves");
    expected.sort_unstable();
    leaves.sort_unstable();
    assert!(leaves == expected, "{printed}");
    assert!(moved > 50, "{moved}");
    let classical = "--leaves --config classical.toml";
    assert!(records(&place, classical).0.len() != leaves.len());
    let alone = "data convert games.vf --out o --config classical.toml";
    place.refused(alone, "--leaves");
}

#[test]
fn statistics_add_up() {
    let place = Place::new();
    place.play("games.vf", "--games 30");
    let (out, _) = place.succeed("data stats games.vf");
    let number = |label: &str| -> usize {
        let mut lines = out.lines().map(str::trim_start);
        let rest = lines.find_map(|line| line.strip_prefix(label)).unwrap();
        rest.split_whitespace().next().unwrap().parse().unwrap()
    };
    let games = place.games("games.vf");
    assert_eq!(number("games"), games.len());
    let positions: usize = games.iter().map(Game::len).sum();
    assert_eq!(number("positions"), positions);
    let kept: usize = games.iter().map(|game| quiet(game, 3_000).len()).sum();
    assert_eq!(number("kept"), kept);
    let results = number("White wins") + number("draws") + number("Black wins");
    assert_eq!(results, games.len());
}

#[test]
fn rescored_games_are_the_same_games() {
    let place = Place::new();
    place.play("games.vf", "--games 8");
    let rescored = |name: &str, threads: u32| {
        place.succeed(&format!(
            "data rescore games.vf --out {name} --threads {threads} --soft-nodes 300 --hash 1"
        ));
        place.games(name)
    };
    let new = rescored("a.vf", 1);
    assert!(new == rescored("b.vf", 3));
    let mut changed = 0;
    let old = place.games("games.vf");
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
fn mistakes_are_explained_and_leave_no_file() {
    let place = Place::new();
    place.play("games.vf", "--games 1");
    place.write("empty.vf", "");
    place.write("there", "precious");
    let text = "[Event \"a PGN file is no file of games in this format\"]";
    place.write("game.pgn", text);
    let names = place.names();
    for (line, message) in [
        ("stats none.vf", "cannot read"),
        ("stats game.pgn", "is no file of games"),
        ("merge games.vf --out there", "is there already"),
        ("convert games.vf --out o --valid there", "is there already"),
        ("convert games.vf --out o --valid ./o", "are the same file"),
        ("convert games.vf --out o --valid-share 1", "--valid <FILE>"),
        ("wdl empty.vf", "nothing to fit to: 0 games"),
    ] {
        place.refused(&format!("data {line}"), message);
    }
    assert_eq!(place.read("there"), b"precious");
    assert_eq!(place.names(), names);
}

/// The classical evaluation can teach too: the first network of all.
#[test]
fn what_an_evaluation_knows_can_be_learned() {
    let place = Place::new();
    place.play("games.vf", "--games 6");
    place.write("classical.toml", "[eval]\nkind = \"classical\"\n");
    let distill = "data distill games.vf --config classical.toml --per-position 5 --out";
    let (printed, _) = place.succeed(&format!(
        "{distill} a.data --valid v.data --valid-share 0.3"
    ));
    place.succeed(&format!(
        "{distill} b.data --valid w.data --valid-share 0.3 --threads 2"
    ));
    for (one, other) in [("a.data", "b.data"), ("v.data", "w.data")] {
        assert!(place.read(one) == place.read(other) && place.read(one).len() > 32 * 100);
    }
    assert!(
        printed.contains("in check") && printed.contains("seen before"),
        "{printed}"
    );
    place.succeed(
        "train --data a.data --valid v.data --out run --hidden 32 --superbatches 1 --batch 64",
    );
    place.refused(&format!("{distill} a.data"), "a.data: it is there already");
    place.refused("data distill games.vf --out c.data --moves 0", "--moves");
}

#[test]
fn a_tree_gives_positions_with_bounds() {
    let place = Place::new();
    place.play("games.vf", "--games 6");
    let tree = "data tree games.vf --soft-nodes 3000 --hash 1 --per-game 2 --least-depth 4 --out";
    let (printed, _) = place.succeed(&format!("{tree} a.data"));
    place.succeed(&format!("{tree} b.data --threads 2"));
    let bytes = place.read("a.data");
    assert!(bytes == place.read("b.data"));
    let records: Vec<[u8; 32]> = bytes.as_chunks().0.to_vec();
    // More than the roots, none twice (the key holds more than the pieces do), of every kind.
    assert!(
        records.len() > 100 && printed.contains("searches             12"),
        "{printed}"
    );
    for bound in 0..=2 {
        assert!(
            records.iter().any(|record| record[29] == bound),
            "{printed}"
        );
    }
    place.succeed(
        "train --data a.data --valid b.data --out run --hidden 32 --superbatches 1 --batch 64",
    );
    place.refused(&format!("{tree} a.data"), "a.data: it is there already");
}
