//! Wheeler's figures 1 and 2, drawn from real runs: a four-ply minimax tree with its backed-up
//! values, and the same tree as alpha-beta sees it.

use crate::game::Window;
use crate::game::uniform::{Order, UniformTree};
use crate::report::{Figure, TreeFigure, TreeNode};
use crate::textbook::alpha_beta::AlphaBeta;
use crate::textbook::negamax::negamax;
use crate::textbook::observer::{RecordedNode, Recorder};
use crate::textbook::ordering::AsGenerated;
use crate::textbook::quiescence::Evaluate;

const PLIES: u32 = 4;

/// Both figures; `seed` shuffles the leaves 0 to 15.
#[must_use]
pub fn trees(seed: u64) -> Vec<Figure> {
    let Some(tree) = UniformTree::new(2, PLIES, Order::Shuffled(seed)) else {
        return Vec::new();
    };
    let mut whole = Recorder::default();
    negamax(&tree, PLIES, &mut whole);
    let mut cut = AlphaBeta {
        order: AsGenerated,
        horizon: Evaluate,
        observer: Recorder::default(),
    };
    cut.search(&tree, Window::FULL, PLIES);
    let figure = |title: &str, root: Option<RecordedNode>| {
        let root = drawn(&root?, true);
        Some(Figure::Tree(TreeFigure {
            title: title.to_owned(),
            root,
        }))
    };
    let figures = [
        figure(
            "Minimax, four plies: backed-up values in parentheses, the principal variation heavy",
            whole.into_tree(),
        ),
        figure(
            "The same tree by alpha-beta: what is cut off is never looked at (values are bounds \
             off the principal variation)",
            cut.observer.into_tree(),
        ),
    ];
    figures.into_iter().flatten().collect()
}

/// Labels are from the first player's view; the heavy path leads to the leaf that decides.
fn drawn(node: &RecordedNode, principal: bool) -> TreeNode {
    let sign = if node.ply.is_multiple_of(2) { 1 } else { -1 };
    let value = node.value.0 * sign;
    let leaf = node.children.is_empty();
    let mut decided = false;
    let children = node.children.iter().map(|child| {
        let decides = principal && !decided && child.value == -node.value;
        decided |= decides;
        drawn(child, decides)
    });
    TreeNode {
        label: if leaf {
            value.to_string()
        } else {
            format!("({value})")
        },
        branch: String::new(),
        heavy: principal,
        children: children.collect(),
        skipped: node.skipped,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(node: &TreeNode) -> (usize, usize) {
        let below = node.children.iter().map(count);
        let own = (usize::from(node.children.is_empty()), node.skipped);
        below.fold(own, |sum, next| (sum.0 + next.0, sum.1 + next.1))
    }

    fn principal_leaf(node: &TreeNode) -> &TreeNode {
        node.children
            .iter()
            .find(|child| child.heavy)
            .map_or(node, principal_leaf)
    }

    #[test]
    fn the_minimax_tree_is_whole_and_alpha_beta_finds_the_same_leaf_with_less() {
        let figures = trees(1);
        let [Figure::Tree(whole), Figure::Tree(cut)] = &figures[..] else {
            panic!("{figures:?}")
        };
        assert_eq!(count(&whole.root), (16, 0));
        let (leaves, skipped) = count(&cut.root);
        assert!(leaves < 16 && skipped > 0);
        let value = whole.root.label.trim_matches(['(', ')']);
        assert_eq!(principal_leaf(&whole.root).label, value);
        assert_eq!(principal_leaf(&cut.root).label, value);
    }
}
