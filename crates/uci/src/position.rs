//! Positions as text: read from an argument or a `position` command, which is built whole or not at
//! all; and drawn for a person.

use std::fmt::Write as _;

use sextant_board::{
    Color, FenError, File, Position, Rank, Square, parse_fen, parse_fen_dropping_rights,
    parse_uci_move, piece_letter, to_fen,
};
use sextant_config::clip;
use sextant_search::{Engine, Game};

use crate::error::Failure;

/// The position of a FEN, whose fields may be arguments of their own; the initial one for
/// `startpos` and for nothing.
pub(crate) fn of(words: &[String]) -> Result<Position, Failure> {
    match &*words.join(" ") {
        "" | "startpos" => Ok(Position::startpos()),
        fen => Ok(parse_fen(fen)?),
    }
}

/// What a position is in which no move is legal.
pub(crate) fn ending(position: &Position) -> &'static str {
    if position.in_check() {
        "checkmate"
    } else {
        "stalemate"
    }
}

/// Reads what stands after `position` and plays the moves. Castling rights that the pieces do not
/// allow are dropped, as other engines do; the text says which.
pub(crate) fn build(text: &str) -> Result<(Game, Option<String>), Failure> {
    let words: Vec<_> = text.split_whitespace().collect();
    let mut halves = words.splitn(2, |word| *word == "moves");
    let (start, note) = match halves.next() {
        Some(["startpos"]) => (Position::startpos(), None),
        Some(["fen", fields @ ..]) => read_fen(fields)?,
        _ => {
            let (form, found) = ("position startpos|fen FEN [moves ...]", clip(text));
            return Err(format!("the form is `{form}`, found {found:?}").into());
        }
    };
    let mut game = Game::new(start);
    for (number, text) in (1..).zip(halves.next().unwrap_or_default()) {
        let mv = parse_uci_move(game.position(), text);
        let mv = mv.map_err(|error| format!("move {number} of the list: {error}"))?;
        game.play(mv);
    }
    Ok((game, note))
}

/// The position of a FEN without its impossible castling rights.
fn read_fen(fields: &[&str]) -> Result<(Position, Option<String>), FenError> {
    let (position, dropped) = parse_fen_dropping_rights(&fields.join(" "))?;
    let note = format!(
        "castling rights {dropped} need the king on its first rank and a rook beside it; ignored"
    );
    Ok((position, Some(note).filter(|_| !dropped.is_empty())))
}

/// The board, then the FEN and what else a person asks for.
pub(crate) fn describe(position: &Position, chess960: bool) -> String {
    let (fen, key) = (fen(position, chess960), position.key());
    let checkers = position.board().checkers().into_iter();
    let checkers: Vec<_> = checkers.map(|square| square.to_string()).collect();
    let (board, checkers) = (draw(position), checkers.join(" "));
    format!("{board}\n{fen}\nKey: {key:016X}\nCheckers: {checkers}")
}

/// The FEN with its name before it.
pub(crate) fn fen(position: &Position, chess960: bool) -> String {
    format!("Fen: {}", to_fen(position, chess960))
}

/// The board with White below.
pub(crate) fn draw(position: &Position) -> String {
    const LINE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = String::from(LINE);
    // Writing to a string cannot fail.
    for &rank in Rank::ALL.iter().rev() {
        for file in File::ALL {
            let _ = write!(text, " | {}", letter(position, Square::new(file, rank)));
        }
        let _ = write!(text, " | {}\n{LINE}", rank as usize + 1);
    }
    text + "   a   b   c   d   e   f   g   h\n"
}

fn letter(position: &Position, square: Square) -> char {
    let board = position.board();
    let standing = board.color_on(square).zip(board.piece_on(square));
    standing.map_or(' ', |(color, piece)| piece_letter(color, piece))
}

/// The static evaluation as White sees it, with the engine's own view behind it; above it what each
/// piece is worth to the network, if one is in force.
pub(crate) fn evaluation(position: &Position, engine: &Engine) -> String {
    let shares = engine
        .network()
        .map(|network| draw_shares(position, &network.shares(position.board())));
    let score = engine.evaluate(position);
    let score = score.raw();
    let white = match position.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    };
    format!(
        "{}Static evaluation: {:+.2} (White's view), {score} cp for the side to move",
        shares.unwrap_or_default(),
        f64::from(white) / 100.0
    )
}

/// The board with each piece's share of the evaluation below it, in pawns.
fn draw_shares(position: &Position, shares: &[(Square, i32)]) -> String {
    let line = format!("{}+\n", "+-------".repeat(8));
    let mut text = line.clone();
    let cell = |square: Square| {
        let share = shares.iter().find(|(of, _)| *of == square);
        share.map_or_else(String::new, |(_, share)| {
            format!("{:+.2}", f64::from(*share) / 100.0)
        })
    };
    for &rank in Rank::ALL.iter().rev() {
        let squares = File::ALL.map(|file| Square::new(file, rank));
        // Writing to a string cannot fail.
        for square in squares {
            let _ = write!(text, "|   {}   ", letter(position, square));
        }
        text.push_str("|\n");
        for square in squares {
            let _ = write!(text, "|{:^7}", cell(square));
        }
        text.push_str("|\n");
        text.push_str(&line);
    }
    text.push_str("What White's view would lose without each man, in pawns\n\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen_of(text: &str) -> Result<String, String> {
        let (game, _) = build(text).map_err(|error| error.to_string())?;
        Ok(to_fen(game.position(), false))
    }

    #[test]
    fn positions_are_built() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        for (text, fen) in [
            ("startpos", start),
            ("startpos moves", start),
            ("startpos moves e2e4", after_e4),
            (&format!("fen {start} moves e2e4"), after_e4),
            (
                "fen 4k3/8/8/8/8/8/8/4K3 w - -",
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            ),
        ] {
            assert_eq!(fen_of(text).as_deref(), Ok(fen), "{text}");
        }
        let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(2_500);
        let (game, _) = build(&format!("startpos moves {moves}")).unwrap();
        assert_eq!(game.keys().len(), 10_001);
    }

    #[test]
    fn another_form_and_a_wrong_move_are_refused_by_name() {
        let form = "the form is `position startpos|fen FEN [moves ...]`";
        for (text, expected) in [
            ("", form),
            ("moves e2e4", form),
            ("e2e4", form),
            ("startpos e2e4", form),
            ("fen 4k3/8/8/8/8/8/8/8 w - - 0 1", "king"),
            ("fen", "fields"),
            ("fen moves e2e4", "fields"),
            ("fen 4k3/8/8/8/8/8/8/4K3 w KX - 0 1", "castling field"),
            (
                "startpos moves e2e4 e7e5 e4e5",
                "move 3 of the list: the move e4e5",
            ),
            ("startpos moves e2e4 xyz", "move 2 of the list: "),
        ] {
            let error = fen_of(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn impossible_castling_rights_are_dropped_and_named() {
        for (fen, rights, dropped) in [
            ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "K", "Qkq"),
            ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "-", "KQkq"),
            ("r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "kq", "KQ"),
        ] {
            let (game, note) = build(&format!("fen {fen}")).unwrap();
            let built = to_fen(game.position(), false);
            assert_eq!(built.split(' ').nth(2), Some(rights), "{fen}");
            assert!(note.unwrap().contains(&format!(" {dropped} ")), "{fen}");
        }
    }

    #[test]
    fn the_drawing_shows_every_piece() {
        let text = describe(&Position::startpos(), false);
        assert!(text.contains(" | R | N | B | Q | K | B | N | R | 1"));
        assert!(text.contains("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    }
}
