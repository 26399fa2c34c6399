//! Experiment 8: Syzygy tables off, at the root, and in the search.

pub mod endings;
pub mod modes;

use crate::error::LabError;
use crate::experiment::{Context, Experiment};
use crate::report::{Axis, Cell, Chart, Figure, Finding, Report, Series, Stroke, Table, Verdict};
use crate::tables;
use modes::{Mode, Run};

/// Endgame tables at work.
pub struct Syzygy;

impl Experiment for Syzygy {
    fn name(&self) -> &'static str {
        "syzygy"
    }

    fn title(&self) -> &'static str {
        "Syzygy tables: off, at the root, in the search"
    }

    fn claim(&self) -> &'static str {
        "Endgame tables come as two sets: WDL for access during the search, DTZ for access at the \
         root (Ronald de Man, Syzygy Bases, 2013)."
    }

    fn run(&self, context: &Context<'_>) -> Result<Report, LabError> {
        let Some(tables) = tables::open(context)? else {
            return Ok(without_tables());
        };
        let depth = context.sized(6, 12);
        let count = context.sized(6, 40);
        let tabled = endings::tabled(&tables, count, context.seed);
        let before = endings::one_man_more(&tables, count, context.seed);
        let inside = modes::run(context, &tables, &tabled, &Mode::ALL, depth)?;
        let modes = [Mode::Off, Mode::InSearch];
        let outside = modes::run(context, &tables, &before, &modes, depth)?;
        let mut findings = inside_findings(&inside);
        findings.extend(outside_findings(&outside));
        Ok(Report {
            tables: vec![
                table("tabled", "Tabled endings", depth, &inside),
                table(
                    "before",
                    "Endings with one man more than the tables, from which captures lead into them",
                    depth,
                    &outside,
                ),
            ],
            figures: chart(&inside).map(Figure::Chart).into_iter().collect(),
            verdict: Verdict::of(
                format!(
                    "{} endings of up to {} men, searched to depth {depth}.",
                    inside.len() / Mode::ALL.len().max(1),
                    tables.max_men()
                ),
                findings,
            ),
        })
    }
}

fn without_tables() -> Report {
    let text = "Skipped: there are no tables. Give their folder with --tables.";
    Report {
        tables: Vec::new(),
        figures: Vec::new(),
        verdict: Verdict::of(
            "Nothing was measured.".to_owned(),
            vec![Finding::noted(text)],
        ),
    }
}

fn of(runs: &[Run], mode: Mode) -> impl Iterator<Item = &Run> {
    runs.iter().filter(move |run| run.mode == mode)
}

/// Sums over the endings.
fn nodes(runs: &[Run], mode: Mode) -> u64 {
    of(runs, mode).map(|run| run.nodes).sum()
}

fn share(runs: &[Run], mode: Mode, pick: fn(&Run) -> usize) -> f64 {
    let positions: usize = of(runs, mode).map(|run| run.positions).sum();
    100.0 * of(runs, mode).map(pick).sum::<usize>() as f64 / positions.max(1) as f64
}

fn inside_findings(runs: &[Run]) -> Vec<Finding> {
    if runs.is_empty() {
        return Vec::new();
    }
    let kept = |mode| share(runs, mode, |run| run.kept);
    let right = |mode| share(runs, mode, |run| run.right);
    let ratio = |mode| nodes(runs, mode) as f64 / nodes(runs, Mode::Off).max(1) as f64;
    vec![
        Finding::tested(
            kept(Mode::AtRoot) >= 100.0,
            format!(
                "At the root the tables leave only moves that keep the result: {:.1} % of the \
                 chosen moves did, against {:.1} % without tables. The score stays the search's \
                 guess: {:.1} % of the verdicts are right, against {:.1} %.",
                kept(Mode::AtRoot),
                kept(Mode::Off),
                right(Mode::AtRoot),
                right(Mode::Off)
            ),
        ),
        Finding::tested(
            kept(Mode::InSearch) >= 100.0 && right(Mode::InSearch) > right(Mode::Off),
            format!(
                "In the search too, {:.1} % of the moves keep the result and {:.1} % of the \
                 verdicts are right, with {:.2} times the nodes to the same depth ({:.2} at the \
                 root alone).",
                kept(Mode::InSearch),
                right(Mode::InSearch),
                ratio(Mode::InSearch),
                ratio(Mode::AtRoot)
            ),
        ),
    ]
}

