//! A move in 16 bits, for tables.

use cozy_chess::{Move, Piece, Square};

/// `from` 6 bits, `to` 6 bits, promotion 3 bits (0 = none); 0 is no move. Castling is king takes
/// rook, as in `cozy-chess`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PackedMove(u16);

impl PackedMove {
    /// The absence of a move; all bits are 0.
    pub const NONE: PackedMove = PackedMove(0);

    /// The raw bits, for storing.
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// From stored bits; any pattern is allowed, [`PackedMove::unpack`] sorts out the meaningless.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> PackedMove {
        PackedMove(bits)
    }

    /// The move, or `None` for no move and for patterns that mean none. Not checked for legality.
    #[inline]
    #[must_use]
    pub fn unpack(self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let promotion = match self.0 >> 12 {
            0 => None,
            1 => Some(Piece::Knight),
            2 => Some(Piece::Bishop),
            3 => Some(Piece::Rook),
            4 => Some(Piece::Queen),
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
    fn every_move_survives_packing() {
        for from in Square::ALL {
            for to in Square::ALL.into_iter().filter(|&to| to != from) {
                for promotion in [
                    None,
                    Some(Piece::Knight),
                    Some(Piece::Bishop),
                    Some(Piece::Rook),
                    Some(Piece::Queen),
                ] {
                    let mv = Move {
                        from,
                        to,
                        promotion,
                    };
                    assert_eq!(PackedMove::from(mv).unpack(), Some(mv));
                }
            }
        }
    }

    #[test]
    fn no_bit_pattern_panics() {
        for bits in 0..=u16::MAX {
            if let Some(mv) = PackedMove::from_bits(bits).unpack() {
                assert_eq!(PackedMove::from(mv).to_bits(), bits);
            }
        }
    }
}
