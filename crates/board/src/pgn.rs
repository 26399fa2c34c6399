//! Games as text: the Portable Game Notation (Edwards 1994), read leniently and written in its
//! export format.

use std::fmt::{self, Write as _};

use cozy_chess::{Color, Move};

use crate::{Position, parse_fen, parse_san, to_san};

/// Columns of the movetext in the export format.
const COLUMNS: usize = 80;

/// Writes a game: its tags, an empty line, and the moves, each with a comment unless that is empty.
/// `end` is the result, perhaps with a comment before it.
///
/// ```
/// use sextant_board::{Position, parse_san, write_pgn};
///
/// let start = Position::startpos();
/// let e4 = parse_san(&start, "e4").unwrap();
/// let game = write_pgn(&[("White", "A \"B\"")], &start, [(e4, "best by test".into())], "*");
/// assert_eq!(game, "[White \"A \\\"B\\\"\"]\n\n1. e4 {best by test} *\n");
/// ```
pub fn write_pgn(
    tags: &[(&str, &str)],
    start: &Position,
    moves: impl IntoIterator<Item = (Move, String)>,
    end: &str,
) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let value = value.replace(char::is_control, " ");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    let mut column = 0;
    let movetext = movetext(start, moves) + end;
    for word in movetext.split_whitespace() {
        if column > 0 && column + 1 + word.len() >= COLUMNS {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
    text
}

/// Moves with their numbers in one line, as in `12... Kd4 13. Qh8+`.
pub fn numbered_san(start: &Position, moves: impl IntoIterator<Item = Move>) -> String {
    let moves = moves.into_iter().map(|mv| (mv, String::new()));
    movetext(start, moves).trim_end().to_owned()
}

/// The moves and their comments, with a space behind each.
fn movetext(start: &Position, moves: impl IntoIterator<Item = (Move, String)>) -> String {
    let mut text = String::new();
    let mut position = start.clone();
    for (mv, comment) in moves {
        let number = position.board().fullmove_number();
        let _ = match position.side_to_move() {
            Color::White => write!(text, "{number}. "),
            Color::Black if text.is_empty() => write!(text, "{number}... "),
            Color::Black => Ok(()),
        };
        let _ = write!(text, "{} ", to_san(&position, mv));
        if !comment.is_empty() {
            let _ = write!(text, "{{{comment}}} ");
        }
        position.play(mv);
    }
    text
}

/// Why a text was rejected as PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: game {game}: {fault}")]
pub struct PgnError {
    /// Line of the text, from 1.
    line: usize,
    /// Number of the game, from 1.
    game: u64,
    fault: String,
}

/// A game that was read.
#[derive(Clone, Debug)]
#[must_use]
pub struct PgnGame {
    /// Names and values, in the order of the text.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: Position,
    /// The moves of the game itself, without variations.
    pub moves: Vec<Move>,
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let found = tags.find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The position before each move.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = self.start.clone();
        self.moves.iter().map(move |&mv| {
            let before = position.clone();
            position.play(mv);
            before
        })
    }
}

/// Reads the games of a text one after the other. Comments, variations and annotation glyphs are
/// skipped; a result may be missing.
///
/// ```
/// let mut games = sextant_board::PgnReader::new("[White \"A\"]\n\n1. e4 (1. d4) e5 2. Nf3 1-0");
/// let game = games.next_game().unwrap().expect("there is one");
/// assert_eq!((game.tag("White"), game.moves.len()), (Some("A"), 3));
/// assert!(games.next_game().unwrap().is_none());
/// ```
#[derive(Clone, Debug)]
pub struct PgnReader<'a> {
    text: &'a str,
    /// What is not yet read of it.
    rest: &'a str,
    /// Games that were begun.
    games: u64,
}

/// What a part of the text is.
#[derive(PartialEq, Eq)]
enum Token {
    Skipped,
    Tag,
    Word,
}

