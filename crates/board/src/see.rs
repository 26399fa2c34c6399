//! Static exchange evaluation: what a move wins or loses in captures on its target square.

use arrayvec::ArrayVec;
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_pawn_attacks,
    get_rook_moves,
};

use crate::{
    attacks::{attackers_to, diagonal_sliders, sees, snipers, straight_sliders},
    position::Position,
};

/// Values of the pieces in an exchange, in centipawns, indexed by [`Piece`].
pub const SEE_VALUES: [i32; Piece::NUM] = [100, 310, 325, 500, 950, 20_000];

#[inline]
const fn value(piece: Piece) -> i32 {
    SEE_VALUES[piece as usize]
}

/// Does the legal move `mv` gain at least `threshold` centipawns when both sides go on capturing
/// on its target square, each with its least valuable piece first, and each may stop?
///
/// Every capture in the exchange is legal: a piece pinned on its king stays on its line while the
/// pinner stands, discovered checks bind, and a king does not step into an attack. Pawns that
/// capture on the last rank become queens. Castling gains nothing.
pub fn see_ge(pos: &Position, mv: Move, threshold: i32) -> bool {
    if pos.is_castling(mv) {
        return threshold <= 0;
    }
    let board = pos.board();
    let us = pos.side_to_move();
    let moved = pos.piece_at(mv.from);
    let mut occupied = (board.occupied() ^ mv.from.bitboard()) | mv.to.bitboard();
    let mut balance = -threshold;
    if board.occupied().has(mv.to) {
        balance += value(pos.piece_at(mv.to));
    } else if moved == Piece::Pawn && mv.from.file() != mv.to.file() {
        balance += value(Piece::Pawn);
        occupied ^= Square::new(mv.to.file(), mv.from.rank()).bitboard();
    }
    let mut at_risk = value(moved);
    if let Some(promotion) = mv.promotion {
        balance += value(promotion) - value(Piece::Pawn);
        at_risk = value(promotion);
    }
    if can_promote_on(board, mv.to, occupied) {
        let gained = balance + threshold;
        let lost = Exchange::new(board, mv.to, occupied).worth(!us, at_risk);
        return gained - lost >= threshold;
    }
    if balance < 0 {
        return false;
    }
    balance -= at_risk;
    if balance >= 0 {
        return true;
    }
    Exchange::new(board, mv.to, occupied).last_to_capture(us, balance) == us
}

/// Can a pawn capture and promote on `target`? It then wins more than the piece that stood there,
/// so that the bounds of the quick way do not hold.
#[inline]
fn can_promote_on(board: &Board, target: Square, occupied: BitBoard) -> bool {
    let color = match target.rank() {
        Rank::Eighth => Color::White,
        Rank::First => Color::Black,
        _ => return false,
    };
    let pawns = board.colored_pieces(color, Piece::Pawn) & occupied;
    !get_pawn_attacks(target, !color).is_disjoint(pawns)
}

/// There are no more captures than pieces.
const MAX_CAPTURES: usize = 32;

/// The pieces around one square.
struct Exchange<'a> {
    board: &'a Board,
    target: Square,
    occupied: BitBoard,
    attackers: BitBoard,
    diagonal: BitBoard,
    straight: BitBoard,
}

impl<'a> Exchange<'a> {
    #[inline]
    fn new(board: &'a Board, target: Square, occupied: BitBoard) -> Exchange<'a> {
        let alive = occupied & !target.bitboard();
        Exchange {
            board,
            target,
            occupied,
            attackers: attackers_to(board, target, occupied) & alive,
            diagonal: diagonal_sliders(board),
            straight: straight_sliders(board),
        }
    }

    /// Plays the captures out after `side` moved to the target. `balance` is what `side` is ahead
    /// of its goal if it loses the piece there, and negative. The side that is named in the end has
    /// reached its goal.
    #[inline]
    fn last_to_capture(&mut self, mut side: Color, mut balance: i32) -> Color {
        loop {
            side = !side;
            let Some((piece, from)) = self.least_valuable(side) else {
                return !side;
            };
            balance = -balance - 1 - value(piece);
            if balance >= 0 {
                return side;
            }
            self.capture(piece, from);
        }
    }

    /// What `side` gains by capturing on the target, where a piece worth `at_risk` stands, or by
    /// leaving it. Promotions count.
    fn worth(&mut self, mut side: Color, mut at_risk: i32) -> i32 {
        let mut gains = ArrayVec::<i32, MAX_CAPTURES>::new();
        while let Some((piece, from)) = self.least_valuable(side) {
            let promotes = piece == Piece::Pawn;
            let becomes = if promotes { Piece::Queen } else { piece };
            gains.push(at_risk + value(becomes) - value(piece));
            at_risk = value(becomes);
            self.capture(piece, from);
            side = !side;
        }
        gains
            .iter()
            .rev()
            .fold(0, |worth, gain| (gain - worth).max(0))
    }

    /// The least valuable piece of `side` that may legally capture on the target.
    #[inline]
    fn least_valuable(&self, side: Color) -> Option<(Piece, Square)> {
        let ours = self.attackers & self.board.colors(side);
        if ours.is_empty() {
            return None;
        }
        for piece in Piece::ALL {
            for from in ours & self.board.pieces(piece) {
                if self.is_legal(piece, from, side) {
                    return Some((piece, from));
                }
            }
        }
        None
    }

    #[inline]
    fn is_legal(&self, piece: Piece, from: Square, side: Color) -> bool {
        let occupied = self.occupied ^ from.bitboard();
        if piece == Piece::King {
            let theirs = self.board.colors(!side);
            // Once more without the king: it does not shield the square behind it.
            return (self.attackers & theirs).is_empty()
                && (self.sliders(occupied) & theirs & occupied).is_empty();
        }
        let king = self.board.king(side);
        // Who stood on the target has gone or is being taken: it pins nobody.
        let snipers = snipers(self.board, !side, king) & occupied & !self.target.bitboard();
        snipers.is_empty() || !sees(snipers, king, occupied)
    }

    #[inline]
    fn capture(&mut self, piece: Piece, from: Square) {
        self.occupied ^= from.bitboard();
        // Only a piece that moved along a line opens that line; pawns capture diagonally.
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            self.attackers |= get_bishop_moves(self.target, self.occupied) & self.diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            self.attackers |= get_rook_moves(self.target, self.occupied) & self.straight;
        }
        self.attackers &= self.occupied;
    }

    #[inline]
    fn sliders(&self, occupied: BitBoard) -> BitBoard {
        (get_bishop_moves(self.target, occupied) & self.diagonal)
            | (get_rook_moves(self.target, occupied) & self.straight)
    }
}
