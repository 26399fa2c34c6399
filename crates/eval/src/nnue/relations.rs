//! Relations between the pieces of a position: what attacks and defends what, how pawns stand, what
//! is near the kings. They are what hand-made evaluations count.
//!
//! A network must learn them from games, many of them, where its inputs tell squares alone. A move
//! changes too many of them to update accumulators with; so they are found anew for each value, and
//! the second layer reads them, with a row of weights for each.

mod kings;
mod pawns;
mod pieces;
mod scene;
mod structure;

use sextant_board::{BitBoard, Color, Square};

use self::scene::Scene;
pub use self::scene::Sides;
use super::features::mirror;

/// How many numbers relations have: those of the side to move, then as many of the other side.
pub const RELATIONS: usize = 2 * OWNED;

const OWNED: usize = kings::END;

/// More than any board has: 14 for each piece, 42 whatever stands there.
const MOST: usize = 1024;

/// The numbers of the relations of a position, below [`RELATIONS`].
///
/// The board is turned as for the side to move's inputs
/// ([`Perspective`](super::Perspective)): it moves up, and its king stands on files a to d.
///
/// ```
/// use sextant_eval::nnue::{RELATIONS, Relations, Sides};
/// let board = "4k3/8/8/8/4q3/8/4R3/4K3 w - - 0 1".parse()?;
/// let mut relations = Relations::default();
/// relations.find(&Sides::of(&board));
/// assert!(relations.numbers().iter().all(|&number| usize::from(number) < RELATIONS));
/// # Ok::<(), sextant_board::cozy_chess::FenParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Relations {
    numbers: Box<[u16; MOST]>,
    count: usize,
}

impl Default for Relations {
    fn default() -> Relations {
        Relations {
            numbers: Box::new([0; MOST]),
            count: 0,
        }
    }
}

impl Relations {
    /// Finds those of another position; none if a side has no king.
    pub fn find(&mut self, sides: &Sides) {
        self.count = 0;
        self.add_structure(sides);
        self.add_others(sides);
    }

    /// Finds those of pawns and kings alone.
    pub(super) fn find_structure(&mut self, sides: &Sides) {
        self.count = 0;
        self.add_structure(sides);
    }

    /// Finds all but these.
    pub(super) fn find_others(&mut self, sides: &Sides) {
        self.count = 0;
        self.add_others(sides);
    }

    fn add_structure(&mut self, sides: &Sides) {
        let mut found = Found::more(self, sides);
        structure::find(sides, &mut found);
        self.count = found.count;
    }

    fn add_others(&mut self, sides: &Sides) {
        let mut found = Found::more(self, sides);
        let mut attackers = [0; Color::NUM];
        let scene = Scene::of(sides, |scene, color, piece, attacks| {
            found.add(color, pieces::mobility(scene, color, piece, attacks));
            attackers[!color as usize] += usize::from(kings::is_attacker(scene, color, attacks));
        });
        if let Some(scene) = scene {
            for (owner, attackers) in Color::ALL.into_iter().zip(attackers) {
                find(&scene, owner, attackers, &mut found);
            }
        }
        self.count = found.count;
    }

    /// What was found, in no order that means anything.
    #[inline]
    #[must_use]
    pub fn numbers(&self) -> &[u16] {
        &self.numbers[..self.count.min(MOST)]
    }
}

#[inline(always)]
fn find(scene: &Scene<'_>, owner: Color, attackers: usize, found: &mut Found<'_>) {
    pieces::find(scene, owner, found);
    pawns::find(scene, owner, found);
    kings::find(scene, owner, attackers, found);
}

/// What has been found. All that adds to it is inlined, so that the count stays in a register.
#[derive(Debug)]
struct Found<'a> {
    numbers: &'a mut [u16; MOST],
    count: usize,
    /// Exclusive-or mask that turns the squares.
    turn: usize,
}

