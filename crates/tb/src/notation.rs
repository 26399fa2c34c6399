//! Moves as people and programs write them.

use cozy_chess::util::{display_san_move, display_uci_move};
use cozy_chess::{Board, Color, Move};

/// UCI, castling as the king's two steps.
pub(crate) fn uci(board: &Board, mv: Move) -> String {
    display_uci_move(board, mv).to_string()
}

/// Standard algebraic notation.
pub(crate) fn san(board: &Board, mv: Move) -> String {
    display_san_move(board, mv).to_string()
}

/// Numbered SAN, as in `12... Kd4 13. Qh8+`.
pub(crate) fn numbered(board: &Board, moves: impl IntoIterator<Item = Move>) -> String {
    let mut board = board.clone();
    let mut words = Vec::new();
    for mv in moves {
        match board.side_to_move() {
            Color::White => words.push(format!("{}.", board.fullmove_number())),
            Color::Black if words.is_empty() => {
                words.push(format!("{}...", board.fullmove_number()))
            }
            Color::Black => {}
        }
        words.push(san(&board, mv));
        board.play(mv);
    }
    words.join(" ")
}

/// A side's name.
pub(crate) fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
