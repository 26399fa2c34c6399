//! Attack sets that several modules need, and what the opponent attacks.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Square, get_between_rays, get_bishop_moves,
    get_bishop_rays, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
    get_rook_rays,
};

use crate::position::Position;

/// Bishops and queens of both sides.
#[inline]
pub(crate) fn diagonal_sliders(board: &Board) -> BitBoard {
    board.pieces(Piece::Bishop) | board.pieces(Piece::Queen)
}

/// Rooks and queens of both sides.
#[inline]
pub(crate) fn straight_sliders(board: &Board) -> BitBoard {
    board.pieces(Piece::Rook) | board.pieces(Piece::Queen)
}

/// What a piece of `color` on `square` attacks when `occupied` blocks the lines. Compiled for each
/// kind of piece where that is known.
#[inline(always)]
pub fn attacks_of(piece: Piece, color: Color, square: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(square, color),
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::King => get_king_moves(square),
    }
}

/// The squares that pawns of `us` attack towards the h-file, or towards the a-file.
#[inline]
pub(crate) fn pawn_attacks_to_one_side(us: Color, pawns: BitBoard, east: bool) -> BitBoard {
    let file = if east { File::H } else { File::A };
    let pawns = (pawns & !file.bitboard()).0;
    BitBoard(match (us, east) {
        (Color::White, false) => pawns << 7,
        (Color::White, true) => pawns << 9,
        (Color::Black, false) => pawns >> 9,
        (Color::Black, true) => pawns >> 7,
    })
}

/// All pieces of both sides that attack `square` when `occupied` blocks the lines. Pieces that are
/// not in `occupied` may be among them: the caller masks.
#[inline]
pub(crate) fn attackers_to(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let pawns = board.pieces(Piece::Pawn);
    let white = get_pawn_attacks(square, Color::Black) & board.colors(Color::White);
    let black = get_pawn_attacks(square, Color::White) & board.colors(Color::Black);
    ((white | black) & pawns)
        | (get_knight_moves(square) & board.pieces(Piece::Knight))
        | (get_king_moves(square) & board.pieces(Piece::King))
        | (get_bishop_moves(square, occupied) & diagonal_sliders(board))
        | (get_rook_moves(square, occupied) & straight_sliders(board))
}

/// The sliders of `color` that would attack `square` on an empty board: they pin, discover and
/// x-ray.
#[inline]
pub(crate) fn snipers(board: &Board, color: Color, square: Square) -> BitBoard {
    board.colors(color)
        & ((get_bishop_rays(square) & diagonal_sliders(board))
            | (get_rook_rays(square) & straight_sliders(board)))
}

/// Does one of `snipers` see `square` when `occupied` blocks the lines?
#[inline]
pub(crate) fn sees(snipers: BitBoard, square: Square, occupied: BitBoard) -> bool {
    snipers
        .into_iter()
        .any(|sniper| get_between_rays(sniper, square).is_disjoint(occupied))
}

/// Squares that the opponent of the side to move attacks, cumulated by the attacker's worth.
///
/// Pieces block lines, kings too; a piece that is pinned attacks all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Threats {
    /// Squares attacked by pawns.
    pub pawn: BitBoard,
    /// Attacked by pawns, knights or bishops.
    pub minor: BitBoard,
    /// Attacked by pawns, knights, bishops or rooks.
    pub rook: BitBoard,
    /// Squares attacked by anything, kings included.
    pub all: BitBoard,
}

impl Threats {
    /// The threats against the side to move.
    #[inline]
    pub fn against(pos: &Position) -> Threats {
        let board = pos.board();
        let them = !pos.side_to_move();
        let pawns = board.colored_pieces(them, Piece::Pawn);
        let pawn = pawn_attacks_to_one_side(them, pawns, false)
            | pawn_attacks_to_one_side(them, pawns, true);
        let minor = pawn
            | all_attacks(board, them, Piece::Knight)
            | all_attacks(board, them, Piece::Bishop);
        let rook = minor | all_attacks(board, them, Piece::Rook);
        let king = get_king_moves(board.king(them));
        Threats {
            pawn,
            minor,
            rook,
            all: rook | king | all_attacks(board, them, Piece::Queen),
        }
    }
}

/// What all pieces of a kind attack.
#[inline(always)]
fn all_attacks(board: &Board, color: Color, piece: Piece) -> BitBoard {
    let mut attacks = BitBoard::EMPTY;
    for square in board.colored_pieces(color, piece) {
        attacks |= attacks_of(piece, color, square, board.occupied());
    }
    attacks
}
