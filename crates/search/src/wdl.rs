//! From a score to the chances of a win, a draw and a loss.

use sextant_board::{Piece, Position, Score};

/// Chances of a win, a draw and a loss for the side to move, per mille; their sum is 1000 and the
/// loss of a score is the win of its negative.
///
/// A logistic curve whose middle moves outward as men leave the board.
#[must_use]
pub fn wdl(score: Score, position: &Position) -> [u16; 3] {
    if score.is_win() {
        return [1000, 0, 0];
    }
    if score.is_loss() {
        return [0, 0, 1000];
    }
    let board = position.board();
    let men = |piece: Piece| board.pieces(piece).len();
    let material = men(Piece::Pawn)
        + 3 * (men(Piece::Knight) + men(Piece::Bishop))
        + 5 * men(Piece::Rook)
        + 9 * men(Piece::Queen);
    // Fewer men: an advantage of the same size wins less often.
    let middle = 230.0 - f64::from(material.min(78));
    let spread = 75.0;
    let chance = |cp: f64| 1.0 / (1.0 + ((middle - cp) / spread).exp());
    let cp = f64::from(score.raw());
    let win = (1000.0 * chance(cp)).round() as u16;
    let loss = (1000.0 * chance(-cp)).round() as u16;
    [win, 1000 - win - loss, loss]
}
