//! Experiment 1: the minimal tree of Levin, Edwards and Hart, and of Knuth and Moore.

pub mod formulas;
pub mod in_chess;
pub mod in_engine;
pub mod measured;

use crate::error::LabError;
use crate::experiment::{Context, Experiment};
use crate::game::uniform::Order;
use crate::report::{Axis, Cell, Chart, Figure, Finding, Report, Series, Stroke, Table, Verdict};
use crate::textbook::observer::NodeType;
use formulas::{best_case, leaves, next_all, next_cut, next_cut_as_printed, worst_case};
use measured::{alpha_beta_leaves, deepest};

/// The branching factor of the wiki's table.
const WIKI_B: u32 = 40;
/// The wiki's best case for depths 0 to 8 as it is printed, misprint included.
const WIKI_BEST: [u64; 9] = [
    1, 40, 79, 1_639, 3_199, 65_569, 127_999, 2_623_999, 5_119_999,
];
/// Recurrences are followed to this depth.
const RECURRENCE_DEPTH: u32 = 12;

/// The minimal tree, counted.
pub struct MinimalTree;

impl Experiment for MinimalTree {
    fn name(&self) -> &'static str {
        "minimal-tree"
    }

    fn title(&self) -> &'static str {
        "The minimal tree: PV, CUT and ALL leaves"
    }

    fn claim(&self) -> &'static str {
        "With perfect move order, alpha-beta on a uniform tree evaluates b^ceil(n/2) + b^floor(n/2) \
         - 1 leaves: one PV leaf, b^ceil(n/2) - 1 CUT leaves and b^floor(n/2) - 1 ALL leaves, so \
         that ALL(n) = CUT(n-1) (Levin, in Edwards and Hart 1961; Chess Programming Wiki, \
         \"Odd-Even Effect\")."
    }

    fn run(&self, context: &Context<'_>) -> Result<Report, LabError> {
        let cap = context.sized(100_000, 3_000_000);
        let (each, all_equal) = every_branching_factor(context, cap);
        let (wiki, wiki_right) = wiki_table(cap);
        let (recurrences, printed_wrong) = recurrence_table();
        let (orders, between, orders_chart) = order_table(context);
        let census = in_chess::census(context)?;
        let engine = in_engine::census(context)?;
        let findings = vec![
            Finding::tested(
                all_equal,
                "Alpha-beta with best-first order visits exactly the formulas' PV, CUT and ALL \
                 leaves for every b from 2 to 40, at every depth that was feasible.",
            ),
            Finding::tested(
                wiki_right == WIKI_BEST.len(),
                format!(
                    "The wiki's table for b = 40: {wiki_right} of {} printed best cases are \
                     right. Depth 5 is printed as 65,569; the formula and the measurement say \
                     65,599.",
                    WIKI_BEST.len()
                ),
            ),
            Finding::tested(
                printed_wrong == 0,
                format!(
                    "The recurrence for CUT at odd n is printed with a plus and is wrong at \
                     {printed_wrong} of {} odd depths; CUT(n) = CUT(n-1) + b^((n+1)/2) - \
                     b^((n-1)/2) is right at all.",
                    RECURRENCE_DEPTH / 2
                ),
            ),
            Finding::tested(
                recurrence_identities(),
                "ALL(n) = CUT(n-1) for n = 1..12, and so do the sums over all depths.",
            ),
            Finding::tested(
                between,
                "Worst-first order evaluates all b^n leaves, and random order lies between the \
                 best and the worst case.",
            ),
            Finding::noted(format!(
                "In chess, with captures first and the last iteration's best moves, {:.1} % of \
                 the nodes turn out to be of the type that perfect order would give them.",
                100.0 * in_chess::agreement(&census)
            )),
            Finding::noted(format!(
                "In the full engine {:.1} % of the nodes whose moves were searched were of the \
                 type that the engine expected.",
                100.0 * engine.agreement()
            )),
        ];
        Ok(Report {
            tables: vec![
                wiki,
                recurrences,
                each,
                orders,
                in_chess::table(&census),
                in_chess::matrix_table(&census),
                in_engine::table(&engine),
            ],
            figures: vec![
                Figure::Chart(ratio_chart(cap)),
                Figure::Chart(growth_chart()),
                Figure::Chart(orders_chart),
                Figure::Chart(in_chess::chart(&census)),
                Figure::Chart(in_engine::chart(&engine)),
            ],
            verdict: Verdict::of(
                summary(all_equal, WIKI_BEST.len() - wiki_right, printed_wrong),
                findings,
            ),
        })
    }
}

fn summary(exact: bool, wrong_cases: usize, wrong_steps: usize) -> String {
    let exact = if exact { "exact" } else { "not exact" };
    format!(
        "The formulas are {exact}; of what the wiki page prints, {wrong_cases} of {} best cases \
         and its recurrence at {wrong_steps} of {} odd depths are wrong.",
        WIKI_BEST.len(),
        RECURRENCE_DEPTH / 2
    )
}

