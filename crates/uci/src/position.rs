//! The `position` command: read, then built whole or not at all.

use sextant_board::{Position, parse_fen, parse_uci_move};
use sextant_search::Game;

use crate::error::{CommandError, PositionError, quote};

/// A `position` command as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PositionRequest {
    /// The FEN; `None` is the initial position.
    fen: Option<String>,
    /// The moves from there, in UCI notation.
    moves: Vec<String>,
}

impl PositionRequest {
    /// Reads what stands after `position`.
    ///
    /// # Errors
    /// [`CommandError::Position`] if it has another form.
    pub(crate) fn parse(text: &str) -> Result<PositionRequest, CommandError> {
        let malformed = || CommandError::Position { found: quote(text) };
        let mut words = text.split_whitespace();
        let fen = match words.next() {
            Some("startpos") => None,
            Some("fen") => Some(words.by_ref().take_while(|word| *word != "moves")),
            _ => return Err(malformed()),
        };
        let fen = fen.map(|words| words.collect::<Vec<_>>().join(" "));
        if fen.is_none() && words.next().is_some_and(|word| word != "moves") {
            return Err(malformed());
        }
        Ok(PositionRequest {
            fen,
            moves: words.map(str::to_owned).collect(),
        })
    }

    /// Plays the moves.
    ///
    /// # Errors
    /// [`PositionError`] if the FEN or a move is wrong.
    pub(crate) fn build(&self) -> Result<Game, PositionError> {
        let start = match &self.fen {
            Some(fen) => parse_fen(fen)?,
            None => Position::startpos(),
        };
        let mut game = Game::new(start);
        for (i, text) in self.moves.iter().enumerate() {
            let mv =
                parse_uci_move(game.position(), text).map_err(|source| PositionError::Move {
                    number: i + 1,
                    source,
                })?;
            game.play(mv);
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_board::to_fen;

    fn build(text: &str) -> Result<String, String> {
        let request = PositionRequest::parse(text).map_err(|error| error.to_string())?;
        let game = request.build().map_err(|error| error.to_string())?;
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
        let request = PositionRequest::parse(&format!("startpos moves {moves}")).unwrap();
        assert_eq!(request.build().unwrap().keys().len(), 10_001);
    }
}
