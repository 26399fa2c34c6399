//! Histories that are looked up by the move itself: butterfly, captures, pawns.

use sextant_board::{BitBoard, Color, Move, Piece, Square};

use super::{HISTORY_MAX, Quiet, Squares, gravitate, man, row};

const SQUARES: usize = Square::NUM;

/// A boxed, zeroed slice of cells, so that large tables never pass through the stack.
pub(super) fn cells(count: usize) -> Box<[i16]> {
    vec![0; count].into_boxed_slice()
}

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

    /// The moves of the man on `from`, by target square: to squares that are not attacked, and to
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

    pub(super) fn teach(&mut self, color: Color, threats: BitBoard, mv: Move, change: i32) {
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

/// By mover, target square and captured man (king stands for none).
#[derive(Debug)]
pub(super) struct Captures(Box<[i16]>);

impl Captures {
    pub(super) fn new() -> Captures {
        Captures(cells(2 * Piece::NUM * SQUARES * Piece::NUM))
    }

    #[inline]
    fn index(color: Color, piece: Piece, to: Square, victim: Option<Piece>) -> usize {
        let victim = victim.unwrap_or(Piece::King) as usize;
        (man(color, piece) * SQUARES + to as usize) * Piece::NUM + victim
    }

    #[inline]
    pub(super) fn get(&self, color: Color, piece: Piece, to: Square, victim: Option<Piece>) -> i32 {
        i32::from(self.0[Captures::index(color, piece, to, victim)])
    }

    pub(super) fn teach(
        &mut self,
        color: Color,
        piece: Piece,
        to: Square,
        victim: Option<Piece>,
        change: i32,
    ) {
        gravitate(
            &mut self.0[Captures::index(color, piece, to, victim)],
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
pub(super) struct PawnTable(Box<[i16]>);

const STRUCTURES: usize = 512;
/// Cells of one side under one structure.
const SIDE: usize = Piece::NUM * SQUARES;

impl PawnTable {
    pub(super) fn new() -> PawnTable {
        PawnTable(cells(STRUCTURES * Color::NUM * SIDE))
    }

    /// The first cell of one side's men under one structure.
    #[inline]
    fn start(pawn_key: u64, color: Color) -> usize {
        let structure = pawn_key as usize % STRUCTURES;
        (structure * Color::NUM + color as usize) * SIDE
    }

    /// One side's men under one structure, by piece and target square.
    #[inline]
    pub(super) fn structure(&self, pawn_key: u64, color: Color) -> &[i16; SIDE] {
        let start = PawnTable::start(pawn_key, color);
        (&self.0[start..start + SIDE])
            .try_into()
            .expect("a side has SIDE cells")
    }

    pub(super) fn teach(&mut self, pawn_key: u64, color: Color, quiet: Quiet, change: i32) {
        let cell = quiet.piece as usize * SQUARES + quiet.mv.to as usize;
        let index = PawnTable::start(pawn_key, color) + cell;
        gravitate(&mut self.0[index], change, HISTORY_MAX);
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}
