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
    /// The last line of each rank.
    shown: Vec<Shown>,
}

#[derive(Clone, Default)]
struct Shown {
    depth: u32,
    /// The mate that it told of.
    mate: Option<(Score, Vec<Move>)>,
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
            .map_or("Ctrl-C ends the search sooner".to_owned(), |time| {
                format!("The search takes {time:?}; Ctrl-C ends it sooner")
            });
        let (board, fen) = (
            position::draw(self.root),
            position::fen(self.root, self.notation.chess960),
        );
        let title = terminal::bold("  depth    score       nodes   time  line");
        format!(
            "{board}\n{fen}\n{mover} to move. Scores are pawns as {mover} sees them.\n{end}.\n\n{title}"
        )
    }

    /// The line of a new depth; `None` if there was one already, or the score is only a bound.
    pub(super) fn line(&mut self, info: &Info) -> Option<String> {
        let rank = info.multipv.saturating_sub(1);
        if self.shown.len() <= rank {
            self.shown.resize(rank + 1, Shown::default());
        }
        let shown = self.shown.get_mut(rank)?;
        if info.bound != Bound::Exact || info.depth <= shown.depth {
            return None;
        }
        shown.depth = info.depth;
        let found = info.score.is_mate();
        let found = found.then(|| (info.score, info.pv.clone()));
        // Deeper searches of a mate that is known say the same again.
        if found.is_some() && shown.mate == found {
            return None;
        }
        shown.mate = found;
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
            return format!("Best move: none, {}", position::ending(self.root));
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

/// `+0.31`, `mate 3`, or what the endgame tables say.
fn score(score: Score) -> String {
    match score.mate_in() {
        Some(moves) => format!("mate {moves}"),
        None if score.is_win() => "TB win".to_owned(),
        None if score.is_loss() => "TB loss".to_owned(),
        None => format!("{:+.2}", f64::from(score.raw()) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use sextant_board::Ply;
    use sextant_search::Totals;

    use super::*;

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
        let mate = |depth, plies| Info {
            score: Score::mates_at(Ply(plies)),
            ..info(depth, Bound::Exact)
        };
        for (depth, plies, is_shown) in [(3, 5, true), (4, 5, false), (5, 3, true), (6, 3, false)] {
            let line = lines.line(&mate(depth, plies));
            assert_eq!(line.is_some(), is_shown, "depth {depth}");
        }
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
