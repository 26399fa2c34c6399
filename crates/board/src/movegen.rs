//! Staged move generation: sets of moves first, single moves only when they are wanted. And perft:
//! counting the leaves of the legal move tree, the usual proof of a move generator.

use std::hint::black_box;

use arrayvec::ArrayVec;
use cozy_chess::{BitBoard, Board, Move, Piece, PieceMoves, Rank, Square};

use crate::{checks::CheckSquares, moves::plain, position::Position};

/// An upper bound on the legal moves of any position that `cozy-chess` accepts.
///
/// It allows sixteen pieces a side without asking where fifteen queens come from, so the 218 of
/// reachable chess is not the limit. Fifteen queens on the fifteen best squares of an empty board
/// have 4 * 27 + 11 * 25 moves and the king 8; every other piece has fewer moves than a queen.
pub const MAX_MOVES: usize = 4 * 27 + 11 * 25 + 8;

/// Sixteen pieces, and two pawns that may capture en passant have a second set each.
const MAX_SETS: usize = 18;

/// All legal moves of a position as one set of targets for each piece.
///
/// A cut-off by an early capture never pays for unpacking the quiet moves.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct MoveSets {
    sets: ArrayVec<PieceMoves, MAX_SETS>,
}

impl MoveSets {
    /// The legal moves of `pos`.
    #[inline]
    pub fn generate(pos: &Position) -> MoveSets {
        let mut all = MoveSets::default();
        all.fill(pos.board());
        all
    }

    /// Becomes the legal moves on `board`: where it stands, for a copy would cost as much as what
    /// is copied.
    #[inline]
    pub fn fill(&mut self, board: &Board) {
        self.sets.clear();
        board.generate_moves(|moves| {
            self.sets.push(moves);
            false
        });
    }

    /// Is the side to move mated or stalemated?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The number of legal moves, at most [`MAX_MOVES`].
    #[inline]
    pub fn count(&self) -> usize {
        self.sets.iter().map(PieceMoves::len).sum()
    }

    /// Every legal move, a piece at a time.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.sets.iter().flat_map(|&moves| moves)
    }

    /// Calls `f` with every capture (en passant and all capturing promotions included) and every
    /// promotion to a queen. `pos` must be the position that the sets were generated for.
    #[inline]
    pub fn noisy(&self, pos: &Position, mut f: impl FnMut(Piece, Move)) {
        let theirs = pos.board().colors(!pos.side_to_move());
        for &PieceMoves { piece, from, to } in &self.sets {
            if piece == Piece::Pawn {
                noisy_pawn_moves(from, to, theirs, &mut f);
            } else {
                emit(piece, from, to & theirs, &mut f);
            }
        }
    }

    /// The legal moves that [`MoveSets::noisy`] leaves out, a piece at a time: plain moves,
    /// castling, and promotions without capture to less than a queen.
    #[inline]
    pub fn quiet_sets(&self, pos: &Position) -> impl Iterator<Item = QuietSet> + '_ {
        let theirs = pos.board().colors(!pos.side_to_move());
        let quiet = move |&PieceMoves { piece, from, to }: &PieceMoves| {
            let (to, promoting) = if piece == Piece::Pawn {
                let pushes = to & from.file().bitboard();
                (pushes & !PROMOTION_RANKS, pushes & PROMOTION_RANKS)
            } else {
                (to & !theirs, BitBoard::EMPTY)
            };
            QuietSet {
                piece,
                from,
                to,
                promoting,
            }
        };
        self.sets.iter().map(quiet)
    }

    /// Is `mv` one of the [`QuietSet::to`]?
    #[inline]
    pub fn has_quiet(&self, pos: &Position, mv: Move) -> bool {
        let mut sets = self.quiet_sets(pos);
        mv.promotion.is_none() && sets.any(|set| set.from == mv.from && set.to.has(mv.to))
    }

    /// Calls `f` with every quiet move that gives check, in the order of [`MoveSets::quiet_sets`].
    /// Only what can give check is looked at: a move to a checking square, of a piece that may
    /// discover one, of the king (castling), or a promotion.
    #[inline]
    pub fn quiet_checks(&self, pos: &Position, checks: &CheckSquares, mut f: impl FnMut(Move)) {
        for set in self.quiet_sets(pos) {
            let QuietSet { piece, from, .. } = set;
            let mut to = set.to;
            if piece != Piece::King && !checks.discoverers().has(from) {
                to &= checks.direct(piece);
            }
            for mv in (QuietSet { to, ..set }).moves() {
                if checks.gives_check_with(piece, pos, mv) {
                    f(mv);
                }
            }
        }
    }
}

