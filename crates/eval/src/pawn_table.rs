//! What depends on pawns and kings alone, kept from the positions before: most moves leave these
//! where they are.

use sextant_board::{Color, Position, prefetch};

/// The pawns and kings of a position, whoever is to move.
#[inline]
pub(crate) fn key(pos: &Position) -> u64 {
    let board = pos.board();
    let kings = board.king(Color::White) as u64 | (board.king(Color::Black) as u64) << 6;
    // The kings shift the index and, by an odd multiplier, the whole key.
    pos.keys().pawn() ^ kings.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The pawn hash table of one worker: direct-mapped, never shared.
#[derive(Clone, Debug)]
pub(crate) struct PawnTable<T> {
    slots: Box<[(u64, T)]>,
}

impl<T: Clone> PawnTable<T> {
    /// For the classical evaluation, larger gained nothing that could be measured.
    const SIZE: usize = 1 << 12;

    /// `empty` is what the slots hold until they are used; nobody sees it.
    pub(crate) fn new(empty: &T) -> PawnTable<T> {
        // Slot i holds a key that belongs into another slot, so that no lookup finds it.
        let slot = |i: usize| (!(i as u64), empty.clone());
        PawnTable {
            slots: (0..PawnTable::<T>::SIZE).map(slot).collect(),
        }
    }

    /// The slot of this key is soon asked for.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(&self.slots[key as usize % PawnTable::<T>::SIZE]);
    }

    /// The entry of this key, found if it is not there.
    #[inline]
    pub(crate) fn get(&mut self, key: u64, find: impl FnOnce() -> T) -> &T {
        let (known, entry) = &mut self.slots[key as usize % PawnTable::<T>::SIZE];
        if *known != key {
            (*known, *entry) = (key, find());
        }
        entry
    }
}
