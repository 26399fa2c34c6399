//! Where the pieces stand, and who moves: all that a WDL probe needs of a position.
//!
//! Captures are played on this instead of on a [`Board`], which would keep keys, pins and checkers
//! that nobody asks for.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// A position without clocks, castling rights and en passant.
#[derive(Clone, Copy)]
pub(crate) struct Pieces {
    pieces: [BitBoard; Piece::NUM],
    colors: [BitBoard; Color::NUM],
    mover: Color,
}

impl From<&Board> for Pieces {
    #[inline]
    fn from(board: &Board) -> Pieces {
        Pieces {
            pieces: Piece::ALL.map(|piece| board.pieces(piece)),
            colors: Color::ALL.map(|color| board.colors(color)),
            mover: board.side_to_move(),
        }
    }
}

impl Pieces {
    #[inline]
    pub(crate) fn mover(&self) -> Color {
        self.mover
    }

    /// All pieces of a kind and color.
    #[inline]
    pub(crate) fn of(&self, color: Color, piece: Piece) -> BitBoard {
        self.pieces[piece as usize] & self.colors[color as usize]
    }

    #[inline]
    pub(crate) fn side(&self, color: Color) -> BitBoard {
        self.colors[color as usize]
    }

    fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    pub(crate) fn count(&self) -> u32 {
        self.occupied().len()
    }

    #[inline]
    fn attacks(&self, piece: Piece, from: Square) -> BitBoard {
        let occupied = self.occupied();
        match piece {
            Piece::Pawn => get_pawn_attacks(from, self.mover),
            Piece::Knight => get_knight_moves(from),
            Piece::Bishop => get_bishop_moves(from, occupied),
            Piece::Rook => get_rook_moves(from, occupied),
            Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
            Piece::King => get_king_moves(from),
        }
    }

    /// True if the side that has just moved left its king in check.
    #[inline]
    fn king_is_capturable(&self) -> bool {
        let (us, them) = (self.mover, !self.mover);
        let Some(king) = self.of(them, Piece::King).next_square() else {
            return true;
        };
        let occupied = self.occupied();
        let hit = |attacks: BitBoard, piece| !(attacks & self.of(us, piece)).is_empty();
        let ours = self.side(us);
        let diagonal = self.pieces[Piece::Bishop as usize] | self.pieces[Piece::Queen as usize];
        let straight = self.pieces[Piece::Rook as usize] | self.pieces[Piece::Queen as usize];
        hit(get_king_moves(king), Piece::King)
            || hit(get_knight_moves(king), Piece::Knight)
            || hit(get_pawn_attacks(king, them), Piece::Pawn)
            || !(get_bishop_moves(king, occupied) & diagonal & ours).is_empty()
            || !(get_rook_moves(king, occupied) & straight & ours).is_empty()
    }

    /// The position after a piece of the side to move takes another.
    #[inline]
    fn after_capture(&self, piece: Piece, from: Square, to: Square, becomes: Piece) -> Pieces {
        let mut after = *self;
        let (from, to) = (from.bitboard(), to.bitboard());
        for pieces in &mut after.pieces {
            *pieces &= !to;
        }
        after.pieces[piece as usize] &= !from;
        after.pieces[becomes as usize] |= to;
        after.colors[self.mover as usize] = (self.side(self.mover) & !from) | to;
        after.colors[!self.mover as usize] &= !to;
        after.mover = !self.mover;
        after
    }

    /// Calls `visit` with the position after each legal capture (en passant apart), until it
    /// returns an error.
    #[inline]
    pub(crate) fn for_captures<E>(
        &self,
        mut visit: impl FnMut(&Pieces) -> Result<(), E>,
    ) -> Result<(), E> {
        const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];
        let targets = self.side(!self.mover) & !self.of(!self.mover, Piece::King);
        let last = Rank::Eighth.relative_to(self.mover).bitboard();
        for piece in Piece::ALL {
            for from in self.of(self.mover, piece) {
                for to in self.attacks(piece, from) & targets {
                    let promotes = piece == Piece::Pawn && last.has(to);
                    let becomes = if promotes { &PROMOTIONS[..] } else { &[piece] };
                    for &becomes in becomes {
                        let after = self.after_capture(piece, from, to, becomes);
                        if after.king_is_capturable() {
                            break;
                        }
                        visit(&after)?;
                    }
                }
            }
        }
        Ok(())
    }
}
