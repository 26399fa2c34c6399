//! Experiment 1: the minimal tree of Levin (in Edwards and Hart 1961) and of Knuth and Moore, as the
//! Chess Programming Wiki tells it under "Odd-Even Effect".

mod census;

use census::Census;

use crate::experiments::prelude::*;
use crate::{
    game::{
        Window,
        uniform::{Order, UniformTree},
    },
    textbook::{NodeType, Tally, alpha_beta::Plain},
};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "minimal-tree",
    title: "The minimal tree: PV, CUT and ALL leaves",
    claim: "With perfect move order, alpha-beta on a uniform tree evaluates b^ceil(n/2) + b^floor(n/2) \
            - 1 leaves: one PV leaf, b^ceil(n/2) - 1 CUT leaves and b^floor(n/2) - 1 ALL leaves, so \
            that ALL(n) = CUT(n-1) (Levin, in Edwards and Hart 1961; Chess Programming Wiki, \
            \"Odd-Even Effect\").",
    run,
};

/// The branching factor of the wiki's table.
const WIKI_B: u32 = 40;
/// The wiki's best case for depths 0 to 8 as it is printed, misprint included.
const WIKI_BEST: [u64; 9] = [
    1, 40, 79, 1_639, 3_199, 65_569, 127_999, 2_623_999, 5_119_999,
];
/// Recurrences are followed to this depth.
const RECURRENCE_DEPTH: u32 = 12;

fn run(context: &Context) -> Result<Report, Failure> {
    let cap = context.sized(100_000, 3_000_000);
    let factors = track("minimal trees, b = 2..40", 2..41);
    let exact = factors.fold(true, |exact, b| exact & visits_minimal_tree(b, cap));
    let cases = WIKI_BEST.len();
    let right = (0..).zip(WIKI_BEST);
    let right = right.filter(|&(n, printed)| printed == best_case(WIKI_B.into(), n));
    let right = right.count();
    let odd = RECURRENCE_DEPTH / 2;
    let printed_wrong = (1..=RECURRENCE_DEPTH)
        .filter(|&n| next_cut(10, n, true) != leaves(NodeType::Cut, 10, n))
        .count();
    let orders = orders(context);
    let chess = Census::of_chess(context)?;
    let engine = Census::of_engine(context)?;
    let findings = vec![
        tested!(
            exact,
            "Alpha-beta with best-first order visits exactly the formulas' PV, CUT and ALL leaves \
             for every b from 2 to 40, at every depth that was feasible."
        ),
        tested!(
            right == cases,
            "The wiki's table for b = 40: {right} of {cases} printed best cases are right. Depth 5 \
             is printed as 65,569; the formula and the measurement say 65,599."
        ),
        tested!(
            printed_wrong == 0,
            "The recurrence for CUT at odd n is printed with a plus and is wrong at \
             {printed_wrong} of {odd} odd depths; CUT(n) = CUT(n-1) + b^((n+1)/2) - b^((n-1)/2) \
             is right at all."
        ),
        tested!(
            shifted(),
            "ALL(n) = CUT(n-1) for n = 1..12, and so do the sums over all depths."
        ),
        tested!(
            orders.iter().all(OrderRow::lies_between),
            "Worst-first order evaluates all b^n leaves, and random order lies between the best \
             and the worst case."
        ),
        noted!(
            "In chess, with captures first and the last iteration's best moves, {:.1} % of the \
             nodes turn out to be of the type that perfect order would give them.",
            100.0 * chess.agreement()
        ),
        noted!(
            "In the full engine {:.1} % of the nodes whose moves were searched were of the type \
             that the engine expected.",
            100.0 * engine.agreement()
        ),
    ];
    Ok(Report {
        tables: vec![
            wiki_table(cap),
            order_table(&orders),
            chess.table(&census::CHESS),
            engine.table(&census::ENGINE),
        ],
        figures: vec![growth_chart(), order_chart(&orders)],
        summary: format!(
            "The formulas are {}; of what the wiki page prints, {} of {cases} best cases and its \
             recurrence at {printed_wrong} of {odd} odd depths are wrong.",
            if exact { "exact" } else { "not exact" },
            cases - right,
        ),
        findings,
    })
}

/// Leaves of the whole tree: what a search without cut-offs evaluates.
fn worst_case(b: u64, n: u32) -> u64 {
    b.pow(n)
}

/// Leaves of the minimal tree: the least that alpha-beta can do (Levin's formula).
fn best_case(b: u64, n: u32) -> u64 {
    b.pow(n.div_ceil(2)) + b.pow(n / 2) - 1
}

