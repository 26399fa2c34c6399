//! Experiment 8: Ronald de Man's tables off, at the root, and in the search.

use std::sync::Arc;

use sextant_board::{Move, MoveSets, Position};
use sextant_cli::{chart::Axis, failure::Failure};
use sextant_search::Limits;
use sextant_syzygy::{Tablebase, Wdl};

use super::endings;
use crate::{
    engine::{FreshEngine, to_depth},
    experiment::{Context, Experiment, track},
    random::Dice,
    report::{Figure, Finding, Report, Table, dots},
};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "syzygy",
    title: "Syzygy tables: off, at the root, in the search",
    claim: "Endgame tables come as two sets: WDL for access during the search, DTZ for access at the \
            root (Ronald de Man, Syzygy Bases, 2013).",
    run,
};

/// Endings that the tables may know.
const TABLED: [&str; 14] = [
    "KPvK", "KQvKR", "KQvKQ", "KRvKR", "KPvKP", "KRvKB", "KRvKN", "KRvKP", "KQvKP", "KBNvK",
    "KBPvK", "KNPvK", "KBvKP", "KPPvK",
];
/// Endings one piece away from those.
const ONE_MORE: [&str; 5] = ["KQPvKQ", "KRPvKR", "KPPvKP", "KRBvKR", "KQRvKQ"];
/// Scatterings that are tried for each position.
const PATIENCE: usize = 200;

fn run(context: &Context) -> Result<Report, Failure> {
    let Some(tables) = context.tablebase()? else {
        return Ok(without_tables());
    };
    let depth = context.sized(6, 12);
    let tabled = tabled(context, &tables);
    let before = one_more(context, &tables);
    let inside = search(context, &tables, &tabled, &Mode::ALL, depth)?;
    let outside = search(
        context,
        &tables,
        &before,
        &[Mode::Off, Mode::InSearch],
        depth,
    )?;
    let mut findings = inside_findings(&inside);
    findings.extend(outside_finding(&outside));
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
        figures: Vec::from_iter(chart(&inside)),
        summary: format!(
            "{} endings of up to {} men, searched to depth {depth}.",
            tabled.len(),
            tables.max_men()
        ),
        findings,
    })
}

fn without_tables() -> Report {
    let text = "Skipped: there are no tables. Give their folder with --tables.";
    Report {
        tables: Vec::new(),
        figures: Vec::new(),
        summary: "Nothing was measured.".to_owned(),
        findings: vec![Finding::noted(text)],
    }
}

/// Positions of one ending, named as table files are.
type Ending = (&'static str, Vec<Position>);

/// At most so many positions of each ending that the tables know, every move included, or nobody
/// could say whether it keeps the result.
fn tabled(context: &Context, tables: &Tablebase) -> Vec<Ending> {
    scatter(context, &TABLED, &|position| {
        let board = position.board();
        tables.wdl(board).is_some() && tables.probe_root(board, false, true).is_ok()
    })
}

/// At most so many positions of each ending from which some capture leads into the tables.
fn one_more(context: &Context, tables: &Tablebase) -> Vec<Ending> {
    scatter(context, &ONE_MORE, &|position| {
        let known = |position: &Position| tables.wdl(position.board()).is_some();
        let moves = MoveSets::generate(position);
        let mut captures = moves.iter().filter(|&mv| position.is_capture(mv));
        !known(position) && captures.any(|mv| known(&position.make(mv).0))
    })
}

fn scatter(
    context: &Context,
    names: &[&'static str],
    accepted: &dyn Fn(&Position) -> bool,
) -> Vec<Ending> {
    let mut dice = Dice::new(context.seed);
    let endings = names.iter().map(|&name| {
        let draw = |_| endings::accepted(name, PATIENCE, &mut dice, accepted).next();
        (name, (0..context.sized(6, 40)).map_while(draw).collect())
    });
    endings
        .filter(|(_, positions): &Ending| !positions.is_empty())
        .collect()
}

/// Where the tables are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Off,
    /// At the root only: moves that are not best by the tables are not searched.
    AtRoot,
    /// At the root and in the search.
    InSearch,
}

impl Mode {
    const ALL: [Mode; 3] = [Mode::Off, Mode::AtRoot, Mode::InSearch];

    fn words(self) -> &'static str {
        match self {
            Mode::Off => "off",
            Mode::AtRoot => "at the root",
            Mode::InSearch => "in the search",
        }
    }
}

