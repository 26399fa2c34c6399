//! Breadth-first evaluation: build the whole tree level by level, then work back up.
//!
//! It gives the same values as depth-first search and holds every position in memory at once,
//! which is why nobody searches like this.

use crate::game::{Game, Value};

/// What a breadth-first evaluation found and what it had to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BreadthFirst {
    /// Value for the side to move at the root.
    pub(crate) value: Value,
    /// How many positions each level has, the root's first.
    pub(crate) levels: Vec<usize>,
}

impl BreadthFirst {
    /// Positions in memory at the end: all of them.
    pub(crate) fn stored(&self) -> usize {
        self.levels.iter().sum()
    }
}

struct Node<G> {
    position: G,
    parent: usize,
    /// Best value found among the children, or the node's own value if it has none.
    best: Option<Value>,
}

/// Evaluates `root` by looking `depth` plies ahead; the tree must fit into memory.
pub(crate) fn breadth_first<G: Game>(root: &G, depth: u32) -> BreadthFirst {
    let mut nodes = vec![Node {
        position: root.clone(),
        parent: 0,
        best: None,
    }];
    let mut levels = vec![1];
    let mut level = 0..1;
    for ply in 0..depth {
        for index in level.clone() {
            let moves = nodes[index].position.moves();
            if moves.is_empty() {
                nodes[index].best = Some(nodes[index].position.outcome(ply));
            }
            for mv in moves {
                let position = nodes[index].position.play(mv);
                nodes.push(Node {
                    position,
                    parent: index,
                    best: None,
                });
            }
        }
        level = level.end..nodes.len();
        if level.is_empty() {
            break;
        }
        levels.push(level.len());
    }
    // Children stand behind their parents, so from the back every node is complete in its turn.
    for index in (1..nodes.len()).rev() {
        let value = -value_of(&nodes[index]);
        let parent = nodes[index].parent;
        let best = &mut nodes[parent].best;
        *best = Some(best.map_or(value, |known| known.max(value)));
    }
    BreadthFirst {
        value: value_of(&nodes[0]),
        levels,
    }
}

fn value_of<G: Game>(node: &Node<G>) -> Value {
    node.best.unwrap_or_else(|| node.position.evaluate())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::uniform::{Order, UniformTree};
    use crate::textbook::minimax::minimax;
    use crate::textbook::negamax::negamax;

    #[test]
    fn all_three_ways_to_evaluate_a_tree_agree() {
        for seed in 0..50 {
            let tree = UniformTree::new(4, 5, Order::Independent(seed)).unwrap();
            let breadth = breadth_first(&tree, 5);
            assert_eq!(breadth.levels, [1, 4, 16, 64, 256, 1024]);
            assert_eq!(breadth.value, negamax(&tree, 5, &mut ()));
            assert_eq!(breadth.value, minimax(&tree, 5, &mut ()));
        }
    }
}
