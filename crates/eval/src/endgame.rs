//! What the sum of terms gets wrong when few pieces are left: draws, hopeless extra material, and
//! the way to drive a bare king to mate.

use sextant_board::{BitBoard, Board, Color, File, Piece, Rank, Square};

use crate::bits;

/// Full scale: the endgame half counts as it is.
pub(crate) const SCALE_ONE: i32 = 64;

/// Neither side can force mate whatever the other does: at most one minor piece each, or two
/// knights against a bare king. (A mate that needs help, as in KBKN, is not counted.)
#[inline]
pub(crate) fn is_dead_draw(board: &Board) -> bool {
    // Two kings and two more pieces at most.
    board.occupied().len() <= 4 && few_pieces_draw(board)
}

fn few_pieces_draw(board: &Board) -> bool {
    let knights = board.pieces(Piece::Knight);
    let minors = knights | board.pieces(Piece::Bishop);
    let others = board.occupied() & !minors & !board.pieces(Piece::King);
    let one_each = Color::ALL
        .into_iter()
        .all(|us| (minors & board.colors(us)).len() <= 1);
    others.is_empty() && (one_each || minors == knights)
}

/// What piece kinds count for when material is compared here, in pawns.
fn piece_units(board: &Board, us: Color) -> i32 {
    let count = |piece| board.colored_pieces(us, piece).len() as i32;
    3 * (count(Piece::Knight) + count(Piece::Bishop))
        + 5 * count(Piece::Rook)
        + 9 * count(Piece::Queen)
}

/// How much of the endgame half counts, in 64ths, when `strong` is the side that it favors.
#[inline]
pub(crate) fn scale(board: &Board, strong: Color) -> i32 {
    let pawns = board.colored_pieces(strong, Piece::Pawn);
    let units = piece_units(board, strong);
    let lead = units - piece_units(board, !strong);
    if pawns.is_empty() && lead <= 3 {
        return match units {
            // A lone minor piece wins nothing, whatever pawns it eats.
            0..=3 => 0,
            // Rook against minor piece, two minor pieces against one.
            4..=6 if lead > 0 => 6,
            _ => 16,
        };
    }
    if wrong_corner(board, strong, pawns) {
        return 0;
    }
    if opposite_bishops(board) {
        // Without other pieces the defender only has to hold one color.
        return if units == 3 && lead == 0 { 26 } else { 46 };
    }
    if lead > 3 {
        SCALE_ONE
    } else {
        // The fewer pawns, the nearer a draw by exchanging them.
        SCALE_ONE.min(38 + 7 * pawns.len() as i32)
    }
}

#[inline]
fn opposite_bishops(board: &Board) -> bool {
    let bishops = board.pieces(Piece::Bishop);
    bishops.len() == 2
        && (bishops & board.colors(Color::White)).len() == 1
        && (bishops & bits::DARK).len() == 1
}

/// Only pawns on one rook's file, at most bishops that do not reach the promotion square, and the
/// defending king sits there.
#[inline]
fn wrong_corner(board: &Board, strong: Color, pawns: BitBoard) -> bool {
    let file = match pawns.next_square() {
        Some(square) if pawns.is_subset(File::A.bitboard()) => square.file(),
        Some(square) if pawns.is_subset(File::H.bitboard()) => square.file(),
        _ => return false,
    };
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let corner_color = if bits::DARK.has(corner) {
        bits::DARK
    } else {
        !bits::DARK
    };
    let useful = board.colors(strong)
        & !pawns
        & !board.pieces(Piece::King)
        & (corner_color | !board.pieces(Piece::Bishop));
    useful.is_empty() && bits::distance(board.king(!strong), corner) <= 1
}

/// The side that has a bare king to mate and pieces enough to do it, pawns or not.
#[inline]
pub(crate) fn mating_side(board: &Board) -> Option<Color> {
    Color::ALL
        .into_iter()
        .find(|&us| board.colors(!us).len() == 1)
        .filter(|&us| can_mate(board, us))
}

fn can_mate(board: &Board, us: Color) -> bool {
    let bishops = board.colored_pieces(us, Piece::Bishop);
    let knights = board.colored_pieces(us, Piece::Knight);
    let heavy = board.pieces(Piece::Queen) | board.pieces(Piece::Rook);
    let both_colors = !(bishops & bits::DARK).is_empty() && !(bishops & !bits::DARK).is_empty();
    !heavy.is_empty()
        || both_colors
        || (!bishops.is_empty() && !knights.is_empty())
        || knights.len() > 2
}

/// Value of a won position against a bare king: grows as the king is driven to the edge (to a
/// corner that the bishop reaches, with bishop and knight) and the kings come together. Pawns count
/// enough that none is given up to come closer to mate.
pub(crate) fn mop_up(board: &Board, us: Color) -> i32 {
    const KNOWN_WIN: i32 = 300;
    // Above what the fitted table gives the same pieces, so that taking the last pawn always pays.
    const PER_UNIT: i32 = 170;
    let king = board.king(!us);
    let close = 7 - bits::distance(board.king(us), king) as i32;
    let bishops = board.colored_pieces(us, Piece::Bishop);
    let knights = board.colored_pieces(us, Piece::Knight);
    let drive = if board.colors(us).len() == 3 && bishops.len() == 1 && knights.len() == 1 {
        6 * from_center(king) + 25 * towards_corner(king, bishops)
    } else {
        20 * from_center(king)
    };
    let pawns: i32 = board
        .colored_pieces(us, Piece::Pawn)
        .into_iter()
        .map(|pawn| 200 + 20 * bits::rank_of(us, pawn) as i32)
        .sum();
    KNOWN_WIN + PER_UNIT * piece_units(board, us) + pawns + drive + 10 * close
}

/// 0 on the four central squares, 6 in a corner.
fn from_center(square: Square) -> i32 {
    let outward = |i: usize| (3 - i as i32).max(i as i32 - 4);
    outward(square.file() as usize) + outward(square.rank() as usize)
}

/// 7 in a corner of the bishop's color, 0 on the long diagonal between the other two.
fn towards_corner(king: Square, bishops: BitBoard) -> i32 {
    let king = if bishops.is_disjoint(bits::DARK) {
        king.flip_file()
    } else {
        king
    };
    (7 - king.file() as i32 - king.rank() as i32).abs()
}
