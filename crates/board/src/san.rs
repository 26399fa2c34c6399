//! Moves as people write them (SAN) and as UCI writes them.

use std::fmt;

use cozy_chess::{File, Move, Rank, Square, util};
use thiserror::Error;

use crate::position::{Position, castling_squares};

/// Why a text was rejected as SAN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SanError {
    /// Not one legal move fits the text, or more than one does.
    #[error("{found:?} is not exactly one legal move here; write it like Nf3, exd6, O-O or e8=Q")]
    NotAMove {
        /// The text as it was given.
        found: String,
    },
}

/// Why a text was rejected as a UCI move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UciMoveError {
    /// The text does not have the form of a move.
    #[error("{found:?} is not a move; write the squares from and to, and a promotion, as in e7e8q")]
    Malformed {
        /// The text as it was given.
        found: String,
    },
    /// A move, but not one that the rules allow here.
    #[error("the move {found} is illegal in {fen}")]
    Illegal {
        /// The move as it was given.
        found: String,
        /// The position in which it is illegal.
        fen: String,
    },
}

/// Reads a move in standard algebraic notation; check signs, `!`, `?`, `0-0` and `e.p.` are
/// allowed for.
///
/// # Errors
/// [`SanError`] if not exactly one legal move fits.
///
/// ```
/// use sextant_board::{Position, parse_san, to_san};
/// let pos = Position::startpos();
/// let mv = parse_san(&pos, "Nf3!").unwrap();
/// assert_eq!(to_san(&pos, mv), "Nf3");
/// assert!(parse_san(&pos, "Ke2").is_err());
/// ```
pub fn parse_san(pos: &Position, text: &str) -> Result<Move, SanError> {
    let bare = text.trim().trim_end_matches("e.p.").trim_end();
    let bare = bare.trim_end_matches(['!', '?', '+', '#']);
    let castling = bare.replace('0', "O");
    util::parse_san_move(pos.board(), &castling).map_err(|_| SanError::NotAMove {
        found: text.to_owned(),
    })
}

/// Writes a legal move in standard algebraic notation, with `+` or `#`.
pub fn to_san(pos: &Position, mv: Move) -> String {
    util::display_san_move(pos.board(), mv).to_string()
}

/// Reads a move in UCI notation and checks that it is legal. Castling may be written as the king's
/// two squares (`e1g1`) or as king takes rook (`e1h1`), whatever the mode; where the king could
/// also step to that square, the text means the step.
///
/// # Errors
/// [`UciMoveError`] if the text is no move or the move is illegal.
pub fn parse_uci_move(pos: &Position, text: &str) -> Result<Move, UciMoveError> {
    let malformed = || UciMoveError::Malformed {
        found: text.to_owned(),
    };
    // The parser below does not look behind the promotion.
    if !text.is_ascii() || !matches!(text.len(), 4 | 5) {
        return Err(malformed());
    }
    // Some programs write the promotion in upper case.
    let mv: Move = text.to_ascii_lowercase().parse().map_err(|_| malformed())?;
    let board = pos.board();
    if board.is_legal(mv) {
        return Ok(mv);
    }
    castling_by_king_square(pos, mv)
        .filter(|&mv| board.is_legal(mv))
        .ok_or_else(|| UciMoveError::Illegal {
            found: text.to_owned(),
            fen: crate::to_fen(pos, false),
        })
}

/// The castling move (king takes rook) that brings the king from `mv.from` to `mv.to`.
fn castling_by_king_square(pos: &Position, mv: Move) -> Option<Move> {
    let board = pos.board();
    let us = pos.side_to_move();
    let rank = Rank::First.relative_to(us);
    let rights = board.castle_rights(us);
    if mv.from != board.king(us) || mv.promotion.is_some() || mv.to.rank() != rank {
        return None;
    }
    let rook = match mv.to.file() {
        File::G => rights.short?,
        File::C => rights.long?,
        _ => return None,
    };
    Some(Move {
        to: Square::new(rook, rank),
        ..mv
    })
}

/// Writes a legal move in UCI notation: castling is king takes rook with `chess960`, else the
/// king's two squares.
///
/// ```
/// use sextant_board::{display_uci_move, parse_fen, parse_uci_move};
/// let pos = parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
/// let mv = parse_uci_move(&pos, "e1g1").unwrap();
/// assert_eq!(display_uci_move(&pos, mv, false).to_string(), "e1g1");
/// assert_eq!(display_uci_move(&pos, mv, true).to_string(), "e1h1");
/// ```
pub fn display_uci_move(pos: &Position, mv: Move, chess960: bool) -> impl fmt::Display {
    if chess960 || !pos.is_castling(mv) {
        return mv;
    }
    let (to, _) = castling_squares(mv);
    Move { to, ..mv }
}
