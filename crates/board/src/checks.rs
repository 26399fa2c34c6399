//! Does a move give check? Answered without making it.

use cozy_chess::{
    BitBoard, Move, Piece, Square, get_between_rays, get_bishop_moves, get_knight_moves,
    get_line_rays, get_pawn_attacks, get_rook_moves,
};

use crate::{
    attacks::{attacks_of, diagonal_sliders, sees, snipers, straight_sliders},
    position::{Position, castling_squares},
};

/// Where the pieces of the side to move would give check, computed once for a position.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct CheckSquares {
    king: Square,
    pawn: BitBoard,
    knight: BitBoard,
    bishop: BitBoard,
    rook: BitBoard,
    discoverers: BitBoard,
}

impl CheckSquares {
    /// The check squares of the side to move in `pos`.
    #[inline]
    pub fn of(pos: &Position) -> CheckSquares {
        let board = pos.board();
        let us = pos.side_to_move();
        let king = board.king(!us);
        let occupied = board.occupied();
        let mut discoverers = BitBoard::EMPTY;
        for sniper in snipers(board, us, king) {
            let between = get_between_rays(sniper, king) & occupied;
            if between.len() == 1 {
                discoverers |= between & board.colors(us);
            }
        }
        CheckSquares {
            king,
            pawn: get_pawn_attacks(king, !us),
            knight: get_knight_moves(king),
            bishop: get_bishop_moves(king, occupied),
            rook: get_rook_moves(king, occupied),
            discoverers,
        }
    }

    /// The square of the enemy king.
    #[inline]
    pub fn king(&self) -> Square {
        self.king
    }

    /// The squares from which a piece of the kind attacks the enemy king, as the board stands now.
    #[inline]
    pub fn direct(&self, piece: Piece) -> BitBoard {
        match piece {
            Piece::Pawn => self.pawn,
            Piece::Knight => self.knight,
            Piece::Bishop => self.bishop,
            Piece::Rook => self.rook,
            Piece::Queen => self.bishop | self.rook,
            Piece::King => BitBoard::EMPTY,
        }
    }

    /// Our pieces that alone stand between one of our sliders and the enemy king: moving off the
    /// line discovers a check.
    #[inline]
    pub fn discoverers(&self) -> BitBoard {
        self.discoverers
    }

    /// Does the legal move `mv` uncover an attack of another piece on the king? En passant and
    /// castling, which change more than one line, are [`CheckSquares::gives_check`]'s business.
    #[inline]
    pub fn discovers(&self, mv: Move) -> bool {
        self.discoverers.has(mv.from) && !get_line_rays(self.king, mv.from).has(mv.to)
    }

    /// Does the legal move `mv` of the position that these squares were computed for give check?
    #[inline]
    pub fn gives_check(&self, pos: &Position, mv: Move) -> bool {
        self.gives_check_with(pos.piece_at(mv.from), pos, mv)
    }

    /// The same where it is known what moves.
    #[inline]
    pub(crate) fn gives_check_with(&self, piece: Piece, pos: &Position, mv: Move) -> bool {
        match piece {
            Piece::Pawn => self.pawn_gives_check(pos, mv),
            Piece::King if pos.is_castling(mv) => self.castling_gives_check(pos, mv),
            _ => self.direct(piece).has(mv.to) || self.discovers(mv),
        }
    }

    fn pawn_gives_check(&self, pos: &Position, mv: Move) -> bool {
        if self.discovers(mv) {
            return true;
        }
        let board = pos.board();
        let us = pos.side_to_move();
        if let Some(promotion) = mv.promotion {
            // The pawn may have stood on the line that its queen now uses.
            let occupied = board.occupied() ^ mv.from.bitboard();
            return attacks_of(promotion, us, mv.to, occupied).has(self.king);
        }
        if self.pawn.has(mv.to) {
            return true;
        }
        if pos.is_en_passant(mv) {
            // Two pawns leave at once, so that no single one of them need be a discoverer.
            let victim = Square::new(mv.to.file(), mv.from.rank());
            let occupied =
                (board.occupied() ^ mv.from.bitboard() ^ victim.bitboard()) | mv.to.bitboard();
            return sees(snipers(board, us, self.king), self.king, occupied);
        }
        false
    }

    fn castling_gives_check(&self, pos: &Position, mv: Move) -> bool {
        let board = pos.board();
        let us = pos.side_to_move();
        let (king, rook) = castling_squares(mv);
        let rook = rook.bitboard();
        let left = mv.from.bitboard() | mv.to.bitboard();
        let occupied = (board.occupied() & !left) | king.bitboard() | rook;
        let straight = ((straight_sliders(board) & board.colors(us)) & !left) | rook;
        let diagonal = diagonal_sliders(board) & board.colors(us);
        !(get_rook_moves(self.king, occupied) & straight).is_empty()
            || !(get_bishop_moves(self.king, occupied) & diagonal).is_empty()
    }
}
