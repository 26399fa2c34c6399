//! Against other programs. Every random game is played on `shakmaty` too, move by move: it has its
//! own rules, FEN and SAN. The perft suites of `testdata/` have the counts of many.

use sextant_board::{
    Epd, MoveSets, Position, display_uci_move, is_insufficient_material, parse_fen, parse_san,
    parse_uci_move, perft, to_fen, to_san,
};
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::SanPlus, uci::UciMove,
};

use crate::common::{legal_moves, random_games};

fn from_fen(pos: &Position) -> Chess {
    let fen: Fen = to_fen(pos, true).parse().unwrap();
    fen.into_position(CastlingMode::Chess960).unwrap()
}

fn compare(ours: &Position, theirs: &Chess) {
    let board = ours.board();
    let mut our_moves: Vec<_> = legal_moves(board).iter().map(ToString::to_string).collect();
    let their_moves = theirs.legal_moves();
    let their_texts = their_moves
        .iter()
        .map(|mv| mv.to_uci(CastlingMode::Chess960));
    let mut their_texts: Vec<_> = their_texts.map(|mv| mv.to_string()).collect();
    our_moves.sort_unstable();
    their_texts.sort_unstable();
    assert_eq!(our_moves, their_texts, "{board}");
    assert_eq!(MoveSets::generate(ours).is_empty(), their_moves.is_empty());
    assert_eq!(ours.in_check(), theirs.is_check(), "{board}");
    let dead = theirs.is_insufficient_material();
    assert_eq!(is_insufficient_material(board), dead, "{board}");
    let fen = Fen::from_position(theirs, EnPassantMode::Legal);
    assert_eq!(to_fen(ours, false), fen.to_string());
    let again = parse_fen(&fen.to_string()).unwrap();
    assert_eq!(again.key(), ours.key());
    assert_eq!(to_fen(&again, true), to_fen(ours, true));
}

fn compare_texts(ours: &Position, theirs: &Chess) {
    for mv in legal_moves(ours.board()) {
        let uci: UciMove = mv.to_string().parse().unwrap();
        let their_move = uci.to_move(theirs).unwrap();
        let san = SanPlus::from_move(theirs.clone(), their_move).to_string();
        assert_eq!(to_san(ours, mv), san, "{}", ours.board());
        assert_eq!(parse_san(ours, &san), Ok(mv), "{}", ours.board());
        for chess960 in [false, true] {
            let text = display_uci_move(ours, mv, chess960).to_string();
            let read = parse_uci_move(ours, &text).unwrap();
            if read != mv {
                // Outside standard chess the king may also step to its castling square.
                assert!(!chess960 && ours.is_castling(mv) && !ours.is_castling(read));
            }
        }
    }
}

#[test]
fn games_of_all_kinds_agree_with_shakmaty() {
    let mut theirs = Chess::new();
    let mut expected = None;
    let mut plies = 0;
    random_games(51, 800, 300, |before, mv, after, _| {
        if expected != Some(before.key()) {
            theirs = from_fen(before);
            compare(before, &theirs);
        }
        let uci: UciMove = mv.to_string().parse().unwrap();
        theirs.play_unchecked(uci.to_move(&theirs).unwrap());
        compare(after, &theirs);
        if plies % 16 == 0 {
            compare_texts(after, &theirs);
        }
        expected = Some(after.key());
        plies += 1;
    });
    assert!(plies > 80_000, "{plies}");
}

/// Checks every row of a suite at its deepest entry of at most `most_nodes` nodes.
fn check(suite: &str, rows: usize, most_nodes: u64) {
    assert_eq!(suite.lines().count(), rows);
    for line in suite.lines() {
        let epd = Epd::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        // `;D1 20 ;D2 400`
        let counts = epd.ops.iter().map(|(opcode, operand)| {
            let depth: u32 = opcode.strip_prefix('D').expect(line).parse().expect(line);
            (depth, operand.parse::<u64>().expect(line))
        });
        let deepest = counts.filter(|&(_, nodes)| nodes <= most_nodes).max();
        let (depth, nodes) = deepest.expect(line);
        let found = perft(&epd.position, depth);
        assert_eq!(found, nodes, "{line} at depth {depth}");
    }
}

#[test]
fn standard_suite() {
    let suite = include_str!("../../testdata/perftsuite.epd");
    check(suite, 126, 5_000_000);
}

#[test]
fn chess960_suite() {
    let suite = include_str!("../../testdata/frcperftsuite.epd");
    check(suite, 960, 1_000_000);
}

/// The positions of the Chess Programming Wiki's perft page, deep.
#[test]
fn usual_positions() {
    check(include_str!("../../testdata/usual.epd"), 7, 200_000_000);
}

#[test]
fn no_move_is_one_line() {
    assert_eq!(perft(&Position::startpos(), 0), 1);
    assert_eq!(perft(&Position::startpos(), 1), 20);
}
