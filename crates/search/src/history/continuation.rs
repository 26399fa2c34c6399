//! Continuation history: how good a move is as an answer to, or a sequel of, the moves before it.

use sextant_board::{Color, Piece, Square};

use super::cells::{HISTORY_MAX, Squares, cells, gravitate, piece_index, row};

/// How many earlier moves are looked at.
pub(crate) const CONTINUATIONS: usize = 4;

/// How many plies back each of them lies.
pub(crate) const PLIES_BACK: [usize; CONTINUATIONS] = [1, 2, 4, 6];

const MOVES: usize = 2 * Piece::NUM * Square::NUM;

/// A move that was made on the line: the piece and where it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// The piece of `color` went to `to`.
    #[inline]
    pub(crate) fn new(color: Color, piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece_index(color, piece) * Square::NUM + to as usize) as u16)
    }

    #[inline]
    pub(super) fn piece(self) -> usize {
        self.index() / Square::NUM
    }

    #[inline]
    pub(super) fn square(self) -> usize {
        self.index() % Square::NUM
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// By an earlier move and the move now.
#[derive(Debug)]
pub(super) struct Continuation(Box<[i16]>);

impl Continuation {
    pub(super) fn new() -> Continuation {
        Continuation(cells((MOVES + 1) * MOVES))
    }

    /// What is known about the sequels of one earlier move, by piece and square.
    #[inline]
    fn row(&self, before: Option<PieceTo>) -> &[i16; MOVES] {
        // Row 0 stands for no move and stays zero.
        let start = before.map_or(0, |before| before.index() + 1) * MOVES;
        (&self.0[start..start + MOVES])
            .try_into()
            .expect("a row has MOVES cells")
    }

    /// The rows of the moves before.
    #[inline]
    pub(super) fn rows(&self, before: &[Option<PieceTo>; CONTINUATIONS]) -> Rows<'_> {
        Rows(before.map(|before| self.row(before)))
    }

    pub(super) fn update(
        &mut self,
        before: &[Option<PieceTo>; CONTINUATIONS],
        piece_to: PieceTo,
        change: i32,
    ) {
        for before in before.iter().flatten() {
            let index = (before.index() + 1) * MOVES + piece_to.index();
            gravitate(&mut self.0[index], change, HISTORY_MAX);
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}

/// The part of the table that one node looks at.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a>([&'a [i16; MOVES]; CONTINUATIONS]);

impl<'a> Rows<'a> {
    /// What follows with one piece_index, by target square.
    #[inline]
    pub(super) fn of_piece(&self, piece: usize) -> [&'a Squares; CONTINUATIONS] {
        self.0.map(|sequels| row(sequels, piece))
    }
}