/// An ending under one mode.
#[derive(Clone, Debug)]
struct Run {
    ending: &'static str,
    mode: Mode,
    positions: usize,
    nodes: u64,
    /// Table hits in the search.
    hits: u64,
    /// Sum of the scores' sizes in centipawns.
    score: f64,
    /// Positions whose result the tables know.
    judged: usize,
    /// Of those, positions whose score says win, draw or loss as the tables do.
    right: usize,
    /// Of those, chosen moves that keep the result.
    kept: usize,
}

/// Searches every position in every mode to the same depth.
fn search(
    context: &Context,
    tables: &Arc<Tablebase>,
    endings: &[Ending],
    modes: &[Mode],
    depth: u32,
) -> Result<Vec<Run>, Failure> {
    let mut runs = Vec::new();
    let mut engine = FreshEngine::new(&context.config)?;
    for (ending, positions) in track("tabled endings", endings) {
        for &mode in modes {
            engine.probe((mode == Mode::InSearch).then(|| tables.clone()));
            let mut run = Run::new(ending, mode);
            for position in positions {
                let mut limits = to_depth(depth);
                if mode == Mode::AtRoot {
                    limits.searchmoves = best_by_tables(tables, position);
                }
                run.add(&mut engine, tables, position, &limits);
            }
            runs.push(run);
        }
    }
    Ok(runs)
}

impl Run {
    fn new(ending: &'static str, mode: Mode) -> Run {
        Run {
            ending,
            mode,
            positions: 0,
            nodes: 0,
            hits: 0,
            score: 0.0,
            judged: 0,
            right: 0,
            kept: 0,
        }
    }

    fn add(
        &mut self,
        engine: &mut FreshEngine,
        tables: &Tablebase,
        position: &Position,
        limits: &Limits,
    ) {
        let outcome = engine.search(position, limits, &mut |_| {});
        let score = outcome.score().raw();
        self.positions += 1;
        self.nodes += outcome.nodes;
        self.hits += outcome.lines.first().map_or(0, |line| line.totals.tbhits);
        self.score += f64::from(score.abs());
        let Some(truth) = tables.wdl(position.board()).map(points) else {
            return;
        };
        self.judged += 1;
        self.right += usize::from(says(score) == Some(truth));
        let after = outcome.best.map(|mv| position.make(mv).0);
        let result = after.and_then(|after| tables.wdl(after.board()));
        self.kept += usize::from(result.map(|theirs| -points(theirs)) == Some(truth));
    }

    fn percent(&self, count: usize) -> Option<f64> {
        (self.judged > 0).then(|| 100.0 * count as f64 / self.judged as f64)
    }
}

/// What a score in centipawns claims: a win, a draw, a loss, or nothing clear.
fn says(score: i32) -> Option<i32> {
    match score {
        200.. => Some(1),
        -99..100 => Some(0),
        ..=-200 => Some(-1),
        _ => None,
    }
}

/// Win, draw or loss under the fifty-move rule; the half-move clock of all positions is 0.
fn points(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Win => 1,
        Wdl::Loss => -1,
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => 0,
    }
}

/// The moves that the tables rank first; empty (all moves) where they do not know.
fn best_by_tables(tables: &Tablebase, position: &Position) -> Vec<Move> {
    let ranked = tables
        .probe_root(position.board(), false, true)
        .unwrap_or_default();
    let best = ranked.iter().map(|ranked| ranked.rank).max();
    let first = ranked.iter().filter(|ranked| Some(ranked.rank) == best);
    first.map(|ranked| ranked.mv).collect()
}

fn of(runs: &[Run], mode: Mode) -> impl Iterator<Item = &Run> {
    runs.iter().filter(move |run| run.mode == mode)
}

/// Nodes of a mode over those without tables.
fn node_ratio(runs: &[Run], mode: Mode) -> f64 {
    let nodes = |mode| of(runs, mode).map(|run| run.nodes).sum::<u64>();
    nodes(mode) as f64 / nodes(Mode::Off).max(1) as f64
}

fn share(runs: &[Run], mode: Mode, pick: fn(&Run) -> usize) -> f64 {
    let positions: usize = of(runs, mode).map(|run| run.positions).sum();
    100.0 * of(runs, mode).map(pick).sum::<usize>() as f64 / positions.max(1) as f64
}

