//! What a move takes off the board and puts on it: all that an incremental evaluation needs.

use cozy_chess::{Color, Piece, Square};

/// A piece on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The kind of piece.
    pub piece: Piece,
    /// The side that owns it.
    pub color: Color,
    /// The square that it stands on.
    pub square: Square,
}

/// The pieces that one move removes from and adds to the board.
///
/// A quiet move removes one and adds one, a capture removes two and adds one, castling removes two
/// and adds two; a null move does nothing. A piece that is both removed and added (a king castling
/// onto its own square in Chess960) is listed in both. What there is stands first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// The mover (as it was before a promotion) and the captured piece, or king and rook.
    pub removed: [Option<Placed>; 2],
    /// The mover (as it is after a promotion), or king and rook.
    pub added: [Option<Placed>; 2],
}
