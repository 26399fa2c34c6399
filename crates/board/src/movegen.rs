//! Staged move generation: sets of moves first, single moves only when they are wanted.

use arrayvec::ArrayVec;
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, PieceMoves, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks, get_pawn_quiets,
    get_rook_moves,
};

use crate::{checks::CheckSquares, position::Position};

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
pub struct MoveSets {
    sets: ArrayVec<PieceMoves, MAX_SETS>,
}

impl MoveSets {
    /// The legal moves of `pos`.
    #[inline]
    #[must_use]
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
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The number of legal moves, at most [`MAX_MOVES`].
    #[inline]
    #[must_use]
    pub fn count(&self) -> usize {
        self.sets.iter().map(PieceMoves::len).sum()
    }

    /// One set of targets for each piece that can move.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[PieceMoves] {
        &self.sets
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
        self.sets
            .iter()
            .map(move |&PieceMoves { piece, from, to }| {
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
            })
    }

    /// Is `mv` one of the [`QuietSet::to`]?
    #[inline]
    #[must_use]
    pub fn has_quiet(&self, pos: &Position, mv: Move) -> bool {
        mv.promotion.is_none()
            && self
                .quiet_sets(pos)
                .any(|set| set.from == mv.from && set.to.has(mv.to))
    }

    /// Calls `f` with every quiet move that gives check, in the order of [`MoveSets::quiet_sets`].
    /// Only what can give check is looked at: a move to a checking square, of a piece that may
    /// discover one, of the king (castling), or a promotion.
    #[inline]
    pub fn quiet_checks(&self, pos: &Position, checks: &CheckSquares, mut f: impl FnMut(Move)) {
        for set in self.quiet_sets(pos) {
            let QuietSet { piece, from, .. } = set;
            let anywhere = piece == Piece::King || checks.discoverers().has(from);
            let targets = if anywhere {
                set.to
            } else {
                set.to & checks.direct(piece)
            };
            for mv in (QuietSet { to: targets, ..set }).moves() {
                if checks.gives_check(pos, mv) {
                    f(mv);
                }
            }
        }
    }
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

/// The number of legal moves, without keeping any.
#[inline]
pub(crate) fn count_legal(board: &Board) -> usize {
    let mut count = 0;
    board.generate_moves(|moves| {
        count += moves.len();
        false
    });
    count
}

/// Calls `f` with the moves of [`MoveSets::noisy`] without generating the others.
#[inline]
pub fn generate_noisy(pos: &Position, mut f: impl FnMut(Piece, Move)) {
    if pos.in_check() {
        // Few moves are legal, and the pins and blocks are already worked out there.
        MoveSets::generate(pos).noisy(pos, f);
        return;
    }
    let board = pos.board();
    let us = pos.side_to_move();
    let ours = board.colors(us);
    let theirs = board.colors(!us);
    let occupied = ours | theirs;
    let king = board.king(us);
    let pinned = board.pinned();
    let along_pin = |from: Square| {
        if pinned.has(from) {
            get_line_rays(king, from)
        } else {
            BitBoard::FULL
        }
    };
    pawn_captures(pos, &mut f, along_pin);
    // A pinned knight never stays on its line.
    for from in ours & board.pieces(Piece::Knight) & !pinned {
        emit(Piece::Knight, from, get_knight_moves(from) & theirs, &mut f);
    }
    for from in ours & board.pieces(Piece::Bishop) {
        let to = get_bishop_moves(from, occupied) & theirs & along_pin(from);
        emit(Piece::Bishop, from, to, &mut f);
    }
    for from in ours & board.pieces(Piece::Rook) {
        let to = get_rook_moves(from, occupied) & theirs & along_pin(from);
        emit(Piece::Rook, from, to, &mut f);
    }
    for from in ours & board.pieces(Piece::Queen) {
        let to = get_bishop_moves(from, occupied) | get_rook_moves(from, occupied);
        emit(Piece::Queen, from, to & theirs & along_pin(from), &mut f);
    }
    for to in get_king_moves(king) & theirs {
        let mv = plain(king, to);
        if board.is_legal(mv) {
            f(Piece::King, mv);
        }
    }
}

fn pawn_captures(
    pos: &Position,
    f: &mut impl FnMut(Piece, Move),
    along_pin: impl Fn(Square) -> BitBoard,
) {
    let board = pos.board();
    let us = pos.side_to_move();
    let theirs = board.colors(!us);
    let about_to_promote = Rank::Seventh.relative_to(us).bitboard();
    let pawns = board.colored_pieces(us, Piece::Pawn);
    // All that are free to move at once; the few others one by one.
    let special = pawns & (board.pinned() | about_to_promote);
    for east in [false, true] {
        for to in captures_to_one_side(us, pawns & !special, east) & theirs {
            let from = Square::index(capture_origin(us, to, east));
            f(Piece::Pawn, plain(from, to));
        }
    }
    for from in special {
        let mut to = get_pawn_attacks(from, us) & theirs;
        if about_to_promote.has(from) {
            to |= get_pawn_quiets(from, us, board.occupied());
        }
        noisy_pawn_moves(from, to & along_pin(from), theirs, f);
    }
    if let Some(file) = board.en_passant() {
        let to = Square::new(file, Rank::Sixth.relative_to(us));
        for from in get_pawn_attacks(to, !us) & board.colored_pieces(us, Piece::Pawn) {
            let mv = plain(from, to);
            if board.is_legal(mv) {
                f(Piece::Pawn, mv);
            }
        }
    }
}

/// The squares that pawns attack towards the h-file, or towards the a-file.
#[inline]
fn captures_to_one_side(us: Color, pawns: BitBoard, east: bool) -> BitBoard {
    let file = if east { File::H } else { File::A };
    let pawns = (pawns & !file.bitboard()).0;
    BitBoard(match (us, east) {
        (Color::White, false) => pawns << 7,
        (Color::White, true) => pawns << 9,
        (Color::Black, false) => pawns >> 9,
        (Color::Black, true) => pawns >> 7,
    })
}

/// Where the pawn stood that captured on `to` in that direction.
#[inline]
fn capture_origin(us: Color, to: Square, east: bool) -> usize {
    let to = to as usize;
    match (us, east) {
        (Color::White, false) => to - 7,
        (Color::White, true) => to - 9,
        (Color::Black, false) => to + 9,
        (Color::Black, true) => to + 7,
    }
}

const PROMOTION_RANKS: BitBoard = BitBoard(Rank::First.bitboard().0 | Rank::Eighth.bitboard().0);

#[inline]
fn plain(from: Square, to: Square) -> Move {
    Move {
        from,
        to,
        promotion: None,
    }
}

#[inline]
fn promoting(from: Square, to: Square, piece: Piece) -> Move {
    Move {
        from,
        to,
        promotion: Some(piece),
    }
}

#[inline]
fn emit(piece: Piece, from: Square, targets: BitBoard, f: &mut impl FnMut(Piece, Move)) {
    for to in targets {
        f(piece, plain(from, to));
    }
}

#[inline]
fn noisy_pawn_moves(
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
