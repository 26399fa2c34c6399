//! The lines of an analysis as a person reads them: one for each depth and rank, no wider than the
//! terminal.

use std::fmt::Write as _;

use sextant_board::{Color, Move, Position, Score, display_uci_move, replay, to_san};
use sextant_cli::terminal;
use sextant_search::{Bound, Info, Limits, Outcome};

use crate::position;

/// How lines of moves are written.
#[derive(Clone, Copy)]
pub(super) struct Notation {
    /// `g1f3`, not `Nf3`.
    pub(super) uci: bool,
    /// Castling in UCI's notation as king takes rook.
    pub(super) chess960: bool,
}

/// Writes the lines of one search.
pub(super) struct Lines<'a> {
    root: &'a Position,
    notation: Notation,
    width: Option<usize>,
    /// Depth of the last line of each rank.
    shown: Vec<u32>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(root: &'a Position, notation: Notation) -> Lines<'a> {
        Lines {
            root,
            notation,
            width: terminal::width(),
            shown: Vec::new(),
        }
    }

    /// What stands above the lines.
    pub(super) fn heading(&self, limits: &Limits) -> String {
        let mover = match self.root.side_to_move() {
            Color::White => "White",
            Color::Black => "Black",
        };
        let end = limits
            .movetime
            .map_or("Ctrl-C ends it sooner".to_owned(), |time| {
                format!("it takes {time:?}, and Ctrl-C ends it sooner")
            });
        let (board, fen) = (
            position::draw(self.root),
            position::fen(self.root, self.notation.chess960),
        );
        format!(
            "{board}\n{fen}\n{mover} to move. Scores are pawns as {mover} sees them; {end}.\n\n{}",
            terminal::bold("  depth    score       nodes   time  line")
        )
    }

    /// The line of a new depth; `None` if there was one already, or the score is only a bound.
    pub(super) fn line(&mut self, info: &Info) -> Option<String> {
        let rank = info.multipv.saturating_sub(1);
        if self.shown.len() <= rank {
            self.shown.resize(rank + 1, 0);
        }
        let shown = self.shown.get_mut(rank)?;
        if info.bound != Bound::Exact || info.depth <= *shown {
            return None;
        }
        *shown = info.depth;
        let (nodes, time) = (info.totals.nodes, info.totals.time.as_secs_f64());
        let start = format!(
            "{:>3}/{:<3} {:>8}",
            info.depth,
            info.seldepth,
            score(info.score)
        );
        let effort = format!(" {nodes:>11} {time:>6.1}  ");
        let room = self
            .width
            .map(|width| width.saturating_sub(start.len() + effort.len()));
        let moves = self.moves(&info.pv, room);
        Some(start + &terminal::dim(&effort) + &moves)
    }

    /// The move to play, with the last word on it.
    pub(super) fn best(&self, outcome: &Outcome) -> String {
        let Some(best) = outcome.best else {
            return "Best move: none".to_owned();
        };
        let mv = terminal::bold(&self.moves(&[best], None));
        let mut text = format!("Best move: {mv}");
        if let Some(line) = outcome.lines.first() {
            let at_least = match line.bound {
                Bound::Exact => "",
                Bound::Lower => "at least ",
                Bound::Upper => "at most ",
            };
            let (score, depth) = (score(line.score), line.depth);
            let _ = write!(text, "   {at_least}{score} at depth {depth}");
        }
        text
    }

    /// Moves up to so many columns, and dots where more would follow.
    fn moves(&self, pv: &[Move], room: Option<usize>) -> String {
        let mut text = String::new();
        for (before, mv) in replay(self.root, pv) {
            let word = match self.notation.uci {
                true => display_uci_move(&before, mv, self.notation.chess960).to_string(),
                false => to_san(&before, mv),
            };
            let is_full = |room| text.len() + word.len() + " ...".len() > room;
            if room.is_some_and(is_full) && !text.is_empty() {
                return text + "...";
            }
            text += &word;
            text.push(' ');
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// `+0.31`, or `mate 3`.
fn score(score: Score) -> String {
    match score.mate_in() {
        Some(moves) => format!("mate {moves}"),
        None => format!("{:+.2}", f64::from(score.raw()) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_search::Totals;

    #[test]
    fn a_depth_is_shown_once_and_fits() {
        let root = Position::startpos();
        let pv: Vec<Move> = ["e2e4", "e7e5", "g1f3"]
            .map(|mv| mv.parse().unwrap())
            .into();
        let notation = Notation {
            uci: false,
            chess960: false,
        };
        let mut lines = Lines::new(&root, notation);
        let info = |depth, bound| Info {
            depth,
            seldepth: 9,
            multipv: 1,
            score: Score::DRAW,
            bound,
            totals: Totals::default(),
            pv: pv.clone(),
        };
        let line = lines.line(&info(1, Bound::Exact)).unwrap();
        assert!(line.ends_with(" e4 e5 Nf3"), "{line}");
        assert!(lines.line(&info(1, Bound::Exact)).is_none());
        assert!(lines.line(&info(2, Bound::Lower)).is_none());
        for (room, text) in [
            (3, "e4 ..."),
            (9, "e4 e5 ..."),
            (10, "e4 e5 ..."),
            (13, "e4 e5 Nf3"),
        ] {
            assert_eq!(lines.moves(&pv, Some(room)), text, "{room}");
        }
    }
}
