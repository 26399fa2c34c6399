//! Experiment 1: the minimal tree of Levin (in Edwards and Hart 1961) and of Knuth and Moore, as
//! the Chess Programming Wiki tells it under "Odd-Even Effect".

mod census;

use census::Census;

use crate::experiments::prelude::*;
use crate::{
    game::{
        Window,
        uniform::{Order, UniformTree},
    },
    textbook::{AlphaBeta, Tally, as_generated, evaluate},
};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "minimal-tree",
    title: "The minimal tree: PV, CUT and ALL leaves",
    claim: "With perfect move order, alpha-beta on a uniform tree evaluates b^ceil(n/2) + b^floor(n/2) \
            - 1 leaves: one PV leaf, b^ceil(n/2) - 1 CUT leaves and b^floor(n/2) - 1 ALL leaves, so \
            that ALL(n) = CUT(n-1) (Levin, in Edwards and Hart 1961; Chess Programming Wiki, \
            \"Odd-Even Effect\").",
    takes_hours: false,
    run,
};

const WIKI_B: u32 = 40;
/// The wiki's best case for depths 0 to 8 as it is printed, misprint included.
const WIKI_BEST: [u64; 9] = [
    1, 40, 79, 1_639, 3_199, 65_569, 127_999, 2_623_999, 5_119_999,
];

fn run(context: &Context) -> Result<Report, Failure> {
    let orders = orders(context);
    let census = Census::of_engine(context)?;
    // The first four are settled by arithmetic: tests of this module.
    let findings = vec![
        tested!(
            true,
            "Alpha-beta with best-first order visits exactly the formulas' PV, CUT and ALL leaves \
             for every b from 2 to 40, at every depth that was feasible."
        ),
        tested!(
            false,
            "Of the wiki's 9 best cases for b = 40 one is wrong: at depth 5 it prints 65,569 for \
             65,599."
        ),
        tested!(
            false,
            "The wiki's recurrence for CUT at odd n is wrong at 6 of 6 depths, for it has a plus \
             where CUT(n) = CUT(n-1) + b^((n+1)/2) - b^((n-1)/2) has a minus."
        ),
        tested!(
            true,
            "ALL(n) = CUT(n-1) for n = 1..12, and so do the sums over all depths."
        ),
        tested!(
            orders.iter().all(OrderRow::lies_between),
            "Worst-first order evaluates all b^n leaves, and random order lies between the best \
             and the worst case."
        ),
        noted!(
            "In the full engine {:.1} % of the nodes whose moves were searched were of the \
             expected type.",
            100.0 * census.agreement()
        ),
    ];
    Ok(Report {
        tables: vec![wiki_table(), order_table(&orders), census.table()],
        figures: vec![growth_chart()],
        summary:
            "The formulas for the minimal tree are exact, but the wiki page prints one of nine \
                  best cases and one recurrence wrong."
                .to_owned(),
        findings,
    })
}

/// PV, CUT and ALL leaves at depth `n` in a minimal tree with `b` moves everywhere.
fn by_type(b: u32, n: u32) -> [u64; 3] {
    let b = u64::from(b);
    [1, b.pow(n.div_ceil(2)) - 1, b.pow(n / 2) - 1]
}

/// Leaves of the minimal tree: the least that alpha-beta can do.
fn best_case(b: u32, n: u32) -> u64 {
    by_type(b, n).iter().sum()
}

/// Leaves of the whole tree: what a search without cut-offs evaluates.
fn worst_case(b: u32, n: u32) -> u64 {
    u64::from(b).pow(n)
}

/// What plain alpha-beta visits in a tree with `b` moves everywhere and `n` plies, or `None` if
/// such a tree has too many leaves to number.
fn visited(b: u32, n: u32, order: Order) -> Option<Tally> {
    let tree = UniformTree::new(b, n, order)?;
    let mut search = AlphaBeta::new(as_generated, evaluate);
    search.search(&tree, Window::FULL, n);
    Some(search.tally)
}

fn wiki_table() -> Table {
    let rows: Vec<(u32, u64)> = (0..).zip(WIKI_BEST).collect();
    let note = |&(n, printed)| (printed != best_case(WIKI_B, n)).then_some("misprint");
    table!("wiki", "The wiki's table for b = 40, recomputed", rows, |row| {
        "depth" => row.0,
        "worst case" => worst_case(WIKI_B, row.0),
        "best case" => best_case(WIKI_B, row.0),
        "printed" => row.1,
        "PV" => by_type(WIKI_B, row.0)[0],
        "CUT" => by_type(WIKI_B, row.0)[1],
        "ALL" => by_type(WIKI_B, row.0)[2],
        "note" => note(row),
    })
}

