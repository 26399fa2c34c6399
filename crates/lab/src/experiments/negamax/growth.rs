//! How trees grow: the sum of all levels against the last one, and what a faster machine buys.

use crate::game::uniform::{Order, UniformTree};
use crate::report::{Axis, Cell, Chart, Series, Stroke, Table};
use crate::textbook::negamax::negamax;
use crate::textbook::observer::Tally;

/// All levels of a uniform tree together: 1 + b + ... + b^d.
#[must_use]
pub fn all_levels(b: u64, d: u32) -> u64 {
    (0..=d).map(|i| b.pow(i)).sum()
}

/// What a whole iterative deepening costs against its last iteration, where nothing is cut off
/// and nothing learned: every level's tree is searched once.
#[must_use]
pub fn deepening_overhead(b: u64, d: u32) -> f64 {
    let all: u64 = (0..=d).map(|i| all_levels(b, i)).sum();
    all as f64 / all_levels(b, d) as f64
}

/// Plies gained by a machine `factor` times as fast, with branching factor `b`.
#[must_use]
pub fn plies_gained(factor: f64, b: f64) -> f64 {
    factor.ln() / b.ln()
}

/// The sums, by formula and as negamax visits them, and whether all were equal.
#[must_use]
pub fn sums_table(cap: u64) -> (Table, bool) {
    let mut table = Table::new(
        "sums",
        "All levels against the last one, at the deepest feasible depth d",
        &[
            "b",
            "d",
            "b^d",
            "1 + b + ... + b^d",
            "negamax nodes",
            "sum / b^d",
            "b / (b-1)",
            "all iterations / last",
        ],
    );
    let mut equal = true;
    for b in [2_u32, 3, 10, 30, 40, 300] {
        let base = u64::from(b);
        let d = (1..)
            .take_while(|&d| base.pow(d) <= cap)
            .last()
            .unwrap_or(1);
        let Some(tree) = UniformTree::new(b, d, Order::BestFirst) else {
            continue;
        };
        let mut tally = Tally::default();
        negamax(&tree, d, &mut tally);
        let sum = all_levels(base, d);
        equal &= tally.nodes == sum && tally.leaves == base.pow(d);
        table.row([
            b.into(),
            d.into(),
            base.pow(d).into(),
            sum.into(),
            tally.nodes.into(),
            Cell::real(sum as f64 / base.pow(d) as f64, 4),
            Cell::real(f64::from(b) / f64::from(b - 1), 4),
            Cell::real(deepening_overhead(base, d), 4),
        ]);
    }
    (table, equal)
}

/// What doubling the speed buys, by formula and by counting how deep a budget of nodes reaches.
#[must_use]
pub fn doubling_table() -> Table {
    let mut table = Table::new(
        "doubling",
        "Plies gained by machines 2, 10 and 1,000 times as fast (log factor / log b)",
        &[
            "b",
            "game of this kind",
            "2 times",
            "10 times",
            "1,000 times",
            "speed for one ply",
        ],
    );
    for (b, game) in [(3.0, "checkers"), (30.0, "chess"), (300.0, "go")] {
        table.row([
            Cell::real(b, 0),
            game.into(),
            Cell::real(plies_gained(2.0, b), 3),
            Cell::real(plies_gained(10.0, b), 3),
            Cell::real(plies_gained(1000.0, b), 3),
            Cell::real(b, 0),
        ]);
    }
    table
}

/// Depth against speed for the three kinds of games.
#[must_use]
pub fn doubling_chart() -> Chart {
    let line = |b: f64, label: &str| {
        let points = (0..=20).map(|doubling| {
            let factor = 2_f64.powi(doubling);
            (factor, plies_gained(factor, b))
        });
        Series::new(label, Stroke::Solid, points.collect())
    };
    Chart {
        title: "Plies gained by a faster machine".to_owned(),
        x: Axis::log("times as fast"),
        y: Axis::linear("plies gained"),
        series: vec![
            line(3.0, "b = 3"),
            line(30.0, "b = 30"),
            line(300.0, "b = 300"),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negamax_visits_every_level_once() {
        assert!(sums_table(30_000).1);
        assert_eq!(all_levels(3, 4), 121);
    }

    #[test]
    fn doubling_the_speed_gains_log_two_over_log_b() {
        assert!((plies_gained(2.0, 3.0) - 0.6309).abs() < 1e-4);
        assert!((plies_gained(2.0, 30.0) - 0.2038).abs() < 1e-4);
        assert!((plies_gained(2.0, 300.0) - 0.1215).abs() < 1e-4);
        // Said the other way round: b times the nodes are one more ply, whatever b is.
        for b in [3_u64, 30, 300] {
            let factor = all_levels(b, 3) as f64 / all_levels(b, 2) as f64;
            assert!((plies_gained(factor, b as f64) - 1.0).abs() < 0.03);
        }
    }

    #[test]
    fn repeating_the_shallow_searches_costs_little_where_b_is_large() {
        assert!((deepening_overhead(40, 6) - 40.0 / 39.0).abs() < 1e-3);
        assert!((deepening_overhead(2, 20) - 2.0).abs() < 1e-3);
    }
}
