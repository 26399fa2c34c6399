//! What the relations of a position weigh together.

use sextant_board::Position;

use super::{
    kernel::{self, Sums},
    network::Network,
    relations::Sides,
};
use crate::pawn_table::{self, PawnTable};

/// Weighs relations for one worker.
#[derive(Clone, Debug)]
pub(super) struct Related {
    /// What those of pawns and kings weigh.
    structures: PawnTable<Sums>,
}

impl Default for Related {
    fn default() -> Related {
        Related {
            structures: PawnTable::new(&Sums::default()),
        }
    }
}

impl Related {
    /// The relations of this position are soon weighed.
    #[inline]
    pub(super) fn prefetch(&self, pos: &Position) {
        self.structures.prefetch(key(pos));
    }

    /// What is added to the sums of the second layer, in the unit of the weights.
    #[inline]
    pub(super) fn weigh(&mut self, network: &Network, pos: &Position) -> Sums {
        let (sides, rows) = (Sides::of(pos.board()), &network.relation_weights);
        let structures = &mut self.structures;
        let structure = structures.get(key(pos), || kernel::weigh_structure(rows, &sides));
        kernel::weigh_others(*structure, rows, &sides)
    }
}

/// That of pawns and kings as the side to move sees them: each side sees them in its own way.
#[inline]
fn key(pos: &Position) -> u64 {
    pawn_table::key(pos) ^ (pos.side_to_move() as u64).wrapping_neg()
}