struct OrderRow {
    b: u32,
    n: u32,
    leaves: [f64; 4],
}

impl OrderRow {
    fn lies_between(&self) -> bool {
        let [best, random @ .., worst] = self.leaves;
        let is_inside = |mean: f64| best <= mean && mean <= worst;
        worst == worst_case(self.b, self.n) as f64 && random.into_iter().all(is_inside)
    }
}

fn orders(context: &Context) -> Vec<OrderRow> {
    let cap: u64 = context.sized(100_000, 20_000_000);
    let seeds = context.sized(5, 20);
    let row = |b, n| {
        let count = |order| visited(b, n, order).map_or(0.0, |tally| tally.leaves() as f64);
        let mean = |order: fn(u64) -> Order| {
            let each = (0..seeds).map(|i| count(order(context.settings.seed.wrapping_add(i))));
            each.sum::<f64>() / seeds as f64
        };
        let [best, worst] = [Order::BestFirst, Order::WorstFirst].map(count);
        let leaves = [best, mean(Order::Shuffled), mean(Order::Independent), worst];
        OrderRow { b, n, leaves }
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
    table!("orders", title, rows, |row| {
        "b" => row.b,
        "depth" => row.n,
        "best first" => row.leaves[0] as u64,
        "shuffled" => real(row.leaves[1], 1),
        "independent leaves" => real(row.leaves[2], 1),
        "worst first" => row.leaves[3] as u64,
        "b^n" => worst_case(row.b, row.n),
    })
}

/// How much one more ply costs: the odd-even effect itself.
fn growth_chart() -> Chart {
    let title = "The odd-even effect: leaves at depth n over leaves at depth n-1";
    [40, 10, 3].iter().fold(
        Chart::new(title, "depth n", "growth factor"),
        |figure, &b| {
            let ratio = |n| best_case(b, n) as f64 / best_case(b, n - 1) as f64;
            figure.line(&format!("b = {b}"), (1..=8).map(|n| (n.into(), ratio(n))))
        },
    )
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
        let wrong = |&n: &u32| WIKI_BEST[n as usize] != best_case(40, n);
        assert_eq!((0..9).filter(wrong).collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn the_recurrence_holds_with_a_minus_and_fails_as_printed_at_every_odd_depth() {
        for b in 2..=38 {
            let (mut cuts, mut alls) = (0, 0);
            for n in 1..=12 {
                let [_, before, _] = by_type(b, n - 1);
                let [_, cut, all] = by_type(b, n);
                let [more, less] = [n.div_ceil(2), n / 2].map(|plies| worst_case(b, plies));
                let is_odd = n % 2 == 1;
                assert_eq!(cut, before + if is_odd { more - less } else { 0 });
                assert!(!is_odd || cut != before + more + less, "as printed");
                // Levin's formula.
                assert_eq!(best_case(b, n), more + less - 1);
                // ALL is CUT of one ply before, depth by depth and summed over all depths.
                assert_eq!(all, before, "b {b}, n {n}");
                (cuts, alls) = (cuts + before, alls + all);
                assert_eq!(alls, cuts);
            }
        }
    }

    #[test]
    fn alpha_beta_visits_the_minimal_tree_best_first_and_all_of_it_worst_first() {
        for b in 2..=40 {
            for n in (0..).take_while(|&n| best_case(b, n) <= 20_000) {
                let Some(tally) = visited(b, n, Order::BestFirst) else {
                    break;
                };
                assert_eq!(tally.leaves_by_type, by_type(b, n), "b {b}, n {n}");
            }
        }
        for (b, n) in [(2, 12), (3, 8), (5, 5), (10, 4), (40, 3)] {
            let tally = visited(b, n, Order::WorstFirst).unwrap();
            assert_eq!(tally.leaves(), worst_case(b, n));
        }
        for order in [Order::Shuffled, Order::Independent] {
            let mut found = (0..20).map(|seed| visited(6, 5, order(seed)).unwrap().leaves());
            let (best, worst) = (best_case(6, 5), worst_case(6, 5));
            assert!(found.all(|found| best < found && found < worst));
        }
    }
}
