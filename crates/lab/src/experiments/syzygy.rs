//! Experiment 8: Ronald de Man's tables off, at the root, and in the search.

use std::sync::Arc;

use sextant_board::{Move, MoveSets, Random};
use sextant_search::Limits;
use sextant_syzygy::{Tablebase, Wdl};

use crate::endings::endings;
use crate::experiments::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "syzygy",
    title: "Syzygy tables: off, at the root, in the search",
    claim: "Endgame tables come as two sets: WDL for access during the search, DTZ for access at the \
            root (Ronald de Man, Syzygy Bases, 2013).",
    takes_hours: false,
    run,
};

const TABLED: [&str; 14] = [
    "KPvK", "KQvKR", "KQvKQ", "KRvKR", "KPvKP", "KRvKB", "KRvKN", "KRvKP", "KQvKP", "KBNvK",
    "KBPvK", "KNPvK", "KBvKP", "KPPvK",
];
const ONE_MORE: [&str; 5] = ["KQPvKQ", "KRPvKR", "KPPvKP", "KRBvKR", "KQRvKQ"];
const PATIENCE: usize = 200;

fn run(context: &Context) -> Result<Report, Failure> {
    let Some(tables) = context.tablebase()? else {
        let skipped = noted!("There are no tables: give their folder with --tables.");
        return Ok(Report {
            summary: "Nothing was measured.".to_owned(),
            findings: vec![skipped],
            ..Report::default()
        });
    };
    let depth = context.sized(4, 12);
    let tabled = tabled(context, &tables);
    let before = one_more(context, &tables);
    let inside = search(context, &tables, &tabled, &MODES, depth)?;
    let modes = [OFF, IN_SEARCH];
    let outside = search(context, &tables, &before, &modes, depth)?;
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
        summary: format!(
            "In {} endings of up to {} men, {:.1} % of the moves keep the result with tables at the \
             root and {:.1} % with tables in the search.",
            tabled.len(),
            tables.max_men(),
            share(&inside, MODES[1], |s| s.kept.into()),
            share(&inside, IN_SEARCH, |s| s.kept.into())
        ),
        findings,
        ..Report::default()
    })
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
    let mut random = Random::new(context.settings.seed);
    let found = names.iter().map(|&name| {
        let draw = |_| endings(&mut random, name, PATIENCE, accepted).next();
        (name, (0..context.sized(6, 40)).map_while(draw).collect())
    });
    let is_found = |(_, positions): &Ending| !positions.is_empty();
    found.filter(is_found).collect()
}

/// Where the tables are asked, as the report says it.
type Mode = &'static str;

const OFF: Mode = "off";
/// At the root only: moves that are not best by the tables are not searched.
const AT_ROOT: Mode = "at the root";
/// At the root and in the search.
const IN_SEARCH: Mode = "in the search";
const MODES: [Mode; 3] = [OFF, AT_ROOT, IN_SEARCH];

/// One search, and what the tables say of it where they know the position.
#[derive(Clone, Copy, Debug)]
struct Search {
    nodes: u64,
    hits: u64,
    score: i32,
    judged: bool,
    /// The score says win, draw or loss as the tables do.
    right: bool,
    /// The chosen move keeps the result.
    kept: bool,
}

