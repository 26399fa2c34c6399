//! A move in 16 bits: from (6), to (6), promotion (2), kind (2). Castling is king takes rook.

use sextant_board::{Move, Piece, Position, Square};

const EN_PASSANT: u16 = 0x4000;
const CASTLING: u16 = 0x8000;
const PROMOTION: u16 = 0xC000;
const KIND: u16 = 0xC000;

const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// The bits of a legal move; never 0.
pub(super) fn pack(position: &Position, mv: Move) -> u16 {
    let squares = mv.from as u16 | (mv.to as u16) << 6;
    let kind = if let Some(piece) = mv.promotion {
        let index = PROMOTIONS.iter().position(|&known| known == piece);
        PROMOTION | (index.unwrap_or(0) as u16) << 12
    } else if position.is_castling(mv) {
        CASTLING
    } else if position.is_en_passant(mv) {
        EN_PASSANT
    } else {
        0
    };
    squares | kind
}

/// The move of the bits, if it is legal and of the kind that the bits claim.
pub(super) fn unpack(position: &Position, bits: u16) -> Option<Move> {
    let square = |shift: u16| Square::index(usize::from(bits >> shift & 63));
    let mv = Move {
        from: square(0),
        to: square(6),
        promotion: (bits & KIND == PROMOTION).then(|| PROMOTIONS[usize::from(bits >> 12 & 3)]),
    };
    (position.board().is_legal(mv) && pack(position, mv) == bits).then_some(mv)
}
