//! The textbook algorithms, each written once, over any [`Game`](crate::game::Game), and what they
//! count.
//!
//! Read them in this order: [`exhaustive`] (minimax, negamax, breadth first and solving with a
//! table) and [`alpha_beta`] (negamax without the needless part, move ordering, quiescence,
//! iterative deepening). All depths and plies are counted in single moves of one player; a search
//! of depth 0 is the evaluation.

pub(crate) mod alpha_beta;
pub(crate) mod exhaustive;

use crate::game::{Value, Window};

/// What a node is in the minimal tree of Knuth and Moore, who call the types 1, 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeType {
    /// On the principal variation: its exact value is needed.
    Pv,
    /// One good reply is enough here: the node is left by a cut-off.
    Cut,
    /// Every reply must be looked at, and none is good enough.
    All,
}

impl NodeType {
    /// All three, in the order of the tables.
    pub(crate) const EACH: [NodeType; 3] = [NodeType::Pv, NodeType::Cut, NodeType::All];

    /// The type that a node's child number `index` (from 0) is expected to have.
    fn child(self, index: usize) -> NodeType {
        match self {
            NodeType::Pv if index == 0 => NodeType::Pv,
            NodeType::Pv | NodeType::All => NodeType::Cut,
            NodeType::Cut => NodeType::All,
        }
    }

    /// The type that a node turned out to have, from the window it had and the value it found.
    fn found(window: Window, value: Value) -> NodeType {
        if value >= window.beta {
            NodeType::Cut
        } else if value <= window.alpha {
            NodeType::All
        } else {
            NodeType::Pv
        }
    }

    pub(crate) fn name(self) -> &'static str {
        ["PV", "CUT", "ALL"][self as usize]
    }
}

#[derive(Clone, Copy, Debug)]
struct Visit {
    ply: u32,
    /// How many plies are still to be searched below.
    depth: u32,
    /// What the node should be, were the move order perfect.
    expected: NodeType,
}

impl Visit {
    /// The root of a search of `depth` plies.
    fn root(depth: u32) -> Visit {
        let (ply, expected) = (0, NodeType::Pv);
        Visit {
            ply,
            depth,
            expected,
        }
    }

    /// The child that is tried as number `index` (from 0). Only asked above the horizon.
    fn child(self, index: usize) -> Visit {
        Visit {
            ply: self.ply + 1,
            depth: self.depth - 1,
            expected: self.expected.child(index),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Nodes above and on the horizon, the root included.
    pub(crate) nodes: u64,
    pub(crate) leaves: u64,
    /// Leaves by expected type: PV, CUT, ALL.
    pub(crate) leaves_by_type: [u64; 3],
    /// Nodes at which moves were skipped.
    pub(crate) cut_offs: u64,
    /// Nodes below the horizon, where only captures are tried.
    pub(crate) quiescence_nodes: u64,
    /// Nodes by ply, expected and found type: so many positions were in memory at the same time.
    pub(crate) by_ply: Vec<[[u64; 3]; 3]>,
}

impl Tally {
    fn leaf(&mut self, visit: Visit) {
        self.leaves += 1;
        self.leaves_by_type[visit.expected as usize] += 1;
    }

    /// The search leaves a node, which had this window and this (fail-soft) value.
    fn leave(&mut self, visit: Visit, window: Window, value: Value) {
        self.nodes += 1;
        let ply = visit.ply as usize;
        if ply >= self.by_ply.len() {
            self.by_ply.resize(ply + 1, [[0; 3]; 3]);
        }
        let found = NodeType::found(window, value);
        self.by_ply[ply][visit.expected as usize][found as usize] += 1;
    }
}
