//! How much each piece contributes to the value, for the `eval` command.

use sextant_board::{Board, Color, Piece, Square};

use super::{features::Perspective, network::Network};

impl Network {
    /// For each piece but the kings what it adds to the value in centipawns, from White's point of
    /// view: the value less the value without the piece.
    ///
    /// The shares do not add up to the value: a network judges pieces together.
    #[must_use]
    pub fn shares(&self, board: &Board) -> Vec<(Square, i32)> {
        let us = board.side_to_move();
        let sign = if us == Color::White { 1 } else { -1 };
        let pieces = board.occupied() & !board.pieces(Piece::King);
        let whole = self.value(board);
        let share = |square| (square, sign * (whole - self.value_without(board, square)));
        pieces.into_iter().map(share).collect()
    }

    /// The value with `square` emptied, by the output weights of the whole board.
    fn value_without(&self, board: &Board, square: Square) -> i32 {
        let removed = board.piece_on(square).zip(board.color_on(square));
        let features = |us: Color| {
            let perspective = Perspective::of(&self.architecture, us, board);
            let gone = removed.map(|(piece, owner)| perspective.feature(owner, piece, square));
            perspective
                .features(board)
                .filter(move |&feature| Some(feature) != gone)
        };
        let us = board.side_to_move();
        let bucket = self.architecture.output_bucket(board.occupied().len());
        self.value_of(features(us), features(!us), bucket)
    }
}
