//! Mate at a glance: a mate in one that can be seen without making a move.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_between_rays, get_king_moves,
    get_pawn_attacks, get_pawn_quiets,
};

use crate::{
    attacks::{attackers_to, attacks_of, sees, snipers},
    checks::CheckSquares,
    moves::plain,
    position::Position,
};

/// A move that mates at once, if the pattern finds one.
///
/// Looked at are direct checks by queen, rook, bishop, knight and promoting pawn (to queen or
/// knight), captures and double checks included. Not looked at are plain pawn moves, castling and
/// checks that are only discovered, so `None` does not mean that there is no mate. A move that is
/// returned always is legal and mates. `checks` must belong to `pos`.
#[inline]
pub fn mate_at_a_glance(pos: &Position, checks: &CheckSquares) -> Option<Move> {
    let glance = Glance::new(pos, checks);
    [Piece::Queen, Piece::Rook, Piece::Knight, Piece::Bishop]
        .into_iter()
        .find_map(|piece| glance.by(piece))
        .or_else(|| glance.by_promotion())
}

struct Glance<'a> {
    board: &'a Board,
    checks: &'a CheckSquares,
    us: Color,
    ours: BitBoard,
    theirs: BitBoard,
    king: Square,
}

impl<'a> Glance<'a> {
    #[inline]
    fn new(pos: &'a Position, checks: &'a CheckSquares) -> Glance<'a> {
        let board = pos.board();
        let us = pos.side_to_move();
        Glance {
            board,
            checks,
            us,
            ours: board.colors(us),
            theirs: board.colors(!us),
            king: checks.king(),
        }
    }

    #[inline]
    fn by(&self, piece: Piece) -> Option<Move> {
        let goals = self.checks.direct(piece) & !self.ours;
        for from in self.ours & self.board.pieces(piece) {
            for to in attacks_of(piece, self.us, from, self.board.occupied()) & goals {
                if self.mates(piece, from, to) {
                    return self.legal(from, to, None);
                }
            }
        }
        None
    }

    #[inline]
    fn by_promotion(&self) -> Option<Move> {
        let pawns = self.ours
            & self.board.pieces(Piece::Pawn)
            & Rank::Seventh.relative_to(self.us).bitboard();
        for from in pawns {
            let goals = get_pawn_quiets(from, self.us, self.board.occupied())
                | (get_pawn_attacks(from, self.us) & self.theirs);
            let occupied = self.board.occupied() ^ from.bitboard();
            for to in goals {
                for piece in [Piece::Queen, Piece::Knight] {
                    let attacks = attacks_of(piece, self.us, to, occupied);
                    if attacks.has(self.king) && self.mates(piece, from, to) {
                        return self.legal(from, to, Some(piece));
                    }
                }
            }
        }
        None
    }

    /// The move, if our own king allows it: asked last, because few moves get here.
    fn legal(&self, from: Square, to: Square, promotion: Option<Piece>) -> Option<Move> {
        let mv = Move {
            promotion,
            ..plain(from, to)
        };
        self.board.is_legal(mv).then_some(mv)
    }

    /// Is it mate when a piece from `from` gives check as `piece` on `to`?
    #[inline]
    fn mates(&self, piece: Piece, from: Square, to: Square) -> bool {
        let occupied = (self.board.occupied() ^ from.bitboard()) | to.bitboard();
        if self.king_can_flee(piece, from, to, occupied) {
            return false;
        }
        let double_check = self.checks.discovers(plain(from, to));
        double_check || !self.can_be_answered(to, occupied)
    }

    /// Can the king step away, or capture the checker? Squares next to the checker's own lines are
    /// looked at first: most checks fail there.
    #[inline]
    fn king_can_flee(&self, piece: Piece, from: Square, to: Square, occupied: BitBoard) -> bool {
        // The king does not shield the squares behind it.
        let occupied = occupied ^ self.king.bitboard();
        let free = get_king_moves(self.king) & (!self.theirs | to.bitboard());
        let covered = attacks_of(piece, self.us, to, occupied);
        let helpers = self.ours & !from.bitboard();
        (free & !covered)
            .into_iter()
            .any(|square| (attackers_to(self.board, square, occupied) & helpers).is_empty())
    }

    /// Can the checker on `to` be captured by anything but the king, or its check be blocked?
    fn can_be_answered(&self, to: Square, occupied: BitBoard) -> bool {
        let defenders = self.theirs & !self.king.bitboard() & !to.bitboard();
        let pinners = snipers(self.board, self.us, self.king) & occupied & !to.bitboard();
        // A pinned piece that moves to `square` must still shield its king.
        let can_move = |from: Square, square: Square| {
            let after = (occupied ^ from.bitboard()) | square.bitboard();
            !sees(pinners, self.king, after)
        };
        if (attackers_to(self.board, to, occupied) & defenders)
            .into_iter()
            .any(|from| can_move(from, to))
        {
            return true;
        }
        let pawns = defenders & self.board.pieces(Piece::Pawn);
        get_between_rays(to, self.king).into_iter().any(|square| {
            let pieces = attackers_to(self.board, square, occupied) & defenders & !pawns;
            let pushes = pawns
                .into_iter()
                .filter(|&pawn| get_pawn_quiets(pawn, !self.us, occupied).has(square))
                .fold(BitBoard::EMPTY, |all, pawn| all | pawn.bitboard());
            (pieces | pushes)
                .into_iter()
                .any(|from| can_move(from, square))
        })
    }
}
