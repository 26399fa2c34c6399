//! Correction history: by how much searches of like positions differed from the static evaluation.

use std::array;

use sextant_board::{Color, Position};

use super::cells::{Cells, PieceTo};

/// Slots of each table, by the low bits of a key.
const SLOTS: usize = 1 << 14;
/// Cells hold differences in 1/[`GRAIN`] centipawns.
const GRAIN: i32 = 64;
/// The largest correction that one table can learn: 128 centipawns.
const LIMIT: i32 = 128 * GRAIN;

/// Tables by what stands on the board (pawns, minors, each side's pieces), and in all: one more by
/// the last two moves.
const BY_PIECES: usize = 4;
const TABLES: usize = BY_PIECES + 1;

/// One table after another, each by side to move and slot.
#[derive(Debug)]
pub(crate) struct CorrectionHistory(Cells);

#[inline]
fn cell(table: usize, color: Color, key: u64) -> usize {
    (2 * table + color as usize) * SLOTS + key as usize % SLOTS
}

#[inline]
fn cells_of_pieces(pos: &Position) -> [usize; BY_PIECES] {
    let (color, keys) = (pos.side_to_move(), pos.keys());
    let non_pawn = Color::ALL.map(|side| keys.non_pawn(side));
    let keys = [keys.pawn(), keys.minor(), non_pawn[0], non_pawn[1]];
    array::from_fn(|table| cell(table, color, keys[table]))
}

#[inline]
fn cells_of(pos: &Position, last: [Option<PieceTo>; 2]) -> [usize; TABLES] {
    let [one, two] = last.map(|last| last.map_or(0, |last| last.index() as u64 + 1));
    let key = (one * 1021 + two).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    let [pawn, minor, white, black] = cells_of_pieces(pos);
    let moves = cell(BY_PIECES, pos.side_to_move(), key);
    [pawn, minor, white, black, moves]
}

impl CorrectionHistory {
    pub(crate) fn new() -> CorrectionHistory {
        CorrectionHistory(Cells::new(TABLES * 2 * SLOTS))
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The correction of the static evaluation, in centipawns.
    #[inline]
    pub(crate) fn get(&self, pos: &Position, last: [Option<PieceTo>; 2]) -> i32 {
        let [pawn, minor, white, black, moves] = cells_of(pos, last);
        let at = |index| self.0.get(index);
        (2 * at(pawn) + at(minor) + at(white) + at(black) + at(moves)) / (4 * GRAIN)
    }

    /// Asks the processor to have the cells of `pos` ready.
    #[inline]
    pub(crate) fn prefetch(&self, pos: &Position) {
        for index in cells_of_pieces(pos) {
            self.0.prefetch(index);
        }
    }

    /// A search of `plies` found a score that the corrected evaluation missed by `error`.
    pub(crate) fn update(
        &mut self,
        pos: &Position,
        last: [Option<PieceTo>; 2],
        error: i32,
        plies: i32,
    ) {
        let change = error * plies.max(1) * GRAIN / 16;
        let change = change.clamp(-LIMIT / 4, LIMIT / 4);
        for index in cells_of(pos, last) {
            self.0.update(index, change, LIMIT);
        }
    }
}
