//! Sets of squares, as seen from one side.

use sextant_board::{BitBoard, Color, File, Rank, Square};

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
/// a1 and every square of its color.
pub(crate) const DARK: BitBoard = BitBoard(0xAA55_AA55_AA55_AA55);

/// One step towards the opponent.
#[inline]
pub(crate) const fn forward(us: Color, set: BitBoard) -> BitBoard {
    match us {
        Color::White => BitBoard(set.0 << 8),
        Color::Black => BitBoard(set.0 >> 8),
    }
}

/// The squares to the left and to the right.
#[inline]
pub(crate) const fn beside(set: BitBoard) -> BitBoard {
    BitBoard((set.0 << 1 & NOT_A) | (set.0 >> 1 & NOT_H))
}

/// The squares that pawns attack.
#[inline]
pub(crate) const fn pawn_attacks(us: Color, pawns: BitBoard) -> BitBoard {
    beside(forward(us, pawns))
}

/// The squares that two pawns attack.
#[inline]
pub(crate) const fn double_pawn_attacks(us: Color, pawns: BitBoard) -> BitBoard {
    let ahead = forward(us, pawns).0;
    BitBoard((ahead << 1 & NOT_A) & (ahead >> 1 & NOT_H))
}

/// All squares strictly in front, on the same files.
#[inline]
pub(crate) const fn ahead(us: Color, set: BitBoard) -> BitBoard {
    let mut fill = forward(us, set).0;
    match us {
        Color::White => {
            fill |= fill << 8;
            fill |= fill << 16;
            fill |= fill << 32;
        }
        Color::Black => {
            fill |= fill >> 8;
            fill |= fill >> 16;
            fill |= fill >> 32;
        }
    }
    BitBoard(fill)
}

/// Rank of `square` as its side counts them, 0 the first.
#[inline]
pub(crate) const fn rank_of(us: Color, square: Square) -> usize {
    square.relative_to(us).rank() as usize
}

/// The squares on the ranks that `us` calls `first` to `last`.
pub(crate) const fn ranks(us: Color, first: Rank, last: Rank) -> BitBoard {
    let mut set = 0;
    let mut rank = first as usize;
    while rank <= last as usize {
        set |= Rank::index_const(rank).relative_to(us).bitboard().0;
        rank += 1;
    }
    BitBoard(set)
}

/// King moves from one square to the other.
#[inline]
pub(crate) const fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as usize).abs_diff(b.file() as usize);
    let ranks = (a.rank() as usize).abs_diff(b.rank() as usize);
    if files > ranks { files } else { ranks }
}

/// The file and its neighbors, moved inwards at the edge: always three.
#[inline]
pub(crate) const fn three_files(file: File) -> BitBoard {
    let center = match file {
        File::A => File::B,
        File::H => File::G,
        inner => inner,
    };
    BitBoard(center.bitboard().0 | beside(center.bitboard()).0)
}

/// Rank, as `us` counts, of the pawn of one file that is nearest to the first rank of `us`.
#[inline]
pub(crate) fn nearest(us: Color, column: BitBoard) -> Option<usize> {
    let (low, high) = (column.0.trailing_zeros(), column.0.leading_zeros());
    match us {
        _ if column.is_empty() => None,
        Color::White => Some(low as usize / 8),
        Color::Black => Some(high as usize / 8),
    }
}
