//! Material and piece-square bonuses: the part that a move changes by a few additions.

use sextant_board::{Board, Color, Piece, Placed, Square};

use super::{
    pair::Pair,
    table::{
        BISHOP_SQUARE, KING_SQUARE, KNIGHT_SQUARE, MATERIAL, PAWN_SQUARE, QUEEN_SQUARE, ROOK_SQUARE,
    },
};

/// The weight of a piece's place; the wings mirror each other.
const fn place(us: Color, piece: Piece, square: Square) -> Pair {
    let table = match piece {
        Piece::Pawn => &PAWN_SQUARE,
        Piece::Knight => &KNIGHT_SQUARE,
        Piece::Bishop => &BISHOP_SQUARE,
        Piece::Rook => &ROOK_SQUARE,
        Piece::Queen => &QUEEN_SQUARE,
        Piece::King => &KING_SQUARE,
    };
    let square = square.relative_to(us);
    let file = square.file() as usize;
    let from_edge = if file < 4 { file } else { 7 - file };
    table[square.rank() as usize * 4 + from_edge]
}

/// The value of every piece on every square, for White.
static VALUES: [[[Pair; Square::NUM]; Piece::NUM]; Color::NUM] = {
    let mut values = [[[Pair::ZERO; Square::NUM]; Piece::NUM]; Color::NUM];
    let mut piece = 0;
    while piece < Piece::NUM {
        let mut square = 0;
        while square < Square::NUM {
            let mut color = 0;
            while color < Color::NUM {
                let us = Color::index_const(color);
                let mut value = place(us, Piece::index_const(piece), Square::index_const(square));
                if piece < MATERIAL.len() {
                    value = value.plus(MATERIAL[piece]);
                }
                values[color][piece][square] = match us {
                    Color::White => value,
                    Color::Black => value.negated(),
                };
                color += 1;
            }
            square += 1;
        }
        piece += 1;
    }
    values
};

/// What one piece is worth where it stands, for White.
#[inline]
pub(crate) fn value(placed: &Placed) -> Pair {
    VALUES[placed.color as usize][placed.piece as usize][placed.square as usize]
}

/// The sum over all pieces, for White.
pub(crate) fn total(board: &Board) -> Pair {
    let mut sum = Pair::ZERO;
    for color in Color::ALL {
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                sum += value(&Placed::new(piece, color, square));
            }
        }
    }
    sum
}
