//! The results of a suite, as text and as JSON.

use std::path::Path;

use serde_json::{Value, json};
use sextant_board::{Epd, Score, to_fen, to_san};
use sextant_play::{MateFound, Solved};

use super::{Run, compare::McNemar};

/// A line for every position, and the sums.
pub(super) fn text(run: &Run, positions: &[Epd]) -> String {
    let mut lines = Vec::new();
    for (solved, epd) in run.solved.iter().zip(positions) {
        let id = epd.id.as_deref().unwrap_or_default();
        lines.push(format!("{id:<30} {}", position_text(solved, epd)));
    }
    lines.push(summary(run));
    lines.join("\n")
}

fn position_text(solved: &Solved, epd: &Epd) -> String {
    let best = best_move(solved, epd).unwrap_or_else(|| "none".to_owned());
    let mut text = match solved.since {
        Some(since) => format!(
            "solved {best:<8} after {:>10} nodes, {:.2} s",
            since.nodes,
            since.time.as_secs_f64()
        ),
        None => format!(
            "  -    {best:<8} depth {}, {} nodes",
            solved.depth, solved.nodes
        ),
    };
    if let Some(mate) = solved.mate {
        text.push_str(&format!("  mate in {}", mate.announced));
        if !mate.is_proved {
            text.push_str(", line does not mate");
        }
    }
    text
}

fn best_move(solved: &Solved, epd: &Epd) -> Option<String> {
    solved.best.map(|mv| to_san(&epd.position, mv))
}

/// The sums over a suite.
fn summary(run: &Run) -> String {
    let sums = Sums::new(&run.solved);
    let mut text = format!(
        "{}: {} of {} solved",
        run.name,
        sums.solved,
        run.solved.len()
    );
    if sums.mates > 0 {
        text.push_str(&format!(
            "; mates: {} found, {} best, {} with the whole line",
            sums.mates, sums.best, sums.proved
        ));
    }
    text
}

struct Sums {
    solved: usize,
    mates: usize,
    best: usize,
    proved: usize,
}

impl Sums {
    fn new(all: &[Solved]) -> Sums {
        let mates = |holds: fn(&MateFound) -> bool| {
            let mates = all.iter().filter_map(|solved| solved.mate);
            mates.filter(holds).count()
        };
        Sums {
            solved: all.iter().filter(|solved| solved.is_solved()).count(),
            mates: mates(|_| true),
            best: mates(|mate| mate.is_best),
            proved: mates(|mate| mate.is_proved),
        }
    }
}

/// Everything as one object.
pub(super) fn json(
    suite: &Path,
    runs: &[Run],
    positions: &[Epd],
    comparison: Option<McNemar>,
) -> Value {
    let runs = runs.iter().map(|run| {
        let rows = run.solved.iter().zip(positions);
        json!({
            "config": run.name,
            "totals": totals(&run.solved),
            "positions": rows.map(|(solved, epd)| row(solved, epd)).collect::<Vec<_>>(),
        })
    });
    json!({
        "suite": suite.to_string_lossy(),
        "runs": runs.collect::<Vec<_>>(),
        "mcnemar": comparison.map(McNemar::json),
    })
}

fn totals(all: &[Solved]) -> Value {
    let sums = Sums::new(all);
    let solutions = all.iter().filter_map(|solved| solved.since);
    json!({
        "positions": all.len(),
        "solved": sums.solved,
        "nodes": all.iter().map(|solved| solved.nodes).sum::<u64>(),
        "nodes_to_solutions": solutions.map(|since| since.nodes).sum::<u64>(),
        "mates_found": sums.mates,
        "mates_best": sums.best,
        "mates_proved": sums.proved,
    })
}

fn row(solved: &Solved, epd: &Epd) -> Value {
    json!({
        "id": epd.id,
        "fen": to_fen(&epd.position, true),
        "solved": solved.is_solved(),
        "best": best_move(solved, epd),
        "score": score(solved.score),
        "nodes_to_solution": solved.since.map(|since| since.nodes),
        "ms_to_solution": solved.since.map(|since| since.time.as_millis() as u64),
        "depth": solved.depth,
        "nodes": solved.nodes,
        "mate": solved.mate.map(|mate| json!({
            "announced": mate.announced,
            "best": mate.is_best,
            "proved": mate.is_proved,
        })),
    })
}

/// As UCI writes it: `cp 17` or `mate -3`.
fn score(score: Score) -> String {
    match score.mate_in() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", score.raw()),
    }
}
