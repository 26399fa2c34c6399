//! A best line by distance to zeroing, from a position to the end of the game.

use std::cmp::Reverse;

use cozy_chess::{Board, Move, Piece};
use sextant_board::is_insufficient_material;

use crate::{
    error::ProbeError,
    probe::{Prober, can_move, children, is_mate, is_zeroing},
    types::{Dtz, FIFTY_MOVE_PLIES},
};

/// Longest main line that anybody needs, in plies; no line of seven men comes near it.
pub const MAX_LINE_PLIES: usize = 2_000;

/// A move of a main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// The move, in cozy-chess form (castling is king takes rook).
    pub mv: Move,
    /// DTZ of the position after it, for the side to move there; `None` after the last move of the
    /// game.
    pub dtz: Option<Dtz>,
}

/// Why a main line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The side to move is mated.
    Checkmate,
    /// The side to move is stalemated.
    Stalemate,
    /// Neither side can mate, whatever both play.
    InsufficientMaterial,
    /// The tables call the position drawn; there is no best line.
    Draw,
    /// The half-move clock reached 100.
    FiftyMoves,
    /// The asked number of plies is reached.
    MaxPlies,
    /// A table that the next move needs is missing or damaged.
    NoTable(ProbeError),
}

/// A best line, and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainLine {
    /// The moves from the probed position.
    pub moves: Vec<LineMove>,
    /// Why there is no further move.
    pub end: LineEnd,
}

/// The end of the game, if the position is one.
fn game_end(board: &Board) -> Option<LineEnd> {
    match (is_mate(board), can_move(board)) {
        (true, _) => Some(LineEnd::Checkmate),
        (_, false) => Some(LineEnd::Stalemate),
        _ if is_insufficient_material(board) => Some(LineEnd::InsufficientMaterial),
        _ if i32::from(board.halfmove_clock()) >= FIFTY_MOVE_PLIES => Some(LineEnd::FiftyMoves),
        _ => None,
    }
}

impl Prober {
    /// See [`crate::Tablebase::main_line`].
    pub(crate) fn main_line(
        &self,
        board: &Board,
        max_plies: usize,
    ) -> Result<MainLine, ProbeError> {
        let mut board = board.clone();
        let mut moves: Vec<LineMove> = Vec::new();
        let end = loop {
            if let Some(end) = game_end(&board) {
                break end;
            }
            let dtz = match self.dtz(&board) {
                Ok(dtz) => dtz,
                Err(error) if moves.is_empty() => return Err(error),
                Err(error) => break LineEnd::NoTable(error),
            };
            if let Some(last) = moves.last_mut() {
                last.dtz = Some(dtz);
            }
            if dtz == Dtz::DRAW {
                break LineEnd::Draw;
            }
            if moves.len() >= max_plies {
                break LineEnd::MaxPlies;
            }
            match self.best_move(&board) {
                Ok(mv) => {
                    board.play_unchecked(mv);
                    moves.push(LineMove { mv, dtz: None });
                }
                Err(error) => break LineEnd::NoTable(error),
            }
        };
        Ok(MainLine { moves, end })
    }

    /// The move nearest to zeroing for the winner, furthest for the loser.
    fn best_move(&self, board: &Board) -> Result<Move, ProbeError> {
        let mut best = None;
        for (mv, child) in children(board) {
            let worth = self.worth(board, mv, &child)?;
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, mv));
            }
        }
        best.map(|(_, mv)| mv).ok_or(ProbeError::NoMoves)
    }

    /// Orders the moves of a line: result and distance; among zeroing moves that win, mates, then
    /// as [`Progress`] says, then the distance that is left.
    fn worth(&self, board: &Board, mv: Move, child: &Board) -> Result<Worth, ProbeError> {
        let zeroing = is_zeroing(board, mv);
        let outcome = self.outcome(child, zeroing)?;
        let distance = Reverse(outcome.dtz.map_or(0, |dtz| dtz.plies));
        let won = outcome.wdl.signum();
        let next = match zeroing && won > 0 {
            false => Reverse((Progress::Mate, 0)),
            true if is_mate(child) => Reverse((Progress::Mate, queens_first(mv))),
            true => {
                let left = self.dtz(child).map_or(i32::MAX, |dtz| -dtz.plies);
                let takes = board.colors(!board.side_to_move()).has(mv.to);
                Reverse((Progress::of(takes, mv.promotion), left))
            }
        };
        Ok(if won == 0 {
            (0, Reverse(0), Reverse((Progress::Mate, 0)))
        } else {
            (won, distance, next)
        })
    }
}

type Worth = (i32, Reverse<i32>, Reverse<(Progress, i32)>);

/// Of mates by promotion the usual one.
fn queens_first(mv: Move) -> i32 {
    i32::from(mv.promotion.is_some_and(|piece| piece != Piece::Queen))
}

/// How a zeroing move gets on, the best first. A pawn move that promotes nothing can be put off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Progress {
    Mate,
    /// A capture, or a promotion to a queen.
    Conversion,
    Underpromotion,
    PawnMove,
}

impl Progress {
    pub(crate) fn of(takes: bool, promotion: Option<Piece>) -> Progress {
        match promotion {
            Some(Piece::Queen) => Progress::Conversion,
            Some(_) => Progress::Underpromotion,
            None if takes => Progress::Conversion,
            None => Progress::PawnMove,
        }
    }
}
