//! Where the position comes from: a FEN in any form that people type, standard input, or a file.

use std::{
    io::{self, Read as _},
    path::Path,
};

use sextant_board::{PgnGame, PgnReader, Position, parse_loose_fen};
use sextant_cli::{files, output::counted};

use crate::error::Failure;

/// Larger than any file that a position would be looked for in.
const MAX_BYTES: u64 = 256 * files::MIB;

/// A position, and what a person should know of it.
pub(super) struct Found {
    pub(super) position: Position,
    pub(super) note: Option<String>,
}

/// The position that the words name: `startpos`, a FEN, `-` for standard input, or a file of FENs
/// (the first) or games (the last position of the last game).
pub(super) fn position(words: &[String]) -> Result<Found, Failure> {
    let text = words.join(" ");
    let path = Path::new(&text);
    if text == "startpos" {
        Ok(Found::plain(Position::startpos()))
    } else if text == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().take(MAX_BYTES).read_to_end(&mut bytes)?;
        in_text(&bytes, "standard input", None)
    } else if path.is_file() {
        in_text(&files::read(path, MAX_BYTES)?, &text, Some(&text))
    } else {
        let allowed = "allowed are startpos, a FEN, - for standard input, a file of FENs or PGN";
        let has_ranks = text.matches('/').count() == 7;
        if !has_ranks && words.len() == 1 {
            return Err(format!("{text:?} is neither a file nor a position; {allowed}").into());
        }
        let board = parse_loose_fen(&text).map_err(|error| format!("{error}; {allowed}"))?;
        Ok(Found::plain(Position::new(board)))
    }
}

impl Found {
    fn plain(position: Position) -> Found {
        Found {
            position,
            note: None,
        }
    }
}

/// The first FEN of a text, or the end of its last game; names in games may be in any encoding.
fn in_text(bytes: &[u8], name: &str, file: Option<&str>) -> Result<Found, Failure> {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '%', ';']));
    let first = lines
        .next()
        .ok_or_else(|| format!("{name} holds no position"))?;
    if first.contains('/') && !first.starts_with('[') {
        let board = parse_loose_fen(first).map_err(|error| format!("{name}: {error}"))?;
        return Ok(Found::plain(Position::new(board)));
    }
    let (mut games, mut last, mut count) = (PgnReader::new(&text), None, 0);
    while let Some(game) = games
        .next_game()
        .map_err(|error| format!("{name}: {error}"))?
    {
        (last, count) = (Some(game), count + 1);
    }
    let last = last.ok_or_else(|| format!("{name} holds neither a FEN nor a game"))?;
    let mut note = format!("The last position of {}", title(&last));
    if count > 1 {
        note += &format!(", the last of {}", counted(count, "game"));
    }
    if let Some(file) = file {
        let quote = if file.contains(char::is_whitespace) {
            "\""
        } else {
            ""
        };
        note += &format!("; for every move of it: sextant annotate {quote}{file}{quote}");
    }
    Ok(Found {
        position: end(&last),
        note: Some(note),
    })
}

/// `White - Black`, as far as the tags say.
fn title(game: &PgnGame) -> String {
    let [white, black] = ["White", "Black"].map(|tag| game.tag(tag).unwrap_or("?"));
    format!("{white} - {black}")
}

fn end(game: &PgnGame) -> Position {
    let mut position = game.start.clone();
    for mv in game.moves() {
        position.play(mv);
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_board::to_fen;

    fn found(text: &[u8]) -> Result<(String, Option<String>), String> {
        let found = in_text(text, "a.pgn", Some("a.pgn")).map_err(|error| error.to_string())?;
        Ok((to_fen(&found.position, false), found.note))
    }

    #[test]
    fn a_text_is_of_positions_or_of_games() {
        let (fen, note) =
            found(b"\xef\xbb\xbf# mates\n\n7k/8/5K2/8/8/8/8/6R1 w - - bm Kf7;\n").unwrap();
        assert_eq!((&*fen, note), ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", None));
        let games =
            b"[White \"J\xf6rg\"]\n\n1. e4 *\n\n[White \"A\"]\n[Black \"B\"]\n\n1. d4 d5 *\n";
        let (fen, note) = found(games).unwrap();
        assert!(fen.starts_with("rnbqkbnr/ppp1pppp/8/3p4/3P4/"), "{fen}");
        let note = note.unwrap();
        assert!(
            note.starts_with("The last position of A - B, the last of 2 games"),
            "{note}"
        );
        assert!(found(b"1. e4 e5 2. Nf3").is_ok());
        for (text, message) in [
            (&b"\n# nothing\n"[..], "a.pgn holds no position"),
            (b"1. e4 Ke2", "line 1: game 1: \"Ke2\""),
            (b"8/8/8 w - -", "a.pgn: bad position"),
        ] {
            let error = found(text).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
