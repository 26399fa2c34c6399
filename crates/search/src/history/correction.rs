//! Correction history: by how much searches of like positions differed from the static evaluation.

use sextant_board::{Color, Position};

use super::{
    cells::{cells, gravitate},
    continuation::PieceTo,
};
use crate::prefetch::prefetch;

/// Slots of each table, by the low bits of a key.
const SLOTS: usize = 1 << 14;
/// Cells hold differences in 1/[`GRAIN`] centipawns.
const GRAIN: i32 = 64;
/// The largest correction that one table can learn: 128 centipawns.
const LIMIT: i32 = 128 * GRAIN;

/// By pawns, minors, each side's pieces and the last two moves, for each side to move.
#[derive(Debug)]
pub(crate) struct CorrectionHistory {
    pawn: Box<[i16]>,
    minor: Box<[i16]>,
    non_pawn: [Box<[i16]>; Color::NUM],
    continuation: Box<[i16]>,
}

impl CorrectionHistory {
    pub(crate) fn new() -> CorrectionHistory {
        let table = || cells(2 * SLOTS);
        CorrectionHistory {
            pawn: table(),
            minor: table(),
            non_pawn: [table(), table()],
            continuation: table(),
        }
    }

    pub(crate) fn clear(&mut self) {
        for table in [&mut self.pawn, &mut self.minor, &mut self.continuation] {
            table.fill(0);
        }
        self.non_pawn.iter_mut().for_each(|table| table.fill(0));
    }

    #[inline]
    fn slot(color: Color, key: u64) -> usize {
        color as usize * SLOTS + key as usize % SLOTS
    }

    #[inline]
    fn moves_slot(color: Color, last: [Option<PieceTo>; 2]) -> usize {
        let index =
            |piece_to: Option<PieceTo>| piece_to.map_or(0, |piece_to| piece_to.index() as u64 + 1);
        let key =
            (index(last[0]) * 1021 + index(last[1])).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        CorrectionHistory::slot(color, key)
    }

    /// The correction of the static evaluation, in centipawns.
    #[inline]
    pub(crate) fn get(&self, pos: &Position, last: [Option<PieceTo>; 2]) -> i32 {
        let (color, keys) = (pos.side_to_move(), pos.keys());
        let at = |table: &[i16], key: u64| i32::from(table[CorrectionHistory::slot(color, key)]);
        let sum = 2 * at(&self.pawn, keys.pawn())
            + at(&self.minor, keys.minor())
            + at(&self.non_pawn[0], keys.non_pawn(Color::White))
            + at(&self.non_pawn[1], keys.non_pawn(Color::Black))
            + i32::from(self.continuation[CorrectionHistory::moves_slot(color, last)]);
        sum / (4 * GRAIN)
    }

    /// Asks the processor to have the cells of `pos` ready.
    #[inline]
    pub(crate) fn prefetch(&self, pos: &Position) {
        let (color, keys) = (pos.side_to_move(), pos.keys());
        let ask = |table: &[i16], key: u64| prefetch(&table[CorrectionHistory::slot(color, key)]);
        ask(&self.pawn, keys.pawn());
        ask(&self.minor, keys.minor());
        ask(&self.non_pawn[0], keys.non_pawn(Color::White));
        ask(&self.non_pawn[1], keys.non_pawn(Color::Black));
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
        let (color, keys) = (pos.side_to_move(), pos.keys());
        let update = |table: &mut [i16], slot: usize| gravitate(&mut table[slot], change, LIMIT);
        update(&mut self.pawn, CorrectionHistory::slot(color, keys.pawn()));
        update(
            &mut self.minor,
            CorrectionHistory::slot(color, keys.minor()),
        );
        for side in Color::ALL {
            update(
                &mut self.non_pawn[side as usize],
                CorrectionHistory::slot(color, keys.non_pawn(side)),
            );
        }
        update(
            &mut self.continuation,
            CorrectionHistory::moves_slot(color, last),
        );
    }
}

impl Default for CorrectionHistory {
    fn default() -> CorrectionHistory {
        CorrectionHistory::new()
    }
}