impl<'a> PgnReader<'a> {
    /// Reads from the beginning; a byte order mark is skipped.
    pub fn new(text: &'a str) -> PgnReader<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        PgnReader {
            text,
            rest: text,
            games: 0,
        }
    }

    /// The next game; `None` after the last one.
    ///
    /// # Errors
    /// [`PgnError`] for the first thing that cannot be read.
    pub fn next_game(&mut self) -> Result<Option<PgnGame>, PgnError> {
        let mut game = PgnGame {
            tags: Vec::new(),
            start: Position::startpos(),
            moves: Vec::new(),
        };
        let mut position = game.start.clone();
        let (mut begun, mut moves_begun) = (false, false);
        loop {
            let before = self.rest;
            let Some((token, text)) = self.token()? else {
                break;
            };
            if token != Token::Skipped {
                self.games += u64::from(!begun);
                begun = true;
            }
            match (token, text) {
                (Token::Skipped, _) => {}
                (Token::Tag, tag) => {
                    let (name, value) = tag_parts(tag);
                    let is_event = name.eq_ignore_ascii_case("Event");
                    if moves_begun || is_event && game.tag("Event").is_some() {
                        // The result was left out, and perhaps the moves.
                        self.rest = before;
                        break;
                    }
                    if name.eq_ignore_ascii_case("FEN") {
                        position = parse_fen(&value).map_err(|error| self.fault(error))?;
                        game.start = position.clone();
                    }
                    game.tags.push((name, value));
                }
                (Token::Word, "1-0" | "0-1" | "1/2-1/2" | "*") => break,
                (Token::Word, word) => {
                    moves_begun = true;
                    if let Some(san) = without_number(word) {
                        let mv = parse_san(&position, san).map_err(|error| self.fault(error))?;
                        game.moves.push(mv);
                        position.play(mv);
                    }
                }
            }
        }
        Ok(begun.then_some(game))
    }

    /// The text up to here.
    fn read(&self) -> &'a str {
        &self.text[..self.text.len() - self.rest.len()]
    }

    fn fault(&self, fault: impl fmt::Display) -> PgnError {
        PgnError {
            line: 1 + self.read().matches('\n').count(),
            game: self.games.max(1),
            fault: fault.to_string(),
        }
    }

    fn token(&mut self) -> Result<Option<(Token, &'a str)>, PgnError> {
        let rest = self.rest;
        let Some(first) = rest.chars().next() else {
            return Ok(None);
        };
        let at_line_start = self.read().is_empty() || self.read().ends_with('\n');
        let (token, length) = match first {
            '%' if at_line_start => (Token::Skipped, line(rest)),
            ';' => (Token::Skipped, line(rest)),
            '{' => (Token::Skipped, comment(rest)),
            '(' => (Token::Skipped, variation(rest)),
            ')' => (Token::Skipped, Err("a variation ends that never began")),
            '$' => (Token::Skipped, glyph(rest)),
            _ if first.is_whitespace() => (Token::Skipped, Ok(first.len_utf8())),
            '[' => (Token::Tag, tag(rest)),
            _ => (Token::Word, word(rest)),
        };
        let length = length.map_err(|fault| self.fault(fault))?;
        let (read, rest) = rest.split_at(length);
        self.rest = rest;
        Ok(Some((token, read)))
    }
}

/// The length of something in bytes, or why it cannot be read.
type Length = Result<usize, &'static str>;

fn line(text: &str) -> Length {
    Ok(text.find('\n').map_or(text.len(), |end| end + 1))
}

fn comment(text: &str) -> Length {
    let end = text.find('}').ok_or("a comment has no end")?;
    Ok(end + 1)
}

/// Variations nest, and may hold comments with brackets of their own.
fn variation(text: &str) -> Length {
    let (mut at, mut depth) = (0, 0);
    loop {
        let rest = &text[at..];
        let first = rest.chars().next().ok_or("a variation has no end")?;
        at += match first {
            '{' => comment(rest)?,
            _ => first.len_utf8(),
        };
        match first {
            '(' => depth += 1,
            ')' if depth == 1 => return Ok(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
}

/// A bracket inside the quoted value of a tag does not end it.
fn tag(text: &str) -> Length {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            ']' if !quoted => return Ok(at + 1),
            _ => {}
        }
    }
    Err("a tag has no end")
}

fn glyph(text: &str) -> Length {
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit);
    Ok(1 + digits.count())
}

/// One character at least, for a bracket may stand where none belongs.
fn word(text: &str) -> Length {
    let ends = |(at, c): &(usize, char)| *at > 0 && (c.is_whitespace() || "{}();[]$".contains(*c));
    let end = text.char_indices().find(ends);
    Ok(end.map_or(text.len(), |(at, _)| at))
}

/// Name and value of a tag.
fn tag_parts(tag: &str) -> (String, String) {
    let tag = tag[1..tag.len() - 1].trim();
    let (name, value) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let value = value.trim();
    let value = value.strip_prefix('"').unwrap_or(value);
    let value = value.strip_suffix('"').unwrap_or(value);
    let mut escaped = false;
    let unescaped = value.chars().filter(|&c| {
        escaped = c == '\\' && !escaped;
        !escaped
    });
    (name.to_owned(), unescaped.collect())
}

