//! The observer that picks nodes of a search.

use sextant_board::Random;
use sextant_search::{Node, NodeSnapshot, Observer};

use super::sample::Picked;

/// Picks nodes at random, each as likely as the square of its depth in plies says: most nodes of a
/// tree stand next to the horizon, where there is least to reduce. No position is picked twice.
///
/// The method is the weighted reservoir of Efraimidis and Spirakis (2006): every node draws
/// `ln(u) / weight`, and the largest draws stay.
pub(super) struct Watch {
    random: Random,
    wanted: usize,
    drawn: Vec<Drawn>,
    /// The draw of the node that is about to be shown.
    next: f64,
}

struct Drawn {
    draw: f64,
    picked: Picked,
}

impl Watch {
    /// Will pick `wanted` nodes, if there are as many positions.
    pub(super) fn new(random: Random, wanted: usize) -> Watch {
        Watch {
            random,
            wanted,
            drawn: Vec::with_capacity(wanted),
            next: 0.0,
        }
    }

    /// What was picked, in an order that says nothing.
    pub(super) fn into_picked(self) -> impl Iterator<Item = Picked> {
        self.drawn.into_iter().map(|one| one.picked)
    }

    fn least(&self) -> Option<(usize, f64)> {
        let draws = self.drawn.iter().map(|one| one.draw).enumerate();
        draws.min_by(|(_, a), (_, b)| a.total_cmp(b))
    }
}

impl Observer for Watch {
    fn wants_snapshot(&mut self, node: &Node<'_>) -> bool {
        let key = node.pos.key();
        if self
            .drawn
            .iter()
            .any(|one| one.picked.position.key() == key)
        {
            return false;
        }
        let plies = f64::from(node.depth.in_plies().max(1));
        // In (0, 1].
        let uniform = ((self.random.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
        self.next = uniform.ln() / (plies * plies);
        self.drawn.len() < self.wanted || self.least().is_some_and(|(_, least)| self.next > least)
    }

    fn snapshot(&mut self, snapshot: &NodeSnapshot<'_>) {
        let drawn = Drawn {
            draw: self.next,
            picked: Picked::new(snapshot),
        };
        match self.least().filter(|_| self.drawn.len() >= self.wanted) {
            Some((place, _)) => self.drawn[place] = drawn,
            None => self.drawn.push(drawn),
        }
    }
}
