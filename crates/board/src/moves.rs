//! A move in 16 bits, for tables, and what a move changes on the board.

use cozy_chess::{Color, Move, Piece, Square};

/// A move that is no promotion.
#[inline]
pub(crate) fn plain(from: Square, to: Square) -> Move {
    let promotion = None;
    Move {
        from,
        to,
        promotion,
    }
}

/// A piece on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The kind of piece.
    pub piece: Piece,
    /// The side that owns it.
    pub color: Color,
    /// The square that it stands on.
    pub square: Square,
}

impl Placed {
    /// A piece of `color` on `square`.
    #[inline]
    pub const fn new(piece: Piece, color: Color, square: Square) -> Placed {
        Placed {
            piece,
            color,
            square,
        }
    }
}

/// The pieces that one move removes from and adds to the board.
///
/// A quiet move removes one and adds one, a capture removes two and adds one, castling removes two
/// and adds two; a null move does nothing. A piece that is both removed and added (a king castling
/// onto its own square in Chess960) is listed in both. What there is stands first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// The mover (as it was before a promotion) and the captured piece, or king and rook.
    pub removed: [Option<Placed>; 2],
    /// The mover (as it is after a promotion), or king and rook.
    pub added: [Option<Placed>; 2],
}

/// `from` 6 bits, `to` 6 bits, promotion 3 bits (0 = none); 0 is no move. Castling is king takes
/// rook, as in `cozy-chess`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct PackedMove(u16);

impl PackedMove {
    /// The absence of a move; all bits are 0.
    pub const NONE: PackedMove = PackedMove(0);

    /// The raw bits, for storing.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// From stored bits; any pattern is allowed, [`PackedMove::unpack`] sorts out the meaningless.
    #[inline]
    pub const fn from_bits(bits: u16) -> PackedMove {
        PackedMove(bits)
    }

    /// The move, or `None` for no move and for patterns that mean none. Not checked for legality.
    #[inline]
    pub fn unpack(self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let promotion = match self.0 >> 12 {
            0 => None,
            kind @ 1..=4 => Some(Piece::index(usize::from(kind))),
            _ => return None,
        };
        Some(Move {
            from: Square::index((self.0 & 63) as usize),
            to: Square::index((self.0 >> 6 & 63) as usize),
            promotion,
        })
    }
}

impl From<Move> for PackedMove {
    #[inline]
    fn from(mv: Move) -> PackedMove {
        let promotion = mv.promotion.map_or(0, |piece| piece as u16);
        PackedMove(mv.from as u16 | (mv.to as u16) << 6 | promotion << 12)
    }
}

impl From<Option<Move>> for PackedMove {
    #[inline]
    fn from(mv: Option<Move>) -> PackedMove {
        mv.map_or(PackedMove::NONE, PackedMove::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_packed_and_no_bits_panic() {
        let mut moves = 0;
        for bits in 0..=u16::MAX {
            if let Some(mv) = PackedMove::from_bits(bits).unpack() {
                assert_eq!(PackedMove::from(mv).to_bits(), bits);
                moves += usize::from(mv.from != mv.to);
            }
        }
        assert_eq!(moves, 64 * 63 * 5, "with every promotion, and with none");
    }
}
