//! The counters of a search as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sextant_search::{SearchEvent, Stats, budget::Category};

/// Sixteenths of an SX in one.
const SX: f64 = 16.0;
/// Parts of a ply that reductions are counted in.
const PLY: f64 = 128.0;

/// Every mark with its name.
const MARKS: &[(SearchEvent, &str)] = &[
    (SearchEvent::Quiescence, "quiescence nodes"),
    (SearchEvent::TtHit, "table hits"),
    (SearchEvent::TtCutoff, "table cut-offs"),
    (SearchEvent::TablebaseHit, "tablebase hits"),
    (SearchEvent::MateAtAGlance, "mates at a glance"),
    (SearchEvent::UpcomingRepetition, "repetitions ahead"),
    (SearchEvent::StandPat, "stand-pat cut-offs"),
    (SearchEvent::ReverseFutility, "reverse futility"),
    (SearchEvent::Razoring, "razoring"),
    (SearchEvent::NullMoveTried, "null moves tried"),
    (SearchEvent::NullMoveCutoff, "null move cut-offs"),
    (SearchEvent::ProbCut, "ProbCut"),
    (SearchEvent::Iir, "internal reductions"),
    (SearchEvent::LateMovePruning, "late-move pruning"),
    (SearchEvent::FutilityPruning, "futility pruning"),
    (SearchEvent::SeePruning, "exchange pruning"),
    (SearchEvent::HistoryPruning, "history pruning"),
    (SearchEvent::SingularTried, "singular tests"),
    (SearchEvent::Singular, "singular"),
    (SearchEvent::DoublySingular, "doubly singular"),
    (SearchEvent::Multicut, "multicut"),
    (SearchEvent::Research, "re-searches without the reduction"),
    (SearchEvent::OpenWindow, "re-searches with an open window"),
];

pub(super) fn to_text(stats: &Stats) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let [pv, cut, all] = stats.expected;
    let _ = writeln!(
        text,
        "Nodes expected: {pv} open window, {cut} cut, {all} all"
    );
    let [exact, lower, upper] = stats.actual;
    let _ = writeln!(
        text,
        "Nodes searched: {exact} exact, {lower} cut, {upper} all"
    );
    let cuts = stats
        .cutoffs
        .iter()
        .map(u64::to_string)
        .collect::<Vec<_>>()
        .join(" ");
    let _ = writeln!(text, "Cut-offs by move number: {cuts}");
    for (mark, name) in MARKS {
        let _ = writeln!(text, "{name:>34} {:>12}", stats.count(*mark));
    }
    let _ = writeln!(
        text,
        "{:>34} {:>12} {:>12} {:>12}",
        "category", "moves", "SX less", "SX more"
    );
    for (category, charged) in Category::ALL.iter().zip(&stats.charged) {
        let (less, more) = (charged.extended as f64 / SX, charged.reduced as f64 / SX);
        let name = category.name();
        let _ = writeln!(
            text,
            "{name:>34} {:>12} {less:>12.1} {more:>12.1}",
            charged.moves
        );
    }
    let bets = stats.reductions as f64 / PLY;
    let _ = writeln!(
        text,
        "Reductions: {bets:.0} plies over {} moves",
        stats.reduced_moves
    );
    for iteration in &stats.iterations {
        let _ = writeln!(
            text,
            "Iteration {:>3}: {:>12} nodes",
            iteration.depth, iteration.nodes
        );
    }
    text.trim_end().to_owned()
}

pub(super) fn to_json(stats: &Stats) -> Value {
    let marks = MARKS
        .iter()
        .map(|(mark, name)| ((*name).to_owned(), json!(stats.count(*mark))));
    let categories = Category::ALL
        .iter()
        .zip(&stats.charged)
        .map(|(category, charged)| {
            json!({
                "category": category.name(),
                "moves": charged.moves,
                "sx_less": charged.extended as f64 / SX,
                "sx_more": charged.reduced as f64 / SX,
            })
        });
    let iterations = stats.iterations.iter();
    let iterations = iterations.map(|it| json!({ "depth": it.depth, "nodes": it.nodes }));
    let [pv, cut, all] = stats.expected;
    let [exact, lower, upper] = stats.actual;
    json!({
        "expected": { "pv": pv, "cut": cut, "all": all },
        "actual": { "exact": exact, "cut": lower, "all": upper },
        "cutoffs": stats.cutoffs,
        "events": marks.collect::<serde_json::Map<_, _>>(),
        "categories": categories.collect::<Vec<_>>(),
        "reduction_plies": stats.reductions as f64 / PLY,
        "reduced_moves": stats.reduced_moves,
        "iterations": iterations.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_shown_once() {
        assert_eq!(MARKS.len(), SearchEvent::COUNT);
        let mut numbers: Vec<_> = MARKS.iter().map(|(mark, _)| *mark as usize).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), SearchEvent::COUNT);
    }
}