/// Leaves of one type at depth `n` in a minimal tree with `b` moves everywhere.
fn leaves(node_type: NodeType, b: u64, n: u32) -> u64 {
    match node_type {
        NodeType::Pv => 1,
        NodeType::Cut => b.pow(n.div_ceil(2)) - 1,
        NodeType::All => b.pow(n / 2) - 1,
    }
}

fn by_type(b: u32, n: u32) -> [u64; 3] {
    NodeType::EACH.map(|node_type| leaves(node_type, b.into(), n))
}

/// CUT leaves at depth `n` >= 1 from those one ply higher; `printed` as the source has it, with a plus
/// where a minus belongs.
fn next_cut(b: u64, n: u32, printed: bool) -> u64 {
    let before = leaves(NodeType::Cut, b, n - 1);
    let (more, less) = (b.pow(n.div_ceil(2)), b.pow(n / 2));
    match (n.is_multiple_of(2), printed) {
        (true, _) => before,
        (false, true) => before + more + less,
        (false, false) => before + more - less,
    }
}

/// Are ALL leaves the CUT leaves of one ply before, depth by depth and summed over all depths?
fn shifted() -> bool {
    let sum = |t, b, n| (0..=n).map(|i| leaves(t, b, i)).sum::<u64>();
    (2..=30).all(|b| {
        (1..=RECURRENCE_DEPTH).all(|n| {
            leaves(NodeType::All, b, n) == leaves(NodeType::Cut, b, n - 1)
                && sum(NodeType::All, b, n) == sum(NodeType::Cut, b, n - 1)
        })
    })
}

/// What plain alpha-beta visits in a tree with `b` moves everywhere and `n` plies, or `None` if
/// such a tree has too many leaves to number.
fn visited(b: u32, n: u32, order: Order) -> Option<Tally> {
    let tree = UniformTree::new(b, n, order)?;
    let mut search = Plain::default();
    search.search(&tree, Window::FULL, n);
    Some(search.tally)
}

/// Does alpha-beta visit exactly the minimal tree at every depth where that has at most `cap` leaves?
fn visits_minimal_tree(b: u32, cap: u64) -> bool {
    let is_numbered = |&n: &u32| UniformTree::new(b, n, Order::BestFirst).is_some();
    let feasible = (0..).take_while(|n| is_numbered(n) && best_case(b.into(), *n) <= cap);
    let mut visits = feasible.map(|n| (n, visited(b, n, Order::BestFirst)));
    visits.all(|(n, tally)| tally.is_some_and(|tally| tally.leaves_by_type == by_type(b, n)))
}

fn wiki_table(cap: u64) -> Table {
    let base = u64::from(WIKI_B);
    let measured = |n| visited(WIKI_B, n, Order::BestFirst).map(|tally| tally.leaves);
    let rows: Vec<(u32, u64)> = (0..).zip(WIKI_BEST).collect();
    let note = |&(n, printed)| (printed != best_case(base, n)).then_some("misprint");
    Table::of("wiki", "The wiki's table for b = 40, recomputed", &rows)
        .column("depth", |row| row.0)
        .column("worst case", |row| worst_case(base, row.0))
        .column("best case", |row| best_case(base, row.0))
        .column("printed", |row| row.1)
        .column("measured", |row| {
            (best_case(base, row.0) <= cap).then(|| measured(row.0))?
        })
        .column("PV", |row| by_type(WIKI_B, row.0)[0])
        .column("CUT", |row| by_type(WIKI_B, row.0)[1])
        .column("ALL", |row| by_type(WIKI_B, row.0)[2])
        .column("note", note)
        .done()
}

/// Leaves by move order; random orders by their mean over seeds.
struct OrderRow {
    b: u32,
    n: u32,
    best: u64,
    shuffled: f64,
    independent: f64,
    worst: u64,
}

impl OrderRow {
    fn lies_between(&self) -> bool {
        let inside = |x: f64| self.best as f64 <= x && x <= self.worst as f64;
        self.worst == worst_case(self.b.into(), self.n)
            && inside(self.shuffled)
            && inside(self.independent)
    }
}

