//! What all histories are made of: small integers that are pulled towards zero.

use sextant_board::{Color, Piece, Square};

/// Every move history stays within ± this.
pub(crate) const HISTORY_MAX: i32 = 16_384;

/// Values by target square.
pub(super) type Squares = [i16; Square::NUM];

/// A boxed, zeroed slice of cells, so that large tables never pass through the stack.
pub(super) fn cells(count: usize) -> Box<[i16]> {
    vec![0; count].into_boxed_slice()
}

/// Row `n` of a table whose last index is a square.
#[inline]
pub(super) fn row(table: &[i16], n: usize) -> &Squares {
    (&table[n * Square::NUM..(n + 1) * Square::NUM])
        .try_into()
        .expect("a row has a cell for each square")
}

/// Index of a piece among twelve.
#[inline]
pub(super) fn piece_index(color: Color, piece: Piece) -> usize {
    color as usize * Piece::NUM + piece as usize
}

/// A value pulled towards zero in proportion to its size, so that it never leaves its range and
/// forgets the old for the new.
#[inline]
pub(super) fn gravitate(cell: &mut i16, change: i32, max: i32) {
    let change = change.clamp(-max, max);
    let value = i32::from(*cell);
    *cell = (value + change - value * change.abs() / max) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_a_value_in_range() {
        let mut cell = 0;
        for _ in 0..1000 {
            gravitate(&mut cell, HISTORY_MAX, HISTORY_MAX);
        }
        assert_eq!(i32::from(cell), HISTORY_MAX);
        for _ in 0..1000 {
            gravitate(&mut cell, -300, HISTORY_MAX);
        }
        assert!(cell < 0 && i32::from(cell) >= -HISTORY_MAX);
    }
}