type ModeRun = Run<(&'static str, Mode), Search>;

/// Searches every position in every mode to the same depth.
fn search(
    context: &Context,
    tables: &Arc<Tablebase>,
    endings: &[Ending],
    modes: &[Mode],
    depth: u32,
) -> Result<Vec<ModeRun>, Failure> {
    let mut engine = FreshEngine::new(&context.config, HASH)?;
    let mut runs = Vec::new();
    for &(ending, ref positions) in track("tabled endings", endings) {
        for &mode in modes {
            let probed = (mode == IN_SEARCH).then(|| tables.clone());
            engine.0.set_tablebase(probed);
            let one = |position| {
                let mut limits = to_depth(depth);
                if mode == AT_ROOT {
                    limits.searchmoves = best_by_tables(tables, position);
                }
                judged(&mut engine, tables, position, &limits)
            };
            runs.push(Run {
                variant: (ending, mode),
                each: positions.iter().map(one).collect(),
            });
        }
    }
    Ok(runs)
}

fn judged(
    engine: &mut FreshEngine,
    tables: &Tablebase,
    position: &Position,
    limits: &Limits,
) -> Search {
    let outcome = engine.search(position, limits);
    let score = outcome.score().raw();
    let truth = tables.wdl(position.board()).map(points);
    let after = outcome.best.map(|mv| position.make(mv).0);
    let result = after.and_then(|after| tables.wdl(after.board()));
    Search {
        nodes: outcome.nodes,
        hits: outcome.lines.first().map_or(0, |line| line.totals.tbhits),
        score,
        judged: truth.is_some(),
        right: truth.is_some() && truth == says(score),
        kept: truth.is_some() && truth == result.map(|theirs| -points(theirs)),
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

fn total(runs: &[ModeRun], mode: Mode, pick: fn(&Search) -> u64) -> f64 {
    let of_mode = runs.iter().filter(|run| run.variant.1 == mode);
    of_mode.map(|run| run.sum(pick)).sum::<u64>() as f64
}

/// Nodes of a mode over those without tables.
fn node_ratio(runs: &[ModeRun], mode: Mode) -> f64 {
    total(runs, mode, |s| s.nodes) / total(runs, OFF, |s| s.nodes).max(1.0)
}

fn share(runs: &[ModeRun], mode: Mode, which: fn(&Search) -> u64) -> f64 {
    100.0 * total(runs, mode, which) / total(runs, mode, |_| 1).max(1.0)
}

fn inside_findings(runs: &[ModeRun]) -> Vec<Finding> {
    if runs.is_empty() {
        return Vec::new();
    }
    let [kept_off, kept_root, kept] = MODES.map(|mode| share(runs, mode, |s| s.kept.into()));
    let [right_off, right_root, right] = MODES.map(|mode| share(runs, mode, |s| s.right.into()));
    let [_, root_nodes, nodes] = MODES.map(|mode| node_ratio(runs, mode));
    vec![
        tested!(
            kept_root >= 100.0,
            "With tables at the root {kept_root:.1} % of the moves keep the result, against \
             {kept_off:.1} % without, and {right_root:.1} % of the scores have the right verdict, \
             against {right_off:.1} %."
        ),
        tested!(
            kept >= 100.0 && right > right_off,
            "With tables in the search {kept:.1} % of the moves keep the result and {right:.1} % of \
             the scores have the right verdict, for {nodes:.2} times the nodes to the same depth \
             ({root_nodes:.2} at the root alone)."
        ),
    ]
}

fn outside_finding(runs: &[ModeRun]) -> Option<Finding> {
    let hits = total(runs, IN_SEARCH, |s| s.hits);
    let nodes = total(runs, IN_SEARCH, |s| s.nodes);
    let ratio = node_ratio(runs, IN_SEARCH);
    let text = format!(
        "One man before the tables, probing in the search takes {ratio:.2} times the nodes to the \
         same depth, with {:.1} hits per 1000 nodes.",
        1000.0 * hits / nodes.max(1.0)
    );
    (!runs.is_empty()).then(|| Finding::tested(hits > 0.0 && ratio < 1.0, text))
}

fn table(name: &str, what: &str, depth: u32, runs: &[ModeRun]) -> Table {
    let title = format!(
        "{what}, to depth {depth}; a verdict is right if a win scores at least 200 centipawns, a \
         draw less than 100 either way, a loss at most -200"
    );
    // Of those that the tables know.
    let percent = |run: &ModeRun, which: fn(&Search) -> bool| {
        let known = run.sum(|s| s.judged.into());
        (known > 0).then(|| 100.0 * run.sum(|s| which(s).into()) as f64 / known as f64)
    };
    table!(name, title, runs, |run| {
        "ending" => run.variant.0,
        "probing" => run.variant.1,
        "positions" => run.each.len(),
        "nodes" => run.sum(|s| s.nodes),
        "hits" => run.sum(|s| s.hits),
        "mean |score| (cp)" => real(run.rate(|s| s.score.unsigned_abs().into(), |_| 1), 0),
        "verdict right (%)" => real(percent(run, |s| s.right), 1),
        "move keeps result (%)" => real(percent(run, |s| s.kept), 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::quick;

    #[test]
    fn moves_never_spoil_the_result_where_tables_are_asked() {
        let report = run(&quick(3, "default")).unwrap();
        let tabled = &report.tables[0];
        assert!(tabled.rows.len() >= 9, "the source tree has tables");
        for row in &tabled.rows {
            if row[1] != Cell::from(OFF) {
                assert_eq!(row[7], Cell::Real(100.0, 1), "{row:?}");
            }
        }
    }

    #[test]
    fn a_score_between_a_draw_and_a_win_claims_nothing() {
        let scores = [200, 199, 100, 99, -99, -100, -199, -200];
        let claims = [Some(1), None, None, Some(0), Some(0), None, None, Some(-1)];
        assert_eq!(scores.map(says), claims);
    }
}