fn orders(context: &Context) -> Vec<OrderRow> {
    let cap: u64 = context.sized(100_000, 20_000_000);
    let seeds = context.sized(5, 20);
    let row = |b, n| {
        let count = |order| visited(b, n, order).map_or(0, |tally| tally.leaves);
        let mean = |order: fn(u64) -> Order| {
            let each = (0..seeds).map(|i| count(order(context.seed.wrapping_add(i))) as f64);
            each.sum::<f64>() / seeds as f64
        };
        OrderRow {
            b,
            n,
            best: count(Order::BestFirst),
            shuffled: mean(Order::Shuffled),
            independent: mean(Order::Independent),
            worst: count(Order::WorstFirst),
        }
    };
    let fits = |b: u32, n| u64::from(b).checked_pow(n).is_some_and(|all| all <= cap);
    let factors = track("move orders", [2, 3, 5, 10, 20, 40]);
    let rows = factors.flat_map(|b| {
        let depths = (1..=24).take_while(move |&n| fits(b, n));
        depths.map(move |n| row(b, n))
    });
    rows.collect()
}

fn order_table(rows: &[OrderRow]) -> Table {
    let title = "Leaves by move order (random: mean over seeds)";
    Table::of("orders", title, rows)
        .column("b", |row| row.b)
        .column("depth", |row| row.n)
        .column("best first", |row| row.best)
        .real("shuffled", 1, |row| row.shuffled)
        .real("independent leaves", 1, |row| row.independent)
        .column("worst first", |row| row.worst)
        .column("b^n", |row| worst_case(row.b.into(), row.n))
        .done()
}

fn order_chart(rows: &[OrderRow]) -> Figure {
    let leaves = |leaves: fn(&OrderRow) -> f64| {
        let rows = rows.iter().filter(|row| row.b == 10);
        rows.map(move |row| (row.n.into(), leaves(row)))
    };
    Figure::new("Leaves by move order, b = 10", "depth", "leaves")
        .log_y()
        .series(Style::Line, "best first", leaves(|row| row.best as f64))
        .series(Style::Line, "shuffled", leaves(|row| row.shuffled))
        .series(
            Style::Line,
            "independent leaves",
            leaves(|row| row.independent),
        )
        .series(Style::Line, "worst first", leaves(|row| row.worst as f64))
}

/// How much one more ply costs: the odd-even effect itself.
fn growth_chart() -> Figure {
    let growth = |b| {
        let ratio = move |n| best_case(b, n) as f64 / best_case(b, n - 1) as f64;
        (1..=8).map(move |n| (f64::from(n), ratio(n)))
    };
    let title = "The odd-even effect: leaves at depth n over leaves at depth n-1";
    Figure::new(title, "depth n", "growth factor")
        .series(Style::Line, "b = 40", growth(40))
        .series(Style::Line, "b = 10", growth(10))
        .series(Style::Line, "b = 3", growth(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formulas_give_the_table_of_the_facts_row_by_row() {
        let csv = include_str!("../../testdata/odd-even-leaves.csv");
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let rows = reader.deserialize::<(u32, u64, u64, u64, u64, u64)>();
        for row in rows {
            let (n, worst, best, pv, cut, all) = row.unwrap();
            assert_eq!((worst_case(40, n), best_case(40, n)), (worst, best));
            assert_eq!(by_type(WIKI_B, n), [pv, cut, all]);
        }
    }

    #[test]
    fn the_recurrence_holds_with_a_minus_and_fails_as_printed_at_every_odd_depth() {
        for b in 2..=38 {
            for n in 1..=RECURRENCE_DEPTH {
                let [cut, all] = [NodeType::Cut, NodeType::All].map(|t| leaves(t, b, n));
                assert_eq!(next_cut(b, n, false), cut, "b {b}, n {n}");
                assert_eq!(next_cut(b, n, true) == cut, n % 2 == 0, "b {b}, n {n}");
                assert_eq!(1 + cut + all, best_case(b, n));
            }
        }
        assert!(shifted());
    }

    #[test]
    fn the_wiki_has_exactly_one_wrong_best_case() {
        let wrong = |&n: &u32| WIKI_BEST[n as usize] != best_case(40, n);
        assert_eq!((0..9).filter(wrong).collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn alpha_beta_visits_the_minimal_tree_best_first_and_all_of_it_worst_first() {
        assert!((2..=40).all(|b| visits_minimal_tree(b, 20_000)));
        for (b, n) in [(2, 12), (3, 8), (5, 5), (10, 4), (40, 3)] {
            let tally = visited(b, n, Order::WorstFirst).unwrap();
            assert_eq!(tally.leaves, worst_case(b.into(), n));
            assert_eq!(tally.cut_offs, 0);
        }
        for order in [Order::Shuffled, Order::Independent] {
            let found = (0..20).map(|seed| visited(6, 5, order(seed)).unwrap().leaves);
            let (best, worst) = (best_case(6, 5), worst_case(6, 5));
            assert!(found.into_iter().all(|found| best < found && found < worst));
        }
    }
}
