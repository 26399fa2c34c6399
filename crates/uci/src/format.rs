//! From the search's reports to UCI's lines.

use std::fmt::Write as _;

use sextant_board::{Position, Score, display_uci_move, replay};
use sextant_search::{Bound, Info, Outcome, Progress, Totals, wdl};

/// How lines are written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// Castling as king takes rook.
    pub(crate) chess960: bool,
    /// Winning, drawing and losing chances behind the score.
    pub(crate) wdl: bool,
}

/// `cp 17` or `mate -3`.
pub(crate) fn score(score: Score) -> String {
    match score.mate_in() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", score.raw()),
    }
}

/// An `info` line about a search from `root`.
pub(crate) fn info(info: &Info, root: &Position, style: Style) -> String {
    if info.depth == 0 && info.pv.is_empty() {
        return format!("info depth 0 score {}", score(info.score));
    }
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}",
        info.depth,
        info.seldepth,
        info.multipv,
        score(info.score)
    );
    line.push_str(match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    // Writing to a string cannot fail.
    if style.wdl {
        let [win, draw, loss] = wdl(info.score, root);
        let _ = write!(line, " wdl {win} {draw} {loss}");
    }
    let _ = write!(line, " {} pv", totals(&info.totals));
    for (position, mv) in replay(root, &info.pv) {
        let _ = write!(line, " {}", display_uci_move(&position, mv, style.chess960));
    }
    line
}

/// The `info` lines about a search from `root` that is still at work.
pub(crate) fn progress(progress: &Progress, root: &Position, style: Style) -> String {
    let mut lines = format!("info depth {} {}", progress.depth, totals(&progress.totals));
    if let Some((mv, number)) = progress.current {
        let mv = display_uci_move(root, mv, style.chess960);
        let _ = write!(
            lines,
            "\ninfo depth {} currmove {mv} currmovenumber {number}",
            progress.depth
        );
    }
    lines
}

fn totals(totals: &Totals) -> String {
    format!(
        "nodes {} nps {} hashfull {} tbhits {} time {}",
        totals.nodes,
        totals.nodes_per_second(),
        totals.hashfull,
        totals.tbhits,
        totals.time.as_millis()
    )
}

pub(crate) fn best_move(outcome: &Outcome, root: &Position, style: Style) -> String {
    let line: Vec<_> = outcome.best.into_iter().chain(outcome.ponder).collect();
    let moves = replay(root, &line)
        .map(|(position, mv)| display_uci_move(&position, mv, style.chess960).to_string());
    match &moves.collect::<Vec<_>>()[..] {
        [] => "bestmove (none)".to_owned(),
        [best] => format!("bestmove {best}"),
        [best, ponder, ..] => format!("bestmove {best} ponder {ponder}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_board::{Ply, parse_fen, parse_uci_move};
    use std::time::Duration;

    fn sample(score: Score, root: &Position, pv: &[&str]) -> Info {
        let mut position = root.clone();
        let pv = pv.iter().map(|text| {
            let mv = parse_uci_move(&position, text).unwrap();
            position = position.make(mv).0;
            mv
        });
        Info {
            depth: 7,
            seldepth: 11,
            multipv: 2,
            score,
            bound: Bound::Exact,
            totals: Totals {
                nodes: 1_000,
                time: Duration::from_millis(10),
                hashfull: 3,
                tbhits: 1,
            },
            pv: pv.collect(),
        }
    }

    #[test]
    fn an_info_line_holds_its_fields_in_the_order_that_clients_parse() {
        let (root, style) = (Position::startpos(), Style::default());
        let mut report = sample(Score::new(17), &root, &["e2e4", "e7e5"]);
        report.bound = Bound::Lower;
        assert_eq!(
            info(&report, &root, style),
            "info depth 7 seldepth 11 multipv 2 score cp 17 lowerbound nodes 1000 nps 100000 \
             hashfull 3 tbhits 1 time 10 pv e2e4 e7e5"
        );
        let with_wdl = Style { wdl: true, ..style };
        let line = info(&report, &root, with_wdl);
        assert!(line.contains("score cp 17 lowerbound wdl "), "{line}");
        let mut report = sample(Score::mated_at(Ply(4)), &root, &[]);
        assert!(info(&report, &root, style).contains("score mate -2 nodes"));
        report.depth = 0;
        for (score, text) in [(Score::mated_at(Ply(0)), "mate 0"), (Score::DRAW, "cp 0")] {
            report.score = score;
            let short = format!("info depth 0 score {text}");
            assert_eq!(info(&report, &root, style), short);
        }
    }

    #[test]
    fn castling_is_written_as_the_mode_wants_it_deep_in_a_line() {
        let root = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let report = sample(Score::DRAW, &root, &["e1g1", "e8c8"]);
        let outcome = Outcome {
            best: report.pv.first().copied(),
            ponder: report.pv.get(1).copied(),
            nodes: 1,
            time: Duration::ZERO,
            lines: vec![report.clone()],
        };
        for (chess960, [first, second]) in [(false, ["e1g1", "e8c8"]), (true, ["e1h1", "e8a8"])] {
            let style = Style {
                chess960,
                wdl: false,
            };
            assert!(info(&report, &root, style).ends_with(&format!("pv {first} {second}")));
            let best = format!("bestmove {first} ponder {second}");
            assert_eq!(best_move(&outcome, &root, style), best);
        }
    }
}
