//! Endings with the men scattered by lot.

use sextant_board::{MoveSets, Position, parse_fen};
use sextant_syzygy::Tablebase;

use crate::game::Dice;

/// Endings that the tables may know.
const TABLED: [&str; 14] = [
    "KPvK", "KQvKR", "KQvKQ", "KRvKR", "KPvKP", "KRvKB", "KRvKN", "KRvKP", "KQvKP", "KBNvK",
    "KBPvK", "KNPvK", "KBvKP", "KPPvK",
];

/// Endings one man away from those.
const ONE_MORE: [&str; 5] = ["KQPvKQ", "KRPvKR", "KPPvKP", "KRBvKR", "KQRvKQ"];

/// Scatterings that are tried for each position.
const PATIENCE: usize = 200;

/// Positions of one ending.
#[derive(Clone, Debug)]
pub struct Ending {
    /// As table files are called.
    pub name: String,
    /// Legal positions with at least one move, no castling, clock 0.
    pub positions: Vec<Position>,
}

/// At most `count` positions of each ending that the tables know.
#[must_use]
pub fn tabled(tables: &Tablebase, count: usize, seed: u64) -> Vec<Ending> {
    // Every move must be known too, or nobody could say whether it keeps the result.
    let known = |position: &Position| {
        let board = position.board();
        tables.wdl(board).is_some() && tables.probe_root(board, false, true).is_ok()
    };
    scatter(&TABLED, count, seed, &known)
}

/// At most `count` positions of each ending from which some capture leads into the tables.
#[must_use]
pub fn one_man_more(tables: &Tablebase, count: usize, seed: u64) -> Vec<Ending> {
    let near = |position: &Position| {
        let known = |mv| tables.wdl(position.make(mv).0.board()).is_some();
        tables.wdl(position.board()).is_none()
            && MoveSets::generate(position)
                .iter()
                .any(|mv| position.is_capture(mv) && known(mv))
    };
    scatter(&ONE_MORE, count, seed, &near)
}

fn scatter(
    names: &[&str],
    count: usize,
    seed: u64,
    accepted: &dyn Fn(&Position) -> bool,
) -> Vec<Ending> {
    let mut dice = Dice::new(seed);
    let mut endings = Vec::new();
    for &name in names {
        let draw = |_| {
            (0..PATIENCE)
                .filter_map(|_| random(name, &mut dice))
                .find(accepted)
        };
        let positions: Vec<Position> = (0..count).map_while(draw).collect();
        if !positions.is_empty() {
            endings.push(Ending {
                name: name.to_owned(),
                positions,
            });
        }
    }
    endings
}

/// A position of the ending `name` (White's men before the "v"), if the lot gave a legal one.
#[must_use]
pub fn random(name: &str, dice: &mut Dice) -> Option<Position> {
    let (white, black) = name.split_once('v')?;
    let mut squares = [None; 64];
    let men = white
        .chars()
        .chain(black.chars().map(|man| man.to_ascii_lowercase()));
    for man in men {
        let square = dice.below(64);
        let on_edge = !(8..56).contains(&square);
        if squares[square].is_some() || on_edge && man.eq_ignore_ascii_case(&'p') {
            return None;
        }
        squares[square] = Some(man);
    }
    let side = ["w", "b"][dice.below(2)];
    let fen = format!("{} {side} - - 0 1", placement(&squares));
    // Unlike a bare board, this refuses positions in which a king can be taken.
    let position = parse_fen(&fen).ok()?;
    (MoveSets::generate(&position).count() > 0).then_some(position)
}

/// The first field of a FEN; square 0 is a8.
fn placement(squares: &[Option<char>; 64]) -> String {
    squares.chunks(8).map(rank).collect::<Vec<_>>().join("/")
}

fn rank(squares: &[Option<char>]) -> String {
    let runs = squares.chunk_by(|a, b| a.is_none() && b.is_none());
    let written = |run: &[Option<char>]| match run {
        [Some(man)] => man.to_string(),
        empty => empty.len().to_string(),
    };
    runs.map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_written_as_in_a_fen() {
        let mut squares = [None; 8];
        squares[2] = Some('K');
        squares[3] = Some('p');
        assert_eq!(rank(&squares), "2Kp4");
        assert_eq!(rank(&[None; 8]), "8");
    }

    #[test]
    fn scattered_men_are_those_of_the_ending() {
        let mut dice = Dice::new(5);
        let found: Vec<Position> = (0..200)
            .filter_map(|_| random("KRPvKN", &mut dice))
            .collect();
        assert!(found.len() > 50);
        for position in found {
            let board = position.board();
            assert_eq!(board.occupied().len(), 5);
            let other = position.make_null().is_some_and(|passed| passed.in_check());
            assert!(!other, "the side that has moved is in check");
            assert_eq!(board.pieces(cozy_chess::Piece::Rook).len(), 1);
            assert_eq!(
                board
                    .colored_pieces(cozy_chess::Color::Black, cozy_chess::Piece::Knight)
                    .len(),
                1
            );
        }
    }
}
