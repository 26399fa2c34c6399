//! A best line by distance to zeroing, from a position to the end of the game.

use cozy_chess::{BitBoard, Board, Move, Piece};

use crate::error::ProbeError;
use crate::probe::{Prober, can_move, is_mate};
use crate::root::Outcome;
use crate::types::{Dtz, FIFTY_MOVE_PLIES, Wdl};

/// A move of a main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// The move.
    pub mv: Move,
    /// DTZ of the position after it, for the side to move there; `None` after the last move of the game.
    pub dtz: Option<Dtz>,
}

/// Why a main line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The side to move is mated.
    Checkmate,
    /// The side to move is stalemated.
    Stalemate,
    /// Neither side can mate.
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

/// True if no sequence of legal moves can mate: bare kings, one minor piece, or bishops all on one colour.
pub fn insufficient_material(board: &Board) -> bool {
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !heavy.is_empty() {
        return false;
    }
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    if knights.is_empty() {
        return (bishops & BitBoard::LIGHT_SQUARES).is_empty()
            || (bishops & BitBoard::DARK_SQUARES).is_empty();
    }
    (knights | bishops).len() == 1
}

/// The end of the game, if the position is one.
fn game_end(board: &Board) -> Option<LineEnd> {
    match (is_mate(board), can_move(board)) {
        (true, _) => Some(LineEnd::Checkmate),
        (_, false) => Some(LineEnd::Stalemate),
        _ if insufficient_material(board) => Some(LineEnd::InsufficientMaterial),
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
        loop {
            if let Some(end) = game_end(&board) {
                return Ok(MainLine { moves, end });
            }
            let dtz = match self.dtz(&board) {
                Ok(dtz) => dtz,
                Err(error) if moves.is_empty() => return Err(error),
                Err(error) => {
                    return Ok(MainLine {
                        moves,
                        end: LineEnd::NoTable(error),
                    });
                }
            };
            if let Some(last) = moves.last_mut() {
                last.dtz = Some(dtz);
            }
            if dtz == Dtz::DRAW {
                return Ok(MainLine {
                    moves,
                    end: LineEnd::Draw,
                });
            }
            if moves.len() >= max_plies {
                return Ok(MainLine {
                    moves,
                    end: LineEnd::MaxPlies,
                });
            }
            match self.best_move(&board) {
                Ok(mv) => {
                    board.play_unchecked(mv);
                    moves.push(LineMove { mv, dtz: None });
                }
                Err(error) => {
                    return Ok(MainLine {
                        moves,
                        end: LineEnd::NoTable(error),
                    });
                }
            }
        }
    }

    /// The move nearest to zeroing for the winner, furthest for the loser.
    fn best_move(&self, board: &Board) -> Result<Move, ProbeError> {
        let mut best: Option<(i32, Move)> = None;
        let mut failure = None;
        board.generate_moves(|moves| {
            for mv in moves {
                match self.outcome(board, mv) {
                    Ok(outcome) => {
                        let worth = worth(board, mv, outcome);
                        if best.is_none_or(|(most, _)| worth > most) {
                            best = Some((worth, mv));
                        }
                    }
                    Err(error) => failure = Some(error),
                }
            }
            failure.is_some()
        });
        match (failure, best) {
            (Some(error), _) => Err(error),
            (None, Some((_, mv))) => Ok(mv),
            (None, None) => Err(ProbeError::NoMoves),
        }
    }
}

/// Orders the moves of a line: result, then distance, then mate, captures and promotions before slower zeroing moves.
fn worth(board: &Board, mv: Move, outcome: Outcome) -> i32 {
    const RESULT: i32 = 1 << 20;
    let distance = outcome.dtz.map_or(0, |dtz| dtz.plies);
    let value = match outcome.wdl.signum() {
        1 => RESULT - 16 * distance,
        -1 => -RESULT - 16 * distance,
        _ => 0,
    };
    value
        + if outcome.wdl > Wdl::Draw {
            tie_break(board, mv)
        } else {
            0
        }
}

/// Among zeroing moves that win, those that end the game sooner.
fn tie_break(board: &Board, mv: Move) -> i32 {
    let mut child = board.clone();
    child.play_unchecked(mv);
    let takes = board.colors(!board.side_to_move()).has(mv.to);
    let bare = child.colors(child.side_to_move()).len() == 1;
    let promotes = mv
        .promotion
        .map_or(0, |piece| 1 + i32::from(piece == Piece::Queen));
    if is_mate(&child) {
        return 15;
    }
    4 * i32::from(takes && bare) + 3 * promotes + i32::from(takes)
}
