//! Continuation history: how good a move is as an answer to, or a sequel of, the moves before it.

use sextant_board::{Color, Piece, Square};

use super::{HISTORY_MAX, gravitate, man, tables::cells};

/// How many earlier moves are looked at.
pub(crate) const CONTINUATIONS: usize = 4;

/// How many plies back each of them lies.
pub(crate) const PLIES_BACK: [usize; CONTINUATIONS] = [1, 2, 4, 6];

const MOVES: usize = 2 * Piece::NUM * Square::NUM;

/// A move that was made on the line: the man and where it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Played(u16);

impl Played {
    /// The man of `color` went to `to`.
    #[inline]
    #[must_use]
    pub(crate) fn new(color: Color, piece: Piece, to: Square) -> Played {
        Played((man(color, piece) * Square::NUM + to as usize) as u16)
    }

    #[inline]
    pub(super) fn man(self) -> usize {
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
        Continuation(cells(MOVES * MOVES))
    }

    #[inline]
    fn index(before: Played, man: usize, to: Square) -> usize {
        before.index() * MOVES + man * Square::NUM + to as usize
    }

    /// The nearer moves weigh full, the farther half: in ±3 `HISTORY_MAX`.
    #[inline]
    pub(super) fn sum(
        &self,
        before: &[Option<Played>; CONTINUATIONS],
        man: usize,
        to: Square,
    ) -> i32 {
        let mut sum = 0;
        for (n, before) in before.iter().enumerate() {
            if let Some(before) = before {
                let value = i32::from(self.0[Continuation::index(*before, man, to)]);
                sum += if n < 2 { value } else { value / 2 };
            }
        }
        sum
    }

    pub(super) fn teach(
        &mut self,
        before: &[Option<Played>; CONTINUATIONS],
        man: usize,
        to: Square,
        change: i32,
    ) {
        for before in before.iter().flatten() {
            gravitate(
                &mut self.0[Continuation::index(*before, man, to)],
                change,
                HISTORY_MAX,
            );
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}
