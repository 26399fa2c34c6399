//! Leaves of the minimal tree: Levin's formula (Edwards and Hart 1961) and its two recurrences.

use crate::textbook::observer::NodeType;

/// Leaves of the whole tree: what a search without cut-offs evaluates.
#[must_use]
pub fn worst_case(b: u64, n: u32) -> u64 {
    b.pow(n)
}

/// Leaves of the minimal tree: the least that alpha-beta can do.
#[must_use]
pub fn best_case(b: u64, n: u32) -> u64 {
    b.pow(n.div_ceil(2)) + b.pow(n / 2) - 1
}

/// Leaves of one type at depth `n` in a minimal tree with `b` moves everywhere.
#[must_use]
pub fn leaves(node_type: NodeType, b: u64, n: u32) -> u64 {
    match node_type {
        NodeType::Pv => 1,
        NodeType::Cut => b.pow(n.div_ceil(2)) - 1,
        NodeType::All => b.pow(n / 2) - 1,
    }
}

/// CUT leaves at depth `n` >= 1 from those one ply higher. The source prints the odd case with a
/// plus where a minus belongs; see [`next_cut_as_printed`].
#[must_use]
pub fn next_cut(b: u64, n: u32, previous: u64) -> u64 {
    if n.is_multiple_of(2) {
        previous
    } else {
        previous + b.pow(n.div_ceil(2)) - b.pow(n / 2)
    }
}

/// The same recurrence as the source prints it.
#[must_use]
pub fn next_cut_as_printed(b: u64, n: u32, previous: u64) -> u64 {
    if n.is_multiple_of(2) {
        previous
    } else {
        previous + b.pow(n.div_ceil(2)) + b.pow(n / 2)
    }
}

/// ALL leaves at depth `n` >= 1 from those one ply higher.
#[must_use]
pub fn next_all(b: u64, n: u32, previous: u64) -> u64 {
    if n.is_multiple_of(2) {
        previous + b.pow(n / 2) - b.pow(n / 2 - 1)
    } else {
        previous
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_recurrences_give_the_formulas_for_twelve_plies() {
        for b in 2..=38 {
            let (mut cut, mut all) = (0, 0);
            for n in 1..=12 {
                let before = cut;
                cut = next_cut(b, n, cut);
                all = next_all(b, n, all);
                assert_eq!(cut, leaves(NodeType::Cut, b, n), "b {b}, n {n}");
                assert_eq!(all, leaves(NodeType::All, b, n), "b {b}, n {n}");
                assert_eq!(all, before, "ALL({n}) must be CUT({}) for b {b}", n - 1);
                assert_eq!(1 + cut + all, best_case(b, n));
            }
        }
    }

    #[test]
    fn sums_over_all_depths_are_shifted_in_the_same_way() {
        let sum = |node_type, n| (0..=n).map(|i| leaves(node_type, 40, i)).sum::<u64>();
        for n in 1..=11 {
            assert_eq!(sum(NodeType::All, n), sum(NodeType::Cut, n - 1));
        }
    }

    #[test]
    fn the_printed_recurrence_is_wrong_at_every_odd_depth() {
        for n in 1..=12 {
            let previous = leaves(NodeType::Cut, 40, n - 1);
            let printed = next_cut_as_printed(40, n, previous);
            assert_eq!(printed == leaves(NodeType::Cut, 40, n), n % 2 == 0, "n {n}");
        }
    }
}
