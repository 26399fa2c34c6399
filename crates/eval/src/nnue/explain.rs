//! What a network thinks of each man, for people.

use sextant_board::{Board, Color, Piece, Square};

use super::{features::View, network::Network};

impl Network {
    /// For each man but the kings what he adds to White's view of the board, in centipawns: the
    /// value less the value without him.
    ///
    /// The shares do not add up to the value: a network judges men together.
    #[must_use]
    pub fn shares(&self, board: &Board) -> Vec<(Square, i32)> {
        let us = board.side_to_move();
        let sign = if us == Color::White { 1 } else { -1 };
        let men = board.occupied() & !board.pieces(Piece::King);
        let whole = self.value(board);
        let share = |square| (square, sign * (whole - self.value_without(board, square)));
        men.into_iter().map(share).collect()
    }

    /// The value with `square` emptied, by the output weights of the whole board.
    fn value_without(&self, board: &Board, square: Square) -> i32 {
        let man = board.piece_on(square).zip(board.color_on(square));
        let features = |us: Color| {
            let view = View::of(&self.architecture, us, board);
            let gone = man.map(|(piece, owner)| view.feature(owner, piece, square));
            view.features(board)
                .filter(move |&feature| Some(feature) != gone)
        };
        let us = board.side_to_move();
        let bucket = self.architecture.output_bucket(board.occupied().len());
        self.value_of(features(us), features(!us), bucket)
    }
}
