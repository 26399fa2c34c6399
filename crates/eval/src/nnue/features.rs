//! From pieces on squares to the inputs of the network: the one place that numbers them, for
//! training, for refreshing an accumulator and for updating it.

use sextant_board::{BitBoard, Board, Color, Piece, Placed, Square};

use super::architecture::{Architecture, FEATURES};

pub(super) const FLIP_RANKS: usize = 56;
pub(super) const MIRROR_FILES: usize = 7;

/// The exclusive-or mask that brings a king to files a to d.
#[inline]
pub(super) fn mirror(king: Square) -> usize {
    if king as usize & 4 == 0 {
        0
    } else {
        MIRROR_FILES
    }
}

/// The board as one side sees it while its king is where it is.
///
/// The board is turned so that the side moves up and its king stands on files a to d. A piece has
/// the number `768 * king bucket + (own ? 0 : 384) + 64 * kind + square`, with kinds in the order
/// pawn, knight, bishop, rook, queen, king and squares in the order a1, b1, ... h8.
///
/// ```
/// use sextant_board::{Color, Piece, Square};
/// use sextant_eval::nnue::{Architecture, Perspective};
/// let plain = Architecture::plain(32)?;
/// let white = Perspective::new(&plain, Color::White, Square::D1);
/// let mirrored = Perspective::new(&plain, Color::White, Square::E1);
/// let black = Perspective::new(&plain, Color::Black, Square::D8);
/// assert_eq!(white.feature(Color::White, Piece::Knight, Square::B1), 64 + 1);
/// assert_eq!(mirrored.feature(Color::White, Piece::Knight, Square::B1), 64 + 6);
/// assert_eq!(black.feature(Color::White, Piece::Knight, Square::B1), 384 + 64 + 57);
/// # Ok::<(), sextant_eval::nnue::NetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Perspective {
    /// First input of the king bucket.
    base: u16,
    /// Exclusive-or mask that turns the squares.
    turn: u8,
    us: Color,
}

impl Perspective {
    /// The perspective of side `us`, whose king stands on `king`.
    #[inline]
    pub fn new(architecture: &Architecture, us: Color, king: Square) -> Perspective {
        let ranks = if us == Color::White { 0 } else { FLIP_RANKS };
        let turn = ranks | mirror(king);
        let king = king as usize ^ turn;
        let bucket = architecture.king_buckets()[king / 8 * 4 + king % 8];
        Perspective {
            base: u16::from(bucket) * FEATURES as u16,
            turn: turn as u8,
            us,
        }
    }

    /// The perspective of side `us` on a board.
    #[inline]
    pub fn of(architecture: &Architecture, us: Color, board: &Board) -> Perspective {
        Perspective::new(architecture, us, board.king(us))
    }

    /// The number of a piece of `owner` on `square`.
    #[inline]
    pub fn feature(self, owner: Color, piece: Piece, square: Square) -> usize {
        self.first(owner, piece) + (square as usize ^ usize::from(self.turn))
    }

    /// The number of a piece that a move put down or took away.
    #[inline]
    pub fn of_piece(self, placed: Placed) -> usize {
        self.feature(placed.color, placed.piece, placed.square)
    }

    /// The numbers of equal pieces on `squares`.
    #[inline]
    pub(super) fn of_pieces(
        self,
        owner: Color,
        piece: Piece,
        squares: BitBoard,
    ) -> impl Iterator<Item = usize> {
        let first = self.first(owner, piece);
        squares
            .into_iter()
            .map(move |square| first + (square as usize ^ usize::from(self.turn)))
    }

    /// The numbers of all pieces on a board.
    pub fn features(self, board: &Board) -> impl Iterator<Item = usize> {
        Color::ALL.into_iter().flat_map(move |owner| {
            Piece::ALL.into_iter().flat_map(move |piece| {
                self.of_pieces(owner, piece, board.colored_pieces(owner, piece))
            })
        })
    }

    /// Index of the king bucket and wing, below twice the king buckets: equal for perspectives that
    /// number the pieces alike.
    #[inline]
    pub(super) fn index(self) -> usize {
        2 * (usize::from(self.base) / FEATURES)
            + usize::from(usize::from(self.turn) & MIRROR_FILES != 0)
    }

    #[inline]
    fn first(self, owner: Color, piece: Piece) -> usize {
        let side = if owner == self.us { 0 } else { FEATURES / 2 };
        usize::from(self.base) + side + 64 * piece as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(architecture: &Architecture, us: Color, fen: &str) -> Vec<usize> {
        let board: Board = fen.parse().expect("a valid FEN");
        let perspective = Perspective::of(architecture, us, &board);
        let mut features: Vec<usize> = perspective.features(&board).collect();
        features.sort_unstable();
        features
    }

    #[test]
    fn both_sides_and_both_wings_see_the_same() {
        let architecture =
            Architecture::new(32, std::array::from_fn(|i| (i / 8) as u8), 1).unwrap();
        let fens = [
            "4k3/1p3r2/8/8/2N5/8/1PP5/2K5 w - - 0 1",
            "3k4/2r3p1/8/8/5N2/8/5PP1/5K2 w - - 0 1",
        ];
        let swapped = [
            "2k5/1pp5/8/2n5/8/8/1P3R2/4K3 b - - 0 1",
            "5k2/5pp1/8/5n2/8/8/2R3P1/3K4 b - - 0 1",
        ];
        let expected = features(&architecture, Color::White, fens[0]);
        assert_eq!(expected.len(), 7);
        assert_eq!(features(&architecture, Color::White, fens[1]), expected);
        assert_eq!(features(&architecture, Color::Black, swapped[0]), expected);
        assert_eq!(features(&architecture, Color::Black, swapped[1]), expected);
    }

    #[test]
    fn pieces_of_a_bucket_have_numbers_of_their_own() {
        let buckets = std::array::from_fn(|i| u8::from(i >= 8));
        let architecture = Architecture::new(32, buckets, 1).unwrap();
        let mut seen = std::collections::HashSet::new();
        for king in [Square::A1, Square::A8] {
            let perspective = Perspective::new(&architecture, Color::White, king);
            for owner in Color::ALL {
                for piece in Piece::ALL {
                    seen.extend(perspective.of_pieces(owner, piece, BitBoard::FULL));
                }
            }
        }
        assert_eq!(seen.len(), 2 * FEATURES);
        assert!(seen.into_iter().max() == Some(2 * FEATURES - 1));
    }
}