/// Has the side to move exactly one legal move? Generates no more than the question needs.
#[inline]
pub fn has_only_move(pos: &Position) -> bool {
    let mut count = 0;
    pos.board().generate_moves(|moves| {
        count += moves.len();
        count > 1
    });
    count == 1
}

/// The quiet moves of one piece.
#[derive(Clone, Copy, Debug)]
pub struct QuietSet {
    /// The kind of piece that moves.
    pub piece: Piece,
    /// The square that it leaves.
    pub from: Square,
    /// Where it may go without promotion.
    pub to: BitBoard,
    /// Where it may go as a pawn that becomes one of [`QuietSet::LESSER`].
    pub promoting: BitBoard,
}

impl QuietSet {
    /// What a pawn becomes that does not become a queen.
    pub const LESSER: [Piece; 3] = [Piece::Knight, Piece::Bishop, Piece::Rook];

    /// The moves of the set: plain ones first, then underpromotions.
    #[inline]
    pub fn moves(self) -> impl Iterator<Item = Move> {
        let plain = self.to.into_iter().map(move |to| plain(self.from, to));
        plain.chain(self.underpromotions())
    }

    /// The underpromotions of the set.
    #[inline]
    pub fn underpromotions(self) -> impl Iterator<Item = Move> {
        self.promoting
            .into_iter()
            .flat_map(move |to| QuietSet::LESSER.map(|piece| promoting(self.from, to, piece)))
    }
}

/// The number of legal lines of `depth` plies from `pos`, made as the search makes them: with keys
/// and deltas. The last ply is counted, not made.
///
/// ```
/// use sextant_board::{Position, perft};
/// assert_eq!(perft(&Position::startpos(), 3), 8_902);
/// ```
pub fn perft(pos: &Position, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        pos.board().generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    }
    for set in MoveSets::generate(pos).sets {
        for mv in set {
            let mut after = pos.clone();
            // A tree walk has no use for the delta, but what is measured must make it.
            black_box(after.play(mv));
            nodes += perft(&after, depth - 1);
        }
    }
    nodes
}

const PROMOTION_RANKS: BitBoard = BitBoard(Rank::First.bitboard().0 | Rank::Eighth.bitboard().0);

#[inline]
fn promoting(from: Square, to: Square, piece: Piece) -> Move {
    let promotion = Some(piece);
    Move {
        from,
        to,
        promotion,
    }
}

/// Calls `f` with the moves of one piece.
#[inline]
pub(crate) fn emit(piece: Piece, from: Square, targets: BitBoard, f: &mut impl FnMut(Piece, Move)) {
    for to in targets {
        f(piece, plain(from, to));
    }
}

/// Calls `f` with the moves of one pawn that are noisy.
#[inline]
pub(crate) fn noisy_pawn_moves(
    from: Square,
    targets: BitBoard,
    theirs: BitBoard,
    f: &mut impl FnMut(Piece, Move),
) {
    // Off its file a pawn captures, en passant too.
    let captures = targets & !from.file().bitboard();
    emit(Piece::Pawn, from, captures & !PROMOTION_RANKS, f);
    for to in targets & PROMOTION_RANKS {
        f(Piece::Pawn, promoting(from, to, Piece::Queen));
        if theirs.has(to) {
            for promotion in QuietSet::LESSER {
                f(Piece::Pawn, promoting(from, to, promotion));
            }
        }
    }
}