fn every_branching_factor(context: &Context<'_>, cap: u64) -> (Table, bool) {
    let mut table = Table::new(
        "uniform",
        "Leaves that alpha-beta visited with best-first order, at the deepest feasible depth; all \
         smaller depths were compared too",
        &[
            "b",
            "depth",
            "PV",
            "CUT",
            "ALL",
            "formula PV+CUT+ALL",
            "depths equal",
            "worst case b^n",
        ],
    );
    context.progress.begin(39, "minimal trees, b = 2..40");
    let mut all_equal = true;
    for b in 2..=40 {
        let depth = deepest(b, cap);
        let base = u64::from(b);
        let mut equal = 0_u32;
        let mut last = [0; 3];
        for n in 0..=depth {
            let Some(tally) = alpha_beta_leaves(b, n, Order::BestFirst) else {
                continue;
            };
            last = tally.leaves_by_type;
            equal += u32::from(last == NodeType::EACH.map(|t| leaves(t, base, n)));
        }
        all_equal &= equal == depth + 1;
        let [pv, cut, all] = last;
        table.row([
            b.into(),
            depth.into(),
            pv.into(),
            cut.into(),
            all.into(),
            best_case(base, depth).into(),
            format!("{equal} of {}", depth + 1).into(),
            worst_case(base, depth).into(),
        ]);
        context.progress.step();
    }
    (table, all_equal)
}

/// The wiki's table and how many of its printed best cases are right.
fn wiki_table(cap: u64) -> (Table, usize) {
    let mut table = Table::new(
        "wiki",
        "The wiki's table for b = 40, recomputed",
        &[
            "depth",
            "worst case",
            "best case",
            "printed",
            "measured",
            "PV",
            "CUT",
            "ALL",
            "note",
        ],
    );
    let base = u64::from(WIKI_B);
    let mut right = 0;
    for (n, &printed) in (0..).zip(&WIKI_BEST) {
        let best = best_case(base, n);
        right += usize::from(printed == best);
        let measured = (best <= cap).then(|| alpha_beta_leaves(WIKI_B, n, Order::BestFirst));
        let [pv, cut, all] = NodeType::EACH.map(|t| Cell::from(leaves(t, base, n)));
        table.row([
            n.into(),
            worst_case(base, n).into(),
            best.into(),
            printed.into(),
            measured
                .flatten()
                .map_or(Cell::Empty, |tally| tally.leaves.into()),
            pv,
            cut,
            all,
            if printed == best {
                Cell::Empty
            } else {
                "misprint".into()
            },
        ]);
    }
    (table, right)
}

/// Both recurrences, and at how many depths the printed one is wrong.
fn recurrence_table() -> (Table, usize) {
    let mut table = Table::new(
        "recurrences",
        "Recurrences for b = 10 (the printed one has a plus where a minus belongs)",
        &[
            "n",
            "CUT",
            "CUT by recurrence",
            "CUT as printed",
            "ALL",
            "ALL by recurrence",
            "CUT(n-1)",
        ],
    );
    const B: u64 = 10;
    let mut wrong = 0;
    for n in 1..=RECURRENCE_DEPTH {
        let before = |t| leaves(t, B, n - 1);
        let cut = leaves(NodeType::Cut, B, n);
        let printed = next_cut_as_printed(B, n, before(NodeType::Cut));
        wrong += usize::from(printed != cut);
        table.row([
            n.into(),
            cut.into(),
            next_cut(B, n, before(NodeType::Cut)).into(),
            printed.into(),
            leaves(NodeType::All, B, n).into(),
            next_all(B, n, before(NodeType::All)).into(),
            before(NodeType::Cut).into(),
        ]);
    }
    (table, wrong)
}

fn recurrence_identities() -> bool {
    let sum = |t, b, n| (0..=n).map(|i| leaves(t, b, i)).sum::<u64>();
    (2..=30).all(|b| {
        (1..=RECURRENCE_DEPTH).all(|n| {
            leaves(NodeType::All, b, n) == leaves(NodeType::Cut, b, n - 1)
                && sum(NodeType::All, b, n) == sum(NodeType::Cut, b, n - 1)
        })
    })
}

