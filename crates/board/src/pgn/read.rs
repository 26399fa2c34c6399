//! Reading games, whoever wrote them.

use cozy_chess::Move;

use super::{PgnError, PgnGame, PgnItem};
use crate::{Position, fen::parse_fen_dropping_rights, parse_san, parse_uci_move, san::SanError};

/// Variations within variations. More is no annotation, and would take stack without end.
const DEEPEST: usize = 200;

/// What programs write for glyphs, longest first where one ends another.
const SYMBOLS: &[(&str, u32)] = &[
    ("+/-", 16),
    ("-/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("+-", 18),
    ("-+", 19),
    ("+=", 14),
    ("=+", 15),
    ("!", 1),
    ("?", 2),
    ("=", 10),
    ("□", 7),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
];
/// The same, as words of their own only: as an ending they might be a promotion.
const LETTERS: &[(&str, u32)] = &[("N", 146), ("TN", 146), ("D", 220)];

/// The text of a file: UTF-8 or, with its mark, UTF-16. A line that is not UTF-8 is Windows-1252,
/// which holds Latin-1. Every line ends with `\n`.
pub fn decode_pgn(bytes: &[u8]) -> String {
    let wide = |join: fn([u8; 2]) -> u16| {
        let units = bytes[2..].as_chunks().0.iter();
        let units: Vec<u16> = units.map(|&pair| join(pair)).collect();
        String::from_utf16_lossy(&units)
    };
    let text = match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => {
            let lines = bytes.split_inclusive(|&byte| byte == b'\n');
            lines.fold(String::with_capacity(bytes.len()), |mut text, line| {
                match std::str::from_utf8(line) {
                    Ok(line) => text.push_str(line),
                    Err(_) => text.extend(line.iter().map(|&byte| windows_1252(byte))),
                }
                text
            })
        }
    };
    if text.contains('\r') {
        return text.replace("\r\n", "\n").replace('\r', "\n");
    }
    text
}

fn windows_1252(byte: u8) -> char {
    const UPPER: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    let upper = byte
        .checked_sub(0x80)
        .and_then(|at| UPPER.chars().nth(at.into()));
    upper.unwrap_or_else(|| char::from(byte))
}

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
    text: &'a str,
    /// What is read of it, in bytes.
    at: usize,
    /// Up to where lines were counted, and the line there.
    counted: (usize, usize),
    /// Games that were begun.
    games: u64,
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

