//! What the material says: the phase of the game, and whether anybody can win.

use cozy_chess::{BitBoard, Board, Piece};

/// The game phase by the material still on the board: 0 (opening) to 7 (bare endings).
///
/// Knights and bishops of both sides count 3 points, rooks 5, queens 9; a full set is 62. Each
/// phase is a band of eight points:
///
/// | phase | points | such as |
/// | --- | --- | --- |
/// | 0 | 56 and more | all pieces, up to a pair of minor pieces exchanged |
/// | 1 | 48 to 55 | two pairs of minor pieces exchanged |
/// | 2 | 40 to 47 | queens exchanged |
/// | 3 | 32 to 39 | queens and a pair of minor pieces exchanged |
/// | 4 | 24 to 31 | two rooks and a minor piece each |
/// | 5 | 16 to 23 | a rook and a minor piece each; queen each |
/// | 6 | 8 to 15 | rook each |
/// | 7 | 0 to 7 | pawn endings, a rook or two minor pieces in all |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub struct Phase(u8);

impl Phase {
    /// How many phases there are.
    pub const COUNT: usize = 8;

    /// The phase on `board`.
    #[inline]
    pub fn of(board: &Board) -> Phase {
        let minors = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
        let points = 3 * minors.len()
            + 5 * board.pieces(Piece::Rook).len()
            + 9 * board.pieces(Piece::Queen).len();
        Phase(7 - (points / 8).min(7) as u8)
    }

    /// For indexing tables by phase: 0 to 7.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Can neither side mate, whatever both play? True for bare kings, for a single knight, and for
/// any bishops that all stand on squares of one color. (Blocked positions can be dead too; those
/// are not looked for.)
#[inline]
pub fn is_insufficient_material(board: &Board) -> bool {
    let majors_and_pawns =
        board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !majors_and_pawns.is_empty() {
        return false;
    }
    let knights = board.pieces(Piece::Knight);
    let bishops = board.pieces(Piece::Bishop);
    if knights.is_empty() {
        bishops.is_subset(BitBoard::LIGHT_SQUARES) || bishops.is_subset(BitBoard::DARK_SQUARES)
    } else {
        bishops.is_empty() && knights.len() == 1
    }
}
