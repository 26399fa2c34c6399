//! What the relations of a position weigh together.

use sextant_board::{Color, Position};

use super::{
    kernel::{self, Sums},
    network::Network,
    relations::{Relations, Sides},
};
use crate::pawn_table::{self, PawnTable};

/// Weighs relations for one worker.
#[derive(Clone, Debug)]
pub(super) struct Related {
    /// Those that are weighed.
    found: Relations,
    /// What those of pawns and kings weigh.
    structures: PawnTable<Sums>,
}

impl Default for Related {
    fn default() -> Related {
        Related {
            found: Relations::default(),
            structures: PawnTable::new(&Sums::default()),
        }
    }
}

impl Related {
    /// What is added to the sums of the second layer, in the unit of the weights.
    #[inline]
    pub(super) fn weigh(&mut self, network: &Network, pos: &Position) -> Sums {
        let (sides, rows) = (Sides::of(pos.board()), &network.relation_weights);
        // Each side sees them in its own way.
        let key = match pos.side_to_move() {
            Color::White => pawn_table::key(pos),
            Color::Black => !pawn_table::key(pos),
        };
        let structure = *self.structures.get(key, || {
            self.found.find_structure(&sides);
            kernel::relate(Sums::default(), rows, self.found.numbers())
        });
        self.found.find_others(&sides);
        kernel::relate(structure, rows, self.found.numbers())
    }
}
