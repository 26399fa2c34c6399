//! Games in PGN, as far as their positions go: tags, moves, and what is to be skipped.

use sextant_board::{Position, parse_fen, parse_san};

/// Why a text is no PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: game {game}: {fault}")]
pub(super) struct PgnError {
    /// Line number, from 1.
    line: usize,
    /// Number of the game, from 1.
    game: u64,
    /// What is wrong.
    fault: String,
}

/// Reads the games of a text one after the other, as the positions before each of their moves.
/// Comments and variations are skipped.
pub(super) struct Games<'a> {
    text: &'a str,
    place: Place,
}

/// How far a text was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Bytes.
    at: usize,
    /// The line there, from 1.
    line: usize,
    /// Games that were begun.
    games: u64,
}

impl Place {
    /// The beginning of a text.
    pub(super) const START: Place = Place {
        at: 0,
        line: 1,
        games: 0,
    };
}

/// A part of the text.
enum Token<'a> {
    Tag(&'a str),
    Word(&'a str),
    End,
}

impl<'a> Games<'a> {
    /// The games of a text from a place on.
    pub(super) fn new(text: &'a str, place: Place) -> Games<'a> {
        Games { text, place }
    }

    /// How far it was read.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// The positions of the next game; `None` after the last one.
    ///
    /// # Errors
    /// [`PgnError`] for the first thing that cannot be read.
    pub(super) fn next_game(&mut self) -> Result<Option<Vec<Position>>, PgnError> {
        let mut position = Position::startpos();
        let mut positions = Vec::new();
        let (mut begun, mut moves_begun, mut has_event) = (false, false, false);
        loop {
            let before = self.place;
            match self.token()? {
                Token::End => break,
                Token::Tag(tag) if moves_begun || has_event && value_of(tag, "Event").is_some() => {
                    // The result was left out, and perhaps the moves.
                    self.place = before;
                    break;
                }
                Token::Tag(tag) => {
                    self.begin(&mut begun);
                    has_event |= value_of(tag, "Event").is_some();
                    if let Some(fen) = value_of(tag, "FEN") {
                        position = parse_fen(fen).map_err(|error| self.fault(error))?;
                    }
                }
                Token::Word("1-0" | "0-1" | "1/2-1/2" | "*") => {
                    self.begin(&mut begun);
                    break;
                }
                Token::Word(word) => {
                    self.begin(&mut begun);
                    moves_begun = true;
                    let Some(san) = without_number(word) else {
                        continue;
                    };
                    let mv = parse_san(&position, san).map_err(|error| self.fault(error))?;
                    positions.push(position.clone());
                    position.play(mv);
                }
            }
        }
        Ok(begun.then_some(positions))
    }

    fn begin(&mut self, begun: &mut bool) {
        self.place.games += u64::from(!*begun);
        *begun = true;
    }

    fn fault(&self, fault: impl std::fmt::Display) -> PgnError {
        PgnError {
            line: self.place.line,
            game: self.place.games.max(1),
            fault: fault.to_string(),
        }
    }

    fn token(&mut self) -> Result<Token<'a>, PgnError> {
        loop {
            let rest = &self.text[self.place.at..];
            let Some(first) = rest.chars().next() else {
                return Ok(Token::End);
            };
            let at_line_start = self.text[..self.place.at].ends_with('\n') || self.place.at == 0;
            match first {
                _ if first.is_whitespace() => self.skip(first.len_utf8()),
                '%' if at_line_start => self.skip_line(),
                ';' => self.skip_line(),
                '{' => {
                    let end = self.find(rest, '}', "a comment")?;
                    self.skip(end + 1);
                }
                '(' => self.skip_variation()?,
                ')' => return Err(self.fault("a variation ends that never began")),
                '[' => {
                    let end = tag_end(rest).ok_or_else(|| self.fault("a tag has no end"))?;
                    self.skip(end + 1);
                    return Ok(Token::Tag(&rest[1..end]));
                }
                '$' => {
                    let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                    self.skip(1 + digits);
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || "{}();[]$".contains(c);
                    let end = rest.find(ends).unwrap_or(rest.len()).max(first.len_utf8());
                    self.skip(end);
                    return Ok(Token::Word(&rest[..end]));
                }
            }
        }
    }

    fn skip(&mut self, bytes: usize) {
        let passed = &self.text[self.place.at..self.place.at + bytes];
        self.place.line += passed.bytes().filter(|&byte| byte == b'\n').count();
        self.place.at += bytes;
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.place.at..];
        self.skip(rest.find('\n').map_or(rest.len(), |end| end + 1));
    }

    fn find(&self, rest: &str, what: char, of: &str) -> Result<usize, PgnError> {
        rest.find(what)
            .ok_or_else(|| self.fault(format!("{of} has no end")))
    }

    /// Variations nest, and may hold comments with brackets of their own.
    fn skip_variation(&mut self) -> Result<(), PgnError> {
        let mut depth = 0;
        loop {
            let rest = &self.text[self.place.at..];
            let Some(first) = rest.chars().next() else {
                return Err(self.fault("a variation has no end"));
            };
            match first {
                '{' => {
                    let end = self.find(rest, '}', "a comment")?;
                    self.skip(end + 1);
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            self.skip(first.len_utf8());
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

/// The closing bracket of a tag; one inside the quoted value does not count.
fn tag_end(rest: &str) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            ']' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

/// The value of a tag, if it is the one of this name.
fn value_of<'a>(tag: &'a str, wanted: &str) -> Option<&'a str> {
    let (name, value) = tag.trim().split_once(char::is_whitespace)?;
    name.eq_ignore_ascii_case(wanted)
        .then(|| value.trim().trim_matches('"'))
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
    use sextant_board::to_fen;

    use super::*;

    const TWO: &str = "\u{feff}[Event \"a ] b\"]\n[Result \"1-0\"]\n\n1. e4 {best (by test)} e5 2.Nf3!? (2. f4 exf4 \
        (2... d5 {no)}) 3. Nf3) 2... Nc6 $1 ; the rest\n% escaped\n3.Bb5 a6 4.Ba4 Nf6 5.0-0 1-0\n\n\
        [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 2. e4 *\n";

    fn all(text: &str) -> Result<Vec<Vec<Position>>, PgnError> {
        let mut games = Games::new(text.trim_start_matches('\u{feff}'), Place::START);
        std::iter::from_fn(|| games.next_game().transpose()).collect()
    }

    #[test]
    fn moves_are_found_among_the_rest() {
        let games = all(TWO).unwrap();
        assert_eq!(games.iter().map(Vec::len).collect::<Vec<_>>(), [9, 2]);
        assert_eq!(
            to_fen(&games[0][8], false),
            "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5"
        );
        assert_eq!(
            to_fen(&games[1][1], false),
            "8/3k4/8/8/8/8/4P3/4K3 w - - 1 2"
        );
        assert!(all("").unwrap().is_empty());
    }

    #[test]
    fn a_game_of_tags_alone_keeps_its_position_to_itself() {
        let games = all(
            "[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n[Event \"b\"]\n\n1. d4 *\n",
        );
        let games = games.unwrap();
        assert_eq!(games.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn mistakes_are_found_by_game_and_line() {
        let error = |text: &str| all(text).unwrap_err().to_string();
        let wrong = format!("{TWO}\n[White \"x\"]\n\n1. e4 e5\n2. Ke3 *");
        assert!(
            error(&wrong).starts_with("line 16: game 3: \"Ke3\" is not exactly one legal move"),
            "{}",
            error(&wrong)
        );
        assert!(error("1. e4 {oh").contains("a comment has no end"));
        assert!(error("1. e4 (1. d4").contains("a variation has no end"));
        assert!(error("1. e4 ) d5").contains("never began"));
        assert!(error("[Event \"x]").contains("a tag has no end"));
        assert!(error("[FEN \"8/8\"]\n1. e4").starts_with("line 1: game 1: "));
    }
}
