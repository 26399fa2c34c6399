//! What all histories are made of: small integers that are pulled towards zero.

use sextant_board::{Color, Piece, Square, prefetch};

/// Every move history stays within ± this.
pub(crate) const HISTORY_MAX: i32 = 16_384;

/// Values by target square.
pub(super) type Squares = [i16; Square::NUM];

/// A table of cells; boxed, so that it never passes through the stack.
#[derive(Debug)]
pub(super) struct Cells(Box<[i16]>);

impl Cells {
    pub(super) fn new(count: usize) -> Cells {
        Cells(vec![0; count].into_boxed_slice())
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Leaves `percent` of every value.
    pub(super) fn fade(&mut self, percent: i32) {
        for cell in &mut self.0 {
            *cell = (i32::from(*cell) * percent / 100) as i16;
        }
    }

    pub(super) fn get(&self, index: usize) -> i32 {
        i32::from(self.0[index])
    }

    /// The cells from `start` on.
    pub(super) fn block<const N: usize>(&self, start: usize) -> &[i16; N] {
        (&self.0[start..start + N])
            .try_into()
            .expect("a block of N cells")
    }

    /// Pulls a cell towards zero in proportion to its size, so that it stays within ±`max` and
    /// forgets the old for the new.
    pub(super) fn update(&mut self, index: usize, change: i32, max: i32) {
        let change = change.clamp(-max, max);
        let value = self.get(index);
        self.0[index] = (value + change - value * change.abs() / max) as i16;
    }

    pub(super) fn prefetch(&self, index: usize) {
        prefetch(&self.0[index]);
    }
}

/// A piece and the square that it goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    pub(super) const COUNT: usize = 2 * Piece::NUM * Square::NUM;

    pub(crate) fn new(color: Color, piece: Piece, to: Square) -> PieceTo {
        let piece = color as usize * Piece::NUM + piece as usize;
        PieceTo((piece * Square::NUM + to as usize) as u16)
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_a_value_in_range() {
        let mut cells = Cells::new(1);
        for _ in 0..1000 {
            cells.update(0, HISTORY_MAX, HISTORY_MAX);
        }
        assert_eq!(cells.get(0), HISTORY_MAX);
        for _ in 0..1000 {
            cells.update(0, -300, HISTORY_MAX);
        }
        assert!(cells.get(0) < 0 && cells.get(0) >= -HISTORY_MAX);
    }
}
