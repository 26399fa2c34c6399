//! Capture history, by the move and what it takes.

use sextant_board::{Color, Move, Piece, Position, Square};

use super::cells::{HISTORY_MAX, cells, gravitate, piece_index};

/// A capture (or promotion) as the history sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capture {
    pub color: Color,
    pub piece: Piece,
    pub to: Square,
    /// What it takes, if anything.
    pub victim: Option<Piece>,
}

impl Capture {
    /// A move of the side to move; `None` if it has no piece there.
    pub(crate) fn of(pos: &Position, mv: Move) -> Option<Capture> {
        Some(Capture {
            color: pos.side_to_move(),
            piece: pos.board().piece_on(mv.from)?,
            to: mv.to,
            victim: pos.victim(mv),
        })
    }

    /// King stands for no victim.
    #[inline]
    fn index(self) -> usize {
        let victim = self.victim.unwrap_or(Piece::King) as usize;
        (piece_index(self.color, self.piece) * Square::NUM + self.to as usize) * Piece::NUM + victim
    }
}

/// By mover, target square and captured piece.
#[derive(Debug)]
pub(super) struct CaptureHistory(Box<[i16]>);

impl CaptureHistory {
    pub(super) fn new() -> CaptureHistory {
        CaptureHistory(cells(2 * Piece::NUM * Square::NUM * Piece::NUM))
    }

    #[inline]
    pub(super) fn get(&self, capture: Capture) -> i32 {
        i32::from(self.0[capture.index()])
    }

    pub(super) fn update(&mut self, capture: Capture, change: i32) {
        gravitate(&mut self.0[capture.index()], change, HISTORY_MAX);
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}
