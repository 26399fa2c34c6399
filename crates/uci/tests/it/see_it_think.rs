//! `sextant analyze --why` and `--tree`: sentences and a tree that are true of the search.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::Value;
use sextant_board::{Position, Square, cozy_chess::Piece, parse_fen, to_san};
use tempfile::TempDir;

use crate::util::{cases, run, works};

/// The columns of a row of the page that are looked at here.
const PARENT: usize = 0;
const MOVE: usize = 1;
const SAN: usize = 2;
const CHILDREN: usize = 13;

fn tree(path: &Path) -> Value {
    let page = fs::read_to_string(path).unwrap();
    assert!(!page.contains("src=") && !page.contains("href=") && !page.contains("url("));
    let data = page.split("id=\"data\">").nth(1).unwrap();
    serde_json::from_str(data.split("</script>").next().unwrap()).unwrap()
}

/// Every move of the tree is legal where it stands and has its name, and every node has all its
/// children or none.
fn check(tree: &Value, root: &Position) -> usize {
    let rows = tree["rows"].as_array().unwrap();
    let word = |row: &Value, at: usize| {
        let number = row[at].as_u64().unwrap() as usize;
        tree["words"][number].as_str().unwrap().to_owned()
    };
    let mut positions: Vec<Position> = Vec::new();
    let mut kept = vec![0; rows.len()];
    for (at, row) in rows.iter().enumerate() {
        let parent = row[PARENT].as_u64().unwrap() as usize;
        if parent == at {
            positions.push(root.clone());
            continue;
        }
        assert!(parent < at);
        kept[parent] += 1;
        let before = positions[parent].clone();
        let Some(code) = row[MOVE].as_u64() else {
            let passed = before.make_null().filter(|_| word(row, 3) == "null move");
            positions.push(passed.unwrap_or(before));
            continue;
        };
        let square = |code: u64| Square::index(code as usize & 63 ^ 56);
        let mv = sextant_board::Move {
            from: square(code),
            to: square(code >> 6),
            promotion: (code >> 12 > 0).then(|| Piece::index((code >> 12) as usize)),
        };
        assert!(before.board().is_legal(mv), "{mv}");
        assert_eq!(word(row, SAN), to_san(&before, mv));
        positions.push(before.make(mv).0);
    }
    for (row, kept) in rows.iter().zip(kept) {
        assert!(
            kept == 0 || row[CHILDREN] == kept,
            "{row} has {kept} children"
        );
    }
    let ends = tree["iterations"].as_array().unwrap().last().unwrap()[2].as_u64();
    assert_eq!(ends, Some(rows.len() as u64));
    assert!(tree["total"].as_u64().unwrap() >= rows.len() as u64);
    rows.len()
}

/// A mate, a quiet position, an endgame with tables, a zugzwang, a lost position; moves in both
/// notations, the engine's own and others.
#[test]
fn a_move_is_explained_in_five_kinds_of_positions() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/testdata");
    let path = format!("SyzygyPath={tables}");
    for (position, expected) in cases(
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4; Qxe5+ => The engine plays Qxf7# (mate 1)
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; a2a4       => a4 is answered by 1...
         8/8/8/4k3/8/8/3PK3/8 w - - 0 1; d4                                   => The search of all moves never tried d4+
         8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1; Rf1                    => Rf1 is what the engine plays
         4k3/8/8/8/8/4q3/r7/6K1 w - - 0 1; Kf1                                => mate -1
         7k/8/5KQ1/8/8/8/8/7r b - - 0 1; Rh6                                  => is answered by",
    ) {
        let (fen, mv) = position.split_once("; ").unwrap();
        let folder = TempDir::new().unwrap();
        let page = folder.path().join("tree.html");
        let page_name = page.to_str().unwrap();
        let common = ["-o", &path, "analyze", fen, "--nodes", "20000", "--why", mv.trim()];
        let text = works(&common);
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("At first the engine chose"), "{text}");
        let json = works(&[&common[..], &["--json", "--tree", page_name]].concat());
        let json: Value = serde_json::from_str(&json).unwrap();
        let sides = json["why"]["sides"].as_array().unwrap();
        assert_eq!(sides.len(), 2, "{json}");
        for side in sides {
            assert_eq!(side["line"][0]["move"], side["move"], "{side}");
            assert!(side["nodes"].as_u64().unwrap() <= 20_000);
        }
        check(&tree(&page), &parse_fen(fen).unwrap());
    }
}

/// What ends a game, what ends a search, and what tables say is told by its name.
#[test]
fn ends_are_named() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../syzygy/testdata");
    let path = format!("SyzygyPath={tables}");
    for (position, expected) in cases(
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1; Ra8 => Ra8# is checkmate.
         7k/8/6K1/5Q2/8/8/8/8 w - - 0 1; Qf7       => Qf7 is stalemate.
         6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1; h3  => The engine plays Ra8# (mate 1)
         startpos; h4                              => never tried h4: it ended before that
         8/8/8/8/8/2k5/8/K6R w - - 0 1; Rh2        => won by the tables",
    ) {
        let (fen, mv) = position.split_once("; ").unwrap();
        let nodes = if fen == "startpos" { "5" } else { "5000" };
        let text = works(&[
            "-o",
            &path,
            "analyze",
            fen,
            "--nodes",
            nodes,
            "--why",
            mv.trim(),
        ]);
        assert!(text.contains(expected), "{text}");
        let mates = text
            .lines()
            .filter(|line| line.contains(" mate 1  "))
            .count();
        assert!(mates < 3, "{text}");
    }
    let (code, _, err) = run(&["analyze", "nofile.pgn"]);
    assert!(
        code == Some(2) && err.contains("\"nofile.pgn\" is neither a file nor a position"),
        "{err}"
    );
}

/// A search of more nodes than are kept.
#[test]
fn a_large_tree_is_a_bounded_sample() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("tree.html");
    let position = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    works(&[
        "analyze",
        position,
        "--nodes",
        "500000",
        "--tree",
        page.to_str().unwrap(),
    ]);
    let kept = check(&tree(&page), &parse_fen(position).unwrap());
    assert!((50_000..=100_000).contains(&kept), "{kept} are kept");
}

#[test]
fn a_move_that_cannot_be_explained_is_refused() {
    for (fen, mv, expected) in [
        (
            "startpos",
            "e5",
            "\"e5\" is not legal here; legal are Na3, Nc3",
        ),
        ("startpos", "hello", "\"hello\" is not legal here"),
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "Kg8",
            "the game is over here",
        ),
    ] {
        let (code, _, err) = run(&["analyze", fen, "--why", mv, "--nodes", "10"]);
        assert!(code == Some(2) && err.contains(expected), "{err}");
    }
    for (fen, end) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "this is stalemate"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "this is checkmate"),
    ] {
        let (code, _, err) = run(&["analyze", fen, "--tree", "x.html"]);
        assert!(code == Some(2) && err.contains(end), "{err}");
        let text = works(&["analyze", fen]);
        assert!(
            text.ends_with(&format!("Best move: none, {}\n", &end[8..])),
            "{text}"
        );
    }
    let (code, _, err) = run(&["analyze", "startpos", "--tree", "/nonexistent/x.html"]);
    assert!(code == Some(2) && err.contains("cannot write"), "{err}");
}

/// As `sextant analyze ... | head -1` leaves it.
#[cfg(unix)]
#[test]
fn the_page_is_written_though_nobody_reads_the_lines() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("tree.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sextant"));
    command.args(["analyze", "startpos", "--nodes", "20000", "--tree"]);
    let mut child = command.arg(&page).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    check(&tree(&page), &Position::startpos());
}