impl Found<'_> {
    /// Goes on behind what was found before.
    #[inline(always)]
    fn more<'a>(relations: &'a mut Relations, sides: &Sides) -> Found<'a> {
        Found {
            numbers: &mut relations.numbers,
            count: relations.count,
            turn: sides.king(Color::White).map_or(0, mirror),
        }
    }

    /// Something that a side has; White is the side to move.
    #[inline(always)]
    fn add(&mut self, owner: Color, number: usize) {
        self.add_if(true, owner, number);
    }

    /// The same if it has it, without a branch.
    #[inline(always)]
    fn add_if(&mut self, is: bool, owner: Color, number: usize) {
        self.numbers[self.count % MOST] = (owner as usize * OWNED + number) as u16;
        self.count += usize::from(is);
    }

    /// The same on squares; `number` is that of a1.
    #[inline(always)]
    fn add_on(&mut self, owner: Color, number: usize, squares: BitBoard) {
        for square in squares {
            self.add_at(owner, number, square);
        }
    }

    #[inline(always)]
    fn add_at(&mut self, owner: Color, number: usize, square: Square) {
        self.add_at_if(true, owner, number, square);
    }

    #[inline(always)]
    fn add_at_if(&mut self, is: bool, owner: Color, number: usize, square: Square) {
        self.add_if(is, owner, number + (square as usize ^ self.turn));
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::{Board, MoveSets, Piece, Placed, Position, Random};

    use super::{
        super::features::{FLIP_RANKS, MIRROR_FILES},
        *,
    };

    fn sides(pieces: impl IntoIterator<Item = Placed>) -> Sides {
        let mut sides = Sides::default();
        pieces.into_iter().for_each(|placed| sides.put(placed));
        sides
    }

    fn found(sides: &Sides) -> Vec<u16> {
        let mut relations = Relations::default();
        relations.find(sides);
        let mut numbers = relations.numbers().to_vec();
        numbers.sort_unstable();
        assert!(
            numbers
                .iter()
                .all(|&number| usize::from(number) < RELATIONS)
        );
        numbers
    }

    /// The pieces of a board as its side to move sees them, on squares turned by an exclusive-or.
    fn turned(board: &Board, turn: usize) -> Sides {
        let ranks = FLIP_RANKS * board.side_to_move() as usize;
        let pieces = board.occupied().into_iter().filter_map(|square| {
            let color = board.color_on(square)?;
            let is_own = color == board.side_to_move();
            let color = if is_own { Color::White } else { Color::Black };
            let square_seen = Square::index(square as usize ^ ranks ^ turn);
            Some(Placed::new(board.piece_on(square)?, color, square_seen))
        });
        sides(pieces)
    }

    #[test]
    fn both_sides_and_both_wings_see_the_same() {
        let mut random = Random::new(1);
        let mut most = 0;
        for game in 0..if cfg!(miri) { 1 } else { 100 } {
            let mut pos = Position::new(Board::double_chess960_startpos(game, 7 * game));
            for _ in 0..150 {
                let numbers = found(&Sides::of(pos.board()));
                most = most.max(numbers.len());
                for turn in [0, MIRROR_FILES] {
                    assert_eq!(
                        found(&turned(pos.board(), turn)),
                        numbers,
                        "{}",
                        pos.board()
                    );
                }
                let moves: Vec<_> = MoveSets::generate(&pos).iter().collect();
                if moves.is_empty() {
                    break;
                }
                pos = pos.make(moves[random.below(moves.len())]).0;
            }
        }
        assert!((90..150).contains(&most), "{most}");
    }

    /// White to move has the first numbers, whatever its color is.
    #[test]
    fn known_relations_are_found() {
        // A rook pins a knight that a pawn attacks; a passed and isolated pawn cannot be caught.
        let fen = "4r2k/8/8/3p4/4N3/8/p7/R3K3 w - - 0 1";
        let numbers = found(&Sides::of(&fen.parse().unwrap()));
        // The king stands on the right, so the files are turned.
        let [knight, pawn] = [Square::D4, Square::H2].map(|square| square as usize);
        let (kind, seventh, other) = (1, 6, 5_498);
        for number in [
            5_344 + 6 + kind,
            // A pawn attacks it, and nothing defends it.
            512 + 960 * 4 + 64 * kind + knight,
            other + pawn,
            other + 64 + pawn,
            other + 448 + seventh,
        ] {
            assert!(numbers.contains(&(number as u16)), "{number}: {numbers:?}");
        }
    }

    #[test]
    fn no_board_has_too_many() {
        let kings = [Square::A1, Square::H8];
        for kind in Piece::ALL {
            let placed = Square::ALL.map(|square| {
                let color = if (square as usize) < 32 {
                    Color::White
                } else {
                    Color::Black
                };
                let piece = if kings.contains(&square) {
                    Piece::King
                } else {
                    kind
                };
                Placed::new(piece, color, square)
            });
            let count = found(&sides(placed)).len();
            assert!((20..MOST).contains(&count), "{count}");
        }
    }

    #[test]
    fn without_both_kings_there_is_nothing() {
        let king = Placed::new(Piece::King, Color::White, Square::E1);
        assert!(found(&sides([king])).is_empty());
    }
}
