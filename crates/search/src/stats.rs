//! Counting what a search does: an observer.

use crate::{
    budget::{Category, Depth, Price},
    node::Node,
    observer::{Leave, MoveSearched, Observer, SearchEvent},
    window::Bound,
};

/// Cutoffs are told apart by move number up to this one.
pub const CUTOFF_NUMBERS: usize = 16;

/// What was charged to the moves of one category.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Charged {
    pub moves: u64,
    /// SX below nominal, in sixteenths (before the line credit).
    pub extended: u64,
    /// SX above nominal, in sixteenths.
    pub reduced: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Nominal depth in plies.
    pub depth: u32,
    /// Nodes since the start of the search.
    pub nodes: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Full-width nodes by expected type: open window, cut, all.
    pub expected: [u64; 3],
    /// Full-width nodes whose depth in plies would be another without the coupling.
    pub coupled: u64,
    /// Full-width nodes with a move loop by outcome: exact, cut (lower bound), all (upper bound).
    pub actual: [u64; 3],
    /// Cutoffs by the number of the cutting move, from 1.
    pub cutoffs: [u64; CUTOFF_NUMBERS],
    pub charged: [Charged; Category::COUNT],
    /// Plies of late-move reductions, in 1/128.
    pub reductions: u64,
    pub reduced_moves: u64,
    events: [u64; SearchEvent::ALL.len()],
    pub iterations: Vec<Iteration>,
}

impl Stats {
    pub fn count(&self, event: SearchEvent) -> u64 {
        self.events[event as usize]
    }
}

impl Observer for Stats {
    fn enter(&mut self, node: &Node<'_>) {
        let kind = match (node.pv, node.cut_node) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        self.expected[kind] += 1;
        let shared = Depth::from_raw(node.allowance.budgets.shared());
        self.coupled += u64::from(node.depth.in_plies() != shared.in_plies());
    }

    fn move_searched(&mut self, tried: &MoveSearched<'_>) {
        let charged = &mut self.charged[tried.category as usize];
        let above = tried.price.raw() - Price::NOMINAL.raw();
        charged.moves += 1;
        charged.reduced += above.max(0) as u64;
        charged.extended += (-above).max(0) as u64;
        if tried.reduction.raw() > 0 {
            self.reduced_moves += 1;
            self.reductions += tried.reduction.raw() as u64;
        }
    }

    fn leave(&mut self, leave: &Leave) {
        let kind = match leave.bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        self.actual[kind] += 1;
        if leave.cut_by > 0 {
            self.cutoffs[leave.cut_by.min(CUTOFF_NUMBERS) - 1] += 1;
        }
    }

    fn event(&mut self, event: SearchEvent) {
        self.events[event as usize] += 1;
    }

    fn iteration(&mut self, depth: u32, nodes: u64) {
        self.iterations.push(Iteration { depth, nodes });
    }
}