fn outside_findings(runs: &[Run]) -> Vec<Finding> {
    if runs.is_empty() {
        return Vec::new();
    }
    let hits: u64 = of(runs, Mode::InSearch).map(|run| run.hits).sum();
    let (off, on) = (nodes(runs, Mode::Off), nodes(runs, Mode::InSearch));
    vec![Finding::tested(
        hits > 0 && on < off,
        format!(
            "One man before the tables, probing in the search takes {:.2} times the nodes to the \
             same depth, with {:.1} hits per 1000 nodes.",
            on as f64 / off.max(1) as f64,
            1000.0 * hits as f64 / on.max(1) as f64
        ),
    )]
}

fn table(name: &str, what: &str, depth: u32, runs: &[Run]) -> Table {
    let mut table = Table::new(
        name,
        &format!(
            "{what}, to depth {depth}; a verdict is right if a win scores at least 200 \
             centipawns, a draw less than 100 either way, a loss at most -200"
        ),
        &[
            "ending",
            "probing",
            "positions",
            "nodes",
            "hits",
            "mean |score| (cp)",
            "verdict right (%)",
            "move keeps result (%)",
        ],
    );
    for run in runs {
        let percent = |count: usize| {
            if run.judged == 0 {
                Cell::Empty
            } else {
                Cell::real(100.0 * count as f64 / run.judged as f64, 1)
            }
        };
        table.row([
            run.ending.as_str().into(),
            run.mode.words().into(),
            run.positions.into(),
            run.nodes.into(),
            run.hits.into(),
            Cell::real(run.score / run.positions.max(1) as f64, 0),
            percent(run.right),
            percent(run.kept),
        ]);
    }
    table
}

/// Nodes by ending, one line a mode.
fn chart(runs: &[Run]) -> Option<Chart> {
    let series = Mode::ALL.map(|mode| {
        let points = of(runs, mode)
            .zip(1..)
            .map(|(run, number)| (f64::from(number), run.nodes as f64));
        Series::new(mode.words(), Stroke::Dots, points.collect())
    });
    (!runs.is_empty()).then(|| Chart {
        title: "Nodes to the same depth, by ending (in the order of the table)".to_owned(),
        x: Axis::linear("ending"),
        y: Axis::log("nodes"),
        series: series.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_never_spoil_the_result_where_tables_are_asked() {
        let report = Syzygy.run(&Context::quick(3)).unwrap();
        let tabled = &report.tables[0];
        assert!(tabled.rows.len() >= 9, "the source tree has tables");
        for row in &tabled.rows {
            if row[1] != Cell::from(Mode::Off.words()) {
                assert_eq!(row[7], Cell::real(100.0, 1), "{row:?}");
            }
        }
    }

    #[test]
    fn without_tables_nothing_is_said_about_the_claim() {
        let verdict = without_tables().verdict;
        assert_eq!(verdict.outcome.words(), "was not tested");
        let nothing = Verdict::of(String::new(), inside_findings(&[]));
        assert_eq!(nothing.outcome.words(), "was not tested");
    }

    #[test]
    fn missing_tables_are_named() {
        let context = Context {
            tables: Some("/nowhere/at/all".to_owned()),
            ..Context::quick(1)
        };
        let message = Syzygy.run(&context).unwrap_err().to_string();
        assert!(message.contains("/nowhere/at/all"), "{message}");
    }
}
