//! Reading games, whoever wrote them.

use super::{
    PgnError, PgnGame,
    draft::{Draft, result},
    scanner::{Scanner, Token},
};

/// Reads the games of a text one after the other. After an error it goes on with the next game.
///
/// Moves may be in long notation, variations may hold null moves, a result may be missing.
///
/// ```
/// let mut games = sextant_board::PgnReader::new("[White \"A\"]\n\n1. e4 (1. d4) e5 2. Nf3 1-0");
/// let game = games.next_game().unwrap().expect("there is one");
/// assert_eq!((game.tag("White"), game.moves().count()), (Some("A"), 3));
/// assert!(games.next_game().unwrap().is_none());
/// ```
#[derive(Clone, Debug)]
pub struct PgnReader<'a> {
    scanner: Scanner<'a>,
    /// Games that were begun.
    games: u64,
}

impl<'a> PgnReader<'a> {
    /// Reads from the beginning; a byte order mark is skipped.
    pub fn new(text: &'a str) -> PgnReader<'a> {
        PgnReader {
            scanner: Scanner::new(text),
            games: 0,
        }
    }

    /// The number of the game that was read last, readable or not, from 1.
    pub fn number(&self) -> u64 {
        self.games
    }

    /// The next game; `None` after the last one.
    ///
    /// # Errors
    /// [`PgnError`] for the first thing in a game that cannot be read; the rest of it is skipped.
    pub fn next_game(&mut self) -> Result<Option<PgnGame>, PgnError> {
        let mut draft = Draft::default();
        match self.read_game(&mut draft) {
            Ok(()) if !draft.is_begun => Ok(None),
            Ok(()) => Ok(Some(draft.finish())),
            Err((at, fault)) => {
                let line = self.scanner.line_at(at);
                self.games += u64::from(!draft.is_begun);
                if !draft.is_over {
                    self.skip_game();
                }
                Err(PgnError {
                    line,
                    game: self.games,
                    fault,
                })
            }
        }
    }

    /// Reads up to the end of a game. A fault comes with its place in the text.
    fn read_game(&mut self, draft: &mut Draft) -> Result<(), (usize, String)> {
        while let Some((at, token)) = self.scanner.next_token()? {
            if !draft.is_begun && !token.is_aside() {
                self.games += 1;
                draft.is_begun = true;
            }
            match token {
                Token::Tag(name, _) if !draft.takes_tag(&name) => {
                    // The result was left out, and perhaps the moves.
                    self.scanner.back_to(at);
                    break;
                }
                Token::Tag(name, value) => draft.tags.push((name, value, at)),
                token => {
                    if !token.is_aside() {
                        draft.begin()?;
                    }
                    if draft.take(token).map_err(|fault| (at, fault))? {
                        self.read_afterword(draft);
                        break;
                    }
                }
            }
        }
        draft.is_over = true;
        if draft.is_in_variation() {
            return Err((self.scanner.at(), "a variation has no end".to_owned()));
        }
        draft.begin()
    }

    /// Comments behind a result are of the game before it.
    fn read_afterword(&mut self, draft: &mut Draft) {
        loop {
            let before = self.scanner.at();
            match self.scanner.next_token() {
                Ok(Some((_, token))) if token.is_aside() => {
                    let _ = draft.take(token);
                }
                _ => {
                    self.scanner.back_to(before);
                    return;
                }
            }
        }
    }

    /// Goes on behind a game that cannot be read: to a line with the first tag of another one, or
    /// behind a line that ends with a result and is the last one of its paragraph.
    fn skip_game(&mut self) {
        let rest = self.scanner.rest();
        let mut in_tags = rest.starts_with('[');
        let mut lines = rest.split_inclusive('\n').peekable();
        let mut is_first = true;
        while let Some(line) = lines.next() {
            let starts_tag = !is_first && is_tag_line(line);
            if starts_tag && (!in_tags || line.starts_with("[Event ")) {
                return;
            }
            self.scanner.skip(line.len());
            if !starts_tag && !line.trim().is_empty() {
                in_tags &= is_first;
                let ends = line
                    .split_whitespace()
                    .last()
                    .is_some_and(|word| result(word).is_some());
                let is_last = lines.peek().is_none_or(|next| next.trim().is_empty());
                if ends && is_last {
                    return;
                }
            }
            is_first = false;
        }
    }
}

/// Is it a line such as `[White "A"]`?
fn is_tag_line(line: &str) -> bool {
    let name = line.strip_prefix('[').and_then(|line| line.split_once(' '));
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    name.is_some_and(|(name, value)| is_name(name) && value.trim_start().starts_with('"'))
}
