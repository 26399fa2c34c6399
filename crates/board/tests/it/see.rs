//! Static exchange evaluation against a slow recursion over real boards and legal moves.

use sextant_board::{Board, Move, Piece, Position, SEE_VALUES, Square, see_ge};

use crate::common::{legal_moves, random_positions};

fn value(piece: Piece) -> i32 {
    SEE_VALUES[piece as usize]
}

/// What the side to move gains by capturing on `target`, or by leaving it: every capture is a
/// legal move of the real board, least valuable piece first, promotion to a queen.
fn best_exchange(board: &Board, target: Square) -> i32 {
    let capture = legal_moves(board)
        .into_iter()
        .filter(|mv| mv.to == target && matches!(mv.promotion, None | Some(Piece::Queen)))
        .filter(|mv| !board.colors(board.side_to_move()).has(mv.to))
        .min_by_key(|mv| (board.piece_on(mv.from).map(|p| p as u8), mv.from as u8));
    capture.map_or(0, |mv| exchange(board, mv).max(0))
}

/// What `mv` gains, the rest of the exchange included.
fn exchange(board: &Board, mv: Move) -> i32 {
    let pos = Position::new(board.clone());
    let mut after = board.clone();
    after.play(mv);
    let gain = if pos.is_castling(mv) {
        return 0;
    } else {
        pos.victim(mv).map_or(0, value) + mv.promotion.map_or(0, |p| value(p) - value(Piece::Pawn))
    };
    gain - best_exchange(&after, mv.to)
}

#[test]
fn equals_the_exchange_played_out_with_legal_moves() {
    let (mut compared, mut deep) = (0, 0);
    random_positions(21, 400, 160, |pos| {
        for mv in legal_moves(pos.board()) {
            let exact = exchange(pos.board(), mv);
            for threshold in [exact - 1, exact, exact + 1, -100, 0, 1, 200] {
                assert_eq!(
                    see_ge(pos, mv, threshold),
                    exact >= threshold,
                    "{} {mv}: the exchange is worth {exact}, asked for {threshold}",
                    pos.board()
                );
            }
            compared += 1;
            deep += usize::from(pos.is_capture(mv) && exact != 0);
        }
    });
    assert!(compared > 500_000 && deep > 20_000, "{compared} {deep}");
}

#[test]
fn known_exchanges() {
    for (fen, mv, worth) in [
        // Rook takes a pawn that a knight protects.
        (
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
            "d3e5",
            100 - 310,
        ),
        (
            "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
            "e1e5",
            100,
        ),
        // The defender is pinned and does not count; along its line it does.
        ("4k3/4n3/8/3p4/8/3R4/8/4RK2 w - - 0 1", "d3d5", 100),
        (
            "4k3/8/4r3/4p3/8/8/4R3/4RK2 w - - 0 1",
            "e2e5",
            100 - 500 + 500,
        ),
        // En passant, and a promotion with capture that is taken back.
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        ("1r2k3/P1n5/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 500 + 850),
        (
            "1r2k3/P7/n7/8/8/8/8/4K3 w - - 0 1",
            "a7b8q",
            500 + 850 - 950,
        ),
        // The king may not take a piece that is protected from behind.
        ("8/8/3k4/4r3/8/8/4R3/4R1K1 w - - 0 1", "e2e5", 500),
        // A pawn that takes back and promotes wins the piece and a queen.
        ("4Q3/8/8/8/8/k7/5p2/K7 w - - 0 1", "e8e1", -950 - 850),
        // Castling exchanges nothing.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", 0),
    ] {
        let pos = Position::new(fen.parse().unwrap());
        let mv: Move = mv.parse().unwrap();
        assert!(pos.board().is_legal(mv), "{fen} {mv}");
        assert!(see_ge(&pos, mv, worth), "{fen} {mv} < {worth}");
        assert!(!see_ge(&pos, mv, worth + 1), "{fen} {mv} > {worth}");
    }
}
