//! Watching a search without changing it.

use crate::game::{Value, Window};

/// What a node is in the minimal tree of Knuth and Moore, who call the types 1, 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    pub(crate) fn child(self, index: usize) -> NodeType {
        match self {
            NodeType::Pv if index == 0 => NodeType::Pv,
            NodeType::Pv | NodeType::All => NodeType::Cut,
            NodeType::Cut => NodeType::All,
        }
    }

    /// The type that a node turned out to have, from the window it had and the value it found.
    pub(crate) fn found(window: Window, value: Value) -> NodeType {
        if value >= window.beta {
            NodeType::Cut
        } else if value <= window.alpha {
            NodeType::All
        } else {
            NodeType::Pv
        }
    }

    /// As it is written in the sources.
    pub(crate) fn name(self) -> &'static str {
        match self {
            NodeType::Pv => "PV",
            NodeType::Cut => "CUT",
            NodeType::All => "ALL",
        }
    }
}

/// Where in the tree the search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    /// Distance from the root.
    pub(crate) ply: u32,
    /// How many plies are still to be searched below.
    pub(crate) depth: u32,
    /// What the node should be, were the move order perfect.
    pub(crate) expected: NodeType,
}

impl Visit {
    /// The root of a search of `depth` plies.
    pub(crate) fn root(depth: u32) -> Visit {
        Visit {
            ply: 0,
            depth,
            expected: NodeType::Pv,
        }
    }

    /// The child that is tried as number `index` (from 0). Only asked above the horizon.
    pub(crate) fn child(self, index: usize) -> Visit {
        Visit {
            ply: self.ply + 1,
            depth: self.depth - 1,
            expected: self.expected.child(index),
        }
    }
}

/// What a search tells whoever watches it. Every method may be left out, and costs nothing then.
pub(crate) trait Observer {
    /// The search comes to a node.
    fn enter(&mut self, _visit: Visit) {}
    /// The node has no children in this search: it is evaluated, or the game is over.
    fn leaf(&mut self, _visit: Visit) {}
    /// Some of the node's moves need not be looked at.
    fn cut_off(&mut self, _visit: Visit) {}
    /// The search comes to a node below the horizon, where only captures are tried.
    fn quiescence_enter(&mut self, _ply: u32) {}
    /// The search leaves such a node.
    fn quiescence_leave(&mut self, _value: Value) {}
    /// The search leaves a node, which had this window and this (fail-soft) value.
    fn leave(&mut self, _visit: Visit, _window: Window, _value: Value) {}
}

impl Observer for () {}

/// Counts what most experiments ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Nodes above and on the horizon, the root included.
    pub(crate) nodes: u64,
    /// Nodes without children in the search.
    pub(crate) leaves: u64,
    /// Leaves by expected type: PV, CUT, ALL.
    pub(crate) leaves_by_type: [u64; 3],
    /// Nodes at which moves were skipped.
    pub(crate) cut_offs: u64,
    /// Nodes below the horizon.
    pub(crate) quiescence_nodes: u64,
    /// Positions that were in memory at the same time, at most.
    pub(crate) deepest_path: u64,
    path: u64,
}

impl Tally {
    /// All nodes, below the horizon too.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes + self.quiescence_nodes
    }
}

impl Observer for Tally {
    fn enter(&mut self, _visit: Visit) {
        self.nodes += 1;
        self.path += 1;
        self.deepest_path = self.deepest_path.max(self.path);
    }
    fn leaf(&mut self, visit: Visit) {
        self.leaves += 1;
        self.leaves_by_type[visit.expected as usize] += 1;
    }
    fn cut_off(&mut self, _visit: Visit) {
        self.cut_offs += 1;
    }
    fn quiescence_enter(&mut self, _ply: u32) {
        self.quiescence_nodes += 1;
    }
    fn leave(&mut self, _visit: Visit, _window: Window, _value: Value) {
        self.path -= 1;
    }
}

/// A node of a recorded search tree, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordedNode {
    /// Value for the side to move, as the search returned it.
    pub(crate) value: Value,
    /// Distance from the root.
    pub(crate) ply: u32,
    /// Below the horizon, where only captures are tried.
    pub(crate) quiescence: bool,
    /// Children that were searched, in the order of the search.
    pub(crate) children: Vec<RecordedNode>,
    /// A cut-off skipped further moves.
    pub(crate) cut: bool,
}

/// Records the whole tree of a (small) search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    open: Vec<RecordedNode>,
    /// The tree of the last finished search, if there was one.
    pub(crate) root: Option<RecordedNode>,
}

impl Recorder {
    fn open(&mut self, ply: u32, quiescence: bool) {
        self.open.push(RecordedNode {
            value: Value::ZERO,
            ply,
            quiescence,
            children: Vec::new(),
            cut: false,
        });
    }

    fn close(&mut self, value: Value) {
        if let Some(mut node) = self.open.pop() {
            node.value = value;
            match self.open.last_mut() {
                Some(parent) => parent.children.push(node),
                None => self.root = Some(node),
            }
        }
    }
}

impl Observer for Recorder {
    fn enter(&mut self, visit: Visit) {
        self.open(visit.ply, false);
    }
    fn cut_off(&mut self, _visit: Visit) {
        if let Some(node) = self.open.last_mut() {
            node.cut = true;
        }
    }
    fn quiescence_enter(&mut self, ply: u32) {
        self.open(ply, true);
    }
    fn quiescence_leave(&mut self, value: Value) {
        self.close(value);
    }
    fn leave(&mut self, _visit: Visit, _window: Window, value: Value) {
        self.close(value);
    }
}
