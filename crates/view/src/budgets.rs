//! What each side has left along the lines that a search shows, taken down by an observer of it.

use std::{
    collections::{HashMap, VecDeque},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use sextant_board::{Color, Position, replay};
use sextant_search::{Info, Node, Observer, budget::Allowance};

use crate::sx;

/// Nodes of principal variations in one iteration; they are few, and those beyond are left out.
/// Of the iterations before the last as many are kept as have no more together.
const MAX_NODES: usize = 10_000;

/// The positions of a line from the root, each with what White and Black have left in SX.
type Path = Vec<(u64, [f64; 2])>;

/// How each node of a principal variation was reached last, by the key of its position.
type Nodes = HashMap<u64, Path>;

#[derive(Default)]
struct Seen {
    current: Nodes,
    /// The last iterations that were finished, with their nominal depths: a search is ahead of
    /// what is shown of it.
    finished: VecDeque<(u32, Nodes)>,
}

impl Seen {
    fn of_depth(&self, depth: u32) -> Option<&Nodes> {
        let mut finished = self.finished.iter().rev();
        let known = finished.find(|(of, _)| *of == depth);
        let is_next = self.finished.back().map_or(0, |(last, _)| *last) + 1 == depth;
        known
            .map(|(_, nodes)| nodes)
            .or(is_next.then_some(&self.current))
    }

    fn finish(&mut self, depth: u32) {
        let nodes = mem::take(&mut self.current);
        self.finished.push_back((depth, nodes));
        let all = |finished: &VecDeque<(u32, Nodes)>| -> usize {
            finished.iter().map(|(_, nodes)| nodes.len()).sum()
        };
        while self.finished.len() > 1 && all(&self.finished) > MAX_NODES {
            self.finished.pop_front();
        }
    }
}

/// The budgets of the last iterations of a search.
#[derive(Clone, Default)]
pub(crate) struct Budgets(Arc<Mutex<Seen>>);

/// Takes them down.
pub(crate) struct Watcher {
    budgets: Budgets,
    path: Path,
}

impl Budgets {
    pub(crate) fn watcher(&self) -> Watcher {
        Watcher {
            budgets: self.clone(),
            path: Path::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// At the root and after each move of a line, as far as the search went at full width.
    pub(crate) fn along(&self, root: &Position, info: &Info) -> Vec<[f64; 2]> {
        let seen = self.lock();
        let Some(nodes) = seen.of_depth(info.depth) else {
            return Vec::new();
        };
        let after = replay(root, &info.pv).map(|(before, mv)| before.make(mv).0.key());
        let keys: Vec<u64> = std::iter::once(root.key()).chain(after).collect();
        // The root may have been searched again with less; one descent is told, the longest.
        let paths = keys.iter().rev().filter_map(|key| nodes.get(key));
        let is_it = |path: &&Path| {
            path.iter()
                .map(|(key, _)| key)
                .eq(keys.iter().take(path.len()))
        };
        let path = paths.into_iter().find(is_it);
        path.map_or_else(Vec::new, |path| {
            path.iter().map(|(_, left)| *left).collect()
        })
    }
}

impl Observer for Watcher {
    fn enter(&mut self, node: &Node<'_>) {
        if !node.pv {
            return;
        }
        let Allowance { budgets, .. } = node.allowance;
        let mut left = [budgets.us(), budgets.them()].map(|it| sx(it.raw()));
        if node.pos.side_to_move() == Color::Black {
            left.reverse();
        }
        let key = node.pos.key();
        self.path.truncate(node.ply.0.into());
        // A position that recurs on the way, such as the root, is known by its first time.
        let recurs = self.path.iter().any(|(before, _)| *before == key);
        self.path.push((key, left));
        let mut seen = self.budgets.lock();
        if !recurs && seen.current.len() < MAX_NODES {
            seen.current.insert(key, self.path.clone());
        }
    }

    fn iteration(&mut self, depth: u32, _nodes: u64) {
        self.budgets.lock().finish(depth);
    }
}
