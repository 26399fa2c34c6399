//! The weights of pawns and kings, which most moves leave where they are: kept from the positions
//! before.

use sextant_board::{Color, Position};

use super::{
    kernel::{self, Sums},
    network::Network,
    relations::{Relations, Sides},
};

/// What the relations of a structure weigh together.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    related: Sums,
}

/// Structures that were met before; direct-mapped.
#[derive(Clone, Debug)]
pub(super) struct Structures {
    entries: Box<[Entry]>,
}

impl Structures {
    const SIZE: usize = 1 << 12;

    pub(super) fn new() -> Structures {
        // Slot i holds a key that belongs into another slot, so that no lookup finds it.
        let empty = |i: usize| Entry {
            key: !(i as u64),
            related: Sums::default(),
        };
        Structures {
            entries: (0..Structures::SIZE).map(empty).collect(),
        }
    }

    /// What the relations of pawns and kings weigh. `relations` is where they are found.
    #[inline]
    pub(super) fn weigh(
        &mut self,
        network: &Network,
        pos: &Position,
        sides: &Sides,
        relations: &mut Relations,
    ) -> Sums {
        let board = pos.board();
        let [white, black] = Color::ALL.map(|color| board.king(color) as u64);
        let kings = white | black << 6 | (pos.side_to_move() as u64) << 12;
        // They shift the index and, by an odd multiplier, the whole key.
        let key = pos.keys().pawn() ^ (kings + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let entry = &mut self.entries[key as usize % Structures::SIZE];
        if entry.key != key {
            relations.find_structure(sides);
            let numbers = relations.numbers();
            let related = kernel::relate(Sums::default(), &network.relation_weights, numbers);
            *entry = Entry { key, related };
        }
        entry.related
    }
}