/// Best, random and worst order side by side; whether random lay between; and the picture.
fn order_table(context: &Context<'_>) -> (Table, bool, Chart) {
    let mut table = Table::new(
        "orders",
        "Leaves by move order (random: mean over seeds)",
        &[
            "b",
            "depth",
            "best first",
            "shuffled",
            "independent leaves",
            "worst first",
            "b^n",
        ],
    );
    let cap: u64 = context.sized(100_000, 20_000_000);
    let seeds = context.sized(5, 20);
    let factors = [2, 3, 5, 10, 20, 40];
    context.progress.begin(factors.len() as u64, "move orders");
    let mut between = true;
    let mut lines: [Vec<(f64, f64)>; 4] = Default::default();
    for b in factors {
        let base = u64::from(b);
        let depths = (1..=24).take_while(|&n| base.checked_pow(n).is_some_and(|all| all <= cap));
        for n in depths {
            let count = |order| alpha_beta_leaves(b, n, order).map_or(0, |tally| tally.leaves);
            let mean = |order: fn(u64) -> Order| {
                let each = (0..seeds).map(|i| count(order(context.seed.wrapping_add(i))) as f64);
                each.sum::<f64>() / seeds as f64
            };
            let best = count(Order::BestFirst);
            let worst = count(Order::WorstFirst);
            let shuffled = mean(Order::Shuffled);
            let independent = mean(Order::Independent);
            let inside = |x: f64| best as f64 <= x && x <= worst as f64;
            between &= worst == worst_case(base, n) && inside(shuffled) && inside(independent);
            table.row([
                b.into(),
                n.into(),
                best.into(),
                Cell::real(shuffled, 1),
                Cell::real(independent, 1),
                worst.into(),
                worst_case(base, n).into(),
            ]);
            if b == 10 {
                let values = [best as f64, shuffled, independent, worst as f64];
                for (line, value) in lines.iter_mut().zip(values) {
                    line.push((n.into(), value));
                }
            }
        }
        context.progress.step();
    }
    let names = [
        "best first",
        "shuffled",
        "independent leaves",
        "worst first",
    ];
    let series = names
        .iter()
        .zip(lines)
        .map(|(name, line)| Series::new(name, Stroke::Solid, line));
    let chart = Chart {
        title: "Leaves by move order, b = 10".to_owned(),
        x: Axis::linear("depth"),
        y: Axis::log("leaves"),
        series: series.collect(),
    };
    (table, between, chart)
}

/// The wiki's picture of leaf ratios: by the formulas (lines) and by measurement (dots).
fn ratio_chart(cap: u64) -> Chart {
    let mut series = Vec::new();
    for (t, stroke) in [
        (NodeType::Cut, Stroke::Solid),
        (NodeType::All, Stroke::Dashed),
    ] {
        let share = |n: u32| {
            100.0 * leaves(t, WIKI_B.into(), n) as f64 / best_case(WIKI_B.into(), n) as f64
        };
        let points = (0..=8).map(|n| (f64::from(n), share(n))).collect();
        series.push(Series::new(
            &format!("{}, formula", t.name()),
            stroke,
            points,
        ));
        let measured = (0..=deepest(WIKI_B, cap)).filter_map(|n| {
            let tally = alpha_beta_leaves(WIKI_B, n, Order::BestFirst)?;
            let share = tally.leaves_by_type[t as usize] as f64 / tally.leaves as f64;
            Some((f64::from(n), 100.0 * share))
        });
        let label = format!("{}, measured", t.name());
        series.push(Series::new(&label, Stroke::Dots, measured.collect()));
    }
    Chart {
        title: "Leaf ratios of the minimal tree, b = 40".to_owned(),
        x: Axis::linear("depth"),
        y: Axis::linear("share of the leaves (%)"),
        series,
    }
}

/// How much one more ply costs: the odd-even effect itself.
fn growth_chart() -> Chart {
    let growth = |b: u64| {
        (1..=8).map(move |n| {
            (
                f64::from(n),
                best_case(b, n) as f64 / best_case(b, n - 1) as f64,
            )
        })
    };
    let line = |b: u64| Series::new(&format!("b = {b}"), Stroke::Solid, growth(b).collect());
    Chart {
        title: "The odd-even effect: leaves at depth n over leaves at depth n-1".to_owned(),
        x: Axis::linear("depth n"),
        y: Axis::linear("growth factor"),
        series: vec![line(40), line(10), line(3)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Row {
        depth: u32,
        worst_case: u64,
        best_case: u64,
        pv: u64,
        cut: u64,
        all: u64,
    }

    #[test]
    fn the_formulas_give_the_table_of_the_facts_row_by_row() {
        let csv = include_str!("../../testdata/odd-even-leaves.csv");
        let rows: Vec<Row> = csv::Reader::from_reader(csv.as_bytes())
            .deserialize()
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(rows.len(), 9);
        for row in rows {
            let n = row.depth;
            assert_eq!(worst_case(40, n), row.worst_case);
            assert_eq!(best_case(40, n), row.best_case);
            let by_type = NodeType::EACH.map(|t| leaves(t, 40, n));
            assert_eq!(by_type, [row.pv, row.cut, row.all]);
        }
    }

    #[test]
    fn the_summary_says_what_was_found() {
        assert_eq!(
            summary(true, 1, 6),
            "The formulas are exact; of what the wiki page prints, 1 of 9 best cases and its \
             recurrence at 6 of 6 odd depths are wrong."
        );
        assert!(summary(false, 0, 0).starts_with("The formulas are not exact"));
    }

    #[test]
    fn the_wiki_has_exactly_two_misprints() {
        let wrong: Vec<usize> = (0..9)
            .filter(|&n| WIKI_BEST[n] != best_case(40, n as u32))
            .collect();
        assert_eq!(wrong, [5]);
        assert_eq!(best_case(40, 5), 65_599);
        assert_eq!(
            recurrence_table().1,
            6,
            "wrong at the odd depths 1, 3, 5, 7, 9, 11"
        );
        assert!(recurrence_identities());
    }
}
