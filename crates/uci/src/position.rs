//! Positions that a person or a program names: as an argument, and by the `position` command, which
//! is built whole or not at all.

use sextant_board::{FenError, Position, parse_fen, parse_uci_move};
use sextant_search::Game;

use crate::error::{Failure, PositionError, quote};

/// The position of a FEN, or of the word `startpos`, or the initial one.
pub(crate) fn of(fen: Option<&str>) -> Result<Position, Failure> {
    match fen {
        None | Some("startpos") => Ok(Position::startpos()),
        Some(fen) => Ok(parse_fen(fen)?),
    }
}

/// Reads what stands after `position` and plays the moves. Castling rights that the pieces do not allow
/// are dropped, as other engines do; the text says which.
///
/// # Errors
/// [`PositionError`] if the form, the FEN or a move is wrong.
pub(crate) fn build(text: &str) -> Result<(Game, Option<String>), PositionError> {
    let malformed = || PositionError::Form { found: quote(text) };
    let mut words = text.split_whitespace();
    let fen = match words.next() {
        Some("startpos") => None,
        Some("fen") => Some(words.by_ref().take_while(|word| *word != "moves")),
        _ => return Err(malformed()),
    };
    let fen = fen.map(Iterator::collect::<Vec<_>>);
    if fen.is_none() && words.next().is_some_and(|word| word != "moves") {
        return Err(malformed());
    }
    let (start, note) = match fen {
        None => (Position::startpos(), None),
        Some(fields) => read_fen(&fields)?,
    };
    let mut game = Game::new(start);
    for (i, text) in words.enumerate() {
        let mv = parse_uci_move(game.position(), text).map_err(|source| PositionError::Move {
            number: i + 1,
            source,
        })?;
        game.play(mv);
    }
    Ok((game, note))
}

/// The position of a FEN without its impossible castling rights.
fn read_fen(fields: &[&str]) -> Result<(Position, Option<String>), FenError> {
    let whole = parse_fen(&fields.join(" "));
    let (Err(FenError::CastlingRook { .. }), [board, side, rights, rest @ ..]) = (&whole, fields)
    else {
        return whole.map(|position| (position, None));
    };
    let rest = rest.join(" ");
    let with_rights = |rights: &str| parse_fen(&format!("{board} {side} {rights} {rest}"));
    let (mut possible, mut dropped) = (String::new(), String::new());
    for right in rights.chars() {
        let tried = format!("{possible}{right}");
        match with_rights(&tried) {
            Err(FenError::CastlingRook { .. }) => dropped.push(right),
            other => {
                other?;
                possible = tried;
            }
        }
    }
    let rights = if possible.is_empty() { "-" } else { &possible };
    let note = format!(
        "castling rights {dropped} need the king on its first rank and a rook beside it; ignored"
    );
    Ok((with_rights(rights)?, Some(note)))
}

#[cfg(test)]
mod tests {
    use sextant_board::to_fen;

    fn build(text: &str) -> Result<String, String> {
        let (game, _) = super::build(text).map_err(|error| error.to_string())?;
        Ok(to_fen(game.position(), false))
    }

    #[test]
    fn positions_are_built() {
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(build("startpos moves e2e4").as_deref(), Ok(after_e4));
        let start = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4";
        assert_eq!(build(start).as_deref(), Ok(after_e4));
        assert!(build("startpos moves").is_ok() && build("startpos").is_ok());
        assert!(
            build("fen 4k3/8/8/8/8/8/8/4K3 w - -").is_ok(),
            "four fields are enough"
        );
    }

    #[test]
    fn a_wrong_move_is_named_with_its_number() {
        let error = build("startpos moves e2e4 e7e5 e4e5").unwrap_err();
        assert!(
            error.contains("move 3") && error.contains("e4e5"),
            "{error}"
        );
        let error = build("startpos moves e2e4 xyz").unwrap_err();
        assert!(error.contains("move 2") && error.contains("xyz"), "{error}");
    }

    #[test]
    fn another_form_is_refused() {
        for text in [
            "",
            "moves e2e4",
            "e2e4",
            "startpos e2e4",
            "fen",
            "fen moves e2e4",
        ] {
            assert!(build(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_game_of_thousands_of_plies_is_kept() {
        let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(2_500);
        let (game, _) = super::build(&format!("startpos moves {moves}")).unwrap();
        assert_eq!(game.keys().len(), 10_001);
    }

    #[test]
    fn impossible_castling_rights_are_dropped_and_named() {
        for (fen, rights, dropped) in [
            ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "K", "Qkq"),
            ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "-", "KQkq"),
            ("r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "kq", "KQ"),
        ] {
            let (game, note) = super::build(&format!("fen {fen}")).unwrap();
            let built = to_fen(game.position(), false);
            assert_eq!(built.split(' ').nth(2), Some(rights), "{fen}");
            assert!(note.unwrap().contains(&format!(" {dropped} ")), "{fen}");
        }
        assert!(build("fen 4k3/8/8/8/8/8/8/4K3 w KX - 0 1").is_err());
    }
}
