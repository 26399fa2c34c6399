//! Static exchange evaluation against a slow recursion over real boards and legal moves.

use sextant_board::{Board, Epd, Move, Piece, Position, SEE_VALUES, Square, see_ge};

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
    if pos.is_castling(mv) {
        return 0;
    }
    let promotion = mv.promotion.map_or(0, |p| value(p) - value(Piece::Pawn));
    pos.victim(mv).map_or(0, value) + promotion - best_exchange(&after, mv.to)
}

#[test]
fn equals_the_exchange_played_out_with_legal_moves() {
    let (mut compared, mut deep) = (0, 0);
    random_positions(21, 400, 160, |pos| {
        for mv in legal_moves(pos.board()) {
            let exact = exchange(pos.board(), mv);
            for threshold in [exact - 1, exact, exact + 1, -100, 0, 1, 200] {
                let (board, enough) = (pos.board(), see_ge(pos, mv, threshold));
                assert_eq!(
                    enough,
                    exact >= threshold,
                    "{board} {mv}: {exact} {threshold}"
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
    for line in include_str!("../../testdata/see.epd").lines() {
        let epd = Epd::parse(line).expect(line);
        let [(_, mv), (_, worth), _] = &epd.ops[..] else {
            panic!("{line}")
        };
        let (pos, mv) = (epd.position, mv.parse::<Move>().expect(line));
        let worth: i32 = worth.parse().expect(line);
        assert!(pos.board().is_legal(mv), "{line}");
        assert!(see_ge(&pos, mv, worth), "{line}");
        assert!(!see_ge(&pos, mv, worth + 1), "{line}");
    }
}
