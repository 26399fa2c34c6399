//! Every random game is played on `shakmaty` too, move by move: it has its own rules, FEN and SAN.

use sextant_board::{
    MoveSets, Position, display_uci_move, is_insufficient_material, parse_fen, parse_san,
    parse_uci_move, to_fen, to_san,
};
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::SanPlus, uci::UciMove,
};

use crate::common::{legal_moves, random_games};

fn from_fen(pos: &Position) -> Chess {
    let fen: Fen = to_fen(pos, true).parse().unwrap();
    fen.into_position(CastlingMode::Chess960).unwrap()
}

fn texts(moves: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<_> = moves.into_iter().collect();
    texts.sort_unstable();
    texts
}

fn compare(ours: &Position, theirs: &Chess) {
    let board = ours.board();
    let our_moves = legal_moves(board);
    let their_moves = theirs.legal_moves();
    assert_eq!(
        texts(our_moves.iter().map(|mv| mv.to_string())),
        texts(
            their_moves
                .iter()
                .map(|mv| mv.to_uci(CastlingMode::Chess960).to_string())
        ),
        "{board}"
    );
    assert_eq!(MoveSets::generate(ours).is_empty(), their_moves.is_empty());
    assert_eq!(ours.in_check(), theirs.is_check(), "{board}");
    assert_eq!(
        is_insufficient_material(board),
        theirs.is_insufficient_material(),
        "{board}"
    );
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
