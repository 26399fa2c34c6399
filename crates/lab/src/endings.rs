//! Positions of endings, drawn by lot.

use sextant_board::{MoveSets, Position, Random, parse_fen};

/// Positions of an ending, called as table files are (White's pieces before the "v"), with the
/// pieces scattered by lot: those that are accepted out of so many tries.
pub(crate) fn endings<'a>(
    random: &'a mut Random,
    name: &'a str,
    tries: usize,
    accepted: impl Fn(&Position) -> bool + 'a,
) -> impl Iterator<Item = Position> + 'a {
    let lots = (0..tries).filter_map(move |_| ending(random, name));
    lots.filter(accepted)
}

/// A position with at least one move, no castling and clock 0; `None` if the lot gave no legal one.
fn ending(random: &mut Random, name: &str) -> Option<Position> {
    let (white, black) = name.split_once('v')?;
    let mut squares = [None; 64];
    for piece in white.chars().chain(black.to_lowercase().chars()) {
        let square = random.below(64);
        let on_edge = !(8..56).contains(&square);
        if squares[square].is_some() || on_edge && piece.eq_ignore_ascii_case(&'p') {
            return None;
        }
        squares[square] = Some(piece);
    }
    let side = ["w", "b"][random.below(2)];
    // Square 0 is a8.
    let placement = squares.chunks(8).map(rank).collect::<Vec<_>>().join("/");
    // Unlike a bare board, this refuses positions in which a king can be taken.
    let position = parse_fen(&format!("{placement} {side} - - 0 1")).ok()?;
    (MoveSets::generate(&position).count() > 0).then_some(position)
}

fn rank(squares: &[Option<char>]) -> String {
    let runs = squares.chunk_by(|a, b| a.is_none() && b.is_none());
    let written = |run: &[Option<char>]| match run {
        [Some(piece)] => piece.to_string(),
        empty => empty.len().to_string(),
    };
    runs.map(written).collect()
}

#[cfg(test)]
mod tests {
    use cozy_chess::{Color, Piece};

    use super::*;

    #[test]
    fn scattered_pieces_are_those_of_the_ending() {
        let mut random = Random::new(5);
        let found: Vec<Position> = endings(&mut random, "KRPvKN", 200, |_| true).collect();
        assert!(found.len() > 50);
        for position in found {
            let board = position.board();
            assert_eq!(board.occupied().len(), 5);
            let other = position.make_null().is_some_and(|passed| passed.in_check());
            assert!(!other, "the side that has moved is in check");
            assert_eq!(board.pieces(Piece::Rook).len(), 1);
            assert_eq!(board.colored_pieces(Color::Black, Piece::Knight).len(), 1);
        }
    }
}
