//! Positions as people type them: a FEN with one to six fields, an EPD, underscores for spaces.

use cozy_chess::Board;

use crate::fen::{FenError, parse_fen};

/// Why a text is no position.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum LooseFenError {
    /// There is no field at all.
    #[error("no position given; write a FEN such as \"8/3r4/8/8/8/2k5/8/K6Q w - - 0 1\"")]
    Empty,
    /// The half-move clock, as it was written, is no number from 0 to 100.
    #[error("bad position: the half-move clock is {0:?}; allowed: 0 to 100")]
    Clock(String),
    /// What the fields say is no position.
    #[error("bad position: {0}")]
    Fen(#[from] FenError),
}

/// Reads a position of one to six fields, with underscores for spaces if they are easier to type.
/// Missing fields: White to move, no castling rights, no en passant, clock 0, move 1; EPD
/// operations are ignored.
///
/// # Errors
/// [`LooseFenError`], whose text says what is wrong and where.
pub fn parse_loose_fen(text: &str) -> Result<Board, LooseFenError> {
    let text = text.replace('_', " ");
    let fields: Vec<&str> = text.split_whitespace().collect();
    let is_operation =
        |field: &&str| *field == ";" || field.starts_with(|c: char| c.is_ascii_alphabetic());
    let (position, after) = fields.split_at(fields.len().min(4));
    let clocks = after.split(is_operation).next().unwrap_or_default();
    let clocks = clocks.get(..2).unwrap_or(clocks);
    if position.is_empty() {
        return Err(LooseFenError::Empty);
    }
    // The engine takes a larger one for 100; here it would be another question than was asked.
    if let Some(clock) = clocks.first()
        && !clock.parse::<u8>().is_ok_and(|clock| clock <= 100)
    {
        return Err(LooseFenError::Clock((*clock).to_owned()));
    }
    let defaults = ["", "w", "-", "-"].iter().skip(position.len());
    let whole: Vec<&str> = position
        .iter()
        .chain(defaults)
        .chain(clocks)
        .copied()
        .collect();
    Ok(parse_fen(&whole.join(" "))?.board().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_fens_and_epds_are_read() {
        for (end, clock) in [
            ("", 0),
            (" b", 0),
            (" w - -", 0),
            (" w - - 7", 7),
            (" w - - 7 bm Qh8;", 7),
            (" w - - 7 12 and more", 7),
            (" w - - bm Qh8; id \"x\";", 0),
            (" w - - ; D1 20", 0),
            (" w - - 7 x", 7),
            ("_w_-_-_0_0", 0),
        ] {
            let board = parse_loose_fen(&format!("8/8/8/3r4/8/2k5/8/K6Q{end}")).unwrap();
            assert_eq!(board.halfmove_clock(), clock, "{end}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, says) in [
            ("", "no position"),
            ("8/8/8 w", "3 ranks"),
            (
                "k7/8/8/8/8/8/8/K7 w - - 101 1",
                "\"101\"; allowed: 0 to 100",
            ),
            ("k7/8/8/8/8/8/8/K7 w - - -1 1", "\"-1\"; allowed: 0 to 100"),
        ] {
            let error = parse_loose_fen(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
