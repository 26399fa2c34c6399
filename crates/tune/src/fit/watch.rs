//! The observer that picks nodes of a search.

use sextant_board::Random;
use sextant_search::{Node, NodeSnapshot, Observer};

use super::{facts, sample::Sample};

/// Below this many plies a tree has no typical growth yet.
const SHALLOW: u32 = 4;

/// Picks nodes at random, each as likely as the square of its depth in plies says: most nodes of a
/// tree stand next to the horizon, where there is least to reduce. No position is picked twice.
///
/// The method is the weighted reservoir of Efraimidis and Spirakis (2006): every node draws
/// `ln(u) / weight`, and the largest draws stay.
pub(super) struct Watch {
    random: Random,
    wanted: usize,
    picked: Vec<Picked>,
    /// The draw of the node that is about to be shown, and the key of its position.
    next: (f64, u64),
    /// Depth and nodes at the end of each iteration.
    iterations: Vec<(u32, u64)>,
}

struct Picked {
    draw: f64,
    key: u64,
    sample: Sample,
}

impl Watch {
    /// Will pick `wanted` nodes, if there are as many positions.
    pub(super) fn new(random: Random, wanted: usize) -> Watch {
        Watch {
            random,
            wanted,
            picked: Vec::with_capacity(wanted),
            next: (0.0, 0),
            iterations: Vec::new(),
        }
    }

    /// What was picked, in an order that says nothing.
    pub(super) fn into_samples(self) -> Vec<Sample> {
        self.picked.into_iter().map(|one| one.sample).collect()
    }

    /// Logarithm of the mean growth of the nodes from ply to ply at the end of the search; 0 if it
    /// ended too early.
    pub(super) fn growth(&self) -> f32 {
        let [.., then, _, now] = self.iterations[..] else {
            return 0.0;
        };
        if now.0 < SHALLOW || now.0 <= then.0 || then.1 == 0 {
            return 0.0;
        }
        ((now.1 as f64 / then.1 as f64).ln() / f64::from(now.0 - then.0)) as f32
    }

    fn least(&self) -> Option<(usize, f64)> {
        let draws = self.picked.iter().map(|one| one.draw).enumerate();
        draws.min_by(|(_, a), (_, b)| a.total_cmp(b))
    }
}

impl Observer for Watch {
    fn wants_snapshot(&mut self, node: &Node<'_>) -> bool {
        let key = node.pos.key();
        if self.picked.iter().any(|one| one.key == key) {
            return false;
        }
        let plies = f64::from(node.depth.in_plies().max(1));
        // In (0, 1].
        let uniform = ((self.random.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
        let draw = uniform.ln() / (plies * plies);
        self.next = (draw, key);
        self.picked.len() < self.wanted || self.least().is_some_and(|(_, least)| draw > least)
    }

    fn snapshot(&mut self, frozen: &NodeSnapshot<'_>) {
        let (draw, key) = self.next;
        let sample = facts::sample(frozen);
        let picked = Picked { draw, key, sample };
        match self.least().filter(|_| self.picked.len() >= self.wanted) {
            Some((place, _)) => self.picked[place] = picked,
            None => self.picked.push(picked),
        }
    }

    fn iteration(&mut self, depth: u32, nodes: u64) {
        self.iterations.push((depth, nodes));
    }
}
