//! Watching a search without changing it.

use crate::game::{Value, Window};

/// What a node is in the minimal tree of Knuth and Moore, who call the types 1, 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeType {
    /// On the principal variation: its exact value is needed.
    Pv,
    /// One good reply is enough here: the node is left by a cut-off.
    Cut,
    /// Every reply must be looked at, and none is good enough.
    All,
}

impl NodeType {
    /// All three, in the order of the tables.
    pub const EACH: [NodeType; 3] = [NodeType::Pv, NodeType::Cut, NodeType::All];

    /// The type that a node's child number `index` (from 0) is expected to have.
    #[must_use]
    pub fn child(self, index: usize) -> NodeType {
        match self {
            NodeType::Pv if index == 0 => NodeType::Pv,
            NodeType::Pv | NodeType::All => NodeType::Cut,
            NodeType::Cut => NodeType::All,
        }
    }

    /// The type that a node turned out to have, from the window it had and the value it found.
    #[must_use]
    pub fn found(window: Window, value: Value) -> NodeType {
        if value >= window.beta {
            NodeType::Cut
        } else if value <= window.alpha {
            NodeType::All
        } else {
            NodeType::Pv
        }
    }

    /// As it is written in the sources.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            NodeType::Pv => "PV",
            NodeType::Cut => "CUT",
            NodeType::All => "ALL",
        }
    }
}

/// Where in the tree the search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Distance from the root.
    pub ply: u32,
    /// How many plies are still to be searched below.
    pub depth: u32,
    /// What the node should be, were the move order perfect.
    pub expected: NodeType,
}

impl Visit {
    /// The root of a search of `depth` plies.
    #[must_use]
    pub fn root(depth: u32) -> Visit {
        Visit {
            ply: 0,
            depth,
            expected: NodeType::Pv,
        }
    }

    /// The child that is tried as number `index` (from 0). Only asked above the horizon.
    #[must_use]
    pub fn child(self, index: usize) -> Visit {
        Visit {
            ply: self.ply + 1,
            depth: self.depth - 1,
            expected: self.expected.child(index),
        }
    }
}

/// What a search tells whoever watches it. Every method may be left out, and costs nothing then.
pub trait Observer {
    /// The search comes to a node.
    fn enter(&mut self, _visit: Visit) {}
    /// The node has no children in this search: it is evaluated, or the game is over.
    fn leaf(&mut self, _visit: Visit) {}
    /// Some of the node's moves need not be looked at.
    fn cut_off(&mut self, _visit: Visit, _skipped: usize) {}
    /// The search comes to a node below the horizon, where only captures are tried.
    fn quiescence_enter(&mut self, _ply: u32) {}
    /// The search leaves such a node.
    fn quiescence_leave(&mut self, _ply: u32, _value: Value) {}
    /// The search leaves a node, which had this window and this (fail-soft) value.
    fn leave(&mut self, _visit: Visit, _window: Window, _value: Value) {}
}

impl Observer for () {}

impl<O: Observer> Observer for &mut O {
    fn enter(&mut self, visit: Visit) {
        (**self).enter(visit);
    }
    fn leaf(&mut self, visit: Visit) {
        (**self).leaf(visit);
    }
    fn cut_off(&mut self, visit: Visit, skipped: usize) {
        (**self).cut_off(visit, skipped);
    }
    fn quiescence_enter(&mut self, ply: u32) {
        (**self).quiescence_enter(ply);
    }
    fn quiescence_leave(&mut self, ply: u32, value: Value) {
        (**self).quiescence_leave(ply, value);
    }
    fn leave(&mut self, visit: Visit, window: Window, value: Value) {
        (**self).leave(visit, window, value);
    }
}

/// Counts what most experiments ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Nodes above and on the horizon, the root included.
    pub nodes: u64,
    /// Nodes without children in the search.
    pub leaves: u64,
    /// Leaves by expected type: PV, CUT, ALL.
    pub leaves_by_type: [u64; 3],
    /// Nodes at which moves were skipped.
    pub cut_offs: u64,
    /// Nodes below the horizon.
    pub quiescence_nodes: u64,
    /// Positions that were in memory at the same time, at most.
    pub deepest_path: u64,
    path: u64,
}

impl Tally {
    /// All nodes, below the horizon too.
    #[must_use]
    pub fn all_nodes(&self) -> u64 {
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
    fn cut_off(&mut self, _visit: Visit, _skipped: usize) {
        self.cut_offs += 1;
    }
    fn quiescence_enter(&mut self, _ply: u32) {
        self.quiescence_nodes += 1;
    }
    fn leave(&mut self, _visit: Visit, _window: Window, _value: Value) {
        self.path -= 1;
    }
}

/// How many nodes at each ply were expected to be of one type and turned out to be of another.
#[derive(Clone, Debug, Default)]
pub struct Census {
    /// `by_ply[ply][expected][found]`, both in the order PV, CUT, ALL.
    pub by_ply: Vec<[[u64; 3]; 3]>,
}

impl Census {
    /// Adds another search's counts to these.
    pub fn add(&mut self, other: &Census) {
        self.reach(other.by_ply.len());
        for (mine, theirs) in self.by_ply.iter_mut().zip(&other.by_ply) {
            for expected in 0..3 {
                for found in 0..3 {
                    mine[expected][found] += theirs[expected][found];
                }
            }
        }
    }

    fn reach(&mut self, plies: usize) {
        let longer = plies.max(self.by_ply.len());
        self.by_ply.resize(longer, [[0; 3]; 3]);
    }
}

impl Observer for Census {
    fn leave(&mut self, visit: Visit, window: Window, value: Value) {
        let ply = visit.ply as usize;
        self.reach(ply + 1);
        let found = NodeType::found(window, value);
        self.by_ply[ply][visit.expected as usize][found as usize] += 1;
    }
}

/// A node of a recorded search tree, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedNode {
    /// Value for the side to move, as the search returned it.
    pub value: Value,
    /// Distance from the root.
    pub ply: u32,
    /// Below the horizon, where only captures are tried.
    pub quiescence: bool,
    /// Children that were searched, in the order of the search.
    pub children: Vec<RecordedNode>,
    /// How many further moves a cut-off skipped.
    pub skipped: usize,
}

/// Records the whole tree of a (small) search.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    open: Vec<RecordedNode>,
    root: Option<RecordedNode>,
}

impl Recorder {
    /// The tree of the last finished search, if there was one.
    #[must_use]
    pub fn into_tree(self) -> Option<RecordedNode> {
        self.root
    }
}

impl Recorder {
    fn open(&mut self, ply: u32, quiescence: bool) {
        self.open.push(RecordedNode {
            value: Value::ZERO,
            ply,
            quiescence,
            children: Vec::new(),
            skipped: 0,
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
    fn cut_off(&mut self, _visit: Visit, skipped: usize) {
        if let Some(node) = self.open.last_mut() {
            node.skipped = skipped;
        }
    }
    fn quiescence_enter(&mut self, ply: u32) {
        self.open(ply, true);
    }
    fn quiescence_leave(&mut self, _ply: u32, value: Value) {
        self.close(value);
    }
    fn leave(&mut self, _visit: Visit, _window: Window, value: Value) {
        self.close(value);
    }
}
