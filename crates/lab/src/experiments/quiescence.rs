//! Experiment 5: Wheeler's optimization of quiescence search (2024), a quiet move before the captures.

mod in_engine;
mod pairs;

use cozy_chess::Board;
use sextant_cli::{chart::Axis, failure::Failure};

use crate::{
    experiment::{Context, Experiment},
    game::{Window, chess::Chess},
    hal::{
        EXTENSIONS, Settings,
        paper::{self, PaperTests, Row},
        search::Statistics,
    },
    report::{Figure, Finding, Report, Table, TreeFigure, dashed, line},
    stats::TTest,
    textbook::{
        alpha_beta::AlphaBeta, observer::Recorder, ordering::CapturesFirst, quiescence::Quiescence,
    },
};
use pairs::{Pairs, VARIANTS};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "quiescence",
    title: "Quiescence: a quiet move before the captures",
    claim: "At the last ply of a search whose quiescence extends captures and promotions, trying a \
            move that is neither of them first improves alpha-beta's pruning significantly: paired t = \
            2.63 on the nodes of 24 positions of one game (Wheeler 2024, An Optimization Method for \
            Quiescence in Chess-Playing Automata).",
    run,
};

/// Place of the reading "as meant" among the variants.
const AS_MEANT: usize = 1;

fn run(context: &Context) -> Result<Report, Failure> {
    let rows = paper::table_1()?;
    let boards = paper::positions(&rows)?;
    let too_few = || Failure::work("the paper's rows cannot be tested: they are too few");
    let paper = PaperTests::of(&rows).ok_or_else(too_few)?;
    let base = Settings::skill(context.sized(2, 5));
    let all = VARIANTS.map(|variant| Pairs::run(variant, base, &boards));
    let sweep = limit_sweep(context, &boards);
    let variants = in_engine::run(context)?;
    let mut findings = paper.findings();
    findings.extend(all.iter().filter_map(Pairs::finding));
    findings.push(why(&all));
    findings.extend(in_engine::findings(&variants));
    let mut figures = Vec::from_iter(extension());
    figures.extend(by_move_figures(&rows, &all[AS_MEANT]));
    figures.push(limit_chart(&sweep));
    Ok(Report {
        tables: vec![
            paper.table(),
            pairs::table(&all),
            pairs::test_table(&all),
            by_move_table(&rows, &all[AS_MEANT]),
            limit_table(&sweep),
            in_engine::table(&variants),
        ],
        figures,
        summary: format!(
            "In HAL's search with its quiescence working, the quiet move first {} (full width {} \
             plies, at most {EXTENSIONS} more); the code as printed has no quiescence to improve, \
             and the printed table needs two repairs to give the printed test.",
            effect(all[AS_MEANT].log_test()),
            base.skill
        ),
        findings,
    })
}

/// What a test of log ratios (without over with) says about the quiet move first.
fn effect(test: Option<TTest>) -> &'static str {
    match test.filter(TTest::significant) {
        Some(test) if test.mean > 0.0 => "saves nodes",
        Some(_) => "costs nodes",
        None => "neither clearly saves nor costs nodes",
    }
}

/// His explanation and ours: without stand-pat the quiet move is what stand-pat is elsewhere.
fn why(all: &[Pairs; 5]) -> Finding {
    let [_, as_meant, _, may, instead] = all.each_ref().map(|pairs| 1.0 / pairs.ratio_of_sums());
    Finding::noted(format!(
        "Why: in HAL a node below the full width can only be left by a move, and the quiet one is \
         the cheapest, so it does what standing pat does elsewhere. All together it saves a factor \
         {as_meant:.1} without stand-pat, {may:.1} if HAL may stand pat as well, and {instead:.1} \
         if it stands pat instead of trying quiet moves below the full width.",
    ))
}

fn by_move_table(rows: &[Row], pairs: &Pairs) -> Table {
    let ours = pairs.without.iter().zip(&pairs.with);
    let rows: Vec<_> = rows.iter().zip(ours).collect();
    let title = "Nodes move by move: the paper's table 1 as printed, and HAL as meant here";
    Table::of("hal-by-move", title, &rows)
        .column("move", |row| row.0.move_number)
        .column("White", |row| row.0.white_printed.as_str())
        .column("HAL", |row| row.0.black_printed.as_str())
        .real("paper, without", 0, |row| row.0.nodes_without_optimization)
        .real("paper, with", 0, |row| row.0.nodes_with_optimization)
        .column("ours, without", |row| row.1.0.nodes)
        .column("ours, with", |row| row.1.1.nodes)
        .done()
}

