//! What each side has left along the lines that a search shows, taken down by an observer of it.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use sextant_board::{Color, Position, replay};
use sextant_search::{Info, Node, Observer};

/// Nodes of principal variations in one iteration; they are few, and those beyond are left out.
const MAX_NODES: usize = 10_000;
/// The units of a budget in one SX.
const SX: f64 = 16.0;

/// What White and Black have left in SX, by the key of the position.
type ByKey = HashMap<u64, [f64; 2]>;

#[derive(Default)]
struct Seen {
    current: ByKey,
    /// The last iteration that was finished, with its nominal depth.
    finished: (u32, ByKey),
}

/// The budgets of the last two iterations of a search.
#[derive(Clone, Default)]
pub(crate) struct Budgets(Arc<Mutex<Seen>>);

/// Takes them down.
pub(crate) struct Watcher(Budgets);

impl Budgets {
    pub(crate) fn watcher(&self) -> Watcher {
        Watcher(self.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// At the root and after each move of a line, as far as the search went at full width.
    pub(crate) fn along(&self, root: &Position, info: &Info) -> Vec<[f64; 2]> {
        let seen = self.lock();
        let (depth, finished) = &seen.finished;
        let nodes = match info.depth {
            known if known == *depth => finished,
            next if next == *depth + 1 => &seen.current,
            _ => return Vec::new(),
        };
        let after = replay(root, &info.pv).map(|(before, mv)| before.make(mv).0.key());
        let keys = std::iter::once(root.key()).chain(after);
        keys.map_while(|key| nodes.get(&key).copied()).collect()
    }
}

impl Observer for Watcher {
    fn enter(&mut self, node: &Node<'_>) {
        if !node.pv {
            return;
        }
        let mut seen = self.0.lock();
        if seen.current.len() < MAX_NODES {
            let budgets = node.allowance.budgets;
            let mut left = [budgets.us(), budgets.them()].map(|it| f64::from(it.raw()) / SX);
            if node.pos.side_to_move() == Color::Black {
                left.reverse();
            }
            seen.current.insert(node.pos.key(), left);
        }
    }

    fn iteration(&mut self, depth: u32, _nodes: u64) {
        let mut seen = self.0.lock();
        let current = mem::take(&mut seen.current);
        seen.finished = (depth, current);
    }
}
