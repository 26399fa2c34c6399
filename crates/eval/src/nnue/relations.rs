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

use arrayvec::ArrayVec;
use sextant_board::{BitBoard, Color, Square};

use self::scene::Scene;
pub use self::scene::Sides;
use super::features::mirror;

/// How many numbers relations have: those of the side to move, then as many of the other side.
pub const RELATIONS: usize = 2 * OWNED;

const OWNED: usize = kings::END;

/// The number of no relation, which weighs nothing: to hear it takes no branch.
const NONE: usize = RELATIONS;

/// More than any board has: 14 for each piece, 42 whatever stands there.
const MOST: usize = 1024;

/// Numbers of relations, [`NONE`] perhaps among them.
pub(super) type Numbers = ArrayVec<u16, MOST>;

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
#[derive(Clone, Debug, Default)]
pub struct Relations {
    numbers: Numbers,
}

impl Relations {
    /// Finds those of another position; none if a side has no king.
    pub fn find(&mut self, sides: &Sides) {
        self.numbers.clear();
        let mut hear = |number| {
            if number != NONE {
                self.numbers.push(number as u16);
            }
        };
        find_structure(sides, &mut hear);
        find_others(sides, &mut hear);
    }

    /// What was found, in no order that means anything.
    #[inline]
    #[must_use]
    pub fn numbers(&self) -> &[u16] {
        &self.numbers
    }
}

/// Tells `hear` the numbers of the relations of pawns and kings alone, and [`NONE`] now and then.
pub(super) fn find_structure(sides: &Sides, hear: impl FnMut(usize)) {
    structure::find(sides, &mut Found::of(sides, hear));
}

/// Tells `hear` the numbers of all others, and [`NONE`] now and then.
///
/// All of it is inlined, so that what hears may be made of vectors that stay in registers.
#[inline(always)]
pub(super) fn find_others(sides: &Sides, hear: impl FnMut(usize)) {
    let mut found = Found::of(sides, hear);
    let Some(mut scene) = Scene::of(sides) else {
        return;
    };
    // No loops over colors: code for one knows where everything is. What one side attacks is known
    // before anything is said of the other's pieces.
    let of_white = reach(&mut scene, Color::White, &mut found);
    let of_black = reach(&mut scene, Color::Black, &mut found);
    find(&scene, Color::White, of_black, &mut found);
    find(&scene, Color::Black, of_white, &mut found);
}

/// Finds what a side's pieces attack, and their mobility; returns how many of them attack the other
/// king or a square beside it.
#[inline(always)]
fn reach(scene: &mut Scene<'_>, color: Color, found: &mut Found<impl FnMut(usize)>) -> usize {
    let (safe, ring) = (pieces::safe(scene, color), kings::ring(scene, !color));
    let mut attackers = 0;
    scene.reach(color, |piece, attacks| {
        found.add(color, pieces::mobility(piece, attacks & safe));
        attackers += usize::from(!attacks.is_disjoint(ring));
    });
    attackers
}

/// Finds what a side has when all attacks are known.
#[inline(always)]
fn find(scene: &Scene<'_>, owner: Color, attackers: usize, found: &mut Found<impl FnMut(usize)>) {
    pieces::find(scene, owner, found);
    pawns::find(scene, owner, found);
    kings::find(scene, owner, attackers, found);
}

/// Tells `hear` what is found.
struct Found<F> {
    hear: F,
    /// Exclusive-or mask that turns the squares.
    turn: usize,
}

impl<F: FnMut(usize)> Found<F> {
    #[inline(always)]
    fn of(sides: &Sides, hear: F) -> Found<F> {
        let turn = sides.king(Color::White).map_or(0, mirror);
        Found { hear, turn }
    }

    /// Something that a side has; White is the side to move.
    #[inline(always)]
    fn add(&mut self, owner: Color, number: usize) {
        self.add_if(true, owner, number);
    }

    /// The same if it has it, without a branch.
    #[inline(always)]
    fn add_if(&mut self, is: bool, owner: Color, number: usize) {
        let number = owner as usize * OWNED + number;
        (self.hear)(if is { number } else { NONE });
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
