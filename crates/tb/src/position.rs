//! Reading positions: FEN with two to six fields, EPD, and what is wrong with them in words.

use cozy_chess::{Board, Color, get_king_moves};

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PositionError {
    #[error("no position given; write a FEN such as \"8/3r4/8/8/8/2k5/8/K6Q w - - 0 1\"")]
    Empty,
    #[error("bad FEN: {0} ranks, but a board has 8, separated by '/'")]
    Ranks(usize),
    #[error("bad FEN: rank {rank} (\"{text}\") has {files} files, but a board has 8")]
    Files {
        rank: usize,
        text: String,
        files: usize,
    },
    #[error("bad FEN: \"{0}\" is no piece; allowed: KQRBNPkqrbnp and 1 to 8")]
    Piece(char),
    #[error("bad FEN: {0} men on the board; 32 is the most")]
    TooManyMen(u32),
    #[error("bad FEN: {color} has {kings} kings; each side must have one")]
    Kings { color: &'static str, kings: usize },
    #[error("bad FEN: a pawn on the first or last rank")]
    PawnRank,
    #[error("bad FEN: side to move is \"{0}\"; allowed: w, b")]
    Side(String),
    #[error("bad FEN: half-move clock \"{0}\"; allowed: 0 to 100")]
    Clock(String),
    #[error("bad FEN: move number \"{0}\"; allowed: 1 to 65535")]
    MoveNumber(String),
    #[error("bad position: the kings stand next to each other")]
    KingsTouch,
    #[error("bad position: the side that is not to move is in check")]
    CapturableKing,
    #[error(
        "bad FEN: castling rights \"{0}\" do not fit kings and rooks; allowed: - or letters of KQkq"
    )]
    Castling(String),
    #[error(
        "bad FEN: en passant square \"{0}\" does not fit; allowed: - or the square that a pawn just skipped"
    )]
    EnPassant(String),
    #[error("bad position: {0}")]
    Other(String),
}

/// Reads a position. Missing fields: no castling rights, no en passant, clock 0, move 1; EPD operations are ignored.
pub(crate) fn parse(text: &str) -> Result<Board, PositionError> {
    // Underscores for spaces, as web addresses have them.
    let text = text.replace('_', " ");
    let mut fields = text.split_whitespace();
    let placement = fields.next().ok_or(PositionError::Empty)?;
    check_placement(placement)?;
    let side = fields.next().unwrap_or("w");
    if side != "w" && side != "b" {
        return Err(PositionError::Side(side.into()));
    }
    let castling = fields.next().unwrap_or("-");
    let en_passant = fields.next().unwrap_or("-");
    let (clock, number) = clocks(&mut fields)?;
    let build = |castling: &str, en_passant: &str| {
        let fen = format!("{placement} {side} {castling} {en_passant} {clock} {number}");
        Board::from_fen(&fen, false).or_else(|_| Board::from_fen(&fen, true))
    };
    let board = build(castling, en_passant).map_err(|error| {
        // Leave out one field after the other to find the one that does not fit.
        if build("-", "-").is_err() {
            check_mover(placement, side).unwrap_or_else(|| PositionError::Other(error.to_string()))
        } else if build("-", en_passant).is_ok() {
            PositionError::Castling(castling.into())
        } else if build(castling, "-").is_ok() {
            PositionError::EnPassant(en_passant.into())
        } else {
            PositionError::Other(error.to_string())
        }
    })?;
    if get_king_moves(board.king(Color::White)).has(board.king(Color::Black)) {
        return Err(PositionError::KingsTouch);
    }
    Ok(board)
}

/// The two clocks of a FEN; an EPD has operations in their place.
fn clocks<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<(u8, u16), PositionError> {
    let is_operation = |field: &str| field.starts_with(|c: char| c.is_ascii_alphabetic());
    let Some(clock) = fields
        .next()
        .filter(|field| !is_operation(field) && *field != ";")
    else {
        return Ok((0, 1));
    };
    let value = clock.parse::<u8>().ok().filter(|value| *value <= 100);
    let value = value.ok_or_else(|| PositionError::Clock(clock.into()))?;
    let Some(number) = fields.next().filter(|field| !is_operation(field)) else {
        return Ok((value, 1));
    };
    // Some programs write move 0.
    let moves = number
        .parse::<u16>()
        .map_err(|_| PositionError::MoveNumber(number.into()))?;
    Ok((value, moves.max(1)))
}

