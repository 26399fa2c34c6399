//! A combination as a search tree with both sides' budgets on it.

use std::cmp::Reverse;

use sextant_board::{Color, Move, Position, to_san};
use sextant_cli::failure::Failure;
use sextant_config::Config;
use sextant_search::{Leave, MoveSearched, Node, Observer, budget::Allowance};

use super::{contenders::SX, problems::Problem};
use crate::{
    engine::{FreshEngine, to_depth},
    report::{Figure, TreeFigure, TreeNode},
};

/// Plies of the best line at which two other moves are drawn; deeper it is one.
const BROAD: usize = 2;

/// A node of the last search of the root.
struct Seen {
    position: Position,
    /// `None` until the search enters it: at the horizon it never does.
    line: Option<Allowance>,
    mv: Option<Move>,
    /// What the mover was asked, in sixteenths of an SX.
    price: i32,
    best: Option<Move>,
    children: Vec<usize>,
}

/// Records the tree of the last search of the root.
#[derive(Default)]
struct Recorder {
    nodes: Vec<Seen>,
    path: Vec<usize>,
}

impl Recorder {
    fn add(&mut self, position: Position, mv: Option<Move>, price: i32) -> usize {
        self.nodes.push(Seen {
            position,
            line: None,
            mv,
            price,
            best: None,
            children: Vec::new(),
        });
        self.nodes.len() - 1
    }

    /// The node that is entered: the child that was tried last, or one that nobody tried (after a
    /// null move, say), which stays out of the tree.
    fn entered(&mut self, node: &Node<'_>) -> usize {
        let parent = node
            .ply
            .index()
            .checked_sub(1)
            .map(|above| self.path[above]);
        let last = parent.and_then(|parent| self.nodes[parent].children.last().copied());
        match last.filter(|&last| self.nodes[last].position == *node.pos) {
            Some(last) => last,
            None => self.add(node.pos.clone(), None, 0),
        }
    }
}

impl Observer for Recorder {
    fn enter(&mut self, node: &Node<'_>) {
        let ply = node.ply.index();
        if ply == 0 {
            self.nodes.clear();
        }
        self.path.truncate(ply);
        let at = self.entered(node);
        let seen = &mut self.nodes[at];
        seen.line = Some(node.allowance);
        seen.best = None;
        seen.children.clear();
        self.path.push(at);
    }

    fn move_searched(&mut self, tried: &MoveSearched<'_>) {
        self.path.truncate(tried.ply.index() + 1);
        let parent = self.path[tried.ply.index()];
        let position = self.nodes[parent].position.make(tried.mv).0;
        let child = self.add(position, Some(tried.mv), tried.price.raw());
        self.nodes[parent].children.push(child);
    }

    fn leave(&mut self, leave: &Leave) {
        if let Some(&at) = self.path.get(leave.ply.index()) {
            self.nodes[at].best = leave.best;
        }
    }
}

/// Searches a problem to a nominal depth and draws its best line with the largest alternatives.
pub(super) fn figure(problem: &Problem, config: &Config, depth: u32) -> Result<Figure, Failure> {
    let mut engine = FreshEngine::new(config)?;
    let position = &problem.epd.position;
    let (_, recorder) = engine.watch(position, &to_depth(depth), Recorder::default(), &mut |_| {});
    let white = position.side_to_move() == Color::White;
    Ok(Figure::Tree(TreeFigure {
        title: format!(
            "{} ({} to move) at nominal depth {depth}: the best line and the largest of the other \
             subtrees. Branches: move and its SXDEC. Nodes: SEX left to White and Black; \"q\" is \
             quiescence.",
            problem.name,
            if white { "White" } else { "Black" },
        ),
        root: drawn(&recorder.nodes, 0, 0, true),
    }))
}

fn drawn(nodes: &[Seen], at: usize, ply: usize, on_line: bool) -> TreeNode {
    let seen = &nodes[at];
    let mut children = Vec::new();
    if on_line {
        for child in chosen(nodes, seen, if ply < BROAD { 2 } else { 1 }) {
            let heavy = nodes[child].mv == seen.best;
            let mut node = drawn(nodes, child, ply + 1, heavy);
            node.branch = branch(&seen.position, &nodes[child]);
            node.heavy = heavy;
            children.push(node);
        }
    }
    TreeNode {
        label: label(seen),
        branch: String::new(),
        heavy: on_line,
        children,
        cut: false,
    }
}

/// The best move and the `others` largest subtrees, in the order of the search.
fn chosen(nodes: &[Seen], seen: &Seen, others: usize) -> Vec<usize> {
    let is_best = |child: &usize| nodes[*child].mv == seen.best;
    let Some(best) = seen.children.iter().copied().find(is_best) else {
        return Vec::new();
    };
    let mut rest: Vec<usize> = seen
        .children
        .iter()
        .copied()
        .filter(|&c| c != best)
        .collect();
    rest.sort_by_key(|&child| Reverse(size(nodes, child)));
    rest.truncate(others);
    rest.push(best);
    rest.sort_unstable();
    rest
}

fn size(nodes: &[Seen], at: usize) -> usize {
    1 + nodes[at]
        .children
        .iter()
        .map(|&child| size(nodes, child))
        .sum::<usize>()
}

fn branch(before: &Position, child: &Seen) -> String {
    let san = child.mv.map_or_else(String::new, |mv| to_san(before, mv));
    format!("{san} {}", in_sx(child.price))
}

/// What White and Black have left.
fn label(seen: &Seen) -> String {
    let Some(line) = seen.line else {
        return "q".to_owned();
    };
    let (us, them) = (line.budgets.us().raw(), line.budgets.them().raw());
    let (white, black) = match seen.position.side_to_move() {
        Color::White => (us, them),
        Color::Black => (them, us),
    };
    format!("{} / {}", in_sx(white), in_sx(black))
}

fn in_sx(raw: i32) -> String {
    let text = format!("{:.2}", f64::from(raw) / f64::from(SX));
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        experiment::quick,
        experiments::sex_algorithm::{Family, Spending, problems::choose},
    };

    #[test]
    fn the_tree_follows_the_best_line_and_shows_budgets() {
        let context = quick(1);
        let problem = &choose(&context, 1).unwrap()[0];
        let config = Family::Cyrus
            .config(Spending::BothSpent, &context.config)
            .unwrap();
        let Figure::Tree(tree) = figure(problem, &config, 4).unwrap() else {
            panic!("a tree was asked for");
        };
        // Iteration 5 of 7 SX is the first of nominal depth 4 or more: 28 SX are 3.5 plies.
        assert_eq!(tree.root.label, "14 / 14");
        let heavy = tree.root.children.iter().filter(|child| child.heavy);
        assert_eq!(heavy.count(), 1);
        let mut line = 0;
        let mut node = &tree.root;
        while let Some(next) = node.children.iter().find(|child| child.heavy) {
            assert!(next.branch.contains(' '), "{:?}", next.branch);
            (node, line) = (next, line + 1);
        }
        assert!(line >= 3, "{line}");
    }
}
