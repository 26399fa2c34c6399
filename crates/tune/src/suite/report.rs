//! The results of a suite as text and as JSON, and McNemar's exact test of two configs on the same
//! positions.

use std::{fmt, path::Path};

use serde::Serialize;
use serde_json::{Value, json};
use sextant_board::{Epd, Move, Score, to_fen, to_san};
use sextant_play::{MateFound, Solved};
use statrs::distribution::{Binomial, DiscreteCDF as _};

pub(super) struct Run {
    pub(super) name: String,
    pub(super) solved: Vec<Solved>,
}

#[derive(Serialize)]
struct Totals {
    positions: usize,
    solved: usize,
    nodes: u64,
    nodes_to_solutions: u64,
    mates_found: usize,
    mates_best: usize,
    mates_proved: usize,
}

impl Run {
    fn totals(&self) -> Totals {
        let all = &self.solved;
        let mates = |holds: fn(&MateFound) -> bool| {
            let mates = all.iter().filter_map(|solved| solved.mate);
            mates.filter(holds).count()
        };
        let solutions = || all.iter().filter_map(|solved| solved.since);
        Totals {
            positions: all.len(),
            solved: solutions().count(),
            nodes: all.iter().map(|solved| solved.nodes).sum(),
            nodes_to_solutions: solutions().map(|since| since.nodes).sum(),
            mates_found: mates(|_| true),
            mates_best: mates(|mate| mate.is_best),
            mates_proved: mates(|mate| mate.is_proved),
        }
    }

    /// A line for every position, and the sums.
    pub(super) fn text(&self, positions: &[Epd]) -> String {
        let mut text = String::new();
        for (solved, epd) in self.solved.iter().zip(positions) {
            let id = epd.id.as_deref().unwrap_or_default();
            text += &format!("{id:<30} {}\n", position_text(solved, epd));
        }
        let sums = self.totals();
        let (name, solved, positions) = (&self.name, sums.solved, sums.positions);
        text += &format!("{name}: {solved} of {positions} solved");
        if sums.mates_found > 0 {
            text += &format!(
                "; mates: {} found, {} best, {} with the whole line",
                sums.mates_found, sums.mates_best, sums.mates_proved
            );
        }
        text + "\n"
    }
}

fn position_text(solved: &Solved, epd: &Epd) -> String {
    let best = best_move(solved, epd).unwrap_or_else(|| "none".to_owned());
    let (mark, effort) = match solved.since {
        Some(since) => {
            let time = since.time.as_secs_f64();
            (
                "solved",
                format!("after {:>10} nodes, {time:.2} s", since.nodes),
            )
        }
        None => (
            "  -   ",
            format!("depth {}, {} nodes", solved.depth, solved.nodes),
        ),
    };
    let mut text = format!("{mark} {best:<8} {:<20} {effort}", wanted(epd));
    if let Some(mate) = solved.mate {
        text += &format!("  mate in {}", mate.announced);
        if !mate.is_proved {
            text += ", line does not mate";
        }
    }
    text
}

/// What solves the position: `bm Qh5`, `am Nf3 Nc3`, `mate in 5`.
fn wanted(epd: &Epd) -> String {
    let moves = |opcode: &str, moves: &[Move]| {
        let words = moves.iter().map(|&mv| to_san(&epd.position, mv));
        let words = words.collect::<Vec<_>>().join(" ");
        (!moves.is_empty()).then(|| format!("{opcode} {words}"))
    };
    let mate = epd.dm.map(|moves| format!("mate in {moves}"));
    let all = [moves("bm", &epd.bm), moves("am", &epd.am), mate];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn best_move(solved: &Solved, epd: &Epd) -> Option<String> {
    solved.best.map(|mv| to_san(&epd.position, mv))
}

pub(super) fn json(
    suite: &Path,
    runs: &[Run],
    positions: &[Epd],
    comparison: Option<&McNemar>,
) -> Value {
    let runs = runs.iter().map(|run| {
        let rows = run.solved.iter().zip(positions);
        json!({
            "config": run.name,
            "totals": run.totals(),
            "positions": rows.map(|(solved, epd)| row(solved, epd)).collect::<Vec<_>>(),
        })
    });
    json!({
        "suite": suite.to_string_lossy(),
        "runs": runs.collect::<Vec<_>>(),
        "mcnemar": comparison.map(McNemar::json),
    })
}

fn row(solved: &Solved, epd: &Epd) -> Value {
    json!({
        "id": epd.id,
        "fen": to_fen(&epd.position, true),
        "solved": solved.is_solved(),
        "best": best_move(solved, epd),
        "wanted": wanted(epd),
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

/// Positions that only one of two configs solved. If both were equally good, each such position
/// would be the toss of a coin.
pub(super) struct McNemar {
    names: [String; 2],
    only: [u64; 2],
    p: f64,
}

impl McNemar {
    pub(super) fn new(a: &Run, b: &Run) -> McNemar {
        let only = |a: &Run, b: &Run| {
            let pairs = a.solved.iter().zip(&b.solved);
            let only = pairs.filter(|(a, b)| a.is_solved() && !b.is_solved());
            only.count() as u64
        };
        let (only_a, only_b) = (only(a, b), only(b, a));
        McNemar {
            names: [a, b].map(|run| run.name.clone()),
            only: [only_a, only_b],
            p: p_value(only_a, only_b),
        }
    }

    fn json(&self) -> Value {
        let [only_a, only_b] = self.only;
        json!({ "only_a": only_a, "only_b": only_b, "p": self.p })
    }
}

impl fmt::Display for McNemar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([a, b], [only_a, only_b], p) = (&self.names, self.only, self.p);
        writeln!(
            f,
            "McNemar: only {a} {only_a}, only {b} {only_b}, two-sided exact p = {p:.4}"
        )
    }
}

fn p_value(only_a: u64, only_b: u64) -> f64 {
    let tail = Binomial::new(0.5, only_a + only_b);
    tail.map_or(1.0, |tosses| {
        (2.0 * tosses.cdf(only_a.min(only_b))).min(1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::p_value as p;

    #[test]
    fn p_values_are_those_of_the_binomial_test() {
        assert_eq!((p(0, 0), p(5, 5)), (1.0, 1.0));
        // 2 * (1 + 10) / 2^10
        assert!((p(1, 9) - 22.0 / 1024.0).abs() < 1e-12);
        assert!((p(9, 1) - p(1, 9)).abs() < 1e-12);
        assert!(p(3000, 2000) < 1e-40 && p(3000, 2000) >= 0.0);
    }
}
