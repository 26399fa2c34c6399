//! Histories of quiet moves by the move itself: butterfly (by threats) and pawn structure.

use sextant_board::{BitBoard, Color, Move, Piece, Square};

use super::cells::{HISTORY_MAX, Squares, cells, gravitate, row};

/// A quiet move as the histories see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietMove {
    pub piece: Piece,
    pub mv: Move,
}

const SQUARES: usize = Square::NUM;

/// By side, by whether the from and the to square are attacked, by from and to square.
#[derive(Debug)]
pub(super) struct Butterfly(Box<[i16]>);

impl Butterfly {
    pub(super) fn new() -> Butterfly {
        Butterfly(cells(2 * 4 * SQUARES * SQUARES))
    }

    #[inline]
    fn index(color: Color, threats: BitBoard, mv: Move) -> usize {
        let fear = usize::from(threats.has(mv.from)) * 2 + usize::from(threats.has(mv.to));
        ((color as usize * 4 + fear) * SQUARES + mv.from as usize) * SQUARES + mv.to as usize
    }

    /// The moves of the piece on `from`, by target square: to squares that are not attacked, and to
    /// those that are.
    #[inline]
    pub(super) fn of_square(&self, color: Color, threats: BitBoard, from: Square) -> [&Squares; 2] {
        let fear = usize::from(threats.has(from)) * 2;
        [fear, fear + 1].map(|fear| {
            row(
                &self.0,
                (color as usize * 4 + fear) * SQUARES + from as usize,
            )
        })
    }

    pub(super) fn update(&mut self, color: Color, threats: BitBoard, mv: Move, change: i32) {
        gravitate(
            &mut self.0[Butterfly::index(color, threats, mv)],
            change,
            HISTORY_MAX,
        );
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}

/// By pawn structure (folded to 512), mover and target square.
#[derive(Debug)]
pub(super) struct PawnHistory(Box<[i16]>);

const STRUCTURES: usize = 512;
/// Cells of one side under one structure.
const SIDE: usize = Piece::NUM * SQUARES;

impl PawnHistory {
    pub(super) fn new() -> PawnHistory {
        PawnHistory(cells(STRUCTURES * Color::NUM * SIDE))
    }

    /// The first cell of one side's pieces under one structure.
    #[inline]
    fn start(pawn_key: u64, color: Color) -> usize {
        let structure = pawn_key as usize % STRUCTURES;
        (structure * Color::NUM + color as usize) * SIDE
    }

    /// One side's pieces under one structure, by piece and target square.
    #[inline]
    pub(super) fn structure(&self, pawn_key: u64, color: Color) -> &[i16; SIDE] {
        let start = PawnHistory::start(pawn_key, color);
        (&self.0[start..start + SIDE])
            .try_into()
            .expect("a side has SIDE cells")
    }

    pub(super) fn update(&mut self, pawn_key: u64, color: Color, quiet: QuietMove, change: i32) {
        let cell = quiet.piece as usize * SQUARES + quiet.mv.to as usize;
        let index = PawnHistory::start(pawn_key, color) + cell;
        gravitate(&mut self.0[index], change, HISTORY_MAX);
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}