fn inside_findings(runs: &[Run]) -> Vec<Finding> {
    if runs.is_empty() {
        return Vec::new();
    }
    let [kept_off, kept_root, kept] = Mode::ALL.map(|mode| share(runs, mode, |run| run.kept));
    let [right_off, right_root, right] = Mode::ALL.map(|mode| share(runs, mode, |run| run.right));
    let [_, root_nodes, nodes] = Mode::ALL.map(|mode| node_ratio(runs, mode));
    vec![
        Finding::tested(
            kept_root >= 100.0,
            format!(
                "At the root the tables leave only moves that keep the result: {kept_root:.1} % of \
                 the chosen moves did, against {kept_off:.1} % without tables. The score stays the \
                 search's guess: {right_root:.1} % of the verdicts are right, against \
                 {right_off:.1} %."
            ),
        ),
        Finding::tested(
            kept >= 100.0 && right > right_off,
            format!(
                "In the search too, {kept:.1} % of the moves keep the result and {right:.1} % of \
                 the verdicts are right, with {nodes:.2} times the nodes to the same depth \
                 ({root_nodes:.2} at the root alone)."
            ),
        ),
    ]
}

fn outside_finding(runs: &[Run]) -> Option<Finding> {
    let hits: u64 = of(runs, Mode::InSearch).map(|run| run.hits).sum();
    let nodes: u64 = of(runs, Mode::InSearch).map(|run| run.nodes).sum();
    let ratio = node_ratio(runs, Mode::InSearch);
    let text = format!(
        "One man before the tables, probing in the search takes {ratio:.2} times the nodes to the \
         same depth, with {:.1} hits per 1000 nodes.",
        1000.0 * hits as f64 / nodes.max(1) as f64
    );
    (!runs.is_empty()).then(|| Finding::tested(hits > 0 && ratio < 1.0, text))
}

fn table(name: &str, what: &str, depth: u32, runs: &[Run]) -> Table {
    let title = format!(
        "{what}, to depth {depth}; a verdict is right if a win scores at least 200 centipawns, a \
         draw less than 100 either way, a loss at most -200"
    );
    Table::of(name, title, runs)
        .column("ending", |run| run.ending)
        .column("probing", |run| run.mode.words())
        .column("positions", |run| run.positions)
        .column("nodes", |run| run.nodes)
        .column("hits", |run| run.hits)
        .real("mean |score| (cp)", 0, |run| {
            run.score / run.positions.max(1) as f64
        })
        .real("verdict right (%)", 1, |run| run.percent(run.right))
        .real("move keeps result (%)", 1, |run| run.percent(run.kept))
        .done()
}

/// Nodes by ending, one line a mode.
fn chart(runs: &[Run]) -> Option<Figure> {
    let series = Mode::ALL.map(|mode| {
        let points = of(runs, mode).zip(1..);
        dots(
            mode.words(),
            points.map(|(run, number)| (f64::from(number), run.nodes as f64)),
        )
    });
    let title = "Nodes to the same depth, by ending (in the order of the table)";
    let axes = [Axis::linear("ending"), Axis::log("nodes")];
    (!runs.is_empty()).then(|| Figure::chart(title, axes, series))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        experiment::quick,
        report::{Cell, Outcome},
    };

    #[test]
    fn moves_never_spoil_the_result_where_tables_are_asked() {
        let report = run(&quick(3)).unwrap();
        let tabled = &report.tables[0];
        assert!(tabled.rows.len() >= 9, "the source tree has tables");
        for row in &tabled.rows {
            if row[1] != Cell::from(Mode::Off.words()) {
                assert_eq!(row[7], Cell::Real(100.0, 1), "{row:?}");
            }
        }
    }

    #[test]
    fn without_tables_nothing_is_said_about_the_claim() {
        assert_eq!(without_tables().outcome(), Outcome::Untested);
        assert!(inside_findings(&[]).is_empty() && outside_finding(&[]).is_none());
    }

    #[test]
    fn a_score_between_a_draw_and_a_win_claims_nothing() {
        let scores = [200, 199, 100, 99, -99, -100, -199, -200];
        let claims = [Some(1), None, None, Some(0), Some(0), None, None, Some(-1)];
        assert_eq!(scores.map(says), claims);
    }

    #[test]
    fn missing_tables_are_named() {
        let context = Context {
            tables: Some("/nowhere/at/all".to_owned()),
            ..quick(1)
        };
        let message = run(&context).unwrap_err().to_string();
        assert!(message.contains("/nowhere/at/all"), "{message}");
    }
}