/// The paper does not print how far extensions may go: HAL as meant for several limits.
fn limit_sweep(context: &Context, boards: &[Board]) -> Vec<(u32, Pairs)> {
    let base = Settings::skill(context.sized(2, 4));
    let run = |extensions| {
        let horizon = base.skill + extensions;
        let settings = Settings { horizon, ..base };
        (extensions, Pairs::run(VARIANTS[AS_MEANT], settings, boards))
    };
    (0..=context.sized(4, 6)).map(run).collect()
}

fn limit_table(sweep: &[(u32, Pairs)]) -> Table {
    let title = "HAL as meant: nodes by the number of plies that extensions may add";
    Table::of("hal-limits", title, sweep)
        .column("plies", |row| row.0)
        .column("without", |row| pairs::nodes(&row.1.without))
        .column("with", |row| pairs::nodes(&row.1.with))
        .real("with / without", 3, |row| row.1.ratio_of_sums())
        .done()
}

fn limit_chart(sweep: &[(u32, Pairs)]) -> Figure {
    let points = |runs: fn(&Pairs) -> &[Statistics]| {
        let nodes = move |pairs| pairs::nodes(runs(pairs)) as f64;
        sweep
            .iter()
            .map(move |(limit, pairs)| (f64::from(*limit), nodes(pairs)))
    };
    Figure::chart(
        "HAL as meant: nodes by extension limit",
        [
            Axis::linear("plies that extensions may add"),
            Axis::log("nodes"),
        ],
        [
            line("with optimization", points(|pairs| &pairs.with)),
            dashed("without optimization", points(|pairs| &pairs.without)),
        ],
    )
}

/// A pawn ending with few moves and a chain of captures.
const SMALL: &str = "8/k7/1p6/2p5/1P1P4/8/K7/8 w - - 0 1";

/// Wheeler's figure 3, the quiescence extension, from a real search of a small position: full width
/// for two plies, then captures only.
fn extension() -> Option<Figure> {
    let position = Chess::new(SMALL.parse().ok()?, 0);
    let mut search = AlphaBeta::<_, Quiescence<CapturesFirst>, Recorder> {
        order: CapturesFirst,
        ..AlphaBeta::default()
    };
    search.search(&position, Window::FULL, 2);
    let title = format!(
        "Quiescence extension: two plies in full width, then captures only (branches \"q\"); \
         alpha-beta on {SMALL}, values in centipawns for White"
    );
    let label = |value: i64, _| value.to_string();
    let tree = TreeFigure::of(title, &search.observer.root?, label);
    Some(Figure::Tree(tree))
}

/// Wheeler's figures 4 and 5, times and nodes move by move: the paper's and ours.
fn by_move_figures(rows: &[Row], pairs: &Pairs) -> [Figure; 4] {
    let mended = paper::mended(rows);
    let theirs = |pick: fn(&Row) -> f64| mended.iter().map(pick).collect::<Vec<f64>>();
    let ours = |pick: fn(&Statistics) -> f64| {
        [&pairs.with, &pairs.without].map(|runs| runs.iter().map(pick).collect::<Vec<f64>>())
    };
    let figure = |title: &str, unit: &str, [with, without]: [Vec<f64>; 2]| {
        let moves = || rows.iter().map(|row| f64::from(row.move_number));
        Figure::chart(
            title,
            [Axis::linear("move of the game"), Axis::log(unit)],
            [
                line("with optimization", moves().zip(with)),
                dashed("without optimization", moves().zip(without)),
            ],
        )
    };
    [
        figure(
            "Figure 4, the paper's: time for each move",
            "seconds",
            [
                theirs(|row| row.seconds_with_optimization),
                theirs(|row| row.seconds_without_optimization),
            ],
        ),
        figure(
            "Figure 5, the paper's: nodes for each move (row 9 mended)",
            "nodes",
            [
                theirs(|row| row.nodes_with_optimization),
                theirs(|row| row.nodes_without_optimization),
            ],
        ),
        figure(
            "Figure 4, ours (as meant): time for each move",
            "seconds",
            ours(|run| run.time.as_secs_f64()),
        ),
        figure(
            "Figure 5, ours (as meant): nodes for each move",
            "nodes",
            ours(|run| run.nodes as f64),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::TreeNode;

    #[test]
    fn the_summary_says_what_was_found() {
        assert_eq!(effect(TTest::of([1.0, 1.1, 1.2])), "saves nodes");
        assert_eq!(effect(TTest::of([-1.0, -1.1, -1.2])), "costs nodes");
        assert!(effect(TTest::of([-1.0, 1.1, 0.2])).starts_with("neither"));
    }

    #[test]
    fn the_extension_goes_beyond_the_full_width() {
        fn deepest(node: &TreeNode) -> usize {
            1 + node.children.iter().map(deepest).max().unwrap_or(0)
        }
        let Some(Figure::Tree(tree)) = extension() else {
            panic!("no tree")
        };
        assert!(deepest(&tree.root) > 3, "{:?}", tree.root);
    }
}