/// A part of the text.
enum Token<'a> {
    Tag(String, String),
    Comment(&'a str),
    Escape(&'a str),
    Glyph(u32),
    Open,
    Close,
    Word(&'a str),
}

/// The moves between two brackets, or those of the game itself.
struct Level {
    items: Vec<PgnItem>,
    position: Position,
    /// The position before the last move.
    before: Option<Position>,
}

/// What is read of a game.
#[derive(Default)]
struct Draft {
    /// Its first tag or move was seen.
    is_begun: bool,
    /// Names, values and places in the text.
    tags: Vec<(String, String, usize)>,
    /// Comments and escaped lines before and among the tags.
    early: Vec<PgnItem>,
    /// The game itself and the variations that are open, once the tags are over.
    levels: Vec<Level>,
    start: Option<Position>,
    result: Option<String>,
    /// What follows is of the next game.
    is_over: bool,
}

impl Token<'_> {
    /// May it stand before a game as well?
    fn is_aside(&self) -> bool {
        matches!(self, Token::Comment(_) | Token::Escape(_))
    }
}

impl<'a> PgnReader<'a> {
    /// Reads from the beginning; a byte order mark is skipped.
    pub fn new(text: &'a str) -> PgnReader<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        PgnReader {
            text,
            at: 0,
            counted: (0, 1),
            games: 0,
            seen: ["}", "\n[Event \"", "{"].map(|what| Seen::new(what, text)),
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
                let line = self.line_at(at);
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
        while let Some((at, token)) = self.next_token()? {
            if !draft.is_begun && !token.is_aside() {
                self.games += 1;
                draft.is_begun = true;
            }
            match token {
                Token::Tag(name, _) if !draft.takes_tag(&name) => {
                    // The result was left out, and perhaps the moves.
                    self.at = at;
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
        if draft.levels.len() > 1 {
            return Err((self.at, "a variation has no end".to_owned()));
        }
        draft.begin()
    }

    fn next_token(&mut self) -> Result<Option<(usize, Token<'a>)>, (usize, String)> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        let at = self.at;
        let token = self.token().map_err(|fault| (at, fault))?;
        Ok(token.map(|token| (at, token)))
    }

    /// Comments behind a result are of the game before it.
    fn read_afterword(&mut self, draft: &mut Draft) {
        loop {
            let before = self.at;
            match self.next_token() {
                Ok(Some((_, token))) if token.is_aside() => {
                    let _ = draft.take(token);
                }
                _ => {
                    self.at = before;
                    return;
                }
            }
        }
    }

    /// Goes on behind a game that cannot be read: to a line with the first tag of another one, or
    /// behind a line that ends with a result and is the last one of its paragraph.
    fn skip_game(&mut self) {
        let rest = &self.text[self.at..];
        let mut in_tags = rest.starts_with('[');
        let mut lines = rest.split_inclusive('\n').peekable();
        let mut is_first = true;
        while let Some(line) = lines.next() {
            let starts_tag = !is_first && is_tag_line(line);
            if starts_tag && (!in_tags || line.starts_with("[Event ")) {
                return;
            }
            self.at += line.len();
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

    /// The line of a place, which lies no farther back than the last one that was asked for.
    fn line_at(&mut self, at: usize) -> usize {
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

impl Draft {
    /// Does a tag of this name belong to this game, or is it of the next one?
    fn takes_tag(&self, name: &str) -> bool {
        let is_event = name.eq_ignore_ascii_case("Event");
        self.levels.is_empty() && !(is_event && self.tag("Event").is_some())
    }

    /// The value of a tag and its place in the text.
    fn tag(&self, wanted: &str) -> Option<(&str, usize)> {
        let mut tags = self.tags.iter();
        let found = tags.find(|(name, ..)| name.eq_ignore_ascii_case(wanted));
        found.map(|(_, value, at)| (value.as_str(), *at))
    }

    /// The tags are over, if they were not before.
    fn begin(&mut self) -> Result<(), (usize, String)> {
        if !self.levels.is_empty() {
            return Ok(());
        }
        if let Some((variant, at)) = self.tag("Variant")
            && !is_chess(variant)
        {
            let fault = format!(
                "the variant {variant:?} is not played here; allowed are standard chess and Chess960"
            );
            return Err((at, fault));
        }
        let start = match self.tag("FEN") {
            Some((fen, at)) if !fen.is_empty() => {
                let read = parse_fen_dropping_rights(fen);
                read.map_err(|error| (at, format!("the tag FEN: {error}")))?
                    .0
            }
            _ => Position::startpos(),
        };
        self.start = Some(start.clone());
        self.levels.push(Level {
            items: std::mem::take(&mut self.early),
            position: start,
            before: None,
        });
        Ok(())
    }

    /// Takes what is no tag; true if it ends the game.
    fn take(&mut self, token: Token<'_>) -> Result<bool, String> {
        let item = match token {
            Token::Comment(text) => {
                let words: Vec<_> = text.split_whitespace().collect();
                PgnItem::Comment(words.join(" "))
            }
            Token::Escape(text) => PgnItem::Escape(text.trim_end().to_owned()),
            Token::Glyph(number) => PgnItem::Glyph(number),
            Token::Open => return self.open(),
            Token::Close => return self.close(),
            Token::Word(word) => match (result(word), self.levels.len()) {
                (Some(result), 0 | 1) => {
                    self.result = Some(result.to_owned());
                    return Ok(true);
                }
                (Some(result), _) => PgnItem::Comment(result.to_owned()),
                (None, _) => return self.word(word),
            },
            Token::Tag(..) => return Ok(false),
        };
        match self.levels.last_mut() {
            Some(level) => level.items.push(item),
            None => self.early.push(item),
        }
        Ok(false)
    }

    fn open(&mut self) -> Result<bool, String> {
        let before = self.levels.last().and_then(|level| level.before.clone());
        let position = before.ok_or("a variation stands before the move that it replaces")?;
        if self.levels.len() > DEEPEST {
            return Err(format!(
                "variations lie more than {DEEPEST} deep in each other"
            ));
        }
        self.levels.push(Level {
            items: Vec::new(),
            position,
            before: None,
        });
        Ok(false)
    }

    fn close(&mut self) -> Result<bool, String> {
        if let [.., outer, closed] = &mut self.levels[..] {
            let items = std::mem::take(&mut closed.items);
            outer.items.push(PgnItem::Variation(items));
            self.levels.pop();
            return Ok(false);
        }
        Err("a variation ends that never began".to_owned())
    }

    /// A move with its number and its marks, or some of these alone.
    fn word(&mut self, word: &str) -> Result<bool, String> {
        let is_game = self.levels.len() == 1;
        let Some(level) = self.levels.last_mut() else {
            return Ok(false);
        };
        let (text, glyphs) = without_marks(without_number(word));
        let is_silent = text.bytes().all(|byte| b"+#.".contains(&byte));
        if is_null(text) {
            let after = level.position.make_null().filter(|_| !is_game);
            let fault = "a null move may stand in a variation only, and not in check";
            level.play(None, after.ok_or(fault)?);
        } else if !is_silent && !matches!(text, "e.p." | "ep") {
            let mv = read_move(&level.position, text).map_err(|error| error.to_string())?;
            let after = level.position.make(mv).0;
            level.play(Some(mv), after);
        }
        level.items.extend(glyphs.into_iter().map(PgnItem::Glyph));
        Ok(false)
    }

    fn finish(self) -> PgnGame {
        let items = self.levels.into_iter().next().map(|level| level.items);
        PgnGame {
            tags: self
                .tags
                .into_iter()
                .map(|(name, value, _)| (name, value))
                .collect(),
            start: self.start.unwrap_or_else(Position::startpos),
            items: items.unwrap_or_default(),
            result: self.result,
        }
    }
}

impl Level {
    fn play(&mut self, mv: Option<Move>, after: Position) {
        self.before = Some(std::mem::replace(&mut self.position, after));
        self.items.push(PgnItem::Move(mv));
    }
}

/// A move in short notation or in one of the long ones: `Ng1-f3`, `e2e4`, `e7-e8/Q`.
fn read_move(position: &Position, text: &str) -> Result<Move, SanError> {
    parse_san(position, text).or_else(|error| {
        let bare = text.replace(['-', 'x', ':', '/', '=', '+', '#', '(', ')'], "");
        let short = parse_san(position, &bare);
        short.or_else(|_| parse_uci_move(position, &bare).map_err(|_| error))
    })
}

fn is_null(word: &str) -> bool {
    matches!(word, "--" | "Z0" | "0000" | "@@@@" | "null" | "pass")
}

/// Does a tag `Variant` name a game with the rules of chess?
fn is_chess(variant: &str) -> bool {
    let variant = variant.to_ascii_lowercase();
    let names = [
        "standard",
        "normal",
        "chess",
        "960",
        "fischer",
        "from position",
    ];
    let other = [
        "atomic",
        "crazyhouse",
        "antichess",
        "three",
        "horde",
        "hill",
        "racing",
    ];
    names.iter().any(|name| variant.contains(name))
        && !other.iter().any(|name| variant.contains(name))
}

/// The result that a word is.
pub(super) fn result(word: &str) -> Option<&'static str> {
    match word {
        "1-0" | "1–0" | "1:0" => Some("1-0"),
        "0-1" | "0–1" | "0:1" => Some("0-1"),
        "1/2-1/2" | "1/2–1/2" | "½-½" | "½–½" | "1/2" => Some("1/2-1/2"),
        "*" => Some("*"),
        _ => None,
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

/// The end of a tag, in bytes. A bracket inside its quoted value does not end it.
fn tag_end(text: &str) -> Result<usize, String> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
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

/// The rest of a word such as `12.Nf3`. Castling may be written with zeros, which are no number.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let bare = rest.trim_start_matches(['.', '…']);
    if bare.len() < rest.len() || rest.is_empty() && !is_null(word) {
        bare
    } else {
        word
    }
}

/// A move without its marks, and these as glyphs.
fn without_marks(mut word: &str) -> (&str, Vec<u32>) {
    if let Some((_, glyph)) = LETTERS.iter().find(|(letters, _)| *letters == word) {
        return ("", vec![*glyph]);
    }
    let mut glyphs = Vec::new();
    while let Some((bare, glyph)) = SYMBOLS
        .iter()
        .find_map(|(symbol, glyph)| Some((word.strip_suffix(symbol)?, *glyph)))
    {
        word = bare;
        glyphs.insert(0, glyph);
    }
    (word, glyphs)
}
