//! The counters of a search as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use sextant_search::{SearchEvent, Stats, budget::Category};
use sextant_view::{PLY, SX};

/// Each category with its moves, and the SX that they paid less and more than a nominal ply.
fn charged(stats: &Stats) -> impl Iterator<Item = (&'static str, u64, f64, f64)> + '_ {
    let charged = Category::ALL.iter().zip(&stats.charged);
    charged.map(|(category, charged)| {
        let [less, more] = [charged.extended, charged.reduced].map(|sx| sx as f64 / SX);
        (category.name(), charged.moves, less, more)
    })
}

pub(super) fn to_text(stats: &Stats) -> String {
    let [pv, cut, all] = stats.expected;
    let [exact, lower, upper] = stats.actual;
    let cuts = stats.cutoffs.map(|count| count.to_string()).join(" ");
    let mut text = format!(
        "Nodes expected: {pv} open window, {cut} cut, {all} all; the coupling changes the depth of {}\n\
         Nodes searched: {exact} exact, {lower} cut, {upper} all\n\
         Cut-offs by move number: {cuts}\n",
        stats.coupled
    );
    // Writing to a string cannot fail.
    for event in SearchEvent::ALL {
        let _ = writeln!(text, "{:>34} {:>12}", event.name(), stats.count(*event));
    }
    let (category, moves, less, more) = ("category", "moves", "SX less", "SX more");
    let _ = writeln!(text, "{category:>34} {moves:>12} {less:>12} {more:>12}");
    for (category, moves, less, more) in charged(stats) {
        let _ = writeln!(text, "{category:>34} {moves:>12} {less:>12.1} {more:>12.1}");
    }
    let (plies, moves) = (stats.reductions as f64 / PLY, stats.reduced_moves);
    let _ = write!(text, "Reductions: {plies:.0} plies over {moves} moves");
    for it in &stats.iterations {
        let _ = write!(text, "\nIteration {:>3}: {:>12} nodes", it.depth, it.nodes);
    }
    text
}

pub(super) fn to_json(stats: &Stats) -> Value {
    let events = SearchEvent::ALL.iter();
    let events = events.map(|event| (event.name().to_owned(), json!(stats.count(*event))));
    let categories = charged(stats).map(|(category, moves, less, more)| {
        json!({ "category": category, "moves": moves, "sx_less": less, "sx_more": more })
    });
    let iterations = stats.iterations.iter();
    let iterations = iterations.map(|it| json!({ "depth": it.depth, "nodes": it.nodes }));
    let [pv, cut, all] = stats.expected;
    let [exact, lower, upper] = stats.actual;
    json!({
        "expected": { "pv": pv, "cut": cut, "all": all },
        "coupled": stats.coupled,
        "actual": { "exact": exact, "cut": lower, "all": upper },
        "cutoffs": stats.cutoffs,
        "events": events.collect::<Map<_, _>>(),
        "categories": categories.collect::<Vec<_>>(),
        "reduction_plies": stats.reductions as f64 / PLY,
        "reduced_moves": stats.reduced_moves,
        "iterations": iterations.collect::<Vec<_>>(),
    })
}