/// The move of a word such as `12.Nf3`; `None` for a bare number, an ellipsis or a lone mark.
fn without_number(word: &str) -> Option<&str> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    let bare = rest.trim_start_matches(['.', '…']);
    // Castling may be written with zeros, which are no number of a move.
    let mv = if bare.len() < rest.len() || rest.is_empty() {
        bare
    } else {
        word
    };
    (!mv.is_empty() && !mv.bytes().all(|byte| b"!?".contains(&byte)) && mv != "e.p.").then_some(mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::to_fen;

    const TWO: &str = "\u{feff}[Event \"a ] b\"]\n[Result \"1-0\"]\n\n1. e4 {best (by test)} e5 2.Nf3!? (2. f4 exf4 \
        (2... d5 {no)}) 3. Nf3) 2... Nc6 $1 ; the rest\n% escaped\n3.Bb5 a6 4.Ba4 Nf6 5.0-0 1-0\n\n\
        [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 2. e4 *\n";

    fn all(text: &str) -> Result<Vec<PgnGame>, PgnError> {
        let mut games = PgnReader::new(text);
        std::iter::from_fn(|| games.next_game().transpose()).collect()
    }

    fn lengths(text: &str) -> Vec<usize> {
        let games = all(text).unwrap();
        games.iter().map(|game| game.moves.len()).collect()
    }

    #[test]
    fn moves_are_found_among_the_rest() {
        let games = all(TWO).unwrap();
        assert_eq!(lengths(TWO), [9, 2]);
        assert_eq!(games[0].tag("event"), Some("a ] b"));
        let before = |game: &PgnGame| to_fen(&game.positions().last().unwrap(), false);
        assert_eq!(
            before(&games[0]),
            "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5"
        );
        assert_eq!(before(&games[1]), "8/3k4/8/8/8/8/4P3/4K3 w - - 1 2");
        assert!(all("").unwrap().is_empty());
    }

    #[test]
    fn a_game_of_tags_alone_keeps_its_position_to_itself() {
        let text = "[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n[Event \"b\"]\n\n1. d4 *\n";
        assert_eq!(lengths(text), [0, 1]);
    }

    #[test]
    fn mistakes_are_found_by_game_and_line() {
        let error = |text: &str| all(text).unwrap_err().to_string();
        let wrong = error(&format!("{TWO}\n[White \"x\"]\n\n1. e4 e5\n2. Ke3 *"));
        let start = "line 16: game 3: \"Ke3\" is not exactly one legal move";
        assert!(wrong.starts_with(start), "{wrong}");
        for (text, fault) in [
            ("1. e4 {oh", "a comment has no end"),
            ("1. e4 (1. d4", "a variation has no end"),
            ("1. e4 (1. d4 {", "a comment has no end"),
            ("1. e4 ) d5", "never began"),
            ("[Event \"x]", "a tag has no end"),
            ("[FEN \"8/8\"]\n1. e4", "line 1: game 1: "),
        ] {
            assert!(error(text).contains(fault), "{text}: {}", error(text));
        }
    }

    #[test]
    fn what_is_written_comes_back_in_short_lines() {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
        let text = format!("[FEN \"{fen}\"] 2... Nf6 3. Nc3 Ng8 4. Nb1 d5 5. Nc3 d4 6. Nb1 Qh4#");
        let game = all(&text).unwrap().remove(0);
        assert_eq!(
            numbered_san(&game.start, game.moves.iter().copied().take(3)),
            "2... Nf6 3. Nc3 Ng8"
        );
        let tags = [("Event", "a \\ \"test\""), ("Site", "a\nb"), ("FEN", fen)];
        let moves = game
            .moves
            .iter()
            .map(|&mv| (mv, "+0.31/11 10003n".to_owned()));
        let written = write_pgn(&tags, &game.start, moves, "{checkmate} 0-1");
        assert!(written.lines().all(|line| line.len() < COLUMNS));
        assert!(
            written.contains("2... Nf6 {+0.31/11 10003n} 3. Nc3 {"),
            "{written}"
        );
        let end = written.trim_end().replace('\n', " ");
        assert!(end.ends_with(" {checkmate} 0-1"), "{written}");
        let again = all(&written).unwrap().remove(0);
        assert_eq!(again.tag("Event"), Some(r#"a \ "test""#));
        assert_eq!(again.tag("Site"), Some("a b"));
        assert_eq!(again.moves, game.moves);
        assert_eq!(to_fen(&again.start, false), fen);
    }
}
