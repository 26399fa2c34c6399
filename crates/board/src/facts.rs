//! Facts about a move that its price, its ordering and its pruning ask for: no weights here.

use cozy_chess::{BitBoard, Color, Move, Piece, Rank, Square};

use crate::{checks::CheckSquares, position::Position};

/// What can be said of a legal move without making it. Static exchange evaluation is asked apart
/// ([`crate::see_ge`]), because it costs more than all of this together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct MoveFacts {
    /// The kind of piece that moves (the king when castling, the pawn when promoting).
    pub piece: Piece,
    /// The piece that is captured, en passant included.
    pub victim: Option<Piece>,
    /// Does the move give check?
    pub gives_check: bool,
    /// Does it capture on the square where the previous move captured?
    pub recapture: bool,
    /// What the pawn becomes, if it promotes.
    pub promotion: Option<Piece>,
    /// A pawn arrives on its sixth or seventh rank, and no enemy pawn can stop it or take it from
    /// there on.
    pub passed_push: bool,
    /// A quiet move, not of a pawn and not castling, to a rank nearer its own side.
    pub backward: bool,
    /// Is it castling (king takes own rook)?
    pub castling: bool,
}

impl MoveFacts {
    /// The facts about the legal move `mv`; `checks` must belong to `pos`, and
    /// `previous_capture_square` is where the opponent's last move captured, if it did.
    #[inline]
    pub fn of(
        pos: &Position,
        mv: Move,
        checks: &CheckSquares,
        previous_capture_square: Option<Square>,
    ) -> MoveFacts {
        let piece = pos.piece_at(mv.from);
        let victim = pos.victim(mv);
        let castling = piece == Piece::King && pos.is_castling(mv);
        MoveFacts {
            piece,
            victim,
            gives_check: checks.gives_check_with(piece, pos, mv),
            recapture: victim.is_some() && previous_capture_square == Some(mv.to),
            promotion: mv.promotion,
            passed_push: piece == Piece::Pawn && is_passed_push(pos, mv),
            backward: piece != Piece::Pawn
                && !castling
                && victim.is_none()
                && is_backward(pos.side_to_move(), mv),
            castling,
        }
    }

    /// Neither a capture nor a promotion.
    #[inline]
    pub fn is_quiet(&self) -> bool {
        self.victim.is_none() && self.promotion.is_none()
    }

    /// Check, capture, promotion, or a push of a far advanced passed pawn.
    #[inline]
    pub fn is_forcing(&self) -> bool {
        self.gives_check || self.passed_push || !self.is_quiet()
    }
}

#[inline]
fn is_backward(us: Color, mv: Move) -> bool {
    match us {
        Color::White => mv.to.rank() < mv.from.rank(),
        Color::Black => mv.to.rank() > mv.from.rank(),
    }
}

#[inline]
fn is_passed_push(pos: &Position, mv: Move) -> bool {
    let us = pos.side_to_move();
    let rank = mv.to.rank().relative_to(us);
    if !matches!(rank, Rank::Sixth | Rank::Seventh) {
        return false;
    }
    let enemy_pawns = pos.board().colored_pieces(!us, Piece::Pawn);
    passed_mask(mv.to, us).is_disjoint(enemy_pawns)
}

/// The squares in front of a pawn of `color` on `square`, on its own and the neighboring files:
/// without enemy pawns there, it is passed.
#[inline]
pub fn passed_mask(square: Square, color: Color) -> BitBoard {
    let files = square.file().adjacent() | square.file().bitboard();
    let from_here = !0 << (8 * square.rank() as u32);
    let ahead = match color {
        Color::White => from_here << 8,
        Color::Black => !from_here,
    };
    files & BitBoard(ahead)
}
