//! Capture history, by the move and what it takes.

use sextant_board::{Color, Piece, Square};

use super::cells::{HISTORY_MAX, cells, gravitate, piece_index};

/// By mover, target square and captured piece (king stands for none).
#[derive(Debug)]
pub(super) struct CaptureHistory(Box<[i16]>);

impl CaptureHistory {
    pub(super) fn new() -> CaptureHistory {
        CaptureHistory(cells(2 * Piece::NUM * Square::NUM * Piece::NUM))
    }

    #[inline]
    fn index(color: Color, piece: Piece, to: Square, victim: Option<Piece>) -> usize {
        let victim = victim.unwrap_or(Piece::King) as usize;
        (piece_index(color, piece) * Square::NUM + to as usize) * Piece::NUM + victim
    }

    #[inline]
    pub(super) fn get(&self, color: Color, piece: Piece, to: Square, victim: Option<Piece>) -> i32 {
        i32::from(self.0[CaptureHistory::index(color, piece, to, victim)])
    }

    pub(super) fn update(
        &mut self,
        color: Color,
        piece: Piece,
        to: Square,
        victim: Option<Piece>,
        change: i32,
    ) {
        gravitate(
            &mut self.0[CaptureHistory::index(color, piece, to, victim)],
            change,
            HISTORY_MAX,
        );
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}
