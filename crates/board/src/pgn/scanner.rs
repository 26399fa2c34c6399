//! The parts of a PGN text, one after the other, with their places.

/// A part of the text.
pub(super) enum Token<'a> {
    Tag(String, String),
    Comment(&'a str),
    Escape(&'a str),
    Glyph(u32),
    Open,
    Close,
    Word(&'a str),
}

impl Token<'_> {
    /// May it stand before a game as well?
    pub(super) fn is_aside(&self) -> bool {
        matches!(self, Token::Comment(_) | Token::Escape(_))
    }
}

/// Where reading stands.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// What is read of it, in bytes.
    at: usize,
    /// Up to where lines were counted, and the line there.
    counted: (usize, usize),
    /// Ends of comments, first lines of games, and beginnings of comments behind these.
    seen: [Seen; 3],
}

/// The first place of a text behind another place. As places are asked for in their order, the whole
/// is read once, however often somebody asks.
#[derive(Clone, Debug)]
struct Seen {
    what: &'static str,
    /// From where it was looked for.
    from: usize,
    found: Option<usize>,
}

impl Seen {
    fn new(what: &'static str, text: &str) -> Seen {
        let found = text.find(what);
        Seen {
            what,
            from: 0,
            found,
        }
    }

    fn behind(&mut self, at: usize, text: &str) -> Option<usize> {
        if at < self.from || self.found.is_some_and(|found| found < at) {
            self.from = at;
            self.found = text[at..].find(self.what).map(|more| at + more);
        }
        self.found
    }
}

impl<'a> Scanner<'a> {
    /// Begins behind a byte order mark.
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Scanner {
            text,
            at: 0,
            counted: (0, 1),
            seen: ["}", "\n[Event \"", "{"].map(|what| Seen::new(what, text)),
        }
    }

    /// The place up to which the text is read, in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes back to a place that was read before.
    pub(super) fn back_to(&mut self, at: usize) {
        self.at = at;
    }

    /// What is not read yet.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Leaves out the next bytes.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// The next part and its place; a fault comes with its place, too.
    pub(super) fn next_token(&mut self) -> Result<Option<(usize, Token<'a>)>, (usize, String)> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        let at = self.at;
        let token = self.token().map_err(|fault| (at, fault))?;
        Ok(token.map(|token| (at, token)))
    }

    /// The line of a place, which lies no farther back than the last one that was asked for.
    pub(super) fn line_at(&mut self, at: usize) -> usize {
        let (from, line) = self.counted;
        let more = &self.text.as_bytes()[from.min(at)..at];
        let line = line + more.iter().filter(|&&byte| byte == b'\n').count();
        self.counted = (at.max(from), line);
        line
    }

    /// Where the comment that begins here ends. The first line of a game is text of the comment,
    /// unless another comment begins behind it: then the end that follows is of that one.
    fn comment_end(&mut self) -> Result<usize, String> {
        let [ends, games, comments] = &mut self.seen;
        let end = ends.behind(self.at, self.text);
        let game = games.behind(self.at, self.text);
        let next = game.and_then(|game| comments.behind(game, self.text));
        end.filter(|end| next.is_none_or(|next| *end < next))
            .ok_or_else(|| "a comment has no end".to_owned())
    }

    /// The part of the text that begins here, where there is no space.
    fn token(&mut self) -> Result<Option<Token<'a>>, String> {
        let (read, rest) = self.text.split_at(self.at);
        let Some(first) = rest.chars().next() else {
            return Ok(None);
        };
        let at_line_start = read.is_empty() || read.ends_with('\n');
        let to_line_end = || rest.find('\n').unwrap_or(rest.len());
        let (length, token) = match first {
            '%' if at_line_start => {
                let end = to_line_end();
                (end, Token::Escape(&rest[1..end]))
            }
            ';' => {
                let end = to_line_end();
                (end, Token::Comment(&rest[1..end]))
            }
            '{' => {
                let end = self.comment_end()? - self.at;
                (end + 1, Token::Comment(&rest[1..end]))
            }
            '(' => (1, Token::Open),
            ')' => (1, Token::Close),
            '$' => {
                let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                let number = rest[1..=digits].parse();
                let too_large = |_| "a glyph is a dollar sign and a number, as $6".to_owned();
                (1 + digits, Token::Glyph(number.map_err(too_large)?))
            }
            '[' => {
                let end = tag_end(rest)?;
                let (name, value) = tag_parts(&rest[1..end]);
                (end + 1, Token::Tag(name, value))
            }
            _ => {
                let end = word_end(rest);
                (end, Token::Word(&rest[..end]))
            }
        };
        self.at += length;
        Ok(Some(token))
    }
}

/// The longest tag, in bytes: the search for an end that is missing must not read the whole file.
const LONGEST_TAG: usize = 1 << 12;

/// The end of a tag, in bytes. A bracket inside its quoted value does not end it.
fn tag_end(text: &str) -> Result<usize, String> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices().take_while(|(at, _)| *at < LONGEST_TAG) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            ']' if !quoted => return Ok(at),
            '\n' if quoted => break,
            _ => {}
        }
    }
    Err("a tag has no end".to_owned())
}

/// The end of a word: one letter at least, for a bracket may stand where none belongs.
fn word_end(text: &str) -> usize {
    let ends = |(at, c): &(usize, char)| *at > 0 && (c.is_whitespace() || "{}();[]$".contains(*c));
    let end = text.char_indices().find(ends);
    end.map_or(text.len(), |(at, _)| at)
}

/// Name and value of a tag.
fn tag_parts(tag: &str) -> (String, String) {
    let tag = tag.trim();
    let end = tag.find(|c: char| c.is_whitespace() || c == '"');
    let (name, value) = tag.split_at(end.unwrap_or(tag.len()));
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
