//! Alpha-beta let loose on synthetic trees.

use crate::game::Window;
use crate::game::uniform::{Order, UniformTree};
use crate::textbook::alpha_beta::AlphaBeta;
use crate::textbook::observer::Tally;
use crate::textbook::ordering::AsGenerated;
use crate::textbook::quiescence::Evaluate;

/// What plain alpha-beta visits in a tree with `b` moves everywhere and `n` plies, or `None` if
/// such a tree has too many leaves to number.
#[must_use]
pub fn alpha_beta_leaves(b: u32, n: u32, order: Order) -> Option<Tally> {
    let tree = UniformTree::new(b, n, order)?;
    let mut search = AlphaBeta {
        order: AsGenerated,
        horizon: Evaluate,
        observer: Tally::default(),
    };
    search.search(&tree, Window::FULL, n);
    Some(search.observer)
}

/// The deepest minimal tree for `b` with at most `cap` leaves.
#[must_use]
pub fn deepest(b: u32, cap: u64) -> u32 {
    let fits = |n: u32| {
        UniformTree::new(b, n, Order::BestFirst).is_some()
            && super::formulas::best_case(b.into(), n) <= cap
    };
    (1..).take_while(|&n| fits(n)).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::minimal_tree::formulas::{best_case, leaves, worst_case};
    use crate::textbook::observer::NodeType;

    #[test]
    fn best_first_alpha_beta_visits_exactly_the_minimal_tree() {
        for b in 2..=40 {
            for n in 0..=deepest(b, 20_000) {
                let tally = alpha_beta_leaves(b, n, Order::BestFirst).unwrap();
                let expected = NodeType::EACH.map(|t| leaves(t, b.into(), n));
                assert_eq!(tally.leaves_by_type, expected, "b {b}, n {n}");
                assert_eq!(tally.leaves, best_case(b.into(), n));
            }
        }
    }

    #[test]
    fn worst_first_alpha_beta_cuts_nothing_off() {
        for (b, n) in [(2, 12), (3, 8), (5, 5), (10, 4), (40, 3)] {
            let tally = alpha_beta_leaves(b, n, Order::WorstFirst).unwrap();
            assert_eq!(tally.leaves, worst_case(b.into(), n));
            assert_eq!(tally.cut_offs, 0);
        }
    }

    #[test]
    fn random_order_lies_between() {
        for seed in 0..20 {
            for order in [Order::Shuffled(seed), Order::Independent(seed)] {
                let found = alpha_beta_leaves(6, 5, order).unwrap().leaves;
                assert!(
                    found > best_case(6, 5) && found < worst_case(6, 5),
                    "{order:?}: {found}"
                );
            }
        }
    }
}
