//! Synthetic trees: every node has `b` children and every leaf lies at the same depth.
//!
//! The values are nested intervals. The root owns the ranks 0..b^n; a node splits its interval
//! among its children, so all leaves differ and the better child is better throughout. That
//! makes the best and the worst move order exact ideas: visited best first, alpha-beta sees the
//! minimal tree, and worst first it can never cut anything off.

use super::{Game, Value};
use sextant_board::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The mover's best move first: alpha-beta's best case.
    BestFirst,
    /// The mover's best move last: alpha-beta's worst case.
    WorstFirst,
    /// The same nested values, each node's moves shuffled by the seed.
    Shuffled(u64),
    /// Leaves drawn independently by the seed, so that no move is good throughout.
    Independent(u64),
}

/// A position in a synthetic tree; a move is the rank of a child (0 is the mover's best), or
/// merely its number where the leaves are independent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UniformTree {
    branching: u32,
    order: Order,
    /// First of the ranks that this subtree owns, from the first player's view.
    low: i64,
    /// How many ranks it owns: the number of its leaves.
    size: i64,
    ply: u32,
    path: u64,
}

impl UniformTree {
    /// The root of a tree of `depth` plies with `branching` moves everywhere, or `None` if its
    /// leaves cannot be counted in 63 bits or there would be no moves.
    pub(crate) fn new(branching: u32, depth: u32, order: Order) -> Option<UniformTree> {
        let leaves = i64::from(branching).checked_pow(depth);
        let size = leaves.filter(|&leaves| leaves > 0)?;
        Some(UniformTree {
            branching,
            order,
            low: 0,
            size,
            ply: 0,
            path: u64::from(branching),
        })
    }

    fn first_player_moves(&self) -> bool {
        self.ply.is_multiple_of(2)
    }
}

impl Game for UniformTree {
    type Move = u32;

    fn moves(&self) -> Vec<u32> {
        let mut ranks: Vec<u32> = (0..self.branching).collect();
        match self.order {
            Order::BestFirst | Order::Independent(_) => {}
            Order::WorstFirst => ranks.reverse(),
            Order::Shuffled(seed) => Random::new(seed ^ self.path).shuffle(&mut ranks),
        }
        ranks
    }

    fn play(&self, rank: u32) -> UniformTree {
        let size = self.size / i64::from(self.branching);
        let from_below = match self.first_player_moves() {
            true => self.branching - 1 - rank,
            false => rank,
        };
        UniformTree {
            low: self.low + size * i64::from(from_below),
            size,
            ply: self.ply + 1,
            path: scramble(self.path ^ (u64::from(rank) + 1)),
            ..*self
        }
    }

    fn key(&self) -> u64 {
        self.path
    }

    fn evaluate(&self) -> Value {
        let for_first_player = match self.order {
            // Forty bits: ties are rare, sums cannot overflow.
            Order::Independent(seed) => (scramble(self.path ^ seed) >> 24) as i64,
            _ => self.low + self.size / 2,
        };
        match self.first_player_moves() {
            true => Value(for_first_player),
            false => -Value(for_first_player),
        }
    }
}

fn scramble(seed: u64) -> u64 {
    Random::new(seed).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_with_too_many_leaves_or_no_moves_is_refused() {
        assert!(UniformTree::new(40, 12, Order::BestFirst).is_none());
        assert!(UniformTree::new(0, 3, Order::BestFirst).is_none());
    }
}