fn check_placement(placement: &str) -> Result<(), PositionError> {
    let ranks: Vec<&str> = placement.split('/').collect();
    if let Some(wrong) = placement
        .chars()
        .find(|c| !"KQRBNPkqrbnp12345678/".contains(*c))
    {
        return Err(PositionError::Piece(wrong));
    }
    if ranks.len() != 8 {
        return Err(PositionError::Ranks(ranks.len()));
    }
    for (rank, text) in (1..=8).rev().zip(&ranks) {
        let files = text
            .chars()
            .map(|c| c.to_digit(10).unwrap_or(1) as usize)
            .sum();
        if files != 8 {
            return Err(PositionError::Files {
                rank,
                text: (*text).into(),
                files,
            });
        }
    }
    let count = |piece: char| placement.matches(piece).count();
    for (color, kings) in [("White", count('K')), ("Black", count('k'))] {
        if kings != 1 {
            return Err(PositionError::Kings { color, kings });
        }
    }
    let men = placement.chars().filter(char::is_ascii_alphabetic).count() as u32;
    if men > 32 {
        return Err(PositionError::TooManyMen(men));
    }
    let edge = [ranks.first(), ranks.last()];
    if edge
        .into_iter()
        .flatten()
        .any(|rank| rank.contains(['P', 'p']))
    {
        return Err(PositionError::PawnRank);
    }
    Ok(())
}

/// Whether a position fails because the king of the side not to move can be taken: then it stands with the other to move.
fn check_mover(placement: &str, side: &str) -> Option<PositionError> {
    let other = if side == "w" { "b" } else { "w" };
    let turned = Board::from_fen(&format!("{placement} {other} - - 0 1"), false).ok()?;
    (!turned.checkers().is_empty()).then_some(PositionError::CapturableKing)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn message(fen: &str) -> String {
        parse(fen).unwrap_err().to_string()
    }

    #[test]
    fn short_fens_and_epds_are_read() {
        for fen in [
            "8/8/8/3r4/8/2k5/8/K6Q",
            "8/8/8/3r4/8/2k5/8/K6Q b",
            "8/8/8/3r4/8/2k5/8/K6Q w - -",
            "8/8/8/3r4/8/2k5/8/K6Q w - - 7",
            "8/8/8/3r4/8/2k5/8/K6Q w - - bm Qh8; id \"x\";",
            "8/8/8/3r4/8/2k5/8/K6Q_w_-_-_0_0",
        ] {
            assert!(parse(fen).is_ok(), "{fen}: {:?}", parse(fen));
        }
        assert_eq!(
            parse("8/8/8/3r4/8/2k5/8/K6Q w - - 7")
                .unwrap()
                .halfmove_clock(),
            7
        );
    }

    #[test]
    fn bad_fens_name_the_field() {
        for (fen, says) in [
            ("", "no position"),
            ("8/8/8 w", "3 ranks"),
            ("9/8/8/8/8/8/8/Kk6 w", "\"9\" is no piece"),
            ("7/8/8/8/8/8/8/K1k5 w", "rank 8 (\"7\") has 7 files"),
            ("8/8/8/8/8/8/8/8 w", "White has 0 kings"),
            ("k7/8/8/8/8/8/8/KK6 w", "White has 2 kings"),
            ("kP6/8/8/8/8/8/8/K7 w", "pawn on the first or last rank"),
            ("k7/8/8/8/8/8/8/K7 x", "side to move is \"x\""),
            ("k7/8/8/8/8/8/8/K7 w - - 101 1", "half-move clock \"101\""),
            ("k7/8/8/8/8/8/8/K7 w - - -1 1", "half-move clock \"-1\""),
            ("k7/8/8/8/8/8/8/K7 w KQ - 0 1", "castling rights \"KQ\""),
            ("k7/8/8/8/8/8/8/K7 w - e3 0 1", "en passant square \"e3\""),
            ("8/8/8/8/8/8/8/Kk6 w - - 0 1", "next to each other"),
            ("k6Q/8/8/8/8/8/8/K7 w - - 0 1", "not to move is in check"),
            (
                "nnnnnnnn/pppppppp/nnnnnnnn/8/8/NNNNNNNN/PPPPPPPP/K6k w",
                "men on the board",
            ),
        ] {
            assert!(message(fen).contains(says), "{fen}: {}", message(fen));
        }
    }
}
