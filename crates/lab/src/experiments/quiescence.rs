//! Experiment 5: Wheeler's optimization of quiescence search (2024), a quiet move before the captures.

mod in_engine;
mod pairs;

use cozy_chess::Board;

use crate::experiments::prelude::*;
use crate::hal::{
    EXTENSIONS, Settings,
    paper::{self, PaperTests, Row},
    search::Statistics,
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
    let mut findings = Vec::from(paper.findings());
    findings.extend(all.iter().filter_map(Pairs::finding));
    findings.push(why(&all));
    findings.extend(in_engine::findings(&variants));
    Ok(Report {
        tables: vec![
            paper.table(),
            pairs::table(&all),
            pairs::test_table(&all),
            by_move_table(&rows, &all[AS_MEANT]),
            limit_table(&sweep),
            in_engine::table(&variants),
        ],
        figures: vec![by_move_chart(&rows, &all[AS_MEANT])],
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
    noted!(
        "Why: in HAL a node below the full width can only be left by a move, and the quiet one is \
         the cheapest, so it does what standing pat does elsewhere. All together it saves a factor \
         {as_meant:.1} without stand-pat, {may:.1} if HAL may stand pat as well, and {instead:.1} \
         if it stands pat instead of trying quiet moves below the full width."
    )
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

/// Wheeler's figure 5, nodes move by move: the paper's and ours.
fn by_move_chart(rows: &[Row], pairs: &Pairs) -> Figure {
    let mended = paper::mended(rows);
    let theirs = |nodes: fn(&Row) -> f64| {
        mended
            .iter()
            .map(move |row| (f64::from(row.move_number), nodes(row)))
    };
    let ours = |runs: &[Statistics]| {
        let moves = rows.iter().map(|row| f64::from(row.move_number));
        moves
            .zip(runs.iter().map(|run| run.nodes as f64))
            .collect::<Vec<_>>()
    };
    Figure::new(
        "Nodes for each move (row 9 mended)",
        "move of the game",
        "nodes",
    )
    .log_y()
    .line(
        "the paper's with optimization",
        theirs(|row| row.nodes_with_optimization),
    )
    .dashed(
        "the paper's without",
        theirs(|row| row.nodes_without_optimization),
    )
    .line("ours with optimization", ours(&pairs.with))
    .dashed("ours without", ours(&pairs.without))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_says_what_was_found() {
        assert_eq!(effect(TTest::of([1.0, 1.1, 1.2])), "saves nodes");
        assert_eq!(effect(TTest::of([-1.0, -1.1, -1.2])), "costs nodes");
        assert!(effect(TTest::of([-1.0, 1.1, 0.2])).starts_with("neither"));
    }
}
