//! Searches that look at every position of the tree: minimax, negamax, breadth first, and negamax
//! with a table.

use std::collections::HashMap;

use super::{Tally, Visit};
use crate::game::{Game, Value, Window};

/// Minimax: one player picks the largest value, the other the smallest.
///
/// Unlike every other algorithm here it keeps all values from the root player's view, as the
/// theorem is usually told.
pub(crate) fn minimax<G: Game>(position: &G, depth: u32) -> Value {
    minimax_node(position, depth, 0)
}

fn minimax_node<G: Game>(position: &G, depth: u32, ply: u32) -> Value {
    let is_max = ply.is_multiple_of(2);
    let for_root = |value: Value| if is_max { value } else { -value };
    if depth == 0 {
        return for_root(position.evaluate());
    }
    let moves = position.moves().into_iter();
    let values = moves.map(|mv| minimax_node(&position.play(mv), depth - 1, ply + 1));
    let best = if is_max { values.max() } else { values.min() };
    best.unwrap_or_else(|| for_root(position.outcome(ply)))
}

/// Negamax: minimax with every value seen from the side to move, so that both players maximize.
/// Visits every node: b^depth leaves where there are b moves everywhere.
pub(crate) fn negamax<G: Game>(position: &G, depth: u32) -> (Value, Tally) {
    let mut tally = Tally::default();
    let value = negamax_node(position, Visit::root(depth), &mut tally);
    (value, tally)
}

fn negamax_node<G: Game>(position: &G, visit: Visit, tally: &mut Tally) -> Value {
    let value = if visit.depth == 0 {
        tally.leaf(visit);
        position.evaluate()
    } else {
        let moves = position.moves().into_iter().enumerate();
        let values =
            moves.map(|(index, mv)| -negamax_node(&position.play(mv), visit.child(index), tally));
        values.max().unwrap_or_else(|| {
            tally.leaf(visit);
            position.outcome(visit.ply)
        })
    };
    tally.leave(visit, Window::FULL, value);
    value
}

/// Breadth first: builds the whole tree level by level, then works back up. Returns how many
/// positions each level has too, the root's first: all of them are held in memory at once, which is
/// why nobody searches like this.
pub(crate) fn breadth_first<G: Game>(root: &G, depth: u32) -> (Value, Vec<usize>) {
    // Each position with the place of its parent in the level above.
    let mut levels = vec![vec![(root.clone(), 0)]];
    for ply in 0..depth as usize {
        let parents = levels[ply].iter().enumerate();
        let children = parents.flat_map(|(place, (parent, _))| {
            let moves = parent.moves().into_iter();
            moves.map(move |mv| (parent.play(mv), place))
        });
        let children = children.collect();
        levels.push(children);
    }
    // What the children of each position on a level have come to; above the root is one opponent.
    let mut best = vec![None; levels[depth as usize].len()];
    for ply in (0..=depth).rev() {
        let place = ply as usize;
        let mut above = vec![None; place.checked_sub(1).map_or(1, |above| levels[above].len())];
        for ((position, parent), best) in levels[place].iter().zip(best) {
            let value: Value = best.unwrap_or_else(|| match ply == depth {
                true => position.evaluate(),
                false => position.outcome(ply),
            });
            above[*parent] = above[*parent].max(Some(-value));
        }
        best = above;
    }
    let value = -best[0].unwrap_or(Value::ZERO);
    (value, levels.iter().map(Vec::len).collect())
}

/// The true value of `position` for the side to move, playing to the end of the game. `table`
/// receives every position met, under the name that `key` gives it, and each is searched once;
/// positions with the same name must have the same value.
pub(crate) fn solve<G: Game>(
    position: &G,
    key: &impl Fn(&G) -> u64,
    table: &mut HashMap<u64, Value>,
) -> Value {
    let name = key(position);
    if let Some(&value) = table.get(&name) {
        return value;
    }
    let moves = position.moves().into_iter();
    let best = moves.map(|mv| -solve(&position.play(mv), key, table)).max();
    let value = best.unwrap_or_else(|| position.outcome(0));
    table.insert(name, value);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::uniform::{Order, UniformTree};

    #[test]
    fn all_three_ways_to_evaluate_a_tree_agree() {
        for seed in 0..50 {
            let tree = UniformTree::new(4, 5, Order::Independent(seed)).unwrap();
            let (value, levels) = breadth_first(&tree, 5);
            assert_eq!(levels, [1, 4, 16, 64, 256, 1024]);
            assert_eq!([value; 2], [negamax(&tree, 5).0, minimax(&tree, 5)]);
        }
    }
}
