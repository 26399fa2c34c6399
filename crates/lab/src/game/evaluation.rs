//! A small chess evaluation for the textbook searches: material and where the pieces stand.
//!
//! It is deliberately plain: the experiments compare searches, and any sensible evaluation will
//! do as long as every search uses the same one.

use cozy_chess::{Board, Color, Piece, Square};

/// What a piece is worth in centipawns; the king's is only used to order captures by the king last.
pub(crate) fn piece_value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight => 310,
        Piece::Bishop => 330,
        Piece::Rook => 500,
        Piece::Queen => 950,
        Piece::King => 2_000,
    }
}

/// Centipawns for White: who has more, and better placed. Symmetric: the mirrored position has
/// minus the value.
pub(crate) fn for_white(board: &Board) -> i32 {
    let endgame = is_endgame(board);
    side(board, Color::White, endgame) - side(board, Color::Black, endgame)
}

fn side(board: &Board, color: Color, endgame: bool) -> i32 {
    let mut sum = 0;
    for piece in Piece::ALL {
        for square in board.colored_pieces(color, piece) {
            if piece != Piece::King {
                sum += piece_value(piece);
            }
            sum += placement(piece, square, color, endgame);
        }
    }
    sum
}

/// Centipawns for standing on `square`, beyond the piece's own worth.
pub(crate) fn placement(piece: Piece, square: Square, color: Color, endgame: bool) -> i32 {
    let rank = match color {
        Color::White => square.rank() as i32,
        Color::Black => 7 - square.rank() as i32,
    };
    let file = square.file() as i32;
    let centrality = rank.min(7 - rank) + file.min(7 - file);
    match piece {
        Piece::Pawn if endgame => rank * rank * 2,
        Piece::Pawn => rank * 4 + if file == 3 || file == 4 { rank * 5 } else { 0 },
        Piece::Knight => centrality * 8 - 24,
        Piece::Bishop => centrality * 4 + if rank == 0 { -10 } else { 0 },
        Piece::Rook => (if rank == 6 { 20 } else { 0 }) + file.min(7 - file) * 3,
        Piece::Queen => centrality * 2,
        Piece::King if endgame => centrality * 8,
        Piece::King => rank * -20 - file.min(7 - file) * 10,
    }
}

/// Few enough pieces that the king should come out: at most a rook and a minor piece a side.
fn is_endgame(board: &Board) -> bool {
    let light = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
    let weight = light.len() * 3
        + board.pieces(Piece::Rook).len() * 5
        + board.pieces(Piece::Queen).len() * 9;
    weight <= 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_level_and_an_extra_queen_is_not() {
        assert_eq!(for_white(&Board::default()), 0);
        let queen_down = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(for_white(&queen_down.parse().unwrap()) > 800);
    }

    #[test]
    fn swapping_the_colors_changes_only_the_sign() {
        let white = "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2N1PN2/PPP2PPP/R1BQKB1R w KQkq - 0 1";
        let black = "r1bqkb1r/ppp2ppp/2n1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R b KQkq - 0 1";
        let value = for_white(&white.parse().unwrap());
        assert_ne!(value, 0);
        assert_eq!(value, -for_white(&black.parse().unwrap()));
    }
}
